"""Fields of records, with their limits and validation.

The same fields validate user input and files, with the same error messages.
"""

import dataclasses
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Any, ClassVar, Final, NamedTuple, TypeVar

import msgspec

from abhidhan.records.errors import InputError, Problem, Sentence, sentence
from abhidhan.records.ids import Count
from abhidhan.records.languages import ENGLISH
from abhidhan.records.lookup_lists import ListName
from assamese.normalization import collapse_whitespace, nfc

S = TypeVar("S", bound="State")

Reference = str | Count
"""A reference to a language (by ID or code), or to a value of a lookup list (by ID or text)."""

MAX_WORD_LENGTH: Final = 200
MAX_PHRASE_LENGTH: Final = 500
MAX_TEXT_LENGTH: Final = 20_000
MAX_KEY_LENGTH: Final = 200
MAX_TEXTS_PER_FIELD: Final = 50
MAX_CONTEXTS: Final = 20
MAX_POSITION: Final = 1_000_000
MAX_COMMENT_LENGTH: Final = 2000

INVALID_CHARACTERS: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")


def invalid_characters_message(field: str) -> Sentence:
    """Return the message for a field with control characters or lone surrogates."""
    return sentence("`%(parameter)s` must not contain control characters or incomplete characters.", parameter=field)


class State(msgspec.Struct, frozen=True, tag_field="record", omit_defaults=True):
    """The state of a record before or after a change, stored in the history as JSON tagged with the kind of record."""


@dataclass(frozen=True, slots=True)
class FieldType(ABC):
    """The type of a field: it converts between input values, stored values and text."""

    is_required: bool = dataclasses.field(default=False, kw_only=True)
    english_column: str = dataclasses.field(default="", kw_only=True)
    """The column of the English text, for a field whose own column has the texts in other languages."""

    @abstractmethod
    def read(self, field_reader: "FieldReader", name: str, value: Any, current: Any = None) -> Any:  # noqa: ANN401  # each its own
        """Convert an input value to the stored one; `current` is the current value, or None for a new record."""

    def to_input(self, value: Any) -> Any:  # noqa: ANN401  # each its own
        """Convert a stored value to an input value, the reverse of `read`."""
        return value

    def parse(self, name: str, text: str) -> Any:  # noqa: ANN401  # each its own
        """Convert the text of a form field or table cell to an input value. Raises InputError.

        An empty text of a required field stays empty, so that `read` reports it.
        """
        del name
        return text or ("" if self.is_required else None)

    def format(self, value: Any) -> str:  # noqa: ANN401  # each its own
        """Format a value for a form field or table cell, the reverse of `parse`."""
        return "" if value is None else str(value)


class Field(NamedTuple):
    """A field of a record: its name in files, requests and forms, and its column if that has a different name.

    `headings` are alternative column headings in spreadsheets, separated by bars. If a spreadsheet has several of these
    columns, their values are joined with `separator`.
    """

    name: str
    kind: FieldType
    stored_as: str = ""
    headings: str = ""
    separator: str | None = None

    @property
    def column(self) -> str:
        """The name of the database column, and of the attribute of states."""
        return self.stored_as or self.name


class Fields(tuple[Field, ...]):  # noqa: SLOT001  # a few for the whole program, which remember how they are read
    """The fields of a record, in order, with precomputed lookups for fast imports."""

    @cached_property
    def get_values(self) -> Callable[[object], tuple[Any, ...]]:
        """A function that returns the input values of all fields together, which is faster for millions of words."""
        field_names = list_field_names(self)
        return attrgetter(*field_names) if len(field_names) > 1 else lambda record: (getattr(record, field_names[0]),)

    @cached_property
    def readers(self) -> tuple[tuple[str, str, Callable[..., Any], bool], ...]:
        """The name, column, `read` method and `is_required` of each field."""
        return tuple((each.name, each.column, each.kind.read, each.kind.is_required) for each in self)

    @cached_property
    def translated_fields(self) -> tuple[tuple[str, str, str], ...]:
        """The name, column and English column of each field with texts in several languages."""
        return tuple((each.name, each.column, each.kind.english_column) for each in self if each.kind.english_column)

    @cached_property
    def empty_values(self) -> tuple[None, ...]:
        """The result of `get_values` if all fields are missing, which is common in files; () if a field is required."""
        return () if any(each.kind.is_required for each in self) else (None,) * len(self)


def list_columns(fields: Iterable[Field]) -> tuple[str, ...]:
    """Return the columns of fields."""
    return tuple(each.column for each in fields)


def list_field_names(fields: Iterable[Field]) -> tuple[str, ...]:
    """Return the names of fields."""
    return tuple(each.name for each in fields)


class InputData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of the types of records in requests and in stored submissions.

    `fields` defines the limits, which are checked when the values are read. Limits in the types themselves would reject
    stored submissions that are older than a limit.
    """

    fields: ClassVar[Fields] = Fields()


class FieldReader(ABC):
    """Converts the input for a record to stored values, and collects all problems."""

    def __init__(self, *, has_limits: bool = True) -> None:
        """Initialise without problems; with `has_limits=False`, lengths and counts are not checked."""
        self.problems: list[Problem] = []
        self.has_limits = has_limits

    @abstractmethod
    def resolve_language(self, field: str, reference: Reference) -> int:
        """Return the ID of a language; report an unknown one and return 0."""

    @abstractmethod
    def resolve_item(self, field: str, list_name: ListName, reference: Reference) -> int:
        """Return the ID of a list value; report an unknown one and return 0."""

    def add_problem(self, field: str, detail: str) -> None:
        """Record a problem of a field."""
        self.problems.append(Problem(field, detail))

    def refuse(self, field: str, pattern: str, **values: str | int) -> None:
        """Record a problem of a field, with a translatable message."""
        self.add_problem(field, sentence(pattern, parameter=field, **values))

    def raise_problems(self) -> None:
        """Raise InputError if there are any problems."""
        if self.problems:
            raise InputError(*self.problems)

    def read_fields(self, fields: Fields, data: object) -> dict[str, Any]:
        """Read the fields of a new record. Returns the stored values by column, without those that are None."""
        values_by_column: dict[str, Any] = {}
        input_values = fields.get_values(data)
        if input_values == fields.empty_values:
            return values_by_column
        for (name, column, read_value, is_needed), value in zip(fields.readers, input_values, strict=True):
            if value is not None or is_needed:
                values_by_column[column] = read_value(self, name, value)
        for translated in fields.translated_fields:
            self._move_english(values_by_column, *translated)
        return values_by_column

    def apply_changes(self, fields: Fields, state: S, changes: object) -> S:
        """Apply changes to a record. Existing values may exceed the limits for new ones."""
        new_values = {}
        for field in fields:
            value = getattr(changes, field.name)
            if value is not msgspec.UNSET:
                current, problem_count = getattr(state, field.column), len(self.problems)
                new_values[field.column] = field.kind.read(self, field.name, value, current)
                self.allow_existing(problem_count, is_existing=new_values[field.column] == current)
        for translated in fields.translated_fields:
            self._move_english(new_values, *translated)
        return msgspec.structs.replace(state, **new_values)

    def _move_english(self, values_by_column: dict[str, Any], name: str, column: str, english_column: str) -> None:
        """Move the English text from a field with several languages to the column for English."""
        texts = dict(values_by_column.get(column, ()))
        text = texts.pop(ENGLISH, None)
        if text is None:
            return
        if values_by_column.get(english_column) not in {None, text}:
            self.refuse(name, "The English text of `%(parameter)s` differs from `%(english)s`.", english=english_column)
        values_by_column[column], values_by_column[english_column] = tuple(texts.items()), text

    def allow_existing(self, problem_count: int, *, is_existing: bool) -> None:
        """Drop the problems after the first `problem_count` ones if the record already has this value."""
        if is_existing:
            del self.problems[problem_count:]

    def clean_line(self, field: str, text: str, max_length: int) -> str:
        """Clean and check a non-empty text of one line."""
        if INVALID_CHARACTERS.search(text):
            self.add_problem(field, invalid_characters_message(field))
        clean = collapse_whitespace(nfc(text))
        if not 0 < len(clean) <= max_length:
            self._reject_length(field, clean, max_length)
        return clean

    def clean_text(self, field: str, text: str, max_length: int = MAX_TEXT_LENGTH) -> str:
        """Clean and check a non-empty text that may have several lines."""
        if INVALID_CHARACTERS.search(text):
            self.add_problem(field, invalid_characters_message(field))
        clean = nfc(text.strip())
        if not 0 < len(clean) <= max_length:
            self._reject_length(field, clean, max_length)
        return clean

    def check_count(self, field: str, number: int, limit: int, current: int) -> None:
        """Check the number of entries of a field; a record that already exceeds `limit` may keep its current number."""
        if number <= max(limit, current) or not self.has_limits:
            return
        if current > limit:
            self.refuse(
                field,
                "`%(parameter)s` may have at most %(most)s entries. The %(there)s existing entries may stay, but "
                "no more can be added.",
                most=limit,
                there=current,
            )
        else:
            self.refuse(field, "`%(parameter)s` may have at most %(most)s entries.", most=limit)

    def _reject_length(self, field: str, clean: str, limit: int) -> None:
        if not clean or self.has_limits:
            self.refuse(field, "`%(parameter)s` must have from 1 to %(most)s characters.", most=f"{limit:,}")
