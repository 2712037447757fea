"""Entries of LIFT files, stored as XML so that an export can write them back unchanged."""

from collections.abc import Mapping
from typing import Final, NamedTuple

import msgspec

MOST_CONTENT_LETTERS: Final = 200_000
"""The maximum length of the XML of an entry; FieldWorks's longest entries have a tenth of it."""

MOST_RANGE_LETTERS: Final = 16_000_000
"""The maximum length of a header or a range; all semantic domains in many languages have some millions."""

HEADER: Final = "<header>"
RANGE: Final = "<range>"
"""The key of a header, and how those of ranges begin: no ID of an entry is like them."""


class LiftEntry(msgspec.Struct, frozen=True, tag_field="record", tag="lift_entry"):
    """An entry, or with an empty language the header or a range of a file, or an entry that was deleted.

    `key` is its GUID or ID, `text` its headword. `ideas` has the key of an idea for each sense and subsense, in the
    order of the file, empty for one that is no idea here. `content` is the XML.
    """

    source: str
    key: str
    language: str
    text: str
    ideas: tuple[str, ...]
    content: str


class LiftEdits(NamedTuple):
    """The fields edited here since an import: of ideas (by source and key), senses and words.

    Of the definitions and words of an idea, the codes of their languages count: `words:en`. `spellings` are the words
    (language, text) that are spelled otherwise now.
    """

    ideas: Mapping[str, frozenset[str]] = {}
    senses: Mapping[tuple[str, str, str], frozenset[str]] = {}
    words: Mapping[tuple[str, str], frozenset[str]] = {}
    spellings: frozenset[tuple[str, str]] = frozenset()
