"""LIFT entries stored in their original form, so that an export restores values that no record contains."""

from collections.abc import Mapping
from copy import deepcopy
from xml.etree.ElementTree import Element, tostring

from abhidhan.formats.importer_api import key_of
from abhidhan.formats.lift.multitext import guid_of, texts_of, trait_of
from abhidhan.formats.lift.vocabulary import (
    ENTRY_SOURCE,
    HEADWORDS,
    IDEA,
    IDEA_KEY,
    NEW_FIELDS,
    OWN_RANGES,
    PROVERB,
    RECORDING,
    SENSES,
    SOURCES,
)
from abhidhan.records.kinds import WordRecord
from abhidhan.records.lift_entries import HEADER, MAX_CONTENT_LENGTH, MAX_RANGE_LENGTH, RANGE, LiftEntry


def is_foreign(entry: Element) -> bool:
    """Return whether an entry was created outside Abhidhan: in this file, or in an earlier LIFT import."""
    if trait_of(entry, ENTRY_SOURCE) is not None:
        return True
    return trait_of(entry, PROVERB) is None and not any(trait_of(sense, IDEA) for sense in entry.iter("sense"))


def stored_entry(entry: Element, source: str, word: WordRecord, keys: Mapping[int, str]) -> LiftEntry | None:
    """Build the stored form of an entry; None if it is too long.

    `keys` maps the `id()` of each sense element to the key of its idea.
    """
    senses = [sense for sense in entry.iter() if sense.tag in SENSES and not _is_own(sense)]
    content = content_of(entry)
    if len(content) > MAX_CONTENT_LENGTH:
        return None
    key = guid_of(entry) or key_of(entry.get("id") or f"{word.language}:{word.text}")
    return LiftEntry(source, key, word.language, word.text, tuple(keys.get(id(sense), "") for sense in senses), content)


def stored_deletion(entry: Element, source: str) -> LiftEntry | None:
    """Build the stored form of a deleted entry; None if it has no ID or is too long."""
    key = guid_of(entry) or entry.get("id") or entry.get("guid")
    return _stored_element(entry, source, key_of(key), MAX_CONTENT_LENGTH) if key else None


def stored_header(header: Element, source: str, *, is_own: bool) -> LiftEntry | None:
    """Build the stored form of a header's ranges and fields; None if it is too long or has only Abhidhan's."""
    header = deepcopy(header)
    for description in header.findall("description"):
        header.remove(description)
    for ranges in header.findall("ranges") if is_own else ():
        for element in ranges.findall("range"):
            _remove_own_values(element)
            if element.get("id") in OWN_RANGES and (not len(element) or element.get("id") in {SOURCES, HEADWORDS}):
                ranges.remove(element)
    for fields in header.findall("fields") if is_own else ():
        for element in fields.findall("field"):
            if element.get("tag") in NEW_FIELDS:
                fields.remove(element)
    if not any(len(element) for element in header):
        return None
    return _stored_element(header, source, HEADER, MAX_RANGE_LENGTH)


def stored_range(element: Element, source: str, *, is_own: bool) -> LiftEntry | None:
    """Build the stored form of a range; None if it is too long or has only Abhidhan's values."""
    if is_own:
        _remove_own_values(element)
        if not len(element):
            return None
    return _stored_element(element, source, key_of(RANGE, element.get("id", "")), MAX_RANGE_LENGTH)


def _remove_own_values(element: Element) -> None:
    """Remove the values that Abhidhan's export writes into a range: those whose label equals their ID."""
    for value in element.findall("range-element") if element.get("id") in OWN_RANGES else ():
        is_plain = value.attrib.keys() <= {"id", "parent"} and [child.tag for child in value] == ["label"]
        if is_plain and texts_of(value.find("label")) == value.get("id"):
            element.remove(value)


def _stored_element(element: Element, source: str, key: str, max_length: int) -> LiftEntry | None:
    content = content_of(element)
    return LiftEntry(source, key, "", "", (), content) if len(content) <= max_length else None


def guid_key(language: str, entry: Element, sense: Element) -> str | None:
    """Return the key of a sense's idea: the headword's language and the GUIDs; None if a GUID is missing."""
    guids = guid_of(entry), guid_of(sense)
    return "/".join((language, *filter(None, guids))) if all(guids) else None


def content_of(entry: Element) -> str:
    """Return the XML of an entry without the elements that Abhidhan's export has added."""
    if trait_of(entry, ENTRY_SOURCE) is not None:
        entry = deepcopy(entry)
        for parent in list(entry.iter()):
            for child in list(parent):
                if _is_own(child):
                    parent.remove(child)
    return tostring(entry, encoding="unicode")


def _is_own(element: Element) -> bool:
    """Return whether Abhidhan's export has added an element: a sense, a recording or a trait."""
    match element.tag:
        case "trait":
            return element.get("name") in {ENTRY_SOURCE, IDEA_KEY}
        case "sense":
            return trait_of(element, IDEA) is not None
        case "pronunciation":
            return trait_of(element, RECORDING) is not None
        case _:
            return False
