"""Patterns with wildcards, also against a slow matcher that tries everything."""

from functools import cache

from hypothesis import given
from hypothesis import strategies as st

from abhidhan.dictionary.model.field_queries import (
    ANY_LETTER,
    ANY_TEXT,
    WildcardMode,
    has_wildcards,
    parse_pattern,
    strip_question_marks,
)
from assamese.keys import exact_key, loose_key
from assamese.letters import JOINING_VIRAMAS, map_exact_spans, map_loose_spans, split_aksharas
from text_strategies import LETTERS, written_text


def matches(pattern: str, word: str, language: str = "as") -> bool:
    return parse_pattern(pattern).matches(exact_key(word), loose_key(word, language), language)


def test_a_pattern_matches_words() -> None:
    for pattern, words in [
        ("পা*", ["পা", "পানী", "পাখি"]),
        ("প*", ["পানী", "পহৰ", "প্ৰাণ"]),
        ("*নী", ["পানী", "নী"]),
        ("*া*", ["পানী", "কাল"]),
        ("??", ["পানী", "কলা", "ক’লা", "শব্দ", "at"]),
        ("???", ["উত্তৰ", "প্ৰজাপতি"[:-2], "বিহঙ্গ", "cat"]),
        ("?", ["স্ত্ৰী", "ক্ষ", "কাঁ", "a"]),
        ("ক?", ["কলা", "কথা"]),
        ("?া", ["কা", "পা", "স্তা"]),
        ("?ানী", ["পানী", "কানী"]),
        ("ক্?", ["ক্ষ", "ক্ৰ", "ক্তা"]),
        ("ৰ?", ["ৰঙা"]),
        ("সূৰ্য্য*", ["সূৰ্য", "সূৰ্যমুখী", "সূৰ্য্যোদয়"[:-3]]),
        ("পাণি*", ["পাণিনি"]),
        ("ice?ream", ["ice-cream", "icecream"]),
        ("*ing", ["ring", "Sing"]),
        ("c*f?", ["café", "coffe"]),
        ("ও*", ["ওয়াহিদ", "ওপৰ"]),
        ("????", ["ওয়াহিদ", "ওয়াহিদা"]),
        ("*গ", ["বিহংগ", "ভাগ"]),
        ("a**b", ["ab", "axxb"]),
        ("*?*", ["a", "পানী"]),
        ("what?", ["what?", "whats"]),
        ("c*", ["c*", "cat"]),
    ]:
        assert [word for word in words if not matches(pattern, word)] == [], pattern


def test_a_pattern_does_not_match_other_words() -> None:
    for pattern, words in [
        ("??", ["পা", "প", "পানীয়", "a", "cat"]),
        ("ক?", ["কা", "ক", "ক্ষ"]),
        ("?া", ["ক", "কাল", "া"]),
        ("ক্?", ["কল", "ক্"]),
        ("*নী", ["নীলা", "পানি"]),
        ("????????", ["ice cold", "ice"]),
        ("a?b", ["ab", "a", "axxb"]),
        ("ab*ab", ["ab", "aba"]),
        ("র*", ["কৰ"]),
        ("what?", ["what", "water"]),
    ]:
        assert [word for word in words if matches(pattern, word)] == [], pattern


def test_words_are_split_into_the_letters_that_a_reader_counts() -> None:
    for word, letters in [
        ("পানী", ["পা", "নী"]),
        ("স্ত্ৰী", ["স্ত্ৰী"]),
        ("উত্তৰ", ["উ", "ত্ত", "ৰ"]),
        ("উৎসৱ", ["উ", "ৎ", "স", "ৱ"]),
        ("আঁতৰ", ["আঁ", "ত", "ৰ"]),
        ("বড়া", ["ব", "ড়া"]),
        ("क्षमा", ["क्ष", "मा"]),
        ("ꯏꯁꯤꯡ", ["ꯏ", "ꯁꯤ", "ꯡ"]),
        ("fan", ["f", "a", "n"]),
        ("tûi", ["t", "û", "i"]),
    ]:
        assert split_aksharas(exact_key(word)) == [exact_key(each) for each in letters], word


@given(written_text, st.sampled_from(["as", "bn", "hi", "en"]))
def test_spans_of_letters_follow_each_other_within_a_key(word: str, language: str) -> None:
    folding = "bn" if language == "bn" else ""
    exact, loose = exact_key(word), loose_key(word, language)
    letters = split_aksharas(exact)
    for key, places in ((exact, map_exact_spans(letters)), (loose, map_loose_spans(letters, loose, folding))):
        spans = [*dict.fromkeys(places.values())]
        borders = [place for span in spans for place in span]
        assert borders == sorted(borders)
        assert all(first < last <= len(key) for first, last in spans)


# --- against a matcher that tries everything ------------------------------------------------------------------------

SIGNS = st.text(st.sampled_from("*?*?কখা্ৰংaab"), max_size=9)
KEYS = st.text(st.sampled_from("কখা্ৰaab"), max_size=9)


def match_slowly(pattern: str, letters: tuple[str, ...]) -> bool:
    """Match as `fnmatch` does, one sign at a time, every way that there is; `letters` are those of a whole key."""
    key = "".join(letters)
    ends = {sum(map(len, letters[: count + 1])) for count in range(len(letters))}
    borders = {0} | ends

    @cache
    def fits(sign: int, place: int) -> bool:
        if sign == len(pattern):
            return place == len(key)
        if pattern[sign] == ANY_TEXT:
            return any(fits(sign + 1, each) for each in range(place, len(key) + 1))
        if pattern[sign] != ANY_LETTER:
            return key[place : place + 1] == pattern[sign] and fits(sign + 1, place + 1)
        begins_within = sign > 0 and pattern[sign - 1] in JOINING_VIRAMAS
        ends_within = pattern[sign + 1 : sign + 2] in {"া", "্", "ং"}
        if place not in borders and not begins_within:
            return False
        last = min((each for each in ends if each > place), default=place)
        return any(fits(sign + 1, each) for each in range(place + 1, last + 1) if each == last or ends_within)

    return fits(0, 0)


@given(SIGNS, KEYS)
def test_a_pattern_matches_what_a_slow_matcher_matches(pattern: str, key: str) -> None:
    word = exact_key(key)
    letters = split_aksharas(word)

    assert parse_pattern(pattern).exact.matches(word, map_exact_spans(letters)) == match_slowly(
        exact_key(pattern), tuple(letters)
    )


@given(st.text(st.sampled_from("*?ab"), max_size=12), st.text(st.sampled_from("ab"), max_size=12))
def test_a_pattern_of_latin_letters_means_what_it_means_in_a_shell(pattern: str, word: str) -> None:
    assert matches(pattern, word, "en") == match_slowly(pattern, tuple(word))


@given(st.text(st.sampled_from(LETTERS), min_size=1, max_size=10), st.data())
def test_a_word_matches_itself_with_some_letters_replaced_by_an_asterisk(word: str, data: st.DataObject) -> None:
    letters = split_aksharas(exact_key(word))
    first = data.draw(st.integers(0, len(letters)))
    last = data.draw(st.integers(first, len(letters)))
    pattern = "".join(letters[:first]) + ANY_TEXT + "".join(letters[last:])

    assert parse_pattern(pattern).exact.matches(exact_key(word), map_exact_spans(letters))


def test_hostile_patterns_are_matched_quickly() -> None:
    for pattern in ["*a" * 100, "a*" * 100, "*?" * 100, "?*a" * 66, "*" * 200, "?" * 200, "*ক্?" * 40]:
        for word in ("a" * 1000, "a" * 999 + "b", "ক্ষ" * 300):
            assert matches(pattern, word) in {True, False}


def test_a_pattern_of_asterisks_alone_matches_every_word() -> None:
    for pattern in ("*", "**", "* *", "-*", "*’*"):
        assert parse_pattern(pattern).matches_all, pattern
    for pattern in ("?", "*?*", "a*"):
        assert not parse_pattern(pattern).matches_all, pattern


def test_on_pages_a_question_mark_is_a_wildcard_only_before_a_letter() -> None:
    for text in ("পানী?", "কি??", "what?!", "??????", "a ? b", "really? no", "", "পানী"):
        assert not has_wildcards(text, WildcardMode.EXCEPT_PUNCTUATION), text
    for text in ("*", "পা*", "*নী?", "ক?ল", "?ানী", "?1"):
        assert has_wildcards(text, WildcardMode.EXCEPT_PUNCTUATION), text


def test_question_marks_at_the_end_are_removed_on_pages() -> None:
    assert [strip_question_marks(text) for text in ("*নী? ?", "a*?b", "??")] == ["*নী", "a*?b", ""]
