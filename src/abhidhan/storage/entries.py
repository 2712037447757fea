"""Entries: words gathered with their meanings, and ideas with their words, by one statement for any number of them."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from sqlalchemy import Select, bindparam, select

from abhidhan.domain.catalogue import Catalogue
from abhidhan.domain.ideas import Idea, IdeaWord, KeptWords, SourceReference
from abhidhan.domain.ids import is_id
from abhidhan.domain.lists import ListName
from abhidhan.domain.words import Meaning, Word
from abhidhan.storage.engine.queries import Query, by_size, chunks, in_list, padded
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.idea_details import Parts, parts_of_ideas
from abhidhan.storage.indexes.idea_cache import COLUMNS, IS_CACHED, parts_from
from abhidhan.storage.schema import gathered, idea, sense, word

WORDS_AT_ONCE = 256
"""How many words one statement gathers."""


class WordRow(NamedTuple):
    """A word with one of its senses, or with none."""

    id: int
    text: str
    language_id: int
    roman: str | None
    rule_roman: str | None
    ipa: str | None
    asm: str | None
    variant_id: int | None
    origin: str | None
    plural: str | None
    definitive: str | None
    frequency: float | None
    idea_id: int | None
    pos_id: int | None
    gender_id: int | None
    reference: str | None
    note: str | None
    source_id: int | None
    position: int | None
    sense_id: int | None
    form: int | None
    contexts: bytes | None
    definitions: bytes | None
    examples: bytes | None
    words: bytes | None
    relations: bytes | None
    photos: bytes | None

    @property
    def kept(self) -> tuple[bytes | None, ...]:
        """What is kept of the idea, in the order of COLUMNS."""
        return self.contexts, self.definitions, self.examples, self.words, self.relations, self.photos


def _words_with_senses(size: int) -> Select[Any]:
    return (
        select(
            word.c.id,
            word.c.text,
            word.c.language_id,
            word.c.roman,
            word.c.rule_roman,
            word.c.ipa,
            word.c.asm,
            word.c.variant_id,
            word.c.origin,
            word.c.plural,
            word.c.definitive,
            word.c.frequency,
            sense.c.idea_id,
            idea.c.pos_id,
            idea.c.gender_id,
            sense.c.reference,
            sense.c.note,
            sense.c.source_id,
            sense.c.position,
            sense.c.id,
            gathered.c.form,
            *COLUMNS,
        )
        .select_from(
            word.outerjoin(sense, sense.c.word_id == word.c.id)
            .outerjoin(idea, idea.c.id == sense.c.idea_id)
            .outerjoin(gathered, (gathered.c.idea_id == sense.c.idea_id) & IS_CACHED)
        )
        .where(in_list(word.c.id, "id", size))
    )


_WORDS_WITH_SENSES = by_size(_words_with_senses)

_IN_ORDER = attrgetter("id", "position", "sense_id")
"""The order of meanings. The engine is not asked for it: it would copy all that is kept of each idea to sort it."""


def gather(reader: Reader, word_ids: Sequence[int], pos_id: int | None = None) -> list[Word]:
    """Gather words with all that belongs to them, in the order of `word_ids`; unknown IDs are passed over.

    With a part of speech: only the meanings that have it.
    """
    catalogue = reader.catalogue
    words: dict[int, Word] = {}
    for some in chunks([word_id for word_id in word_ids if is_id(word_id)], WORDS_AT_ONCE):
        found = [WordRow._make(row) for row in reader.rows(_WORDS_WITH_SENSES(len(some)), **padded("id", some))]
        rows = sorted([row for row in found if pos_id in {None, row.pos_id}], key=_IN_ORDER)
        words |= {word.id: word for word in _words(rows, _parts(reader, rows), catalogue)}
    return [words[word_id] for word_id in word_ids if word_id in words]


def _parts(reader: Reader, rows: Sequence[WordRow]) -> dict[int, Parts]:
    """Return what belongs to the ideas of words: as it is kept, and gathered now where it is not."""
    parts = {row.idea_id: parts_from(row.kept) for row in rows if row.idea_id is not None and row.form}
    lacking = [row.idea_id for row in rows if row.idea_id is not None and not row.form]
    return parts | parts_of_ideas(reader, lacking) if lacking else parts


def _words(rows: Sequence[WordRow], parts: dict[int, Parts], catalogue: Catalogue) -> Iterable[Word]:
    senses: dict[int, list[WordRow]] = defaultdict(list)
    for row in rows:
        senses[row.id].append(row)
    for rows_of_word in senses.values():
        first = rows_of_word[0]
        yield Word(
            id=first.id,
            word=first.text,
            language_id=first.language_id,
            language=catalogue.language(first.language_id).name,
            roman=first.roman or first.rule_roman,
            roman_generated=first.roman is None and first.rule_roman is not None,
            ipa=first.ipa,
            asm=first.asm,
            variant=catalogue.named(ListName.VARIANTS, first.variant_id),
            origin=first.origin,
            plural=first.plural,
            definitive=first.definitive,
            frequency=first.frequency,
            pos=catalogue.named(ListName.PARTS_OF_SPEECH, first.pos_id),
            meanings=tuple(_meaning(row, parts, catalogue) for row in rows_of_word if row.idea_id in parts),
        )


def _meaning(row: WordRow, parts: dict[int, Parts], catalogue: Catalogue) -> Meaning:
    idea_id = row.idea_id or 0
    belongings = parts[idea_id]
    source = catalogue.sources.get(row.source_id or 0)
    return Meaning(
        idea_id=idea_id,
        pos=catalogue.named(ListName.PARTS_OF_SPEECH, row.pos_id),
        gender=catalogue.named(ListName.GENDERS, row.gender_id),
        contexts=belongings.contexts,
        definitions=belongings.definitions,
        translations=_others(belongings.words, row.id),
        examples=belongings.examples,
        relations=belongings.relations,
        photos=belongings.photos,
        reference=row.reference,
        note=row.note or (source.notice if source else None),
    )


def _others(words: Sequence[IdeaWord], word_id: int) -> Sequence[IdeaWord]:
    if isinstance(words, KeptWords):
        return words.without(word_id)
    return tuple([other for other in words if other.id != word_id])


_IDEA = Query(
    select(idea.c.glyph, idea.c.pos_id, idea.c.gender_id, idea.c.source_id, gathered.c.form, *COLUMNS)
    .select_from(idea.outerjoin(gathered, (gathered.c.idea_id == idea.c.id) & IS_CACHED))
    .where(idea.c.id == bindparam("id"))
)


def gather_idea(reader: Reader, idea_id: int) -> Idea | None:
    """Gather one idea with its words and all that belongs to it; None when there is no such idea."""
    row = reader.row(_IDEA, id=idea_id) if is_id(idea_id) else None
    if row is None:
        return None
    glyph, pos_id, gender_id, source_id, form, *columns = row
    catalogue = reader.catalogue
    belongings = parts_from(columns) if form else parts_of_ideas(reader, [idea_id])[idea_id]
    source = catalogue.sources.get(source_id or 0)
    return Idea(
        id=idea_id,
        glyph=glyph,
        pos=catalogue.named(ListName.PARTS_OF_SPEECH, pos_id),
        gender=catalogue.named(ListName.GENDERS, gender_id),
        contexts=belongings.contexts,
        definitions=belongings.definitions,
        examples=belongings.examples,
        relations=belongings.relations,
        photos=belongings.photos,
        words=belongings.words,
        source=SourceReference(source.name, source.licence, source.url, source.notice) if source else None,
    )
