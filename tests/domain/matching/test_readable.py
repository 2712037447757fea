"""Words that may be read as the sound of others: a number tells of a stored word what reading it would."""

from hypothesis import example, given
from hypothesis import strategies as st

from abhidhan.domain.matching import readable
from abhidhan.domain.matching.frames import PAGING, Frames, numbers_of_word
from abhidhan.domain.matching.readable import UNKNOWN, Readable, is_plain, numbers_of_readable, sounds_of
from abhidhan.domain.text.keys import roman_sound_keys
from abhidhan.domain.text.normal import exact_key
from tests.domain.text.strategies import texts
from tests.support.paging import in_pages

INDIC = "অ"
"""Some text that no Roman letters are in."""

plain = st.text("aeioubdhkmnprstxAHKS12", min_size=1, max_size=8)


def frames_of(*sound_keys: str) -> Frames:
    numbers = {number for key in sound_keys for number in numbers_of_word(INDIC, key)}
    return Frames.of_pages(None, in_pages(PAGING, numbers))


def found_out(frames: Frames, exact_keys: list[str]) -> Readable:
    return Readable.of_pages(None, in_pages(readable.PAGING, numbers_of_readable(frames, exact_keys)))


@given(st.lists(plain, max_size=4), st.lists(plain, max_size=4))
@example(["pani"], ["Pani"])
@example(["pani"], ["12"])
def test_of_a_stored_word_its_number_tells_what_reading_it_would(sounds: list[str], stored: list[str]) -> None:
    frames = frames_of(*(key for sound in sounds for key in roman_sound_keys(sound)[-1:]))
    known = found_out(frames, [exact_key(text) for text in stored])

    for text in stored:
        for typed in (text, text.upper(), text.lower()):
            assert known.may_be_read(typed) == bool(sounds_of(frames, typed))


def test_letter_case_makes_no_difference_and_other_words_are_not_readable() -> None:
    known = found_out(frames_of("pani"), ["pani", "paani", "water"])

    assert [word for word in ("pani", "PANI", "paani", "water", "Water") if known.may_be_read(word)] == [
        "pani",
        "PANI",
        "paani",
    ]


@given(texts | plain)
def test_the_exact_key_of_a_plain_text_is_itself_but_for_letter_case(text: str) -> None:
    if is_plain(text):
        assert exact_key(text) == text.lower()


@given(texts)
def test_nothing_is_known_of_texts_that_are_not_plain_nor_before_all_words_were_gone_through(text: str) -> None:
    assert UNKNOWN.may_be_read(text)
    if not is_plain(text):
        assert Readable.of_pages(None, {}).may_be_read(text)


def test_pages_that_have_not_changed_stay() -> None:
    before = found_out(frames_of("pani"), ["pani"])
    after = Readable.of_pages(before, in_pages(readable.PAGING, {7}))

    assert after.may_be_read("pani")
    assert not after.may_be_read("water")
