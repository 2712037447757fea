"""Detection of lost values: values of a file that no imported record contains."""

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

import msgspec

from abhidhan.formats.importer_api import ParsedRecord
from abhidhan.records.import_records import LocatedRecord, UnstoredValue
from abhidhan.records.kinds import Record
from assamese.normalization import nfc

_WORD_SEPARATOR: Final = re.compile(r"[^\w\u0300-\u036f\u0980-\u0dff]+")
"""Separators of words. Marks of Indic scripts are not word characters for `re`, but belong to words."""


def find_losses(
    file: str, line: int, values: Iterable[tuple[str, str]], records: Iterable[ParsedRecord]
) -> Iterator[UnstoredValue]:
    """Yield a loss for each value (field, text) that no record contains, whole or as part of a longer text.

    The comparison ignores case, punctuation and white space. Callers omit converted values, such as abbreviations of
    parts of speech, language codes and keys.
    """
    texts = dict.fromkeys(
        text for record in records if isinstance(record, LocatedRecord) for text in iter_texts(record.record)
    )
    # The underscore counts as a word, so no value can match across the border of two texts.
    record_words = _normalize_words(" _ ".join(texts))
    for field, value in values:
        if value in texts:
            continue
        words = _normalize_words(value)
        if words.strip() and words not in record_words:
            yield UnstoredValue(file, line, field, value)


def iter_texts(record: Record) -> Iterator[str]:
    """Yield every text and number of a record, as text."""
    return _iter_scalars(msgspec.to_builtins(record))


def _iter_scalars(value: Any) -> Iterator[str]:  # noqa: ANN401  # the built-in types of a record
    if isinstance(value, dict):
        value = value.values()
    if isinstance(value, str):
        yield value
    elif isinstance(value, Iterable):
        for item in value:
            yield from _iter_scalars(item)
    elif value is not None:
        yield str(value)


def _normalize_words(text: str) -> str:
    """Return the words of a text, each between spaces."""
    return f" {_WORD_SEPARATOR.sub(' ', nfc(text).casefold()).strip()} "


def list_leaves(value: Any, field: str = "") -> list[tuple[str, str]]:  # noqa: ANN401  # any JSON
    """Return each text, number and boolean in a JSON value, with its path, such as `senses/examples/text`."""
    collected: list[tuple[str, str]] = []
    _collect_leaves(value, field, collected)
    return collected


def _collect_leaves(value: Any, field: str, collected: list[tuple[str, str]]) -> None:  # noqa: ANN401  # any JSON
    if isinstance(value, dict):
        for key, below in value.items():
            _collect_leaves(below, f"{field}/{key}" if field else key, collected)
    elif isinstance(value, list):
        for below in value:
            _collect_leaves(below, field, collected)
    elif value is not None:
        collected.append((field, value if isinstance(value, str) else str(value).lower()))
