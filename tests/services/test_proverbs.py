import pytest

from abhidhan.domain.languages import ASSAMESE
from abhidhan.services import proverbs
from abhidhan.storage.database import Database


def containing(database: Database, word: str) -> list[str]:
    def read(reader: object) -> list[str]:
        found = proverbs.find_containing(reader, word, reader.catalogue.language(ASSAMESE), 5)  # type: ignore[arg-type, attr-defined]
        return [phrase.text for phrase in found]

    return database.read_now(read)


@pytest.mark.parametrize(
    ("word", "beginning"), [("হাতী", "শুঁৰ আছে"), ("মন", "আপোনাৰ মন"), ("ভাতৰ", "ভাতৰ তিতা"), ("নিগনি", "এটা নিগনিৰ")]
)
def test_a_word_finds_the_proverbs_in_which_it_stands(shared_dictionary: Database, word: str, beginning: str) -> None:
    assert any(text.startswith(beginning) for text in containing(shared_dictionary, word))


@pytest.mark.parametrize("word", ["", "ক", "water", "নাইকিয়াশব্দ"])
def test_other_words_find_none(shared_dictionary: Database, word: str) -> None:
    assert containing(shared_dictionary, word) == []


def test_proverbs_are_leafed_through_without_a_gap(shared_dictionary: Database) -> None:
    whole = shared_dictionary.read_now(lambda reader: proverbs.leaf_through(reader, ASSAMESE, 0, "", 100))
    start: str | None = ""
    texts = []
    while start is not None:
        page = shared_dictionary.read_now(
            lambda reader, start=start: proverbs.leaf_through(reader, ASSAMESE, 0, start, 3)  # type: ignore[misc]
        )
        texts += [phrase.text for phrase, _ in page.proverbs]
        start = page.next

    assert texts == [phrase.text for phrase, _ in whole.proverbs]
    assert len(texts) == 10


def test_shelves_count_by_category(shared_dictionary: Database) -> None:
    shelves = shared_dictionary.read_now(proverbs.list_shelves)

    counted = {shelf.category.value: shelf.count for shelf in shelves if shelf.category}
    assert counted == {"Fokora (ফকৰা)": 8, "Dakor bosona (ডাকৰ বচন)": 1, "Xathor (সাঁথৰ)": 1}
