from functools import partial

import pytest

from abhidhan.platform.database.database import Database
from tests.support.cascade import find_disagreements, list_headwords, misspell

TYPED = (
    "jam", "koribo", "khai", "mon", "pani", "xobdo", "oxomiya", "bhal", "manuh", "nodi", "PANI", "watre", "eleph",
    "elepjant", "নদি", "পাণি", "হঠাত", "অসমী", "যাম", "নাযাওঁ", "খাওঁ", "মানুহবোৰৰ", "went", "goes", "coal", "hotwater",
    "Water!", "water.", "“পানী”", "পানী।", "(পানী)", "qqqqzzzz", "ক", "j", "na", "চাহপানী",
    "ৰাজ্যভাষাত", "শব্দহীন", "ক্ষমাশীল", "राज्यभाषा", "চাহ-মাছ-পানী", "মনভাত", "ভাত-চাত",
)  # fmt: skip
"""What people type: Roman letters, forms, slips, beginnings, punctuation around a word, nonsense, compounds."""


@pytest.mark.no_cover
def test_a_lookup_and_a_search_agree_on_the_match_of_every_word(shared_dictionary: Database) -> None:
    words = shared_dictionary.read_now(list_headwords)
    queries = [*TYPED, *words, *(typed for word in words for typed in misspell(word))]

    assert shared_dictionary.read_now(partial(find_disagreements, queries=queries)) == []
