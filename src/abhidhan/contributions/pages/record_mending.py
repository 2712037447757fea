"""Mending records of files: ideas, flashcards, proverbs, forms and values of lists, as the fields of a form."""

from typing import Final

import msgspec

from abhidhan.contributions.pages.idea_mending import fields_of_idea, mended_idea
from abhidhan.editing.pages.record_fields import typed_texts
from abhidhan.platform.http.forms import Form
from abhidhan.records.errors import InputError, sentence
from abhidhan.records.kinds import CardSetRecord, FormsRecord, IdeaRecord, PhraseRecord
from abhidhan.records.kinds.field_types import LocalTextRecord
from abhidhan.records.lookup_lists import ListName
from abhidhan.records.submission_payloads import ListValueRecord, RecordSubmission, ReviewedRecord

OF_CARD: Final = ("clue", "roman", "answer", "picture")
OF_PHRASE: Final = ("text", "roman", "meaning")
MEANINGS: Final = "meanings"
OF_VALUE: Final = ("value", "parent", "code")
OF_RELATION: Final = ("value", "inverse")
NEEDED: Final = frozenset({"clue", "answer", "text", "value"})
FORMS: Final = "forms"
BETWEEN: Final = ";"
"""What stands between a form and its tag, at its first place in a line: a tag may hold more of it."""


def fields_of_record(record: ReviewedRecord) -> dict[str, str]:
    """Write what can be mended of a record of a file into the fields of a form; nothing of what cannot be."""
    match record:
        case CardSetRecord(cards=(card,)):
            return {name: getattr(card, name) or "" for name in OF_CARD}
        case IdeaRecord():
            return fields_of_idea(record)
        case PhraseRecord():
            fields = {name: getattr(record, name) or "" for name in OF_PHRASE}
            return fields | {f"{MEANINGS}_{one.language}": one.text for one in record.meanings}
        case FormsRecord():
            return {FORMS: "\n".join(f"{form}{BETWEEN} {tag}" for form, tag in record.forms)}
        case ListValueRecord():
            return {name: getattr(record, name) or "" for name in _names_of_value(record)}
        case _:
            return {}


def mended_record(given: RecordSubmission, form: Form) -> RecordSubmission:
    """Read what an editor has made of a record of a file. Raises InputError."""
    record = given.data.record
    match record:
        case CardSetRecord(cards=(card,)):
            changed: ReviewedRecord = msgspec.structs.replace(
                record, cards=(msgspec.structs.replace(card, **_texts(form, OF_CARD)),)
            )
        case IdeaRecord():
            changed = mended_idea(record, form)
        case PhraseRecord():
            meanings = (LocalTextRecord(str(one.language), one.text) for one in typed_texts(MEANINGS, form))
            changed = msgspec.structs.replace(record, **_texts(form, OF_PHRASE), meanings=tuple(meanings))
        case FormsRecord():
            changed = msgspec.structs.replace(record, forms=_forms(form.value(FORMS)))
        case ListValueRecord():
            changed = _mended_value(record, form)
        case _:
            raise InputError.of("decision", sentence("This cannot be changed here: approve it as it is, or reject it."))
    return RecordSubmission(msgspec.structs.replace(given.data, record=changed))


def _names_of_value(record: ListValueRecord) -> tuple[str, ...]:
    return OF_RELATION if record.list == ListName.RELATIONS else OF_VALUE


def _mended_value(record: ListValueRecord, form: Form) -> ListValueRecord:
    """Read a value of a list; a relation that is its own inverse stays so under another name."""
    mended = msgspec.structs.replace(record, **_texts(form, _names_of_value(record)))
    is_its_own = record.inverse == record.value == mended.inverse
    return msgspec.structs.replace(mended, inverse=mended.value) if is_its_own else mended


def _texts(form: Form, names: tuple[str, ...]) -> dict[str, str | None]:
    return {name: form.value(name) or ("" if name in NEEDED else None) for name in names}


def _forms(text: str) -> tuple[tuple[str, str], ...]:
    """Read forms, one in each line, with its tag behind the first semicolon. Raises InputError."""
    lines = [line.partition(BETWEEN) for line in text.splitlines() if line.strip()]
    forms = tuple((form.strip(), tag.strip()) for form, _, tag in lines)
    if not forms or not all(form for form, _ in forms):
        raise InputError.of(FORMS, sentence("Write one form in each line, and its tag behind a semicolon."))
    return forms
