"""How much the dictionary holds."""

import msgspec

from abhidhan.dictionary.store import totals
from abhidhan.platform.database.reader import Reader


class Statistics(msgspec.Struct, frozen=True):
    """The numbers of the records of each kind."""

    ideas: int
    words: int
    senses: int
    definitions: int
    examples: int
    relations: int
    phrases: int
    card_sets: int
    cards: int
    sources: int

    def by_name(self) -> dict[str, int]:
        """Name the numbers as people call them."""
        names = {"senses": "Meanings of words", "phrases": "Proverbs and idioms", "card_sets": "Sets of flashcards"}
        return {names.get(field, field.capitalize()): value for field, value in msgspec.structs.asdict(self).items()}


def count(reader: Reader) -> Statistics:
    """Count the records."""
    return Statistics(**totals.count_records(reader))
