"""Sources and languages, as files bring them."""

import msgspec


class SourceRecord(msgspec.Struct, frozen=True, tag_field="record", tag="source", omit_defaults=True):
    """Where records come from. `notice` is what readers should know of them, such as that nobody reviewed them yet."""

    code: str
    name: str
    licence: str
    url: str | None = None
    attribution: str | None = None
    notice: str | None = None


class LanguageRecord(msgspec.Struct, frozen=True, tag_field="record", tag="language", omit_defaults=True):
    """A language: its ID, BCP 47 code, ISO 639-3 code, names, ISO 15924 script code and direction (ltr, rtl).

    The ID 0 asks for the next free one.
    """

    id: int
    code: str
    iso639_3: str | None
    name: str
    native_name: str
    script: str
    direction: str = "ltr"
