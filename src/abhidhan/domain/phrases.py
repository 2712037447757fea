"""Phrases: proverbs and idioms (fokora-jojona), and how alike two of them are."""

import msgspec

from abhidhan.domain.lists import Named


class Phrase(msgspec.Struct, frozen=True):
    """A proverb or idiom as it is stored."""

    id: int
    language_id: int
    text: str
    roman: str | None
    meaning: str | None
    category_id: int | None


class SimilarPhrase(msgspec.Struct, frozen=True):
    """A phrase found for a query: `similarity` from 0 to 1, `exact` when the exact keys are the same."""

    id: int
    phrase: str
    roman: str | None
    language_id: int
    meaning: str | None
    category: Named | None
    similarity: float
    exact: bool
