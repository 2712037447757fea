"""Redaction: search for a text that must no longer be shown, and the reason shown in its place."""

import unicodedata
from typing import Final, NamedTuple

import msgspec

from abhidhan.records.errors import InputError

MAX_REASON_LENGTH: Final = 500


class SearchText(NamedTuple):
    """A text to search for: plain, and as encoded within a JSON string."""

    text: str
    encoded: bytes


def make_search_text(text: str) -> SearchText:
    """Return a text to search for, normalised to NFC as in records."""
    plain = unicodedata.normalize("NFC", text)
    return SearchText(plain, msgspec.json.encode(plain)[1:-1])


def contains_text(value: object, text: SearchText) -> bool:
    """Return whether a string, or any string nested in a list or dict, contains a text."""
    if isinstance(value, dict):
        return any(contains_text(part, text) for part in value.values())
    if isinstance(value, list | tuple):
        return any(contains_text(part, text) for part in value)
    return isinstance(value, str) and text.text in value


def check_reason(reason: str) -> None:
    """Check that a reason is one printable line of allowed length. Raises InputError."""
    stripped = reason.strip()
    if not stripped or len(stripped) > MAX_REASON_LENGTH or not stripped.isprintable():
        raise InputError.of("reason", f"The reason is public: one line of 1 to {MAX_REASON_LENGTH} characters.")
