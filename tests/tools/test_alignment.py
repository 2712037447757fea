from tools.transliteration.alignment import align, closeness, is_roman_chunk, learn_units
from tools.transliteration.corpus import RomanSpelling

WORDS = {
    "ghor": "ঘৰ", "mor": "মৰ", "kor": "কৰ", "ghat": "ঘাট", "mati": "মাটি", "rati": "ৰাটি", "kha": "খা",
    "khar": "খাৰ", "gor": "গৰ", "tar": "টাৰ", "rag": "ৰাগ", "morom": "মৰম", "korom": "কৰম", "nogor": "নগৰ",
    "tora": "টৰা", "gora": "গৰা", "khora": "খৰা",
}  # fmt: skip
SPELLINGS = [RomanSpelling(roman, native) for roman, native in WORDS.items()]


def test_letters_that_belong_together_stay_together() -> None:
    units = align(RomanSpelling("ghor", "ঘৰ"), learn_units(SPELLINGS))
    assert units == (("gh", "ঘ"), ("o", ""), ("r", "ৰ"))


def test_a_pair_that_the_units_cannot_make_up_has_no_alignment() -> None:
    assert align(RomanSpelling("q", "ঘৰ"), learn_units(SPELLINGS)) == ()


def test_usual_units_are_closer_than_rare_ones() -> None:
    weights = learn_units(SPELLINGS)
    usual, rare = (align(RomanSpelling(*pair), weights) for pair in (("mor", "মৰ"), ("khag", "খাগ")))
    assert closeness(usual, weights) > closeness(rare, weights)


def test_a_vowel_and_a_consonant_are_no_chunk() -> None:
    assert is_roman_chunk("kh")
    assert is_roman_chunk("ee")
    assert not is_roman_chunk("ka")
