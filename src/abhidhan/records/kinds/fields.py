"""What fields of records may hold, and how they are read: the one place of every limit.

What people write and what files bring is read by the same fields, and refused with the same words.
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
from assamese.normalization import nfc, squeeze

S = TypeVar("S", bound="State")

Reference = str | Count
"""A language or a value of a lookup list: by its ID, its code, or its value in words."""

MOST_WORD_LETTERS: Final = 200
MOST_PHRASE_LETTERS: Final = 500
MOST_TEXT_LETTERS: Final = 20_000
MOST_KEY_LETTERS: Final = 200
MOST_TEXTS: Final = 50
MOST_CONTEXTS: Final = 20
MOST_POSITION: Final = 1_000_000
LONGEST_COMMENT: Final = 2000

NOT_TEXT: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")


def not_text(field: str) -> Sentence:
    """Say that a field holds what no text does."""
    return sentence("`%(parameter)s` must not contain control characters or incomplete ones.", parameter=field)


class State(msgspec.Struct, frozen=True, tag_field="record", omit_defaults=True):
    """What one record holds at one time: the form in which history keeps it, under the tag of its kind."""


@dataclass(frozen=True, slots=True)
class Kind(ABC):
    """What a field holds. A record cannot be without one that is needed."""

    is_needed: bool = dataclasses.field(default=False, kw_only=True)
    english: str = dataclasses.field(default="", kw_only=True)
    """The column of the English text, where a field holds those in other languages."""

    @abstractmethod
    def read(self, reading: "Reading", name: str, given: Any, there: Any = None) -> Any:  # noqa: ANN401  # each its own
        """Read what was given into what is stored; `there` is what the record holds already, None where it is new."""

    def given(self, value: Any) -> Any:  # noqa: ANN401  # each its own
        """Return a stored value as programs give it; `read` reads it again."""
        return value

    def typed(self, name: str, text: str) -> Any:  # noqa: ANN401  # each its own
        """Read what was typed into a form or a cell as what programs give. Raises InputError.

        An empty text that is needed stays one, and will be refused with a reason.
        """
        del name
        return text or ("" if self.is_needed else None)

    def written(self, value: Any) -> str:  # noqa: ANN401  # each its own
        """Write a value into a form or a cell; `typed` reads it again."""
        return "" if value is None else str(value)


class Field(NamedTuple):
    """A field of a record: its name in files, requests and forms, and its column where that has another one.

    `headings` are what columns of tables call it besides, parted by bars; `joint` is what joins several such columns.
    """

    name: str
    kind: Kind
    stored_as: str = ""
    headings: str = ""
    joint: str | None = None

    @property
    def column(self) -> str:
        """The column, which is also the name in states."""
        return self.stored_as or self.name


class Fields(tuple[Field, ...]):  # noqa: SLOT001  # a few for the whole program, which remember how they are read
    """The fields of a record in their order."""

    @cached_property
    def values(self) -> Callable[[object], tuple[Any, ...]]:
        """What takes the values of all fields from something that was given; for millions of words, in one step."""
        wanted = names(self)
        return attrgetter(*wanted) if len(wanted) > 1 else lambda given: (getattr(given, wanted[0]),)

    @cached_property
    def steps(self) -> tuple[tuple[str, str, Callable[..., Any], bool], ...]:
        """How each field is read: its name, its column, what reads it, and whether it is needed."""
        return tuple((each.name, each.column, each.kind.read, each.kind.is_needed) for each in self)

    @cached_property
    def translated(self) -> tuple[tuple[str, str, str], ...]:
        """The fields with texts in several languages: the name of each, its column, and that of the English text."""
        return tuple((each.name, each.column, each.kind.english) for each in self if each.kind.english)

    @cached_property
    def nothing(self) -> tuple[None, ...]:
        """What `values` takes from something that tells nothing, as most words of great files do."""
        return () if any(each.kind.is_needed for each in self) else (None,) * len(self)


def columns(fields: Iterable[Field]) -> tuple[str, ...]:
    """List the columns of fields."""
    return tuple(each.column for each in fields)


def names(fields: Iterable[Field]) -> tuple[str, ...]:
    """List the names of fields."""
    return tuple(each.name for each in fields)


class Given(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The fields of a record as clients send them, in requests and in stored submissions.

    `fields` says what is allowed. They are checked when they are read: a limit in the types would refuse stored
    submissions that are older than the limit.
    """

    fields: ClassVar[Fields] = Fields()


class Reading(ABC):
    """Reads what was given for a record, and keeps all that is wrong with it, to be told together."""

    def __init__(self, *, is_measured: bool = True) -> None:
        """Begin. What a dictionary holds already need not be measured (`is_measured`) when it is copied."""
        self.problems: list[Problem] = []
        self.is_measured = is_measured

    @abstractmethod
    def language(self, field: str, reference: Reference) -> int:
        """Find the ID of a language; of an unknown one 0."""

    @abstractmethod
    def item(self, field: str, list_name: ListName, reference: Reference) -> int:
        """Find the ID of a value of a lookup list; of an unknown one 0."""

    def problem(self, field: str, detail: str) -> None:
        """Note what is wrong with a field."""
        self.problems.append(Problem(field, detail))

    def refuse(self, field: str, pattern: str, **values: str | int) -> None:
        """Note what is wrong with a field, in a sentence that can be translated."""
        self.problem(field, sentence(pattern, parameter=field, **values))

    def finish(self) -> None:
        """Raise InputError if anything was wrong."""
        if self.problems:
            raise InputError(*self.problems)

    def new(self, fields: Fields, given: object) -> dict[str, Any]:
        """Read the fields of a new record, by their columns; those that were left open are left out."""
        read: dict[str, Any] = {}
        values = fields.values(given)
        if values == fields.nothing:
            return read
        for (name, column, step, is_needed), value in zip(fields.steps, values, strict=True):
            if value is not None or is_needed:
                read[column] = step(self, name, value)
        for translated in fields.translated:
            self._move_english(read, *translated)
        return read

    def changed(self, fields: Fields, state: S, changes: object) -> S:
        """Change a record. What it holds already may stay, even beyond the limits of what is new."""
        after = {}
        for each in fields:
            given = getattr(changes, each.name)
            if given is not msgspec.UNSET:
                there, known = getattr(state, each.column), len(self.problems)
                after[each.column] = each.kind.read(self, each.name, given, there)
                self.let_stay(known, is_there=after[each.column] == there)
        for translated in fields.translated:
            self._move_english(after, *translated)
        return msgspec.structs.replace(state, **after)

    def _move_english(self, read: dict[str, Any], name: str, column: str, english: str) -> None:
        """Move the English text out of those in several languages into its own column."""
        texts = dict(read.get(column, ()))
        text = texts.pop(ENGLISH, None)
        if text is None:
            return
        if read.get(english) not in {None, text}:
            self.refuse(name, "`%(parameter)s` has another English text than `%(english)s`.", english=english)
        read[column], read[english] = tuple(texts.items()), text

    def let_stay(self, known: int, *, is_there: bool) -> None:
        """Take back what was found wrong since there were `known` problems, if it is about what the record has."""
        if is_there:
            del self.problems[known:]

    def line(self, field: str, text: str, most: int) -> str:
        """Read a text of one line that must be there."""
        if NOT_TEXT.search(text):
            self.problem(field, not_text(field))
        clean = squeeze(nfc(text))
        if not 0 < len(clean) <= most:
            self._refuse_length(field, clean, most)
        return clean

    def text(self, field: str, text: str, most: int = MOST_TEXT_LETTERS) -> str:
        """Read a text that may have several lines, and must be there."""
        if NOT_TEXT.search(text):
            self.problem(field, not_text(field))
        clean = nfc(text.strip())
        if not 0 < len(clean) <= most:
            self._refuse_length(field, clean, most)
        return clean

    def count(self, field: str, number: int, most: int, there: int) -> None:
        """Check how many entries a field has. Of a record that has more already, none can be added."""
        if number <= max(most, there) or not self.is_measured:
            return
        if there > most:
            self.refuse(
                field,
                "`%(parameter)s` may have at most %(most)s entries. The %(there)s already there may stay, "
                "but no more can be added.",
                most=most,
                there=there,
            )
        else:
            self.refuse(field, "`%(parameter)s` may have at most %(most)s entries.", most=most)

    def _refuse_length(self, field: str, clean: str, most: int) -> None:
        if not clean or self.is_measured:
            self.refuse(field, "`%(parameter)s` must have from 1 to %(most)s characters.", most=f"{most:,}")
