"""Parameters of the dictionary's endpoints, with their limits and documentation."""

import re
from collections.abc import Iterable
from typing import Annotated, Any, Final

from litestar.di import NamedDependency
from litestar.params import QueryParameter, SkipValidation

from abhidhan.dictionary.model.field_selection import (
    CODED_POS_KEYS,
    CODED_WORD_FIELD_NAMES,
    IDEA_KEYS,
    WORD_FIELD_NAMES,
    split_names,
)
from abhidhan.dictionary.service.dictionary import Dictionary
from abhidhan.platform.http.parameters import (
    MAX_FIELDS_LENGTH,
    MAX_TEXT_LENGTH,
    build_list_pattern,
    build_text_examples,
)
from abhidhan.records.errors import InputError
from abhidhan.records.ids import parse_number

DictionaryDep = NamedDependency[SkipValidation[Dictionary]]


def build_fields_parameter(keys: Iterable[str], scope: str, *examples: str) -> Any:  # noqa: ANN401 (the framework's own)
    """Build the query parameter that selects the keys of a response. The service validates its value."""
    return QueryParameter(
        max_length=MAX_FIELDS_LENGTH,
        description=f"Only these keys {scope}, separated by commas. Default: all keys.",
        examples=build_text_examples(*examples),
        schema_extra={"pattern": build_list_pattern("|".join(keys))},
    )


WordFieldsParam = Annotated[
    str | None,
    build_fields_parameter(WORD_FIELD_NAMES, "of words and their meanings", "word,roman,translations", "id,word,pos"),
]

CodedWordFieldsParam = Annotated[
    str | None,
    build_fields_parameter(
        (*CODED_WORD_FIELD_NAMES, *CODED_POS_KEYS), "of words and their meanings", "word,pos,text", "id,word,pos"
    ),
]

IdeaFieldsParam = Annotated[str | None, build_fields_parameter(IDEA_KEYS, "of the idea", "words,definitions")]

LangsParam = Annotated[
    str | None,
    QueryParameter(
        max_length=MAX_TEXT_LENGTH,
        description="Translations and definitions in these languages only: IDs or codes, separated by commas.",
        examples=build_text_examples("as,en"),
    ),
]


TextLangsParam = Annotated[
    str | None,
    QueryParameter(
        max_length=MAX_TEXT_LENGTH,
        description="Translations and definitions in these languages only: IDs or codes, separated by commas. "
        "`text` is in the first of these languages in which the meaning has a text.",
        examples=build_text_examples("as,en"),
    ),
]


MAX_IDS: Final = 100
NUMBER_PATTERN: Final = "[1-9][0-9]*"


def parse_ids(parameter: str, text: str, record_kind: str) -> list[int]:
    """Parse a list of IDs; drop numbers that are no valid IDs. Raises InputError."""
    names = split_names(text)
    if len(names) > MAX_IDS or not all(re.fullmatch(NUMBER_PATTERN, name) for name in names):
        raise InputError.of(
            parameter, f"`{parameter}` must be at most {MAX_IDS} IDs of {record_kind}, separated by commas."
        )
    numbers = (parse_number(name) for name in names)
    return [number for number in numbers if number is not None]
