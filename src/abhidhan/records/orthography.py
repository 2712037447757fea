"""Orthographies group the languages with the same key rules: keys are computed once per orthography."""

from collections.abc import Iterable, Mapping
from typing import Final, Generic, NamedTuple, TypeVar

from abhidhan.records.languages import Language
from assamese.inflection import LANGUAGES_WITH_RULES
from assamese.keys import LANGUAGE_LETTERS
from assamese.language_rules import ARTICLE_PATTERNS
from assamese.normalization import Script

V = TypeVar("V")

FOLDING_LANGUAGES: Final = frozenset({*LANGUAGE_LETTERS, *ARTICLE_PATTERNS})
"""The codes of the languages whose keys fold letters or drop articles by rules of their own (`assamese/keys.py`)."""

ASSAMESE_LETTERS: Final = frozenset("ৰৱ")
"""Letters of Eastern Nagari that are missing in languages with their own letters, such as Bengali."""

INDIC_SCRIPTS: Final = frozenset({Script.EASTERN_NAGARI, Script.DEVANAGARI})
"""Scripts whose sound keys have the same notation as those of Roman input."""


class Orthography(NamedTuple):
    """The properties of a language that determine the keys of its texts.

    `folding` is a code in FOLDING_LANGUAGES, or "" for the general rules.
    """

    folding: str
    is_indic: bool
    has_assamese_letters: bool

    @property
    def has_articles(self) -> bool:
        """True if keys omit the article of a word."""
        return self.folding in ARTICLE_PATTERNS


class Orthographies:
    """The orthographies of a set of languages: those of the dictionary or, with `is_single`, the one of the request."""

    __slots__ = ("_assamese_letter_members", "by_language", "has_indic", "inflecting_languages", "is_single", "members")

    def __init__(self, languages: Iterable[Language], *, is_single: bool = False) -> None:
        """Initialise with languages; with `is_single`, the request is limited to one language."""
        all_languages = tuple(languages)
        self.is_single = is_single
        self.by_language: Mapping[int, Orthography] = {
            language.id: _build_orthography(language) for language in all_languages
        }
        self.members = frozenset(self.by_language.values())
        self.has_indic = any(each.is_indic for each in self.members)
        self.inflecting_languages = tuple(
            language for language in all_languages if language.code in LANGUAGES_WITH_RULES
        )
        """The languages with inflection rules."""
        self._assamese_letter_members = frozenset(each for each in self.members if each.has_assamese_letters)

    def possible_for(self, text: str) -> frozenset[Orthography]:
        """Return the possible orthographies of a text: if it contains ৰ or ৱ, only those that have these letters.

        With `is_single`, this is always the orthography of the language.
        """
        if self.is_single or ASSAMESE_LETTERS.isdisjoint(text):
            return self.members
        return self._assamese_letter_members


class OrthographyValues(NamedTuple, Generic[V]):
    """A value, such as a key, for each possible orthography of a text."""

    orthographies: Orthographies
    values: Mapping[Orthography, V]

    def get(self, language_id: int, default: V) -> V:
        """Return the value for a language, or `default`."""
        orthography = self.orthographies.by_language.get(language_id)
        return default if orthography is None else self.values.get(orthography, default)

    def values_for_any_language(self) -> list[V]:
        """Return the values by which words of any language are looked up.

        Without its article a text is a different word in most languages, so values of orthographies with articles are
        omitted unless the request is limited to one language.
        """
        is_single = self.orthographies.is_single
        return [value for each, value in self.values.items() if is_single or not each.has_articles]

    def is_possible_language(self, language_id: int) -> bool:
        """Return whether a text may be in a language. True for languages without a known orthography."""
        orthography = self.orthographies.by_language.get(language_id)
        return orthography is None or orthography in self.values


def _build_orthography(language: Language) -> Orthography:
    return Orthography(
        language.code if language.code in FOLDING_LANGUAGES else "",
        language.script in INDIC_SCRIPTS,
        language.script == Script.EASTERN_NAGARI
        and ASSAMESE_LETTERS.isdisjoint(map(chr, LANGUAGE_LETTERS.get(language.code, ()))),
    )
