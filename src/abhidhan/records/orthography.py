"""The few orthographies of languages: keys are made for each of them, not for each of a thousand languages."""

from collections.abc import Iterable, Mapping
from typing import Final, Generic, NamedTuple, TypeVar

from abhidhan.records.languages import Language
from assamese.inflection import languages_with_rules
from assamese.keys import OWN_LETTERS
from assamese.language_rules import ARTICLES
from assamese.normalization import Script

V = TypeVar("V")

OWN_FOLDING: Final = frozenset({*OWN_LETTERS, *ARTICLES})
"""The languages that fold texts otherwise than all others do: letters, or an article (`assamese/keys.py`)."""

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

    @property
    def has_articles(self) -> bool:
        """Whether keys leave an article out."""
        return self.folding in ARTICLES


class Orthographies:
    """The orthographies of some languages."""

    __slots__ = ("_with_assamese_letters", "are_any_indic", "by_language", "every", "inflecting", "is_of_one")

    def __init__(self, languages: Iterable[Language], *, is_of_one: bool = False) -> None:
        """Initialise with languages; `is_of_one`: the request names one language, and no other counts."""
        some = tuple(languages)
        self.is_of_one = is_of_one
        self.by_language: Mapping[int, Orthography] = {language.id: _orthography(language) for language in some}
        self.every = frozenset(self.by_language.values())
        self.are_any_indic = any(each.is_indic for each in self.every)
        self.inflecting = tuple(language for language in some if language.code in languages_with_rules)
        """The languages whose rules of inflection are known."""
        self._with_assamese_letters = frozenset(each for each in self.every if each.has_assamese_letters)

    def of_text(self, text: str) -> frozenset[Orthography]:
        """Return the orthographies of a text; if it has ৰ or ৱ, of several languages only those with these letters."""
        if self.is_of_one or ASSAMESE_LETTERS.isdisjoint(text):
            return self.every
        return self._with_assamese_letters


class ByOrthography(NamedTuple, Generic[V]):
    """The values of a text by orthography, found by language ID; an orthography without one cannot be the text's."""

    orthographies: Orthographies
    values: Mapping[Orthography, V]

    def of(self, language_id: int, otherwise: V) -> V:
        """Return the value for a language, or another one where it has none."""
        orthography = self.orthographies.by_language.get(language_id)
        return otherwise if orthography is None else self.values.get(orthography, otherwise)

    def of_any_word(self) -> list[V]:
        """List the values by which words are looked for before their language is known.

        Without an article a text is another word in most languages, so such a value is left out unless one language is
        asked for.
        """
        is_of_one = self.orthographies.is_of_one
        return [value for each, value in self.values.items() if is_of_one or not each.has_articles]

    def may_be_of(self, language_id: int) -> bool:
        """Return whether a text may be in a language; True for languages that are not among the orthographies."""
        orthography = self.orthographies.by_language.get(language_id)
        return orthography is None or orthography in self.values


def _orthography(language: Language) -> Orthography:
    return Orthography(
        language.code if language.code in OWN_FOLDING else "",
        language.script in INDIC_SCRIPTS,
        language.script == Script.EASTERN_NAGARI
        and ASSAMESE_LETTERS.isdisjoint(map(chr, OWN_LETTERS.get(language.code, ()))),
    )
