"""Loading inflected forms of words that are there already."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import chain

import msgspec
from sqlalchemy import bindparam, select

from abhidhan.exchange.store.loading.load_context import FormRow, Load
from abhidhan.platform.database.compiled_queries import by_size, in_list
from abhidhan.records.errors import InputError, quoted, sentence
from abhidhan.records.import_records import Fault, Names, Placed
from abhidhan.records.kinds import FormsRecord
from abhidhan.records.kinds.fields import MOST_WORD_LETTERS, NOT_TEXT, not_text
from abhidhan.schema import word
from assamese.keys import exact_key
from assamese.normalization import nfc, squeeze

_KNOWN = by_size(
    lambda size: select(word.c.id, word.c.text).where(
        word.c.language_id == bindparam("language_id"), in_list(word.c.text, "text", size)
    )
)


class NewForms(msgspec.Struct, frozen=True):
    """Forms, by their keys, of the word that stands under a text in a language."""

    language_id: int
    text: str
    forms: tuple[tuple[str, str], ...]
    is_optional: bool


def new_forms(record: FormsRecord, names: Names) -> NewForms:
    """Make forms ready to be stored. Raises InputError."""
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


def load_forms(load: Load, given: Sequence[tuple[Placed, NewForms]]) -> None:
    """Store forms; those of a word that is not there are told, unless they are optional."""
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
