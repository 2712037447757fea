"""What a WN-LMF file holds and no record does: attributes and texts, each looked for in the records of its entry."""

from collections.abc import Iterable, Iterator
from typing import Final
from xml.etree.ElementTree import Element

from abhidhan.formats.importer_api import Found, Options
from abhidhan.formats.losses import losses
from abhidhan.formats.pos_mapping import RELATIONS
from abhidhan.records.import_records import Loss

LATIN: Final = "Latn"
"""The script of romanizations."""

ANTONYM: Final = "Antonym"

SENSE_RELATIONS: Final = {
    "antonym": ANTONYM,
    "anto_gradable": ANTONYM,
    "anto_simple": ANTONYM,
    "anto_converse": ANTONYM,
    "also": "Related",
    "similar": "Near-synonym",
    "participle": "Derived from",
    "pertainym": "Derived from",
}
"""Relations of senses that become relations of their ideas."""

SYNSET_RELATIONS: Final = {
    **RELATIONS,
    "anto_gradable": ANTONYM,
    "anto_simple": ANTONYM,
    "anto_converse": ANTONYM,
    # "has_masculine" and "masculine" are inverses there, here each other's are "Masculine" and "Feminine counterpart".
    "has_masculine": "Masculine counterpart",
    "feminine": "Masculine counterpart",
    "has_feminine": "Feminine counterpart",
    "masculine": "Feminine counterpart",
    "has_young": "Adult of",
}
"""Relations of synsets that are known here."""

CONTEXTS: Final = {
    "noun.animal": "Animal",
    "noun.body": "Anatomy",
    "noun.food": "Food",
    "noun.location": "Place",
    "noun.plant": "Botany",
    "noun.time": "Time",
}
"""Contexts by the names of lexicographer files."""

READ: Final = frozenset(
    {
        *("Lexicon@language", "LexiconExtension@language"),  # the language of words and definitions
        *("Lemma@partOfSpeech", "Synset@partOfSpeech"),  # the part of speech, or an unknown value of the report
        "Synset@members",  # the order of words; which they are, senses say
        *(f"LexicalEntry/Sense/SenseRelation[{kind}]@target" for kind in SENSE_RELATIONS),  # a relation, or a loss
    }
)
"""Attributes that are read into something that does not contain them."""

LEXFILES: Final = frozenset({"Synset@lexfile", "Synset@dc:subject"})

PREFIXES: Final = {"http://www.w3.org/XML/1998/namespace": "xml"}
OTHER_PREFIX: Final = "dc"


def losses_of_element(
    file: str, line: int, element: Element, found: Iterable[Found], options: Options
) -> Iterator[Loss]:
    """Yield what an entry or a synset holds and its records do not."""
    return losses(file, line, _values(element, element.tag, options), found)


def losses_of_lexicon(
    file: str, line: int, lexicon: tuple[str, dict[str, str]], found: Iterable[Found]
) -> Iterator[Loss]:
    """Yield what the attributes of a lexicon say and its source does not."""
    name, attributes = lexicon
    values = ((f"{name}@{_plain(each)}", value) for each, value in attributes.items())
    return losses(file, line, ((field, value) for field, value in values if field not in READ), found)


def _values(element: Element, path: str, options: Options) -> Iterator[tuple[str, str]]:
    """Yield each attribute and text of an element and of those within it, with its path."""
    for name, value in element.attrib.items():
        field = f"{path}@{_plain(name)}"
        if not (field in READ or _is_read(field.rpartition("/")[2], value)):
            yield field, options.code(value) if field.endswith("@language") else value
    if element.text and element.text.strip():
        yield path, element.text.strip()
    for child in element:
        kind = child.get("relType")
        yield from _values(child, f"{path}/{child.tag}[{kind}]" if kind else f"{path}/{child.tag}", options)
        if child.tail and child.tail.strip():
            yield path, child.tail.strip()


def _is_read(attribute: str, value: str) -> bool:
    if attribute in LEXFILES:
        return value in CONTEXTS
    if attribute == "Form@script":
        return value.startswith(LATIN)
    # The report names fields by the types of relations.
    return attribute in READ or attribute.endswith(("]@relType", "@xml:space"))


def _plain(name: str) -> str:
    """Write the name of an attribute as it stands in the file."""
    namespace, _, local = name.rpartition("}")
    return f"{PREFIXES.get(namespace.lstrip('{'), OTHER_PREFIX)}:{local}" if namespace else local
