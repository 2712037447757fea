"""Selection of the keys and languages of words, meanings and ideas in responses."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple, TypeVar

import msgspec

from abhidhan.records.errors import InputError
from abhidhan.records.ideas import Idea
from abhidhan.records.words import Meaning, Word

T = TypeVar("T", bound=msgspec.Struct)

FIELDS: Final = "fields"
LANGS: Final = "langs"
MEANINGS: Final = "meanings"
TRANSLATIONS: Final = "translations"
DEFINITIONS: Final = "definitions"

WORD_KEYS: Final = Word.__struct_fields__
MEANING_KEYS: Final = Meaning.__struct_fields__
IDEA_KEYS: Final = Idea.__struct_fields__

KEYS_OF_WORDS: Final = tuple(dict.fromkeys((*WORD_KEYS, *MEANING_KEYS)))
"""Names accepted by `fields` for words."""

TEXT: Final = "text"
"""Key of the one-line description of a meaning in coded words."""

POS_OF_CODED: Final = ("posDesc", "posID")
"""Keys included with `pos` in coded words."""

KEYS_OF_CODED_WORDS: Final = (*KEYS_OF_WORDS, TEXT)
"""Names accepted by `fields` for coded words."""

_OF_MEANINGS_ALONE: Final = frozenset({*MEANING_KEYS, TEXT}) - frozenset(WORD_KEYS)


class FieldParams(msgspec.Struct, frozen=True):
    """Fields and languages that a request selects; None: all."""

    fields: str | None = None
    langs: str | None = None


ALL: Final = FieldParams()


class Selection(NamedTuple):
    """Selected keys of records and of meanings, and languages (None: all) of translations and definitions.

    Without keys of meanings, there are no meanings.
    """

    keys: frozenset[str]
    of_meanings: frozenset[str] = frozenset()
    languages: frozenset[int] | None = None


def select_of_words(fields: str | None, languages: frozenset[int] | None) -> Selection | None:
    """Return the selection for words; None for everything. Raises InputError.

    A key of meanings implies `meanings`, which alone means all of their keys. `pos`, a key of both, applies to the
    word, and also to the meanings if any of their keys are selected.
    """
    if fields is None and languages is None:
        return None
    named = None if fields is None else _names_in(names_of(fields), KEYS_OF_WORDS)
    return _select(named, frozenset(MEANING_KEYS), languages)


def select_of_coded_words(fields: str | None, languages: frozenset[int] | None) -> Selection | None:
    """Return the selection for coded words; None for everything. Raises InputError.

    `text`, a key of meanings, is accepted too. `pos` includes its name and ID, which cannot be selected alone.
    """
    if fields is None and languages is None:
        return None
    return _select(None if fields is None else _names_of_coded(fields), frozenset({*MEANING_KEYS, TEXT}), languages)


def _names_of_coded(fields: str) -> frozenset[str]:
    names = names_of(fields)
    if not {*names}.isdisjoint(POS_OF_CODED) and "pos" not in names:
        raise InputError.of(FIELDS, f"`{FIELDS}` must contain `pos`, which includes `posDesc` and `posID`.")
    return _names_in([name for name in names if name not in POS_OF_CODED], KEYS_OF_CODED_WORDS)


def _select(
    named: frozenset[str] | None, keys_of_meanings: frozenset[str], languages: frozenset[int] | None
) -> Selection:
    """Return the selection for names of keys; None selects all keys."""
    if named is None:
        return Selection(frozenset(WORD_KEYS), keys_of_meanings, languages)
    of_meanings = named & keys_of_meanings if named & _OF_MEANINGS_ALONE else frozenset()
    if MEANINGS in named and not of_meanings:
        of_meanings = keys_of_meanings
    keys = named & frozenset(WORD_KEYS)
    return Selection(keys | {MEANINGS} if of_meanings else keys, of_meanings, languages)


def select_of_ideas(fields: str | None, languages: frozenset[int] | None) -> Selection | None:
    """Return the selection for an idea; None for everything. Raises InputError."""
    if fields is None:
        return None if languages is None else Selection(frozenset(IDEA_KEYS), languages=languages)
    return Selection(_names_in(names_of(fields), IDEA_KEYS), languages=languages)


def names_of(text: str) -> list[str]:
    """Split a comma-separated list of names."""
    return [name.strip() for name in text.split(",")]


def _names_in(given: Sequence[str], known: tuple[str, ...]) -> frozenset[str]:
    """Check the names of keys. Raises InputError, which lists the valid names."""
    names = frozenset(given)
    if not names <= set(known):
        listed = ", ".join(known)
        raise InputError.of(FIELDS, f"`{FIELDS}` must be keys of the response, separated by commas: {listed}.")
    return names


def select_fields(words: Sequence[T], selection: Selection | None) -> Sequence[T]:
    """Drop the unselected keys of words; keys beyond WORD, such as the match, stay."""
    if selection is None:
        return words
    left_out = _left_out(WORD_KEYS, selection.keys)
    return tuple([msgspec.structs.replace(word, **left_out) for word in words])


def select_idea_fields(idea: Idea, selection: Selection | None) -> Idea:
    """Drop the unselected keys of an idea."""
    return idea if selection is None else msgspec.structs.replace(idea, **_left_out(IDEA_KEYS, selection.keys))


@lru_cache(maxsize=256)
def _left_out(known: tuple[str, ...], selected: frozenset[str]) -> dict[str, msgspec.UnsetType]:
    """Map the unselected keys to UNSET, which is not encoded."""
    return {key: msgspec.UNSET for key in known if key not in selected}
