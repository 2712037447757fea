import pytest

from abhidhan.dictionary.model.cards import Card, CardSet
from abhidhan.dictionary.service.cards import list_card_sets, list_cards, list_sets_by_topic, load_cards_with_sets
from abhidhan.platform.database.database import Database
from abhidhan.records.errors import NotFoundError
from abhidhan.records.languages import ASSAMESE, ENGLISH
from abhidhan.records.local_texts import LocalText
from assamese.romanize import romanize


def in_english(text: str | None) -> tuple[LocalText, ...]:
    return (LocalText(ENGLISH, text),) if text else ()


def read_cards(dictionary: Database, set_id: int) -> tuple[Card, ...]:
    return dictionary.read_now(lambda reader: list_cards(reader, set_id))


def test_sets_are_listed_with_the_number_of_their_cards(shared_dictionary: Database) -> None:
    assert shared_dictionary.read_now(list_card_sets) == tuple(
        CardSet(number, name, ASSAMESE, ENGLISH, count, description, in_english(name), in_english(description))
        for number, name, count, description in ((1, "Animals", 4, "Animals of Assam"), (2, "Colours", 3, None))
    )


def test_a_clue_has_the_romanization_of_the_editors_or_one_made_by_rule(shared_dictionary: Database) -> None:
    cards = read_cards(shared_dictionary, 1)

    assert [card.clue_roman for card in cards] == ["ha.ti", romanize("মাছ"), romanize("ম’হ"), "so.rai"]
    assert [card.roman_generated for card in cards] == [True, True, True, False]


def test_a_card_has_its_idea_and_picture(shared_dictionary: Database) -> None:
    *_, red = read_cards(shared_dictionary, 2)
    elephant, *_ = read_cards(shared_dictionary, 1)

    assert (red.answer, red.idea_id, red.picture) == ("red", None, None)
    assert elephant.idea_id is not None
    assert elephant.picture == "🐘"


def test_a_set_with_most_cards_in_one_context_has_that_topic(shared_dictionary: Database) -> None:
    groups = shared_dictionary.read_now(list_sets_by_topic)

    # Two of the three colours are ideas, in the context of colours.
    assert [each.name for each in groups.by_topic] == ["Animals", "Colours"]
    assert groups.others == ()


def test_cards_are_found_by_their_ids_with_their_sets(shared_dictionary: Database) -> None:
    *_, red = read_cards(shared_dictionary, 2)
    elephant, *_ = read_cards(shared_dictionary, 1)

    pairs = shared_dictionary.read_now(lambda reader: load_cards_with_sets(reader, [red.id, 2**31 - 1, elephant.id]))

    assert [(card, card_set.name) for card, card_set in pairs] == [(red, "Colours"), (elephant, "Animals")]


def test_an_unknown_set_is_not_found(shared_dictionary: Database) -> None:
    for set_id in [0, -1, 3, 2**31, 10**30]:
        with pytest.raises(NotFoundError, match=str(set_id)):
            read_cards(shared_dictionary, set_id)
