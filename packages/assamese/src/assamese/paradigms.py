"""Inflection tables: the forms of a word by rule (`tables/paradigms.toml`), the other way round from `inflection`.

A form that is not certain is left out. The endings are those that `inflection` takes off.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from functools import cache
from typing import Final, NamedTuple

import msgspec

from assamese.inflection import classifiers_and_plurals
from assamese.normalization import nfc
from assamese.tables import read_table

LONGEST_HEADWORD: Final = 40
"""Letters; longer ones are sayings, whose last word says nothing of how they are inflected."""


FEW: Final = "কেই"
"""What stands before a classifier where there are a few."""


class Kind(Enum):
    """What a word is, as far as its forms go."""

    COMMON_NOUN = "common noun"
    MATERIAL_NOUN = "material noun"
    OTHER_NOUN = "other noun"
    PRONOUN = "pronoun"
    TRANSITIVE = "transitive verb"
    OTHER_VERB = "other verb"


COUNTED_NOUNS: Final = frozenset({Kind.COMMON_NOUN, Kind.MATERIAL_NOUN})
"""Nouns that are counted unless their entry says that they are not."""


class Label(NamedTuple):
    """What a form is, in English and in Assamese."""

    english: str
    assamese: str


class Cell(NamedTuple):
    """A form, and what it is: the part of the table and the line in it."""

    labels: tuple[Label, Label]
    form: str


class Headword(NamedTuple):
    """What is known of a word: what it may be, its endings as the entry names them, its known forms, if it is counted.

    Where nobody has said whether it is counted, its kinds decide.
    """

    text: str
    kinds: frozenset[Kind]
    definitive: str = ""
    plural: str = ""
    known: frozenset[str] = frozenset()
    countable: bool | None = None

    @property
    def is_counted(self) -> bool:
        """Whether the word has the usual plurals."""
        return bool(self.kinds & COUNTED_NOUNS) if self.countable is None else self.countable


class Shape(msgspec.Struct, frozen=True):
    """Which endings of cases stand after a word that ends in something."""

    ending: str
    instead: str
    cases: dict[str, tuple[str, ...]]


class NounRules(msgspec.Struct, frozen=True):
    """What nouns have besides cases."""

    usual_plurals: tuple[str, ...]
    of_few: dict[str, str]


class AttestedEndings(msgspec.Struct, frozen=True):
    """The endings of forms that are accepted where running text has them: of number, of case, and particles."""

    numbers: tuple[str, ...]
    cases: tuple[str, ...]
    particles: tuple[str, ...]


class KinRules(msgspec.Struct, frozen=True):
    """The words for relatives, their plural, and their endings of the person whose relative it is."""

    plural: str
    words: frozenset[str]
    shapes: tuple[Shape, ...]


class VerbRules(msgspec.Struct, frozen=True):
    """The endings of verbs that are the same for all classes, by person."""

    past_in_l: frozenset[str]
    past_in_le: frozenset[str]
    past_not_certain: frozenset[str]
    past: tuple[str, ...]
    past_of_those: str
    future: tuple[str, ...]
    perfect: tuple[str, ...]
    past_perfect: tuple[str, ...]
    infinitive: str
    purpose: str
    until: str
    of_infinitive: str
    conditional: str
    when: str


class VerbClass(msgspec.Struct, frozen=True):
    """The endings of a class of stems, and what stands between the stem and the endings of all classes."""

    taken: str
    present: tuple[str, ...]
    imperative: tuple[str, ...]
    raising: str
    perfect: str
    while_: str = msgspec.field(name="while")
    agent: str


class Being(msgspec.Struct, frozen=True):
    """The verb of which আছ- is a stem, and its forms by person."""

    verbs: frozenset[str]
    negative_verb: str
    present: tuple[str, ...]
    past: tuple[str, ...]
    negative_present: tuple[str, ...]
    negative_past: tuple[str, ...]


class NegativeVerbs(msgspec.Struct, frozen=True):
    """Verbs that are negative themselves, and verbs that have the negation inside."""

    stems: frozenset[str]
    negated_inside: frozenset[str]


class SharedVerbalNoun(msgspec.Struct, frozen=True):
    """The stems of the two verbs that have one verbal noun."""

    intransitive: str
    transitive: str


class Negation(msgspec.Struct, frozen=True):
    """What is put before a syllable with a vowel sign, and in the place of a first vowel."""

    signs: dict[str, str]
    letters: dict[str, str]


class AssameseParadigms(msgspec.Struct, frozen=True):
    """How Assamese words are inflected."""

    labels: dict[str, tuple[str, str]]
    nouns: NounRules
    shapes: tuple[Shape, ...]
    attested: AttestedEndings
    kin: KinRules
    pronouns: dict[str, dict[str, tuple[str, ...]]]
    verbs: VerbRules
    classes: dict[str, VerbClass]
    irregular_verbs: dict[str, dict[str, str]]
    stems_of_past: dict[str, str]
    negative_stems: dict[str, str]
    negative_verbs: NegativeVerbs
    being: Being
    negation: Negation
    verbal_nouns: dict[str, str]
    shared_verbal_nouns: dict[str, SharedVerbalNoun]


class Paradigms(msgspec.Struct, frozen=True):
    """The rules of each language that has some."""

    assamese: AssameseParadigms = msgspec.field(name="as")


RULES: Final = read_table("paradigms", Paradigms).assamese
"""The table for Assamese, which the verbs are made by, too."""

_Patterns = tuple[tuple[re.Pattern[str], Shape], ...]


def _patterns(shapes: Iterable[Shape]) -> _Patterns:
    return tuple((re.compile(f"(?:{shape.ending})$"), shape) for shape in shapes)


_SHAPES: Final = _patterns(RULES.shapes)
_KIN_SHAPES: Final = _patterns(RULES.kin.shapes)
_PLAIN: Final = re.compile("[অ-হৰৱ][ঁ-্ৎৰৱ’ -]*")
_ENDINGS_NAMED: Final = re.compile("[^,;/ ]+")


@cache
def label(name: str, ending: str = "") -> Label:
    """Return the label of a name of the table; some name an ending."""
    english, assamese = RULES.labels[name]
    return Label(english.replace("%s", f"-{ending}"), assamese.replace("%s", f"-{ending}"))


def cells_of_nouns(word: Headword) -> Iterator[Cell]:
    """List the cases of a noun: alone, with its classifier, for a few, and in the plural."""
    text = nfc(word.text)
    if len(text) > LONGEST_HEADWORD or _PLAIN.fullmatch(text) is None:
        return
    yield from _cases(label("alone"), text)
    classifiers = _named(word.definitive)
    for classifier in classifiers:
        yield from _cases(label("definite", classifier), text + classifier)
    for classifier in classifiers:
        if classifier not in RULES.nouns.of_few:
            continue
        few = FEW + RULES.nouns.of_few[classifier]
        yield from _cases(label("few", few), text + few)
    plurals = _named(word.plural)
    usual = RULES.nouns.usual_plurals
    if word.is_counted and (not plurals or plurals[0] in usual):
        plurals = [*plurals, *(each for each in usual if each not in plurals)]
    for plural in plurals:
        yield from _cases(label("plural", plural), text + plural)
    if text in RULES.kin.words:
        yield from _cells_of_kin(text)


def _cells_of_kin(text: str) -> Iterator[Cell]:
    """List the plural in -হঁত of a relative, and the forms that say whose relative it is.

    ভায়েক has its own cases as a headword.
    """
    plural = RULES.kin.plural
    yield from _cases(label("plural", plural), text + plural)
    forms = _inflected(text, _KIN_SHAPES)
    yield from (Cell((label("kin"), label(person)), form) for person, form in forms)


def _named(endings: str) -> list[str]:
    """Read the endings that an entry names, `-টো, -জন`; those that nobody takes off are left out."""
    each = (nfc(ending).strip("-") for ending in _ENDINGS_NAMED.findall(endings))
    return [ending for ending in dict.fromkeys(each) if ending in _KNOWN_ENDINGS]


_KNOWN_ENDINGS: Final = classifiers_and_plurals()
_NUMBERED: Final = ("টো", "জন", "বোৰ", "সকল")
"""What pronouns end in that have the cases of nouns: এইজন, সেইবোৰ."""


def _cases(group: Label, text: str) -> Iterator[Cell]:
    """List the cases of a noun with or without an ending of number; of one that ends in what no rule knows, none."""
    for case, form in case_forms(text):
        yield Cell((group, label(case)), form)


def case_forms(text: str) -> Iterator[tuple[str, str]]:
    """List the cases of a noun, `bare` first, each by the name of its label and its form."""
    forms = list(_inflected(text, _SHAPES))
    if forms:
        yield "bare", text
    yield from forms


def _inflected(text: str, patterns: _Patterns) -> Iterator[tuple[str, str]]:
    """Put on a noun the endings of the first shape that fits, each with the name of its case."""
    for pattern, shape in patterns:
        found = pattern.search(text)
        if found is None:
            continue
        stem = text[: found.start()] + (found[0] if shape.instead == "=" else shape.instead)
        yield from ((case, stem + ending) for case, endings in shape.cases.items() for ending in endings)
        return


def cells_of_pronouns(word: Headword) -> Iterator[Cell]:
    """List the cases of a pronoun that is in the table or ends as a noun does; of others, none."""
    text = nfc(word.text)
    if text not in RULES.pronouns and text.endswith(_NUMBERED):
        yield from _cases(label("pronoun"), text)
    cases: Mapping[str, Iterable[str]] = RULES.pronouns.get(text, {})
    if cases:
        yield Cell((label("pronoun"), label("bare")), text)
    for case, forms in cases.items():
        yield from (Cell((label("pronoun"), label(case)), form) for form in forms)
