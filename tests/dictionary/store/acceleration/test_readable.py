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


def frames_of(*sound_keys: str) -> SoundFrames:
    numbers = {number for key in sound_keys for number in hash_frame_and_sound("অ", key)}
    return SoundFrames.from_pages(None, encode_pages(PAGE_FORMAT, numbers))


def known_of(*stored: str) -> ReadableNumbers:
    return ReadableNumbers.from_pages(None, encode_pages(readable_words.PAGE_FORMAT, map(hash_plain_word, stored)))


@given(st.lists(plain, max_size=4), st.lists(plain, max_size=4))
@example(["pani"], ["pani", "12", "water"])
def test_very_many_words_are_read_as_each_is_by_itself(sounds: list[str], stored: list[str]) -> None:
    frames = frames_of(*(key for sound in sounds for key in roman_sound_keys(sound)[-1:]))
    each = {exact_key(text): find_sounds(frames, text) for text in stored}

    assert find_sounds_by_word(frames, filter(is_plain, each)) == {key: read for key, read in each.items() if read}


def test_letter_case_makes_no_difference_and_other_words_mean_nothing_else() -> None:
    known = known_of("pani", "paani")

    read = partial(find_sounds, frames_of())
    asked = ("pani", "PANI", "Paani", "water")

    assert [word for word in asked if known.may_mean_others(word, read)] == ["pani", "PANI", "Paani"]


def test_a_word_may_mean_one_that_has_come_since_if_it_may_be_read_so() -> None:
    sound = sound_key("পানী", "as")
    frames = frames_of(sound)
    since = ReadableNumbers.from_pages(known_of(), {}, [hash_sound(sound)])
    read = partial(find_sounds, frames)

    assert not known_of().may_mean_others("pani", read)
    assert since.may_mean_others("pani", read)
    assert not since.may_mean_others("water", read)
    assert ReadableNumbers.from_pages(since, {}).may_mean_others("pani", read) is False, (
        "what came since is told each time"
    )


def test_only_words_in_other_letters_that_people_type_so_are_meant() -> None:
    assert may_be_roman_spelling("pani", "পানী", ASSAMESE)
    assert not may_be_roman_spelling("pani", "pani", ASSAMESE)
    assert not may_be_roman_spelling("pani", "পুনৰ্নিৰ্মাণ", ASSAMESE)
    assert not may_be_roman_spelling("to", "तू", HINDI)


@given(texts | plain)
def test_the_exact_key_of_a_plain_text_is_itself_but_for_letter_case(text: str) -> None:
    if is_plain(text):
        assert exact_key(text) == text.lower()


@given(texts)
def test_nothing_is_known_of_texts_that_are_not_plain(text: str) -> None:
    if not is_plain(text):
        assert known_of().may_mean_others(text, partial(find_sounds, frames_of()))


def test_pages_that_have_not_changed_stay() -> None:
    after = ReadableNumbers.from_pages(known_of("pani"), encode_pages(readable_words.PAGE_FORMAT, {7}))

    assert after.may_mean_others("pani", partial(find_sounds, frames_of()))
    assert not after.may_mean_others("water", partial(find_sounds, frames_of()))


def test_what_was_found_out_is_stored() -> None:
    found_out = PassState(RULES_CHECKSUM, 3, is_complete=True, since=(7, 2**32 - 1))

    assert PassState.read(found_out.write()) == found_out
