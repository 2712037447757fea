"""What a LIFT file says of itself: the sources and languages of a file of ours, and the categories of its ranges."""

from collections.abc import Iterator
from typing import Final
from xml.etree.ElementTree import Element

from abhidhan.domain.records import SourceRecord
from abhidhan.formats.contents import Content
from abhidhan.formats.lift_names import HEADWORDS, SOURCES
from abhidhan.formats.lift_texts import forms_of, plain_text, texts_of
from abhidhan.formats.xml import read_elements

CATEGORIES: Final = frozenset({"grammatical-info", "from-part-of-speech"})


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


def broader_categories(element: Element) -> Iterator[tuple[str, str]]:
    """Read for each category of a range what it is called in full, or the category above it."""
    if element.get("id") not in CATEGORIES:
        return
    for one in element.findall("range-element"):
        identifier = one.get("id", "").strip()
        label = next((form.text for form in forms_of(one.find("label")) if form.tag == "en"), "")
        above = one.get("parent", "").strip()
        if above or label:
            yield identifier, above or label


def own_categories(header: Element) -> dict[str, str]:
    """Read the categories of the ranges that stand in a file itself."""
    return {name: above for found in header.findall("ranges/range") for name, above in broader_categories(found)}


def read_categories(content: Content) -> dict[str, str]:
    """Read the categories of a file of ranges."""
    read = read_elements(content, frozenset({"range"}))
    return {name: above for found, _ in read for name, above in broader_categories(found.element)}
