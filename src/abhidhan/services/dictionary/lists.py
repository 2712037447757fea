"""Lookup lists and languages, as people and programs pick from them."""

import msgspec

from abhidhan.domain.languages import ALL_LANGUAGES, Language
from abhidhan.domain.lists import ListItem, ListName
from abhidhan.errors import InputError, sentence
from abhidhan.storage import languages
from abhidhan.storage.engine.reader import Reader


class CountedLanguage(Language, frozen=True):
    """A language with the number of its words."""

    words: int


def list_languages(reader: Reader) -> tuple[CountedLanguage, ...]:
    """List the languages by ID, each with the number of its words."""
    counts = languages.word_counts(reader)
    return tuple(
        CountedLanguage(**msgspec.structs.asdict(language), words=counts.get(language.id, 0))
        for language in reader.catalogue.languages
    )


def list_items(reader: Reader, name: ListName) -> tuple[ListItem, ...]:
    """List the values of a lookup list in their own order."""
    return reader.catalogue.items_of(name)


def list_named(name: str) -> ListName:
    """Find a lookup list by its name, letter case aside. Raises InputError that tells all names."""
    try:
        return ListName(name.upper())
    except ValueError:
        names = ", ".join(ListName)
        raise InputError.of(
            "type", sentence("`%(parameter)s` must be one of %(names)s.", parameter="type", names=names)
        ) from None


def find_language_id(reader: Reader, parameter: str, name: str) -> int:
    """Find the ID of a language named by ID or code. Raises InputError for `parameter`."""
    if name and not name.strip("0"):
        return ALL_LANGUAGES
    language = reader.catalogue.find_language(name)
    if language is None:
        raise InputError.of(
            parameter,
            sentence(
                "`%(parameter)s` is not a language of this dictionary: /api/languages lists their IDs and codes.",
                parameter=parameter,
            ),
        )
    return language.id


def check_part_of_speech(reader: Reader, parameter: str, pos_id: int | None) -> None:
    """Make sure that a part of speech exists. Raises InputError for `parameter`."""
    if pos_id is not None and reader.catalogue.named(ListName.PARTS_OF_SPEECH, pos_id) is None:
        raise InputError.of(
            parameter,
            sentence(
                "`%(parameter)s` is not a part of speech: /api/get-list.php?type=POS lists their IDs.",
                parameter=parameter,
            ),
        )
