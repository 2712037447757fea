"""Lost values of a LIFT import: attributes and texts of an entry that none of its records contains."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element

from abhidhan.formats.importer_api import ImportOptions, ParsedRecord
from abhidhan.formats.lift.headwords import ORIGIN_TYPE, ReadSettings
from abhidhan.formats.lift.multitext import get_guid, get_plain_text, get_type, parse_writing_system
from abhidhan.formats.lift.stored_entries import is_foreign
from abhidhan.formats.lift.vocabulary import (
    COMPONENT_RELATION,
    DIALECT_TRAIT,
    DOMAIN_TRAIT,
    ENTRY_SOURCE_TRAIT,
    GENDER_TRAIT,
    HEADWORDS_RANGE,
    IDEA_KEY_TRAIT,
    IDEA_TRAIT,
    PROVERB_TRAIT,
    RECORDING_TRAIT,
    RELATION_BY_TYPE,
    SEMANTIC_DOMAIN_TRAIT,
    SEMANTIC_DOMAIN_TRAITS,
    SENSE_ELEMENTS,
    SOUND_SUFFIXES,
    SOURCES_RANGE,
    is_context_domain,
)
from abhidhan.formats.losses import find_losses
from abhidhan.formats.pos_mapping import GENDER_BY_LABEL
from abhidhan.records.import_records import UnstoredValue

CONVERTED_ATTRIBUTES: Final = frozenset(
    {
        *("relation@ref", "variant@ref"),  # links, or errors
        *("sense@order", "subsense@order"),  # the order in which senses are read
        *("sense/grammatical-info@value", "subsense/grammatical-info@value"),  # the part of speech, or a note
        *("annotation@name", "field@name", "field@type", "note@type", "trait@name"),  # names of fields
    }
)
"""Attributes whose values are converted, so that no record contains them literally."""

EXPORT_CONVERTED_ATTRIBUTES: Final = frozenset(
    {
        *("entry@id", "entry@guid", "entry@order", "sense@id"),
        *("entry@dateCreated", "entry@dateModified", "sense@dateCreated", "sense@dateModified"),
        # Abhidhan's files tag these as English, in whatever language they are.
        *(f"{tag}/form@lang" for tag in ("definition", "field", "note", "translation")),
    }
)
"""Attributes of Abhidhan's files that are derived from other fields, or parsed as times."""

EXPORT_DERIVED_TRAITS: Final = frozenset(
    {"morph-type", SEMANTIC_DOMAIN_TRAIT, IDEA_TRAIT, PROVERB_TRAIT, SOURCES_RANGE, HEADWORDS_RANGE}
)
"""Traits of Abhidhan's files that are derived from other fields, or combine several, such as source and key."""

ADDED_TRAITS: Final = frozenset({ENTRY_SOURCE_TRAIT, IDEA_KEY_TRAIT, RECORDING_TRAIT})
"""Traits that an export adds to entries in their original form."""

HEADWORD_ELEMENTS: Final = frozenset({"lexical-unit", "citation", "pronunciation", "variant"})
"""Elements whose writing systems distinguish spellings, romanizations, transcriptions and recordings."""

RECORDING_TRAITS: Final = frozenset({"speaker", "place", "licence"})
"""Traits of a pronunciation that are imported with its recordings."""

FREE_TRANSLATIONS: Final = frozenset({"free translation", "free"})
"""Types of translations, in lower case, that are imported as translations of examples."""

ELEMENTS_WITH_NAMES: Final = frozenset({"annotation", "field", "note", "trait"})
"""Elements whose name or type is part of their path in reports."""

_WORD_SEPARATOR: Final = re.compile(r"[|;,()\[\]<>、।]")


class _Context(NamedTuple):
    """The context of an element: its path and parent, and the settings of its file."""

    path: str
    parent: Element | None
    settings: ReadSettings
    is_abhidhan_entry: bool

    def get_mapping(self, kind: str) -> Mapping[str, str]:
        """Return the user's mapping for a kind of value."""
        return self.settings.options.values.get(kind, {})


def find_entry_losses(
    file: str, line: int, entry: Element, records: Iterable[ParsedRecord], settings: ReadSettings
) -> Iterator[UnstoredValue]:
    """Yield a loss for each value of an entry that its records lack."""
    is_abhidhan_entry = not is_foreign(entry)
    return find_losses(file, line, _iter_values(entry, _Context("entry", None, settings, is_abhidhan_entry)), records)


def find_header_losses(file: str, line: int, element: Element, options: ImportOptions) -> Iterator[UnstoredValue]:
    """Yield a loss for each value of a header or range, since no record contains any."""
    context = _Context(element.tag, None, ReadSettings(options), is_abhidhan_entry=False)
    return find_losses(file, line, _iter_values(element, context), ())


def find_root_losses(file: str, attributes: Mapping[str, str]) -> Iterator[UnstoredValue]:
    """Yield a loss for each attribute of the root element, except the version of the format."""
    return find_losses(file, 1, ((f"lift@{name}", text) for name, text in attributes.items() if name != "version"), ())


def _iter_values(element: Element, context: _Context) -> Iterator[tuple[str, str]]:
    """Yield each attribute and text of an element and its descendants, with its path."""
    for name in element.attrib:
        if text := _convert_attribute(element, name, context):
            yield f"{context.path}@{name}", text
    yield from _iter_stray_text(element.text, context)
    for child in element:
        if child.tag == "text":
            yield from _iter_texts(element, child, context)
        else:
            yield from _iter_values(child, _build_child_context(child, element, context))
        yield from _iter_stray_text(child.tail, context)


def _iter_stray_text(text: str | None, context: _Context) -> Iterator[tuple[str, str]]:
    """Yield text at a position where LIFT allows none, unless it is white space."""
    if text and text.strip():
        yield context.path, text.strip()


def _build_child_context(child: Element, element: Element, context: _Context) -> _Context:
    name = get_type(child) if child.tag in ELEMENTS_WITH_NAMES else ""
    path = f"{context.path}/{child.tag}[{name}]" if name else f"{context.path}/{child.tag}"
    # Nested elements with the same tag share one path in the report.
    is_deeper = child.tag == element.tag
    return context._replace(path=context.path if is_deeper else path, parent=element)


def _iter_texts(form: Element, text: Element, context: _Context) -> Iterator[tuple[str, str]]:
    """Yield the text of a form or gloss, and the attributes of its spans."""
    path, plain = context.path.removesuffix("/form"), get_plain_text(text)
    system = parse_writing_system(form.get("lang", "").strip())
    if form.tag == "gloss" and _get_tag(context.parent) in SENSE_ELEMENTS:
        gloss_text = plain if " " in plain else plain.replace("_", " ")
        pieces = [] if _has_entry(form, context) else _WORD_SEPARATOR.split(gloss_text)
        yield from ((path, piece.strip()) for piece in pieces)
    elif not (
        _get_tag(context.parent) in HEADWORD_ELEMENTS and system.is_audio and plain.lower().endswith(SOUND_SUFFIXES)
    ):
        yield path, plain
    for span in text.iter("span"):
        yield from ((f"{path}/text/span@{name}", value) for name, value in span.attrib.items())


def _has_entry(gloss: Element, context: _Context) -> bool:
    """Return whether a gloss in a file written by Abhidhan is a word with an entry in the same file."""
    return (
        context.is_abhidhan_entry
        and context.settings.map_tag(gloss.get("lang", "").strip()) in context.settings.entry_languages
    )


def _convert_attribute(element: Element, name: str, context: _Context) -> str | None:
    """Return an attribute's value as it would appear in a record; None if it is converted."""
    value, parent = element.get(name, "").strip(), _get_tag(context.parent)
    keys = {f"{element.tag}@{name}", f"{parent}/{element.tag}@{name}"}
    if keys & CONVERTED_ATTRIBUTES or (context.is_abhidhan_entry and keys & EXPORT_CONVERTED_ATTRIBUTES):
        return None
    is_read = ATTRIBUTE_CHECKS.get(f"{element.tag}@{name}")
    if is_read is not None and is_read(element, context):
        return None
    if name == "lang":
        return context.settings.map_tag(value)
    return get_guid(element) or value if name in {"id", "guid"} else value


def _is_imported_relation(relation: Element, context: _Context) -> bool:
    """Return whether a relation is imported with a type more specific than "Related"."""
    kind = relation.get("type", "").strip()
    is_known = (
        kind == COMPONENT_RELATION or kind in context.get_mapping("relation") or kind.casefold() in RELATION_BY_TYPE
    )
    return is_known and bool(relation.get("ref", "").strip())


def _is_imported_trait(trait: Element, context: _Context) -> bool:
    name, value = trait.get("name", ""), trait.get("value", "").strip()
    if context.parent is not None and context.parent.tag == "pronunciation":
        return name in RECORDING_TRAITS | ADDED_TRAITS and context.parent.find("media") is not None
    if name in SEMANTIC_DOMAIN_TRAITS:
        is_read = value in context.get_mapping("context") or is_context_domain(value)
    elif name == GENDER_TRAIT:
        is_read = value in context.get_mapping("gender") or value.lower() in GENDER_BY_LABEL
    else:
        is_read = value in context.get_mapping({DOMAIN_TRAIT: "context", DIALECT_TRAIT: "variant"}.get(name, ""))
    return is_read or name in ADDED_TRAITS or (context.is_abhidhan_entry and name in EXPORT_DERIVED_TRAITS)


ATTRIBUTE_CHECKS: Final[Mapping[str, Callable[[Element, _Context], bool]]] = {
    "relation@type": _is_imported_relation,
    "trait@value": _is_imported_trait,
    "media@href": lambda media, _: media.get("href", "").strip().lower().endswith(SOUND_SUFFIXES),
    "etymology@type": lambda etymology, _: etymology.get("type") == ORIGIN_TYPE,
    "translation@type": lambda translation, _: translation.get("type", "").casefold() in FREE_TRANSLATIONS,
    "gloss@lang": _has_entry,
    "form@lang": lambda _, place: _get_tag(place.parent) in HEADWORD_ELEMENTS,
}
"""Checks whether a value of an attribute is converted, for attributes whose other values may be lost."""


def _get_tag(element: Element | None) -> str:
    return element.tag if element is not None else ""
