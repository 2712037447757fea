"""Lost values of a WN-LMF import: attributes and texts of an entry that none of its records contains."""

from collections.abc import Iterable, Iterator
from typing import Final
from xml.etree.ElementTree import Element

from abhidhan.formats.importer_api import ImportOptions, ParsedRecord
from abhidhan.formats.losses import find_losses
from abhidhan.formats.pos_mapping import RELATION_BY_TYPE
from abhidhan.records.import_records import UnstoredValue

LATIN_SCRIPT: Final = "Latn"
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
    **RELATION_BY_TYPE,
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

CONTEXT_BY_LEXFILE: Final = {
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

LEXFILE_ATTRIBUTES: Final = frozenset({"Synset@lexfile", "Synset@dc:subject"})

PREFIX_BY_NAMESPACE: Final = {"http://www.w3.org/XML/1998/namespace": "xml"}
DEFAULT_PREFIX: Final = "dc"


def find_element_losses(
    file: str, line: int, element: Element, records: Iterable[ParsedRecord], options: ImportOptions
) -> Iterator[UnstoredValue]:
    """Yield a loss for each value of an entry or synset that its records lack."""
    return find_losses(file, line, _iter_values(element, element.tag, options), records)


def find_lexicon_losses(
    file: str, line: int, lexicon: tuple[str, dict[str, str]], records: Iterable[ParsedRecord]
) -> Iterator[UnstoredValue]:
    """Yield a loss for each attribute of a lexicon that its source record lacks."""
    name, attributes = lexicon
    values = ((f"{name}@{_format_attribute(attribute)}", value) for attribute, value in attributes.items())
    return find_losses(
        file, line, ((field, value) for field, value in values if field not in CONVERTED_ATTRIBUTES), records
    )


def _iter_values(element: Element, path: str, options: ImportOptions) -> Iterator[tuple[str, str]]:
    """Yield each attribute and text of an element and its descendants, with its path."""
    for name, value in element.attrib.items():
        field = f"{path}@{_format_attribute(name)}"
        if not (field in CONVERTED_ATTRIBUTES or _is_imported(field.rpartition("/")[2], value)):
            yield field, options.map_language(value) if field.endswith("@language") else value
    if element.text and element.text.strip():
        yield path, element.text.strip()
    for child in element:
        kind = child.get("relType")
        yield from _iter_values(child, f"{path}/{child.tag}[{kind}]" if kind else f"{path}/{child.tag}", options)
        if child.tail and child.tail.strip():
            yield path, child.tail.strip()


def _is_imported(attribute: str, value: str) -> bool:
    if attribute in LEXFILE_ATTRIBUTES:
        return value in CONTEXT_BY_LEXFILE
    if attribute == "Form@script":
        return value.startswith(LATIN_SCRIPT)
    # The field names in reports include the types of relations.
    return attribute in CONVERTED_ATTRIBUTES or attribute.endswith(("]@relType", "@xml:space"))


def _format_attribute(name: str) -> str:
    """Format the name of an attribute as it appears in the file (`dc:type`)."""
    namespace, _, local = name.rpartition("}")
    return f"{PREFIX_BY_NAMESPACE.get(namespace.lstrip('{'), DEFAULT_PREFIX)}:{local}" if namespace else local
