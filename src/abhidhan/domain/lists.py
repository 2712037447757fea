"""Lookup lists: parts of speech, genders, contexts, variants, relations, history actions, phrase categories."""

from enum import StrEnum

import msgspec


class ListName(StrEnum):
    """The lists of `get-list.php`. LANG is answered from the languages, all others from list items."""

    LANGUAGES = "LANG"
    CONTEXTS = "CTX"
    VARIANTS = "VRT"
    PARTS_OF_SPEECH = "POS"
    GENDERS = "GEN"
    RELATIONS = "RIC"
    HISTORY_ACTIONS = "HAC"
    PHRASE_CATEGORIES = "FJCAT"

    # That of an enumeration is written in Python: an answer names a dozen values, and each took a microsecond longer.
    __hash__ = str.__hash__


class Named(msgspec.Struct, frozen=True):
    """A value of a lookup list as answers show it: `{"id": 3, "value": "Material Noun"}`."""

    id: int
    value: str


class ListItem(msgspec.Struct, frozen=True):
    """A value of a lookup list as it is stored.

    `code` is a short form (for POS the major class, for RIC the ID of the inverse relation as text); `parent_id`
    is an item of the same list (CTX is a tree).
    """

    list: str
    id: int
    value: str
    code: str | None
    parent_id: int | None
    position: int
