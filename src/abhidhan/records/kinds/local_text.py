"""A text in one language, as it comes in and goes out among those of a record."""

from typing import ClassVar, Final

import msgspec

from abhidhan.records.kinds.field_types import Line
from abhidhan.records.kinds.fields import MOST_TEXT_LETTERS, Field, Fields, Given, Reference

NEEDED_TEXT: Final = Field("text", Line(MOST_TEXT_LETTERS, is_needed=True))


class LocalTextRecord(msgspec.Struct, frozen=True):
    """A text in the language whose code is given."""

    language: str
    text: str


class LocalTextData(Given, frozen=True):
    """A text in one language."""

    fields: ClassVar = Fields((NEEDED_TEXT,))
    language: Reference
    text: str
