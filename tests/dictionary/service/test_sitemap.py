from functools import partial

import pytest

from abhidhan.dictionary.service import browse
from abhidhan.platform.database.database import Database
from abhidhan.records.errors import NotFoundError


def test_the_files_together_list_every_word(shared_dictionary: Database) -> None:
    count = shared_dictionary.read_now(browse.count_sitemap_files)
    words = {text for text, _ in shared_dictionary.read_now(partial(browse.list_sitemap_words, number=1))}

    assert count == 1
    assert {"পানী", "water"} <= words
    for number in (0, 2, -1):
        with pytest.raises(NotFoundError):
            shared_dictionary.read_now(partial(browse.list_sitemap_words, number=number))


def test_an_empty_dictionary_has_no_file(database: Database) -> None:
    assert database.read_now(browse.count_sitemap_files) == 0
