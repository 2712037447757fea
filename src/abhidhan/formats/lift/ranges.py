"""Header and ranges of LIFT files, read before the entries: sources, categories, languages of headwords."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element

from abhidhan.formats.content_streams import ContentStream
from abhidhan.formats.importer_api import ImportOptions
from abhidhan.formats.languages import canonical_code
from abhidhan.formats.lift.headwords import ReadSettings, spelling_of
from abhidhan.formats.lift.multitext import forms_of, plain_text, texts_of, writing_system
from abhidhan.formats.lift.vocabulary import HEADWORDS, SOURCES
from abhidhan.formats.xml_stream import read_elements
from abhidhan.records.errors import InputError, pluralize, quoted
from abhidhan.records.kinds import SourceRecord

CATEGORY_RANGES: Final = frozenset({"grammatical-info", "from-part-of-speech"})
RANGE: Final = frozenset({"range"})


def own_sources(header: Element) -> list[SourceRecord]:
    """Return the sources in the header of a file written by Abhidhan; other files have none."""
    return [_source(element) for element in _elements(header, SOURCES)]


def own_languages(header: Element) -> frozenset[str]:
    """Return the languages that have entries in a file written by Abhidhan; empty for other files."""
    return frozenset(element.get("id", "") for element in _elements(header, HEADWORDS))


def _elements(header: Element, name: str) -> Iterator[Element]:
    for range_element in header.findall("ranges/range"):
        if range_element.get("id") == name:
            yield from range_element.findall("range-element")


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
    """A part of speech in a range: its English name and the ID of its parent category, each possibly empty."""

    label: str
    parent: str


def own_categories(header: Element) -> dict[str, Category]:
    """Return the categories of the ranges in a header, by ID."""
    return dict(pair for range_element in header.findall("ranges/range") for pair in _categories(range_element))


def read_categories(content: ContentStream) -> dict[str, Category]:
    """Return the categories of a file of ranges, by ID."""
    read = read_elements(content, RANGE)
    return dict(pair for item, _ in read for pair in _categories(item.element))


def _categories(element: Element) -> Iterator[tuple[str, Category]]:
    if element.get("id") not in CATEGORY_RANGES:
        return
    for value in element.findall("range-element"):
        label = next((form.text for form in forms_of(value.find("label")) if form.tag == "en"), "")
        yield value.get("id", "").strip(), Category(label, value.get("parent", "").strip())


# --- the languages of headwords -------------------------------------------------------------------------------------


TOP_ELEMENTS: Final = frozenset({"header", "entry"})
MAX_NAMED_SYSTEMS: Final = 3
"""Maximum number of writing systems in the error message."""


def check_languages(files: Sequence[ContentStream], options: ImportOptions) -> None:
    """Check that the language of at least one headword is known. Raises InputError that explains how to map it.

    Otherwise an import would drop all headwords and import only their glosses.
    """
    unknown: Counter[str] = Counter()
    for file in files:
        tags = _unknown_languages(file, options)
        file.stream.seek(0)
        if tags is None:
            return
        unknown += tags
    if unknown:
        named = " ".join(f"--map {quoted(f'language:{tag}=CODE')}" for tag, _ in unknown.most_common(MAX_NAMED_SYSTEMS))
        raise InputError.of(
            "language",
            "Which language are the words in? No headword has a known language "
            f"({pluralize(unknown.total(), 'headword')}). Give its ISO 639-3 code, such as mjw, in place of CODE: "
            f"{named}.",
        )


def _unknown_languages(file: ContentStream, options: ImportOptions) -> Counter[str] | None:
    """Count headwords by writing system. Stops and returns None at the first one whose language is known."""
    reading = ReadSettings(options)
    tags: Counter[str] = Counter()
    for item, _ in read_elements(ContentStream(file.name, file.stream), TOP_ELEMENTS):
        if item.element.tag == "header":
            reading = ReadSettings(options, own_languages(item.element))
        elif item.element.get("dateDeleted") is None and (form := spelling_of(item.element, reading)) is not None:
            if _is_known(form.tag, reading):
                return None
            tags[form.tag] += 1
    return tags


def _is_known(tag: str, reading: ReadSettings) -> bool:
    mapped = reading.options.values.get("language", {})
    if not tag or tag in reading.own_languages or tag in mapped or writing_system(tag).language in mapped:
        return True
    code = reading.code(tag)
    return canonical_code(code) == code
