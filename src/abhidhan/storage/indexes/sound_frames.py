"""Sound frames: the frames of the words that Latin letters may be typed for, so that others are not looked for.

One that no word has any more may stay, and costs an empty look-up at times; one that a word has is never missing, once
all words have been gone through. Until then every look-up looks for such words.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, Integer, bindparam, delete, insert, literal_column, select, update

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
from abhidhan.storage.engine.database import raise_data_version
from abhidhan.storage.engine.queries import Query, by_size, in_list, padded
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.idea_details import Tables
from abhidhan.storage.indexes.index import START, OpenTransaction, Place, Stale, Step, be_the_only_writer
from abhidhan.storage.schema import sound_frame as table
from abhidhan.storage.schema import word

AT_ONCE: Final = 20_000
"""How many words are gone through at once: less than a tenth of a second."""

WHOLE: Final = PAGES
"""The page, empty, that stands there when no word's frame is missing."""

_OF_FORM: Final[ColumnElement[bool]] = table.c.form == literal_column(str(FORM), Integer)
_VERSIONS = Query(select(table.c.page, table.c.version).where(_OF_FORM))
_PAGES = by_size(
    lambda size: select(table.c.page, table.c.version, table.c.numbers).where(
        in_list(table.c.page, "page", size), _OF_FORM
    )
)
_WHOLE = Query(select(table.c.page).where(table.c.page == literal_column(str(WHOLE), Integer), _OF_FORM))
_NEXT = Query(
    select(word.c.id, word.c.text, word.c.sound_key)
    .where(word.c.id > bindparam("after", type_=Integer))
    .order_by(word.c.id)
    .limit(AT_ONCE)
)


class _Page(NamedTuple):
    """A page as it is stored."""

    version: int
    numbers: Numbers


Pages = Mapping[int, _Page]

# --- reading ----------------------------------------------------------------------------------------------------------


class _Read(NamedTuple):
    """What was read last, and what was made of it."""

    pages: Pages
    frames: Frames


def frames(reader: Reader) -> Frames:
    """Return the frames of stored words, as they are now."""
    return reader.kept(_read).frames


def _read(reader: Reader, before: _Read | None) -> _Read:
    """Read the pages that have changed: a millisecond for all, a tenth of it after an edit."""
    versions = {int(page): int(version) for page, version in reader.rows(_VERSIONS)}
    known = before.pages if before else {}
    same = {page: known[page] for page, version in versions.items() if page in known and known[page].version == version}
    if len(same) == len(versions) == len(known) and before:
        return before
    pages = same | _stored(reader, versions.keys() - same.keys())
    whole = WHOLE in pages
    return _Read(
        pages, Frames({page: each.numbers for page, each in pages.items() if page != WHOLE}) if whole else UNKNOWN
    )


def _stored(tables: Tables, pages: Collection[int]) -> dict[int, _Page]:
    if not pages:
        return {}
    rows = tables.rows(_PAGES(len(pages)), **padded("page", sorted(pages)))
    return {page: _Page(version, unpacked(numbers)) for page, version, numbers in rows}


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
    return {
        number
        for page, some in wanted.items()
        for number in {*some}.difference(stored[page].numbers if page in stored else ())
    }


def _write(connection: Connection, lacking: Mapping[int, Iterable[int]]) -> None:
    stored = _stored(OpenTransaction(connection), lacking.keys())
    for page, more in lacking.items():
        if page in stored:
            values = {"version": stored[page].version + 1, "numbers": packed({*stored[page].numbers, *more})}
            connection.execute(update(table).where(_OF_FORM, table.c.page == page).values(values))
        else:
            _insert(connection, page, packed(more))


def _insert(connection: Connection, page: int, numbers: bytes) -> None:
    connection.execute(insert(table).values(form=FORM, page=page, version=1, numbers=numbers))


# --- for all words ----------------------------------------------------------------------------------------------------


def is_whole(tables: Tables) -> bool:
    """Return whether every word has been gone through."""
    return bool(tables.rows(_WHOLE))


def stale(tables: Tables) -> Iterator[Stale]:
    """List the words whose frame is missing, where none should be."""
    if not is_whole(tables):
        return
    stored = {number for page in _stored(tables, range(PAGES)).values() for number in page.numbers}
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
    _insert(connection, WHOLE, b"")
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
