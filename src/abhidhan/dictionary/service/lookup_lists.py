"""Resolve lookup lists, languages and fields named in requests."""

from typing import Final

import msgspec

from abhidhan.dictionary.model.field_selection import (
    ALL_FIELDS,
    LANGS,
    FieldParams,
    FieldSelection,
    select_coded_word_fields,
    select_fields_of_idea,
    select_word_fields,
    split_names,
)
from abhidhan.dictionary.store import totals
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.errors import InputError, sentence
from abhidhan.records.ids import read_number
from abhidhan.records.languages import ALL_LANGUAGES, Language
from abhidhan.records.lookup_lists import NO_PART_OF_SPEECH, ListItem, ListName, find_parts_of_speech, is_unassigned


class LanguageParam(msgspec.Struct, frozen=True):
    """Requested language, by ID or code (0: all), and the name of the parameter for error messages."""

    name: str
    parameter: str = "language"

    @property
    def means_all(self) -> bool:
        """Return whether the parameter stands for all languages."""
        return self.name == ALL_LANGUAGES_PARAM.name


ALL_LANGUAGES_PARAM: Final = LanguageParam("0")


class CountedLanguage(Language, frozen=True):
    """A language with the number of its words."""

    words: int


def list_languages(reader: ReadConnection) -> tuple[CountedLanguage, ...]:
    """List the languages by ID, each with the number of its words."""
    counts = totals.word_counts(reader)
    return tuple(
        CountedLanguage(**msgspec.structs.asdict(language), words=counts.get(language.id, 0))
        for language in reader.catalogue.languages
    )


def list_items(reader: ReadConnection, name: ListName) -> tuple[ListItem, ...]:
    """List the values of a lookup list in their stored order."""
    return reader.catalogue.items_of(name)


def find_list(name: str, parameter: str = "type") -> ListName:
    """Find a lookup list by name, ignoring case. Raises InputError, which lists all names."""
    try:
        return ListName(name.upper())
    except ValueError:
        names = ", ".join(ListName)
        raise InputError.of(
            parameter, sentence("`%(parameter)s` must be one of %(names)s.", parameter=parameter, names=names)
        ) from None


def find_language_id(reader: ReadConnection, language: LanguageParam) -> int:
    """Find the ID of a requested language by ID or code; 0 for all languages. Raises InputError."""
    if language.name and not language.name.strip("0"):
        return ALL_LANGUAGES
    match = reader.catalogue.find_language(language.name)
    if match is None:
        raise InputError.of(
            language.parameter,
            sentence(
                "`%(parameter)s` is not a language of this dictionary; see /api/languages for IDs and codes.",
                parameter=language.parameter,
            ),
        )
    return match.id


def find_language_ids(reader: ReadConnection, parameter: str, names: str, limit: int | None = None) -> tuple[int, ...]:
    """Find the IDs of languages in a comma-separated text, each once; 0 stands for all languages.

    Raises InputError for `parameter`.
    """
    parts = split_names(names)
    if limit is not None and len(parts) > limit:
        raise InputError.of(
            parameter,
            sentence(
                "`%(parameter)s` may name at most %(most_languages)s languages.",
                parameter=parameter,
                most_languages=limit,
            ),
        )
    language_ids: list[int | None] = []
    for name in parts:
        language = reader.catalogue.find_language(name)
        means_all = name and not name.strip("0")
        language_ids.append(ALL_LANGUAGES if means_all else None if language is None else language.id)
    if None in language_ids:
        raise InputError.of(
            parameter,
            sentence(
                "`%(parameter)s` must name languages of this dictionary, separated by commas: /api/languages lists "
                "their IDs and codes.",
                parameter=parameter,
            ),
        )
    return tuple(dict.fromkeys(language_id for language_id in language_ids if language_id is not None))


def read_word_fields(reader: ReadConnection, fields: FieldParams) -> FieldSelection | None:
    """Resolve the fields of words that a request selects; return None for all. Raises InputError."""
    if fields == ALL_FIELDS:
        return None
    return select_word_fields(fields.fields, _find_language_set(reader, fields.langs))


def read_coded_word_fields(
    reader: ReadConnection, fields: FieldParams
) -> tuple[FieldSelection | None, tuple[int, ...]]:
    """Resolve the fields of words in XOBDO's format, and the languages of their texts. Raises InputError."""
    language_ids = () if fields.langs is None else find_language_ids(reader, LANGS, fields.langs)
    languages = () if ALL_LANGUAGES in language_ids else language_ids
    return select_coded_word_fields(fields.fields, frozenset(languages) or None), languages


def read_idea_fields(reader: ReadConnection, fields: FieldParams) -> FieldSelection | None:
    """Resolve the fields of ideas that a request selects; return None for all. Raises InputError."""
    return select_fields_of_idea(fields.fields, _find_language_set(reader, fields.langs))


def _find_language_set(reader: ReadConnection, names: str | None) -> frozenset[int] | None:
    """Find languages by IDs or codes; return None if the list is absent or contains 0. Raises InputError."""
    if names is None:
        return None
    language_ids = frozenset(find_language_ids(reader, LANGS, names))
    return None if ALL_LANGUAGES in language_ids else language_ids


def find_item_id(reader: ReadConnection, list_name: ListName, parameter: str, name: str) -> int | None:
    """Find the ID of a list value by its ID or text; return None for an empty name. Raises InputError."""
    if not name:
        return None
    number = read_number(name)
    item = reader.catalogue.item(list_name, name) if number is None else None
    item_id = item.id if item else number
    if reader.catalogue.list_value(list_name, item_id) is None:
        raise InputError.of(
            parameter,
            sentence(
                "`%(parameter)s` is not an ID or value in the list: see /api/get-list.php?type=%(list_name)s.",
                parameter=parameter,
                list_name=list_name.value,
            ),
        )
    return item_id


def find_pos_id(reader: ReadConnection, parameter: str, name: str) -> int | None:
    """Find the ID of a part of speech like `find_item_id`; NO_PART_OF_SPEECH for the unassigned value."""
    item_id = find_item_id(reader, ListName.PARTS_OF_SPEECH, parameter, name)
    item = reader.catalogue.item_by_id(ListName.PARTS_OF_SPEECH, item_id) if item_id else None
    return NO_PART_OF_SPEECH if item and is_unassigned(item) else item_id


def with_descendants(reader: ReadConnection, list_name: ListName, item_id: int) -> tuple[int, ...]:
    """Return the ID of a tree value, followed by the IDs of all its descendants."""
    descendants, items = {item_id: None}, reader.catalogue.items_of(list_name)
    for parent_id in (queue := [item_id]):
        children = [item.id for item in items if item.parent_id == parent_id and item.id not in descendants]
        descendants |= dict.fromkeys(children)
        queue += children
    return tuple(descendants)


def find_pos_ids(reader: ReadConnection, parameter: str, name: str) -> tuple[int, ...] | None:
    """Find the IDs of parts of speech by ID or code; return None (all) for 0 or an empty name. Raises InputError."""
    if not name.strip("0"):
        return None
    pos_ids = find_parts_of_speech(reader.catalogue.items_of(ListName.PARTS_OF_SPEECH), name)
    if pos_ids is None:
        raise InputError.of(
            parameter,
            sentence(
                "`%(parameter)s` is not a part of speech: /api/get-list.php?type=POS lists their IDs and codes.",
                parameter=parameter,
            ),
        )
    return pos_ids
