"""Languages: their IDs, codes and names, and how a caller names one."""

import msgspec

ALL_LANGUAGES = 0
"""The language ID that stands for every language, where an address allows it."""

ENGLISH = 1
ASSAMESE = 2
HINDI = 21
BENGALI = 22
"""IDs that clients know and so stay (docs/api.md)."""


class Language(msgspec.Struct, frozen=True):
    """A language. `code` is BCP 47, `script` ISO 15924, `direction` `ltr` or `rtl`."""

    id: int
    code: str
    iso639_3: str | None
    name: str
    native_name: str
    script: str
    direction: str
