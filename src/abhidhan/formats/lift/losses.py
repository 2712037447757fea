"""Lost values of a LIFT import: attributes and texts of an entry that none of its records contains."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element

from abhidhan.formats.importer_api import ImportOptions, ParsedRecord
from abhidhan.formats.lift.headwords import OWN_ORIGIN, ReadSettings
from abhidhan.formats.lift.kept_entries import is_foreign
from abhidhan.formats.lift.multitext import guid_of, plain_text, type_of, writing_system
from abhidhan.formats.lift.vocabulary import (
    COMPONENT,
    DIALECT,
    DOMAIN,
    ENTRY_SOURCE,
    GENDER,
    HEADWORDS,
    IDEA,
    IDEA_KEY,
    PROVERB,
    RECORDING,
    RELATIONS,
    SEMANTIC_DOMAIN,
    SEMANTIC_DOMAINS,
    SENSES,
    SOUNDS,
    SOURCES,
    is_context,
)
from abhidhan.formats.losses import losses
from abhidhan.formats.pos_mapping import GENDERS
from abhidhan.records.import_records import Loss

CONVERTED_ATTRIBUTES: Final = frozenset(
    {
        *("relation@ref", "variant@ref"),  # links, or errors
        *("sense@order", "subsense@order"),  # the order in which senses are read
        *("sense/grammatical-info@value", "subsense/grammatical-info@value"),  # the part of speech, or a note
        *("annotation@name", "field@name", "field@type", "note@type", "trait@name"),  # names of fields
    }
)
"""Attributes whose values are converted, so that no record contains them literally."""

OWN_CONVERTED_ATTRIBUTES: Final = frozenset(
    {
        *("entry@id", "entry@guid", "entry@order", "sense@id"),
        *("entry@dateCreated", "entry@dateModified", "sense@dateCreated", "sense@dateModified"),
        # Abhidhan's files tag these as English, in whatever language they are.
        *(f"{tag}/form@lang" for tag in ("definition", "field", "note", "translation")),
    }
)
"""Attributes of Abhidhan's files that are derived from other fields, or parsed as times."""

OWN_DERIVED_TRAITS: Final = frozenset({"morph-type", SEMANTIC_DOMAIN, IDEA, PROVERB, SOURCES, HEADWORDS})
"""Traits of Abhidhan's files that are derived from other fields, or combine several, such as source and key."""

EXPORT_TRAITS: Final = frozenset({ENTRY_SOURCE, IDEA_KEY, RECORDING})
"""Traits that an export adds to entries in their original form."""

HEADWORD_ELEMENTS: Final = frozenset({"lexical-unit", "citation", "pronunciation", "variant"})
"""Elements whose writing systems distinguish spellings, romanizations, transcriptions and recordings."""

RECORDING_TRAITS: Final = frozenset({"speaker", "place", "licence"})
"""Traits of a pronunciation that are imported with its recordings."""

FREE_TRANSLATIONS: Final = frozenset({"free translation", "free"})
"""Types of translations, in lower case, that are imported as translations of examples."""

NAMED_ELEMENTS: Final = frozenset({"annotation", "field", "note", "trait"})
"""Elements whose name or type is part of their path in reports."""

_WORD_SEPARATOR: Final = re.compile(r"[|;,()\[\]<>、।]")


class _Context(NamedTuple):
    """The context of an element: its path and parent, and the settings of its file."""

    path: str
    parent: Element | None
    reading: ReadSettings
    is_own: bool

    def mapped(self, kind: str) -> Mapping[str, str]:
        """Return the user's mapping for a kind of value."""
        return self.reading.options.values.get(kind, {})


def losses_of_entry(
    file: str, line: int, entry: Element, records: Iterable[ParsedRecord], reading: ReadSettings
) -> Iterator[Loss]:
    """Yield a loss for each value of an entry that its records lack."""
    is_own = not is_foreign(entry)
    return losses(file, line, _values(entry, _Context("entry", None, reading, is_own)), records)


def losses_of_header(file: str, line: int, element: Element, options: ImportOptions) -> Iterator[Loss]:
    """Yield a loss for each value of a header or range, since no record contains any."""
    context = _Context(element.tag, None, ReadSettings(options), is_own=False)
    return losses(file, line, _values(element, context), ())


def losses_of_file(file: str, attributes: Mapping[str, str]) -> Iterator[Loss]:
    """Yield a loss for each attribute of the root element, except the version of the format."""
    return losses(file, 1, ((f"lift@{name}", text) for name, text in attributes.items() if name != "version"), ())


def _values(element: Element, context: _Context) -> Iterator[tuple[str, str]]:
    """Yield each attribute and text of an element and its descendants, with its path."""
    for name in element.attrib:
        if text := _attribute(element, name, context):
            yield f"{context.path}@{name}", text
    yield from _stray_text(element.text, context)
    for child in element:
        if child.tag == "text":
            yield from _texts(element, child, context)
        else:
            yield from _values(child, _child_context(child, element, context))
        yield from _stray_text(child.tail, context)


def _stray_text(text: str | None, context: _Context) -> Iterator[tuple[str, str]]:
    """Yield text at a position where LIFT allows none, unless it is white space."""
    if text and text.strip():
        yield context.path, text.strip()


def _child_context(child: Element, element: Element, context: _Context) -> _Context:
    name = type_of(child) if child.tag in NAMED_ELEMENTS else ""
    path = f"{context.path}/{child.tag}[{name}]" if name else f"{context.path}/{child.tag}"
    # Nested elements with the same tag share one path in the report.
    is_deeper = child.tag == element.tag
    return context._replace(path=context.path if is_deeper else path, parent=element)


def _texts(form: Element, text: Element, context: _Context) -> Iterator[tuple[str, str]]:
    """Yield the text of a form or gloss, and the attributes of its spans."""
    path, plain = context.path.removesuffix("/form"), plain_text(text)
    system = writing_system(form.get("lang", "").strip())
    if form.tag == "gloss" and _tag(context.parent) in SENSES:
        parted = plain if " " in plain else plain.replace("_", " ")
        pieces = [] if _has_entry(form, context) else _WORD_SEPARATOR.split(parted)
        yield from ((path, piece.strip()) for piece in pieces)
    elif not (_tag(context.parent) in HEADWORD_ELEMENTS and system.is_audio and plain.lower().endswith(SOUNDS)):
        yield path, plain
    for span in text.iter("span"):
        yield from ((f"{path}/text/span@{name}", value) for name, value in span.attrib.items())


def _has_entry(gloss: Element, context: _Context) -> bool:
    """Return whether a gloss in a file written by Abhidhan is a word with an entry in the same file."""
    return context.is_own and context.reading.code(gloss.get("lang", "").strip()) in context.reading.own_languages


def _attribute(element: Element, name: str, context: _Context) -> str | None:
    """Return an attribute's value as it would appear in a record; None if it is converted."""
    value, parent = element.get(name, "").strip(), _tag(context.parent)
    keys = {f"{element.tag}@{name}", f"{parent}/{element.tag}@{name}"}
    if keys & CONVERTED_ATTRIBUTES or (context.is_own and keys & OWN_CONVERTED_ATTRIBUTES):
        return None
    is_read = ATTRIBUTE_CHECKS.get(f"{element.tag}@{name}")
    if is_read is not None and is_read(element, context):
        return None
    if name == "lang":
        return context.reading.code(value)
    return guid_of(element) or value if name in {"id", "guid"} else value


def _is_relation_read(relation: Element, context: _Context) -> bool:
    """Return whether a relation is imported with a type more specific than "Related"."""
    kind = relation.get("type", "").strip()
    is_known = kind == COMPONENT or kind in context.mapped("relation") or kind.casefold() in RELATIONS
    return is_known and bool(relation.get("ref", "").strip())


def _is_trait_read(trait: Element, context: _Context) -> bool:
    name, value = trait.get("name", ""), trait.get("value", "").strip()
    if context.parent is not None and context.parent.tag == "pronunciation":
        return name in RECORDING_TRAITS | EXPORT_TRAITS and context.parent.find("media") is not None
    if name in SEMANTIC_DOMAINS:
        is_read = value in context.mapped("context") or is_context(value)
    elif name == GENDER:
        is_read = value in context.mapped("gender") or value.lower() in GENDERS
    else:
        is_read = value in context.mapped({DOMAIN: "context", DIALECT: "variant"}.get(name, ""))
    return is_read or name in EXPORT_TRAITS or (context.is_own and name in OWN_DERIVED_TRAITS)


ATTRIBUTE_CHECKS: Final[Mapping[str, Callable[[Element, _Context], bool]]] = {
    "relation@type": _is_relation_read,
    "trait@value": _is_trait_read,
    "media@href": lambda media, _: media.get("href", "").strip().lower().endswith(SOUNDS),
    "etymology@type": lambda etymology, _: etymology.get("type") == OWN_ORIGIN,
    "translation@type": lambda translation, _: translation.get("type", "").casefold() in FREE_TRANSLATIONS,
    "gloss@lang": _has_entry,
    "form@lang": lambda _, place: _tag(place.parent) in HEADWORD_ELEMENTS,
}
"""Checks whether a value of an attribute is converted, for attributes whose other values may be lost."""


def _tag(element: Element | None) -> str:
    return element.tag if element is not None else ""
