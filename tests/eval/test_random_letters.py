"""Letters at random are no words: a guess needs a close reading."""

import string
from collections.abc import Callable
from random import Random

import pytest

from abhidhan.dictionary.model.cascade import Match
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


@pytest.mark.parametrize(("make", "count"), [(roman_letters, 200), (assamese_syllables, 150)])
def test_random_letters_find_no_entry(whole_dictionary: Database, make: Callable[[Random], str], count: int) -> None:
    lot = Random(SEED)  # noqa: S311  # the same texts every time, for no secret
    texts = [make(lot) for _ in range(count)]

    found = whole_dictionary.read_now(
        lambda reader: [text for text in texts if any(item.entries for item in look_up(reader, text))]
    )

    assert len(found) <= MOST * count, found


@pytest.mark.parametrize("text", ["xyzzyq", "hwzzcc", "mgilth", "qcpcum", "ঞুকপো", "ণৌথৈবী"])
def test_what_sounds_like_no_word_is_none(whole_dictionary: Database, text: str) -> None:
    (item,) = whole_dictionary.read_now(lambda reader: look_up(reader, text))

    assert (item.match, list(item.entries)) == (Match.NONE, [])
    assert len(item.suggestions) <= 5


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("xobdo", "শব্দ"),
        ("lura", "ল’ৰা"),
        ("tur", "তই"),
        ("goise", "যোৱা"),
        ("ase", "থকা"),
        ("nakhai", "খোৱা"),
        ("kitapkhonor", "কিতাপ"),
        ("watter", "water"),
        ("শবদ", "শব্দ"),
        ("মানুহবুৰৰ", "মানুহ"),
        ("স্ৱাধীনতাৰ", "স্বাধীনতা"),
        ("নগৰড়", "নগৰ"),
        ("ডেহত", "দেহ"),
        ("কৰিলু", "কৰা"),
        ("গইছে", "যোৱা"),
        ("যাউ", "যোৱা"),
        ("মানহবোৰ", "মানুহ"),
        ("কৰিসে", "কৰা"),
        ("আহিবলই", "অহা"),
        ("শিখ্যা", "শিক্ষা"),
    ],
)
def test_what_people_type_still_finds_the_word(whole_dictionary: Database, text: str, word: str) -> None:
    (item,) = whole_dictionary.read_now(lambda reader: look_up(reader, text))

    assert [entry.word for entry in item.entries][:1] == [word]


@pytest.mark.parametrize(("text", "word"), [("hukl", "শুক্ল"), ("দখু", "দুখ"), ("স্তপাহ", "সপ্তাহ")])
def test_a_distant_guess_is_one_of_the_first_two_offered(whole_dictionary: Database, text: str, word: str) -> None:
    (item,) = whole_dictionary.read_now(lambda reader: look_up(reader, text))

    assert item.match is Match.NONE
    assert word in [each.word for each in item.suggestions[:2]]
