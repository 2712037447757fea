"""Texts in several languages, one in each: the English one stands in a column of its own, the others as JSON."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec

from abhidhan.records.languages import ENGLISH

COLUMNS: Final = frozenset({"meanings", "names", "descriptions"})
"""The columns of such JSON, which are also the keys of these texts in states and in what people send."""

Texts = tuple[tuple[int, str], ...]
"""Texts as (ID of the language, text)."""


class LocalText(msgspec.Struct, frozen=True):
    """A text in one language."""

    language_id: int
    text: str


_DECODER: Final = msgspec.json.Decoder(Texts)


def encode_texts(texts: Texts) -> str | None:
    """Write texts as a column holds them; None for no text."""
    return msgspec.json.encode(texts).decode() if texts else None


def decode_texts(stored: str | None) -> Texts:
    """Read the texts of a column."""
    return _DECODER.decode(stored) if stored else ()


def merge_texts(first: str | None, second: str | None) -> str | None:
    """Add to the texts of a column those of another one in languages that the first lacks."""
    known = dict(decode_texts(first))
    return encode_texts((*known.items(), *((each, text) for each, text in decode_texts(second) if each not in known)))


def local_texts(english: str | None, others: str | None) -> tuple[LocalText, ...]:
    """List the texts of two columns as answers show them, the English one first."""
    first = (LocalText(ENGLISH, english),) if english else ()
    return (*first, *(LocalText(*each) for each in decode_texts(others)))


def main_text(texts: Sequence[LocalText]) -> str | None:
    """Return the English text, or else the first one."""
    return text_in((), texts)


def text_in(language_ids: Iterable[int], texts: Sequence[LocalText]) -> str | None:
    """Return the text in the first of some languages that has one, or else the English one, or else the first."""
    by_language: Mapping[int, str] = {each.language_id: each.text for each in texts}
    chosen = next((each for each in (*language_ids, ENGLISH) if each in by_language), None)
    return by_language[chosen] if chosen is not None else next((each.text for each in texts), None)
