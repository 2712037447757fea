"""Losses of a LIFT import: attributes and texts of an entry that none of its records holds."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element

from abhidhan.formats.importer_api import Found, Options
from abhidhan.formats.lift.headwords import OWN_ORIGIN, Reading
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

READ: Final = frozenset(
    {
        *("relation@ref", "variant@ref"),  # links, or faults
        *("sense@order", "subsense@order"),  # the order in which senses are read
        *("sense/grammatical-info@value", "subsense/grammatical-info@value"),  # the part of speech, or a note
        *("annotation@name", "field@name", "field@type", "note@type", "trait@name"),  # names of fields
    }
)
"""Attributes that are read into values of another form."""

READ_OF_OWN: Final = frozenset(
    {
        *("entry@id", "entry@guid", "entry@order", "sense@id"),
        *("entry@dateCreated", "entry@dateModified", "sense@dateCreated", "sense@dateModified"),
        # Our own files have these in English, whatever their language.
        *(f"{tag}/form@lang" for tag in ("definition", "field", "note", "translation")),
    }
)
"""Attributes of our own files that are derived from other fields, or parsed as times."""

MADE_OF_OWN: Final = frozenset({"morph-type", SEMANTIC_DOMAIN, IDEA, PROVERB, SOURCES, HEADWORDS})
"""Traits of our own files that are derived from other fields, or combine several: sources and keys."""

MADE_OF_KEPT: Final = frozenset({ENTRY_SOURCE, IDEA_KEY, RECORDING})
"""Traits that an export adds to entries in their original form."""

HEADWORD: Final = frozenset({"lexical-unit", "citation", "pronunciation", "variant"})
"""Elements whose writing systems distinguish spellings, romanizations, transcriptions and recordings."""

OF_RECORDINGS: Final = frozenset({"speaker", "place", "licence"})
"""Traits of a pronunciation that are imported with its recordings."""

FREE: Final = frozenset({"free translation", "free"})
"""Types of translations, in lower case, that match a translation in the dictionary."""

NAMED: Final = frozenset({"annotation", "field", "note", "trait"})
"""Elements that reports distinguish by name."""

_BETWEEN_WORDS: Final = re.compile(r"[|;,()\[\]<>、।]")


class _Place(NamedTuple):
    """The context of an element: its path and parent, and the settings of its file."""

    path: str
    parent: Element | None
    reading: Reading
    is_own: bool

    def mapped(self, kind: str) -> Mapping[str, str]:
        """Return the user's mapping for a kind of value."""
        return self.reading.options.values.get(kind, {})


def losses_of_entry(file: str, line: int, entry: Element, found: Iterable[Found], reading: Reading) -> Iterator[Loss]:
    """Yield the values of an entry that its records lack."""
    is_own = not is_foreign(entry)
    return losses(file, line, _values(entry, _Place("entry", None, reading, is_own)), found)


def losses_of_header(file: str, line: int, element: Element, options: Options) -> Iterator[Loss]:
    """Yield the values of a header or range, none of which any record holds."""
    place = _Place(element.tag, None, Reading(options), is_own=False)
    return losses(file, line, _values(element, place), ())


def losses_of_file(file: str, attributes: Mapping[str, str]) -> Iterator[Loss]:
    """Yield the attributes of the root element, except the version of the format."""
    return losses(file, 1, ((f"lift@{name}", text) for name, text in attributes.items() if name != "version"), ())


def _values(element: Element, place: _Place) -> Iterator[tuple[str, str]]:
    """Yield each attribute and text of an element and its descendants, with its path."""
    for name in element.attrib:
        if text := _attribute(element, name, place):
            yield f"{place.path}@{name}", text
    yield from _stray(element.text, place)
    for child in element:
        if child.tag == "text":
            yield from _texts(element, child, place)
        else:
            yield from _values(child, _place_of(child, element, place))
        yield from _stray(child.tail, place)


def _stray(text: str | None, place: _Place) -> Iterator[tuple[str, str]]:
    """Yield a text in a place where LIFT has none."""
    if text and text.strip():
        yield place.path, text.strip()


def _place_of(child: Element, element: Element, place: _Place) -> _Place:
    name = type_of(child) if child.tag in NAMED else ""
    path = f"{place.path}/{child.tag}[{name}]" if name else f"{place.path}/{child.tag}"
    # Elements at any depth share one field in the report.
    is_deeper = child.tag == element.tag
    return place._replace(path=place.path if is_deeper else path, parent=element)


def _texts(form: Element, text: Element, place: _Place) -> Iterator[tuple[str, str]]:
    """Yield the text of a form or gloss, and the attributes of its spans."""
    path, plain = place.path.removesuffix("/form"), plain_text(text)
    system = writing_system(form.get("lang", "").strip())
    if form.tag == "gloss" and _tag(place.parent) in SENSES:
        parted = plain if " " in plain else plain.replace("_", " ")
        pieces = [] if _has_entry(form, place) else _BETWEEN_WORDS.split(parted)
        yield from ((path, piece.strip()) for piece in pieces)
    elif not (_tag(place.parent) in HEADWORD and system.is_audio and plain.lower().endswith(SOUNDS)):
        yield path, plain
    for span in text.iter("span"):
        yield from ((f"{path}/text/span@{name}", value) for name, value in span.attrib.items())


def _has_entry(gloss: Element, place: _Place) -> bool:
    """Return whether a gloss in one of our own files is a word that has an entry of its own there."""
    return place.is_own and place.reading.code(gloss.get("lang", "").strip()) in place.reading.own


def _attribute(element: Element, name: str, place: _Place) -> str | None:
    """Return an attribute's value as a record would hold it; None if it is read into another form."""
    value, parent = element.get(name, "").strip(), _tag(place.parent)
    known = {f"{element.tag}@{name}", f"{parent}/{element.tag}@{name}"}
    if known & READ or (place.is_own and known & READ_OF_OWN):
        return None
    is_read = READ_WHERE.get(f"{element.tag}@{name}")
    if is_read is not None and is_read(element, place):
        return None
    if name == "lang":
        return place.reading.code(value)
    return guid_of(element) or value if name in {"id", "guid"} else value


def _is_relation_read(relation: Element, place: _Place) -> bool:
    """Return whether a relation is imported with a type more specific than "Related"."""
    kind = relation.get("type", "").strip()
    is_known = kind == COMPONENT or kind in place.mapped("relation") or kind.casefold() in RELATIONS
    return is_known and bool(relation.get("ref", "").strip())


def _is_trait_read(trait: Element, place: _Place) -> bool:
    name, value = trait.get("name", ""), trait.get("value", "").strip()
    if place.parent is not None and place.parent.tag == "pronunciation":
        return name in OF_RECORDINGS | MADE_OF_KEPT and place.parent.find("media") is not None
    if name in SEMANTIC_DOMAINS:
        is_read = value in place.mapped("context") or is_context(value)
    elif name == GENDER:
        is_read = value in place.mapped("gender") or value.lower() in GENDERS
    else:
        is_read = value in place.mapped({DOMAIN: "context", DIALECT: "variant"}.get(name, ""))
    return is_read or name in MADE_OF_KEPT or (place.is_own and name in MADE_OF_OWN)


READ_WHERE: Final[Mapping[str, Callable[[Element, _Place], bool]]] = {
    "relation@type": _is_relation_read,
    "trait@value": _is_trait_read,
    "media@href": lambda media, _: media.get("href", "").strip().lower().endswith(SOUNDS),
    "etymology@type": lambda etymology, _: etymology.get("type") == OWN_ORIGIN,
    "translation@type": lambda translation, _: translation.get("type", "").casefold() in FREE,
    "gloss@lang": _has_entry,
    "form@lang": lambda _, place: _tag(place.parent) in HEADWORD,
}
"""Attributes of which some values are read into another form."""


def _tag(element: Element | None) -> str:
    return element.tag if element is not None else ""
