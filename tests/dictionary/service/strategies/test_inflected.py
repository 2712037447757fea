from functools import partial

from abhidhan.dictionary.service.strategies.batch import LookupBatch
from abhidhan.dictionary.service.strategies.inflected import find_forms_by_rule, find_forms_by_sound
from abhidhan.platform.database.database import Database
from abhidhan.records.languages import BENGALI


def words_of(dictionary: Database, text: str, language_id: int = 0) -> list[str]:
    hits = dictionary.read_now(lambda reader: find_forms_by_rule(reader, LookupBatch([text], language_id)))
    return [hit.text for hit in hits.get(text, [])]


def test_the_word_of_a_form_is_found_by_rule(shared_dictionary: Database) -> None:
    for form, word in [("পানীখিনি", "পানী"), ("শব্দবোৰৰ", "শব্দ"), ("খাইছিলোঁ", "খোৱা"), ("নাখাব", "খোৱা"), ("waters", "water")]:
        assert words_of(shared_dictionary, form) == [word], form
    # The form of a verb is not a form of a noun.
    assert words_of(shared_dictionary, "পানীছিলোঁ") == []
    assert words_of(shared_dictionary, "পানীখিনি", BENGALI) == []


def test_the_word_of_a_form_is_found_by_sound(shared_dictionary: Database) -> None:
    for typed, word in (("panikhini", "পানী"), ("xobdobur", "শব্দ"), ("পানিখিনি", "পানী")):
        hits = shared_dictionary.read_now(partial(find_forms_by_sound, batch=LookupBatch([typed])))

        assert hits[typed][0].text == word
