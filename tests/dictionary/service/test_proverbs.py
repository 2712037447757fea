import pytest
from sqlalchemy import Connection, insert

from abhidhan.dictionary.service import proverbs
from abhidhan.platform.database.database import Database
from abhidhan.records.languages import ASSAMESE
from abhidhan.schema import phrase
from assamese.collation import sort_key
from assamese.search_keys import MAX_SORT_KEY_BYTES, compute_phrase_keys


def find_texts(database: Database, word: str) -> list[str]:
    def read(reader: object) -> list[str]:
        phrases = proverbs.find_containing(reader, word, reader.catalogue.language(ASSAMESE), 5)  # type: ignore[arg-type, attr-defined]
        return [phrase.text for phrase in phrases]

    return database.read_now(read)


def test_a_word_finds_the_proverbs_that_contain_it(shared_dictionary: Database) -> None:
    for word, beginning in (
        ("হাতী", "শুঁৰ আছে"),
        ("মন", "আপোনাৰ মন"),
        ("ভাতৰ", "ভাতৰ তিতা"),
        ("নিগনি", "এটা নিগনিৰ"),
        ("নি গনি", "এটা নিগনিৰ"),
    ):
        assert any(text.startswith(beginning) for text in find_texts(shared_dictionary, word)), word
    for word in ("", "ক", "water", "নাইকিয়াশব্দ"):
        assert find_texts(shared_dictionary, word) == [], word


def test_proverbs_are_paged_through_without_a_gap(shared_dictionary: Database) -> None:
    whole = shared_dictionary.read_now(lambda reader: proverbs.list_proverb_page(reader, ASSAMESE, 0, "", 100))
    start: str | None = ""
    texts = []
    while start is not None:
        page = shared_dictionary.read_now(
            lambda reader, start=start: proverbs.list_proverb_page(reader, ASSAMESE, 0, start, 3)  # type: ignore[misc]
        )
        texts += [phrase.text for phrase, _ in page.items]
        start = page.next

    assert texts == [phrase.text for phrase, _ in whole.items]
    assert len(texts) == 10
    assert texts == sorted(texts, key=lambda text: (sort_key(text, "as"), text))


@pytest.mark.spoils
def test_proverbs_are_sorted_by_the_alphabet_of_their_language(dictionary: Database) -> None:
    def write(connection: Connection) -> None:
        for text in ("ক্ষমা মহৎ", "হাতীৰ দাঁত", "কথাৰ কথা", "ঁকাৰ"):
            keys = compute_phrase_keys(text, "as")
            connection.execute(
                insert(phrase).values(
                    language_id=ASSAMESE,
                    text=text,
                    exact_key=keys.exact_key,
                    sound_key=keys.sound_key,
                    sort_key=keys.sort_key,
                    added=0,
                )
            )

    dictionary.write_now(write)
    page = dictionary.read_now(lambda reader: proverbs.list_proverb_page(reader, ASSAMESE, 0, "ক", 100))

    texts = [each.text for each, _ in page.items]
    assert [text for text in texts if text.startswith(("ক্ষমা", "হাতীৰ দাঁত", "কথাৰ"))] == [
        "কথাৰ কথা",
        "হাতীৰ দাঁত",
        "ক্ষমা মহৎ",
    ]


def test_a_very_long_proverb_has_a_key_that_fits_an_index(dictionary: Database) -> None:
    assert len(compute_phrase_keys("ক" * 10_000, "as").sort_key) == MAX_SORT_KEY_BYTES
    assert (
        dictionary.read_now(lambda reader: proverbs.list_proverb_page(reader, ASSAMESE, 0, "ক্ষ" * 500, 3)).items == []
    )


def test_proverbs_are_counted_by_category(shared_dictionary: Database) -> None:
    shelves = shared_dictionary.read_now(proverbs.count_by_category)

    counted = {shelf.category.value: shelf.count for shelf in shelves if shelf.category}
    assert counted == {"Fokora (ফকৰা)": 8, "Dakor bosona (ডাকৰ বচন)": 1, "Xathor (সাঁথৰ)": 1}
