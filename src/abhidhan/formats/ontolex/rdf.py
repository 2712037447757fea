"""Nodes of linked data as Turtle, each written by itself: a file of any size needs no graph in memory.

Names are `prefix:local`, or whole addresses.
"""

import re
from collections.abc import Mapping
from typing import Final, NamedTuple
from urllib.parse import quote

TYPE: Final = "rdf:type"


class Text(NamedTuple):
    """A text, in the language or script of a BCP 47 tag; without one it is of no language."""

    text: str
    tag: str = ""


class Typed(NamedTuple):
    """A value of a datatype, such as `xsd:integer`."""

    value: str
    datatype: str


Object = str | Text | Typed
"""What is told of a node: a name, or a value."""


class Node(NamedTuple):
    """A thing, by its name, and what is told of it here: values by the name of their property."""

    name: str
    told: Mapping[str, list[Object]]


_NEXT: Final = " ;\n    "


def described(name: str, told: Mapping[str, list[Object]]) -> Node:
    """Make a node; properties without a value are left out."""
    return Node(name, {property_: objects for property_, objects in told.items() if objects})


Prefixes = Mapping[str, str]

_WEB: Final = ("http://", "https://")
_SHORT: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]*(#[A-Za-z0-9_-]+)?")
"""The local names that Turtle takes after a prefix, but for the sign # that needs a backslash before it."""

_ESCAPES: Final = {ord(sign): f"\\{sign}" for sign in '"\\'} | {
    number: f"\\u{number:04X}" for number in (*range(0x20), 0x7F)
}
_LEFT_OUT: Final = re.compile(r'[\x00-\x20<>"{}|^`\\]')
"""What no address may hold; who writes it there anyway has it as %20."""


def turtle_head(prefixes: Prefixes) -> str:
    """Write what stands before all nodes of a Turtle file."""
    return "".join(f"@prefix {prefix}: <{address(begins)}> .\n" for prefix, begins in prefixes.items()) + "\n"


def turtle(node: Node, prefixes: Prefixes) -> str:
    """Write a node as Turtle."""
    parts = [
        f"{'a' if property_ == TYPE else property_} {', '.join([_turtle_object(one, prefixes) for one in objects])}"
        for property_, objects in node.told.items()
    ]
    return f"{_turtle_name(node.name, prefixes)} {_NEXT.join(parts)} .\n"


def address(text: str) -> str:
    """Write an address without the characters that would end it, or mean something else where it is read."""
    return _LEFT_OUT.sub(lambda found: f"%{ord(found[0]):02X}", text)


def _turtle_object(one: Object, prefixes: Prefixes) -> str:
    match one:
        case Text(text, ""):
            return f'"{text.translate(_ESCAPES)}"'
        case Text(text, tag):
            return f'"{text.translate(_ESCAPES)}"@{tag}'
        case Typed(value, datatype):
            return f'"{value.translate(_ESCAPES)}"^^{datatype}'
        case name:
            return _turtle_name(name, prefixes)


def _turtle_name(name: str, prefixes: Prefixes) -> str:
    if name.startswith(_WEB):
        return f"<{address(name)}>"
    prefix, _, local = name.partition(":")
    if _SHORT.fullmatch(local):
        return prefix + ":" + local.replace("#", r"\#")
    return f"<{address(prefixes[prefix] + local)}>"


# --- names of the vocabulary and of the dictionary's own things -----------------------------------------------------


VOCABULARY: Final = {
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

PLACES: Final = {
    "word": "api/words/",
    "idea": "api/ideas/",
    "language": "languages#",
    "context": "context/",
    "about": "about#",
}
"""Where the things of the dictionary are told of at its site, so that their names can be followed.

Each ends with a sign that JSON-LD takes for the end of what names begin with.
"""

WITHOUT_SITE: Final = "urn:abhidhan:"
"""What names begin with where nobody has said under which address the dictionary is reached."""

DICTIONARY: Final = "about:dictionary"
IDEAS: Final = "about:ideas"
CONTEXTS: Final = "about:contexts"

LEXINFO: Final = "http://www.lexinfo.net/ontology/3.0/lexinfo"

FRAMES: Final = {"Transitive": "TransitiveFrame", "Intransitive": "IntransitiveFrame"}
"""What LexInfo calls how a verb goes with others, by the parts of speech that tell it."""

GENDERS: Final = {"Masculine": "masculine", "Feminine": "feminine", "Common": "commonGender", "Neuter": "neuter"}

TAXONOMY: Final = {
    "Hypernym": "skos:broader",
    "Hyponym": "skos:narrower",
    "Related": "skos:related",
    "Near-synonym": "skos:related",
}
"""The relations of ideas that SKOS has a word for; of the others and of near synonyms their kind is told besides."""

# LexInfo defines both terms of parts by what *this* one is: who has a holonym is a part, hence "meronymTerm".
CATEGORIES: Final = {
    "Antonym": "lexinfo:antonym",
    "Near-synonym": "lexinfo:approximateSynonym",
    "Holonym": "lexinfo:meronymTerm",
    "Meronym": "lexinfo:holonymTerm",
    "Effect": "lexinfo:causallyRelatedConcept",
}
"""What LexInfo calls a relation; one that it has no word for is described as a thing of the dictionary."""

WITHOUT_CATEGORY: Final = frozenset({"Hypernym", "Hyponym", "Related"})
"""Relations of which SKOS tells all there is."""

LICENCES: Final = {
    "Apache-2.0": "https://www.apache.org/licenses/LICENSE-2.0",
    "CC0-1.0": "https://creativecommons.org/publicdomain/zero/1.0/",
    "CC-BY-3.0": "https://creativecommons.org/licenses/by/3.0/",
    "CC-BY-4.0": "https://creativecommons.org/licenses/by/4.0/",
    "CC-BY-SA-3.0": "https://creativecommons.org/licenses/by-sa/3.0/",
    "CC-BY-SA-4.0": "https://creativecommons.org/licenses/by-sa/4.0/",
    "MIT": "https://opensource.org/license/mit",
    "Unicode-3.0": "https://www.unicode.org/license.txt",
}
"""Where licences are that programs look for by their addresses; each is named as its source names it besides."""

_TAG: Final = re.compile(r"[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*")


def prefixes_of(base_url: str) -> Mapping[str, str]:
    """Return what all names begin with: those of the vocabulary, and those of a site."""
    begins = f"{base_url}/" if base_url else WITHOUT_SITE
    return VOCABULARY | {prefix: begins + place for prefix, place in PLACES.items()}


def word_name(word_id: int, part: str) -> str:
    """Return what a part of what is told of a word is called."""
    return f"word:{word_id}#{part}"


def idea_name(idea_id: int, part: str = "concept") -> str:
    """Return what an idea, or a part of what is told of it, is called."""
    return f"idea:{idea_id}#{part}"


def context_name(value: str) -> str:
    """Return what a context is called: its page."""
    return f"context:{quote(value, safe='')}"


def source_name(code: str) -> str:
    """Return what a source is called."""
    return f"about:source-{quote(code, safe='')}"


def category_name(relation: str) -> str:
    """Return what the kind of a relation is called."""
    return CATEGORIES.get(relation) or f"about:relation-{quote(relation, safe='')}"


def lexicon_name(code: str) -> str:
    """Return what the words of a language are called, taken together."""
    return f"language:{quote(code, safe='')}"


def tag_of(code: str) -> str:
    """Return the code of a language as a tag, or that of no known language where it is none."""
    return code if _TAG.fullmatch(code) else "und"


def in_script(code: str, subtag: str) -> str:
    """Return the tag of a language in another script, or as it sounds; a script that its own tag names is not meant."""
    return f"{tag_of(code).partition('-')[0]}-{subtag}"
