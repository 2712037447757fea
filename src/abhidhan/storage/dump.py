"""Everything in the dictionary as records again, a thousand ideas at a time, in an order that is always the same."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec
from sqlalchemy import bindparam, func, select

from abhidhan.domain.catalogue import Catalogue
from abhidhan.domain.lists import ListName
from abhidhan.domain.records import (
    CardRecord,
    CardSetRecord,
    DefinitionRecord,
    ExampleRecord,
    IdeaRecord,
    LanguageRecord,
    ListItemRecord,
    PhraseRecord,
    Record,
    RelationRecord,
    SourceRecord,
    WordRecord,
)
from abhidhan.domain.words import Word
from abhidhan.storage import entries, tables
from abhidhan.storage.database import Reader
from abhidhan.storage.queries import Query, Row, by_size, chunks, in_list, padded

IDEAS_AT_ONCE = 1000
WORDS_AT_ONCE = 500

LOCAL = SourceRecord(
    "local",
    "This dictionary",
    "see the operator",
    notice="Written here; the operator of the dictionary says on what terms it may be used.",
)
"""The source of what has none of its own: what people added here."""

Queries = Callable[[int], Query]

_idea, _word, _sense = tables.idea, tables.word, tables.sense
_other = tables.idea.alias("other")


class Choice(msgspec.Struct, frozen=True):
    """What of the dictionary is wanted; empty means everything. Languages, contexts and parts of speech are IDs."""

    languages: frozenset[int] = frozenset()
    sources: frozenset[str] = frozenset()
    contexts: frozenset[int] = frozenset()
    parts_of_speech: frozenset[int] = frozenset()

    @property
    def is_everything(self) -> bool:
        """Tell whether nothing is left out."""
        return not (self.languages or self.sources or self.contexts or self.parts_of_speech)


_IDEAS = Query(
    select(_idea.c.id, _idea.c.pos_id, _idea.c.gender_id, _idea.c.glyph, _idea.c.source_id, _idea.c.external_key)
    .where(_idea.c.id > bindparam("after"))
    .order_by(_idea.c.id)
    .limit(IDEAS_AT_ONCE)
)


_DEFINITIONS = by_size(
    lambda size: (
        select(tables.definition.c.idea_id, tables.definition.c.language_id, tables.definition.c.text)
        .where(in_list(tables.definition.c.idea_id, "id", size))
        .order_by(tables.definition.c.id)
    )
)
_EXAMPLES = by_size(
    lambda size: (
        select(
            tables.example.c.idea_id, tables.example.c.language_id, tables.example.c.text, tables.example.c.translation
        )
        .where(in_list(tables.example.c.idea_id, "id", size))
        .order_by(tables.example.c.id)
    )
)
_CONTEXTS = by_size(
    lambda size: (
        select(tables.idea_context.c.idea_id, tables.idea_context.c.context_id)
        .where(in_list(tables.idea_context.c.idea_id, "id", size))
        .order_by(tables.idea_context.c.idea_id, tables.idea_context.c.context_id)
    )
)
_RELATIONS = by_size(
    lambda size: (
        select(
            tables.idea_relation.c.idea_id,
            tables.idea_relation.c.type_id,
            _other.c.id,
            _other.c.source_id,
            _other.c.external_key,
        )
        .join(_other, _other.c.id == tables.idea_relation.c.other_id)
        .where(in_list(tables.idea_relation.c.idea_id, "id", size))
        .order_by(tables.idea_relation.c.idea_id, tables.idea_relation.c.type_id, _other.c.id)
    )
)
_WORDS = by_size(
    lambda size: (
        select(
            _sense.c.idea_id,
            _word.c.id,
            _word.c.language_id,
            _word.c.text,
            _word.c.roman,
            _word.c.ipa,
            _word.c.asm,
            _word.c.variant_id,
            _word.c.origin,
            _word.c.plural,
            _word.c.definitive,
            _sense.c.reference,
            _sense.c.note,
            _sense.c.source_id,
            _sense.c.position,
        )
        .join(_word, _word.c.id == _sense.c.word_id)
        .where(in_list(_sense.c.idea_id, "id", size))
    )
)
_PLACES = by_size(
    lambda size: (
        select(_sense.c.word_id, func.min(_sense.c.idea_id), func.count())
        .where(in_list(_sense.c.word_id, "id", size))
        .group_by(_sense.c.word_id)
    )
)
_FORMS = by_size(
    lambda size: (
        select(tables.word_form.c.word_id, tables.word_form.c.key)
        .where(in_list(tables.word_form.c.word_id, "id", size))
        .order_by(tables.word_form.c.word_id, tables.word_form.c.key)
    )
)
_SOURCES_OF_IDEAS = by_size(lambda size: select(_idea.c.id, _idea.c.source_id).where(in_list(_idea.c.id, "id", size)))
_PHRASES = Query(
    select(
        tables.phrase.c.id,
        tables.phrase.c.source_id,
        tables.phrase.c.external_key,
        tables.phrase.c.language_id,
        tables.phrase.c.text,
        tables.phrase.c.category_id,
        tables.phrase.c.meaning,
        tables.phrase.c.roman,
    )
    .where(tables.phrase.c.id > bindparam("after"))
    .order_by(tables.phrase.c.id)
    .limit(IDEAS_AT_ONCE)
)
_CARD_SETS = Query(
    select(
        tables.card_set.c.id,
        tables.card_set.c.source_id,
        tables.card_set.c.external_key,
        tables.card_set.c.name,
        tables.card_set.c.language_id,
        tables.card_set.c.answer_language_id,
        tables.card_set.c.description,
    ).order_by(tables.card_set.c.id)
)
_CARDS = Query(
    select(
        tables.card.c.clue,
        tables.card.c.answer,
        tables.card.c.roman,
        tables.card.c.picture,
        _idea.c.id,
        _idea.c.source_id,
        _idea.c.external_key,
    )
    .join(_idea, _idea.c.id == tables.card.c.idea_id, isouter=True)
    .where(tables.card.c.card_set_id == bindparam("card_set_id"))
    .order_by(tables.card.c.position)
)
_WORD_IDS = Query(
    select(_word.c.id).where(_word.c.language_id == bindparam("language_id")).order_by(_word.c.sort_key, _word.c.text)
)


def dump_records(reader: Reader, choice: Choice | None = None) -> Iterator[Record]:
    """Give everything that is wanted: languages, lists and sources first, then ideas, phrases, card sets, by ID.

    Read from a snapshot, it is what a database was at one moment. Imported into an empty database and given again, it
    is the same, record by record.
    """
    wanted = choice or Choice()
    yield from dump_catalogue(reader)
    yield from dump_ideas(reader, wanted)
    yield from dump_phrases(reader, wanted)
    if wanted.is_everything:
        yield from dump_card_sets(reader)


def dump_catalogue(reader: Reader) -> Iterator[Record]:
    """Give the languages, lists and sources."""
    catalogue = reader.catalogue
    for language in sorted(catalogue.languages, key=lambda one: one.id):
        yield LanguageRecord(
            language.id,
            language.code,
            language.iso639_3,
            language.name,
            language.native_name,
            language.script,
            language.direction,
        )
    for item in catalogue.items:
        yield ListItemRecord(item.list, item.id, item.value, item.code, item.parent_id)
    yield from dump_sources(reader)


def dump_sources(reader: Reader) -> Iterator[SourceRecord]:
    """Give the sources, by their codes; that of what was written here is among them if anything was."""
    known = {one.code: one for one in reader.catalogue.sources.values()}
    records = [
        SourceRecord(one.code, one.name, one.licence, one.url, one.attribution, one.notice) for one in known.values()
    ]
    if LOCAL.code not in known and any(reader.rows(query) for query in _WITHOUT_SOURCE):
        records.append(LOCAL)
    yield from sorted(records, key=lambda one: one.code)


_WITHOUT_SOURCE = tuple(
    Query(select(table.c.id).where(table.c.source_id.is_(None) | table.c.external_key.is_(None)).limit(1))
    for table in (tables.idea, tables.phrase, tables.card_set)
)


def dump_ideas(reader: Reader, choice: Choice) -> Iterator[IdeaRecord]:
    """Give the ideas that are wanted, with the words that are wanted. An idea none of whose words is wanted is not."""
    after = 0
    while rows := reader.rows(_IDEAS, after=after):
        after = rows[-1][0]
        yield from _Batch(reader, rows, choice).records()


def dump_phrases(reader: Reader, choice: Choice) -> Iterator[PhraseRecord]:
    """Give the proverbs and idioms of the languages and sources that are wanted."""
    if choice.contexts or choice.parts_of_speech:
        return
    catalogue, after = reader.catalogue, 0
    while rows := reader.rows(_PHRASES, after=after):
        after = rows[-1][0]
        for phrase_id, source_id, external_key, language_id, text, category_id, meaning, roman in rows:
            source, key = _name(catalogue, source_id, external_key, f"phrase-{phrase_id}")
            if _wants(choice.languages, language_id) and _wants(choice.sources, source):
                category = catalogue.named(ListName.PHRASE_CATEGORIES, category_id)
                language = catalogue.language(language_id).code
                yield PhraseRecord(source, key, language, text, category.value if category else "Other", meaning, roman)


def dump_card_sets(reader: Reader) -> Iterator[CardSetRecord]:
    """Give the sets of flashcards with their cards."""
    catalogue = reader.catalogue
    for set_id, source_id, external_key, name, language_id, answer_language_id, description in reader.rows(_CARD_SETS):
        source, key = _name(catalogue, source_id, external_key, f"set-{set_id}")
        cards = tuple(
            CardRecord(
                clue,
                answer,
                roman,
                picture,
                ":".join(_name(catalogue, idea_source, idea_key, f"idea-{idea_id}")) if idea_id else None,
            )
            for clue, answer, roman, picture, idea_id, idea_source, idea_key in reader.rows(_CARDS, card_set_id=set_id)
        )
        language, answers = catalogue.language(language_id).code, catalogue.language(answer_language_id).code
        yield CardSetRecord(source, key, name, language, answers, description, cards)


def card_set_of(reader: Reader, set_id: int) -> CardSetRecord | None:
    """Give one set of flashcards."""
    for row, record in zip(reader.rows(_CARD_SETS), dump_card_sets(reader), strict=True):
        if row[0] == set_id:
            return record
    return None


def last_change(reader: Reader) -> int:
    """Tell when the dictionary last changed (seconds since 1970, UTC)."""
    return max((int(row[0] or 0) for query in _LAST_CHANGES for row in reader.rows(query)), default=0)


_LAST_CHANGES = tuple(
    Query(select(func.max(column))) for column in (tables.idea.c.updated, tables.word.c.created, tables.phrase.c.added)
)


def dump_words(reader: Reader, choice: Choice, language_id: int) -> Iterator[Word]:
    """Give the words of a language in alphabetical order, with the meanings that are wanted; a word without none."""
    word_ids = [row[0] for row in reader.rows(_WORD_IDS, language_id=language_id)]
    for some in chunks(word_ids, WORDS_AT_ONCE):
        words = entries.gather(reader, some)
        allowed = _ideas_of_sources(reader, words, choice) if choice.sources else None
        for word in words:
            meanings = tuple(
                meaning
                for meaning in word.meanings
                if (allowed is None or meaning.idea_id in allowed)
                and _wants(choice.parts_of_speech, meaning.pos.id if meaning.pos else 0)
                and (not choice.contexts or any(context.id in choice.contexts for context in meaning.contexts))
            )
            if meanings:
                yield msgspec.structs.replace(word, meanings=meanings)


def _ideas_of_sources(reader: Reader, words: Iterable[Word], choice: Choice) -> set[int]:
    ids = sorted({meaning.idea_id for word in words for meaning in word.meanings})
    sources = reader.catalogue.sources
    return {
        idea_id
        for some in chunks(ids)
        for idea_id, source_id in reader.rows(_SOURCES_OF_IDEAS(len(some)), **padded("id", some))
        if (sources[source_id].code if source_id else LOCAL.code) in choice.sources
    }


def _wants(chosen: frozenset[int] | frozenset[str], value: object) -> bool:
    return not chosen or value in chosen


def _name(catalogue: Catalogue, source_id: int | None, key: str | None, local_key: str) -> tuple[str, str]:
    """Tell what a record is called in files: by its source and key there, else by its ID here."""
    if source_id is None or key is None:
        return LOCAL.code, local_key
    return catalogue.sources[source_id].code, key


class _Batch:
    """Some ideas, with the rows that belong to them."""

    def __init__(self, reader: Reader, rows: Sequence[Row], choice: Choice) -> None:
        self._reader = reader
        self._catalogue = reader.catalogue
        self._choice = choice
        self._rows = [row for row in rows if self._is_wanted(row)]
        self._ids = [row[0] for row in self._rows]

    def records(self) -> Iterator[IdeaRecord]:
        """Give the records of the ideas."""
        if not self._ids:
            return
        definitions, examples = self._grouped(_DEFINITIONS), self._grouped(_EXAMPLES)
        contexts, relations = self._grouped(_CONTEXTS), self._grouped(_RELATIONS)
        words = self._words()
        choice = self._choice
        for idea_id, pos_id, gender_id, glyph, source_id, external_key in self._rows:
            mine = words.get(idea_id, [])
            if choice.contexts and not any(row[1] in choice.contexts for row in contexts[idea_id]):
                continue
            if choice.languages and not mine:
                continue
            source, key = _name(self._catalogue, source_id, external_key, f"idea-{idea_id}")
            yield IdeaRecord(
                source=source,
                key=key,
                pos=self._value(ListName.PARTS_OF_SPEECH, pos_id),
                words=tuple(_without_source(word, source) for word in mine),
                gender=self._value(ListName.GENDERS, gender_id),
                glyph=glyph,
                contexts=tuple(filter(None, (self._value(ListName.CONTEXTS, row[1]) for row in contexts[idea_id]))),
                definitions=tuple(DefinitionRecord(self._code(row[1]), row[2]) for row in definitions[idea_id]),
                examples=tuple(ExampleRecord(self._code(row[1]), *row[2:]) for row in examples[idea_id]),
                relations=tuple(self._relations(relations[idea_id])),
            )

    def _is_wanted(self, row: Row) -> bool:
        source, _ = _name(self._catalogue, row[4], row[5], "")
        return _wants(self._choice.sources, source) and _wants(self._choice.parts_of_speech, row[1])

    def _words(self) -> dict[int, list[WordRecord]]:
        """Read the words of each idea: by language, then as they will be numbered when the file is imported."""
        rows = [row for row in self._read(_WORDS, self._ids) if _wants(self._choice.languages, row[2])]
        word_ids = sorted({row[1] for row in rows})
        places = {row[0]: row[1:] for row in self._read(_PLACES, word_ids)}
        forms: defaultdict[int, list[str]] = defaultdict(list)
        for word_id, form in self._read(_FORMS, word_ids):
            forms[word_id].append(form)
        words: defaultdict[int, list[WordRecord]] = defaultdict(list)
        # A word is numbered when its first idea is read: so this order is the same after an import.
        for row in sorted(rows, key=lambda row: (row[0], row[2], places[row[1]][0], row[1])):
            numbered = places[row[1]][1] > 1 or row[14] != 1
            words[row[0]].append(self._word(row, tuple(forms.get(row[1], ())), row[14] if numbered else None))
        return words

    def _word(self, row: Row, forms: tuple[str, ...], position: int | None) -> WordRecord:
        source = self._catalogue.sources[row[13]].code if row[13] else None
        return WordRecord(
            language=self._code(row[2]),
            text=row[3],
            roman=row[4],
            ipa=row[5],
            asm=row[6],
            variant=self._value(ListName.VARIANTS, row[7]),
            origin=row[8],
            plural=row[9],
            definitive=row[10],
            reference=row[11],
            note=row[12],
            source=source,
            position=position,
            forms=forms,
        )

    def _relations(self, rows: Iterable[Row]) -> Iterator[RelationRecord]:
        for _, type_id, other_id, source_id, key in rows:
            value = self._value(ListName.RELATIONS, type_id)
            if value is not None:
                yield RelationRecord(value, ":".join(_name(self._catalogue, source_id, key, f"idea-{other_id}")))

    def _grouped(self, query: Queries) -> defaultdict[int, list[Row]]:
        grouped: defaultdict[int, list[Row]] = defaultdict(list)
        for row in self._read(query, self._ids):
            grouped[row[0]].append(row)
        return grouped

    def _read(self, query: Queries, ids: Sequence[int]) -> Iterator[Row]:
        for some in chunks(ids):
            yield from self._reader.rows(query(len(some)), **padded("id", some))

    def _code(self, language_id: int) -> str:
        return self._catalogue.language(language_id).code

    def _value(self, list_name: ListName, item_id: int | None) -> str | None:
        found = self._catalogue.named(list_name, item_id)
        return found.value if found else None


def _without_source(word: WordRecord, idea_source: str) -> WordRecord:
    return word if word.source != idea_source else msgspec.structs.replace(word, source=None)
