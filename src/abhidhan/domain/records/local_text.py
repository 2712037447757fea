"""A text in one language, as it comes in and goes out among those of a record."""

import msgspec

from abhidhan.domain.records.fields import Reference


class LocalTextRecord(msgspec.Struct, frozen=True):
    """A text in the language whose code is given."""

    language: str
    text: str


class LocalTextData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A text in one language."""

    language: Reference
    text: str
