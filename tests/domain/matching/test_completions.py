"""Lists of the words that begin alike: each is what the words themselves say, however they are gone through."""

from collections import Counter
from operator import itemgetter
from typing import Final

from hypothesis import given
from hypothesis import strategies as st

from abhidhan.domain.languages import ASSAMESE, ENGLISH, HINDI
from abhidhan.domain.matching.completions import (
    FEW,
    LISTED,
    LONGEST,
    TENTHS,
    Begun,
    Completion,
    beginnings_of,
    first_of,
    listed,
    lists_of,
    may_change,
    nearest_in_lists,
    nearest_to_type,
    packed,
    place_of,
    unpacked,
    weight_of,
)

KEYS = st.lists(st.text("aab", min_size=1, max_size=LONGEST + 3), max_size=300)
"""Keys of two letters: so few of them have lists."""

BEGUN = st.builds(
    lambda letters, language, text, number: (letters, language, text, number),
    st.integers(1, 9),
    st.sampled_from((ENGLISH, ASSAMESE, HINDI)),
    st.text("ab", min_size=1, max_size=3),
    st.integers(1, 1000),
)


def words_of(keys: list[str]) -> list[tuple[str, Begun]]:
    languages = (ENGLISH, ASSAMESE, HINDI)
    words = [
        (key, (len(key) - 5.0 * (place % 7 == 0), languages[place % 3], key * (1 + place % 2), place))
        for place, key in enumerate(keys)
    ]
    return sorted(words, key=itemgetter(0))


@given(keys=KEYS)
def test_every_beginning_of_many_words_has_its_list_and_no_other_has(keys: list[str]) -> None:
    words = words_of(keys)
    shared = Counter(prefix for key in keys for prefix in beginnings_of(key))

    lists = {each.prefix: each.words for each in lists_of(words)}

    assert lists.keys() == {prefix for prefix, count in shared.items() if count > FEW}
    for prefix, words_listed in lists.items():
        begun = [begun for key, begun in words if key.startswith(prefix)]
        assert words_listed == listed(begun, [begun for key, begun in words if key == prefix])


@given(keys=KEYS)
def test_a_list_comes_behind_those_that_it_is_made_of(keys: list[str]) -> None:
    made = [each.prefix for each in lists_of(words_of(keys))]

    assert all(
        longer not in made[place:] for place, prefix in enumerate(made) for longer in made if longer[:-1] == prefix
    )
    assert len(set(made)) == len(made)


@given(words=st.lists(BEGUN, max_size=60), gone=st.lists(BEGUN, max_size=2), come=st.lists(BEGUN, max_size=2))
def test_a_list_of_which_nothing_is_said_stays_as_it_is(
    words: list[Begun], gone: list[Begun], come: list[Begun]
) -> None:
    there = list({begun[3]: begun for begun in (*words, *gone)}.values())
    gone = [begun for begun in there if begun in gone]
    before = first_of(there)
    now = [begun for begun in there if begun not in gone] + come

    if not may_change(before, gone, come):
        assert first_of(now) == before


def test_a_word_behind_a_full_list_changes_nothing() -> None:
    full = first_of((5, ENGLISH, f"word{number:02}", number) for number in range(LISTED))

    assert not may_change(full, (), [(6, ASSAMESE, "x", 99)])
    assert may_change(full, (), [(5, ASSAMESE, "x", 99)])
    assert may_change(full, [full[3]], ())
    assert may_change(full[:-1], (), [(6, ASSAMESE, "x", 99)])


@given(words=st.lists(BEGUN, max_size=60))
def test_a_list_is_read_as_it_was_written(words: list[Begun]) -> None:
    assert unpacked(packed(first_of(words))) == first_of(words)


def test_a_rare_word_stands_in_the_list_of_what_it_is_all_of() -> None:
    common = [(-9.0, ASSAMESE, f"word{number}", number) for number in range(LISTED + 5)]
    rare = (2.0, ENGLISH, "wo", 99)

    assert listed([*common, rare], [rare])[LISTED:] == (rare,)
    assert listed([*common[:3], rare], [rare]).count(rare) == 1


def test_common_words_weigh_less_and_foreign_ones_more() -> None:
    assert weight_of("key", "key", ASSAMESE, 1000.0) < weight_of("key", "key", ASSAMESE, 1.0) < 3 * TENTHS
    assert weight_of("key", "key", ASSAMESE, None) == weight_of("key", "key", ENGLISH, None) == 3 * TENTHS
    assert weight_of("key", "key", HINDI, None) > 3 * TENTHS
    assert weight_of("পানী", "পানী", ASSAMESE, None) < weight_of("পানী", "qqqq", ASSAMESE, None)


def test_fewer_letters_come_first_and_then_assamese() -> None:
    assert place_of((2, HINDI, "zz", 9)) < place_of((3, ASSAMESE, "a", 1))
    assert place_of((3, ASSAMESE, "zz", 9)) < place_of((3, ENGLISH, "a", 1))


def test_small_letters_come_before_capitals() -> None:
    words = [(30, ENGLISH, "Fox", 1), (30, ENGLISH, "fox", 2), (30, ENGLISH, "FOX", 3), (30, ENGLISH, "For", 4)]

    assert first_of(words) == (words[1], words[3])
    assert [each.text for each in nearest_to_type("fo", [(-2.0, words)], 9)] == ["fox", "For"]
    assert [each.text for each in nearest_in_lists("fo", [(-2.0, words)], 9)] == ["fox", "For"]


def test_of_several_ways_the_nearest_of_each_spelling_is_taken() -> None:
    found = [
        (-2.0, [(30, ENGLISH, "pan", 1), (50, ENGLISH, "pants", 2)]),
        (-1.25, [(20, ASSAMESE, "পান", 3), (30, HINDI, "pan", 4)]),
    ]

    assert nearest_to_type("pa", found, 2) == [Completion(3, ASSAMESE, "পান", 0.75), Completion(1, ENGLISH, "pan", 1.0)]
    assert [each.text for each in nearest_to_type("pa", found, 9)] == ["পান", "pan", "pants"]


def test_a_word_that_is_typed_to_its_end_comes_first_and_one_that_few_type_so_last() -> None:
    found = [(-3.0, [(30, ENGLISH, "wat", 1), (-40, ENGLISH, "water", 2)]), (-2.25, [(-90, ASSAMESE, "বাট", 3)])]

    assert [each.text for each in nearest_to_type("wat", found, 9)] == ["wat", "water", "বাট"]


def test_capitals_make_no_other_spelling() -> None:
    found = [(-2.0, [(20, ENGLISH, "mo", 1), (30, ENGLISH, "MO", 2), (30, ENGLISH, "Mo", 3), (30, HINDI, "mò", 4)])]

    assert [each.text for each in nearest_to_type("mo", found, 9)] == ["mo", "mò"]


BEGUN_WITH_AB: Final = st.lists(
    st.tuples(
        st.integers(-30, 90),
        st.sampled_from((ENGLISH, ASSAMESE, HINDI)),
        st.text("abB", max_size=4).map("ab".__add__),
        st.integers(1, 1000),
    ),
    max_size=24,
)
"""Words that begin with `ab` just so."""

SOUNDING: Final = st.lists(
    st.tuples(
        st.integers(-30, 90),
        st.sampled_from((ENGLISH, ASSAMESE, HINDI)),
        st.sampled_from(("আবা", "অবু", "বআ", "eb", "xab", "Abbb", "आब", "abbb")),
        st.integers(1, 1000),
    ),
    max_size=24,
)
"""Words that may sound so, none of which is `ab` itself."""


@given(exactly=BEGUN_WITH_AB, sounding=st.lists(SOUNDING, max_size=3), limit=st.integers(1, 20))
def test_what_stands_behind_all_that_is_shown_need_not_be_looked_at(
    exactly: list[Begun], sounding: list[list[Begun]], limit: int
) -> None:
    found = [(-2.0, exactly), *((0.75 * place - 2.0, words) for place, words in enumerate(sounding, 1))]

    assert nearest_in_lists("ab", found, limit) == nearest_to_type("ab", found, limit)


def test_where_nothing_can_begin_so_nothing_is_shown() -> None:
    assert nearest_in_lists("", [], 9) == []
