"""What a LIFT file says of itself: the sources and languages of a file of ours, and the categories of its ranges."""

from collections.abc import Iterator
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element

from abhidhan.formats.content_streams import Content
from abhidhan.formats.lift.multitext import forms_of, plain_text, texts_of
from abhidhan.formats.lift.vocabulary import HEADWORDS, SOURCES
from abhidhan.formats.xml_stream import read_elements
from abhidhan.records.kinds import SourceRecord

CATEGORIES: Final = frozenset({"grammatical-info", "from-part-of-speech"})
RANGE: Final = frozenset({"range"})


def own_sources(header: Element) -> list[SourceRecord]:
    """Read the sources of a file of ours; another one has none."""
    return [_source(one) for one in _elements(header, SOURCES)]


def own_languages(header: Element) -> frozenset[str]:
    """Read the languages whose words have entries of their own in a file of ours."""
    return frozenset(one.get("id", "") for one in _elements(header, HEADWORDS))


def _elements(header: Element, name: str) -> Iterator[Element]:
    for found in header.findall("ranges/range"):
        if found.get("id") == name:
            yield from found.findall("range-element")


def _source(element: Element) -> SourceRecord:
    spans = {span.get("class", ""): plain_text(span) or None for span in element.iterfind("description/form/text/span")}
    return SourceRecord(
        element.get("id", ""),
        texts_of(element.find("label")),
        texts_of(element.find("abbrev")),
        spans.get("url"),
        spans.get("attribution"),
        spans.get("notice"),
    )


class Category(NamedTuple):
    """A part of speech of a range: its English name and the ID of the category above it, empty where not given."""

    label: str
    parent: str


def own_categories(header: Element) -> dict[str, Category]:
    """Read the categories of the ranges that stand in a file itself, by their IDs."""
    return dict(pair for found in header.findall("ranges/range") for pair in _categories(found))


def read_categories(content: Content) -> dict[str, Category]:
    """Read the categories of a file of ranges, by their IDs."""
    read = read_elements(content, RANGE)
    return dict(pair for found, _ in read for pair in _categories(found.element))


def _categories(element: Element) -> Iterator[tuple[str, Category]]:
    if element.get("id") not in CATEGORIES:
        return
    for one in element.findall("range-element"):
        label = next((form.text for form in forms_of(one.find("label")) if form.tag == "en"), "")
        yield one.get("id", "").strip(), Category(label, one.get("parent", "").strip())
