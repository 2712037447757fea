"""The rules of each language for letters, order and endings, one file per language (`tables/languages/CODE.toml`)."""

import re
from collections.abc import Mapping
from typing import Final

import msgspec

from assamese.tables import read_tables

Ending = str | tuple[str, tuple[str, ...]]
"""An ending, or an ending with its possible replacements in the headword, the likeliest first."""


class EndingLayer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Endings of which a form has at most one: after any letter, or only after a vowel or a consonant."""

    any: tuple[Ending, ...] = ()
    after_vowel: tuple[Ending, ...] = ()
    after_consonant: tuple[Ending, ...] = ()


class FormRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rules for inflected forms of a language, from the last ending to the first.

    `least_stem` is the minimum number of letters and signs before an ending. `vowels` are the letters and signs that
    count as vowels; "" means those of Latin, Eastern Nagari and Devanagari. After one of `doubling`, an ending whose
    replacement is `=` also removes one of two equal letters (English running). `irregular` forms are looked up first;
    the endings of `after_irregular` can follow them (English mice's).
    """

    least_stem: int = 2
    as_listed: bool = False
    """True if stems are ordered as their endings in the table; otherwise the longest stem comes first."""
    vowels: str = ""
    doubling: str = ""
    endings: tuple[EndingLayer, ...] = ()
    endings_of_verbs: tuple[EndingLayer, ...] = ()
    after_irregular: tuple[str, ...] = ()
    irregular: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)


class PhraseRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The function words by which variants of the same phrase differ.

    `before_verbs` precede a verb in its citation form; `last_particles` are often omitted at the end (in front of).
    `genitive` is the possessive ending (spider's web) and `possessive` the word between possession and possessor (part
    of the body).
    """

    articles: tuple[str, ...] = ()
    before_verbs: tuple[str, ...] = ()
    last_particles: tuple[str, ...] = ()
    genitive: str = ""
    possessive: str = ""


Pairs = tuple[tuple[str, str], ...]


class RuleExamples(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Examples by which tests check the rules of a language.

    Words in alphabetical order; spellings that the search treats as the same, and as different; forms, each with its
    word; and texts, each with a word that it is not a form of.
    """

    order: tuple[str, ...] = ()
    same: Pairs = ()
    different: Pairs = ()
    forms: Pairs = ()
    not_forms: Pairs = ()


class LanguageRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rules of one language that differ from the general ones.

    `letters` maps letters of a loose key to their replacements. `alphabet` is for a language without an order in CLDR:
    its lower-case letters in order, separated by spaces; a letter may have several characters. `last_letters` are
    added at the end of its alphabet if CLDR's index has them only as a lone sign. `articles` are separate words before
    a noun; sorting and look-up ignore them at the start of a headword.
    """

    letters: dict[str, str] = msgspec.field(default_factory=dict)
    alphabet: str = ""
    last_letters: tuple[str, ...] = ()
    articles: tuple[str, ...] = ()
    forms: FormRules = FormRules()
    phrases: PhraseRules = PhraseRules()
    examples: RuleExamples = RuleExamples()

    def __post_init__(self) -> None:
        """Validate the values. Raises ValueError with the name of the key in backquotes."""
        for letter in self.letters:
            if len(letter) != 1:
                raise ValueError(f"`letters`: {letter} is not one character")
        letters = self.alphabet.split()
        for letter in letters:
            if letters.count(letter) > 1 or letter != letter.lower():
                raise ValueError(f"`alphabet`: {letter} stands there twice, or is a capital")
        for article in self.articles:
            if not article.isalpha() or article != article.casefold():
                raise ValueError(f"`articles`: {article} is not one word in small letters")


LANGUAGE_RULES: Final[Mapping[str, LanguageRules]] = read_tables("languages", LanguageRules)
"""The rules of each language with a file, by BCP 47 code."""

ARTICLE_PATTERNS: Final[Mapping[str, re.Pattern[str]]] = {
    code: re.compile(rf"^(?:{'|'.join(rules.articles)})\s+(?=[^\x00-@\[-`{{-\x7f])", re.IGNORECASE)
    for code, rules in LANGUAGE_RULES.items()
    if rules.articles
}
"""For each language with ignored articles, an expression that matches one before a word, with the space after it."""


def strip_article(text: str, language: str) -> str:
    """Remove an article at the start of a text of `language` (BCP 47) if a word follows: sim for Khasi ka sim."""
    article = ARTICLE_PATTERNS.get(language)
    return article.sub("", text) if article else text
