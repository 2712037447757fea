"""Selection of the keys and languages of words, meanings and ideas in responses."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple, TypeVar

import msgspec

from abhidhan.records.errors import InputError
from abhidhan.records.ideas import Idea
from abhidhan.records.words import Meaning, Word

T = TypeVar("T", bound=msgspec.Struct)

FIELDS_PARAM: Final = "fields"
LANGS_PARAM: Final = "langs"
MEANINGS_KEY: Final = "meanings"
TRANSLATIONS_KEY: Final = "translations"
DEFINITIONS_KEY: Final = "definitions"

WORD_KEYS: Final = Word.__struct_fields__
MEANING_KEYS: Final = Meaning.__struct_fields__
IDEA_KEYS: Final = Idea.__struct_fields__

WORD_FIELD_NAMES: Final = tuple(dict.fromkeys((*WORD_KEYS, *MEANING_KEYS)))
"""Names accepted by `fields` for words."""

TEXT_KEY: Final = "text"
"""Key of the one-line description of a meaning, in the word format of XOBDO."""

CODED_POS_KEYS: Final = ("posDesc", "posID")
"""Keys included with `pos` in the word format of XOBDO."""

CODED_WORD_FIELD_NAMES: Final = (*WORD_FIELD_NAMES, TEXT_KEY)
"""Names accepted by `fields` for words in the format of XOBDO."""

_MEANING_ONLY_KEYS: Final = frozenset({*MEANING_KEYS, TEXT_KEY}) - frozenset(WORD_KEYS)


class FieldParams(msgspec.Struct, frozen=True):
    """Fields and languages that a request selects; None: all."""

    fields: str | None = None
    langs: str | None = None


ALL_FIELDS: Final = FieldParams()


class FieldSelection(NamedTuple):
    """Selected keys of records and of meanings, and languages (None: all) of translations and definitions.

    Without keys of meanings, there are no meanings.
    """

    keys: frozenset[str]
    meaning_keys: frozenset[str] = frozenset()
    languages: frozenset[int] | None = None


def parse_word_fields(fields: str | None, languages: frozenset[int] | None) -> FieldSelection | None:
    """Return the selected keys and languages for words; None if all are selected. Raises InputError.

    A key of meanings implies `meanings`, which alone means all of their keys. `pos`, a key of both, applies to the
    word, and also to the meanings if any of their keys are selected.
    """
    if fields is None and languages is None:
        return None
    names = None if fields is None else _check_names(split_names(fields), WORD_FIELD_NAMES)
    return _build_selection(names, frozenset(MEANING_KEYS), languages)


def parse_coded_word_fields(fields: str | None, languages: frozenset[int] | None) -> FieldSelection | None:
    """Return the selection for words in the format of XOBDO; None if all is selected. Raises InputError.

    `text`, a key of meanings, is accepted too. `pos` includes its name and ID, which cannot be selected alone.
    """
    if fields is None and languages is None:
        return None
    return _build_selection(
        None if fields is None else _parse_coded_word_names(fields), frozenset({*MEANING_KEYS, TEXT_KEY}), languages
    )


def _parse_coded_word_names(fields: str) -> frozenset[str]:
    names = split_names(fields)
    if not {*names}.isdisjoint(CODED_POS_KEYS) and "pos" not in names:
        raise InputError.of(FIELDS_PARAM, f"`{FIELDS_PARAM}` must contain `pos`, which includes `posDesc` and `posID`.")
    return _check_names([name for name in names if name not in CODED_POS_KEYS], CODED_WORD_FIELD_NAMES)


def _build_selection(
    names: frozenset[str] | None, keys_of_meanings: frozenset[str], languages: frozenset[int] | None
) -> FieldSelection:
    """Build the selection of the named keys, or of all keys if `names` is None."""
    if names is None:
        return FieldSelection(frozenset(WORD_KEYS), keys_of_meanings, languages)
    selected_keys = names & keys_of_meanings if names & _MEANING_ONLY_KEYS else frozenset()
    if MEANINGS_KEY in names and not selected_keys:
        selected_keys = keys_of_meanings
    keys = names & frozenset(WORD_KEYS)
    return FieldSelection(keys | {MEANINGS_KEY} if selected_keys else keys, selected_keys, languages)


def parse_idea_fields(fields: str | None, languages: frozenset[int] | None) -> FieldSelection | None:
    """Return the selected keys and languages for an idea; None if all are selected. Raises InputError."""
    if fields is None:
        return None if languages is None else FieldSelection(frozenset(IDEA_KEYS), languages=languages)
    return FieldSelection(_check_names(split_names(fields), IDEA_KEYS), languages=languages)


def split_names(text: str) -> list[str]:
    """Split a comma-separated list of names."""
    return [name.strip() for name in text.split(",")]


def _check_names(requested: Sequence[str], valid_names: tuple[str, ...]) -> frozenset[str]:
    """Check the names of keys. Raises InputError, which lists the valid names."""
    names = frozenset(requested)
    if not names <= set(valid_names):
        valid_list = ", ".join(valid_names)
        raise InputError.of(
            FIELDS_PARAM, f"`{FIELDS_PARAM}` must be keys of the response, separated by commas: {valid_list}."
        )
    return names


def select_fields(words: Sequence[T], selection: FieldSelection | None) -> Sequence[T]:
    """Drop the unselected keys of words; keys that `Word` does not have, such as `match`, stay."""
    if selection is None:
        return words
    unset = _unset_keys(WORD_KEYS, selection.keys)
    return tuple([msgspec.structs.replace(word, **unset) for word in words])


def select_idea_fields(idea: Idea, selection: FieldSelection | None) -> Idea:
    """Drop the unselected keys of an idea."""
    return idea if selection is None else msgspec.structs.replace(idea, **_unset_keys(IDEA_KEYS, selection.keys))


@lru_cache(maxsize=256)
def _unset_keys(keys: tuple[str, ...], selected: frozenset[str]) -> dict[str, msgspec.UnsetType]:
    """Map the unselected keys to UNSET, which is not encoded."""
    return {key: msgspec.UNSET for key in keys if key not in selected}
