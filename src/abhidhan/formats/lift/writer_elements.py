"""Basic elements of LIFT: forms, traits, fields, dates and IDs."""

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Final
from uuid import NAMESPACE_URL, uuid5

from abhidhan.formats.lift.vocabulary import GUID_PATTERN, LINE_SEPARATOR
from abhidhan.formats.writers.export_source import escape, format_attributes

ENGLISH: Final = "en"

_IMPORTED_KEY: Final = re.compile(rf"([A-Za-z0-9-]+)/({GUID_PATTERN})/({GUID_PATTERN})")
"""The key of an idea imported from LIFT: its headword's language, and the GUIDs of the entry and the sense."""


def format_element(name: str, attrs: Mapping[str, str | None], content: str = "") -> str:
    """Format an element."""
    return (
        f"<{name}{format_attributes(attrs)}>{content}</{name}>" if content else f"<{name}{format_attributes(attrs)}/>"
    )


def format_form(tag: str, text: str) -> str:
    """Format a text in a writing system."""
    plain = escape(text.replace("\r\n", "\n").replace("\n", LINE_SEPARATOR))
    return f"<form{format_attributes({'lang': tag})}><text>{plain}</text></form>"


def format_trait(name: str, value: str | float | None) -> str:
    """Format a trait; empty if it has no value."""
    return format_element("trait", {"name": name, "value": str(value)}) if value not in {None, ""} else ""


def format_field(name: str, tag: str, text: str | None) -> str:
    """Format a field; empty if it has no text."""
    return format_element("field", {"type": name}, format_form(tag, text)) if text else ""


def format_note(kind: str | None, text: str | None) -> str:
    """Format a note; empty if it has no text."""
    return format_element("note", {"type": kind}, format_form(ENGLISH, text)) if text else ""


def format_multitext(name: str, forms: Iterable[str], attrs: Mapping[str, str | None] | None = None) -> str:
    """Format an element with several forms; empty if there are none."""
    content = "".join(forms)
    return format_element(name, attrs or {}, content) if content else ""


def format_date(timestamp: int | None) -> str | None:
    """Format a Unix timestamp as a LIFT date; None stays None."""
    return f"{datetime.fromtimestamp(timestamp, tz=UTC):%Y-%m-%dT%H:%M:%SZ}" if timestamp is not None else None


def get_entry_guid(language: str, text: str, existing_guid: str = "") -> str:
    """Return the GUID of an entry: `existing_guid` from FieldWorks, else one derived from the word."""
    return existing_guid or str(uuid5(NAMESPACE_URL, f"abhidhan:entry:{language}:{text}"))


def get_sense_guid(idea_name: str, language: str, extra_word: str = "") -> str:
    """Return the GUID of a sense: that of FieldWorks, else one derived from the idea, language and `extra_word`."""
    match = _IMPORTED_KEY.fullmatch(idea_name.partition(":")[2])
    if match and match[1] == language and not extra_word:
        return match[3]
    return str(uuid5(NAMESPACE_URL, f"abhidhan:sense:{idea_name}\t{language}\t{extra_word}"))


def parse_entry_guid(key: str, language: str) -> str:
    """Return the GUID of the entry from which an idea was imported; empty if it did not come from LIFT."""
    match = _IMPORTED_KEY.fullmatch(key)
    return match[2] if match and match[1] == language else ""
