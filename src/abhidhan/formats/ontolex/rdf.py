"""RDF nodes in Turtle syntax. Each node is formatted separately, so that no graph is held in memory.

Names are `prefix:local`, or full URLs.
"""

import re
from collections.abc import Mapping
from typing import Final, NamedTuple
from urllib.parse import quote

RDF_TYPE: Final = "rdf:type"


class TextLiteral(NamedTuple):
    """A text with the BCP 47 tag of its language or script; without a tag it has no language."""

    text: str
    tag: str = ""


class TypedLiteral(NamedTuple):
    """A value with a datatype, such as `xsd:integer`."""

    value: str
    datatype: str


RDFObject = str | TextLiteral | TypedLiteral
"""The object of a statement: a name or a literal."""


class RDFNode(NamedTuple):
    """A subject and its statements: objects by property."""

    name: str
    properties: Mapping[str, list[RDFObject]]


_STATEMENT_SEPARATOR: Final = " ;\n    "


def build_node(name: str, properties: Mapping[str, list[RDFObject]]) -> RDFNode:
    """Build a node without the properties that have no value."""
    return RDFNode(name, {property_: objects for property_, objects in properties.items() if objects})


Prefixes = Mapping[str, str]

_URL_PREFIXES: Final = ("http://", "https://")
_LOCAL_NAME: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]*(#[A-Za-z0-9_-]+)?")
"""Pattern of local names that Turtle accepts after a prefix, if # is escaped by a backslash."""

_ESCAPES: Final = {ord(sign): f"\\{sign}" for sign in '"\\'} | {
    number: f"\\u{number:04X}" for number in (*range(0x20), 0x7F)
}
_FORBIDDEN_IN_URL: Final = re.compile(r'[\x00-\x20<>"{}|^`\\]')
"""Characters that a URL must not contain; they are percent-encoded."""


def format_turtle_header(prefixes: Prefixes) -> str:
    """Format the prefix declarations of a Turtle file."""
    return "".join(f"@prefix {prefix}: <{escape_url(begins)}> .\n" for prefix, begins in prefixes.items()) + "\n"


def format_turtle(node: RDFNode, prefixes: Prefixes) -> str:
    """Format a node as Turtle."""
    parts = [
        f"{'a' if property_ == RDF_TYPE else property_} {', '.join(_format_object(item, prefixes) for item in objects)}"
        for property_, objects in node.properties.items()
    ]
    return f"{_format_name(node.name, prefixes)} {_STATEMENT_SEPARATOR.join(parts)} .\n"


def escape_url(text: str) -> str:
    """Percent-encode the characters that a URL must not contain in Turtle."""
    return _FORBIDDEN_IN_URL.sub(lambda match: f"%{ord(match[0]):02X}", text)


def _format_object(node_object: RDFObject, prefixes: Prefixes) -> str:
    match node_object:
        case TextLiteral(text, ""):
            return f'"{text.translate(_ESCAPES)}"'
        case TextLiteral(text, tag):
            return f'"{text.translate(_ESCAPES)}"@{tag}'
        case TypedLiteral(value, datatype):
            return f'"{value.translate(_ESCAPES)}"^^{datatype}'
        case name:
            return _format_name(name, prefixes)


def _format_name(name: str, prefixes: Prefixes) -> str:
    if name.startswith(_URL_PREFIXES):
        return f"<{escape_url(name)}>"
    prefix, _, local = name.partition(":")
    if _LOCAL_NAME.fullmatch(local):
        return prefix + ":" + local.replace("#", r"\#")
    return f"<{escape_url(prefixes[prefix] + local)}>"


# --- names in the vocabulary and in the dictionary ------------------------------------------------------------------


VOCABULARY_PREFIXES: Final = {
    "dc": "http://purl.org/dc/elements/1.1/",
    "dct": "http://purl.org/dc/terms/",
    "lexicog": "http://www.w3.org/ns/lemon/lexicog#",
    "lexinfo": "http://www.lexinfo.net/ontology/3.0/lexinfo#",
    "lexvo": "http://lexvo.org/id/iso639-3/",
    "lime": "http://www.w3.org/ns/lemon/lime#",
    "ontolex": "http://www.w3.org/ns/lemon/ontolex#",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "synsem": "http://www.w3.org/ns/lemon/synsem#",
    "vartrans": "http://www.w3.org/ns/lemon/vartrans#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}

SITE_PATHS: Final = {
    "word": "api/words/",
    "idea": "api/ideas/",
    "language": "languages#",
    "context": "context/",
    "about": "about#",
}
"""Paths of the dictionary's own prefixes on its site, so that names can be opened as URLs.

Each ends with a character that JSON-LD accepts as the end of a prefix.
"""

URN_PREFIX: Final = "urn:abhidhan:"
"""Base of the dictionary's own prefixes if the URL of its site is unknown."""

DICTIONARY_TERM: Final = "about:dictionary"
IDEAS_NAME: Final = "about:ideas"
CONTEXTS_NAME: Final = "about:contexts"

LEXINFO_URL: Final = "http://www.lexinfo.net/ontology/3.0/lexinfo"

SYNTACTIC_FRAMES: Final = {"Transitive": "TransitiveFrame", "Intransitive": "IntransitiveFrame"}
"""LexInfo's syntactic frames for the parts of speech that imply one."""

LEXINFO_GENDERS: Final = {
    "Masculine": "masculine",
    "Feminine": "feminine",
    "Common": "commonGender",
    "Neuter": "neuter",
}

SKOS_PROPERTIES: Final = {
    "Hypernym": "skos:broader",
    "Hyponym": "skos:narrower",
    "Related": "skos:related",
    "Near-synonym": "skos:related",
}
"""SKOS properties for relations of ideas. Other relations, and near-synonyms, also get a category."""

# LexInfo names the term of the subject: a part, which has a holonym, is the "meronymTerm".
RELATION_CATEGORIES: Final = {
    "Antonym": "lexinfo:antonym",
    "Near-synonym": "lexinfo:approximateSynonym",
    "Holonym": "lexinfo:meronymTerm",
    "Meronym": "lexinfo:holonymTerm",
    "Effect": "lexinfo:causallyRelatedConcept",
}
"""LexInfo's categories of relations; others get a category defined by the dictionary."""

SKOS_ONLY_RELATIONS: Final = frozenset({"Hypernym", "Hyponym", "Related"})
"""Relations that SKOS expresses completely."""

LICENCE_URLS: Final = {
    "Apache-2.0": "https://www.apache.org/licenses/LICENSE-2.0",
    "CC0-1.0": "https://creativecommons.org/publicdomain/zero/1.0/",
    "CC-BY-3.0": "https://creativecommons.org/licenses/by/3.0/",
    "CC-BY-4.0": "https://creativecommons.org/licenses/by/4.0/",
    "CC-BY-SA-3.0": "https://creativecommons.org/licenses/by-sa/3.0/",
    "CC-BY-SA-4.0": "https://creativecommons.org/licenses/by-sa/4.0/",
    "MIT": "https://opensource.org/license/mit",
    "Unicode-3.0": "https://www.unicode.org/license.txt",
}
"""URLs of licences, for programs. The name of each licence is also written as the source states it."""

_LANGUAGE_TAG: Final = re.compile(r"[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*")


def build_prefixes(base_url: str) -> Mapping[str, str]:
    """Return the prefixes of the vocabulary, and those of a site."""
    base = f"{base_url}/" if base_url else URN_PREFIX
    return VOCABULARY_PREFIXES | {prefix: base + path for prefix, path in SITE_PATHS.items()}


def word_name(word_id: int, part: str) -> str:
    """Return the name of a node that describes a part of a word, such as `form`."""
    return f"word:{word_id}#{part}"


def idea_name(idea_id: int, part: str = "concept") -> str:
    """Return the name of an idea's concept, or of another node that describes the idea."""
    return f"idea:{idea_id}#{part}"


def context_name(value: str) -> str:
    """Return the name of a context, which expands to the URL of its page."""
    return f"context:{quote(value, safe='')}"


def build_source_term(code: str) -> str:
    """Return the name of a source."""
    return f"about:source-{quote(code, safe='')}"


def category_name(relation: str) -> str:
    """Return the name of a relation's category."""
    return RELATION_CATEGORIES.get(relation) or f"about:relation-{quote(relation, safe='')}"


def lexicon_name(code: str) -> str:
    """Return the name of a language's lexicon."""
    return f"language:{quote(code, safe='')}"


def get_language_tag(code: str) -> str:
    """Return the code of a language as a tag; `und` if it is not a valid tag."""
    return code if _LANGUAGE_TAG.fullmatch(code) else "und"


def build_script_tag(code: str, subtag: str) -> str:
    """Return the tag of a language with another script or notation, in place of the script in its own tag."""
    return f"{get_language_tag(code).partition('-')[0]}-{subtag}"
