"""Lookup lists (parts of speech, genders, contexts, variants, relations, ...), and the codes of parts of speech."""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Final

import msgspec

from abhidhan.records.errors import Sentence, sentence
from abhidhan.records.ids import parse_number


class ListName(StrEnum):
    """The lists of `get-list.php`. LANG contains the languages, all others list items."""

    LANGUAGES = "LANG"
    CONTEXTS = "CTX"
    VARIANTS = "VRT"
    PARTS_OF_SPEECH = "POS"
    GENDERS = "GEN"
    RELATIONS = "RIC"
    HISTORY_ACTIONS = "HAC"
    PHRASE_CATEGORIES = "FJCAT"

    # Enum.__hash__ is written in Python: it took a microsecond more for each of a dozen values in a response.
    __hash__ = str.__hash__


LIST_VALUE_NAMES: Final[Mapping[str, Sentence]] = {
    ListName.CONTEXTS: sentence("context"),
    ListName.VARIANTS: sentence("variant"),
    ListName.PARTS_OF_SPEECH: sentence("part of speech"),
    ListName.GENDERS: sentence("gender"),
    ListName.RELATIONS: sentence("relation"),
    ListName.PHRASE_CATEGORIES: sentence("kind of proverb"),
}
"""The name of a value of each editable list within a sentence."""


class Named(msgspec.Struct, frozen=True):
    """A value of a lookup list in a response: `{"id": 3, "value": "Material Noun"}`."""

    id: int
    value: str


class ListItem(msgspec.Struct, frozen=True):
    """A stored value of a lookup list.

    `code` is a short form (for POS the major class, for RIC the ID of the inverse relation as text); `parent_id`
    is an item of the same list (CTX is a tree). `short` is the short code of a part of speech (`N.com`).
    """

    list: str
    id: int
    value: str
    code: str | None
    parent_id: int | None
    position: int
    short: str | None = None


OTHER_CODE: Final = "OTH"
"""The code of parts of speech without a code of their own."""

UNASSIGNED_CODE: Final = "U"
"""The code of the value that means no part of speech."""

UNASSIGNED_NAME: Final = "Unassigned"

NO_PART_OF_SPEECH_ID: Final = 0
"""The ID that means no part of speech, for lists of words with a meaning that has none."""


PART_OF_SPEECH_CODES: Final[Mapping[str, str]] = {
    "common noun": "N.com",
    "proper noun": "N.pro",
    "material noun": "N.mat",
    "verbal noun": "N.vb",
    "abstract noun": "N.abs",
    "pronoun": "PR",
    "proper adjective": "AJ.pr",
    "verbal adjective": "AJ.vb",
    "adjective adjective": "AJ.aj",
    "adverb": "ADV",
    "transitive": "V.tr",
    "intransitive": "V.int",
    "adposition": "ADPO",
    "interjection": "INTJ",
    "conjunction": "CONJ",
    "noun": "N",
    "verb": "V",
    "adjective": "AJ",
    "prefix": "pfx",
    "suffix": "sfx",
    "other": OTHER_CODE,
    "unassigned": UNASSIGNED_CODE,
}
"""The codes of the built-in parts of speech, by lower-case name, for older files without codes."""


def part_of_speech_code(item: ListItem) -> str:
    """Return the short code of a part of speech."""
    return item.short or OTHER_CODE


def is_unassigned(item: ListItem) -> bool:
    """Return whether a list item is the value that means no part of speech."""
    return item.short == UNASSIGNED_CODE


def find_parts_of_speech(items: Sequence[ListItem], name: str) -> tuple[int, ...] | None:
    """Return the IDs of parts of speech for an ID or a code (ignoring case), or None if it is unknown.

    The value for no part of speech includes NO_PART_OF_SPEECH_ID. A code may belong to no list item, or to several.
    """
    number = parse_number(name)
    code = name.casefold()
    if number is None:
        matches = [item for item in items if part_of_speech_code(item).casefold() == code]
    else:
        matches = [item for item in items if item.id == number]
    if not matches and code not in {OTHER_CODE.casefold(), UNASSIGNED_CODE.casefold()}:
        return None
    return part_of_speech_ids(matches) or ((NO_PART_OF_SPEECH_ID,) if code == UNASSIGNED_CODE.casefold() else ())


def part_of_speech_ids(items: Iterable[ListItem]) -> tuple[int, ...]:
    """Return the IDs of parts of speech; the value that means none adds NO_PART_OF_SPEECH_ID."""
    return tuple(
        item_id
        for item in items
        for item_id in ((NO_PART_OF_SPEECH_ID, item.id) if is_unassigned(item) else (item.id,))
    )
