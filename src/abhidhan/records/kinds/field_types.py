"""Field types, which parse, validate and format values, and the fields that several kinds of records share."""

import re
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import msgspec

from abhidhan.records.errors import InputError, sentence
from abhidhan.records.kinds.fields import (
    MAX_PHRASE_LENGTH,
    MAX_TEXT_LENGTH,
    MAX_TEXTS_PER_FIELD,
    Field,
    FieldReader,
    Fields,
    FieldType,
    InputData,
    Reference,
)
from abhidhan.records.lookup_lists import ListName
from abhidhan.records.sources import MAX_LICENCE_LENGTH


@dataclass(frozen=True, slots=True)
class Line(FieldType):
    """A text of one line; empty becomes None unless a value is required."""

    limit: int = MAX_PHRASE_LENGTH

    def read(self, field_reader: FieldReader, name: str, value: str | None, current: object = None) -> str | None:
        """Clean a text and check its length."""
        del current
        if not self.is_required and (not value or value.isspace()):
            return None
        return field_reader.clean_line(name, value or "", self.limit)


@dataclass(frozen=True, slots=True)
class Text(FieldType):
    """A text that may have several lines; empty becomes None."""

    limit: int = MAX_TEXT_LENGTH

    def read(self, field_reader: FieldReader, name: str, value: str | None, current: object = None) -> str | None:
        """Clean a text and check its length."""
        del current
        return field_reader.clean_text(name, value, self.limit) if value and not value.isspace() else None


@dataclass(frozen=True, slots=True)
class ListChoice(FieldType):
    """A value of a lookup list. Editing an existing record may remove it even if the field is required."""

    list_name: ListName

    def read(self, field_reader: FieldReader, name: str, value: Reference | None, current: object = None) -> int | None:
        """Return the ID of the list value."""
        if value is None or value == "":
            return field_reader.resolve_item(name, self.list_name, "") if self.is_required and current is None else None
        return field_reader.resolve_item(name, self.list_name, value)


@dataclass(frozen=True, slots=True)
class WholeNumber(FieldType):
    """A whole number from 1 to `limit`."""

    limit: int

    def read(self, field_reader: FieldReader, name: str, value: int | None, current: object = None) -> int | None:
        """Check the range of a number."""
        del current
        if value is not None and not 1 <= value <= self.limit:
            field_reader.refuse(name, _WHOLE_NUMBER_MESSAGE, most=f"{self.limit:,}")
        return value

    def parse(self, name: str, text: str) -> int | None:
        """Parse a number. Raises InputError."""
        if text and not (text.isascii() and text.isdecimal()):
            raise InputError.of(name, sentence(_WHOLE_NUMBER_MESSAGE, parameter=name, most=f"{self.limit:,}"))
        return int(text) if text else None


_WHOLE_NUMBER_MESSAGE: Final = "`%(parameter)s` must be a whole number from 1 to %(most)s."


@dataclass(frozen=True, slots=True)
class Number(FieldType):
    """A number from 0 to `limit`, with or without a fraction."""

    limit: int

    def read(self, field_reader: FieldReader, name: str, value: float | None, current: object = None) -> float | None:
        """Check the range of a number. NaN is rejected too, because it compares as false."""
        del current
        if value is not None and not 0 <= value <= self.limit:
            field_reader.refuse(name, "`%(parameter)s` must be a number from 0 to %(most)s.", most=f"{self.limit:,}")
        return value

    def parse(self, name: str, text: str) -> float | None:
        """Parse a number. Raises InputError."""
        if text and _NUMBER_PATTERN.fullmatch(text) is None:
            pattern = "`%(parameter)s` must be a number from 0 to %(most)s."
            raise InputError.of(name, sentence(pattern, parameter=name, most=f"{self.limit:,}"))
        return float(text) if text else None

    def format(self, value: float | None) -> str:
        """Format a number, without a fraction of zero."""
        return str(value).removesuffix(".0") if value is not None else ""


_NUMBER_PATTERN: Final = re.compile(r"[0-9]{1,20}(?:\.[0-9]{1,20})?(?:e-?[0-9]{1,2})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Boolean(FieldType):
    """Yes, no, or not specified."""

    def read(self, field_reader: FieldReader, name: str, value: bool | None, current: object = None) -> bool | None:  # noqa: FBT001  # what a field holds
        """Return the value unchanged; its type is already checked."""
        del field_reader, name, current
        return value

    def parse(self, name: str, text: str) -> bool | None:
        """Parse `true` or `false`. Raises InputError."""
        if text and text.lower() not in _BOOLEANS:
            raise InputError.of(name, sentence("`%(parameter)s` must be true or false.", parameter=name))
        return _BOOLEANS.get(text.lower())

    def format(self, value: bool | None) -> str:  # noqa: FBT001  # what a field holds
        """Format as `true` or `false`, or "" if not specified."""
        return "" if value is None else str(bool(value)).lower()


_BOOLEANS: Final = {"true": True, "false": False}


@dataclass(frozen=True, slots=True)
class ListChoices(FieldType):
    """Several values of a lookup list, without duplicates."""

    list_name: ListName
    limit: int

    def read(
        self, field_reader: FieldReader, name: str, value: tuple[Reference, ...], current: tuple[int, ...] | None = None
    ) -> tuple[int, ...]:
        """Return the IDs of the list values, sorted."""
        if not value:
            return ()
        item_ids = tuple(sorted({field_reader.resolve_item(name, self.list_name, each) for each in value}))
        field_reader.check_count(name, len(item_ids), self.limit, len(current or ()))
        return item_ids


@dataclass(frozen=True, slots=True)
class Texts(FieldType):
    """Texts with their languages, without duplicates. With `has_translations`, each may have a translation."""

    limit: int = MAX_TEXTS_PER_FIELD
    has_translations: bool = False

    def read(
        self, field_reader: FieldReader, name: str, value: tuple[Any, ...], current: tuple[Any, ...] | None = None
    ) -> tuple[tuple[Any, ...], ...]:
        """Return tuples of language ID, text and, with `has_translations`, translation."""
        if not value:
            return ()
        texts = tuple(dict.fromkeys(self._read_text(field_reader, name, each, current or ()) for each in value))
        field_reader.check_count(name, len(texts), self.limit, len(current or ()))
        return texts

    def to_input(self, value: tuple[tuple[Any, ...], ...]) -> list[dict[str, Any]]:
        """Return texts as dictionaries of their parts."""
        return [dict(zip(("language", "text", "translation"), each, strict=False)) for each in value]

    def _read_text(self, field_reader: FieldReader, name: str, value: Any, current: tuple[Any, ...]) -> tuple[Any, ...]:  # noqa: ANN401
        problem_count = len(field_reader.problems)
        parts: tuple[Any, ...] = (
            field_reader.resolve_language(name, value.language),
            field_reader.clean_text(name, value.text),
        )
        if self.has_translations:
            parts = (*parts, Text().read(field_reader, name, value.translation))
        field_reader.allow_existing(problem_count, is_existing=parts in current)
        return parts


@dataclass(frozen=True, slots=True)
class LocalTexts(FieldType):
    """Texts in several languages, at most one per language."""

    limit: int = MAX_TEXT_LENGTH
    is_single_line: bool = False

    def read(
        self,
        field_reader: FieldReader,
        name: str,
        value: tuple[Any, ...],
        current: tuple[tuple[int, str], ...] | None = None,
    ) -> tuple[tuple[int, str], ...]:
        """Return tuples of language ID and text."""
        texts: dict[int, str] = {}
        for entry in value:
            problem_count = len(field_reader.problems)
            language_id = field_reader.resolve_language(name, entry.language)
            text = (field_reader.clean_line if self.is_single_line else field_reader.clean_text)(
                name, entry.text, self.limit
            )
            if texts.setdefault(language_id, text) != text:
                field_reader.refuse(name, "`%(parameter)s` may have only one text in each language.")
            field_reader.allow_existing(problem_count, is_existing=(language_id, text) in (current or ()))
        return tuple(texts.items())

    def to_input(self, value: tuple[tuple[int, str], ...]) -> list[dict[str, Any]]:
        """Return texts as dictionaries of their parts."""
        return [{"language": language_id, "text": text} for language_id, text in value]


LICENCE_FIELD: Final = Field("licence", Line(MAX_LICENCE_LENGTH))
"""The licence of a user's contribution, as stated in files. Forms cannot change it."""


REQUIRED_TEXT_FIELD: Final = Field("text", Line(MAX_TEXT_LENGTH, is_required=True))


class LocalTextRecord(msgspec.Struct, frozen=True):
    """A text with the code of its language."""

    language: str
    text: str


class LocalTextData(InputData, frozen=True):
    """A text in one language."""

    fields: ClassVar = Fields((REQUIRED_TEXT_FIELD,))
    language: Reference
    text: str
