"""Entries of LIFT files, stored as XML so that an export can write them back unchanged."""

from collections.abc import Mapping
from typing import Final, NamedTuple

import msgspec

MAX_ENTRY_LENGTH: Final = 200_000
"""The maximum length of the XML of an entry in characters; the longest entries of FieldWorks have a tenth of this."""

MAX_RANGE_LENGTH: Final = 16_000_000
"""The maximum length of a header or range in characters; all semantic domains in many languages take a few million."""

HEADER_KEY: Final = "<header>"
RANGE_KEY_PREFIX: Final = "<range>"
"""The key of a header, and the prefix of the keys of ranges. IDs of entries cannot begin with them."""


class LiftEntry(msgspec.Struct, frozen=True, tag_field="record", tag="lift_entry"):
    """An entry; or, if `language` is empty, the header of a file, a range, or a deleted entry.

    `key` is its GUID or ID, `text` its headword. `ideas` has the key of an idea for each sense and subsense, in file
    order, or "" for one without an idea. `content` is the XML.
    """

    source: str
    key: str
    language: str
    text: str
    ideas: tuple[str, ...]
    content: str


class LiftEdits(NamedTuple):
    """The names of the fields that users have edited since an import, by idea (source, key), sense and word.

    Definitions and words of an idea are named with their language codes: `words:en`. `spellings` are the words
    (language, text) whose spelling was changed.
    """

    ideas: Mapping[str, frozenset[str]] = {}
    senses: Mapping[tuple[str, str, str], frozenset[str]] = {}
    words: Mapping[tuple[str, str], frozenset[str]] = {}
    spellings: frozenset[tuple[str, str]] = frozenset()
