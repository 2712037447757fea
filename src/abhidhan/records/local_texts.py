"""Texts in several languages, at most one per language: their column format, and the language IDs in stored JSON."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from abhidhan.records.ids import parse_number
from abhidhan.records.languages import ENGLISH

LOCAL_TEXT_COLUMNS: Final = frozenset({"meanings", "names", "descriptions"})
"""The columns with texts in several languages; states and requests use the same names as keys."""

StoredTexts = tuple[tuple[int, str], ...]
"""Texts as stored: pairs of language ID and text."""


class LocalText(msgspec.Struct, frozen=True):
    """A text in one language."""

    language_id: int
    text: str


_DECODER: Final = msgspec.json.Decoder(StoredTexts)


def encode_texts(texts: StoredTexts) -> str | None:
    """Encode texts for a column; return None without texts."""
    return msgspec.json.encode(texts).decode() if texts else None


def decode_texts(stored: str | None) -> StoredTexts:
    """Decode the texts of a column."""
    return _DECODER.decode(stored) if stored else ()


def merge_texts(first: str | None, second: str | None) -> str | None:
    """Merge the stored texts of two columns. If both have a text in the same language, the first one wins."""
    texts = dict(decode_texts(first))
    return encode_texts((*texts.items(), *((each, text) for each, text in decode_texts(second) if each not in texts)))


def build_local_texts(english: str | None, stored: str | None) -> tuple[LocalText, ...]:
    """Return the English text and those of the column with other languages for a response, English first."""
    first = (LocalText(ENGLISH, english),) if english else ()
    return (*first, *(LocalText(*each) for each in decode_texts(stored)))


def main_text(texts: Sequence[LocalText]) -> str | None:
    """Return the English text, else the first one, else None."""
    return find_text((), texts)


def find_text(language_ids: Iterable[int], texts: Sequence[LocalText]) -> str | None:
    """Return the text in the first of these languages that has one, else the English text, else the first text."""
    by_language: Mapping[int, str] = {each.language_id: each.text for each in texts}
    language_id = next((each for each in (*language_ids, ENGLISH) if each in by_language), None)
    return by_language[language_id] if language_id is not None else next((each.text for each in texts), None)


LANGUAGE_KEYS: Final = frozenset({"language", "language_id", "answer_language", "answer_language_id"})
"""The keys whose values refer to a language by its ID, as a number or a string, or by its code."""

TEXT_KEYS: Final = frozenset({"definitions", "examples"}) | LOCAL_TEXT_COLUMNS
"""The keys whose values are lists of texts. In a state, each text is a list that begins with its language ID."""


def iter_language_ids(value: Any, key: str = "") -> Iterator[int]:  # noqa: ANN401  # any JSON
    """Yield the language IDs in the JSON value of a key, also inside lists and objects."""
    if key in LANGUAGE_KEYS:
        if isinstance(value, int | str) and (number := parse_number(str(value).strip())) is not None:
            yield number
    elif isinstance(value, list):
        for item in value:
            is_text = key in TEXT_KEYS and isinstance(item, list)
            yield from iter_language_ids(item[0], "language") if is_text else iter_language_ids(item)
    elif isinstance(value, dict):
        for name, item in value.items():
            yield from iter_language_ids(item, name)
