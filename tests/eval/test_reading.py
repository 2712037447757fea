"""What a reading of the starter dictionary's answers found wrong: each as it was found, and others of its kind."""

from collections.abc import Iterator

import pytest

from abhidhan.dictionary.model.cascade import Match, QueryWord
from abhidhan.dictionary.service.lookup import look_up
from abhidhan.platform.database.database import Database
from abhidhan.records.languages import ASSAMESE, HINDI
from assamese.inflection import belongs_to_other_verb
from assamese.keys import loose_key
from assamese.romanize import Scheme, romanize
from tools.evaluate import open_small_starter

pytestmark = pytest.mark.no_cover


@pytest.fixture(scope="module")
def dictionary() -> Iterator[Database]:
    with open_small_starter() as database:
        yield database


def found(dictionary: Database, query: str) -> tuple[QueryWord, ...]:
    return dictionary.read_now(lambda reader: look_up(reader, query))


def entries(dictionary: Database, query: str) -> list[str]:
    return [word.word for item in found(dictionary, query) for word in item.entries]


@pytest.mark.parametrize(
    ("typed", "pronoun"),
    [
        ("tumar", "তুমি"),
        ("tomar", "তুমি"),
        ("apunak", "আপুনি"),
        ("mok", "মই"),
        ("amar", "আমি"),
        ("mor", "মই"),
        ("moloi", "মই"),
        ("amaloi", "আমি"),
        ("amak", "আমি"),
        ("tomak", "তুমি"),
        ("tomaloi", "তুমি"),
        ("tomalokor", "তুমি"),
        ("apunar", "আপুনি"),
        ("aponaloi", "আপুনি"),
        ("apunalokok", "আপুনি"),
        ("tor", "তই"),
        ("tohotor", "তই"),
        ("tar", "সি"),
        ("kak", "কোন"),
        ("nijor", "নিজে"),
        ("তুমাৰ", "তুমি"),
        ("মোতকৈ", "মই"),
        ("আপোনাতকৈ", "আপুনি"),
    ],
)
def test_a_form_of_a_pronoun_leads_to_it(dictionary: Database, typed: str, pronoun: str) -> None:
    assert entries(dictionary, typed)[:1] == [pronoun]


@pytest.mark.parametrize(
    ("typed", "word"), [("mur", "মূৰ"), ("tamul", "তামোল"), ("mon", "মন"), ("kan", "কাণ"), ("nak", "নাক"), ("am", "আম")]
)
def test_a_pronoun_stands_before_no_word_that_is_typed_so(dictionary: Database, typed: str, word: str) -> None:
    assert word in entries(dictionary, typed)[:1]


@pytest.mark.parametrize(
    ("form", "word"), [("তেওঁলোকৰ", "তেওঁলোক"), ("তেখেতৰ", "তেখেত"), ("সিহঁতৰ", "সিহঁত"), ("তেওঁক", "তেওঁ")]
)
def test_a_form_leads_to_the_pronoun_that_it_is_of(dictionary: Database, form: str, word: str) -> None:
    assert entries(dictionary, form) == [word]


@pytest.mark.parametrize(
    ("query", "never"),
    [
        ("দয়ালু", "ডাল"),
        ("gogoi", "যোৱা"),
        ("পাৰে", "পৰা"),
        ("নোৱাৰে", "পৰা"),
    ],
)
def test_a_word_that_is_not_there_is_not_taken_for_a_form_of_another(
    dictionary: Database, query: str, never: str
) -> None:
    assert never not in entries(dictionary, query)


@pytest.mark.parametrize(
    ("query", "verb"), [("পৰিব", "পৰা"), ("goise", "যোৱা"), ("lole", "লোৱা"), ("জানিব", "জনা"), ("বিচাৰিব", "বিচৰা")]
)
def test_forms_of_verbs_still_lead_to_them(dictionary: Database, query: str, verb: str) -> None:
    assert verb in entries(dictionary, query)


@pytest.mark.parametrize(("query", "hindi"), [("to eat", "तू"), ("daddy", "दादी")])
def test_an_english_word_is_not_taken_for_a_hindi_one(dictionary: Database, query: str, hindi: str) -> None:
    items = found(dictionary, query)
    suggested = [each.word for item in items for each in item.suggestions]

    assert hindi not in [*entries(dictionary, query), *suggested]


@pytest.mark.parametrize(
    ("typed", "word"), [("paani", "पानी"), ("namaste", "नमस्ते"), ("kamal", "कमल"), ("kitaab", "किताब")]
)
def test_a_hindi_word_is_found_by_the_letters_that_people_type(dictionary: Database, typed: str, word: str) -> None:
    offered = [each.word for item in found(dictionary, typed) for each in item.suggestions]
    there = [hit.word for hit in dictionary.read_now(lambda reader: look_up(reader, word, HINDI))[0].entries]

    assert not there or word in [*entries(dictionary, typed), *offered]


@pytest.mark.parametrize(
    ("written", "word"), [("pānī", "পানী"), ("śabda", "শব্দ"), ("oxomīyā", "অসমীয়া"), ("mānuh", "মানুহ"), ("xɔbdɔ", "শব্দ")]
)
def test_a_word_written_with_marks_is_found(dictionary: Database, written: str, word: str) -> None:
    assert entries(dictionary, written)[:1] == [word]


SCHEMES = {Scheme.ISO15919: 0.9, Scheme.ALALC: 0.9, Scheme.IPA: 0.85, Scheme.XOBDO: 0.9}
"""Of so many common words at least the first answer is the word itself, when they are written by a scheme."""

COMMON = (
    "পানী", "মানুহ", "ঘৰ", "হাত", "চকু", "মূৰ", "গছ", "ফুল", "ফল", "মাছ", "চৰাই", "কুকুৰ", "মেকুৰী", "গৰু", "হাতী",
    "বাঘ", "নদী", "আকাশ", "সূৰ্য", "চন্দ্ৰ", "তৰা", "মাটি", "শিল", "জুই", "বতাহ", "বৰষুণ", "কিতাপ", "কলম", "ভাষা", "শব্দ",
    "অসম", "অসমীয়া", "ভাত", "দাইল", "লোণ", "চেনি", "গাখীৰ", "মাংস", "কণী", "ল’ৰা", "ছোৱালী", "মা", "দেউতা", "ভাই", "ভনী",
    "বন্ধু", "শিক্ষক", "বিদ্যালয়", "দিন", "ৰাতি",
)  # fmt: skip


@pytest.mark.parametrize("scheme", SCHEMES)
def test_common_words_are_found_in_every_scheme(dictionary: Database, scheme: Scheme) -> None:
    there = [word for word in COMMON if word in entries(dictionary, word)]
    missed = [(word, romanize(word, scheme)) for word in there if word not in _first(dictionary, word, scheme)]

    assert len(there) >= 40
    assert len(missed) <= (1 - SCHEMES[scheme]) * len(there), missed


def _first(dictionary: Database, word: str, scheme: Scheme) -> list[str]:
    items = dictionary.read_now(lambda reader: look_up(reader, romanize(word, scheme), ASSAMESE))
    return [hit.word for item in items for hit in item.entries[:1]]


@pytest.mark.parametrize(("bengali", "assamese"), [("পানি", "পানী"), ("জীবন", "জীৱন")])
def test_a_word_of_another_language_hides_no_assamese_one(dictionary: Database, bengali: str, assamese: str) -> None:
    (item,) = found(dictionary, bengali)

    assert item.match is Match.EXACT
    assert assamese in [each.word for each in item.suggestions]


def test_a_word_that_is_assamese_too_suggests_no_other(dictionary: Database) -> None:
    (item,) = found(dictionary, "কলা")

    assert item.suggestions == ()


@pytest.mark.parametrize(
    ("form", "verb", "known", "another"),
    [
        ("পাৰিব", "পৰা", ("পৰে", "পৰিল"), True),
        ("পৰিব", "পৰা", ("পৰে", "পৰিল"), False),
        ("পাৰিব", "পৰা", ("পাৰে", "পৰে"), False),
        ("পাৰিব", "পৰা", (), False),
        ("নোৱাৰিব", "পৰা", ("পৰে",), True),
        ("জানিব", "জনা", ("জানে",), False),
        ("মাৰিলে", "মৰা", ("মৰে", "মৰিল"), True),
    ],
)
def test_the_known_forms_of_a_verb_tell_its_stem(
    form: str, verb: str, known: tuple[str, ...], *, another: bool
) -> None:
    keys = [loose_key(each, "as") for each in known]

    assert belongs_to_other_verb(loose_key(form, "as"), loose_key(verb, "as"), keys) is another
