"""Mending ideas of files: their words, definitions and examples, each in a field; what is emptied is left out."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple, TypeVar

import msgspec

from abhidhan.platform.http.forms import Form
from abhidhan.records.errors import InputError, sentence
from abhidhan.records.kinds import IdeaRecord

T = TypeVar("T", bound=msgspec.Struct)

POS: Final = "pos_name"
"""The field of the part of speech: a file names it, it does not know its number."""


class _Part(NamedTuple):
    """What an idea has several of, and the fields of each: as they are called in the form, and in the record."""

    of_idea: str
    fields: tuple[tuple[str, str], ...]


PARTS: Final = (
    _Part("words", (("word", "text"), ("roman", "roman"))),
    _Part("definitions", (("definition", "text"),)),
    _Part("examples", (("example", "text"), ("example_translation", "translation"))),
)


def _name(field: str, one: Any, place: int) -> str:  # noqa: ANN401  # a word, a definition or an example
    """Name a field of the form: `word:as:0` is the spelling of the first word, which is of that language."""
    return f"{field}:{one.language}:{place}"


def fields_of_idea(record: IdeaRecord) -> dict[str, str]:
    """Write what can be mended of an idea into the fields of a form."""
    return {POS: record.pos or "", **dict(_fields(record))}


def _fields(record: IdeaRecord) -> Iterator[tuple[str, str]]:
    for part in PARTS:
        for place, one in enumerate(getattr(record, part.of_idea)):
            for field, name in part.fields:
                yield _name(field, one, place), getattr(one, name) or ""


def mended_idea(record: IdeaRecord, form: Form) -> IdeaRecord:
    """Read what an editor has made of an idea. Raises InputError when no word is left."""
    parts = {part.of_idea: tuple(_mended(part, getattr(record, part.of_idea), form)) for part in PARTS}
    if not parts["words"]:
        raise InputError.of("words", sentence("An idea needs at least one word: reject it if none is right."))
    return msgspec.structs.replace(record, pos=form.value(POS) or None, **parts)


def _mended(part: _Part, given: tuple[T, ...], form: Form) -> Iterator[T]:
    for place, one in enumerate(given):
        values = {name: form.value(_name(field, one, place)) or None for field, name in part.fields}
        if values["text"]:
            yield msgspec.structs.replace(one, **values)
