"""Text is shaped as its readers write it; what no font has is never drawn as a box."""

import pytest
import uharfbuzz

from abhidhan.media.lines import Size, Text, set_in_lines
from abhidhan.media.shaping import FONTS, MISSING, Shaped, clusters, shape, typeface


def shaped(text: str, language: str = "as", *, is_rtl: bool = False) -> Shaped:
    found = shape(text, language, is_rtl=is_rtl)
    assert found is not None, text
    return found


def glyphs_of(text: str) -> list[int]:
    return [glyph.id for glyph in shaped(text).glyphs]


@pytest.mark.parametrize("conjunct", ["ক্ষ", "জ্ঞ", "ত্ৰ", "ঙ্ক"])
def test_a_conjunct_is_one_glyph_and_none_of_its_letters(conjunct: str) -> None:
    [whole] = glyphs_of(conjunct)

    assert whole not in {*glyphs_of(conjunct[0]), *glyphs_of(conjunct[2])}


@pytest.mark.parametrize("sign", ["ি", "ে", "ৈ"])
def test_a_vowel_sign_that_is_written_first_stands_first(sign: str) -> None:
    letter, first = glyphs_of("ক")[0], shaped("ক" + sign).glyphs[0]

    assert glyphs_of("ক" + sign)[1] == letter
    assert first.id != letter
    assert first.x < shaped("ক" + sign).glyphs[1].x


def test_a_vowel_sign_of_two_parts_stands_on_both_sides() -> None:
    parts = glyphs_of("কো")

    assert len(parts) == 3
    assert parts[1] == glyphs_of("ক")[0]
    assert parts[2] == glyphs_of("কা")[1]


def test_a_reph_is_written_above_the_letter_after_it() -> None:
    letter, reph = shaped("ৰ্ম").glyphs

    assert letter.id == glyphs_of("ম")[0]
    assert reph.id not in glyphs_of("ৰম")
    assert {letter.cluster, reph.cluster} == {0}


def test_ra_and_ya_below_a_letter_are_forms_of_their_own() -> None:
    for text in ("শ্ৰ", "ৰ্য্য", "ক্য"):
        assert len(glyphs_of(text)) < len(text)
        assert not {*glyphs_of("্")} & {*glyphs_of(text)}, text


def test_what_is_shaped_is_what_harfbuzz_makes_of_the_same_font() -> None:
    text = "অসমীয়া বিশ্বকোষৰ ক্ষুদ্ৰ প্ৰজ্ঞা"
    buffer = uharfbuzz.Buffer()
    buffer.add_str(text)
    buffer.guess_segment_properties()
    buffer.language = "as"
    uharfbuzz.shape(typeface("assamese").font, buffer)

    assert [info.codepoint for info in buffer.glyph_infos] == glyphs_of(text)
    assert shaped(text).width == pytest.approx(sum(each.x_advance for each in buffer.glyph_positions) / 1000)


@pytest.mark.parametrize(
    ("text", "language", "fonts"),
    [
        ("পানী (water)", "as", {"assamese", "latin"}),
        ("হ’ব", "as", {"assamese", "latin"}),
        ("क्षत्रिय", "hi", {"devanagari"}),
        ("ā ṃ ẽ ʔɔxɔmija m̐", "as-Latn", {"latin", "assamese"}),
        ("ꯃꯩꯇꯩꯂꯣꯟ", "mni", {"meetei-mayek"}),
        ("کتاب", "ur", {"arabic"}),
    ],
)
def test_each_letter_is_of_a_font_that_has_it_and_no_box_is_drawn(text: str, language: str, fonts: set[str]) -> None:
    glyphs = shaped(text, language).glyphs

    assert {glyph.typeface for glyph in glyphs} <= fonts
    assert MISSING not in {glyph.id for glyph in glyphs}


@pytest.mark.parametrize("text", ["水", "পানী 水", "𑜒𑜪", "water 🌊", "\ue000", "ཨ"])
def test_a_text_with_a_letter_that_no_font_has_is_not_shaped_at_all(text: str) -> None:
    assert shape(text, "as") is None


def test_every_letter_that_a_font_claims_is_drawn_alone() -> None:
    for name in FONTS:
        face = typeface(name)
        assert all(shape(chr(letter), "und") is not None for letter in face.letters), name


def test_letters_from_right_to_left_are_joined_and_numbers_in_them_are_not_turned_round() -> None:
    line = shaped("باب 12", "ur", is_rtl=True)

    places = [glyph.cluster for glyph in line.glyphs]
    assert places[:2] == [4, 5]
    assert places[2:] == sorted(places[2:], reverse=True)
    alone = {glyph.id for letter in "باب" for glyph in shaped(letter, "ur").glyphs}
    assert {glyph.id for glyph in line.glyphs if glyph.cluster < 3} - alone


def test_a_long_word_is_set_smaller_before_it_is_cut_and_is_never_cut_within_a_letter() -> None:
    word = "ক্ষত্ৰিয়বিশ্ববিদ্যালয়স্থানীয়" * 3
    sizes = [Size(140, 1), Size(60, 2), Size(40, 2)]
    smaller = set_in_lines(Text("বিশ্ববিদ্যালয়", "as"), sizes, 1032)
    block = set_in_lines(Text(word, "as"), sizes, 500)

    assert smaller is not None
    assert (smaller.size, len(smaller.lines)) == (140, 1)
    assert block is not None
    assert block.size == 40
    assert len(block.lines) == 2
    assert all(line.width * block.size <= 500 for line in block.lines)
    whole = [glyph.id for glyph in shaped(word).glyphs]
    first = [glyph.id for glyph in block.lines[0].glyphs]
    assert whole[: len(first)] == first


def test_a_text_is_broken_between_words_and_ends_with_a_sign_where_it_has_no_room() -> None:
    block = set_in_lines(Text("one two three four five six seven", "en"), [Size(50, 2)], 300)

    assert block is not None
    assert len(block.lines) == 2
    assert block.lines[1].glyphs[-1].id == shaped("…", "en").glyphs[0].id
    assert all(line.width * 50 <= 300 for line in block.lines)


def test_letters_with_their_marks_are_one() -> None:
    assert list(clusters("কিā")) == ["কি", "ā"]
