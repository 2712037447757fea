import pytest

from abhidhan.dictionary.service import browse
from abhidhan.platform.database.database import Database
from abhidhan.records.errors import NotFoundError


def test_the_files_together_list_every_word(shared_dictionary: Database) -> None:
    count = shared_dictionary.read_now(browse.count_sitemap_files)
    words = [
        text
        for number in range(1, count + 1)
        for text, _ in shared_dictionary.read_now(lambda reader, n=number: browse.list_sitemap_words(reader, n))  # type: ignore[misc]
    ]

    assert count == 1
    assert {"পানী", "water"} <= set(words)


def test_an_empty_dictionary_has_no_file(database: Database) -> None:
    assert database.read_now(browse.count_sitemap_files) == 0


@pytest.mark.parametrize("number", [0, 2, -1])
def test_a_file_that_is_not_there_is_not_found(shared_dictionary: Database, number: int) -> None:
    with pytest.raises(NotFoundError):
        shared_dictionary.read_now(lambda reader: browse.list_sitemap_words(reader, number))
