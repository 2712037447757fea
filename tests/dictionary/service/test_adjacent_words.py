import pytest

from abhidhan.dictionary.service.browse import AlphabetRange, find_adjacent_words, list_alphabetically
from abhidhan.platform.database.database import Database
from abhidhan.records.languages import ASSAMESE, ENGLISH


def test_neighbours_are_those_of_the_alphabetical_list(shared_dictionary: Database) -> None:
    listed = shared_dictionary.read_now(
        lambda reader: list_alphabetically(reader, AlphabetRange("", language_id=2), 1000)
    )
    spellings = [word.word for word in listed.items]
    place = spellings.index("পানী")

    found = shared_dictionary.read_now(lambda reader: find_adjacent_words(reader, ASSAMESE, "পানী", 2))

    assert list(found.before) == spellings[place - 2 : place]
    assert list(found.after) == spellings[place + 1 : place + 3]


@pytest.mark.parametrize("text", ["", "zzzz", "😀"])
def test_any_text_has_a_place(shared_dictionary: Database, text: str) -> None:
    found = shared_dictionary.read_now(lambda reader: find_adjacent_words(reader, ENGLISH, text, 3))

    assert found.before or found.after
