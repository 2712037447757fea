"""Sound frames: the frames of the words that Latin letters may be typed for, so that others are not looked for.

One that no word has any more may stay, and costs an empty look-up at times; one that a word has is never missing, once
all words have been gone through. Until then every look-up looks for such words.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    Integer,
    bindparam,
    delete,
    func,
    insert,
    literal_column,
    select,
    update,
)

from abhidhan.domain.matching.frames import (
    FORM,
    PAGES,
    UNKNOWN,
    Frames,
    Numbers,
    by_page,
    number_of,
    packed,
    unpacked,
)
from abhidhan.storage.engine.bulk import Bulk
from abhidhan.storage.engine.data_version import raise_data_version
from abhidhan.storage.engine.queries import Query, by_size, in_list, padded
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.idea_details import Tables
from abhidhan.storage.indexes.index import START, OpenTransaction, Place, Stale, Step, be_the_only_writer
from abhidhan.storage.schema import sound_frame as table
from abhidhan.storage.schema import word

AT_ONCE: Final = 20_000
"""How many words are gone through at once: less than a tenth of a second."""

HEAD: Final = PAGES
"""The page, empty, that stands there when no word's frame is missing. It has the version of the newest page."""

_OF_FORM: Final[ColumnElement[bool]] = table.c.form == literal_column(str(FORM), Integer)
_IS_HEAD: Final[ColumnElement[bool]] = table.c.page == literal_column(str(HEAD), Integer)
_HEAD = Query(select(table.c.version).where(_OF_FORM, _IS_HEAD))
_CHANGED = Query(
    select(table.c.page, table.c.numbers).where(
        _OF_FORM, table.c.page < HEAD, table.c.version > bindparam("after", type_=Integer)
    )
)
_PAGES = by_size(
    lambda size: select(table.c.page, table.c.numbers).where(_OF_FORM, in_list(table.c.page, "page", size))
)
_LAST_VERSION = select(func.coalesce(func.max(table.c.version), 0)).where(_OF_FORM)
_NEXT = Query(
    select(word.c.id, word.c.text, word.c.sound_key)
    .where(word.c.id > bindparam("after", type_=Integer))
    .order_by(word.c.id)
    .limit(AT_ONCE)
)


class Stored(NamedTuple):
    """The pages of some version, and the frames that they hold."""

    version: int
    pages: Mapping[int, Numbers]
    frames: Frames


NOT_WHOLE: Final = Stored(0, {}, UNKNOWN)

# --- reading ----------------------------------------------------------------------------------------------------------


def frames(reader: Reader) -> Frames:
    """Return the frames of stored words, as they are now."""
    return reader.kept(read_changed).frames


def read_changed(reader: Tables, before: Stored | None) -> Stored:
    """Read the pages that have changed: most changes of the data change none, and one row tells so."""
    head = reader.rows(_HEAD)
    if not head:
        return NOT_WHOLE
    version = int(head[0][0])
    if before and before.version == version:
        return before
    known = before if before and before.version < version else NOT_WHOLE
    # A page that is newer than the head was is read once more after it: versions rise in the order of transactions.
    changed = {page: unpacked(numbers) for page, numbers in reader.rows(_CHANGED, after=known.version)}
    pages = {**known.pages, **changed}
    return Stored(version, pages, Frames(pages))


# --- writing ----------------------------------------------------------------------------------------------------------


def add(connection: Connection, text: str, sound_key: str) -> None:
    """Add the frame of a word that is new or spelled otherwise, in the transaction that writes it."""
    number = number_of(text, sound_key)
    if number is not None:
        add_numbers(connection, {number})


def add_numbers(connection: Connection, numbers: Collection[int]) -> set[int]:
    """Add the numbers of the frames of words; return those that were not there."""
    lacking = _lacking(OpenTransaction(connection), numbers)
    if lacking:
        # Two who write to one page at once would each write it without what the other adds.
        be_the_only_writer(connection, table.name)
        _write(connection, by_page(lacking))
    return lacking


def _lacking(tables: Tables, numbers: Iterable[int]) -> set[int]:
    wanted = by_page(numbers)
    stored = _stored(tables, wanted.keys())
    return {number for page, some in wanted.items() for number in {*some}.difference(stored.get(page, ()))}


def _stored(tables: Tables, pages: Collection[int]) -> dict[int, Numbers]:
    if not pages:
        return {}
    rows = tables.rows(_PAGES(len(pages)), **padded("page", sorted(pages)))
    return {page: unpacked(numbers) for page, numbers in rows}


def _write(connection: Connection, lacking: Mapping[int, Collection[int]]) -> None:
    stored = _stored(OpenTransaction(connection), lacking.keys())
    version = connection.execute(_LAST_VERSION).scalar_one() + 1
    for page, more in lacking.items():
        numbers = packed({*stored.get(page, ()), *more})
        if page in stored:
            chosen = update(table).where(_OF_FORM, table.c.page == page)
            connection.execute(chosen.values(version=version, numbers=numbers))
        else:
            _insert(connection, page, version, numbers)
    connection.execute(update(table).where(_OF_FORM, _IS_HEAD).values(version=version))


def _insert(connection: Connection, page: int, version: int, numbers: bytes) -> None:
    connection.execute(insert(table).values(form=FORM, page=page, version=version, numbers=numbers))


# --- for all words ----------------------------------------------------------------------------------------------------


def is_whole(tables: Tables) -> bool:
    """Return whether every word has been gone through."""
    return bool(tables.rows(_HEAD))


def stale(tables: Tables) -> Iterator[Stale]:
    """List the words whose frame is missing, where none should be."""
    if not is_whole(tables):
        return
    stored = {number for page in _stored(tables, range(PAGES)).values() for number in page}
    after = 0
    while rows := tables.rows(_NEXT, after=after):
        after = rows[-1][0]
        for word_id, text, sound_key in rows:
            number = number_of(text, sound_key)
            if number is not None and number not in stored:
                yield Stale(f"word:{word_id}", text)


def renew_next(connection: Connection, after: Place) -> Step:
    """Add the frames that the next words lack; behind the last of them, note that none is missing."""
    rows = Bulk(connection).rows(_NEXT, {"after": after[1]})
    numbers = [number for _, text, sound_key in rows if (number := number_of(text, sound_key)) is not None]
    lacking = add_numbers(connection, {*numbers})
    changed = sum(number in lacking for number in numbers)
    if len(rows) == AT_ONCE:
        return Step(len(rows), changed, ("", rows[-1][0]))
    return Step(len(rows), changed + _note_whole(connection), None)


def _note_whole(connection: Connection) -> bool:
    """Note that no frame is missing, and remove those of other forms; tell whether that was to be done."""
    be_the_only_writer(connection, table.name)
    if is_whole(OpenTransaction(connection)):
        return False
    connection.execute(delete(table).where(table.c.form != FORM))
    _insert(connection, HEAD, connection.execute(_LAST_VERSION).scalar_one() + 1, b"")
    return True


def fill(connection: Connection) -> None:
    """Add the frames of all words, where that was never done, in transactions of their own; none may be open."""
    with connection.begin():
        place = None if is_whole(OpenTransaction(connection)) else START
    while place is not None:
        with connection.begin():
            done = renew_next(connection, place)
            if done.changed:
                raise_data_version(connection)
        place = done.next
