"""Resolve lookup lists, languages and fields named in requests."""

from typing import Final

import msgspec

from abhidhan.dictionary.model.field_selection import (
    ALL_FIELDS,
    LANGS_PARAM,
    FieldParams,
    FieldSelection,
    parse_coded_word_fields,
    parse_idea_fields,
    parse_word_fields,
    split_names,
)
from abhidhan.dictionary.store import totals
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.errors import InputError, sentence
from abhidhan.records.ids import parse_number
from abhidhan.records.languages import ALL_LANGUAGES, Language
from abhidhan.records.lookup_lists import NO_PART_OF_SPEECH_ID, ListItem, ListName, find_parts_of_speech, is_unassigned


class LanguageParam(msgspec.Struct, frozen=True):
    """Requested language, by ID or code (0: all), and the name of the parameter for error messages."""

    name: str
    parameter: str = "language"

    @property
    def is_all(self) -> bool:
        """Return whether the parameter stands for all languages."""
        return self.name == ALL_LANGUAGES_PARAM.name


ALL_LANGUAGES_PARAM: Final = LanguageParam("0")


class CountedLanguage(Language, frozen=True):
    """A language with the number of its words."""

    words: int


def list_languages(connection: ReadConnection) -> tuple[CountedLanguage, ...]:
    """List the languages by ID, each with the number of its words."""
    counts = totals.count_words_by_language(connection)
    return tuple(
        CountedLanguage(**msgspec.structs.asdict(language), words=counts.get(language.id, 0))
        for language in connection.catalogue.languages
    )


def list_items(connection: ReadConnection, name: ListName) -> tuple[ListItem, ...]:
    """List the values of a lookup list in their stored order."""
    return connection.catalogue.list_items(name)


def find_list(name: str, parameter: str = "type") -> ListName:
    """Find a lookup list by name, ignoring case. Raises InputError, which lists all names."""
    try:
        return ListName(name.upper())
    except ValueError:
        names = ", ".join(ListName)
        raise InputError.of(
            parameter, sentence("`%(parameter)s` must be one of %(names)s.", parameter=parameter, names=names)
        ) from None


def find_language_id(connection: ReadConnection, language: LanguageParam) -> int:
    """Find the ID of a requested language by ID or code; 0 for all languages. Raises InputError."""
    if language.name and not language.name.strip("0"):
        return ALL_LANGUAGES
    match = connection.catalogue.find_language(language.name)
    if match is None:
        raise InputError.of(
            language.parameter,
            sentence(
                "`%(parameter)s` is not a language of this dictionary; see /api/languages for IDs and codes.",
                parameter=language.parameter,
            ),
        )
    return match.id


def find_language_ids(
    connection: ReadConnection, parameter: str, names: str, limit: int | None = None
) -> tuple[int, ...]:
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
        language = connection.catalogue.find_language(name)
        is_all = name and not name.strip("0")
        language_ids.append(ALL_LANGUAGES if is_all else None if language is None else language.id)
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


def resolve_word_fields(connection: ReadConnection, fields: FieldParams) -> FieldSelection | None:
    """Resolve the fields of words that a request selects; return None for all. Raises InputError."""
    if fields == ALL_FIELDS:
        return None
    return parse_word_fields(fields.fields, _find_language_set(connection, fields.langs))


def resolve_coded_word_fields(
    connection: ReadConnection, fields: FieldParams
) -> tuple[FieldSelection | None, tuple[int, ...]]:
    """Resolve the fields of words in XOBDO's format, and the languages of their texts. Raises InputError."""
    language_ids = () if fields.langs is None else find_language_ids(connection, LANGS_PARAM, fields.langs)
    languages = () if ALL_LANGUAGES in language_ids else language_ids
    return parse_coded_word_fields(fields.fields, frozenset(languages) or None), languages


def resolve_idea_fields(connection: ReadConnection, fields: FieldParams) -> FieldSelection | None:
    """Resolve the fields of ideas that a request selects; return None for all. Raises InputError."""
    return parse_idea_fields(fields.fields, _find_language_set(connection, fields.langs))


def _find_language_set(connection: ReadConnection, names: str | None) -> frozenset[int] | None:
    """Find languages by IDs or codes; return None if the list is absent or contains 0. Raises InputError."""
    if names is None:
        return None
    language_ids = frozenset(find_language_ids(connection, LANGS_PARAM, names))
    return None if ALL_LANGUAGES in language_ids else language_ids


def find_item_id(connection: ReadConnection, list_name: ListName, parameter: str, name: str) -> int | None:
    """Find the ID of a list value by its ID or text; return None for an empty name. Raises InputError."""
    if not name:
        return None
    number = parse_number(name)
    item = connection.catalogue.find_item(list_name, name) if number is None else None
    item_id = item.id if item else number
    if connection.catalogue.list_value(list_name, item_id) is None:
        raise InputError.of(
            parameter,
            sentence(
                "`%(parameter)s` is not an ID or value in the list: see /api/get-list.php?type=%(list_name)s.",
                parameter=parameter,
                list_name=list_name.value,
            ),
        )
    return item_id


def find_pos_id(connection: ReadConnection, parameter: str, name: str) -> int | None:
    """Find the ID of a part of speech like `find_item_id`; NO_PART_OF_SPEECH for the unassigned value."""
    item_id = find_item_id(connection, ListName.PARTS_OF_SPEECH, parameter, name)
    item = connection.catalogue.find_item_by_id(ListName.PARTS_OF_SPEECH, item_id) if item_id else None
    return NO_PART_OF_SPEECH_ID if item and is_unassigned(item) else item_id


def list_subtree_ids(connection: ReadConnection, list_name: ListName, item_id: int) -> tuple[int, ...]:
    """Return the ID of a tree value, followed by the IDs of all its descendants."""
    descendants, items = {item_id: None}, connection.catalogue.list_items(list_name)
    for parent_id in (queue := [item_id]):
        children = [item.id for item in items if item.parent_id == parent_id and item.id not in descendants]
        descendants |= dict.fromkeys(children)
        queue += children
    return tuple(descendants)


def find_pos_ids(connection: ReadConnection, parameter: str, name: str) -> tuple[int, ...] | None:
    """Find the IDs of parts of speech by ID or code; return None (all) for 0 or an empty name. Raises InputError."""
    if not name.strip("0"):
        return None
    pos_ids = find_parts_of_speech(connection.catalogue.list_items(ListName.PARTS_OF_SPEECH), name)
    if pos_ids is None:
        raise InputError.of(
            parameter,
            sentence(
                "`%(parameter)s` is not a part of speech: /api/get-list.php?type=POS lists their IDs and codes.",
                parameter=parameter,
            ),
        )
    return pos_ids
