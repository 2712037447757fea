"""The filter of sound keys: it may say yes for nothing, and never no for something."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abhidhan.dictionary.model.sound_frames import MAX_SLIP_KEY_BYTES, make_slip_keys
from abhidhan.dictionary.store.acceleration import sound_filter
from abhidhan.dictionary.store.acceleration.sound_filter import PAGE_FORMAT, SoundFilter
from abhidhan.dictionary.store.fuzzy_candidates import SOUND_LETTERS
from tests.support.paging import encode_pages

keys = st.text(st.sampled_from(SOUND_LETTERS + "zwνক"), max_size=8)


def hash_keys(sound_keys: set[str]) -> list[int]:
    return [number for key in sound_keys for number in sound_filter.hash_sound_key(key)]


def build_filter(sound_keys: set[str]) -> SoundFilter:
    return SoundFilter.from_pages(None, encode_pages(PAGE_FORMAT, hash_keys(sound_keys)))


def make_slips(key: str) -> set[str]:
    """Make every key that is one slip from another, as a person would list them."""
    cuts = [(key[:place], key[place:]) for place in range(len(key) + 1)]
    fewer = {start + end[1:] for start, end in cuts if end}
    exchanged = {start + end[1] + end[0] + end[2:] for start, end in cuts if len(end) > 1}
    more = {start + letter + end for start, end in cuts for letter in SOUND_LETTERS}
    other = {start + letter + end[1:] for start, end in cuts if end for letter in SOUND_LETTERS}
    return (fewer | exchanged | more | other) - {"", key}


EVERYTHING = SoundFilter(b"\xff" * 256 * 8192)


@given(keys)
def test_a_full_filter_finds_every_key_with_one_slip(key: str) -> None:
    assert EVERYTHING.find_slip_keys([key], SOUND_LETTERS) == make_slips(key)
    assert make_slip_keys([key], SOUND_LETTERS) == make_slips(key)


@given(st.lists(keys, max_size=4))
def test_the_slips_of_several_keys_are_those_of_each_without_the_keys(tried: list[str]) -> None:
    of_each = set[str]().union(*map(make_slips, tried))

    assert EVERYTHING.find_slip_keys(tried, SOUND_LETTERS) == of_each - set(tried)


@given(st.sets(keys), st.lists(keys, max_size=3))
def test_a_stored_key_is_always_found(stored: set[str], tried: list[str]) -> None:
    found = build_filter(stored)

    assert found.filter_possible_keys(sorted(stored)) == sorted(stored - {""})
    near = set[str]().union(*(make_slips(key) for key in tried))
    assert found.find_slip_keys(tried, SOUND_LETTERS) >= (near & stored) - set(tried)
    assert found.find_slip_keys(tried, SOUND_LETTERS) <= near


def test_most_keys_of_no_word_are_left_out() -> None:
    stored = make_slips("pani") | make_slips("manuh") | make_slips("kitap")
    others = (make_slips("bTrkl") | make_slips("xNgumo")) - stored

    assert len(build_filter(stored).filter_possible_keys(others)) < len(others) / 100
    assert build_filter(set()).filter_possible_keys(others) == []


def test_two_exchanged_neighbours_are_one_slip() -> None:
    assert build_filter({"pnai", "panikina"}).find_slip_keys(["pani"], SOUND_LETTERS) == {"pnai"}


def test_very_long_keys_are_not_tried() -> None:
    assert EVERYTHING.find_slip_keys(["k" * (MAX_SLIP_KEY_BYTES + 1)], SOUND_LETTERS) == frozenset()
    assert EVERYTHING.find_slip_keys([], SOUND_LETTERS) == frozenset()
    assert EVERYTHING.find_slip_keys(["k" * MAX_SLIP_KEY_BYTES], SOUND_LETTERS)


def test_letters_of_more_than_one_byte_are_rejected() -> None:
    with pytest.raises(UnicodeEncodeError):
        EVERYTHING.find_slip_keys(["pani"], "aé")


@given(st.sets(st.integers(0, 2**32 - 1)), st.sets(st.integers(0, 2**32 - 1)))
def test_pages_hold_all_added_numbers(first: set[int], second: set[int]) -> None:
    before = encode_pages(PAGE_FORMAT, first)
    for page, some in PAGE_FORMAT.group_by_page(second).items():
        held = before.get(page, PAGE_FORMAT.empty_page)
        there = {number for number in first if number >> PAGE_FORMAT.position_bits == page}
        # Both bits of a number may have been set by others: it need not be added then.
        assert PAGE_FORMAT.find_missing(held, some) <= set(some) - there
        assert PAGE_FORMAT.find_missing(PAGE_FORMAT.empty_page, some) == set(some)
        assert PAGE_FORMAT.find_missing(PAGE_FORMAT.add(held, some), {*some, *there}) == set()


def test_only_changed_pages_are_replaced() -> None:
    before = build_filter({"pani"})

    after = SoundFilter.from_pages(before, encode_pages(PAGE_FORMAT, hash_keys({"manuh"})))

    assert after.filter_possible_keys(["pani", "manuh", "kitap"]) == ["pani", "manuh"]
    assert not before.may_contain("manuh")


def test_the_bits_of_a_key_are_as_stored() -> None:
    assert [sound_filter.hash_sound_key(key) for key in ("pani", "xobd", "")] == PANI_XOBD_NOTHING

    page = PAGE_FORMAT.add(PAGE_FORMAT.empty_page, hash_keys({"pani"}))
    assert [place for place in range(8 * len(page)) if page[place >> 3] >> (place & 7) & 1] == BITS_OF_PANI
    assert sound_filter.PAGE_FORMAT.version == FORM


PANI_XOBD_NOTHING = [(3430826306,), (3511711510,), ()]
BITS_OF_PANI = [16706, 32321, 48576]
FORM = 3
"""As they are stored: where they become others, `form` is to be raised."""


def test_a_word_in_the_script_of_assamese_is_known_by_its_spelling_too() -> None:
    known = SoundFilter.from_pages(None, encode_pages(PAGE_FORMAT, sound_filter.hash_sound_and_spelling("পানী", "pani")))

    assert known.may_contain("pani")
    assert known.may_spell(["জল", "পানী"])
    assert not known.may_spell(["পানি"])
    assert sound_filter.hash_sound_and_spelling("water", "water") == sound_filter.hash_sound_key("water")
