"""Known keys: which of many spellings are those of words, or of stored forms."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import CompoundSelect, select, union

from abhidhan.platform.database.compiled_queries import by_size, in_list, padded
from abhidhan.platform.database.key_queries import of_language
from abhidhan.platform.database.reader import Reader
from abhidhan.records.languages import ALL_LANGUAGES
from abhidhan.schema import word, word_form


def _known_keys(size: int) -> CompoundSelect[Any]:
    spelled = select(word.c.exact_key).where(in_list(word.c.exact_key, "key", size), of_language(word.c.language_id))
    return union(spelled, select(word_form.c.key).where(in_list(word_form.c.key, "key", size)))


_KNOWN_KEYS = by_size(_known_keys)


def known_keys(reader: Reader, exact_keys: Sequence[str], language_id: int = ALL_LANGUAGES) -> frozenset[str]:
    """Return which exact keys are those of words, or of stored forms of any language."""
    if not exact_keys:
        return frozenset()
    rows = reader.rows(_KNOWN_KEYS(len(exact_keys)), **padded("key", exact_keys), language_id=language_id)
    return frozenset(row[0] for row in rows)
