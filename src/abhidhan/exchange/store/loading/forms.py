"""Loading of inflected forms and frequencies of stored words; checks for existing forms and flashcards."""

from collections import defaultdict
from collections.abc import Sequence
from enum import Enum
from itertools import chain

import msgspec
from sqlalchemy import Text, bindparam, select

from abhidhan.exchange.store.loading.load_context import FormRow, Load
from abhidhan.platform.database.compiled_queries import CompiledQuery, SqlValue, in_list, per_list_size
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.change_feed import Followed
from abhidhan.records.errors import InputError, quoted, sentence
from abhidhan.records.import_records import ConflictPolicy, LocatedRecord, NameIds, NewFrequency, RecordError
from abhidhan.records.kinds import CardSetRecord, FormsRecord
from abhidhan.records.kinds.fields import INVALID_CHARACTERS, MAX_WORD_LENGTH, invalid_characters_message
from abhidhan.schema import card, card_set, language, source, word, word_form
from assamese.keys import exact_key
from assamese.normalization import collapse_whitespace, nfc

_WORDS_BY_TEXT = per_list_size(
    lambda size: select(word.c.id, word.c.text).where(
        word.c.language_id == bindparam("language_id"), in_list(word.c.text, "text", size)
    )
)


_STORED_FREQUENCIES = per_list_size(
    lambda size: select(word.c.id, word.c.text, word.c.frequency, word.c.frequency_source).where(
        word.c.language_id == bindparam("language_id"), in_list(word.c.text, "text", size)
    )
)
_CLUES = CompiledQuery(
    select(card.c.clue)
    .select_from(
        card.join(card_set, card_set.c.id == card.c.card_set_id).join(source, source.c.id == card_set.c.source_id)
    )
    .where(
        source.c.code == bindparam("source", type_=Text),
        card_set.c.external_key == bindparam("key", type_=Text),
        card.c.clue == bindparam("clue", type_=Text),
    )
)
_WORD_ID = CompiledQuery(
    select(word.c.id)
    .join(language, language.c.id == word.c.language_id)
    .where(language.c.code == bindparam("code", type_=Text), word.c.text == bindparam("text", type_=Text))
)
_FORM_KEYS = CompiledQuery(select(word_form.c.key).where(word_form.c.word_id == bindparam("word_id")))


class NewForms(msgspec.Struct, frozen=True):
    """The inflected forms (exact key, tag) of a word that is identified by language and text."""

    language_id: int
    text: str
    forms: tuple[tuple[str, str], ...]
    is_optional: bool


def new_forms(record: FormsRecord, names: NameIds) -> NewForms:
    """Validate and normalise forms. Raises InputError."""
    language_id = names.languages.get(record.language)
    if language_id is None:
        raise InputError.of("language", f"There is no language {quoted(record.language)} (in forms).")
    if any(len(form) > MAX_WORD_LENGTH for form, _ in record.forms):
        raise InputError.of(
            "forms",
            sentence(
                "`%(parameter)s` must have from 1 to %(most)s characters.", parameter="forms", most=MAX_WORD_LENGTH
            ),
        )
    if any(INVALID_CHARACTERS.search(text) for text in (record.text, *chain.from_iterable(record.forms))):
        raise InputError.of("forms", invalid_characters_message("forms"))
    keys = ((exact_key(form), tag) for form, tag in record.forms)
    return NewForms(
        language_id,
        collapse_whitespace(nfc(record.text)),
        tuple((key, tag) for key, tag in keys if key),
        record.optional,
    )


_StoredFrequency = tuple[int, dict[str, SqlValue]]
"""A word's ID, with its stored frequency and source."""


# --- existing records ------------------------------------------------------------------------------------------------


class Presence(Enum):
    """The extent to which the dictionary already has a record."""

    COMPLETE = "all"
    INCOMPLETE = "not all"
    NO_WORD = "no word"
    """The word of the forms does not exist."""


def load_forms(load: Load, records: Sequence[tuple[LocatedRecord, NewForms]]) -> None:
    """Store forms; reject those of a missing word, unless they are optional."""
    texts: dict[int, list[str]] = defaultdict(list)
    for _, record in records:
        texts[record.language_id].append(record.text)
    word_ids = {
        (language_id, row[1]): int(row[0])
        for language_id, of_language in texts.items()
        for row in load.bulk.rows_for_values(_WORDS_BY_TEXT, "text", of_language, language_id=language_id)
    }
    rows: list[FormRow] = []
    for located, record in records:
        word_id = word_ids.get((record.language_id, record.text))
        if word_id is not None:
            rows.extend((key, word_id, tag) for key, tag in record.forms)
        elif not record.is_optional:
            detail = f"There is no word {quoted(record.text)} that has these forms."
            load.reject(RecordError(located.file, located.line, detail))
    load.stage_forms(rows)


def check_cards(connection: ReadConnection, record: CardSetRecord) -> Presence:
    """Return whether the stored set has cards with all clues of the record."""
    for new_card in record.cards:
        if not connection.rows(
            _CLUES, source=record.source, key=_normalise_text(record.key), clue=_normalise_text(new_card.clue)
        ):
            return Presence.INCOMPLETE
    return Presence.COMPLETE


def check_forms(connection: ReadConnection, record: FormsRecord) -> Presence:
    """Return whether a word has all the forms."""
    word_row = connection.row(_WORD_ID, code=record.language, text=_normalise_text(record.text))
    if word_row is None:
        return Presence.NO_WORD
    stored_keys = {row[0] for row in connection.rows(_FORM_KEYS, word_id=word_row[0])}
    keys = {exact_key(form) for form, _ in record.forms} - {""}
    return Presence.COMPLETE if keys <= stored_keys else Presence.INCOMPLETE


def _normalise_text(text: str) -> str:
    return collapse_whitespace(nfc(text))


# --- frequencies ----------------------------------------------------------------------------------------------------


def load_frequencies(load: Load, records: Sequence[tuple[LocatedRecord, NewFrequency]]) -> None:
    """Store word frequencies according to the policy; reject those of missing words.

    A frequency and its source are stored together: if the word has a frequency, the source is not filled either.
    """
    stored = _stored_frequencies(load, [record for _, record in records])
    load.file_word_count += len(records)
    for located, record in records:
        match = stored.get((record.language_id, record.text))
        if match is None:
            detail = f"There is no word {quoted(record.text)} for this frequency."
            load.reject(RecordError(located.file, located.line, detail))
            continue
        word_id, current = match
        values: dict[str, SqlValue] = {"frequency": record.frequency, "frequency_source": record.frequency_source}
        load.note_differences(located, word, word_id, current, values)
        if current["frequency"] is None:
            current["frequency_source"] = None
        elif load.policy is not ConflictPolicy.REPLACE:
            continue
        if load.fill_row(word, word_id, current, values):
            current.update(values)
            load.changes.other_records.add_changed(Followed.WORD, (word_id,))


def _stored_frequencies(load: Load, records: Sequence[NewFrequency]) -> dict[tuple[int, str], _StoredFrequency]:
    texts: dict[int, list[str]] = defaultdict(list)
    for record in records:
        texts[record.language_id].append(record.text)
    return {
        (language_id, row[1]): (int(row[0]), {"frequency": row[2], "frequency_source": row[3]})
        for language_id, of_language in texts.items()
        for row in load.bulk.rows_for_values(_STORED_FREQUENCIES, "text", of_language, language_id=language_id)
    }
