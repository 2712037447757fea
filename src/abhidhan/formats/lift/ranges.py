"""Header and ranges of LIFT files, read before the entries: sources, categories, languages of headwords."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element

from abhidhan.formats.content_streams import ContentStream
from abhidhan.formats.importer_api import ImportOptions
from abhidhan.formats.languages import canonical_code
from abhidhan.formats.lift.headwords import ReadSettings, choose_spelling
from abhidhan.formats.lift.multitext import get_plain_text, iter_forms, join_texts, parse_writing_system
from abhidhan.formats.lift.vocabulary import HEADWORDS_RANGE, SOURCES_RANGE, TOP_ELEMENTS
from abhidhan.formats.xml_stream import read_elements
from abhidhan.records.errors import InputError, pluralize, quoted
from abhidhan.records.kinds import SourceRecord

CATEGORY_RANGES: Final = frozenset({"grammatical-info", "from-part-of-speech"})
RANGE_ELEMENTS: Final = frozenset({"range"})


def read_sources(header: Element) -> list[SourceRecord]:
    """Return the sources in the header of a file written by Abhidhan; other files have none."""
    return [_build_source(element) for element in _iter_range_elements(header, SOURCES_RANGE)]


def read_entry_languages(header: Element) -> frozenset[str]:
    """Return the languages that have entries in a file written by Abhidhan; empty for other files."""
    return frozenset(element.get("id", "") for element in _iter_range_elements(header, HEADWORDS_RANGE))


def _iter_range_elements(header: Element, name: str) -> Iterator[Element]:
    for range_element in header.findall("ranges/range"):
        if range_element.get("id") == name:
            yield from range_element.findall("range-element")


def _build_source(element: Element) -> SourceRecord:
    spans = {
        span.get("class", ""): get_plain_text(span) or None for span in element.iterfind("description/form/text/span")
    }
    return SourceRecord(
        element.get("id", ""),
        join_texts(element.find("label")),
        join_texts(element.find("abbrev")),
        spans.get("url"),
        spans.get("attribution"),
        spans.get("notice"),
    )


class Category(NamedTuple):
    """A part of speech in a range: its English name and the ID of its parent category, each possibly empty."""

    label: str
    parent: str


def read_header_categories(header: Element) -> dict[str, Category]:
    """Return the categories of the ranges in a header, by ID."""
    return dict(pair for range_element in header.findall("ranges/range") for pair in _iter_categories(range_element))


def read_categories(content: ContentStream) -> dict[str, Category]:
    """Return the categories of a file of ranges, by ID."""
    read = read_elements(content, RANGE_ELEMENTS)
    return dict(pair for item, _ in read for pair in _iter_categories(item.element))


def _iter_categories(element: Element) -> Iterator[tuple[str, Category]]:
    if element.get("id") not in CATEGORY_RANGES:
        return
    for value in element.findall("range-element"):
        label = next((form.text for form in iter_forms(value.find("label")) if form.tag == "en"), "")
        yield value.get("id", "").strip(), Category(label, value.get("parent", "").strip())


# --- the languages of headwords -------------------------------------------------------------------------------------


MAX_LISTED_SYSTEMS: Final = 3
"""Maximum number of writing systems in the error message."""


def check_languages(files: Sequence[ContentStream], options: ImportOptions) -> None:
    """Check that the language of at least one headword is known. Raises InputError that explains how to map it.

    Otherwise an import would drop all headwords and import only their glosses.
    """
    unknown: Counter[str] = Counter()
    for file in files:
        tags = _count_unknown_tags(file, options)
        file.stream.seek(0)
        if tags is None:
            return
        unknown += tags
    if unknown:
        mappings = " ".join(
            f"--map {quoted(f'language:{tag}=CODE')}" for tag, _ in unknown.most_common(MAX_LISTED_SYSTEMS)
        )
        raise InputError.of(
            "language",
            "Which language are the words in? No headword has a known language "
            f"({pluralize(unknown.total(), 'headword')}). Give its ISO 639-3 code, such as mjw, in place of CODE: "
            f"{mappings}.",
        )


def _count_unknown_tags(file: ContentStream, options: ImportOptions) -> Counter[str] | None:
    """Count headwords by writing system. Stops and returns None at the first one whose language is known."""
    settings = ReadSettings(options)
    tags: Counter[str] = Counter()
    for item, _ in read_elements(ContentStream(file.name, file.stream), TOP_ELEMENTS):
        if item.element.tag == "header":
            settings = ReadSettings(options, read_entry_languages(item.element))
        elif item.element.get("dateDeleted") is None and (form := choose_spelling(item.element, settings)) is not None:
            if _is_known_language(form.tag, settings):
                return None
            tags[form.tag] += 1
    return tags


def _is_known_language(tag: str, settings: ReadSettings) -> bool:
    mapped = settings.options.values.get("language", {})
    if not tag or tag in settings.entry_languages or tag in mapped or parse_writing_system(tag).language in mapped:
        return True
    code = settings.map_tag(tag)
    return canonical_code(code) == code
