"""What a LIFT file holds and no record does: its attributes and texts, each looked for in the records of its entry."""

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
"""Attributes that are read into something that does not contain them."""

READ_OF_OWN: Final = frozenset(
    {
        *("entry@id", "entry@guid", "entry@order", "sense@id"),
        *("entry@dateCreated", "entry@dateModified", "sense@dateCreated", "sense@dateModified"),
        # Our own files write these in English, whatever language they are in.
        *(f"{tag}/form@lang" for tag in ("definition", "field", "note", "translation")),
    }
)
"""Attributes of our own files that are made of other fields, or read as moments."""

MADE_OF_OWN: Final = frozenset({"morph-type", SEMANTIC_DOMAIN, IDEA, PROVERB, SOURCES, HEADWORDS})
"""Traits of our own files that are made of other fields, or of several: sources and keys."""

MADE_OF_KEPT: Final = frozenset({ENTRY_SOURCE, IDEA_KEY, RECORDING})
"""Traits that an export adds to what goes out as it came."""

HEADWORD: Final = frozenset({"lexical-unit", "citation", "pronunciation", "variant"})
"""Elements whose writing systems tell spellings, romanizations, transcriptions and recordings apart."""

OF_RECORDINGS: Final = frozenset({"speaker", "place", "licence"})
"""Traits of a pronunciation that come in with its recordings."""

FREE: Final = frozenset({"free translation", "free"})
"""Types of translations, in small letters, which are what a translation is here."""

NAMED: Final = frozenset({"annotation", "field", "note", "trait"})
"""Elements that the report tells apart by their names."""

_BETWEEN_WORDS: Final = re.compile(r"[|;,()\[\]<>、।]")


class _Place(NamedTuple):
    """Where an element stands, and how its file is read."""

    path: str
    parent: Element | None
    reading: Reading
    is_own: bool

    def mapped(self, kind: str) -> Mapping[str, str]:
        """Return what the person says that values of a kind mean."""
        return self.reading.options.values.get(kind, {})


def losses_of_entry(file: str, line: int, entry: Element, found: Iterable[Found], reading: Reading) -> Iterator[Loss]:
    """Yield what an entry holds and its records do not."""
    is_own = not is_foreign(entry)
    return losses(file, line, _values(entry, _Place("entry", None, reading, is_own)), found)


def losses_of_header(file: str, line: int, element: Element, options: Options) -> Iterator[Loss]:
    """Yield what a header or a range holds: no record holds any of it."""
    place = _Place(element.tag, None, Reading(options), is_own=False)
    return losses(file, line, _values(element, place), ())


def losses_of_file(file: str, attributes: Mapping[str, str]) -> Iterator[Loss]:
    """Yield what the outermost element says of its file, but for the version of the format."""
    return losses(file, 1, ((f"lift@{name}", text) for name, text in attributes.items() if name != "version"), ())


def _values(element: Element, place: _Place) -> Iterator[tuple[str, str]]:
    """Yield each attribute and text of an element and of those within it, with its path."""
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
    """Yield a text that stands where LIFT has none."""
    if text and text.strip():
        yield place.path, text.strip()


def _place_of(child: Element, element: Element, place: _Place) -> _Place:
    name = type_of(child) if child.tag in NAMED else ""
    path = f"{place.path}/{child.tag}[{name}]" if name else f"{place.path}/{child.tag}"
    # Those of any depth are one field of the report.
    is_deeper = child.tag == element.tag
    return place._replace(path=place.path if is_deeper else path, parent=element)


def _texts(form: Element, text: Element, place: _Place) -> Iterator[tuple[str, str]]:
    """Yield the text of a form or gloss, and the attributes of what is marked in it."""
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
    """Return whether a gloss of a file of ours is a word that has an entry of its own there, with which it comes in."""
    return place.is_own and place.reading.code(gloss.get("lang", "").strip()) in place.reading.own


def _attribute(element: Element, name: str, place: _Place) -> str | None:
    """Return what a record holds of an attribute if it is kept; None for one that is read into something else."""
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
    """Return whether a relation is made, and its type is not only "Related" here."""
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
"""Attributes some values of which are read into something that does not contain them."""


def _tag(element: Element | None) -> str:
    return element.tag if element is not None else ""
