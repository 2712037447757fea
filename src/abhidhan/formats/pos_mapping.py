"""Mapping of parts of speech, genders and relations of other formats to values of Abhidhan's lists."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from abhidhan.formats.importer_api import ImportOptions

COMMON_NOUN, PROPER_NOUN, MATERIAL_NOUN, VERBAL_NOUN, ABSTRACT_NOUN = (
    "Common Noun",
    "Proper Noun",
    "Material Noun",
    "Verbal Noun",
    "Abstract Noun",
)
VERB: Final = "Verb"

POS_BY_LABEL: Final[dict[str, str]] = {
    name: value
    for value, names in {
        COMMON_NOUN: "n noun nn s subst substantive common name counter classifier nc",
        PROPER_NOUN: "pn propn proper propernoun name prop np proper-noun",
        MATERIAL_NOUN: "material",
        VERBAL_NOUN: "gerund vn",
        ABSTRACT_NOUN: "abstract",
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
        "Prefix": "prefix pref",
        "Suffix": "suffix suff",
    }.items()
    for name in names.split()
}
"""Values of the list POS by label in other formats. Labels of verbs without a kind are in `VERB_LABELS`."""

GENERAL_POS: Final = frozenset({"Noun", "Verb", "Adjective", "Other"})
"""Values of the list POS without a kind, which other formats use as labels of all nouns, verbs and so on."""

RELATION_BY_TYPE: Final[dict[str, str]] = {
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
"""Relations of WN-LMF 1.4; others are left out."""

GENDER_BY_LABEL: Final = {
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

TRANSITIVE_FRAMES: Final = frozenset({8, 9, 10, 11, 14, 15, 16, 17, 18, 19, 20, 21, 24, 25, 30, 31, 33})
"""Sentence frames of WordNet's verbs (wndb(5WN)) with an object."""


def map_pos(label: str | None, options: ImportOptions) -> str | None:
    """Return the part of speech of a label: by the user's mapping, by the table, or a value of the list itself."""
    if not label or not label.strip():
        return None
    mapped = options.values.get("pos", {}).get(label)
    if mapped:
        return mapped
    plain = label.strip().strip("<>.").casefold()
    return next(
        (pos for variant in _iter_variants(plain) if (pos := POS_BY_NAME.get(variant) or POS_BY_LABEL.get(variant))),
        None,
    )


def map_pos_or_label(label: str | None, options: ImportOptions) -> str | None:
    """Return the part of speech of a label; an unknown label is returned unchanged, so that the import reports it."""
    if not label or not label.strip():
        return None
    mapped = options.map_value("pos", label)
    return map_pos(label, options) or ("Verb" if mapped and is_verb_label(label) else mapped) or None


def is_known_label(label: str) -> bool:
    """Return whether the whole label is a known part of speech, not only its first word."""
    plain = label.strip().strip("<>.").casefold()
    wholes = {plain, plain.replace(". ", ".")}
    return any(variant in POS_BY_NAME or variant in POS_BY_LABEL or variant in VERB_LABELS for variant in wholes)


def is_verb_label(label: str) -> bool:
    """Return whether a label denotes a verb, even without its kind."""
    return any(variant in VERB_LABELS for variant in _iter_variants(label.strip().strip("<>.").casefold()))


def _iter_variants(plain: str) -> Iterator[str]:
    """Yield the variants of a label: unchanged, without spaces ("v. t."), and its first word ("n. pl.")."""
    yield plain
    yield plain.replace(". ", ".")
    first = _FIRST_WORD.match(plain)
    if first and (len(first[0]) > 1 or first[0] in UNAMBIGUOUS_LETTERS):
        yield first[0]


_FIRST_WORD: Final = re.compile(r"[a-z_]+(?=[.]?\s|[.]$)")
UNAMBIGUOUS_LETTERS: Final = frozenset("nsv")
"""Single-letter labels that are recognised even before other words: noun, substantive, verb."""

VERB_LABELS: Final = frozenset({"v", "vb", "verb"})

POS_BY_NAME: Final = {value.casefold(): value for value in POS_BY_LABEL.values()}


def find_label_pos(labels: Iterable[str], options: ImportOptions) -> str | None:
    """Return the part of speech named by the first known label; None if there is none."""
    return next((pos for label in labels if (pos := map_pos(label, options))), None)
