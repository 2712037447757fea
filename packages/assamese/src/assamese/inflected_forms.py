"""The forms of a word: those that are stored with it, and those that rules make, told apart."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum
from itertools import groupby
from typing import Final

import msgspec

from assamese.conjugation import cells_of_verbs
from assamese.keys import exact_key
from assamese.paradigms import Cell, Headword, Kind, Label, cells_of_nouns, cells_of_pronouns

NOUNS: Final = frozenset({Kind.COMMON_NOUN, Kind.MATERIAL_NOUN, Kind.OTHER_NOUN})
VERBS: Final = frozenset({Kind.TRANSITIVE, Kind.OTHER_VERB})


class Origin(Enum):
    """Where a form is from: stored with the word by an editor or an import, or made by rule."""

    STORED = "stored"
    RULE = "rule"


class FormLabels(msgspec.Struct, frozen=True):
    """What a form is, in English and in Assamese; empty where nobody said."""

    en: str
    as_: str = msgspec.field(name="as")


class WordForm(msgspec.Struct, frozen=True):
    """A form of a word. A form that is stored and that the rules make, too, is stored, and has the rules' labels."""

    form: str
    roman: str | None
    labels: FormLabels
    origin: Origin


class WordForms(msgspec.Struct, frozen=True):
    """All forms of a word."""

    word_id: int
    data: tuple[WordForm, ...]


class FormLine(msgspec.Struct, frozen=True):
    """A line of a part of the tables: what its forms are, and each with whether it is stored."""

    label: Label
    forms: tuple[tuple[str, bool], ...]


class FormTable(msgspec.Struct, frozen=True):
    """A part of the tables of a word; that of stored forms that nobody labelled has no label."""

    label: Label | None
    lines: tuple[FormLine, ...]


def kinds_of(parts_of_speech: Iterable[tuple[str, str | None]]) -> frozenset[Kind]:
    """Return what a word may be by its parts of speech, each given as value and code: ("Common Noun", "Noun")."""
    kinds = (_kind_of(value, code or value) for value, code in parts_of_speech)
    return frozenset(kind for kind in kinds if kind is not None)


def _kind_of(value: str, code: str) -> Kind | None:
    if code == "Noun":
        return _NOUNS_BY_VALUE.get(value, Kind.OTHER_NOUN)
    if code == "Verb":
        return Kind.TRANSITIVE if value == "Transitive" else Kind.OTHER_VERB
    return Kind.PRONOUN if code == "Pronoun" else None


_NOUNS_BY_VALUE: Final = {"Common Noun": Kind.COMMON_NOUN, "Material Noun": Kind.MATERIAL_NOUN}


def cells_of(word: Headword) -> list[Cell]:
    """List the forms of an Assamese word by rule, in the order of the tables."""
    return list(_cells_of(word))


def has_form(word: Headword, key: str) -> bool:
    """Return whether the tables of an Assamese word have a form with an exact key."""
    return any(exact_key(cell.form) == key for cell in _cells_of(word))


def _cells_of(word: Headword) -> Iterator[Cell]:
    if word.kinds & NOUNS:
        yield from cells_of_nouns(word)
    if Kind.PRONOUN in word.kinds:
        yield from cells_of_pronouns(word)
    if word.kinds & VERBS:
        yield from cells_of_verbs(word)


def forms_of(
    cells: Iterable[Cell], stored: Mapping[str, str], romanized: Callable[[str], str | None]
) -> Iterator[WordForm]:
    """List the forms by rule and those stored, which are given as tags by their exact keys; `romanized` tells how.

    A tag (UniMorph's, `N;GEN;SG`) is the label of a stored form that no rule makes.
    """
    made = list(cells)
    for cell in made:
        origin = Origin.STORED if _is_stored(cell.form, stored) else Origin.RULE
        labels = FormLabels(*(": ".join(texts) for texts in zip(*cell.labels, strict=True)))
        yield WordForm(cell.form, romanized(cell.form), labels, origin)
    for key in _beside(made, stored):
        yield WordForm(key, romanized(key), FormLabels(stored[key], stored[key]), Origin.STORED)


def tables_of(cells: Iterable[Cell], stored: Mapping[str, str]) -> tuple[FormTable, ...]:
    """Arrange the forms as tables, a part and a line each; stored forms that no rule makes come last."""
    made = list(cells)
    tables = [
        FormTable(part, tuple(_lines(of_part, stored)))
        for part, of_part in groupby(made, key=lambda cell: cell.labels[0])
    ]
    of_tag: dict[str, list[str]] = {}
    for key in _beside(made, stored):
        of_tag.setdefault(stored[key], []).append(key)
    lines = tuple(FormLine(Label(tag, tag), tuple((key, True) for key in keys)) for tag, keys in of_tag.items())
    return (*tables, *([FormTable(None, lines)] if lines else []))


def _lines(cells: Iterable[Cell], stored: Mapping[str, str]) -> Iterator[FormLine]:
    for label, of_line in groupby(cells, key=lambda cell: cell.labels[1]):
        yield FormLine(label, tuple((cell.form, _is_stored(cell.form, stored)) for cell in of_line))


def _beside(cells: Iterable[Cell], stored: Mapping[str, str]) -> Iterator[str]:
    """List the keys of the stored forms that no rule makes."""
    keys = {exact_key(cell.form) for cell in cells} if stored else set()
    return (key for key in stored if key not in keys)


def _is_stored(form: str, stored: Mapping[str, str]) -> bool:
    # Most words have no stored forms, and to make the keys of fifty forms takes a millisecond.
    return bool(stored) and exact_key(form) in stored
