"""Entries to be kept as they came: an export gives them back with all that no record holds."""

from collections.abc import Mapping
from copy import deepcopy
from xml.etree.ElementTree import Element, tostring

from abhidhan.formats.importer_api import key_of
from abhidhan.formats.lift.multitext import guid_of, trait_of
from abhidhan.formats.lift.vocabulary import ENTRY_SOURCE, IDEA, IDEA_KEY, PROVERB, RECORDING, SENSES
from abhidhan.records.kinds import WordRecord
from abhidhan.records.lift_entries import MOST_CONTENT_LETTERS, LiftEntry


def is_foreign(entry: Element) -> bool:
    """Return whether an entry is not one that we have made: it came from LIFT, or comes now."""
    if trait_of(entry, ENTRY_SOURCE) is not None:
        return True
    return trait_of(entry, PROVERB) is None and not any(trait_of(one, IDEA) for one in entry.iter("sense"))


def kept_entry(entry: Element, source: str, word: WordRecord, keys: Mapping[int, str]) -> LiftEntry | None:
    """Keep an entry; None for one that is too long.

    `keys` are those of the ideas that its senses have become, by the `id()` of the sense.
    """
    senses = [one for one in entry.iter() if one.tag in SENSES and not _is_own(one)]
    content = content_of(entry)
    if len(content) > MOST_CONTENT_LETTERS:
        return None
    key = guid_of(entry) or key_of(entry.get("id") or f"{word.language}:{word.text}")
    return LiftEntry(source, key, word.language, word.text, tuple(keys.get(id(one), "") for one in senses), content)


def guid_key(language: str, entry: Element, sense: Element) -> str | None:
    """Return the key of the idea of a sense: its headword's language and the GUIDs; None where it has none."""
    guids = guid_of(entry), guid_of(sense)
    return "/".join((language, *filter(None, guids))) if all(guids) else None


def content_of(entry: Element) -> str:
    """Write an entry without what our own export has added to it."""
    if trait_of(entry, ENTRY_SOURCE) is not None:
        entry = deepcopy(entry)
        for parent in list(entry.iter()):
            for child in list(parent):
                if _is_own(child):
                    parent.remove(child)
    return tostring(entry, encoding="unicode")


def _is_own(element: Element) -> bool:
    """Return whether an export has added an element: a sense, a recording or a trait of ours."""
    match element.tag:
        case "trait":
            return element.get("name") in {ENTRY_SOURCE, IDEA_KEY}
        case "sense":
            return trait_of(element, IDEA) is not None
        case "pronunciation":
            return trait_of(element, RECORDING) is not None
        case _:
            return False
