"""Parts of speech, genders and relations of other formats, in the words of the lists here: tables."""

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from abhidhan.formats.reading import Options

COMMON, PROPER, MATERIAL, VERBAL, ABSTRACT = (
    "Common Noun",
    "Proper Noun",
    "Material Noun",
    "Verbal Noun",
    "Abstract Noun",
)

PARTS: Final[dict[str, str]] = {
    name: value
    for value, names in {
        COMMON: "n noun nn s subst substantive common name counter classifier nc",
        PROPER: "pn propn proper propernoun name prop np proper-noun",
        MATERIAL: "material",
        VERBAL: "gerund vn",
        ABSTRACT: "abstract",
        "Pronoun": "pron pronoun prn pro",
        "Proper Adjective": "a adj adjective jj satellite num numeral number det determiner",
        "Verbal Adjective": "ptcp participle v.ptcp ppart",
        "Adjective Adjective": "intensifier",
        "Adverb": "r adv adverb rb",
        "Transitive": "vt vtr v.t v.tr transitive vt. tr v.a",
        "Intransitive": "vi vitr v.i v.itr intransitive vi. itr intr v.n",
        "Adposition": "p adp adposition prep preposition postp postposition prep_phrase circump",
        "Interjection": "intj interj interjection int excl",
        "Conjunction": "c conj conjunction cconj sconj",
    }.items()
    for name in names.split()
}
"""Labels of many formats. A verb of which nothing more is told is none of the two kinds that the list POS has."""

RELATIONS: Final[dict[str, str]] = {
    "hypernym": "Hypernym",
    "instance_hypernym": "Hypernym",
    "hyponym": "Hyponym",
    "instance_hyponym": "Hyponym",
    "holonym": "Holonym",
    "holo_member": "Holonym",
    "holo_part": "Holonym",
    "holo_substance": "Holonym",
    "meronym": "Meronym",
    "mero_member": "Meronym",
    "mero_part": "Meronym",
    "mero_substance": "Meronym",
    "antonym": "Antonym",
    "similar": "Near-synonym",
    "causes": "Effect",
    "is_caused_by": "Cause",
    "also": "Related",
    "attribute": "Related",
    "related": "Related",
    "young": "Young of",
}
"""Relations of WN-LMF 1.4 and IndoWordNet; others are left out."""

GENDERS: Final = {
    "m": "Masculine",
    "masc": "Masculine",
    "masculine": "Masculine",
    "f": "Feminine",
    "fem": "Feminine",
    "feminine": "Feminine",
    "n": "Neuter",
    "neut": "Neuter",
    "neuter": "Neuter",
    "c": "Common",
    "common": "Common",
}
"""Labels of genders."""

FRAMES_WITH_OBJECT: Final = frozenset({8, 9, 10, 11, 14, 15, 16, 17, 18, 19, 20, 21, 24, 25, 30, 31, 33})
"""Sentence frames of WordNet's verbs (wndb(5WN)) in which the verb has an object."""


def part_of_speech(label: str | None, options: "Options") -> str | None:
    """Read a part of speech: as the mapping says, by the table, or as a value of the list itself."""
    if not label or not label.strip():
        return None
    mapped = options.values.get("pos", {}).get(label)
    if mapped:
        return mapped
    plain = label.strip().strip("<>.").casefold()
    return next((found for one in _readings(plain) if (found := VALUES.get(one) or PARTS.get(one))), None)


def is_verb(label: str) -> bool:
    """Tell a verb, even one of which nothing more is told."""
    return any(one in VERBS for one in _readings(label.strip().strip("<>.").casefold()))


def _readings(plain: str) -> Iterator[str]:
    """Give the ways to read a label: as it stands, without spaces ("v. t."), and its first word ("n. pl.")."""
    yield plain
    yield plain.replace(". ", ".")
    first = _FIRST_WORD.match(plain)
    if first and (len(first[0]) > 1 or first[0] in SURE_LETTERS):
        yield first[0]


_FIRST_WORD: Final = re.compile(r"[a-z_]+(?=[.]?\s|[.]$)")
SURE_LETTERS: Final = frozenset("nsv")
"""Letters that mean the same in every dictionary, whatever follows: noun, substantive, verb."""

VERBS: Final = frozenset({"v", "vb", "verb"})

VALUES: Final = {value.casefold(): value for value in PARTS.values()}

OTHER_MARKS: Final = frozenset(
    "sg pl fpl mpl npl cpl mf mfpl nt inv indecl refl vr vti vp vneg aux auxv mv phrv phrvt phrvi phr idm idiom pref "
    "prefix suff suffix abbr acron dim comp sup superl interro rel art artd arti pers poss propn ppron impers".split()
)
"""What else dictionaries mark in angle brackets; it is neither a part of speech of the list nor a gender alone."""

GENDERS_OF_MARKS: Final = {
    **{label: gender for label, gender in GENDERS.items() if label not in {"n", "c", "common"}},
    **{f"{letter}pl": GENDERS[letter] for letter in "fmnc"},
    "nt": "Neuter",
}
"""Marks that tell a gender: `n` and `c` alone are parts of speech."""

_MARK: Final = re.compile(r"(?<=\S)[ \t]+<([A-Za-z][A-Za-z ,./&+]{0,30})>(?=[ \t]*(?:[,;:.|/)(\[<{\n]|$))")
_BETWEEN_LABELS: Final = re.compile(r"[ ,./&+]+")


class Unmarked(NamedTuple):
    """A text without marks of grammar, and these."""

    text: str
    labels: tuple[str, ...]


def unmarked(text: str) -> Unmarked:
    """Take off marks of grammar as FreeDict writes them: `casa <n, f>`. Other text in angle brackets stays."""
    if "<" not in text:
        return Unmarked(text, ())
    labels: list[str] = []

    def take(found: re.Match[str]) -> str:
        named = [label for label in _BETWEEN_LABELS.split(found[1].casefold()) if label]
        if not all(label in PARTS or label in VERBS or label in GENDERS or label in OTHER_MARKS for label in named):
            return found[0]
        labels.extend(named)
        return ""

    return Unmarked(_MARK.sub(take, text), tuple(labels))


def part_of_marks(labels: Iterable[str], options: "Options") -> str | None:
    """Read the part of speech that marks tell, if they do."""
    return next((found for label in labels if (found := part_of_speech(label, options))), None)


def gender_of_marks(labels: Iterable[str]) -> str | None:
    """Read the gender that marks tell, if they do."""
    return next((GENDERS_OF_MARKS[label] for label in labels if label in GENDERS_OF_MARKS), None)


def rest_of_marks(labels: Iterable[str]) -> str | None:
    """Give what marks tell besides parts of speech, as a note."""
    return ", ".join(dict.fromkeys(label for label in labels if label not in PARTS and label not in VERBS)) or None
