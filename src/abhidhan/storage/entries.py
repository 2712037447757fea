"""Entries: words gathered with their meanings, and ideas with their words, by one statement for any number of them."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

from sqlalchemy import Integer, Select, bindparam, select
from sqlalchemy.sql.selectable import FromClause

from abhidhan.domain.catalogue import Catalogue
from abhidhan.domain.idea_json import IdeaJSON, LazyMeanings, read_details, read_words, write_meaning
from abhidhan.domain.ideas import Idea, SourceReference
from abhidhan.domain.ids import is_id
from abhidhan.domain.lists import ListName
from abhidhan.domain.words import Word
from abhidhan.storage.engine.queries import Query, Row, by_size, chunks, in_list, padded
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.idea_details import read_ideas
from abhidhan.storage.indexes.idea_cache import COLUMNS, IS_CACHED
from abhidhan.storage.schema import idea, idea_cache, sense, word
from abhidhan.storage.words import of_language

WORDS_AT_ONCE = 256
"""How many words one statement gathers."""


class WordRow(NamedTuple):
    """A word as its row has it, the first columns of a row of `_with_senses`."""

    language_id: int
    sort_key: bytes
    text: str
    id: int
    exact_key: str
    roman: str | None
    rule_roman: str | None
    ipa: str | None
    asm: str | None
    variant_id: int | None
    origin: str | None
    plural: str | None
    definitive: str | None
    frequency: float | None


class SenseRow(NamedTuple):
    """A sense of the word, the columns after those; a word without any has one row of nothing."""

    position: int | None
    id: int | None
    idea_id: int | None
    reference: str | None
    note: str | None
    source_id: int | None
    form: int | None


_WORD_COLUMNS = tuple(word.c[name] for name in WordRow._fields)
_SENSE_COLUMNS = (*(sense.c[name] for name in SenseRow._fields[:-1]), idea_cache.c.form)
_SENSE_BEGINS = len(_WORD_COLUMNS)
_IDEA_BEGINS = _SENSE_BEGINS + len(_SENSE_COLUMNS)
_WORD_ID = WordRow._fields.index("id")
_EXACT_KEY = WordRow._fields.index("exact_key")
_IDEA_ID = _SENSE_BEGINS + SenseRow._fields.index("idea_id")
_FORM = _SENSE_BEGINS + SenseRow._fields.index("form")


def _with_senses(words: FromClause) -> Select[Any]:
    """Read words with their senses and what is cached of their ideas.

    The engine is not asked for an order: it would copy all that is cached of each idea to sort it.
    """
    return select(*_WORD_COLUMNS, *_SENSE_COLUMNS, *COLUMNS).select_from(
        words.outerjoin(sense, sense.c.word_id == word.c.id).outerjoin(
            idea_cache, (idea_cache.c.idea_id == sense.c.idea_id) & IS_CACHED
        )
    )


_BY_ID = by_size(lambda size: _with_senses(word).where(in_list(word.c.id, "id", size)))


def _by_exact_key(size: int) -> Select[Any]:
    same = word.alias("same")
    found = (
        select(same.c.id)
        .where(in_list(same.c.exact_key, "key", size), of_language(same.c.language_id))
        .order_by(same.c.language_id, same.c.sort_key, same.c.text)
        .limit(bindparam("limit", type_=Integer))
        .subquery("found")
    )
    return _with_senses(found.join(word, word.c.id == found.c.id))


_BY_EXACT_KEY = by_size(_by_exact_key)

_IN_ORDER = itemgetter(0, 1, 2, _SENSE_BEGINS, _SENSE_BEGINS + 1)
"""The order of words by language, sort key and text, and of their meanings. A language has each text once."""


def gather(reader: Reader, word_ids: Sequence[int], pos_id: int | None = None) -> list[Word]:
    """Gather words with all that belongs to them, in the order of `word_ids`; unknown IDs are passed over.

    With a part of speech: only the meanings that have it.
    """
    words: dict[int, Word] = {}
    for some in chunks([word_id for word_id in word_ids if is_id(word_id)], WORDS_AT_ONCE):
        rows = reader.rows(_BY_ID(len(some)), **padded("id", some))
        words |= {found.word.id: found.word for found in _words(reader, rows, pos_id)}
    return [words[word_id] for word_id in word_ids if word_id in words]


class Spelled(NamedTuple):
    """A word, and the exact key by which it was found."""

    key: str
    word: Word


def gather_spelled(reader: Reader, exact_keys: Sequence[str], language_id: int, *, limit: int) -> list[Spelled]:
    """Gather the words that have one of the keys, by language and then alphabetically, at most `limit` of them.

    What `words.find` finds, with all that belongs to it, by the one statement.
    """
    wanted = [key for key in exact_keys if key]
    if not wanted:
        return []
    rows = reader.rows(_BY_EXACT_KEY(len(wanted)), **padded("key", wanted), language_id=language_id, limit=limit)
    return _words(reader, rows)


class Sense(NamedTuple):
    """A meaning of a word, and what belongs to its idea."""

    row: SenseRow
    idea: IdeaJSON


def _words(reader: Reader, rows: Sequence[Row], pos_id: int | None = None) -> list[Spelled]:
    """Put the rows of words together, by language and then alphabetically."""
    ordered = sorted(rows, key=_IN_ORDER) if len(rows) > 1 else rows
    lacking = {row[_IDEA_ID] for row in ordered if row[_FORM] is None} - {None}
    read = read_ideas(reader, lacking) if lacking else {}
    of_words: dict[int, list[Row]] = defaultdict(list)
    for row in ordered:
        of_words[row[_WORD_ID]].append(row)
    found = [(some[0], _senses(some, read, pos_id)) for some in of_words.values()]
    catalogue = reader.catalogue
    return [
        Spelled(first[_EXACT_KEY], _word(WordRow._make(first[:_SENSE_BEGINS]), senses, catalogue))
        for first, senses in found
        if senses or pos_id is None
    ]


def _senses(rows: Iterable[Row], read: Mapping[int, IdeaJSON], pos_id: int | None) -> list[Sense]:
    """List the senses of a word: their ideas as they are cached, or as they were read where they are not."""
    senses = [sense for sense in [_sense(row, read) for row in rows] if sense is not None]
    return senses if pos_id is None else [sense for sense in senses if sense.idea.pos_id == pos_id]


def _sense(row: Row, read: Mapping[int, IdeaJSON]) -> Sense | None:
    of_sense = SenseRow._make(row[_SENSE_BEGINS:_IDEA_BEGINS])
    if of_sense.form:
        return Sense(of_sense, IdeaJSON._make(row[_IDEA_BEGINS:]))
    found = read.get(of_sense.idea_id or 0)
    return None if found is None else Sense(of_sense, found)


def _word(row: WordRow, senses: Sequence[Sense], catalogue: Catalogue) -> Word:
    pos_id = senses[0].idea.pos_id if senses else None
    return Word(
        id=row.id,
        word=row.text,
        language_id=row.language_id,
        language=catalogue.language(row.language_id).name,
        roman=row.roman or row.rule_roman,
        roman_generated=row.roman is None and row.rule_roman is not None,
        ipa=row.ipa,
        asm=row.asm,
        variant=catalogue.named(ListName.VARIANTS, row.variant_id),
        origin=row.origin,
        plural=row.plural,
        definitive=row.definitive,
        frequency=row.frequency,
        pos=catalogue.named(ListName.PARTS_OF_SPEECH, pos_id),
        meanings=LazyMeanings(b"[%b]" % b",".join([_meaning(row.id, sense, catalogue) for sense in senses])),
    )


def _meaning(word_id: int, sense: Sense, catalogue: Catalogue) -> bytes:
    row, idea_json = sense
    source = catalogue.sources.get(row.source_id or 0)
    return write_meaning(
        word_id,
        row.idea_id or 0,
        idea_json,
        pos=catalogue.named_json(ListName.PARTS_OF_SPEECH, idea_json.pos_id),
        gender=catalogue.named_json(ListName.GENDERS, idea_json.gender_id),
        reference=row.reference,
        note=row.note or (source.notice if source else None),
    )


_IDEA = Query(
    select(idea.c.glyph, idea.c.source_id, idea_cache.c.form, *COLUMNS)
    .select_from(idea.outerjoin(idea_cache, (idea_cache.c.idea_id == idea.c.id) & IS_CACHED))
    .where(idea.c.id == bindparam("id"))
)


def gather_idea(reader: Reader, idea_id: int) -> Idea | None:
    """Gather one idea with its words and all that belongs to it; None when there is no such idea."""
    row = reader.row(_IDEA, id=idea_id) if is_id(idea_id) else None
    if row is None:
        return None
    glyph, source_id, form, *columns = row
    found = IdeaJSON._make(columns) if form else read_ideas(reader, [idea_id]).get(idea_id)
    if found is None:
        return None
    catalogue, details = reader.catalogue, read_details(found)
    source = catalogue.sources.get(source_id or 0)
    return Idea(
        id=idea_id,
        glyph=glyph,
        pos=catalogue.named(ListName.PARTS_OF_SPEECH, found.pos_id),
        gender=catalogue.named(ListName.GENDERS, found.gender_id),
        contexts=details.contexts,
        definitions=details.definitions,
        examples=details.examples,
        relations=details.relations,
        photos=details.photos,
        words=read_words(found),
        source=SourceReference(source.name, source.licence, source.url, source.notice) if source else None,
    )
