"""What an answer is to hold, as a request names it: keys, which the records know, and languages, which the data do."""

from abhidhan.domain.languages import ALL_LANGUAGES
from abhidhan.domain.selection import (
    LANGS,
    Choice,
    Selection,
    select_of_coded_words,
    select_of_ideas,
    select_of_words,
)
from abhidhan.services.dictionary.lists import find_language_ids
from abhidhan.storage.engine.reader import Reader


def read_selection_of_words(reader: Reader, choice: Choice) -> Selection | None:
    """Read what is chosen of words; None for all. Raises InputError."""
    return select_of_words(choice.fields, _language_ids(reader, choice.langs))


def read_selection_of_coded_words(reader: Reader, choice: Choice) -> tuple[Selection | None, tuple[int, ...]]:
    """Read what is chosen of words with codes, and the languages of their texts, in their order. Raises InputError."""
    found = () if choice.langs is None else find_language_ids(reader, LANGS, choice.langs)
    languages = () if ALL_LANGUAGES in found else found
    return select_of_coded_words(choice.fields, frozenset(languages) or None), languages


def read_selection_of_ideas(reader: Reader, choice: Choice) -> Selection | None:
    """Read what is chosen of ideas; None for all. Raises InputError."""
    return select_of_ideas(choice.fields, _language_ids(reader, choice.langs))


def _language_ids(reader: Reader, names: str | None) -> frozenset[int] | None:
    """Find the languages that a list names by ID or code; None where it is absent or names 0. Raises InputError."""
    if names is None:
        return None
    found = frozenset(find_language_ids(reader, LANGS, names))
    return None if ALL_LANGUAGES in found else found
