import time
from contextlib import suppress
from urllib.parse import parse_qsl, quote, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abhidhan.platform.http.query import NOT_A_NUMBER, ParameterKind, clean_lines, clean_number, clean_query
from abhidhan.records.errors import InputError


def cleaned(query: str | bytes) -> dict[str, str]:
    return dict(clean_query(query.encode() if isinstance(query, str) else query).pairs)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", {}),
        ("w=water", {"w": "water"}),
        ("w=" + quote("পানী"), {"w": "পানী"}),
        ("w=পানী", {"w": "পানী"}),
        ("w=a+b%2Bc", {"w": "a b+c"}),
        ("w=%20a%09%0A%0Db%C2%A0%C2%A0c%20", {"w": "a b c"}),
        ("w=a%E2%80%8Db", {"w": "a\u200db"}),
        ("w=a&w=b", {"w": "b"}),
        ("w=a&w=", {}),
        ("w=%ff&w=b", {"w": "b"}),
        ("w=&l", {}),
        ("w=+%20", {}),
        ("w=a=b", {"w": "a=b"}),
        ("%77=a", {"w": "a"}),
        ("&&w=a&", {"w": "a"}),
        ("=a&w=b", {"w": "b"}),
        (b"w=a&%ff=b", {"w": "a"}),
        ("w=<b>'; DROP TABLE word;--", {"w": "<b>'; DROP TABLE word;--"}),
    ],
)
def test_a_query_is_decoded_trimmed_and_the_last_value_counts(query: str | bytes, expected: dict[str, str]) -> None:
    assert cleaned(query) == expected


@pytest.mark.parametrize(
    "value", ["%ff", "%E0%A6", "%C0%80", "%ED%A0%80", "%F4%90%80%80", "%00", "%1F", "%7F", "%C2%85"]
)
def test_invalid_utf8_surrogates_and_control_characters_are_refused_by_name(value: str) -> None:
    with pytest.raises(InputError) as error:
        cleaned(f"l=2&w=a{value}")

    assert [problem.parameter for problem in error.value.problems] == ["w"]


@pytest.mark.parametrize("value", ["%", "100%", "%zz", "%4", "%4%411"])
def test_a_broken_escape_is_refused(value: str) -> None:
    with pytest.raises(InputError, match="%25"):
        cleaned(f"w={value}")


def test_all_that_is_wrong_is_told_at_once() -> None:
    with pytest.raises(InputError) as error:
        cleaned("end=%00&lim=2&start=%ff")

    assert [problem.parameter for problem in error.value.problems] == ["end", "start"]


def test_unknown_parameters_are_ignored_whatever_they_hold() -> None:
    query = clean_query(b"w=a&junk=%ff&utm=b", {"w": ParameterKind.TEXT})

    assert query.encoded == b"w=a"


def test_a_value_that_no_address_takes_is_refused_early() -> None:
    assert len(cleaned("pa=" + "a+" * 2_500)["pa"]) == 4_999
    with pytest.raises(InputError, match="5,000"):
        cleaned("pa=" + "a" * 5_001)


def test_more_parameters_than_anybody_needs_are_refused() -> None:
    with pytest.raises(InputError):
        cleaned("a=1&" * 100)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (" a  b \n  c\t d ", "a b\nc d"),
        ("a\r\nb\rc\n\nd", "a\r\nb\rc\n\nd"),
        ("\n\n a \n\n", "a"),
        ("a\u00a0\u00a0b\u2028c", "a b c"),
    ],
)
def test_lines_keep_their_ends_and_lose_other_white_space(text: str, expected: str) -> None:
    assert clean_lines(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("5", "5"),
        ("+5", "5"),
        ("-5", "-5"),
        ("0", "0"),
        ("-0", "0"),
        ("005", "5"),
        ("9" * 18, "9" * 18),
        ("9" * 400, "9" * 18),
        ("-" + "9" * 5000, "-" + "9" * 18),
        ("0" * 60_000 + "7", "7"),
        *((text, NOT_A_NUMBER) for text in ("5.0", "1e3", "٥", "৫", "²", "0x10", "1_000", "1 000", "true", "--5", "+")),
    ],
)
def test_a_whole_number_is_written_in_one_way(text: str, expected: str) -> None:
    assert clean_number(text) == expected


def test_equal_questions_have_one_canonical_query() -> None:
    spellings = ["w=%E0%A6%AA&l=2", "l=+2&w=প", "w=x&w=%e0%a6%aa+&l=%32", "l=02&w=%E0%A6%AA&p="]
    known = {"w": ParameterKind.TEXT, "l": ParameterKind.NUMBER, "p": ParameterKind.NUMBER}

    assert len({clean_query(spelling.encode(), known).encoded for spelling in spellings}) == 1


@given(st.lists(st.tuples(st.sampled_from(["w", "l", "lim", "utm"]), st.text("ab01", min_size=1)), min_size=1))
def test_a_plain_query_is_cleaned_as_one_that_has_escapes(pairs: list[tuple[str, str]]) -> None:
    known = {"w": ParameterKind.TEXT, "l": ParameterKind.TEXT, "lim": ParameterKind.NUMBER}
    plain = "&".join(f"{name}={value}" for name, value in pairs)
    escaped = "&".join(f"{name}=%{ord(value[0]):x}{value[1:]}" for name, value in pairs)

    assert clean_query(plain.encode(), known) == clean_query(escaped.encode(), known)
    assert clean_query(plain.encode()) == clean_query(escaped.encode())


@given(st.dictionaries(st.text("abcপ&=%+ ", min_size=1), st.text("abcপ&=%+ ", min_size=1)))
def test_a_canonical_query_reads_back_as_it_was(pairs: dict[str, str]) -> None:
    clean = clean_query(urlencode(pairs).encode())

    assert tuple(parse_qsl(clean.encoded.decode())) == clean.pairs


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"])))
def test_cleaning_a_clean_value_changes_nothing(text: str) -> None:
    once = clean_query(urlencode({"w": text, "pa": text}).encode())

    assert clean_query(once.encoded) == once


@given(st.binary())
def test_no_query_breaks_the_cleaner(raw: bytes) -> None:
    with suppress(InputError):
        assert clean_query(raw).encoded.isascii()


@pytest.mark.parametrize(
    "query",
    [
        b"&" * 64_000,
        b"w=" + b"%E0%A6%AA" * 7_000,
        b"w=" + b"a%20" * 16_000,
        b"pa=" + b"+%0A" * 16_000,
        b"pa=" + b"%09%0A" * 10_000,
        b"lim=" + b"0" * 64_000 + b"x",
        b"lim=" + b"9" * 64_000,
        b"w=" + b"%CC%81" * 10_000,
    ],
)
def test_the_work_of_the_longest_query_does_not_grow_with_its_square(query: bytes) -> None:
    began = time.process_time()
    with suppress(InputError):
        clean_query(query)

    # It takes milliseconds; with the square of its length it would take minutes.
    assert time.process_time() - began < 5
