"""Flashcards: which sets there are, and the cards of one."""

from abhidhan.dictionary.model.cards import Card, CardSet
from abhidhan.dictionary.store import cards
from abhidhan.platform.database.reader import Reader
from abhidhan.records.errors import NotFoundError, sentence
from abhidhan.records.ids import is_id
from abhidhan.records.languages import ASSAMESE
from assamese.romanize import romanize


def card_sets(reader: Reader) -> tuple[CardSet, ...]:
    """List the sets of flashcards by ID."""
    return cards.card_sets(reader)


def cards_of(reader: Reader, set_id: int) -> tuple[Card, ...]:
    """Read the cards of a set in their order. Raises NotFoundError.

    An Assamese clue that editors gave no romanization has the one made by rule.
    """
    language_id = cards.language_of_set(reader, set_id) if is_id(set_id) else None
    if language_id is None:
        raise NotFoundError(sentence("There is no set of flashcards with the ID %(set_id)s.", set_id=set_id))
    by_rule = language_id == ASSAMESE
    return tuple(
        Card(
            id=row.id,
            clue=row.clue,
            clue_roman=row.roman or (romanize(row.clue) if by_rule else None),
            roman_generated=row.roman is None and by_rule,
            answer=row.answer,
            idea_id=row.idea_id,
            picture=row.picture,
        )
        for row in cards.cards(reader, set_id)
    )
