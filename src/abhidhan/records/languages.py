"""Languages: their IDs, codes and names, and how a caller names one."""

from collections.abc import Mapping
from typing import Final

import msgspec

ALL_LANGUAGES = 0
"""The language ID that stands for every language, where an address allows it."""

ENGLISH = 1
ASSAMESE = 2
HINDI = 21
BENGALI = 22
"""IDs that clients know and so stay (docs/api.md)."""

LANGUAGE_NUMBERS: Final[Mapping[str, int]] = {
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
"""The number of each language that comes with the program, by its code.

Up to 100 they are those of XOBDO, as two public programs of 2026 use them (3 and 8 are assumed). From 101 they are this
project's own, of languages whose number at XOBDO is unknown.
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
