"""What each language says of itself, its letters and endings: a file a language (`tables/languages/CODE.toml`)."""

import re
from collections.abc import Mapping
from typing import Final

import msgspec

from assamese.tables import read_tables

Ending = str | tuple[str, tuple[str, ...]]
"""An ending that is taken off; or with what may stand there in the headword instead, the likeliest first."""


class Layer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Endings of one kind, of which a form has one or none: after any letter, or only after a vowel or a consonant."""

    any: tuple[Ending, ...] = ()
    after_vowel: tuple[Ending, ...] = ()
    after_consonant: tuple[Ending, ...] = ()


class Forms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the inflected forms of a language are made, from the last ending to the first.

    `least_stem` counts letters, and signs, that must be left before an ending. `vowels` are the letters and signs that
    count as vowels; "" stands for those of Latin, Eastern Nagari and Devanagari. After one of `doubling` an ending
    whose replacement is `=` also takes one of two equal letters off (English running). `irregular` forms are like no
    rule, and are looked for first; the endings of `after_irregular` follow them too (English mice's).
    """

    least_stem: int = 2
    as_listed: bool = False
    """Whether stems are tried in the order of the table; otherwise the longest comes first."""
    vowels: str = ""
    doubling: str = ""
    endings: tuple[Layer, ...] = ()
    endings_of_verbs: tuple[Layer, ...] = ()
    after_irregular: tuple[str, ...] = ()
    irregular: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)


class Phrases(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The function words by which two phrases of the same words differ.

    `before_verbs` stand before a verb that is named; `last_particles` are those that people leave off a phrase (in
    front of). `genitive` is the ending of an owner (spider's web) and `possessive` the word between what is owned and
    its owner (part of the body).
    """

    articles: tuple[str, ...] = ()
    before_verbs: tuple[str, ...] = ()
    last_particles: tuple[str, ...] = ()
    genitive: str = ""
    possessive: str = ""


Pairs = tuple[tuple[str, str], ...]


class Examples(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the rules of a language are tried with, by tests.

    Words in alphabetical order; spellings that are one when words are found, and such as are not; forms, each with a
    word that it is a form of, and texts, each with a word that it is no form of.
    """

    order: tuple[str, ...] = ()
    same: Pairs = ()
    different: Pairs = ()
    forms: Pairs = ()
    not_forms: Pairs = ()


class LanguageRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a language has that others have not.

    `letters` are those that it reads as others when words are found: of a loose key, what each becomes. `alphabet` is
    for a language without an order in CLDR: its letters in their order, small, between spaces; several characters may
    be one letter. `last_letters` stand at the end of its alphabet, where CLDR's index writes them as a lone sign.
    `articles` stand before a noun as words of their own: order and look-up ignore them at the start of a headword.
    """

    letters: dict[str, str] = msgspec.field(default_factory=dict)
    alphabet: str = ""
    last_letters: tuple[str, ...] = ()
    articles: tuple[str, ...] = ()
    forms: Forms = Forms()
    phrases: Phrases = Phrases()
    examples: Examples = Examples()

    def __post_init__(self) -> None:
        """Check what the types do not. Raises ValueError, which names the key in backquotes."""
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
"""The rules of each language that has any, by its BCP 47 code."""

ARTICLES: Final[Mapping[str, re.Pattern[str]]] = {
    code: re.compile(rf"^(?:{'|'.join(rules.articles)})\s+(?=[^\x00-@\[-`{{-\x7f])", re.IGNORECASE)
    for code, rules in LANGUAGE_RULES.items()
    if rules.articles
}
"""Of each language with articles that are ignored, an expression that finds one before a word, and the space behind."""


def without_article(text: str, language: str) -> str:
    """Remove an article at the start of a text of `language` (BCP 47), if a word follows: Khasi ka sim is sim."""
    article = ARTICLES.get(language)
    return article.sub("", text) if article else text
