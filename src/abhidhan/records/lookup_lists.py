"""Lookup lists: parts of speech, genders, contexts, variants, relations, history actions, phrase categories."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

import msgspec

from abhidhan.records.errors import Sentence, sentence


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


VALUE_CALLED: Final[Mapping[str, Sentence]] = {
    ListName.CONTEXTS: sentence("context"),
    ListName.VARIANTS: sentence("variant"),
    ListName.PARTS_OF_SPEECH: sentence("part of speech"),
    ListName.GENDERS: sentence("gender"),
    ListName.RELATIONS: sentence("relation"),
    ListName.PHRASE_CATEGORIES: sentence("kind of proverb"),
}
"""What a value of each list that can be edited is called within a sentence."""


class Named(msgspec.Struct, frozen=True):
    """A value of a lookup list as answers show it: `{"id": 3, "value": "Material Noun"}`."""

    id: int
    value: str


class ListItem(msgspec.Struct, frozen=True):
    """A value of a lookup list as it is stored.

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
