"""Resolve lookup lists, languages and fields named in requests."""

from typing import Final

import msgspec

from abhidhan.dictionary.model.field_selection import (
    ALL,
    LANGS,
    FieldParams,
    Selection,
    names_of,
    select_of_coded_words,
    select_of_ideas,
    select_of_words,
)
from abhidhan.dictionary.store import totals
from abhidhan.platform.database.reader import Reader
from abhidhan.records.errors import InputError, sentence
from abhidhan.records.ids import read_number
from abhidhan.records.languages import ALL_LANGUAGES, Language
from abhidhan.records.lookup_lists import NO_PART_OF_SPEECH, ListItem, ListName, find_parts_of_speech, is_unassigned


class LanguageParam(msgspec.Struct, frozen=True):
    """Language named in a request by ID or code (0: all), and the parameter for error messages."""

    name: str
    parameter: str = "language"

    @property
    def is_every(self) -> bool:
        """Return whether all languages are meant."""
        return self.name == ALL_LANGUAGES_PARAM.name


ALL_LANGUAGES_PARAM: Final = LanguageParam("0")


class CountedLanguage(Language, frozen=True):
    """A language with the number of its words."""

    words: int


def list_languages(reader: Reader) -> tuple[CountedLanguage, ...]:
    """List the languages by ID, each with the number of its words."""
    counts = totals.word_counts(reader)
    return tuple(
        CountedLanguage(**msgspec.structs.asdict(language), words=counts.get(language.id, 0))
        for language in reader.catalogue.languages
    )


def list_items(reader: Reader, name: ListName) -> tuple[ListItem, ...]:
    """List the values of a lookup list in their stored order."""
    return reader.catalogue.items_of(name)


def list_named(name: str, parameter: str = "type") -> ListName:
    """Find a lookup list by name, ignoring case. Raises InputError, which lists all names."""
    try:
        return ListName(name.upper())
    except ValueError:
        names = ", ".join(ListName)
        raise InputError.of(
            parameter, sentence("`%(parameter)s` must be one of %(names)s.", parameter=parameter, names=names)
        ) from None


def find_language_id(reader: Reader, language: LanguageParam) -> int:
    """Find the ID of a requested language by ID or code; 0 for all languages. Raises InputError."""
    if language.name and not language.name.strip("0"):
        return ALL_LANGUAGES
    found = reader.catalogue.find_language(language.name)
    if found is None:
        raise InputError.of(
            language.parameter,
            sentence(
                "`%(parameter)s` is not a language of this dictionary; see /api/languages for IDs and codes.",
                parameter=language.parameter,
            ),
        )
    return found.id


def find_language_ids(reader: Reader, parameter: str, names: str, most: int | None = None) -> tuple[int, ...]:
    """Find the IDs of languages in a comma-separated text, each once; 0 stands for all languages.

    Raises InputError for `parameter`.
    """
    given = names_of(names)
    if most is not None and len(given) > most:
        raise InputError.of(
            parameter,
            sentence(
                "`%(parameter)s` may name at most %(most_languages)s languages.",
                parameter=parameter,
                most_languages=most,
            ),
        )
    found: list[int | None] = []
    for name in given:
        language = reader.catalogue.find_language(name)
        means_all = name and not name.strip("0")
        found.append(ALL_LANGUAGES if means_all else None if language is None else language.id)
    if None in found:
        raise InputError.of(
            parameter,
            sentence(
                "`%(parameter)s` must name languages of this dictionary, separated by commas: /api/languages lists "
                "their IDs and codes.",
                parameter=parameter,
            ),
        )
    return tuple(dict.fromkeys(language_id for language_id in found if language_id is not None))


def read_word_fields(reader: Reader, fields: FieldParams) -> Selection | None:
    """Resolve the fields of words that a request selects; return None for all. Raises InputError."""
    if fields == ALL:
        return None
    return select_of_words(fields.fields, _find_language_set(reader, fields.langs))


def read_coded_word_fields(reader: Reader, fields: FieldParams) -> tuple[Selection | None, tuple[int, ...]]:
    """Resolve the fields of coded words and the languages of their texts, in their order. Raises InputError."""
    found = () if fields.langs is None else find_language_ids(reader, LANGS, fields.langs)
    languages = () if ALL_LANGUAGES in found else found
    return select_of_coded_words(fields.fields, frozenset(languages) or None), languages


def read_idea_fields(reader: Reader, fields: FieldParams) -> Selection | None:
    """Resolve the fields of ideas that a request selects; return None for all. Raises InputError."""
    return select_of_ideas(fields.fields, _find_language_set(reader, fields.langs))


def _find_language_set(reader: Reader, names: str | None) -> frozenset[int] | None:
    """Find languages by IDs or codes; return None if the list is absent or contains 0. Raises InputError."""
    if names is None:
        return None
    found = frozenset(find_language_ids(reader, LANGS, names))
    return None if ALL_LANGUAGES in found else found


def find_item_id(reader: Reader, list_name: ListName, parameter: str, name: str) -> int | None:
    """Find the ID of a list value by its ID or text; return None for an empty name. Raises InputError."""
    if not name:
        return None
    number = read_number(name)
    item = reader.catalogue.item(list_name, name) if number is None else None
    item_id = item.id if item else number
    if reader.catalogue.named(list_name, item_id) is None:
        raise InputError.of(
            parameter,
            sentence(
                "`%(parameter)s` is not an ID or value in the list: see /api/get-list.php?type=%(list_name)s.",
                parameter=parameter,
                list_name=list_name.value,
            ),
        )
    return item_id


def find_pos_id(reader: Reader, parameter: str, name: str) -> int | None:
    """Find the ID of a part of speech like `find_item_id`; NO_PART_OF_SPEECH for the unassigned value."""
    item_id = find_item_id(reader, ListName.PARTS_OF_SPEECH, parameter, name)
    item = reader.catalogue.item_of_id(ListName.PARTS_OF_SPEECH, item_id) if item_id else None
    return NO_PART_OF_SPEECH if item and is_unassigned(item) else item_id


def with_those_below(reader: Reader, list_name: ListName, item_id: int) -> tuple[int, ...]:
    """Return the ID of a tree value, followed by the IDs of all its descendants."""
    found, items = {item_id: None}, reader.catalogue.items_of(list_name)
    for above in (waiting := [item_id]):
        below = [each.id for each in items if each.parent_id == above and each.id not in found]
        found |= dict.fromkeys(below)
        waiting += below
    return tuple(found)


def find_pos_ids(reader: Reader, parameter: str, name: str) -> tuple[int, ...] | None:
    """Find the IDs of parts of speech by ID or code; return None (all) for 0 or an empty name. Raises InputError."""
    if not name.strip("0"):
        return None
    found = find_parts_of_speech(reader.catalogue.items_of(ListName.PARTS_OF_SPEECH), name)
    if found is None:
        raise InputError.of(
            parameter,
            sentence(
                "`%(parameter)s` is not a part of speech: /api/get-list.php?type=POS lists their IDs and codes.",
                parameter=parameter,
            ),
        )
    return found
