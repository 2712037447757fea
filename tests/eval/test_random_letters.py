"""Letters at random are no words: a guess needs a close reading."""

import string
from random import Random

import pytest

from abhidhan.dictionary.model.cascade import Match, QueryWord
from abhidhan.dictionary.service.lookup import look_up
from abhidhan.platform.database.database import Database

pytestmark = pytest.mark.no_cover

SEED = 20_261_128
MOST = 0.02
"""At most this share of random texts may find an entry: a few are words, or a letter from one, by chance."""

CONSONANTS = "কখগঘঙচছজঝঞটঠডঢণতথদধনপফবভমযৰলৱশষসহ"
VOWEL_SIGNS = ("", "া", "ি", "ী", "ু", "ূ", "ে", "ৈ", "ো", "ৌ")


def roman_letters(lot: Random) -> str:
    return "".join(lot.choices(string.ascii_lowercase, k=lot.randint(4, 10)))


def assamese_syllables(lot: Random) -> str:
    return "".join(lot.choice(CONSONANTS) + lot.choice(VOWEL_SIGNS) for _ in range(lot.randint(3, 4)))


def test_random_letters_find_no_entry(whole_dictionary: Database) -> None:
    for make_text, count in ((roman_letters, 200), (assamese_syllables, 150)):
        lot = Random(SEED)  # noqa: S311  # the same texts every time, for no secret
        texts = [make_text(lot) for _ in range(count)]

        with_entries = [text for text in texts if look_up_one(whole_dictionary, text).entries]

        assert len(with_entries) <= MOST * count, with_entries


def look_up_one(dictionary: Database, text: str) -> QueryWord:
    (item,) = dictionary.read_now(lambda reader: look_up(reader, text))
    return item


def test_a_text_that_sounds_like_no_word_has_no_entry(whole_dictionary: Database) -> None:
    for text in ("xyzzyq", "hwzzcc", "mgilth", "qcpcum", "ঞুকপো", "ণৌথৈবী"):
        item = look_up_one(whole_dictionary, text)

        assert (item.match, list(item.entries)) == (Match.NONE, []), text
        assert len(item.suggestions) <= 5


TYPED_WORDS = {
    "xobdo": "শব্দ",
    "lura": "ল’ৰা",
    "tur": "তই",
    "goise": "যোৱা",
    "ase": "থকা",
    "nakhai": "খোৱা",
    "kitapkhonor": "কিতাপ",
    "watter": "water",
    "শবদ": "শব্দ",
    "মানুহবুৰৰ": "মানুহ",
    "স্ৱাধীনতাৰ": "স্বাধীনতা",
    "নগৰড়": "নগৰ",
    "ডেহত": "দেহ",
    "কৰিলু": "কৰা",
    "গইছে": "যোৱা",
    "যাউ": "যোৱা",
    "মানহবোৰ": "মানুহ",
    "কৰিসে": "কৰা",
    "আহিবলই": "অহা",
    "শিখ্যা": "শিক্ষা",
}


def test_usual_misspellings_and_romanizations_find_the_word(whole_dictionary: Database) -> None:
    for text, word in TYPED_WORDS.items():
        assert [entry.word for entry in look_up_one(whole_dictionary, text).entries][:1] == [word], text


def test_a_distant_guess_is_one_of_the_first_two_suggestions(whole_dictionary: Database) -> None:
    for text, word in (("hukl", "শুক্ল"), ("দখু", "দুখ"), ("স্তপাহ", "সপ্তাহ")):
        item = look_up_one(whole_dictionary, text)

        assert item.match is Match.NONE, text
        assert word in [each.word for each in item.suggestions[:2]]
