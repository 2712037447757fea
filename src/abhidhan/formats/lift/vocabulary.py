"""Vocabulary of LIFT and FieldWorks: names of elements, traits and ranges, and values mapped to Abhidhan's lists."""

import re
from collections.abc import Iterator
from typing import Final

LIFT_VERSION: Final = "0.13"
PRODUCER: Final = "Abhidhan"
"""The `producer` of files written by Abhidhan."""

TOP_ELEMENTS: Final = frozenset({"header", "entry"})
"""Elements below the root of a LIFT file."""

# --- elements and traits of files written by Abhidhan ----------------------------------------------------------------

IDEA_TRAIT: Final = "abhidhan-idea"
"""The trait of a sense or relation with the source and key of an idea."""

ENTRY_SOURCE_TRAIT: Final = "abhidhan-source"
"""The trait of an entry exported in its original form: the code of its source. Importers treat it as foreign."""

IDEA_KEY_TRAIT: Final = "abhidhan-key"
"""The trait of a sense without a GUID, in an entry exported in its original form: the key of its idea."""

RECORDING_TRAIT: Final = "abhidhan-recording"
"""The trait of a pronunciation that an export has added to an entry in its original form."""

RANK_TRAIT: Final = "rank"
"""The trait of a sense: the rank of its word among the idea's words in the same language."""

SOURCES_RANGE: Final = "abhidhan-sources"
"""The range of the sources of a file written by Abhidhan: names, licences and URLs."""

HEADWORDS_RANGE: Final = "abhidhan-headwords"
"""The range of the languages that have entries in a file written by Abhidhan."""

PROVERB_TRAIT: Final = "abhidhan-proverb"
"""The trait of an entry that is a proverb or idiom: its source and key."""

GUID_PATTERN: Final = "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
"""The pattern of FieldWorks' IDs of entries and senses."""

DOMAIN_TRAIT: Final = "domain-type"
DIALECT_TRAIT: Final = "dialect-labels"
SEMANTIC_DOMAIN_TRAIT: Final = "semantic-domain-ddp4"
SEMANTIC_DOMAIN_TRAITS: Final = (SEMANTIC_DOMAIN_TRAIT, "semantic-domain")
PARADIGM_TRAIT: Final = "paradigm"
"""Names of traits that FieldWorks defines."""

CATEGORIES_RANGE: Final = "grammatical-info"
RELATION_TYPES_RANGE: Final = "lexical-relation"
"""Names of ranges that FieldWorks defines."""

EXPORT_RANGES: Final = (
    CATEGORIES_RANGE,
    DOMAIN_TRAIT,
    RELATION_TYPES_RANGE,
    DIALECT_TRAIT,
    SEMANTIC_DOMAIN_TRAIT,
    SOURCES_RANGE,
    HEADWORDS_RANGE,
)
"""The ranges of files written by Abhidhan, in order."""

CUSTOM_FIELDS: Final = {
    "plural-classifier": "The classifier of many things.",
    "definitive-classifier": "The classifier of one thing that is known.",
    "glyph": "An emoji.",
    "definition-2": "A further definition in the same language.",
}
"""Fields of files written by Abhidhan that FieldWorks does not define, with their descriptions."""

ROMAN_SUBTAG: Final = "roman"
RESPELLING_SUBTAG: Final = "respell"
"""Private subtags: of a romanization, and of a pronunciation in Assamese letters."""

LINE_SEPARATOR: Final = "\u2028"
"""FieldWorks' line separator within a text."""

SENSE_ELEMENTS: Final = frozenset({"sense", "subsense"})

SYNONYM_RELATION: Final = "Synonyms"
"""The relation that an export writes between senses that share an idea."""

SOUND_SUFFIXES: Final = (
    *(".wav", ".flac", ".ogg", ".oga", ".mp3"),
    *(".webm", ".m4a", ".mp4", ".aac", ".amr", ".3gp", ".opus", ".mka", ".wma", ".aif", ".aiff", ".caf"),
)
"""File extensions of recordings. The import of recordings reports those that it cannot decode."""

# --- relations -------------------------------------------------------------------------------------------------------

RELATION_BY_TYPE: Final = {
    "antonym": "Antonym",
    "ant": "Antonym",
    "synonyms": "Near-synonym",
    "synonym": "Near-synonym",
    "syn": "Near-synonym",
    "generic": "Hypernym",
    "gen": "Hypernym",
    "hypernym": "Hypernym",
    "specific": "Hyponym",
    "hyponym": "Hyponym",
    "whole": "Holonym",
    "holonym": "Holonym",
    "part": "Meronym",
    "meronym": "Meronym",
    "cause": "Cause",
    "effect": "Effect",
}
"""The relation in the list RIC for each type of relation (in lower case); other types become "Related"."""

COMPONENT_RELATION: Final = "_component-lexeme"
"""FieldWorks' relation of a complex form or a variant to its component or main entry."""

VARIANT_TYPE_TRAIT: Final = "variant-type"
GENDER_TRAIT: Final = "gender"
RELATED_RELATION: Final = "Related"
DERIVED_RELATION: Final = "Derived from"

VARIANT_NOTE_PREFIX: Final = "variant of "
"""Prefix of the note on a word that was imported as a variant of another one."""

VARIANT_BY_TYPE: Final = {
    "dialectal variant": "Dialect",
    "dialect": "Dialect",
    "spelling variant": None,
    "free variant": None,
    "archaic": "Archaic",
    "obsolete": "Obsolete",
    "misspelling": "Common misspelling",
    "abbreviation": "Abbreviation",
}
"""The value of the list VRT for each type of variant (in lower case), or None."""

# --- parts of speech -------------------------------------------------------------------------------------------------

POS_BY_CATEGORY: Final = {
    "pro-form": "Pronoun",
    "interrogative pro-form": "Pronoun",
    "relative pro-form": "Pronoun",
    "personal pronoun": "Pronoun",
    "possessive pronoun": "Pronoun",
    "indefinite pronoun": "Pronoun",
    "reflexive pronoun": "Pronoun",
    "emphatic pronoun": "Pronoun",
    "reciprocal pronoun": "Pronoun",
    "demonstrative": "Proper Adjective",
    "quantifier": "Proper Adjective",
    "article": "Proper Adjective",
    "cardinal numeral": "Proper Adjective",
    "ordinal numeral": "Proper Adjective",
    "distributive numeral": "Proper Adjective",
    "multiplicative numeral": "Proper Adjective",
    "connective": "Conjunction",
    "coordinating connective": "Conjunction",
    "subordinating connective": "Conjunction",
    "correlative connective": "Conjunction",
    "nominal": "Common Noun",
    "nominalizer": "Verbal Noun",
    "prefix": "Prefix",
    "suffix": "Suffix",
}
"""Parts of speech by category of FieldWorks' catalogue (in lower case), where `pos_mapping` lacks the label."""

VERB: Final = "Verb"
"""A verb without a subtype."""

# --- semantic domains (Dictionary Development Process, version 4) ---------------------------------------------------

_DOMAINS: Final = (
    ("Astronomy", "1.1 Sky"),
    ("Weather", "1.1.3 Weather"),
    ("Nature", "1.2 World"),
    ("Water", "1.3 Water"),
    ("Botany", "1.5 Plant"),
    ("Animal", "1.6 Animal"),
    ("Mammal", "1.6.1.1 Mammal"),
    ("Bird", "1.6.1.2 Bird"),
    ("Anatomy", "2.1 Body"),
    ("Medicine", "2.5 Healthy"),
    ("Language", "3.5 Communication"),
    ("Education", "3.6 Teach"),
    ("Society", "4.1 Relationships"),
    ("Kinship", "4.1.9 Kinship"),
    ("Music", "4.2.3 Music"),
    ("Dance", "4.2.4 Dance"),
    ("Sports and Games", "4.2.6 Entertainment, recreation"),
    ("Administration", "4.6 Government"),
    ("Law", "4.7 Law"),
    ("Religion", "4.9 Religion"),
    ("House and Tools", "5.1 Household equipment"),
    ("Furniture", "5.1.1 Furniture"),
    ("Food", "5.2 Food"),
    ("Dress", "5.3 Clothing"),
    ("Profession", "6.1 Work"),
    ("Agriculture", "6.2 Agriculture"),
    ("Livestock", "6.3 Animal husbandry"),
    ("Fishery", "6.4.5 Fishing"),
    ("House", "6.5.1.1 House"),
    ("Weaving", "6.6.1 Working with cloth"),
    ("Tool", "6.7 Tool"),
    ("Commerce", "6.8 Finance"),
    ("Number", "8.1.1 Number"),
    ("Colour", "8.3.3.3 Color"),
    ("Time", "8.4 Time"),
    ("Place", "8.5 Location"),
    ("Grammar", "9 Grammar"),
)

DOMAIN_BY_CONTEXT: Final = dict(_DOMAINS)
"""The semantic domain of each context that has one."""

_CONTEXT_BY_NUMBER: Final = {domain.split(" ")[0]: context for context, domain in _DOMAINS}
_DOMAIN_NUMBER: Final = re.compile(r"\s*(\d+(?:\.\d+)*)")


def find_context(domain: str) -> str | None:
    """Return the context of a semantic domain (`1.6.1.2.3 Water bird`), or of its nearest ancestor with one."""
    match = _DOMAIN_NUMBER.match(domain)
    return next(filter(None, map(_CONTEXT_BY_NUMBER.get, _iter_ancestors(match[1]))), None) if match else None


def is_context_domain(domain: str) -> bool:
    """Return whether a semantic domain corresponds exactly to a context."""
    match = _DOMAIN_NUMBER.match(domain)
    return match is not None and match[1] in _CONTEXT_BY_NUMBER


def _iter_ancestors(number: str) -> Iterator[str]:
    while number:
        yield number
        number = number.rpartition(".")[0]
