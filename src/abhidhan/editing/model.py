"""A text that a law or a court forbids, or somebody rightly asks to go: how it is looked for, and why it goes."""

import unicodedata
from typing import Final, NamedTuple

import msgspec

from abhidhan.records.errors import InputError

LONGEST_REASON: Final = 500


class Sought(NamedTuple):
    """A text that is looked for: as it is, and as it stands within a string of JSON."""

    text: str
    encoded: bytes


def sought(text: str) -> Sought:
    """Return a text as it is looked for: as records have it, whose letters are composed (NFC)."""
    plain = unicodedata.normalize("NFC", text)
    return Sought(plain, msgspec.json.encode(plain)[1:-1])


def has(value: object, text: Sought) -> bool:
    """Say whether a text is in a value, or in one of a list or a record."""
    if isinstance(value, dict):
        return any(has(each, text) for each in value.values())
    if isinstance(value, list | tuple):
        return any(has(each, text) for each in value)
    return isinstance(value, str) and text.text in value


def check_reason(reason: str) -> None:
    """Make sure that a reason is one line that can stand where the text stood. Raises InputError."""
    stripped = reason.strip()
    if not stripped or len(stripped) > LONGEST_REASON or not stripped.isprintable():
        raise InputError.of(
            "reason", f"The reason is what everybody reads: one line of 1 to {LONGEST_REASON} characters."
        )
