"""Export of the whole dictionary as records, in batches and in a stable order."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import count, groupby
from operator import itemgetter

import msgspec
from sqlalchemy import Integer, bindparam, exists, func, literal, or_, select, tuple_

from abhidhan import schema
from abhidhan.dictionary.store import word_rows
from abhidhan.exchange.model import (
    LOCAL_SOURCE,
    ExportSelection,
    build_local_key,
    format_idea_name,
    get_source_and_key,
    is_selected,
)
from abhidhan.exchange.store.dump.ideas import dump_ideas, dump_numbered_ideas
from abhidhan.platform.database.compiled_queries import CompiledQuery, chunks, in_list, list_params, per_list_size
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.kinds import (
    CardRecord,
    CardSetRecord,
    FormsRecord,
    LanguageRecord,
    ListItemRecord,
    NumberedForms,
    PhraseRecord,
    Record,
    SourceRecord,
)
from abhidhan.records.kinds.field_types import LocalTextRecord
from abhidhan.records.local_texts import decode_texts
from abhidhan.records.lookup_lists import ListName
from abhidhan.records.words import Meaning, Word

__all__ = [
    "dump_card_sets",
    "dump_catalogue",
    "dump_forms",
    "dump_ideas",
    "dump_numbered_forms",
    "dump_numbered_ideas",
    "dump_phrases",
    "dump_records",
    "dump_sources",
    "dump_stored_forms",
    "dump_words",
    "read_card_set",
    "read_last_change",
]

_idea, _word, _phrase, _card_set = schema.idea, schema.word, schema.phrase, schema.card_set

WORDS_BATCH_SIZE = 500
PHRASES_BATCH_SIZE = 1000

_SOURCES_OF_IDEAS = per_list_size(
    lambda size: select(_idea.c.id, _idea.c.source_id).where(in_list(_idea.c.id, "id", size))
)
_form = schema.word_form
# Ordered by language and text rather than ID, since an import assigns other IDs.
_WORDS_WITH_TAGS = CompiledQuery(
    select(_word.c.id, _word.c.language_id, _word.c.text)
    .where(
        tuple_(_word.c.language_id, _word.c.text)
        > tuple_(bindparam("language_id", type_=Integer), bindparam("text", type_=schema.CodePointText)),
        exists().where(_form.c.word_id == _word.c.id, _form.c.tag != literal("")),
    )
    .order_by(_word.c.language_id, _word.c.text)
    .limit(WORDS_BATCH_SIZE)
)
_TAGS = per_list_size(
    lambda size: (
        select(_form.c.word_id, _form.c.key, _form.c.tag)
        .where(in_list(_form.c.word_id, "id", size), _form.c.tag != literal(""))
        .order_by(_form.c.word_id, _form.c.key)
    )
)
_FORMS = per_list_size(
    lambda size: (
        select(_form.c.word_id, _form.c.key, _form.c.tag)
        .where(in_list(_form.c.word_id, "id", size))
        .order_by(_form.c.word_id, _form.c.key)
    )
)
_PHRASES = CompiledQuery(
    select(
        schema.phrase.c.id,
        schema.phrase.c.source_id,
        schema.phrase.c.external_key,
        schema.phrase.c.language_id,
        schema.phrase.c.text,
        schema.phrase.c.category_id,
        schema.phrase.c.meaning,
        schema.phrase.c.roman,
        schema.phrase.c.added,
        schema.phrase.c.licence,
        schema.phrase.c.meanings,
    )
    .where(schema.phrase.c.id > bindparam("after"))
    .order_by(schema.phrase.c.id)
    .limit(PHRASES_BATCH_SIZE)
)
_CARD_SETS = CompiledQuery(
    select(
        schema.card_set.c.id,
        schema.card_set.c.source_id,
        schema.card_set.c.external_key,
        schema.card_set.c.name,
        schema.card_set.c.language_id,
        schema.card_set.c.answer_language_id,
        schema.card_set.c.description,
        schema.card_set.c.names,
        schema.card_set.c.descriptions,
    ).order_by(schema.card_set.c.id)
)
_CARDS = CompiledQuery(
    select(
        schema.card.c.clue,
        schema.card.c.answer,
        schema.card.c.roman,
        schema.card.c.picture,
        _idea.c.source_id,
        _idea.c.external_key,
        _idea.c.id,
        _idea.c.created,
    )
    .join(_idea, _idea.c.id == schema.card.c.idea_id, isouter=True)
    .where(schema.card.c.card_set_id == bindparam("card_set_id"))
    .order_by(schema.card.c.position)
)
_WORD_IDS = CompiledQuery(
    select(_word.c.id).where(_word.c.language_id == bindparam("language_id")).order_by(_word.c.sort_key, _word.c.text)
)


def dump_records(connection: ReadConnection, choice: ExportSelection | None = None) -> Iterator[Record]:
    """Yield the records of a selection: languages, lists and sources first, then ideas, phrases and card sets, by ID.

    Read from a snapshot, they are consistent. Importing them into an empty database and exporting them again gives the
    same records.
    """
    selection = choice or ExportSelection()
    yield from dump_catalogue(connection)
    yield from dump_ideas(connection, selection)
    yield from dump_forms(connection, selection)
    yield from dump_phrases(connection, selection)
    if selection.is_unfiltered:
        yield from dump_card_sets(connection)


def dump_catalogue(connection: ReadConnection) -> Iterator[Record]:
    """Yield the languages, lists and sources."""
    catalogue = connection.catalogue
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
        yield ListItemRecord(item.list, item.id, item.value, item.code, item.parent_id, item.short)
    yield from dump_sources(connection)


def dump_sources(connection: ReadConnection) -> Iterator[SourceRecord]:
    """Yield the sources in the order of their codes; `local` is among them if any record has no source."""
    sources = {source.code: source for source in connection.catalogue.sources.values()}
    records = [
        SourceRecord(source.code, source.name, source.licence, source.url, source.attribution, source.notice)
        for source in sources.values()
    ]
    if LOCAL_SOURCE.code not in sources and any(connection.rows(query) for query in _WITHOUT_SOURCE):
        records.append(LOCAL_SOURCE)
    yield from sorted(records, key=lambda source: source.code)


_WITHOUT_SOURCE = tuple(
    CompiledQuery(select(table.c.id).where(condition).limit(1))
    for table, condition in (
        *((each, each.c.source_id.is_(None) | each.c.external_key.is_(None)) for each in (_idea, _phrase, _card_set)),
        (schema.sense, schema.sense.c.source_id.is_(None)),
    )
)


def dump_forms(connection: ReadConnection, selection: ExportSelection) -> Iterator[FormsRecord]:
    """Yield the inflected forms with known tags, for the words of a selection."""
    return (forms.record for forms in dump_numbered_forms(connection, selection))


def dump_numbered_forms(connection: ReadConnection, selection: ExportSelection) -> Iterator[NumberedForms]:
    """Yield the inflected forms with known tags, each record with the ID of its word."""
    language_id, text = -1, ""
    while words := connection.rows(_WORDS_WITH_TAGS, language_id=language_id, text=text):
        rows = connection.rows(_TAGS(len(words)), **list_params("id", [row[0] for row in words]))
        forms = {word_id: tuple(row[1:] for row in of_word) for word_id, of_word in groupby(rows, key=itemgetter(0))}
        for word_id, language_id, text in words:  # the next query continues after the last of these
            if is_selected(selection.included_languages, language_id):
                code = connection.catalogue.language(language_id).code
                record = FormsRecord(code, text, forms[word_id], optional=not selection.is_unfiltered)
                yield NumberedForms(word_id, record)


def dump_stored_forms(connection: ReadConnection, word_ids: Sequence[int]) -> dict[int, dict[str, str]]:
    """Return the stored forms of words by word ID, each form with its tag, or "" without one."""
    forms: dict[int, dict[str, str]] = {}
    for batch in chunks(list(word_ids), WORDS_BATCH_SIZE):
        for word_id, form, tag in connection.rows(_FORMS(len(batch)), **list_params("id", batch)):
            forms.setdefault(word_id, {})[form] = tag
    return forms


def dump_phrases(connection: ReadConnection, selection: ExportSelection) -> Iterator[PhraseRecord]:
    """Yield the proverbs and idioms of the selected languages and sources."""
    if selection.contexts or selection.parts_of_speech:
        return
    catalogue, after = connection.catalogue, 0
    while rows := connection.rows(_PHRASES, after=after):
        after = rows[-1][0]
        for phrase_id, source_id, external_key, language_id, text, category_id, meaning, roman, added, *rest in rows:
            source, key = get_source_and_key(
                catalogue, source_id, external_key, build_local_key("phrase", phrase_id, added)
            )
            if is_selected(selection.languages, language_id) and is_selected(selection.sources, source):
                category = catalogue.list_value(ListName.PHRASE_CATEGORIES, category_id)
                language = catalogue.language(language_id).code
                label = category.value if category else "Other"
                licence, meanings = rest[0], _decode_local_texts(connection, rest[1])
                yield PhraseRecord(source, key, language, text, label, meaning, roman, added, licence, meanings)


def dump_card_sets(connection: ReadConnection) -> Iterator[CardSetRecord]:
    """Yield the card sets with their cards."""
    catalogue, sets = connection.catalogue, connection.rows(_CARD_SETS)
    taken_keys = {row[2] for row in sets}
    for set_id, source_id, external_key, name, language_id, answer_language_id, description, *texts in sets:
        local = next(key for key in _candidate_set_keys(set_id) if key not in taken_keys)
        source, key = get_source_and_key(catalogue, source_id, external_key, local)
        cards = tuple(
            CardRecord(
                clue,
                answer,
                roman,
                picture,
                format_idea_name(catalogue, *of_idea) if of_idea[2] else None,
            )
            for clue, answer, roman, picture, *of_idea in connection.rows(_CARDS, card_set_id=set_id)
        )
        language, answers = catalogue.language(language_id).code, catalogue.language(answer_language_id).code
        local_texts = (_decode_local_texts(connection, each) for each in texts)
        yield CardSetRecord(source, key, name, language, answers, description, cards, *local_texts)


def _decode_local_texts(connection: ReadConnection, stored: str | None) -> tuple[LocalTextRecord, ...]:
    return tuple(
        LocalTextRecord(connection.catalogue.language(language_id).code, text)
        for language_id, text in decode_texts(stored)
    )


def _candidate_set_keys(set_id: int) -> Iterator[str]:
    """Yield possible keys for a set that was created here, since an imported one may have the same key."""
    yield f"set-{set_id}"
    for number in count(2):
        yield f"set-{set_id}-{number}"


def read_card_set(connection: ReadConnection, set_id: int) -> CardSetRecord | None:
    """Return the record of one card set; None if it does not exist."""
    for row, record in zip(connection.rows(_CARD_SETS), dump_card_sets(connection), strict=True):
        if row[0] == set_id:
            return record
    return None


def read_last_change(connection: ReadConnection) -> int:
    """Return the time of the dictionary's last change (seconds since 1970, UTC)."""
    return max((int(row[0] or 0) for query in _LAST_CHANGES for row in connection.rows(query)), default=0)


_EDITED_KINDS = ("card", "card_set", "phrase", "sense", "word")

_LAST_CHANGES = (
    *(
        CompiledQuery(select(func.max(column)))
        for column in (schema.idea.c.updated, schema.word.c.created, schema.phrase.c.added)
    ),
    # Cards and phrases do not store the time of their edits.
    CompiledQuery(
        select(schema.history.c.at)
        .where(or_(*(schema.history.c.record == kind for kind in _EDITED_KINDS)))
        .order_by(schema.history.c.id.desc())
        .limit(1)
    ),
)


def dump_words(connection: ReadConnection, selection: ExportSelection, language_id: int) -> Iterator[Word]:
    """Yield the words of a language that have a selected meaning, with these meanings, in alphabetical order."""
    word_ids = [row[0] for row in connection.rows(_WORD_IDS, language_id=language_id)]
    for batch in chunks(word_ids, WORDS_BATCH_SIZE):
        words = word_rows.load_words(connection, batch)
        allowed = _find_ideas_of_sources(connection, words, selection) if selection.sources else None
        for word in words:
            meanings = tuple(
                _limit_translations(meaning, word.language_id, selection)
                for meaning in word.meanings
                if (allowed is None or meaning.idea_id in allowed)
                and is_selected(selection.parts_of_speech, meaning.pos.id if meaning.pos else 0)
                and (not selection.contexts or any(context.id in selection.contexts for context in meaning.contexts))
            )
            if meanings:
                yield msgspec.structs.replace(word, meanings=meanings)


def _limit_translations(meaning: Meaning, language_id: int, selection: ExportSelection) -> Meaning:
    """Return a meaning with only the translations in selected languages, or with all if none are selected."""
    if not selection.extra_languages:
        return meaning
    language_ids = selection.extra_languages | selection.languages | {language_id}
    translations = tuple([word for word in meaning.translations if word.language_id in language_ids])
    return msgspec.structs.replace(meaning, translations=translations)


def _find_ideas_of_sources(connection: ReadConnection, words: Iterable[Word], selection: ExportSelection) -> set[int]:
    ids = sorted({meaning.idea_id for word in words for meaning in word.meanings})
    sources = connection.catalogue.sources
    return {
        idea_id
        for batch in chunks(ids)
        for idea_id, source_id in connection.rows(_SOURCES_OF_IDEAS(len(batch)), **list_params("id", batch))
        if (sources[source_id].code if source_id else LOCAL_SOURCE.code) in selection.sources
    }
