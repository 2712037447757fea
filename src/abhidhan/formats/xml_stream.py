"""Streaming XML parser: elements one by one, with line numbers, protected against entity expansion."""

from collections.abc import Iterator
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element, ParseError, TreeBuilder

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from abhidhan.formats.content_streams import CHUNK_SIZE, ContentStream, DamagedFileError

LANGUAGE_ATTRIBUTE: Final = "{http://www.w3.org/XML/1998/namespace}lang"


MAX_ELEMENT_DEPTH: Final = 100
"""Maximum depth of elements within an entry."""

MAX_ENTRY_LENGTH: Final = 16_000_000
"""Maximum number of characters in an entry."""

Ancestors = list[tuple[str, dict[str, str]]]
"""Names and attributes of the ancestors of an element, outermost first."""


class LocatedElement(NamedTuple):
    """A complete element, and the line on which it started."""

    element: Element
    line: int


class _TooLargeError(Exception):
    """An element exceeds `MAX_ELEMENT_DEPTH` or `MAX_ENTRY_LENGTH`."""


class _ElementBuilder(TreeBuilder):
    """Tree builder that collects only the elements with given names, each with its line."""

    def __init__(self, names: frozenset[str]) -> None:
        super().__init__()
        self._names = names
        self._open_elements: list[Element] = []
        self._start_lines: list[int] = []
        self._text_length = 0
        self.finished_elements: list[tuple[LocatedElement, Ancestors]] = []
        self.ancestors: Ancestors = []
        self.parser: DefusedXMLParser | None = None

    def start(self, tag: str, attrs: dict[str, str]) -> Element:
        name = tag.rpartition("}")[2]
        if not self._open_elements and name not in self._names:
            self.ancestors.append((name, dict(attrs)))
            return Element(name)
        if len(self._open_elements) >= MAX_ELEMENT_DEPTH:
            raise _TooLargeError
        element = Element(name, attrs)
        if self._open_elements:
            self._open_elements[-1].append(element)
        self._open_elements.append(element)
        self._start_lines.append(self.parser.parser.CurrentLineNumber if self.parser else 0)
        return element

    def end(self, tag: str) -> Element:
        if not self._open_elements:
            self.ancestors.pop()
            return Element(tag)
        element = self._open_elements.pop()
        line = self._start_lines.pop()
        if not self._open_elements:
            self._text_length = 0
            self.finished_elements.append((LocatedElement(element, line), list(self.ancestors)))
        return element

    def data(self, data: str) -> None:
        if not self._open_elements:
            return
        self._text_length += len(data)
        if self._text_length > MAX_ENTRY_LENGTH:
            raise _TooLargeError
        last = self._open_elements[-1]
        if len(last):
            last[-1].tail = (last[-1].tail or "") + data
        else:
            last.text = (last.text or "") + data

    def close(self) -> Element:
        return Element("end")


def read_elements(content: ContentStream, names: frozenset[str]) -> Iterator[tuple[LocatedElement, Ancestors]]:
    """Yield the outermost elements with the given names, each with the names and attributes of its ancestors.

    `names` have no namespace. Raises DamagedFileError for invalid or truncated XML, or if it defines entities.
    """
    builder = _ElementBuilder(names)
    parser = DefusedXMLParser(target=builder, forbid_dtd=False, forbid_entities=True, forbid_external=True)
    builder.parser = parser
    try:
        while chunk := content.stream.read(min(CHUNK_SIZE, 65_536)):
            parser.feed(chunk)
            yield from builder.finished_elements
            builder.finished_elements.clear()
        parser.close()
    except DefusedXmlException as error:
        raise DamagedFileError.of(
            "file", f"{content.name} defines entities, like an XML bomb: it is not read."
        ) from error
    except _TooLargeError as error:
        raise DamagedFileError.of(
            "file", f"{content.name} has an entry that is nested too deeply or too long: it is not read."
        ) from error
    except (ParseError, ValueError, LookupError) as error:
        raise DamagedFileError.of("file", f"{content.name} is damaged, incomplete or not XML ({error}).") from error
    yield from builder.finished_elements


def get_text(element: Element | None) -> str:
    """Return all text inside an element, with white space collapsed."""
    return " ".join("".join(element.itertext()).split()) if element is not None else ""
