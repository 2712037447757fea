"""Form fields of records: the fields of each kind, their choices, and conversion from and to states."""

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple

import msgspec

from abhidhan.dictionary.service import cards
from abhidhan.dictionary.service.dictionary import Dictionary
from abhidhan.dictionary.service.views.ideas import list_ordered_meanings
from abhidhan.platform.http.forms import Form
from abhidhan.platform.http.rendering import PageRequest
from abhidhan.records.catalogue import Catalogue
from abhidhan.records.errors import InputError, NotFoundError, sentence
from abhidhan.records.history import RecordRef, RecordState
from abhidhan.records.ids import parse_number
from abhidhan.records.input_validation import RecordChanges
from abhidhan.records.kinds.card import CARD_FIELDS, CARD_SET_FIELDS, CardChanges, CardSetChanges
from abhidhan.records.kinds.catalogue import LIST_ITEM_FIELDS, ListItemChanges
from abhidhan.records.kinds.field_types import ListChoice, LocalTextData, LocalTexts
from abhidhan.records.kinds.fields import Field, Fields, Reference, list_field_names
from abhidhan.records.kinds.idea import IDEA_ROW_FIELDS
from abhidhan.records.kinds.phrase import PHRASE_FIELDS, PhraseChanges
from abhidhan.records.kinds.word import ALL_WORD_FIELDS, REMARK_FIELDS, WordChanges
from abhidhan.records.languages import Language
from abhidhan.records.lookup_lists import ListItem

FIELDS_BY_NAME: Final[Mapping[str, Field]] = {
    field.name: field
    for fields in (
        ALL_WORD_FIELDS,
        REMARK_FIELDS,
        IDEA_ROW_FIELDS,
        PHRASE_FIELDS,
        CARD_FIELDS,
        CARD_SET_FIELDS,
        LIST_ITEM_FIELDS,
    )
    for field in fields
}
"""All form fields by name."""

OFFERED_LANGUAGES: Final = ("as",)
"""Languages in which forms always offer a text field, in addition to English, which has a separate field."""


async def _load_no_context(_dictionary: Dictionary, _number: int, _state: Any) -> dict[str, object]:  # noqa: ANN401  # of any kind
    return {}


async def _load_card_context(dictionary: Dictionary, _number: int, state: Any) -> dict[str, object]:  # noqa: ANN401  # of its own kind
    return {
        "card_set": next(
            card_set for card_set in await dictionary.read(cards.list_card_sets) if card_set.id == state.card_set_id
        )
    }


async def _load_word_context(dictionary: Dictionary, number: int, _state: Any) -> dict[str, object]:  # noqa: ANN401  # of its own kind
    return {"meanings": await dictionary.read_in_thread(list_ordered_meanings, number)}


async def _load_set_context(dictionary: Dictionary, number: int, state: Any) -> dict[str, object]:  # noqa: ANN401  # of its own kind
    catalogue = await dictionary.catalogue()
    return {
        "cards": await dictionary.read(cards.list_cards, number),
        "clue_language": catalogue.language(state.language_id),
        "answer_language": catalogue.language(state.answer_language_id),
    }


class RecordForm(NamedTuple):
    """The form of one kind of records: the kind in the history, the type of its changes, and the ordered fields.

    `load_context` loads additional values for the template.
    """

    kind: str
    changes_type: Callable[..., RecordChanges]
    fields: Fields
    template: str = "edit-record.html"
    load_context: Callable[[Dictionary, int, Any], Awaitable[dict[str, object]]] = _load_no_context


FORMS_BY_PATH: Final[Mapping[str, RecordForm]] = {
    "word": RecordForm("word", WordChanges, ALL_WORD_FIELDS, "edit-word.html", _load_word_context),
    "proverb": RecordForm("phrase", PhraseChanges, PHRASE_FIELDS),
    "card": RecordForm("card", CardChanges, CARD_FIELDS, load_context=_load_card_context),
    "set": RecordForm("card_set", CardSetChanges, CARD_SET_FIELDS, "edit-set.html", _load_set_context),
    "value": RecordForm("list_item", ListItemChanges, LIST_ITEM_FIELDS),
}
"""The forms by the second part of their URL, such as /edit/proverb/5."""

PATH_BY_KIND: Final = {form.kind: f"/edit/{name}" for name, form in FORMS_BY_PATH.items()} | {"idea": "/edit/idea"}

_RECORD_ID: Final = re.compile(r"(?:[A-Z]{2,5}-)?([1-9][0-9]*)")


class FieldChoices(msgspec.Struct, frozen=True):
    """The choices of a form's fields by field name, the languages, and the fields."""

    lists: dict[str, tuple[ListItem, ...]]
    languages: tuple[Language, ...]
    fields: Mapping[str, Field]

    def codes_in(self, form: Form, name: str) -> list[str]:
        """Return the codes of the languages in which a form has or offers texts of a field."""
        typed_in = (field.removeprefix(f"{name}_") for field in form.fields if field.startswith(f"{name}_"))
        return list(dict.fromkeys((*OFFERED_LANGUAGES, *typed_in)))


def build_choices(catalogue: Catalogue) -> FieldChoices:
    """Return the choices of all fields."""
    chosen = {name: field.kind for name, field in FIELDS_BY_NAME.items() if isinstance(field.kind, ListChoice)}
    lists = {name: catalogue.list_items(kind.list_name) for name, kind in chosen.items()}
    lists["pos"] = catalogue.assignable_parts_of_speech
    return FieldChoices(lists, catalogue.languages, FIELDS_BY_NAME)


def find_record_form(request: PageRequest, record_id: str) -> tuple[RecordForm, RecordRef]:
    """Return the form and the record of a request's URL. Raises NotFoundError."""
    form = FORMS_BY_PATH[request.url.path.split("/")[2]]
    if not is_record_number(record_id) or ("-" in record_id) is not (form.kind == "list_item"):
        raise NotFoundError(sentence("There is no such record."))
    return form, RecordRef(form.kind, record_id)


def is_record_number(text: str) -> bool:
    """Return whether a text is the ID of a record, such as `12`, or of a list value, such as `POS-3`."""
    match = _RECORD_ID.fullmatch(text)
    return match is not None and parse_number(match[1]) is not None


def build_form_fields(form: RecordForm, state: RecordState, catalogue: Catalogue) -> dict[str, str]:
    """Return the form fields of a record's state."""
    fields: dict[str, str] = {}
    for field in form.fields:
        value = getattr(state, field.column)
        if isinstance(field.kind, LocalTexts):
            fields |= build_text_fields(field.name, value, catalogue)
        else:
            fields[field.name] = field.kind.format(value)
    return fields


def build_text_fields(name: str, texts: Iterable[tuple[Reference, str]], catalogue: Catalogue) -> dict[str, str]:
    """Return the form fields of a multilingual text; their names end in the language code."""
    language_texts = ((catalogue.find_language(str(reference)), text) for reference, text in texts)
    return {f"{name}_{language.code}": text for language, text in language_texts if language is not None}


def parse_changes(record: RecordForm, form: Form) -> RecordChanges:
    """Parse the changes from a submitted form. Raises InputError."""
    return record.changes_type(**parse_values(list_field_names(record.fields), form))


def parse_values(field_names: Iterable[str], form: Form) -> dict[str, Any]:
    """Parse the values of these fields from a form. Raises InputError."""
    return {name: _parse_value(name, form) for name in field_names}


def _parse_value(name: str, form: Form) -> Any:  # noqa: ANN401  # the type depends on the field
    field = FIELDS_BY_NAME.get(name)
    if field is None:
        return form.value(name) or None
    if isinstance(field.kind, LocalTexts):
        return parse_texts(name, form)
    return field.kind.parse(name, form.value(name))


def parse_texts(name: str, form: Form) -> tuple[LocalTextData, ...]:
    """Parse a multilingual text from its fields."""
    return tuple(
        LocalTextData(field.removeprefix(f"{name}_"), text)
        for field, text in form.fields.items()
        if field.startswith(f"{name}_") and text
    )


def parse_version(form: Form) -> int:
    """Return the version of the record when the form was opened. Raises InputError."""
    version = parse_number(form.value("version"))
    if version is None:
        raise InputError.of("version", sentence("The form data is invalid. Open the form again."))
    return version
