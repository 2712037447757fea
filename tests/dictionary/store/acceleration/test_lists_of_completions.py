"""Lists of the words that begin alike: each is what the words themselves say, however they are gone through."""

from collections import Counter
from operator import itemgetter

from hypothesis import given
from hypothesis import strategies as st

from abhidhan.dictionary.model.completions import (
    MAX_LIST_SIZE,
    MAX_LISTED_PREFIX_LENGTH,
    MAX_UNLISTED_WORDS,
    PrefixMatch,
    build_prefix_list,
    choose_first_matches,
)
from abhidhan.dictionary.store.acceleration.completion_lists.lists import (
    build_lists,
    list_prefixes,
    may_change,
    pack_words,
    unpack_words,
)
from abhidhan.records.languages import ASSAMESE, ENGLISH, HINDI

KEYS = st.lists(st.text("aab", min_size=1, max_size=MAX_LISTED_PREFIX_LENGTH + 3), max_size=300)
"""Keys of two letters: so few of them have lists."""

BEGUN = st.builds(
    lambda letters, language, text, number: (letters, language, text, number),
    st.integers(1, 9),
    st.sampled_from((ENGLISH, ASSAMESE, HINDI)),
    st.text("ab", min_size=1, max_size=3),
    st.integers(1, 1000),
)


def build_words(keys: list[str]) -> list[tuple[str, PrefixMatch]]:
    languages = (ENGLISH, ASSAMESE, HINDI)
    words = [
        (key, (len(key) - 5.0 * (place % 7 == 0), languages[place % 3], key * (1 + place % 2), place))
        for place, key in enumerate(keys)
    ]
    return sorted(words, key=itemgetter(0))


@given(keys=KEYS)
def test_exactly_the_prefixes_of_many_words_have_lists(keys: list[str]) -> None:
    words = build_words(keys)
    shared = Counter(prefix for key in keys for prefix in list_prefixes(key))

    lists = {each.prefix: each.words for each in build_lists(words)}

    assert lists.keys() == {prefix for prefix, count in shared.items() if count > MAX_UNLISTED_WORDS}
    for prefix, words_listed in lists.items():
        begun = [begun for key, begun in words if key.startswith(prefix)]
        assert words_listed == build_prefix_list(begun, [begun for key, begun in words if key == prefix])


@given(keys=KEYS)
def test_a_list_comes_after_the_lists_of_longer_prefixes(keys: list[str]) -> None:
    made = [each.prefix for each in build_lists(build_words(keys))]

    assert all(
        longer not in made[place:] for place, prefix in enumerate(made) for longer in made if longer[:-1] == prefix
    )
    assert len(set(made)) == len(made)


@given(words=st.lists(BEGUN, max_size=60), gone=st.lists(BEGUN, max_size=2), come=st.lists(BEGUN, max_size=2))
def test_a_list_that_may_not_change_stays_the_same(
    words: list[PrefixMatch], gone: list[PrefixMatch], come: list[PrefixMatch]
) -> None:
    there = list({begun[3]: begun for begun in (*words, *gone)}.values())
    gone = [begun for begun in there if begun in gone]
    before = choose_first_matches(there)
    now = [begun for begun in there if begun not in gone] + come

    if not may_change(before, gone, come):
        assert choose_first_matches(now) == before


def test_a_word_after_the_end_of_a_full_list_changes_nothing() -> None:
    full = choose_first_matches((5, ENGLISH, f"word{number:02}", number) for number in range(MAX_LIST_SIZE))

    assert not may_change(full, (), [(6, ASSAMESE, "x", 99)])
    assert may_change(full, (), [(5, ASSAMESE, "x", 99)])
    assert may_change(full, [full[3]], ())
    assert may_change(full[:-1], (), [(6, ASSAMESE, "x", 99)])


@given(words=st.lists(BEGUN, max_size=60))
def test_a_list_is_read_as_written(words: list[PrefixMatch]) -> None:
    assert unpack_words(pack_words(choose_first_matches(words))) == choose_first_matches(words)


def test_a_rare_word_is_in_the_list_of_its_full_spelling() -> None:
    common = [(-9.0, ASSAMESE, f"word{number}", number) for number in range(MAX_LIST_SIZE + 5)]
    rare = (2.0, ENGLISH, "wo", 99)

    assert build_prefix_list([*common, rare], [rare])[MAX_LIST_SIZE:] == (rare,)
    assert build_prefix_list([*common[:3], rare], [rare]).count(rare) == 1
