"""Loading of inflected forms and frequencies of stored words; queries for existing forms and flashcards."""

from collections import defaultdict
from collections.abc import Sequence
from enum import Enum
from itertools import chain

import msgspec
from sqlalchemy import Text, bindparam, select

from abhidhan.exchange.store.loading.load_context import FormRow, Load
from abhidhan.platform.database.compiled_queries import Query, Value, by_size, in_list
from abhidhan.platform.database.reader import Reader
from abhidhan.records.change_feed import Followed
from abhidhan.records.errors import InputError, quoted, sentence
from abhidhan.records.import_records import Fault, Names, NewFrequency, Placed, Policy
from abhidhan.records.kinds import CardSetRecord, FormsRecord
from abhidhan.records.kinds.fields import MOST_WORD_LETTERS, NOT_TEXT, not_text
from abhidhan.schema import card, card_set, language, source, word, word_form
from assamese.keys import exact_key
from assamese.normalization import nfc, squeeze

_KNOWN = by_size(
    lambda size: select(word.c.id, word.c.text).where(
        word.c.language_id == bindparam("language_id"), in_list(word.c.text, "text", size)
    )
)


_KNOWN_FREQUENCIES = by_size(
    lambda size: select(word.c.id, word.c.text, word.c.frequency, word.c.frequency_source).where(
        word.c.language_id == bindparam("language_id"), in_list(word.c.text, "text", size)
    )
)
_CLUES = Query(
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
_WORD_ID = Query(
    select(word.c.id)
    .join(language, language.c.id == word.c.language_id)
    .where(language.c.code == bindparam("code", type_=Text), word.c.text == bindparam("text", type_=Text))
)
_FORM_KEYS = Query(select(word_form.c.key).where(word_form.c.word_id == bindparam("word_id")))


class NewForms(msgspec.Struct, frozen=True):
    """Inflected forms, by key, of the word with a text in a language."""

    language_id: int
    text: str
    forms: tuple[tuple[str, str], ...]
    is_optional: bool


def new_forms(record: FormsRecord, names: Names) -> NewForms:
    """Validate and normalise forms. Raises InputError."""
    language_id = names.languages.get(record.language)
    if language_id is None:
        raise InputError.of("language", f"There is no language {quoted(record.language)} (in forms).")
    if any(len(form) > MOST_WORD_LETTERS for form, _ in record.forms):
        raise InputError.of(
            "forms",
            sentence(
                "`%(parameter)s` must have from 1 to %(most)s characters.", parameter="forms", most=MOST_WORD_LETTERS
            ),
        )
    if any(NOT_TEXT.search(each) for each in (record.text, *chain.from_iterable(record.forms))):
        raise InputError.of("forms", not_text("forms"))
    keys = ((exact_key(form), tag) for form, tag in record.forms)
    return NewForms(
        language_id, squeeze(nfc(record.text)), tuple((key, tag) for key, tag in keys if key), record.optional
    )


_StoredFrequency = tuple[int, dict[str, Value]]
"""A word's ID, with its stored frequency and source."""


# --- existing records ------------------------------------------------------------------------------------------------


class Known(Enum):
    """The part of a record that the dictionary already has."""

    ALL = "all"
    NOT_ALL = "not all"
    NO_WORD = "no word"
    """The word of the forms does not exist."""


def load_forms(load: Load, given: Sequence[tuple[Placed, NewForms]]) -> None:
    """Store forms; reject those of a missing word, unless they are optional."""
    texts: dict[int, list[str]] = defaultdict(list)
    for _, one in given:
        texts[one.language_id].append(one.text)
    known = {
        (language_id, row[1]): int(row[0])
        for language_id, of_language in texts.items()
        for row in load.bulk.rows_among(_KNOWN, "text", of_language, language_id=language_id)
    }
    rows: list[FormRow] = []
    for placed, one in given:
        word_id = known.get((one.language_id, one.text))
        if word_id is not None:
            rows.extend((key, word_id, tag) for key, tag in one.forms)
        elif not one.is_optional:
            detail = f"There is no word {quoted(one.text)} that has these forms."
            load.reject(Fault(placed.file, placed.line, detail))
    load.stage_forms(rows)


def cards_known(reader: Reader, record: CardSetRecord) -> Known:
    """Return whether a set has a card for each of the clues."""
    for one in record.cards:
        if not reader.rows(_CLUES, source=record.source, key=_clean(record.key), clue=_clean(one.clue)):
            return Known.NOT_ALL
    return Known.ALL


def forms_known(reader: Reader, record: FormsRecord) -> Known:
    """Return whether a word has all the forms."""
    found = reader.row(_WORD_ID, code=record.language, text=_clean(record.text))
    if found is None:
        return Known.NO_WORD
    there = {row[0] for row in reader.rows(_FORM_KEYS, word_id=found[0])}
    given = {exact_key(form) for form, _ in record.forms} - {""}
    return Known.ALL if given <= there else Known.NOT_ALL


def _clean(text: str) -> str:
    return squeeze(nfc(text))


# --- frequencies ----------------------------------------------------------------------------------------------------


def load_frequencies(load: Load, given: Sequence[tuple[Placed, NewFrequency]]) -> None:
    """Store word frequencies according to the policy; reject those of missing words.

    A frequency and its source belong together: if a frequency is stored, neither is filled.
    """
    known = _known_frequencies(load, [one for _, one in given])
    load.given_words += len(given)
    for placed, one in given:
        found = known.get((one.language_id, one.text))
        if found is None:
            detail = f"There is no word {quoted(one.text)} for this frequency."
            load.reject(Fault(placed.file, placed.line, detail))
            continue
        word_id, there = found
        values: dict[str, Value] = {"frequency": one.frequency, "frequency_source": one.frequency_source}
        load.note_differences(placed, word, word_id, there, values)
        if there["frequency"] is None:
            there["frequency_source"] = None
        elif load.policy is not Policy.REPLACE:
            continue
        if load.fill(word, word_id, there, values):
            there.update(values)
            load.touched.others.change(Followed.WORD, (word_id,))


def _known_frequencies(load: Load, given: Sequence[NewFrequency]) -> dict[tuple[int, str], _StoredFrequency]:
    texts: dict[int, list[str]] = defaultdict(list)
    for one in given:
        texts[one.language_id].append(one.text)
    return {
        (language_id, row[1]): (int(row[0]), {"frequency": row[2], "frequency_source": row[3]})
        for language_id, of_language in texts.items()
        for row in load.bulk.rows_among(_KNOWN_FREQUENCIES, "text", of_language, language_id=language_id)
    }
