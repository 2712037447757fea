"""The forms of a word: those that are stored with it, and those that rules make, told apart."""

from collections.abc import Iterable, Mapping
from typing import Final

import msgspec

from abhidhan.domain.text.conjugation import cells_of_verbs
from abhidhan.domain.text.keys import exact_key
from abhidhan.domain.text.paradigms import Cell, Headword, Kind, cells_of_nouns, cells_of_pronouns

NOUNS: Final = frozenset({Kind.COMMON_NOUN, Kind.OTHER_NOUN})
VERBS: Final = frozenset({Kind.TRANSITIVE, Kind.OTHER_VERB})
STORED: Final = "stored"
BY_RULE: Final = "rule"


class FormLabels(msgspec.Struct, frozen=True):
    """What a form is, in English and in Assamese: the part of the table, and what it is there; empty if not known."""

    en: tuple[str, ...]
    as_: tuple[str, ...] = msgspec.field(name="as")


def kinds_of(parts_of_speech: Iterable[tuple[str, str | None]]) -> frozenset[Kind]:
    """Return what a word may be by its parts of speech, each given as value and code: ("Common Noun", "Noun")."""
    kinds = (_kind_of(value, code or value) for value, code in parts_of_speech)
    return frozenset(kind for kind in kinds if kind is not None)


def _kind_of(value: str, code: str) -> Kind | None:
    if code == "Noun":
        return Kind.COMMON_NOUN if value == "Common Noun" else Kind.OTHER_NOUN
    if code == "Verb":
        return Kind.TRANSITIVE if value == "Transitive" else Kind.OTHER_VERB
    return Kind.PRONOUN if code == "Pronoun" else None


def cells_of(word: Headword) -> list[Cell]:
    """List the forms of an Assamese word by rule, in the order of the tables."""
    cells: list[Cell] = []
    if word.kinds & NOUNS:
        cells += cells_of_nouns(word)
    if Kind.PRONOUN in word.kinds:
        cells += cells_of_pronouns(word)
    if word.kinds & VERBS:
        cells += cells_of_verbs(word)
    return cells
