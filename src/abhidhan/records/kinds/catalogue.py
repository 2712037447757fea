"""Sources, languages and values of lookup lists: the types for input, storage and output."""

from typing import ClassVar, Final

import msgspec

from abhidhan.records.kinds.field_types import Line
from abhidhan.records.kinds.fields import MAX_WORD_LENGTH, Field, Fields, InputData, State
from abhidhan.records.lookup_lists import ListName


class SourceRecord(msgspec.Struct, frozen=True, tag_field="record", tag="source", omit_defaults=True):
    """A source of records. `notice` is a note about them for readers, for example that they are not yet reviewed."""

    code: str
    name: str
    licence: str
    url: str | None = None
    attribution: str | None = None
    notice: str | None = None


class LanguageRecord(msgspec.Struct, frozen=True, tag_field="record", tag="language", omit_defaults=True):
    """A language: its ID, BCP 47 code, ISO 639-3 code, names, ISO 15924 script code and direction (ltr, rtl).

    The ID 0 means the next free one.
    """

    id: int
    code: str
    iso639_3: str | None
    name: str
    native_name: str
    script: str
    direction: str = "ltr"


LIST_ITEM_FIELDS: Final = Fields((Field("value", Line(MAX_WORD_LENGTH, is_required=True)),))

READ_ONLY_LISTS: Final = frozenset({ListName.LANGUAGES, ListName.HISTORY_ACTIONS})
"""Lists that users cannot edit."""


class ListItemState(State, frozen=True, tag="list_item"):
    """A value of a lookup list."""

    list: str
    item_id: int
    value: str
    position: int
    code: str | None = None
    parent_id: int | None = None
    short: str | None = None


class ListItemRecord(msgspec.Struct, frozen=True, tag_field="record", tag="list_item", omit_defaults=True):
    """A value of a lookup list (POS, GEN, CTX, VRT, RIC, HAC, FJCAT). `parent` is an ID of the same list.

    `code` is a short form (VRT: `sci`); for POS it is the major class (`Noun`), and `short` the short code (`N.com`);
    for RIC `code` is the ID, as text, of the inverse relation.
    """

    list: str
    id: int
    value: str
    code: str | None = None
    parent: int | None = None
    short: str | None = None


class ListValueRecord(msgspec.Struct, frozen=True, tag_field="record", tag="list_value", omit_defaults=True):
    """A new value of a lookup list that a file defines, submitted for review.

    `parent`, and for a relation `inverse`, reference other values of the list by name, since the IDs of a file are
    valid only there.
    """

    list: str
    value: str
    code: str | None = None
    parent: str | None = None
    inverse: str | None = None
    short: str | None = None


class ListItemChanges(InputData, frozen=True):
    """A new name for a value of a lookup list."""

    fields: ClassVar = LIST_ITEM_FIELDS
    value: str
