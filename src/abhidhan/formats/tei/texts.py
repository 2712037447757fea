"""Texts and languages of elements of TEI."""

from collections.abc import Iterable, Iterator
from xml.etree.ElementTree import Element

from abhidhan.formats.xml_stream import LANGUAGE


def bare_text(element: Element) -> str:
    """Read the text of an element, notes in it left out."""
    return " ".join("".join(_texts(element)).split())


def _texts(element: Element) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        if child.tag != "note":
            yield from _texts(child)
        yield child.tail or ""


def nearest_language(*elements: Element) -> str | None:
    """Return the first language that elements tell."""
    return next((language for one in elements if (language := one.get(LANGUAGE))), None)


def texts_of_forms(text: str, others: Iterable[Element]) -> tuple[str, ...]:
    """Read forms of a text, without endings alone."""
    texts = dict.fromkeys(bare_text(orth) for orth in others)
    return tuple(form for form in texts if form and form != text and not form.startswith("-"))
