"""Submissions as text, field by field, for pages and commands."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from abhidhan.contributions.service.submission_views import CHANGES, Submission, name_of
from abhidhan.records import local_texts
from abhidhan.records.catalogue import Catalogue
from abhidhan.records.ids import read_number
from abhidhan.records.lookup_lists import ListName

LISTED: Final[Mapping[str, ListName]] = {
    "category": ListName.PHRASE_CATEGORIES,
    "pos": ListName.PARTS_OF_SPEECH,
    "gender": ListName.GENDERS,
    "variant": ListName.VARIANTS,
    "contexts": ListName.CONTEXTS,
}
"""Fields that contain values of a lookup list, by ID or by name."""

IN_LANGUAGES: Final = frozenset({"definitions", "examples"}) | local_texts.COLUMNS
"""Multilingual fields."""

Field = tuple[str, str]
"""The name and text of a field. The name of a multilingual field ends in a colon and the language.

The text is empty if the field is to be cleared.
"""


class Sent(msgspec.Struct, frozen=True):
    """A submission as its sender sees it: its title and its fields."""

    submission: Submission
    name: str
    fields: tuple[Field, ...]


def sent_of(submission: Submission, subject: str, catalogue: Catalogue) -> Sent:
    """Return a submission as shown to its sender; `subject` is the display name of the record it concerns."""
    data = submission.data if isinstance(submission.data, dict) else {}
    name = name_of(submission, subject)
    changes = next((data[each] for each in CHANGES if isinstance(data.get(each), dict)), None)
    if changes is not None:
        said = in_words(changes, catalogue)
        removed = ((name, "") for name, value in said.items() if value is None or value == [])
        return Sent(submission, name, (*fields_of(said), *removed, *fields_of({"comment": data.get("comment")})))
    if data.get("unlink"):
        return Sent(submission, name, (("word", ""), *fields_of({"comment": data.get("comment")})))
    if data.get("word_id"):
        return Sent(submission, name, tuple(fields_of({"text": data.get("text")})))
    return Sent(submission, name, ())


def fields_of(data: object, before: str = "") -> list[Field]:
    """Return the names and texts of the non-empty fields, flattened."""
    if isinstance(data, dict):
        return [each for name, value in data.items() for each in fields_of(value, name)]
    if isinstance(data, list | tuple):
        return [each for value in data for each in fields_of(value, before)]
    return [(before, str(data))] if data not in {None, ""} else []


def in_words(data: Mapping[str, Any], catalogue: Catalogue) -> dict[str, Any]:
    """Replace IDs of list values and languages by names; drop the IDs of records."""
    said: dict[str, Any] = {}
    for name, value in data.items():
        if isinstance(value, dict):
            said[name] = in_words(value, catalogue)
        elif name in IN_LANGUAGES and value:
            said |= _by_language(name, value, catalogue)
        elif name == "translations":
            said[name] = [_word_in_language(each, catalogue) for each in value or ()]
        elif name == "forms":
            said[name] = ["; ".join(filter(None, pair)) for pair in value or ()]
        elif name in LISTED and isinstance(value, list | tuple):
            said[name] = [_named(each, LISTED[name], catalogue) for each in value]
        elif name in LISTED:
            said[name] = _named(value, LISTED[name], catalogue)
        elif name == "language" and (language := catalogue.find_language(str(value))):
            said[name] = language.name
        elif not name.endswith("_id"):
            said[name] = value
    return said


def _by_language(name: str, texts: list[dict[str, Any]], catalogue: Catalogue) -> dict[str, list[str]]:
    """Group texts by language, under names such as `definitions:Assamese`."""
    said: dict[str, list[str]] = {}
    for each in texts:
        language = catalogue.find_language(str(each.get("language", "")))
        key = f"{name}:{language.name}" if language else name
        said.setdefault(key, []).append(" – ".join(filter(None, (each["text"], each.get("translation")))))
    return said


def _word_in_language(given: Mapping[str, Any], catalogue: Catalogue) -> str:
    language = catalogue.find_language(str(given["language"]))
    return f"{given['word']} ({language.code if language else given['language']})"


def _named(value: object, list_name: ListName, catalogue: Catalogue) -> object:
    number = read_number(str(value))
    item = catalogue.named(list_name, number) if number is not None else None
    return item.value if item else value
