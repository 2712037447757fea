"""Entries: words gathered with their meanings, and ideas with their words, by one statement for any number of them."""

from collections.abc import Iterator, Sequence
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


_WORD_COLUMNS = (
    word.c.language_id,
    word.c.sort_key,
    word.c.text,
    word.c.id,
    word.c.exact_key,
    word.c.roman,
    word.c.rule_roman,
    word.c.ipa,
    word.c.asm,
    word.c.variant_id,
    word.c.origin,
    word.c.plural,
    word.c.definitive,
    word.c.frequency,
)
"""The first columns of a row, those of the word; `_word` takes them apart."""

_SENSE_COLUMNS = (
    sense.c.position,
    sense.c.id,
    sense.c.idea_id,
    sense.c.reference,
    sense.c.note,
    sense.c.source_id,
    idea_cache.c.form,
)
"""The columns after those, of a sense of the word, which `_meaning` takes apart; a word without any has them empty."""

_SENSE_BEGINS = len(_WORD_COLUMNS)
_IDEA_BEGINS = _SENSE_BEGINS + len(_SENSE_COLUMNS)
_WORD_ID = _WORD_COLUMNS.index(word.c.id)
_EXACT_KEY = _WORD_COLUMNS.index(word.c.exact_key)
_IDEA_ID = _SENSE_BEGINS + _SENSE_COLUMNS.index(sense.c.idea_id)
_FORM = _SENSE_BEGINS + _SENSE_COLUMNS.index(idea_cache.c.form)


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


def _words(reader: Reader, rows: Sequence[Row], pos_id: int | None = None) -> list[Spelled]:
    """Put the rows of words together, by language and then alphabetically."""
    ordered = sorted(rows, key=_IN_ORDER) if len(rows) > 1 else rows
    lacking = {row[_IDEA_ID] for row in ordered if row[_FORM] is None} - {None}
    read = read_ideas(reader, lacking) if lacking else {}
    of_words: dict[int, list[Row]] = {}
    for row in ordered:
        of_words.setdefault(row[_WORD_ID], []).append(row)
    catalogue = reader.catalogue
    found = []
    for some in of_words.values():
        ideas = [IdeaJSON._make(row[_IDEA_BEGINS:]) if row[_FORM] else read.get(row[_IDEA_ID]) for row in some]
        senses = [(row, idea) for row, idea in zip(some, ideas, strict=True) if idea and pos_id in {None, idea.pos_id}]
        if senses or pos_id is None:
            found.append(Spelled(some[0][_EXACT_KEY], _word(some[0], senses, catalogue)))
    return found


_Sense = tuple[Row, IdeaJSON]
"""The row of a word with a sense, and what belongs to the sense's idea."""


def _word(row: Row, senses: Sequence[_Sense], catalogue: Catalogue) -> Word:
    language_id, _, text, word_id, _, *others = row[:_SENSE_BEGINS]
    roman, rule_roman, ipa, asm, variant_id, origin, plural, definitive, frequency = others
    pos_id = senses[0][1].pos_id if senses else None
    return Word(
        id=word_id,
        word=text,
        language_id=language_id,
        language=catalogue.language(language_id).name,
        roman=roman or rule_roman,
        roman_generated=roman is None and rule_roman is not None,
        ipa=ipa,
        asm=asm,
        variant=catalogue.named(ListName.VARIANTS, variant_id),
        origin=origin,
        plural=plural,
        definitive=definitive,
        frequency=frequency,
        pos=catalogue.named(ListName.PARTS_OF_SPEECH, pos_id),
        meanings=LazyMeanings(b"[%b]" % b",".join([_meaning(word_id, *sense, catalogue) for sense in senses])),
    )


def _meaning(word_id: int, row: Row, idea_json: IdeaJSON, catalogue: Catalogue) -> bytes:
    _, _, idea_id, reference, note, source_id, _ = row[_SENSE_BEGINS:_IDEA_BEGINS]
    source = catalogue.sources.get(source_id)
    return write_meaning(
        word_id,
        idea_id,
        idea_json,
        pos=catalogue.named_json(ListName.PARTS_OF_SPEECH, idea_json.pos_id),
        gender=catalogue.named_json(ListName.GENDERS, idea_json.gender_id),
        reference=reference,
        note=note or (source.notice if source else None),
    )


_WITH_CACHE = select(idea.c.id, idea.c.glyph, idea.c.source_id, idea_cache.c.form, *COLUMNS).select_from(
    idea.outerjoin(idea_cache, (idea_cache.c.idea_id == idea.c.id) & IS_CACHED)
)
_IDEA = Query(_WITH_CACHE.where(idea.c.id == bindparam("id")))
_IDEAS = by_size(lambda size: _WITH_CACHE.where(in_list(idea.c.id, "id", size)))


def gather_idea(reader: Reader, idea_id: int) -> Idea | None:
    """Gather one idea with its words and all that belongs to it; None when there is no such idea."""
    rows = reader.rows(_IDEA, id=idea_id) if is_id(idea_id) else []
    return next(_ideas(reader, rows), None)


def gather_ideas(reader: Reader, idea_ids: Sequence[int]) -> list[Idea]:
    """Gather ideas in the order of `idea_ids`; unknown IDs are passed over."""
    ideas: dict[int, Idea] = {}
    for some in chunks([idea_id for idea_id in idea_ids if is_id(idea_id)], WORDS_AT_ONCE):
        rows = reader.rows(_IDEAS(len(some)), **padded("id", some))
        ideas |= {each.id: each for each in _ideas(reader, rows)}
    return [ideas[idea_id] for idea_id in idea_ids if idea_id in ideas]


def _ideas(reader: Reader, rows: Sequence[Row]) -> Iterator[Idea]:
    """Put the rows of ideas together; what is not cached is read from the tables."""
    lacking = [row[0] for row in rows if not row[3]]
    read = read_ideas(reader, lacking) if lacking else {}
    for idea_id, glyph, source_id, form, *columns in rows:
        found = IdeaJSON._make(columns) if form else read.get(idea_id)
        if found is not None:
            yield _idea(idea_id, glyph, source_id, found, reader.catalogue)


def _idea(idea_id: int, glyph: str | None, source_id: int | None, found: IdeaJSON, catalogue: Catalogue) -> Idea:
    details = read_details(found)
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
