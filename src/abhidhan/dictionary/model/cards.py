"""Flashcards: sets of clues and answers."""

import msgspec

from abhidhan.records.local_texts import LocalText


class CardSet(msgspec.Struct, frozen=True):
    """A set of flashcards: the language of its clues, that of its answers, and how many cards it holds.

    `name` and `description` are in English, `names` and `descriptions` in all languages that have some.
    """

    id: int
    name: str
    language_id: int
    answer_language_id: int
    cards: int
    description: str | None
    names: tuple[LocalText, ...]
    descriptions: tuple[LocalText, ...]


class Card(msgspec.Struct, frozen=True):
    """A flashcard: `clue_pRoman` is a name of the API (docs/api.md), `picture` an emoji or a photo's address.

    `roman_generated` says that the romanization is made by rule.
    """

    id: int
    clue: str
    clue_roman: str | None = msgspec.field(name="clue_pRoman")
    roman_generated: bool
    answer: str
    idea_id: int | None
    picture: str | None

    @property
    def asks_for_picture(self) -> bool:
        """Whether the question is what the picture shows: its clue has no letters. Else a picture tells the answer."""
        return not any(character.isalpha() for character in self.clue)
