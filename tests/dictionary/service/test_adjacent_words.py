from functools import partial

from abhidhan.dictionary.service.browse import AlphabetRange, find_adjacent_words, list_alphabetically
from abhidhan.platform.database.database import Database
from abhidhan.records.languages import ASSAMESE, ENGLISH


def test_adjacent_words_are_those_of_the_alphabetical_list(shared_dictionary: Database) -> None:
    listed = shared_dictionary.read_now(
        lambda reader: list_alphabetically(reader, AlphabetRange("", language_id=2), 1000)
    )
    spellings = [word.word for word in listed.items]
    place = spellings.index("পানী")

    adjacent = shared_dictionary.read_now(lambda reader: find_adjacent_words(reader, ASSAMESE, "পানী", 2))

    assert list(adjacent.before) == spellings[place - 2 : place]
    assert list(adjacent.after) == spellings[place + 1 : place + 3]


def test_any_text_has_adjacent_words(shared_dictionary: Database) -> None:
    for text in ("", "zzzz", "😀"):
        adjacent = shared_dictionary.read_now(partial(find_adjacent_words, language_id=ENGLISH, text=text, limit=3))

        assert adjacent.before or adjacent.after, text
