"""The kinds of records, as sentences name them."""

from collections.abc import Mapping
from typing import Final

from abhidhan.records.errors import Sentence, sentence

CALLED: Final[Mapping[str, Sentence]] = {
    "idea": sentence("idea"),
    "word": sentence("word"),
    "sense": sentence("meaning of a word"),
    "phrase": sentence("proverb"),
    "card": sentence("flashcard"),
    "card_set": sentence("set of flashcards"),
    "list_item": sentence("value of a list"),
    "relation": sentence("relation"),
    "photo": sentence("photo"),
    "recording": sentence("recording"),
    "submission": sentence("submission"),
    "confirmation": sentence("confirmation"),
}
"""What each kind is called within a sentence."""
