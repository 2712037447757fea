"""Lost values of a WN-LMF import: attributes and texts of an entry that none of its records contains."""

from collections.abc import Iterable, Iterator
from typing import Final
from xml.etree.ElementTree import Element

from abhidhan.formats.importer_api import ImportOptions, ParsedRecord
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
    # WN-LMF has "has_masculine" with its inverse "masculine"; Abhidhan has two counterparts, each other's inverses.
    "has_masculine": "Masculine counterpart",
    "feminine": "Masculine counterpart",
    "has_feminine": "Feminine counterpart",
    "masculine": "Feminine counterpart",
    "has_young": "Adult of",
}
"""Supported relations of synsets."""

CONTEXTS: Final = {
    "noun.animal": "Animal",
    "noun.body": "Anatomy",
    "noun.food": "Food",
    "noun.location": "Place",
    "noun.plant": "Botany",
    "noun.time": "Time",
}
"""Contexts by the names of lexicographer files."""

CONVERTED_ATTRIBUTES: Final = frozenset(
    {
        *("Lexicon@language", "LexiconExtension@language"),  # the language of words and definitions
        *("Lemma@partOfSpeech", "Synset@partOfSpeech"),  # the part of speech, or an unknown value of the report
        "Synset@members",  # the order of words, which are read from senses
        *(f"LexicalEntry/Sense/SenseRelation[{kind}]@target" for kind in SENSE_RELATIONS),  # a relation, or a loss
    }
)
"""Attributes whose values are converted, so that no record contains them literally."""

LEXFILES: Final = frozenset({"Synset@lexfile", "Synset@dc:subject"})

PREFIXES: Final = {"http://www.w3.org/XML/1998/namespace": "xml"}
OTHER_PREFIX: Final = "dc"


def losses_of_element(
    file: str, line: int, element: Element, records: Iterable[ParsedRecord], options: ImportOptions
) -> Iterator[Loss]:
    """Yield a loss for each value of an entry or synset that its records lack."""
    return losses(file, line, _values(element, element.tag, options), records)


def losses_of_lexicon(
    file: str, line: int, lexicon: tuple[str, dict[str, str]], records: Iterable[ParsedRecord]
) -> Iterator[Loss]:
    """Yield a loss for each attribute of a lexicon that its source record lacks."""
    name, attributes = lexicon
    values = ((f"{name}@{_plain(attribute)}", value) for attribute, value in attributes.items())
    return losses(file, line, ((field, value) for field, value in values if field not in CONVERTED_ATTRIBUTES), records)


def _values(element: Element, path: str, options: ImportOptions) -> Iterator[tuple[str, str]]:
    """Yield each attribute and text of an element and its descendants, with its path."""
    for name, value in element.attrib.items():
        field = f"{path}@{_plain(name)}"
        if not (field in CONVERTED_ATTRIBUTES or _is_read(field.rpartition("/")[2], value)):
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
    # The field names in reports include the types of relations.
    return attribute in CONVERTED_ATTRIBUTES or attribute.endswith(("]@relType", "@xml:space"))


def _plain(name: str) -> str:
    """Format the name of an attribute as it appears in the file (`dc:type`)."""
    namespace, _, local = name.rpartition("}")
    return f"{PREFIXES.get(namespace.lstrip('{'), OTHER_PREFIX)}:{local}" if namespace else local
