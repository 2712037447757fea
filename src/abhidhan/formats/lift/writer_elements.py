"""Basic elements of LIFT: forms, traits, fields, dates and IDs."""

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Final
from uuid import NAMESPACE_URL, uuid5

from abhidhan.formats.lift.vocabulary import GUID, LINE_END
from abhidhan.formats.writers.export_source import attributes, escape

ENGLISH: Final = "en"

_KEY: Final = re.compile(rf"([A-Za-z0-9-]+)/({GUID})/({GUID})")
"""The key of an idea imported from LIFT: its headword's language, and the GUIDs of the entry and the sense."""


def element(name: str, attrs: Mapping[str, str | None], content: str = "") -> str:
    """Format an element."""
    return f"<{name}{attributes(attrs)}>{content}</{name}>" if content else f"<{name}{attributes(attrs)}/>"


def form(tag: str, text: str) -> str:
    """Format a text in a writing system."""
    plain = escape(text.replace("\r\n", "\n").replace("\n", LINE_END))
    return f"<form{attributes({'lang': tag})}><text>{plain}</text></form>"


def trait(name: str, value: str | float | None) -> str:
    """Format a trait; empty if it has no value."""
    return element("trait", {"name": name, "value": str(value)}) if value not in {None, ""} else ""


def field(name: str, tag: str, text: str | None) -> str:
    """Format a field; empty if it has no text."""
    return element("field", {"type": name}, form(tag, text)) if text else ""


def note(kind: str | None, text: str | None) -> str:
    """Format a note; empty if it has no text."""
    return element("note", {"type": kind}, form(ENGLISH, text)) if text else ""


def multitext(name: str, forms: Iterable[str], attrs: Mapping[str, str | None] | None = None) -> str:
    """Format an element with several forms; empty if there are none."""
    content = "".join(forms)
    return element(name, attrs or {}, content) if content else ""


def date(moment: int | None) -> str | None:
    """Format a Unix timestamp as a LIFT date; None stays None."""
    return f"{datetime.fromtimestamp(moment, tz=UTC):%Y-%m-%dT%H:%M:%SZ}" if moment is not None else None


def entry_guid(language: str, text: str, entry: str = "") -> str:
    """Return the GUID of an entry: `existing_guid` from FieldWorks, else one derived from the word."""
    return entry or str(uuid5(NAMESPACE_URL, f"abhidhan:entry:{language}:{text}"))


def sense_guid(idea: str, language: str, further: str = "") -> str:
    """Return the GUID of a sense: that of FieldWorks, else one derived from the idea, language and `extra_word`."""
    match = _KEY.fullmatch(idea.partition(":")[2])
    if match and match[1] == language and not further:
        return match[3]
    return str(uuid5(NAMESPACE_URL, f"abhidhan:sense:{idea}\t{language}\t{further}"))


def entry_of_key(key: str, language: str) -> str:
    """Return the GUID of the entry from which an idea was imported; empty if it did not come from LIFT."""
    match = _KEY.fullmatch(key)
    return match[2] if match and match[1] == language else ""
