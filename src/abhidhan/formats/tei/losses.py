"""Lost values of a TEI import: attributes and texts of an entry that none of its records contains."""

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element

from abhidhan.formats.grammar_marks import remove_marks
from abhidhan.formats.importer_api import ImportOptions
from abhidhan.formats.losses import losses
from abhidhan.formats.tei.senses import (
    EXAMPLE,
    INFLECTED,
    PLURAL,
    READ_NOTES,
    REMARKS,
    SYNONYMS,
    TRANSLATIONS,
    bare_text,
    is_read_as,
)
from abhidhan.formats.xml_stream import LANGUAGE, Outer
from abhidhan.records.import_records import LocatedRecord, Loss
from abhidhan.records.kinds import IdeaRecord

CONVERTED_ATTRIBUTES: Final[Mapping[str, Container[str | None] | None]] = {
    "sense@n": None,  # the order of the senses
    "gram@norm": None,  # repeats the text of the element
    "cit@type": {*TRANSLATIONS, EXAMPLE},
    "form@type": {"lemma", *INFLECTED},
    "gram@type": {"pos", "gender"},
    "note@type": {*READ_NOTES, *REMARKS},
    "orth@type": {"transliterated", "romanized", "trans"},
    "pron@notation": {"IPA", "ipa", "Beng"},
    "xr@type": {PLURAL, *SYNONYMS},
}
"""Converted values by attribute, which no record contains literally; None means all values."""

LIST_ELEMENTS: Final = frozenset({"quote", "orth"})
"""Elements whose texts may be lists of words."""

TYPED_ELEMENTS: Final = frozenset({"cit", "note", "xr"})
"""Elements whose type is part of their path in reports."""

_WORD_SEPARATOR: Final = re.compile(r"[|;,()\[\]<>।]")


class _ReadResult(NamedTuple):
    """The ideas imported from an element, and the user's options."""

    ideas: list[IdeaRecord]
    options: ImportOptions

    def is_label(self, text: str) -> bool:
        """Return whether a text was imported as a part of speech or gender."""
        return any(is_read_as(text, idea.pos, idea.gender, self.options) for idea in self.ideas)


def losses_of_element(
    file: str, line: int, element: Element, records: Iterable[LocatedRecord], options: ImportOptions
) -> Iterator[Loss]:
    """Yield a loss for each value of an element that its records lack."""
    located = list(records)
    reading = _ReadResult([item.record for item in located if isinstance(item.record, IdeaRecord)], options)
    return losses(file, line, _values(element, element.tag, reading), located)


def losses_of_outer(file: str, line: int, outer: Outer) -> Iterator[Loss]:
    """Yield a loss for each attribute of the elements around entries, except languages, which are imported."""
    values = (
        (f"{tag}@{_plain(name)}", value)
        for tag, attributes in outer
        for name, value in attributes.items()
        if name != LANGUAGE
    )
    return losses(file, line, values, ())


def _values(
    element: Element, path: str, reading: _ReadResult, *, is_in_text: bool = False
) -> Iterator[tuple[str, str]]:
    """Yield each attribute and text of an element and its descendants, with its path.

    Mixed content is one value, except for notes in it.
    """
    for name, value in element.attrib.items():
        if not _is_read(element, name, value, reading):
            yield f"{path}@{_plain(name)}", reading.options.code(value) if name == LANGUAGE else value
    if not is_in_text and any(text and text.strip() for text in (element.text, *(child.tail for child in element))):
        is_in_text = True
        yield from _texts(element, path, reading)
    for child in element:
        kind = child.get("type") if child.tag in TYPED_ELEMENTS else None
        # Nested elements with the same name share one field in the report.
        outer = path.removesuffix(f"/{child.tag}")
        inner = f"{outer}/{child.tag}[{kind}]" if kind else f"{outer}/{child.tag}"
        yield from _values(child, inner, reading, is_in_text=is_in_text and child.tag != "note")


def _texts(element: Element, path: str, reading: _ReadResult) -> Iterator[tuple[str, str]]:
    text, labels = remove_marks(bare_text(element))
    if element.tag == "usg" and text in reading.options.values.get("context", {}):
        return
    if not reading.is_label(text):
        for piece in _WORD_SEPARATOR.split(text) if element.tag in LIST_ELEMENTS else [text]:
            yield path, piece.strip()
    yield from ((f"{path}<…>", label) for label in labels if not reading.is_label(label))


def _is_read(element: Element, name: str, value: str, reading: _ReadResult) -> bool:
    field = f"{element.tag}@{name}"
    if field == "pos@expand":
        return reading.is_label(value)
    values = CONVERTED_ATTRIBUTES.get(field, ())
    return values is None or value in values


def _plain(name: str) -> str:
    """Format the name of an attribute as it appears in the file (`xml:id`)."""
    return f"xml:{name.rpartition('}')[2]}" if name.startswith("{") else name
