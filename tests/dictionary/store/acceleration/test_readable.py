"""Words that others may be meant by: a number tells of a stored word what reading and comparing it would."""

from functools import partial

from hypothesis import example, given
from hypothesis import strategies as st

from abhidhan.dictionary.model.ranking import is_plain, may_be_roman_spelling
from abhidhan.dictionary.model.sound_frames import hash_frame_and_sound, hash_sound
from abhidhan.dictionary.store.acceleration import readable_words
from abhidhan.dictionary.store.acceleration.readable_words import (
    RULES_CHECKSUM,
    PassState,
    ReadableNumbers,
    hash_plain_word,
)
from abhidhan.dictionary.store.acceleration.sound_frames import (
    PAGE_FORMAT,
    SoundFrames,
    find_sounds,
    find_sounds_by_word,
)
from abhidhan.records.languages import ASSAMESE
from assamese.keys import roman_sound_keys, sound_key
from assamese.normalization import exact_key
from tests.support.paging import encode_pages
from text_strategies import texts

HINDI = 5

plain = st.text("aeioubdhkmnprstxAHKS12", min_size=1, max_size=8)


def build_frames(*sound_keys: str) -> SoundFrames:
    numbers = {number for key in sound_keys for number in hash_frame_and_sound("অ", key)}
    return SoundFrames.from_pages(None, encode_pages(PAGE_FORMAT, numbers))


def build_numbers(*stored: str) -> ReadableNumbers:
    return ReadableNumbers.from_pages(None, encode_pages(readable_words.PAGE_FORMAT, map(hash_plain_word, stored)))


@given(st.lists(plain, max_size=4), st.lists(plain, max_size=4))
@example(["pani"], ["pani", "12", "water"])
def test_many_words_are_read_the_same_as_each_alone(sounds: list[str], stored: list[str]) -> None:
    frames = build_frames(*(key for sound in sounds for key in roman_sound_keys(sound)[-1:]))
    each = {exact_key(text): find_sounds(frames, text) for text in stored}

    assert find_sounds_by_word(frames, filter(is_plain, each)) == {key: read for key, read in each.items() if read}


def test_letter_case_makes_no_difference() -> None:
    known = build_numbers("pani", "paani")

    read = partial(find_sounds, build_frames())
    asked = ("pani", "PANI", "Paani", "water")

    assert [word for word in asked if known.may_mean_others(word, read)] == ["pani", "PANI", "Paani"]


def test_a_word_may_mean_a_newer_word_with_a_possible_sound() -> None:
    sound = sound_key("পানী", "as")
    frames = build_frames(sound)
    since = ReadableNumbers.from_pages(build_numbers(), {}, [hash_sound(sound)])
    read = partial(find_sounds, frames)

    assert not build_numbers().may_mean_others("pani", read)
    assert since.may_mean_others("pani", read)
    assert not since.may_mean_others("water", read)
    assert ReadableNumbers.from_pages(since, {}).may_mean_others("pani", read) is False, (
        "what came since is told each time"
    )


def test_a_word_means_only_words_in_other_letters_with_a_usual_roman_spelling() -> None:
    assert may_be_roman_spelling("pani", "পানী", ASSAMESE)
    assert not may_be_roman_spelling("pani", "pani", ASSAMESE)
    assert not may_be_roman_spelling("pani", "পুনৰ্নিৰ্মাণ", ASSAMESE)
    assert not may_be_roman_spelling("to", "तू", HINDI)


@given(texts | plain)
def test_the_exact_key_of_a_plain_text_is_its_lower_case(text: str) -> None:
    if is_plain(text):
        assert exact_key(text) == text.lower()


@given(texts)
def test_a_text_that_is_not_plain_means_no_other_word(text: str) -> None:
    if not is_plain(text):
        assert build_numbers().may_mean_others(text, partial(find_sounds, build_frames()))


def test_unchanged_pages_are_kept() -> None:
    after = ReadableNumbers.from_pages(build_numbers("pani"), encode_pages(readable_words.PAGE_FORMAT, {7}))

    assert after.may_mean_others("pani", partial(find_sounds, build_frames()))
    assert not after.may_mean_others("water", partial(find_sounds, build_frames()))


def test_the_state_of_a_pass_is_read_as_written() -> None:
    found_out = PassState(RULES_CHECKSUM, 3, is_complete=True, since=(7, 2**32 - 1))

    assert PassState.read(found_out.write()) == found_out
