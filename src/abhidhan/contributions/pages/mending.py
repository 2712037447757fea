"""The form in which an editor changes a submission before approving it: its fields, and parsing."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple, TypeVar

import msgspec

from abhidhan.contributions.service.submission_review import PendingSubmission
from abhidhan.dictionary.service.dictionary import Dictionary
from abhidhan.dictionary.service.views.ideas import ShownIdea, ideas_of_words
from abhidhan.editing.pages.record_fields import FIELDS as RECORD_FIELDS
from abhidhan.editing.pages.record_fields import text_fields, typed, typed_texts
from abhidhan.platform.http.forms import Form, number_in
from abhidhan.records.catalogue import Catalogue
from abhidhan.records.errors import InputError, sentence
from abhidhan.records.history import IdeaState
from abhidhan.records.kinds import CardSetRecord, FormsRecord, IdeaRecord, PhraseRecord
from abhidhan.records.kinds.field_types import LocalTextRecord
from abhidhan.records.kinds.fields import names
from abhidhan.records.kinds.word import DETAILS, REMARKS
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

MOST_MEANINGS: Final = 6

FIELDS: Final[Mapping[type[Any], tuple[str, ...]]] = {
    WordSubmission: (
        "word",
        "language",
        *(field.name for field in DETAILS if field.name != "variant"),
        *names(REMARKS),
    ),
    ProverbSubmission: ("text", "language", "roman", "meaning", "meanings", "category"),
    ExampleSubmission: ("text", "language", "translation"),
    CardSubmission: ("clue", "roman", "answer", "picture"),
}
"""Editable fields by kind of submission."""

DEFINITION: Final = "definition_"


def to_mend(given: AnySubmission) -> AnySubmission:
    """Return the submission to edit; a missing word becomes a word."""
    if isinstance(given, MissingSubmission):
        return WordSubmission(WordData(given.data.language, given.data.word))
    return given


def names_to_mend(given: AnySubmission) -> tuple[str, ...]:
    """Return the editable fields of a submission, except definitions."""
    if isinstance(given, RecordSubmission):
        return tuple(fields_of_record(given.data.record))
    return FIELDS.get(type(to_mend(given)), ())


def can_be_mended(given: AnySubmission) -> bool:
    """Return whether an editor can change a submission before approving it; reports have nothing to publish."""
    if isinstance(given, CorrectionSubmission):
        return not given.data.unlink
    return bool(names_to_mend(given))


async def meanings_for(dictionary: Dictionary, waiting: PendingSubmission) -> list[ShownIdea]:
    """Return the ideas to choose from for a submitted word: its own, and those of similar words."""
    given = to_mend(waiting.given)
    if not isinstance(given, WordSubmission):
        return []
    like = [each.id for each in waiting.similar]
    return await dictionary.read_in_thread(ideas_of_words, given.data.idea_id, like, MOST_MEANINGS)


def mending_form(waiting: PendingSubmission, catalogue: Catalogue) -> Form:
    """Return the form to edit a submission, filled with its values."""
    given, change = to_mend(waiting.given), waiting.change
    if isinstance(given, RecordSubmission):
        return Form(fields_of_record(given.data.record))
    fields = _fields({name: getattr(given.data, name) for name in FIELDS.get(type(given), ())}, catalogue)
    if isinstance(given, WordSubmission):
        meaning = given.data.meaning
        fields |= {"idea_id": _text("idea_id", given.data.idea_id), "pos": _text("pos", meaning.pos) if meaning else ""}
        texts = [(str(one.language), one.text) for one in meaning.definitions] if meaning else []
        fields |= _definition_fields(texts, catalogue)
    if "language" in fields:
        language = catalogue.find_language(fields["language"])
        fields["language"] = language.code if language else fields["language"]
    if isinstance(given, CorrectionSubmission) and change:
        fields |= _correction_fields(given, change.proposed, catalogue)
    return Form(fields)


def _fields(values: Mapping[str, Any], catalogue: Catalogue) -> dict[str, str]:
    """Return the form fields of values; a multilingual value has one per language."""
    fields: dict[str, str] = {}
    for name, value in values.items():
        if isinstance(value, tuple):
            fields |= text_fields(name, [(each.language, each.text) for each in value], catalogue)
        else:
            fields[name] = _text(name, value)
    return fields


def _text(name: str, value: object) -> str:
    if name in RECORD_FIELDS:
        return RECORD_FIELDS[name].kind.written(value)
    return "" if value is None else str(value)


def _definition_fields(texts: list[tuple[str, str]], catalogue: Catalogue) -> dict[str, str]:
    fields = {}
    for place, (name, text) in enumerate(texts):
        language = catalogue.find_language(name)
        fields[f"{DEFINITION}{place}_{language.code if language else name}"] = text
    used = {name.rpartition("_")[2] for name in fields}
    return fields | {f"{DEFINITION}new_{code}": "" for code in ("as", "en") if code not in used}


def _correction_fields(given: CorrectionSubmission, proposed: object, catalogue: Catalogue) -> dict[str, str]:
    """Return the form fields that a correction changes, with the proposed values."""
    if isinstance(proposed, IdeaState):
        texts = [(str(language_id), text) for language_id, text in proposed.definitions]
        return {"glyph": proposed.glyph or "", **_definition_fields(texts, catalogue)}
    changes = given.data.word or given.data.phrase or given.data.sense
    return _fields(_touched(changes), catalogue)


def _touched(changes: object) -> dict[str, Any]:
    given = {name: getattr(changes, name) for name in getattr(changes, "__struct_fields__", ())}
    return {name: value for name, value in given.items() if value is not msgspec.UNSET}


def mended(given: AnySubmission, form: Form) -> AnySubmission:
    """Parse the edited submission from the form. Raises InputError."""
    match to_mend(given):
        case WordSubmission(data):
            return WordSubmission(_mended_word(data, form))
        case CorrectionSubmission() as correction:
            return _mended_correction(correction, form)
        case (ProverbSubmission() | ExampleSubmission() | CardSubmission()) as one:
            values = typed(FIELDS[type(one)], form)
            return msgspec.structs.replace(one, data=msgspec.structs.replace(one.data, **values))
        case RecordSubmission() as record:
            return mended_record(record, form)
        case _:
            raise InputError.of("decision", sentence("This cannot be edited: approve it unchanged, or reject it."))


def _mended_word(data: WordData, form: Form) -> WordData:
    idea_id = number_in(form, "idea_id")
    meaning = data.meaning or IdeaData(0)
    if not idea_id:
        meaning = msgspec.structs.replace(meaning, pos=form.value("pos"), definitions=_definitions(form))
    values = typed(FIELDS[WordSubmission], form)
    return msgspec.structs.replace(data, idea_id=idea_id, meaning=None if idea_id else meaning, **values)


def _definitions(form: Form) -> tuple[DefinitionData, ...]:
    return tuple(
        DefinitionData(name.rpartition("_")[2], text)
        for name, text in form.fields.items()
        if name.startswith(DEFINITION) and text
    )


def _mended_correction(given: CorrectionSubmission, form: Form) -> CorrectionSubmission:
    data = given.data
    if data.idea is not None:
        touched = _touched(data.idea) | {"definitions": _definitions(form), "glyph": form.value("glyph") or None}
        return CorrectionSubmission(msgspec.structs.replace(data, idea=IdeaChanges(**touched)))
    field = next((name for name in ("word", "phrase", "sense") if getattr(data, name) is not None), "phrase")
    changes = getattr(data, field)
    values = typed(_touched(changes), form)
    changed = msgspec.structs.replace(changes, **values) if changes is not None else None
    return CorrectionSubmission(msgspec.structs.replace(data, **{field: changed}))


OF_CARD: Final = ("clue", "roman", "answer", "picture")
OF_PHRASE: Final = ("text", "roman", "meaning")
MEANINGS: Final = "meanings"
OF_VALUE: Final = ("value", "parent", "code")
OF_RELATION: Final = ("value", "inverse")
NEEDED: Final = frozenset({"clue", "answer", "text", "value"})
FORMS: Final = "forms"
BETWEEN: Final = ";"
"""Separator of a form and its tag: its first occurrence in a line, as tags may contain it."""


def fields_of_record(record: ReviewedRecord) -> dict[str, str]:
    """Return the form fields of the editable values of a file's record; empty if it is not editable."""
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
    """Parse the edited record of a file from the form. Raises InputError."""
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
            raise InputError.of("decision", sentence("This cannot be edited: approve it unchanged, or reject it."))
    return RecordSubmission(msgspec.structs.replace(given.data, record=changed))


def _names_of_value(record: ListValueRecord) -> tuple[str, ...]:
    return OF_RELATION if record.list == ListName.RELATIONS else OF_VALUE


def _mended_value(record: ListValueRecord, form: Form) -> ListValueRecord:
    """Parse a list value; a renamed relation type that is its own inverse remains so."""
    mended = msgspec.structs.replace(record, **_texts(form, _names_of_value(record)))
    is_its_own = record.inverse == record.value == mended.inverse
    return msgspec.structs.replace(mended, inverse=mended.value) if is_its_own else mended


def _texts(form: Form, names: tuple[str, ...]) -> dict[str, str | None]:
    return {name: form.value(name) or ("" if name in NEEDED else None) for name in names}


def _forms(text: str) -> tuple[tuple[str, str], ...]:
    """Parse forms, one per line, each with its tag after the first semicolon. Raises InputError."""
    lines = [line.partition(BETWEEN) for line in text.splitlines() if line.strip()]
    forms = tuple((form.strip(), tag.strip()) for form, _, tag in lines)
    if not forms or not all(form for form, _ in forms):
        raise InputError.of(FORMS, sentence("Enter one form per line, with its tag after a semicolon."))
    return forms


T = TypeVar("T", bound=msgspec.Struct)

POS: Final = "pos_name"
"""Form field of the part of speech; files give its name, not its ID."""


class _Part(NamedTuple):
    """A repeated part of an idea: its field in the record, and pairs of names in the form and in the record."""

    of_idea: str
    fields: tuple[tuple[str, str], ...]


PARTS: Final = (
    _Part("words", (("word", "text"), ("roman", "roman"))),
    _Part("definitions", (("definition", "text"),)),
    _Part("examples", (("example", "text"), ("example_translation", "translation"))),
)


def _name(field: str, one: Any, place: int) -> str:  # noqa: ANN401  # a word, a definition or an example
    """Return the name of a form field, such as `word:as:0` for the spelling of the first word, in Assamese."""
    return f"{field}:{one.language}:{place}"


def fields_of_idea(record: IdeaRecord) -> dict[str, str]:
    """Return the form fields of the editable values of an idea."""
    return {POS: record.pos or "", **dict(_idea_fields(record))}


def _idea_fields(record: IdeaRecord) -> Iterator[tuple[str, str]]:
    for part in PARTS:
        for place, one in enumerate(getattr(record, part.of_idea)):
            for field, name in part.fields:
                yield _name(field, one, place), getattr(one, name) or ""


def mended_idea(record: IdeaRecord, form: Form) -> IdeaRecord:
    """Parse the edited idea from the form. Raises InputError if no word remains."""
    parts = {part.of_idea: tuple(_mended(part, getattr(record, part.of_idea), form)) for part in PARTS}
    if not parts["words"]:
        raise InputError.of("words", sentence("A meaning needs at least one word. If none is right, reject it."))
    return msgspec.structs.replace(record, pos=form.value(POS) or None, **parts)


def _mended(part: _Part, given: tuple[T, ...], form: Form) -> Iterator[T]:
    for place, one in enumerate(given):
        values = {name: form.value(_name(field, one, place)) or None for field, name in part.fields}
        if values["text"]:
            yield msgspec.structs.replace(one, **values)
