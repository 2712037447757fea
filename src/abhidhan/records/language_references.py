"""Find the languages that the JSON of history and of submissions refers to."""

from collections.abc import Iterator
from typing import Any, Final

from abhidhan.records import local_texts
from abhidhan.records.ids import read_number

LANGUAGE_KEYS: Final = frozenset({"language", "language_id", "answer_language", "answer_language_id"})
"""The keys whose values refer to a language: by its number, by the digits of that, or by its code."""

TEXT_KEYS: Final = frozenset({"definitions", "examples"}) | local_texts.COLUMNS
"""The keys whose values list texts. A text in a state is a list that begins with the number of its language."""


def referenced_numbers(value: Any, key: str = "") -> Iterator[int]:  # noqa: ANN401  # any JSON
    """Yield the numbers of languages in a JSON value that stands under a key, also from within lists and objects."""
    if key in LANGUAGE_KEYS:
        if isinstance(value, int | str) and (number := read_number(str(value).strip())) is not None:
            yield number
    elif isinstance(value, list):
        for each in value:
            is_text = key in TEXT_KEYS and isinstance(each, list)
            yield from referenced_numbers(each[0], "language") if is_text else referenced_numbers(each)
    elif isinstance(value, dict):
        for name, each in value.items():
            yield from referenced_numbers(each, name)
