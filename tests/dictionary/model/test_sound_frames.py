"""Frames: the filter before the readings of Roman letters may say yes for nothing, and never no for something."""

from itertools import product

from hypothesis import example, given
from hypothesis import strategies as st

from abhidhan.dictionary.model.query import MAX_GENERATED_SPELLINGS, MAX_ROMAN_READINGS
from abhidhan.dictionary.model.sound_frames import MAX_FRAMES, hash_frame_and_sound, hash_roman_frames, make_frame
from abhidhan.dictionary.store.acceleration.sound_frames import PAGE_FORMAT, SoundFrames
from assamese import keys
from assamese.keys import MAX_ROMAN_KEYS, roman_sound_keys, sound_key
from assamese.roman_candidates import propose_spellings
from assamese.signs import replace_marked_letters
from tests.support.paging import encode_pages
from text_strategies import texts

INDIC = "অ"
"""Some text that no Roman letters are in."""

groups = st.sampled_from(
    [
        *"aeiouybcdfghjklmnpqrstvwxz0123",
        "aa",
        "ou",
        "owa",
        "uwo",
        "kh",
        "kkh",
        "ks",
        "ng",
        "nkh",
        "bb",
        "ub",
        "uba",
        "Kk",
    ]
)
roman = st.lists(groups, max_size=12).map("".join)


def frames_of(sounds: set[str]) -> SoundFrames:
    numbers = {number for key in sounds for number in hash_frame_and_sound(INDIC, key)}
    return SoundFrames.from_pages(None, encode_pages(PAGE_FORMAT, numbers))


@given(roman | texts, st.data())
@example("ubub", None)
@example("koubba", None)
@example("kkhkkh", None)
def test_every_reading_of_letters_has_one_of_their_frames(text: str, data: st.DataObject | None) -> None:
    readings = roman_sound_keys(text, MAX_ROMAN_READINGS)
    numbers = hash_roman_frames(text)
    assert numbers is None or {hash_frame_and_sound(INDIC, reading)[0] for reading in readings} <= {*numbers}
    if data is not None:
        stored = data.draw(st.sets(st.sampled_from(readings) if readings else roman) | st.sets(roman))
        if stored.intersection(readings):
            assert frames_of(stored).may_match(text)
        assert frames_of(stored).filter_existing_keys(readings) == [
            reading for reading in readings if reading in stored
        ]


@given(st.lists(st.sampled_from([*"uuubbBaeiokKgGtTdDpPnN1", "ub", "bu"]), max_size=9).map("".join))
def test_normalizing_a_sound_key_keeps_its_frame(path: str) -> None:
    """A reading is put together first, and settled then: its frame is that of its pieces, but for a `b` lost."""
    settled = keys._collapse_doubled(path)  # noqa: SLF001  # what `roman_sound_keys` does to each path
    without = {"".join(kept) for kept in product(*(("b", "") if letter == "b" else (letter,) for letter in path))}
    assert make_frame(settled) in {make_frame(each) for each in without}


def test_letters_that_match_no_stored_frame_are_not_looked_up() -> None:
    frames = frames_of({sound_key(word, "as") for word in ("পানী", "অসম", "কম্পিউটাৰ")})
    assert frames.may_match("pani")
    assert frames.may_match("kompiutar")
    assert not frames.may_match("xylophone")
    assert not frames.may_match("স")
    assert not frames.may_match("")
    assert frames.filter_existing_keys(["poni", "pani", "pn"]) == ["pani"]


def test_typed_letters_match_the_word_that_they_spell() -> None:
    for typed, word in [
        ("jonggol", "জঙ্গল"),
        ("inggit", "ইঙ্গিত"),
        ("bong.go", "বঙ্গ"),
        ("hanggeri", "হাঙ্গেৰী"),
        ("jongol", "জঙ্গল"),
    ]:
        spelled = propose_spellings(replace_marked_letters(typed), MAX_GENERATED_SPELLINGS)

        assert sound_key(word, "as") in {sound_key(each, "as") for each in spelled}, typed
        assert frames_of({sound_key(word, "as")}).may_match(typed), typed


def test_a_text_with_very_many_frames_may_match_anything() -> None:
    text = "nhnrntnd" * 3
    assert hash_roman_frames(text) is None
    assert frames_of(set()).may_match(text)
    assert len(hash_roman_frames("nhnrnt") or ()) <= MAX_FRAMES


def test_only_words_that_can_be_typed_in_latin_letters_have_frames() -> None:
    for text, key, is_framed in [
        ("পানী", "pani", True),
        ("पानी", "pani", True),
        ("1", "1", True),
        ("pani", "pani", False),
        ("é", "e", False),
        ("νερό", "νερό", False),
        ("’", "", False),
        ("Ɂ пани a", "pani", True),
    ]:
        assert bool(hash_frame_and_sound(text, key)) == is_framed, text


@given(st.sets(st.integers(0, 2**32 - 1)))
def test_pages_hold_every_number_in_order(numbers: set[int]) -> None:
    pages = encode_pages(PAGE_FORMAT, numbers)
    assert [number for page in sorted(pages) for number in pages[page]] == sorted(numbers)
    assert PAGE_FORMAT.pack(PAGE_FORMAT.add(PAGE_FORMAT.empty_page, [256, 1])) == bytes([1, 0, 0, 0, 0, 1, 0, 0])


def test_a_short_list_of_readings_begins_with_the_likeliest() -> None:
    for text in ("xobdo", "manuh", "bhalpau", "kotha", "nkhnkh"):
        assert roman_sound_keys(text)[:1] == roman_sound_keys(text, MAX_ROMAN_READINGS)[:1]
        assert len(roman_sound_keys(text)) <= MAX_ROMAN_KEYS
