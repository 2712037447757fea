"""Inflection tables: generate the forms of a word by rule (`tables/paradigms.toml`).

Uncertain forms are left out. `inflection` is the reverse, and removes the same endings.
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

MAX_HEADWORD_LENGTH: Final = 40
"""Maximum number of letters of a headword with forms; longer ones are phrases, which do not inflect like words."""


FEW_PREFIX: Final = "কেই"
"""The prefix "a few", which precedes a classifier."""


class WordKind(Enum):
    """The kind of a word, as far as it determines its forms."""

    COMMON_NOUN = "common noun"
    MATERIAL_NOUN = "material noun"
    OTHER_NOUN = "other noun"
    PRONOUN = "pronoun"
    TRANSITIVE = "transitive verb"
    OTHER_VERB = "other verb"


COUNTABLE_NOUNS: Final = frozenset({WordKind.COMMON_NOUN, WordKind.MATERIAL_NOUN})
"""Nouns that are countable unless their entry says otherwise."""


class Label(NamedTuple):
    """A grammatical label in English and in Assamese, and its name in the tables of rules, if it has one."""

    english: str
    assamese: str
    name: str = ""


class Cell(NamedTuple):
    """A form with the labels of its table and of its line."""

    labels: tuple[Label, Label]
    form: str


class Headword(NamedTuple):
    """The properties of a headword on which its forms depend.

    `definitive` and `plural` are the endings in its entry, `known_forms` its forms in the dictionary. If `countable` is
    None, it depends on `kinds`.
    """

    text: str
    kinds: frozenset[WordKind]
    definitive: str = ""
    plural: str = ""
    known_forms: frozenset[str] = frozenset()
    countable: bool | None = None

    @property
    def has_usual_plurals(self) -> bool:
        """True if the word is countable and so has the usual plurals."""
        return bool(self.kinds & COUNTABLE_NOUNS) if self.countable is None else self.countable


class Declension(msgspec.Struct, frozen=True):
    """The case endings of words with a certain ending."""

    ending: str
    instead: str
    cases: dict[str, tuple[str, ...]]


class NounRules(msgspec.Struct, frozen=True):
    """The rules of nouns other than cases."""

    usual_plurals: tuple[str, ...]
    of_few: dict[str, str]


class AttestedEndings(msgspec.Struct, frozen=True):
    """Number endings, case endings and particles that are accepted if the form occurs in running text."""

    numbers: tuple[str, ...]
    cases: tuple[str, ...]
    particles: tuple[str, ...]


class KinRules(msgspec.Struct, frozen=True):
    """The kin terms, their plural ending, and their possessive endings."""

    plural: str
    words: frozenset[str]
    shapes: tuple[Declension, ...]


class VerbRules(msgspec.Struct, frozen=True):
    """The verb endings that are the same for all classes, by person."""

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
    """The endings of one class of verb stems, and the vowels that it inserts before the shared endings."""

    taken: str
    present: tuple[str, ...]
    imperative: tuple[str, ...]
    raising: str
    perfect: str
    while_: str = msgspec.field(name="while")
    agent: str


class BeRules(msgspec.Struct, frozen=True):
    """The verbs that have forms of the stem আছ-, and these forms by person."""

    verbs: frozenset[str]
    negative_verb: str
    present: tuple[str, ...]
    past: tuple[str, ...]
    negative_present: tuple[str, ...]
    negative_past: tuple[str, ...]


class NegativeVerbs(msgspec.Struct, frozen=True):
    """The stems of inherently negative verbs, and two-word verbs with the negation between the words."""

    stems: frozenset[str]
    negated_inside: frozenset[str]


class SharedVerbalNoun(msgspec.Struct, frozen=True):
    """The stems of two verbs with the same verbal noun."""

    intransitive: str
    transitive: str


class Negation(msgspec.Struct, frozen=True):
    """The spelling of the negation before a syllable by its vowel sign, and for an initial vowel by its letter."""

    signs: dict[str, str]
    letters: dict[str, str]


class AssameseParadigms(msgspec.Struct, frozen=True):
    """The inflection rules of Assamese."""

    labels: dict[str, tuple[str, str]]
    nouns: NounRules
    shapes: tuple[Declension, ...]
    attested: AttestedEndings
    kin: KinRules
    pronouns: dict[str, dict[str, tuple[str, ...]]]
    verbs: VerbRules
    classes: dict[str, VerbClass]
    irregular_verbs: dict[str, dict[str, str]]
    stems_of_past: dict[str, str]
    negative_stems: dict[str, str]
    negative_verbs: NegativeVerbs
    being: BeRules
    negation: Negation
    verbal_nouns: dict[str, str]
    shared_verbal_nouns: dict[str, SharedVerbalNoun]


class Paradigms(msgspec.Struct, frozen=True):
    """The inflection rules by language."""

    assamese: AssameseParadigms = msgspec.field(name="as")


RULES: Final = read_table("paradigms", Paradigms).assamese
"""The rules of Assamese, for nouns, pronouns and verbs."""

_Patterns = tuple[tuple[re.Pattern[str], Declension], ...]


def _compile_patterns(declensions: Iterable[Declension]) -> _Patterns:
    return tuple((re.compile(f"(?:{declension.ending})$"), declension) for declension in declensions)


_DECLENSIONS: Final = _compile_patterns(RULES.shapes)
_KIN_DECLENSIONS: Final = _compile_patterns(RULES.kin.shapes)
_INFLECTABLE: Final = re.compile("[অ-হৰৱ][ঁ-্ৎৰৱ’ -]*")
_ENDING_PATTERN: Final = re.compile("[^,;/ ]+")


@cache
def get_label(name: str, ending: str = "") -> Label:
    """Return a label of the table by its name, with its placeholder replaced by `ending`."""
    english, assamese = RULES.labels[name]
    return Label(english.replace("%s", f"-{ending}"), assamese.replace("%s", f"-{ending}"), name)


def iter_noun_cells(word: Headword) -> Iterator[Cell]:
    """Yield the cases of a noun: alone, with its classifiers, for "a few", and in the plural."""
    text = nfc(word.text)
    if len(text) > MAX_HEADWORD_LENGTH or _INFLECTABLE.fullmatch(text) is None:
        return
    yield from _iter_case_cells(get_label("alone"), text)
    classifiers = _parse_endings(word.definitive)
    for classifier in classifiers:
        yield from _iter_case_cells(get_label("definite", classifier), text + classifier)
    for classifier in classifiers:
        if classifier not in RULES.nouns.of_few:
            continue
        few = FEW_PREFIX + RULES.nouns.of_few[classifier]
        yield from _iter_case_cells(get_label("few", few), text + few)
    plurals = _parse_endings(word.plural)
    usual = RULES.nouns.usual_plurals
    if word.has_usual_plurals and (not plurals or plurals[0] in usual):
        plurals = [*plurals, *(each for each in usual if each not in plurals)]
    for plural in plurals:
        yield from _iter_case_cells(get_label("plural", plural), text + plural)
    if text in RULES.kin.words:
        yield from _iter_kin_cells(text)


def _iter_kin_cells(text: str) -> Iterator[Cell]:
    """Yield the plural in -হঁত and the possessive forms of a kin term.

    The cases of a possessive form such as ভায়েক are those of its own headword.
    """
    plural = RULES.kin.plural
    yield from _iter_case_cells(get_label("plural", plural), text + plural)
    forms = _decline(text, _KIN_DECLENSIONS)
    yield from (Cell((get_label("kin"), get_label(person)), form) for person, form in forms)


def _parse_endings(endings: str) -> list[str]:
    """Parse the endings in an entry, such as `-টো, -জন`; drop those that `inflection` does not remove."""
    bare_endings = (nfc(ending).strip("-") for ending in _ENDING_PATTERN.findall(endings))
    return [ending for ending in dict.fromkeys(bare_endings) if ending in _KNOWN_ENDINGS]


_KNOWN_ENDINGS: Final = classifiers_and_plurals()
_NOUN_LIKE_ENDINGS: Final = ("টো", "জন", "বোৰ", "সকল")
"""The endings of pronouns that inflect like nouns: এইজন, সেইবোৰ."""


def _iter_case_cells(group: Label, text: str) -> Iterator[Cell]:
    """Yield the cases of a noun with or without a number ending; nothing if no rule fits its last letters."""
    for case, form in iter_case_forms(text):
        yield Cell((group, get_label(case)), form)


def iter_case_forms(text: str) -> Iterator[tuple[str, str]]:
    """Yield the cases of a noun as label name and form, `bare` first."""
    forms = list(_decline(text, _DECLENSIONS))
    if forms:
        yield "bare", text
    yield from forms


def _decline(text: str, patterns: _Patterns) -> Iterator[tuple[str, str]]:
    """Yield the forms of a noun with the endings of the first shape that fits, each with the name of its case."""
    for pattern, declension in patterns:
        match = pattern.search(text)
        if match is None:
            continue
        stem = text[: match.start()] + (match[0] if declension.instead == "=" else declension.instead)
        yield from ((case, stem + ending) for case, endings in declension.cases.items() for ending in endings)
        return


def iter_pronoun_cells(word: Headword) -> Iterator[Cell]:
    """Yield the cases of a pronoun that is in the table or inflects like a noun; nothing for others."""
    text = nfc(word.text)
    if text not in RULES.pronouns and text.endswith(_NOUN_LIKE_ENDINGS):
        yield from _iter_case_cells(get_label("pronoun"), text)
    cases: Mapping[str, Iterable[str]] = RULES.pronouns.get(text, {})
    if cases:
        yield Cell((get_label("pronoun"), get_label("bare")), text)
    for case, forms in cases.items():
        yield from (Cell((get_label("pronoun"), get_label(case)), form) for form in forms)
