"""LIFT entries stored in their original form, so that an export restores what no record holds."""

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
from abhidhan.records.lift_entries import HEADER, MOST_CONTENT_LETTERS, MOST_RANGE_LETTERS, RANGE, LiftEntry


def is_foreign(entry: Element) -> bool:
    """Return whether an entry was not made by us: it came from LIFT before, or comes now."""
    if trait_of(entry, ENTRY_SOURCE) is not None:
        return True
    return trait_of(entry, PROVERB) is None and not any(trait_of(one, IDEA) for one in entry.iter("sense"))


def kept_entry(entry: Element, source: str, word: WordRecord, keys: Mapping[int, str]) -> LiftEntry | None:
    """Return an entry to store unchanged, or None if it is too long.

    `keys` are those of the ideas made from its senses, by the `id()` of the sense.
    """
    senses = [one for one in entry.iter() if one.tag in SENSES and not _is_own(one)]
    content = content_of(entry)
    if len(content) > MOST_CONTENT_LETTERS:
        return None
    key = guid_of(entry) or key_of(entry.get("id") or f"{word.language}:{word.text}")
    return LiftEntry(source, key, word.language, word.text, tuple(keys.get(id(one), "") for one in senses), content)


def kept_deletion(entry: Element, source: str) -> LiftEntry | None:
    """Return a deleted entry to store, or None if it has no ID."""
    key = guid_of(entry) or entry.get("id") or entry.get("guid")
    return _kept_element(entry, source, key_of(key), MOST_CONTENT_LETTERS) if key else None


def kept_header(header: Element, source: str, *, is_own: bool) -> LiftEntry | None:
    """Return the ranges and fields of a header to store, or None if it is too long or has only ours."""
    header = deepcopy(header)
    for description in header.findall("description"):
        header.remove(description)
    for ranges in header.findall("ranges") if is_own else ():
        for one in ranges.findall("range"):
            _remove_own_values(one)
            if one.get("id") in OWN_RANGES and (not len(one) or one.get("id") in {SOURCES, HEADWORDS}):
                ranges.remove(one)
    for fields in header.findall("fields") if is_own else ():
        for one in fields.findall("field"):
            if one.get("tag") in NEW_FIELDS:
                fields.remove(one)
    if not any(len(one) for one in header):
        return None
    return _kept_element(header, source, HEADER, MOST_RANGE_LETTERS)


def kept_range(element: Element, source: str, *, is_own: bool) -> LiftEntry | None:
    """Return a range of a ranges file to store, or None if it is too long or has only our values."""
    if is_own:
        _remove_own_values(element)
        if not len(element):
            return None
    return _kept_element(element, source, key_of(RANGE, element.get("id", "")), MOST_RANGE_LETTERS)


def _remove_own_values(element: Element) -> None:
    """Remove the values that an export writes from one of our ranges; their label equals their ID."""
    for one in element.findall("range-element") if element.get("id") in OWN_RANGES else ():
        is_plain = one.attrib.keys() <= {"id", "parent"} and [child.tag for child in one] == ["label"]
        if is_plain and texts_of(one.find("label")) == one.get("id"):
            element.remove(one)


def _kept_element(element: Element, source: str, key: str, most: int) -> LiftEntry | None:
    content = content_of(element)
    return LiftEntry(source, key, "", "", (), content) if len(content) <= most else None


def guid_key(language: str, entry: Element, sense: Element) -> str | None:
    """Return the key of a sense's idea: the headword's language and the GUIDs; None if a GUID is missing."""
    guids = guid_of(entry), guid_of(sense)
    return "/".join((language, *filter(None, guids))) if all(guids) else None


def content_of(entry: Element) -> str:
    """Return the XML of an entry without the elements that our own export has added."""
    if trait_of(entry, ENTRY_SOURCE) is not None:
        entry = deepcopy(entry)
        for parent in list(entry.iter()):
            for child in list(parent):
                if _is_own(child):
                    parent.remove(child)
    return tostring(entry, encoding="unicode")


def _is_own(element: Element) -> bool:
    """Return whether an export of ours has added an element: a sense, a recording or a trait."""
    match element.tag:
        case "trait":
            return element.get("name") in {ENTRY_SOURCE, IDEA_KEY}
        case "sense":
            return trait_of(element, IDEA) is not None
        case "pronunciation":
            return trait_of(element, RECORDING) is not None
        case _:
            return False
