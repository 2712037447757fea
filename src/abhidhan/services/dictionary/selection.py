"""What an answer is to hold, as a request names it: keys, which the records know, and languages, which the data do."""

from abhidhan.domain.selection import LANGS, Choice, Selection, names_of, select_of_ideas, select_of_words
from abhidhan.errors import InputError
from abhidhan.storage.engine.reader import Reader


def read_selection_of_words(reader: Reader, choice: Choice) -> Selection | None:
    """Read what is chosen of words; None for all. Raises InputError."""
    return select_of_words(choice.fields, _language_ids(reader, choice.langs))


def read_selection_of_idea(reader: Reader, choice: Choice) -> Selection | None:
    """Read what is chosen of an idea; None for all. Raises InputError."""
    return select_of_ideas(choice.fields, _language_ids(reader, choice.langs))


def _language_ids(reader: Reader, names: str | None) -> frozenset[int] | None:
    """Find the languages that a list names by ID or code; None where it is absent or names 0. Raises InputError."""
    if names is None:
        return None
    listed = names_of(names)
    languages = [reader.catalogue.find_language(name) for name in listed if name.strip("0") or not name]
    found = frozenset([language.id for language in languages if language is not None])
    if None in languages:
        raise InputError.of(
            LANGS,
            f"`{LANGS}` must name languages of this dictionary, separated by commas: /api/languages lists their IDs "
            "and codes.",
        )
    return None if len(languages) < len(listed) else found
