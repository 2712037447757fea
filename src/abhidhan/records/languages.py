"""Languages: their IDs, codes and names."""

from collections.abc import Mapping
from typing import Final

import msgspec

ALL_LANGUAGES = 0
"""The language ID that means all languages, in endpoints that allow it."""

ENGLISH = 1
ASSAMESE = 2
HINDI = 21
BENGALI = 22
"""IDs on which clients rely: they must not change (docs/api.md)."""

LANGUAGE_IDS: Final[Mapping[str, int]] = {
    "en": 1,
    "as": 2,
    "brx": 3,
    "mrg": 4,
    "kha": 5,
    "grt": 6,
    "mni": 7,
    "bpy": 8,
    "lus": 9,
    "mjw": 10,
    "trp": 12,
    "hmr": 13,
    "nag": 14,
    "dis": 15,
    "njo": 17,
    "aho": 19,
    "hi": 21,
    "bn": 22,
    "ne": 23,
    "rah": 24,
    "lax": 25,
    "sat": 31,
    "kht": 34,
    "try": 35,
    "sgp": 37,
    "pck": 39,
    "adi": 40,
    "apt": 101,
    "twm": 102,
    "ccp": 103,
    "tnv": 104,
    "der": 105,
    "phk": 106,
    "tvt": 107,
}
"""The ID of each language that comes with the program, by its code.

IDs up to 100 are those of XOBDO, as used by two public programs in 2026 (3 and 8 are assumed). Those from 101 are
this project's own, for languages whose XOBDO number is unknown.
"""


class Language(msgspec.Struct, frozen=True):
    """A language. `code` is BCP 47, `script` ISO 15924, `direction` `ltr` or `rtl`."""

    id: int
    code: str
    iso639_3: str | None
    name: str
    native_name: str
    script: str
    direction: str
