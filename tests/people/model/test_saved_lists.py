"""Own lists of several devices: put together in any order they are the same, and nothing that was kept is lost."""

from itertools import permutations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from abhidhan.people.model.saved_lists import (
    MAX_LISTS,
    MAX_REMOVED_LISTS,
    MAX_TOMBSTONES,
    MAX_WORDS_PER_LIST,
    MILLISECONDS_PER_DAY,
    TOMBSTONE_DAYS,
    Lists,
    OwnList,
    OwnWord,
    check_limits,
    drop_old_tombstones,
    merge_lists,
)
from abhidhan.records.errors import InputError

NOW = 1_800_000_000
MOMENTS = st.integers(0, 6)
PLACES = st.sampled_from([-1.5, 0.0, 1.0, 2.0])
WORDS = st.builds(OwnWord, st.integers(1, 4), MOMENTS, st.none() | PLACES)
LISTS = st.builds(
    OwnList,
    st.sampled_from(["mine", "a", "b"]),
    st.sampled_from(["", "Birds", "মাছ", "😀", "\uffff"]),
    MOMENTS,
    PLACES,
    MOMENTS,
    st.booleans(),
    MOMENTS,
    st.lists(WORDS, max_size=6).map(tuple),
)
DEVICES = st.lists(LISTS, max_size=4)


@given(DEVICES, DEVICES, DEVICES)
def test_merging_devices_does_not_depend_on_order_or_repetition(
    one: list[OwnList], two: list[OwnList], three: list[OwnList]
) -> None:
    together = merge_lists(one, two, three)

    assert all(merge_lists(*order) == together for order in permutations((one, two, three)))
    assert merge_lists(merge_lists(one, two), merge_lists(two, three)) == together
    assert merge_lists(together, one) == together


@given(DEVICES, DEVICES)
def test_a_word_is_lost_only_if_another_device_removed_it_later(one: list[OwnList], two: list[OwnList]) -> None:
    together = {(own.id, word.id): word for own in merge_lists(one, two) for word in own.words}

    for own in (*one, *two):
        for word in own.words:
            kept = together[own.id, word.id]
            assert kept.at >= word.at
            assert kept.at > word.at or kept.place is not None or word.place is None


@given(DEVICES)
def test_merged_lists_survive_json_unchanged(device: list[OwnList]) -> None:
    together = merge_lists(device)

    assert msgspec.json.decode(msgspec.json.encode(together), type=Lists) == together


def test_a_removed_list_returns_if_another_device_added_a_word_meanwhile() -> None:
    removed = OwnList("a", is_removed=True, removed=9, words=(OwnWord(1, 9),))
    added = OwnList("a", words=(OwnWord(1, 5, 1.0), OwnWord(2, 7, 2.0)))

    [together] = merge_lists([removed], [added])

    assert together.is_visible
    assert together.word_ids == [2]
    assert not removed.is_visible


def test_words_are_sorted_by_their_places() -> None:
    own = OwnList("a", words=(OwnWord(1, 1, 2.0), OwnWord(2, 1, 1.5), OwnWord(4, 1, 1.5), OwnWord(3, 1)))

    assert own.word_ids == [2, 4, 1]


def test_marks_of_removed_words_are_deleted_after_a_year() -> None:
    now = 2_000_000_000
    old, new = now * 1000 - TOMBSTONE_DAYS * MILLISECONDS_PER_DAY, now * 1000 - 1
    lists = (
        OwnList("a", words=(OwnWord(1, old), OwnWord(2, new), OwnWord(3, 0, 1.0))),
        OwnList("b", is_removed=True, removed=old),
        OwnList("c", is_removed=True, removed=new),
    )

    first, last = drop_old_tombstones(lists, now)

    assert [word.id for word in first.words] == [2, 3]
    assert last.id == "c"


def test_the_number_of_marks_is_limited_and_all_words_are_kept() -> None:
    marks = tuple(OwnWord(number, number) for number in range(1, MAX_TOMBSTONES + 3))
    own = OwnList("a", words=(*marks, OwnWord(2_000_000, 0, 1.0)))

    [kept] = drop_old_tombstones((own,), now=0)

    assert [kept.words[0].id, kept.words[-1].id, len(kept.words)] == [3, 2_000_000, MAX_TOMBSTONES + 1]


def test_the_numbers_of_lists_and_words_are_limited() -> None:
    def full(name: str, count: int) -> OwnList:
        return OwnList(name, words=tuple(OwnWord(number, 1, float(number)) for number in range(1, count + 1)))

    check_limits([full("a", MAX_WORDS_PER_LIST), OwnList("b", is_removed=True)])
    with pytest.raises(InputError, match="A list can have at most 2000 words"):
        check_limits([full("a", MAX_WORDS_PER_LIST + 1)])
    with pytest.raises(InputError, match="All lists together"):
        check_limits([full(f"a{number}", MAX_WORDS_PER_LIST) for number in range(11)])
    with pytest.raises(InputError, match="at most 100 lists"):
        check_limits([OwnList(f"a{number}") for number in range(MAX_LISTS + 1)])


def test_only_the_latest_removed_lists_are_remembered() -> None:
    kept: Lists = (OwnList("shown", removed=1),)
    for number in range(3):
        sent = [
            OwnList(f"r{number}x{each}", is_removed=True, removed=NOW * 1000 + number * 1000 + each)
            for each in range(MAX_REMOVED_LISTS)
        ]
        kept = drop_old_tombstones(merge_lists(kept, sent), NOW)

    assert [each.id for each in kept if each.is_visible] == ["shown"]
    assert {each.id.partition("x")[0] for each in kept if not each.is_visible} == {"r2"}
    assert len(kept) == MAX_REMOVED_LISTS + 1
