"""Submissions as text, field by field, for pages and commands."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from abhidhan.contributions.service.submission_views import CHANGE_FIELDS, Submission, format_name
from abhidhan.records import local_texts
from abhidhan.records.catalogue import Catalogue
from abhidhan.records.ids import parse_number
from abhidhan.records.lookup_lists import ListName

LIST_FIELDS: Final[Mapping[str, ListName]] = {
    "category": ListName.PHRASE_CATEGORIES,
    "pos": ListName.PARTS_OF_SPEECH,
    "gender": ListName.GENDERS,
    "variant": ListName.VARIANTS,
    "contexts": ListName.CONTEXTS,
}
"""Fields that contain values of a lookup list, by ID or by name."""

MULTILINGUAL_FIELDS: Final = frozenset({"definitions", "examples"}) | local_texts.LOCAL_TEXT_COLUMNS
"""Fields that have a text in each of several languages."""

FieldText = tuple[str, str]
"""The name and text of a field. The name of a multilingual field ends in a colon and the language.

The text is empty if the field is to be cleared.
"""


class SentSubmission(msgspec.Struct, frozen=True):
    """A submission as its sender sees it: its title and its fields."""

    submission: Submission
    name: str
    fields: tuple[FieldText, ...]


def build_sent_submission(submission: Submission, subject: str, catalogue: Catalogue) -> SentSubmission:
    """Return a submission as shown to its sender; `subject` is the display name of the record it concerns."""
    data = submission.data if isinstance(submission.data, dict) else {}
    name = format_name(submission, subject)
    changes = next((data[field] for field in CHANGE_FIELDS if isinstance(data.get(field), dict)), None)
    if changes is not None:
        readable = make_readable(changes, catalogue)
        removed = ((name, "") for name, value in readable.items() if value is None or value == [])
        return SentSubmission(
            submission, name, (*flatten_fields(readable), *removed, *flatten_fields({"comment": data.get("comment")}))
        )
    if data.get("unlink"):
        return SentSubmission(submission, name, (("word", ""), *flatten_fields({"comment": data.get("comment")})))
    if data.get("word_id"):
        return SentSubmission(submission, name, tuple(flatten_fields({"text": data.get("text")})))
    return SentSubmission(submission, name, ())


def flatten_fields(data: object, field_name: str = "") -> list[FieldText]:
    """Return the names and texts of the non-empty fields, flattened."""
    if isinstance(data, dict):
        return [field for name, value in data.items() for field in flatten_fields(value, name)]
    if isinstance(data, list | tuple):
        return [field for value in data for field in flatten_fields(value, field_name)]
    return [(field_name, str(data))] if data not in {None, ""} else []


def make_readable(data: Mapping[str, Any], catalogue: Catalogue) -> dict[str, Any]:
    """Replace IDs of list values and languages by names; drop the IDs of records."""
    readable: dict[str, Any] = {}
    for name, value in data.items():
        if isinstance(value, dict):
            readable[name] = make_readable(value, catalogue)
        elif name in MULTILINGUAL_FIELDS and value:
            readable |= _group_by_language(name, value, catalogue)
        elif name == "translations":
            readable[name] = [_format_translation(item, catalogue) for item in value or ()]
        elif name == "forms":
            readable[name] = ["; ".join(filter(None, pair)) for pair in value or ()]
        elif name in LIST_FIELDS and isinstance(value, list | tuple):
            readable[name] = [_get_value_name(item, LIST_FIELDS[name], catalogue) for item in value]
        elif name in LIST_FIELDS:
            readable[name] = _get_value_name(value, LIST_FIELDS[name], catalogue)
        elif name == "language" and (language := catalogue.find_language(str(value))):
            readable[name] = language.name
        elif not name.endswith("_id"):
            readable[name] = value
    return readable


def _group_by_language(name: str, texts: list[dict[str, Any]], catalogue: Catalogue) -> dict[str, list[str]]:
    """Group texts by language, under names such as `definitions:Assamese`."""
    grouped: dict[str, list[str]] = {}
    for entry in texts:
        language = catalogue.find_language(str(entry.get("language", "")))
        key = f"{name}:{language.name}" if language else name
        grouped.setdefault(key, []).append(" – ".join(filter(None, (entry["text"], entry.get("translation")))))
    return grouped


def _format_translation(translation: Mapping[str, Any], catalogue: Catalogue) -> str:
    language = catalogue.find_language(str(translation["language"]))
    return f"{translation['word']} ({language.code if language else translation['language']})"


def _get_value_name(value: object, list_name: ListName, catalogue: Catalogue) -> object:
    number = parse_number(str(value))
    item = catalogue.list_value(list_name, number) if number is not None else None
    return item.value if item else value
