"""Lost values of a TEI import: attributes and texts of an entry that none of its records contains."""

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element

from abhidhan.formats.grammar_marks import extract_labels
from abhidhan.formats.importer_api import ImportOptions
from abhidhan.formats.losses import find_losses
from abhidhan.formats.tei.senses import (
    CONVERTED_NOTE_TYPES,
    EXAMPLE_TYPE,
    INFLECTED_TYPES,
    PLURAL_TYPE,
    REMARK_TYPES,
    SYNONYM_TYPES,
    TRANSLATION_TYPES,
    get_text_without_notes,
    is_pos_or_gender,
)
from abhidhan.formats.xml_stream import LANGUAGE_ATTRIBUTE, Ancestors
from abhidhan.records.import_records import LocatedRecord, UnstoredValue
from abhidhan.records.kinds import IdeaRecord

CONVERTED_ATTRIBUTES: Final[Mapping[str, Container[str | None] | None]] = {
    "sense@n": None,  # the order of the senses
    "gram@norm": None,  # repeats the text of the element
    "cit@type": {*TRANSLATION_TYPES, EXAMPLE_TYPE},
    "form@type": {"lemma", *INFLECTED_TYPES},
    "gram@type": {"pos", "gender"},
    "note@type": {*CONVERTED_NOTE_TYPES, *REMARK_TYPES},
    "orth@type": {"transliterated", "romanized", "trans"},
    "pron@notation": {"IPA", "ipa", "Beng"},
    "xr@type": {PLURAL_TYPE, *SYNONYM_TYPES},
}
"""Converted values by attribute, which no record contains literally; None means all values."""

LIST_ELEMENTS: Final = frozenset({"quote", "orth"})
"""Elements whose texts may be lists of words."""

TYPED_ELEMENTS: Final = frozenset({"cit", "note", "xr"})
"""Elements whose type is part of their path in reports."""

_WORD_SEPARATOR: Final = re.compile(r"[|;,()\[\]<>।]")


class _ImportedEntry(NamedTuple):
    """The ideas imported from an element, and the user's options."""

    ideas: list[IdeaRecord]
    options: ImportOptions

    def is_label(self, text: str) -> bool:
        """Return whether a text was imported as a part of speech or gender."""
        return any(is_pos_or_gender(text, idea.pos, idea.gender, self.options) for idea in self.ideas)


def find_element_losses(
    file: str, line: int, element: Element, records: Iterable[LocatedRecord], options: ImportOptions
) -> Iterator[UnstoredValue]:
    """Yield a loss for each value of an element that its records lack."""
    located = list(records)
    imported = _ImportedEntry([item.record for item in located if isinstance(item.record, IdeaRecord)], options)
    return find_losses(file, line, _iter_values(element, element.tag, imported), located)


def find_ancestor_losses(file: str, line: int, ancestors: Ancestors) -> Iterator[UnstoredValue]:
    """Yield a loss for each attribute of the elements around entries, except languages, which are imported."""
    values = (
        (f"{tag}@{_format_attribute(name)}", value)
        for tag, attributes in ancestors
        for name, value in attributes.items()
        if name != LANGUAGE_ATTRIBUTE
    )
    return find_losses(file, line, values, ())


def _iter_values(
    element: Element, path: str, imported: _ImportedEntry, *, is_in_text: bool = False
) -> Iterator[tuple[str, str]]:
    """Yield each attribute and text of an element and its descendants, with its path.

    Mixed content is one value, except for notes in it.
    """
    for name, value in element.attrib.items():
        if not _is_imported(element, name, value, imported):
            yield (
                f"{path}@{_format_attribute(name)}",
                imported.options.map_language(value) if name == LANGUAGE_ATTRIBUTE else value,
            )
    if not is_in_text and any(text and text.strip() for text in (element.text, *(child.tail for child in element))):
        is_in_text = True
        yield from _iter_texts(element, path, imported)
    for child in element:
        kind = child.get("type") if child.tag in TYPED_ELEMENTS else None
        # Nested elements with the same name share one field in the report.
        outer = path.removesuffix(f"/{child.tag}")
        inner = f"{outer}/{child.tag}[{kind}]" if kind else f"{outer}/{child.tag}"
        yield from _iter_values(child, inner, imported, is_in_text=is_in_text and child.tag != "note")


def _iter_texts(element: Element, path: str, imported: _ImportedEntry) -> Iterator[tuple[str, str]]:
    text, labels = extract_labels(get_text_without_notes(element))
    if element.tag == "usg" and text in imported.options.values.get("context", {}):
        return
    if not imported.is_label(text):
        for piece in _WORD_SEPARATOR.split(text) if element.tag in LIST_ELEMENTS else [text]:
            yield path, piece.strip()
    yield from ((f"{path}<…>", label) for label in labels if not imported.is_label(label))


def _is_imported(element: Element, name: str, value: str, imported: _ImportedEntry) -> bool:
    field = f"{element.tag}@{name}"
    if field == "pos@expand":
        return imported.is_label(value)
    values = CONVERTED_ATTRIBUTES.get(field, ())
    return values is None or value in values


def _format_attribute(name: str) -> str:
    """Format the name of an attribute as it appears in the file (`xml:id`)."""
    return f"xml:{name.rpartition('}')[2]}" if name.startswith("{") else name
