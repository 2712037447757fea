"""The few ways in which languages are written: keys are made for each way, not for each of a thousand languages."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final, Generic, NamedTuple, TypeVar

from abhidhan.domain.languages import Language
from abhidhan.domain.text.inflection import languages_with_rules
from abhidhan.domain.text.keys import OWN_LETTERS
from abhidhan.domain.text.normal import Script

V = TypeVar("V")
W = TypeVar("W")

OWN_FOLDING: Final = frozenset(OWN_LETTERS)
"""The languages that fold letters otherwise than all others do (`domain/text/keys.py`)."""

ASSAMESE_LETTERS: Final = frozenset("ৰৱ")
"""Letters of Eastern Nagari that languages with letters of their own have not, as Bengali."""

INDIC_SCRIPTS: Final = frozenset({Script.EASTERN_NAGARI, Script.DEVANAGARI})
"""Scripts whose sound keys share one notation with those of Roman input."""


class Orthography(NamedTuple):
    """How a language is written, as far as keys tell: languages with the same have the same key for a text.

    `folding` names the rules by which letters fold: a code of OWN_FOLDING, or nothing.
    """

    folding: str
    is_indic: bool
    has_assamese_letters: bool


class Orthographies:
    """How each of some languages is written."""

    __slots__ = ("_of", "are_any_indic", "every", "inflecting", "is_of_one")

    def __init__(self, languages: Iterable[Language], *, is_of_one: bool = False) -> None:
        """Look at each language once; `is_of_one` tells that somebody has named the one language that counts."""
        some = tuple(languages)
        self.is_of_one = is_of_one
        self._of = {language.id: _orthography(language) for language in some}
        self.every = frozenset(self._of.values())
        self.are_any_indic = any(each.is_indic for each in self.every)
        self.inflecting = tuple(language for language in some if language.code in languages_with_rules)
        """The languages whose rules of inflection are known."""

    def of(self, language_id: int) -> Orthography | None:
        """Return how a language is written; None for one that is not among them."""
        return self._of.get(language_id)


class ByOrthography(Generic[V]):
    """What a text is under each way of writing, found by the ID of a language."""

    __slots__ = ("_orthographies", "_values")

    def __init__(self, orthographies: Orthographies, values: Mapping[Orthography, V]) -> None:
        """Take the values; a way of writing without one cannot be that of the text."""
        self._orthographies = orthographies
        self._values = values

    def of(self, language_id: int, otherwise: V) -> V:
        """Return the value for a language, or another one where it has none."""
        orthography = self.way(language_id)
        return otherwise if orthography is None else self._values.get(orthography, otherwise)

    def is_way_of(self, language_id: int) -> bool:
        """Return whether a text may be in a language; True for languages that were not asked for."""
        orthography = self.way(language_id)
        return orthography is None or orthography in self._values

    def way(self, language_id: int) -> Orthography | None:
        """Return how a language is written; None for one that is not among those asked for."""
        return self._orthographies.of(language_id)

    def each(self, change: Callable[[V], W]) -> "ByOrthography[W]":
        """Apply a function to each value."""
        return ByOrthography(self._orthographies, {way: change(value) for way, value in self._values.items()})

    def values(self) -> Iterable[V]:
        """Yield the value of each way of writing."""
        return self._values.values()


def _orthography(language: Language) -> Orthography:
    return Orthography(
        language.code if language.code in OWN_FOLDING else "",
        language.script in INDIC_SCRIPTS,
        language.script == Script.EASTERN_NAGARI
        and ASSAMESE_LETTERS.isdisjoint(map(chr, OWN_LETTERS.get(language.code, ()))),
    )
