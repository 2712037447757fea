"""Texts of LIFT: forms in several writing systems, traits, fields and notes."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element

from abhidhan.formats.lift.vocabulary import GUID, LINE_END

_INDENTED: Final = re.compile(r"[ \t]*[\r\n]+[ \t]*")
_GUID_AT_END: Final = re.compile(rf"(?:.*_)?({GUID})", re.DOTALL)


class Form(NamedTuple):
    """A text and the tag of its writing system, which is empty where the file does not tell it."""

    tag: str
    text: str


def forms_of(element: Element | None, name: str = "form") -> Iterator[Form]:
    """Read the forms of an element that are not empty."""
    for form in element.findall(name) if element is not None else ():
        if text := plain_text(form.find("text")):
            yield Form(form.get("lang", "").strip(), text)


def plain_text(element: Element | None) -> str:
    """Read a text, whatever is marked in it; lines end where FieldWorks says, not where the file is indented."""
    if element is None:
        return ""
    return _INDENTED.sub(" ", "".join(element.itertext())).replace(LINE_END, "\n").strip()


def texts_of(element: Element | None) -> str:
    """Read the texts of all writing systems of an element, each once."""
    return " / ".join(dict.fromkeys(form.text for form in forms_of(element)))


def traits_of(element: Element, *names: str) -> Iterator[str]:
    """Read the values of traits."""
    yield from (value for trait in element.findall("trait") if trait.get("name") in names if (value := _value(trait)))


def _value(trait: Element) -> str:
    return trait.get("value", "").strip()


def trait_of(element: Element, *names: str) -> str | None:
    """Read the value of the first trait of such a name."""
    return next(traits_of(element, *names), None)


def field_of(element: Element, name: str) -> str | None:
    """Read the text of a field, in its first writing system."""
    found = (form.text for one in element.findall("field") if type_of(one) == name for form in forms_of(one))
    return next(found, None)


def notes_of(element: Element, *names: str | None) -> Iterator[str]:
    """Read the notes of some types; None is the type of those that have none."""
    yield from (text for note in element.findall("note") if note.get("type") in names if (text := texts_of(note)))


def type_of(element: Element) -> str:
    """Read the type of a note or field; LIFT 0.15 calls that of a field its name."""
    return element.get("type") or element.get("name") or ""


def labelled(element: Element, child: str, without: frozenset[str]) -> Iterator[str]:
    """Read the notes or fields of an element, each after its type, but for those of some types."""
    for one in element.findall(child):
        kind = type_of(one)
        if kind and kind not in without and (text := texts_of(one)):
            yield f"{kind}: {text}"


def inner_remarks(element: Element, name: str, without: frozenset[str] = frozenset()) -> Iterator[str]:
    """Read the notes, fields and usages of the children of a name, but for those of some types."""
    for child in element.findall(name):
        yield from notes_of(child, None)
        yield from labelled(child, "note", without)
        yield from labelled(child, "field", without)
        yield from (f"usage: {text}" for one in child.findall("usage") if (text := texts_of(one)))


def guid_of(element: Element) -> str | None:
    """Return the GUID by which FieldWorks knows an entry or a sense."""
    found = _GUID_AT_END.fullmatch(element.get("guid") or element.get("id") or "")
    return found[1] if found else None


def name_in_id(identifier: str) -> str:
    """Return what an ID of FieldWorks calls an entry: it is the word and its GUID."""
    found = _GUID_AT_END.fullmatch(identifier)
    return identifier[: -len(found[1])].rstrip("_") if found else identifier


def moment_of(element: Element, name: str) -> int | None:
    """Read a date in seconds since 1970, UTC where it names no zone; None where there is none."""
    try:
        found = datetime.fromisoformat(element.get(name, ""))
        return int((found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp())
    except (ValueError, OverflowError):
        return None
