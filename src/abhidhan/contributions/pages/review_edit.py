"""Form in which an editor changes a submission before approving it: build its fields, and parse the result."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple, TypeVar

import msgspec

from abhidhan.contributions.pages.word_submission import DEFINITION_PREFIX
from abhidhan.contributions.service.submission_review import PendingSubmission
from abhidhan.dictionary.service.dictionary import Dictionary
from abhidhan.dictionary.service.views.ideas import IdeaView, load_ideas_of_words
from abhidhan.editing.pages.record_fields import FIELDS_BY_NAME as RECORD_FIELDS
from abhidhan.editing.pages.record_fields import build_text_fields, parse_texts, parse_values
from abhidhan.platform.http.forms import Form, read_number_field
from abhidhan.records.catalogue import Catalogue
from abhidhan.records.errors import InputError, sentence
from abhidhan.records.history import IdeaState
from abhidhan.records.kinds import CardSetRecord, FormsRecord, IdeaRecord, PhraseRecord
from abhidhan.records.kinds.field_types import LocalTextRecord
from abhidhan.records.kinds.fields import list_field_names
from abhidhan.records.kinds.word import REMARK_FIELDS, WORD_DETAIL_FIELDS
from abhidhan.records.lookup_lists import ListName
from abhidhan.records.submission_payloads import (
    AnySubmission,
    CardSubmission,
    CorrectionSubmission,
    DefinitionData,
    ExampleSubmission,
    IdeaChanges,
    IdeaData,
    ListValueRecord,
    MissingSubmission,
    ProverbSubmission,
    RecordSubmission,
    ReviewedRecord,
    WordData,
    WordSubmission,
)

MAX_MEANINGS: Final = 6

EDITABLE_FIELDS: Final[Mapping[type[Any], tuple[str, ...]]] = {
    WordSubmission: (
        "word",
        "language",
        *(field.name for field in WORD_DETAIL_FIELDS if field.name != "variant"),
        *list_field_names(REMARK_FIELDS),
    ),
    ProverbSubmission: ("text", "language", "roman", "meaning", "meanings", "category"),
    ExampleSubmission: ("text", "language", "translation"),
    CardSubmission: ("clue", "roman", "answer", "picture"),
}
"""Editable fields by kind of submission."""


def to_editable_submission(submission: AnySubmission) -> AnySubmission:
    """Return the submission to edit; a missing word becomes a word."""
    if isinstance(submission, MissingSubmission):
        return WordSubmission(WordData(submission.data.language, submission.data.word))
    return submission


def list_editable_fields(submission: AnySubmission) -> tuple[str, ...]:
    """Return the names of the editable fields of a submission, except definitions."""
    if isinstance(submission, RecordSubmission):
        return tuple(build_record_fields(submission.data.record))
    return EDITABLE_FIELDS.get(type(to_editable_submission(submission)), ())


def is_editable(submission: AnySubmission) -> bool:
    """Return whether an editor can change a submission before approving it; reports have nothing to publish."""
    if isinstance(submission, CorrectionSubmission):
        return not submission.data.unlink
    return bool(list_editable_fields(submission))


async def list_candidate_ideas(dictionary: Dictionary, pending: PendingSubmission) -> list[IdeaView]:
    """Return the ideas to choose from for a submitted word: its own, and those of similar words."""
    submission = to_editable_submission(pending.data)
    if not isinstance(submission, WordSubmission):
        return []
    similar_ids = [similar.id for similar in pending.similar]
    return await dictionary.read_in_thread(load_ideas_of_words, submission.data.idea_id, similar_ids, MAX_MEANINGS)


def build_edit_form(pending: PendingSubmission, catalogue: Catalogue) -> Form:
    """Return the form to edit a submission, filled with its values."""
    submission, change = to_editable_submission(pending.data), pending.change
    if isinstance(submission, RecordSubmission):
        return Form(build_record_fields(submission.data.record))
    fields = _build_fields(
        {name: getattr(submission.data, name) for name in EDITABLE_FIELDS.get(type(submission), ())}, catalogue
    )
    if isinstance(submission, WordSubmission):
        meaning = submission.data.meaning
        fields |= {
            "idea_id": _format_value("idea_id", submission.data.idea_id),
            "pos": _format_value("pos", meaning.pos) if meaning else "",
        }
        texts = [(str(definition.language), definition.text) for definition in meaning.definitions] if meaning else []
        fields |= _build_definition_fields(texts, catalogue)
    if "language" in fields:
        language = catalogue.find_language(fields["language"])
        fields["language"] = language.code if language else fields["language"]
    if isinstance(submission, CorrectionSubmission) and change:
        fields |= _build_correction_fields(submission, change.proposed, catalogue)
    return Form(fields)


def _build_fields(values: Mapping[str, Any], catalogue: Catalogue) -> dict[str, str]:
    """Return the form fields of values; a multilingual value has one per language."""
    fields: dict[str, str] = {}
    for name, value in values.items():
        if isinstance(value, tuple):
            fields |= build_text_fields(name, [(text.language, text.text) for text in value], catalogue)
        else:
            fields[name] = _format_value(name, value)
    return fields


def _format_value(name: str, value: object) -> str:
    if name in RECORD_FIELDS:
        return RECORD_FIELDS[name].kind.format(value)
    return "" if value is None else str(value)


def _build_definition_fields(texts: list[tuple[str, str]], catalogue: Catalogue) -> dict[str, str]:
    fields = {}
    for index, (name, text) in enumerate(texts):
        language = catalogue.find_language(name)
        fields[f"{DEFINITION_PREFIX}{index}_{language.code if language else name}"] = text
    used = {name.rpartition("_")[2] for name in fields}
    return fields | {f"{DEFINITION_PREFIX}new_{code}": "" for code in ("as", "en") if code not in used}


def _build_correction_fields(
    correction: CorrectionSubmission, proposed: object, catalogue: Catalogue
) -> dict[str, str]:
    """Return the form fields that a correction changes, with the proposed values."""
    if isinstance(proposed, IdeaState):
        texts = [(str(language_id), text) for language_id, text in proposed.definitions]
        return {"glyph": proposed.glyph or "", **_build_definition_fields(texts, catalogue)}
    changes = correction.data.word or correction.data.phrase or correction.data.sense
    return _build_fields(_collect_set_values(changes), catalogue)


def _collect_set_values(changes: object) -> dict[str, Any]:
    fields = {name: getattr(changes, name) for name in getattr(changes, "__struct_fields__", ())}
    return {name: value for name, value in fields.items() if value is not msgspec.UNSET}


def parse_submission(submission: AnySubmission, form: Form) -> AnySubmission:
    """Parse the edited submission from the form. Raises InputError."""
    match to_editable_submission(submission):
        case WordSubmission(data):
            return WordSubmission(_parse_word(data, form))
        case CorrectionSubmission() as correction:
            return _parse_correction(correction, form)
        case (ProverbSubmission() | ExampleSubmission() | CardSubmission()) as contribution:
            values = parse_values(EDITABLE_FIELDS[type(contribution)], form)
            return msgspec.structs.replace(contribution, data=msgspec.structs.replace(contribution.data, **values))
        case RecordSubmission() as record:
            return parse_record(record, form)
        case _:
            raise InputError.of("decision", sentence("This cannot be edited: approve it unchanged, or reject it."))


def _parse_word(data: WordData, form: Form) -> WordData:
    idea_id = read_number_field(form, "idea_id")
    meaning = data.meaning or IdeaData(0)
    if not idea_id:
        meaning = msgspec.structs.replace(meaning, pos=form.value("pos"), definitions=_parse_definitions(form))
    values = parse_values(EDITABLE_FIELDS[WordSubmission], form)
    return msgspec.structs.replace(data, idea_id=idea_id, meaning=None if idea_id else meaning, **values)


def _parse_definitions(form: Form) -> tuple[DefinitionData, ...]:
    return tuple(
        DefinitionData(name.rpartition("_")[2], text)
        for name, text in form.fields.items()
        if name.startswith(DEFINITION_PREFIX) and text
    )


def _parse_correction(correction: CorrectionSubmission, form: Form) -> CorrectionSubmission:
    data = correction.data
    if data.idea is not None:
        set_values = _collect_set_values(data.idea) | {
            "definitions": _parse_definitions(form),
            "glyph": form.value("glyph") or None,
        }
        return CorrectionSubmission(msgspec.structs.replace(data, idea=IdeaChanges(**set_values)))
    field = next((name for name in ("word", "phrase", "sense") if getattr(data, name) is not None), "phrase")
    changes = getattr(data, field)
    values = parse_values(_collect_set_values(changes), form)
    changed = msgspec.structs.replace(changes, **values) if changes is not None else None
    return CorrectionSubmission(msgspec.structs.replace(data, **{field: changed}))


CARD_FIELDS: Final = ("clue", "roman", "answer", "picture")
PHRASE_FIELDS: Final = ("text", "roman", "meaning")
MEANINGS_FIELD: Final = "meanings"
VALUE_FIELDS: Final = ("value", "parent", "code")
RELATION_FIELDS: Final = ("value", "inverse")
REQUIRED_FIELDS: Final = frozenset({"clue", "answer", "text", "value"})
FORMS_FIELD: Final = "forms"
TAG_SEPARATOR: Final = ";"
"""Separator of a form and its tag; only the first one in a line counts, as tags may contain it."""


def build_record_fields(record: ReviewedRecord) -> dict[str, str]:
    """Return the form fields of the editable values of a file's record; empty if it is not editable."""
    match record:
        case CardSetRecord(cards=(card,)):
            return {name: getattr(card, name) or "" for name in CARD_FIELDS}
        case IdeaRecord():
            return build_idea_fields(record)
        case PhraseRecord():
            fields = {name: getattr(record, name) or "" for name in PHRASE_FIELDS}
            return fields | {f"{MEANINGS_FIELD}_{meaning.language}": meaning.text for meaning in record.meanings}
        case FormsRecord():
            return {FORMS_FIELD: "\n".join(f"{form}{TAG_SEPARATOR} {tag}" for form, tag in record.forms)}
        case ListValueRecord():
            return {name: getattr(record, name) or "" for name in _list_value_fields(record)}
        case _:
            return {}


def parse_record(submission: RecordSubmission, form: Form) -> RecordSubmission:
    """Parse the edited record of a file from the form. Raises InputError."""
    record = submission.data.record
    match record:
        case CardSetRecord(cards=(card,)):
            changed: ReviewedRecord = msgspec.structs.replace(
                record, cards=(msgspec.structs.replace(card, **_read_texts(form, CARD_FIELDS)),)
            )
        case IdeaRecord():
            changed = parse_idea(record, form)
        case PhraseRecord():
            meanings = (LocalTextRecord(str(text.language), text.text) for text in parse_texts(MEANINGS_FIELD, form))
            changed = msgspec.structs.replace(record, **_read_texts(form, PHRASE_FIELDS), meanings=tuple(meanings))
        case FormsRecord():
            changed = msgspec.structs.replace(record, forms=_parse_forms(form.value(FORMS_FIELD)))
        case ListValueRecord():
            changed = _parse_value(record, form)
        case _:
            raise InputError.of("decision", sentence("This cannot be edited: approve it unchanged, or reject it."))
    return RecordSubmission(msgspec.structs.replace(submission.data, record=changed))


def _list_value_fields(record: ListValueRecord) -> tuple[str, ...]:
    return RELATION_FIELDS if record.list == ListName.RELATIONS else VALUE_FIELDS


def _parse_value(record: ListValueRecord, form: Form) -> ListValueRecord:
    """Parse a list value; a renamed relation type that is its own inverse remains so."""
    changed = msgspec.structs.replace(record, **_read_texts(form, _list_value_fields(record)))
    is_own_inverse = record.inverse == record.value == changed.inverse
    return msgspec.structs.replace(changed, inverse=changed.value) if is_own_inverse else changed


def _read_texts(form: Form, names: tuple[str, ...]) -> dict[str, str | None]:
    return {name: form.value(name) or ("" if name in REQUIRED_FIELDS else None) for name in names}


def _parse_forms(text: str) -> tuple[tuple[str, str], ...]:
    """Parse forms, one per line, each with its tag after the first semicolon. Raises InputError."""
    lines = [line.partition(TAG_SEPARATOR) for line in text.splitlines() if line.strip()]
    forms = tuple((form.strip(), tag.strip()) for form, _, tag in lines)
    if not forms or not all(form for form, _ in forms):
        raise InputError.of(FORMS_FIELD, sentence("Enter one form per line, with its tag after a semicolon."))
    return forms


T = TypeVar("T", bound=msgspec.Struct)

POS_FIELD: Final = "pos_name"
"""Form field of the part of speech; files give its name, not its ID."""


class _RepeatedPart(NamedTuple):
    """A repeated part of an idea: its field in the record, and pairs of names in the form and in the record."""

    record_field: str
    fields: tuple[tuple[str, str], ...]


REPEATED_PARTS: Final = (
    _RepeatedPart("words", (("word", "text"), ("roman", "roman"))),
    _RepeatedPart("definitions", (("definition", "text"),)),
    _RepeatedPart("examples", (("example", "text"), ("example_translation", "translation"))),
)


def _format_field_name(field: str, item: Any, index: int) -> str:  # noqa: ANN401  # a word, a definition or an example
    """Return the name of a form field, such as `word:as:0` for the spelling of the first word, in Assamese."""
    return f"{field}:{item.language}:{index}"


def build_idea_fields(record: IdeaRecord) -> dict[str, str]:
    """Return the form fields of the editable values of an idea."""
    return {POS_FIELD: record.pos or "", **dict(_iter_idea_fields(record))}


def _iter_idea_fields(record: IdeaRecord) -> Iterator[tuple[str, str]]:
    for part in REPEATED_PARTS:
        for index, item in enumerate(getattr(record, part.record_field)):
            for field, name in part.fields:
                yield _format_field_name(field, item, index), getattr(item, name) or ""


def parse_idea(record: IdeaRecord, form: Form) -> IdeaRecord:
    """Parse the edited idea from the form. Raises InputError if no word remains."""
    parts = {
        part.record_field: tuple(_parse_parts(part, getattr(record, part.record_field), form))
        for part in REPEATED_PARTS
    }
    if not parts["words"]:
        raise InputError.of("words", sentence("A meaning needs at least one word. If none is right, reject it."))
    return msgspec.structs.replace(record, pos=form.value(POS_FIELD) or None, **parts)


def _parse_parts(part: _RepeatedPart, items: tuple[T, ...], form: Form) -> Iterator[T]:
    for index, item in enumerate(items):
        values = {name: form.value(_format_field_name(field, item, index)) or None for field, name in part.fields}
        if values["text"]:
            yield msgspec.structs.replace(item, **values)
