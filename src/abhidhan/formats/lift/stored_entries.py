"""LIFT entries stored in their original form, so that an export restores values that no record contains."""

from collections.abc import Mapping
from copy import deepcopy
from xml.etree.ElementTree import Element, tostring

from abhidhan.formats.importer_api import build_key
from abhidhan.formats.lift.multitext import get_guid, get_trait, join_texts
from abhidhan.formats.lift.vocabulary import (
    CUSTOM_FIELDS,
    ENTRY_SOURCE_TRAIT,
    EXPORT_RANGES,
    HEADWORDS_RANGE,
    IDEA_KEY_TRAIT,
    IDEA_TRAIT,
    PROVERB_TRAIT,
    RECORDING_TRAIT,
    SENSE_ELEMENTS,
    SOURCES_RANGE,
)
from abhidhan.records.kinds import WordRecord
from abhidhan.records.lift_entries import HEADER_KEY, MAX_ENTRY_LENGTH, MAX_RANGE_LENGTH, RANGE_KEY_PREFIX, LiftEntry


def is_foreign(entry: Element) -> bool:
    """Return whether an entry was created outside Abhidhan: in this file, or in an earlier LIFT import."""
    if get_trait(entry, ENTRY_SOURCE_TRAIT) is not None:
        return True
    return get_trait(entry, PROVERB_TRAIT) is None and not any(
        get_trait(sense, IDEA_TRAIT) for sense in entry.iter("sense")
    )


def build_stored_entry(entry: Element, source: str, word: WordRecord, keys: Mapping[int, str]) -> LiftEntry | None:
    """Build the stored form of an entry; None if it is too long.

    `keys` maps the `id()` of each sense element to the key of its idea.
    """
    senses = [sense for sense in entry.iter() if sense.tag in SENSE_ELEMENTS and not _is_export_addition(sense)]
    content = serialize_entry(entry)
    if len(content) > MAX_ENTRY_LENGTH:
        return None
    key = get_guid(entry) or build_key(entry.get("id") or f"{word.language}:{word.text}")
    return LiftEntry(source, key, word.language, word.text, tuple(keys.get(id(sense), "") for sense in senses), content)


def build_stored_deletion(entry: Element, source: str) -> LiftEntry | None:
    """Build the stored form of a deleted entry; None if it has no ID or is too long."""
    key = get_guid(entry) or entry.get("id") or entry.get("guid")
    return _build_stored_element(entry, source, build_key(key), MAX_ENTRY_LENGTH) if key else None


def build_stored_header(header: Element, source: str, *, is_abhidhan_file: bool) -> LiftEntry | None:
    """Build the stored form of a header's ranges and fields; None if it is too long or has only Abhidhan's."""
    header = deepcopy(header)
    for description in header.findall("description"):
        header.remove(description)
    for ranges in header.findall("ranges") if is_abhidhan_file else ():
        for element in ranges.findall("range"):
            _remove_export_values(element)
            if element.get("id") in EXPORT_RANGES and (
                not len(element) or element.get("id") in {SOURCES_RANGE, HEADWORDS_RANGE}
            ):
                ranges.remove(element)
    for fields in header.findall("fields") if is_abhidhan_file else ():
        for element in fields.findall("field"):
            if element.get("tag") in CUSTOM_FIELDS:
                fields.remove(element)
    if not any(len(element) for element in header):
        return None
    return _build_stored_element(header, source, HEADER_KEY, MAX_RANGE_LENGTH)


def build_stored_range(element: Element, source: str, *, is_abhidhan_file: bool) -> LiftEntry | None:
    """Build the stored form of a range; None if it is too long or has only Abhidhan's values."""
    if is_abhidhan_file:
        _remove_export_values(element)
        if not len(element):
            return None
    return _build_stored_element(element, source, build_key(RANGE_KEY_PREFIX, element.get("id", "")), MAX_RANGE_LENGTH)


def _remove_export_values(element: Element) -> None:
    """Remove the values that Abhidhan's export writes into a range: those whose label equals their ID."""
    for value in element.findall("range-element") if element.get("id") in EXPORT_RANGES else ():
        is_plain = value.attrib.keys() <= {"id", "parent"} and [child.tag for child in value] == ["label"]
        if is_plain and join_texts(value.find("label")) == value.get("id"):
            element.remove(value)


def _build_stored_element(element: Element, source: str, key: str, max_length: int) -> LiftEntry | None:
    content = serialize_entry(element)
    return LiftEntry(source, key, "", "", (), content) if len(content) <= max_length else None


def build_guid_key(language: str, entry: Element, sense: Element) -> str | None:
    """Return the key of a sense's idea: the headword's language and the GUIDs; None if a GUID is missing."""
    guids = get_guid(entry), get_guid(sense)
    return "/".join((language, *filter(None, guids))) if all(guids) else None


def serialize_entry(entry: Element) -> str:
    """Return the XML of an entry without the elements that Abhidhan's export has added."""
    if get_trait(entry, ENTRY_SOURCE_TRAIT) is not None:
        entry = deepcopy(entry)
        for parent in list(entry.iter()):
            for child in list(parent):
                if _is_export_addition(child):
                    parent.remove(child)
    return tostring(entry, encoding="unicode")


def _is_export_addition(element: Element) -> bool:
    """Return whether Abhidhan's export has added an element: a sense, a recording or a trait."""
    match element.tag:
        case "trait":
            return element.get("name") in {ENTRY_SOURCE_TRAIT, IDEA_KEY_TRAIT}
        case "sense":
            return get_trait(element, IDEA_TRAIT) is not None
        case "pronunciation":
            return get_trait(element, RECORDING_TRAIT) is not None
        case _:
            return False
