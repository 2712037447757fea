import pytest

from abhidhan.dictionary.service.strategies.batch import LookupBatch
from abhidhan.dictionary.service.strategies.inflected import find_forms_by_rule, find_forms_by_sound
from abhidhan.platform.database.database import Database


def words_of(dictionary: Database, text: str, language_id: int = 0) -> list[str]:
    hits = dictionary.read_now(lambda reader: find_forms_by_rule(reader, LookupBatch([text], language_id)))
    return [hit.text for hit in hits.get(text, [])]


@pytest.mark.parametrize(
    ("form", "word"),
    [("পানীখিনি", "পানী"), ("শব্দবোৰৰ", "শব্দ"), ("খাইছিলোঁ", "খোৱা"), ("নাখাব", "খোৱা"), ("waters", "water")],
)
def test_a_form_is_found_by_rule(shared_dictionary: Database, form: str, word: str) -> None:
    assert words_of(shared_dictionary, form) == [word]


def test_a_form_of_a_verb_never_leads_to_a_noun(shared_dictionary: Database) -> None:
    assert words_of(shared_dictionary, "পানীছিলোঁ") == []


def test_only_words_of_the_language_asked_for_are_found(shared_dictionary: Database) -> None:
    assert words_of(shared_dictionary, "পানীখিনি", 22) == []


@pytest.mark.parametrize("typed", ["panikhini", "xobdobur", "পানিখিনি"])
def test_a_form_is_found_by_its_sound(shared_dictionary: Database, typed: str) -> None:
    hits = shared_dictionary.read_now(lambda reader: find_forms_by_sound(reader, LookupBatch([typed])))

    assert hits[typed][0].text in {"পানী", "শব্দ"}
