"""The types of fields, which parse, validate and format values, and the fields that several kinds share."""

import re
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import msgspec

from abhidhan.records.errors import InputError, sentence
from abhidhan.records.kinds.fields import (
    MOST_PHRASE_LETTERS,
    MOST_TEXT_LETTERS,
    MOST_TEXTS,
    Field,
    Fields,
    Given,
    Kind,
    Reading,
    Reference,
)
from abhidhan.records.lookup_lists import ListName
from abhidhan.records.sources import LONGEST_LICENCE


@dataclass(frozen=True, slots=True)
class Line(Kind):
    """A text of one line. It may be empty unless it is needed."""

    most: int = MOST_PHRASE_LETTERS

    def read(self, reading: Reading, name: str, given: str | None, there: object = None) -> str | None:
        """Clean a text and check its length."""
        del there
        if not self.is_needed and (not given or given.isspace()):
            return None
        return reading.line(name, given or "", self.most)


@dataclass(frozen=True, slots=True)
class Text(Kind):
    """A text that may have several lines, and may be empty."""

    most: int = MOST_TEXT_LETTERS

    def read(self, reading: Reading, name: str, given: str | None, there: object = None) -> str | None:
        """Clean a text and check its length."""
        del there
        return reading.text(name, given, self.most) if given and not given.isspace() else None


@dataclass(frozen=True, slots=True)
class OneOf(Kind):
    """A value of a lookup list. A change of an existing record may remove even a needed one."""

    list_name: ListName

    def read(self, reading: Reading, name: str, given: Reference | None, there: object = None) -> int | None:
        """Return the ID of the value."""
        if given is None or given == "":
            return reading.item(name, self.list_name, "") if self.is_needed and there is None else None
        return reading.item(name, self.list_name, given)


@dataclass(frozen=True, slots=True)
class Whole(Kind):
    """A whole number from 1 to `most`."""

    most: int

    def read(self, reading: Reading, name: str, given: int | None, there: object = None) -> int | None:
        """Check the range of a number."""
        del there
        if given is not None and not 1 <= given <= self.most:
            reading.refuse(name, _WHOLE, most=f"{self.most:,}")
        return given

    def typed(self, name: str, text: str) -> int | None:
        """Parse a number. Raises InputError."""
        if text and not (text.isascii() and text.isdecimal()):
            raise InputError.of(name, sentence(_WHOLE, parameter=name, most=f"{self.most:,}"))
        return int(text) if text else None


_WHOLE: Final = "`%(parameter)s` must be a whole number from 1 to %(most)s."


@dataclass(frozen=True, slots=True)
class Number(Kind):
    """A number from 0 to `most`, with or without a fraction."""

    most: int

    def read(self, reading: Reading, name: str, given: float | None, there: object = None) -> float | None:
        """Check the range of a number; NaN compares false, and so is refused."""
        del there
        if given is not None and not 0 <= given <= self.most:
            reading.refuse(name, "`%(parameter)s` must be a number from 0 to %(most)s.", most=f"{self.most:,}")
        return given

    def typed(self, name: str, text: str) -> float | None:
        """Parse a number. Raises InputError."""
        if text and _NUMBER.fullmatch(text) is None:
            pattern = "`%(parameter)s` must be a number from 0 to %(most)s."
            raise InputError.of(name, sentence(pattern, parameter=name, most=f"{self.most:,}"))
        return float(text) if text else None

    def written(self, value: float | None) -> str:
        """Format a number, without a fraction of zero."""
        return str(value).removesuffix(".0") if value is not None else ""


_NUMBER: Final = re.compile(r"[0-9]{1,20}(?:\.[0-9]{1,20})?(?:e-?[0-9]{1,2})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class YesOrNo(Kind):
    """Yes, no, or not specified."""

    def read(self, reading: Reading, name: str, given: bool | None, there: object = None) -> bool | None:  # noqa: FBT001  # what a field holds
        """Return the value unchanged; its type is already checked."""
        del reading, name, there
        return given

    def typed(self, name: str, text: str) -> bool | None:
        """Parse `true` or `false`. Raises InputError."""
        if text and text.lower() not in _YES_OR_NO:
            raise InputError.of(name, sentence("`%(parameter)s` must be true or false.", parameter=name))
        return _YES_OR_NO.get(text.lower())

    def written(self, value: bool | None) -> str:  # noqa: FBT001  # what a field holds
        """Format as `true` or `false`, or "" if not specified."""
        return "" if value is None else str(bool(value)).lower()


_YES_OR_NO: Final = {"true": True, "false": False}


@dataclass(frozen=True, slots=True)
class SomeOf(Kind):
    """Values of a lookup list, without repeats."""

    list_name: ListName
    most: int

    def read(
        self, reading: Reading, name: str, given: tuple[Reference, ...], there: tuple[int, ...] | None = None
    ) -> tuple[int, ...]:
        """Return the sorted IDs of the values."""
        if not given:
            return ()
        found = tuple(sorted({reading.item(name, self.list_name, each) for each in given}))
        reading.count(name, len(found), self.most, len(there or ()))
        return found


@dataclass(frozen=True, slots=True)
class Texts(Kind):
    """Texts with their languages, without repeats; with `has_translations`, each may have a translation."""

    most: int = MOST_TEXTS
    has_translations: bool = False

    def read(
        self, reading: Reading, name: str, given: tuple[Any, ...], there: tuple[Any, ...] | None = None
    ) -> tuple[tuple[Any, ...], ...]:
        """Return tuples of language ID, text and, with `has_translations`, translation."""
        if not given:
            return ()
        found = tuple(dict.fromkeys(self._one(reading, name, each, there or ()) for each in given))
        reading.count(name, len(found), self.most, len(there or ()))
        return found

    def given(self, value: tuple[tuple[Any, ...], ...]) -> list[dict[str, Any]]:
        """Return texts as dictionaries of their parts."""
        return [dict(zip(("language", "text", "translation"), each, strict=False)) for each in value]

    def _one(self, reading: Reading, name: str, given: Any, there: tuple[Any, ...]) -> tuple[Any, ...]:  # noqa: ANN401
        known = len(reading.problems)
        found: tuple[Any, ...] = (reading.language(name, given.language), reading.text(name, given.text))
        if self.has_translations:
            found = (*found, Text().read(reading, name, given.translation))
        reading.let_stay(known, is_there=found in there)
        return found


@dataclass(frozen=True, slots=True)
class LocalTexts(Kind):
    """Texts in several languages, at most one in each."""

    most: int = MOST_TEXT_LETTERS
    is_line: bool = False

    def read(
        self, reading: Reading, name: str, given: tuple[Any, ...], there: tuple[tuple[int, str], ...] | None = None
    ) -> tuple[tuple[int, str], ...]:
        """Return tuples of language ID and text."""
        found: dict[int, str] = {}
        for each in given:
            known = len(reading.problems)
            language_id = reading.language(name, each.language)
            text = (reading.line if self.is_line else reading.text)(name, each.text, self.most)
            if found.setdefault(language_id, text) != text:
                reading.refuse(name, "`%(parameter)s` may have only one text in each language.")
            reading.let_stay(known, is_there=(language_id, text) in (there or ()))
        return tuple(found.items())

    def given(self, value: tuple[tuple[int, str], ...]) -> list[dict[str, Any]]:
        """Return texts as dictionaries of their parts."""
        return [{"language": language_id, "text": text} for language_id, text in value]


LICENCE: Final = Field("licence", Line(LONGEST_LICENCE))
"""The licence under which a user contributed a record, as stated in files. Forms cannot change it."""


NEEDED_TEXT: Final = Field("text", Line(MOST_TEXT_LETTERS, is_needed=True))


class LocalTextRecord(msgspec.Struct, frozen=True):
    """A text with the code of its language."""

    language: str
    text: str


class LocalTextData(Given, frozen=True):
    """A text in one language."""

    fields: ClassVar = Fields((NEEDED_TEXT,))
    language: Reference
    text: str
