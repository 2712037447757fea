"""Flashcards: sets of clues and answers."""

import msgspec


class CardSet(msgspec.Struct, frozen=True):
    """A set of flashcards: the language of its clues, that of its answers, and how many cards it holds."""

    id: int
    name: str
    language_id: int
    answer_language_id: int
    cards: int
    description: str | None


class Card(msgspec.Struct, frozen=True):
    """A flashcard: `clue_pRoman` is a name of the API (docs/api.md), `picture` an emoji or a photo's address."""

    id: int
    clue: str
    clue_roman: str | None = msgspec.field(name="clue_pRoman")
    answer: str
    idea_id: int | None
    picture: str | None

    @property
    def asks_for_picture(self) -> bool:
        """Whether the question is what the picture shows: its clue has no letters. Else a picture tells the answer."""
        return not any(character.isalpha() for character in self.clue)
