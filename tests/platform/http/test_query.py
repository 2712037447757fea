import time
from contextlib import suppress
from urllib.parse import parse_qsl, quote, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abhidhan.platform.http.query import NOT_A_NUMBER, ParameterKind, clean_lines, clean_number, clean_query
from abhidhan.records.errors import InputError


def parse_query(query: str | bytes) -> dict[str, str]:
    return dict(clean_query(query.encode() if isinstance(query, str) else query).pairs)


QUERIES: tuple[tuple[str | bytes, dict[str, str]], ...] = (
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
)


def test_values_are_decoded_and_trimmed_and_the_last_value_of_a_parameter_is_used() -> None:
    for query, expected in QUERIES:
        assert parse_query(query) == expected, query


def test_invalid_utf8_surrogates_and_control_characters_are_rejected_with_the_parameter_name() -> None:
    for value in ("%ff", "%E0%A6", "%C0%80", "%ED%A0%80", "%F4%90%80%80", "%00", "%1F", "%7F", "%C2%85"):
        with pytest.raises(InputError) as error:
            parse_query(f"l=2&w=a{value}")

        assert [problem.parameter for problem in error.value.problems] == ["w"], value


def test_a_broken_escape_is_rejected() -> None:
    for value in ("%", "100%", "%zz", "%4", "%4%411"):
        with pytest.raises(InputError, match="%25"):
            parse_query(f"w={value}")


def test_all_problems_of_a_query_are_reported_together() -> None:
    with pytest.raises(InputError) as error:
        parse_query("end=%00&lim=2&start=%ff")

    assert [problem.parameter for problem in error.value.problems] == ["end", "start"]


def test_unknown_parameters_are_ignored_even_with_invalid_values() -> None:
    query = clean_query(b"w=a&junk=%ff&utm=b", {"w": ParameterKind.TEXT})

    assert query.encoded == b"w=a"


def test_a_value_longer_than_any_address_allows_is_rejected() -> None:
    assert len(parse_query("pa=" + "a+" * 2_500)["pa"]) == 4_999
    with pytest.raises(InputError, match="5,000"):
        parse_query("pa=" + "a" * 5_001)


def test_a_query_with_a_hundred_parameters_is_rejected() -> None:
    with pytest.raises(InputError):
        parse_query("a=1&" * 100)


def test_lines_keep_their_line_ends_and_lose_other_white_space() -> None:
    for text, expected in (
        (" a  b \n  c\t d ", "a b\nc d"),
        ("a\r\nb\rc\n\nd", "a\r\nb\rc\n\nd"),
        ("\n\n a \n\n", "a"),
        ("a\u00a0\u00a0b\u2028c", "a b c"),
    ):
        assert clean_lines(text) == expected, text


WHOLE_NUMBERS = (
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
)


def test_a_whole_number_has_one_canonical_form() -> None:
    for text, expected in WHOLE_NUMBERS:
        assert clean_number(text) == expected, text[:20]
    for text in ("5.0", "1e3", "٥", "৫", "²", "0x10", "1_000", "1 000", "true", "--5", "+"):
        assert clean_number(text) == NOT_A_NUMBER, text


def test_equivalent_queries_have_the_same_canonical_form() -> None:
    spellings = ["w=%E0%A6%AA&l=2", "l=+2&w=প", "w=x&w=%e0%a6%aa+&l=%32", "l=02&w=%E0%A6%AA&p="]
    known = {"w": ParameterKind.TEXT, "l": ParameterKind.NUMBER, "p": ParameterKind.NUMBER}

    assert len({clean_query(spelling.encode(), known).encoded for spelling in spellings}) == 1


@given(st.lists(st.tuples(st.sampled_from(["w", "l", "lim", "utm"]), st.text("ab01", min_size=1)), min_size=1))
def test_a_query_is_cleaned_alike_with_and_without_escapes(pairs: list[tuple[str, str]]) -> None:
    known = {"w": ParameterKind.TEXT, "l": ParameterKind.TEXT, "lim": ParameterKind.NUMBER}
    plain = "&".join(f"{name}={value}" for name, value in pairs)
    escaped = "&".join(f"{name}=%{ord(value[0]):x}{value[1:]}" for name, value in pairs)

    assert clean_query(plain.encode(), known) == clean_query(escaped.encode(), known)
    assert clean_query(plain.encode()) == clean_query(escaped.encode())


@given(st.dictionaries(st.text("abcপ&=%+ ", min_size=1), st.text("abcপ&=%+ ", min_size=1)))
def test_a_canonical_query_is_parsed_into_the_same_pairs(pairs: dict[str, str]) -> None:
    clean = clean_query(urlencode(pairs).encode())

    assert tuple(parse_qsl(clean.encoded.decode())) == clean.pairs


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"])))
def test_cleaning_a_clean_value_changes_nothing(text: str) -> None:
    once = clean_query(urlencode({"w": text, "pa": text}).encode())

    assert clean_query(once.encoded) == once


@given(st.binary())
def test_any_bytes_are_cleaned_or_rejected(raw: bytes) -> None:
    with suppress(InputError):
        assert clean_query(raw).encoded.isascii()


LONGEST_QUERIES = (
    b"&" * 64_000,
    b"w=" + b"%E0%A6%AA" * 7_000,
    b"w=" + b"a%20" * 16_000,
    b"pa=" + b"+%0A" * 16_000,
    b"pa=" + b"%09%0A" * 10_000,
    b"lim=" + b"0" * 64_000 + b"x",
    b"lim=" + b"9" * 64_000,
    b"w=" + b"%CC%81" * 10_000,
)


def test_the_time_to_read_the_longest_query_does_not_grow_with_the_square_of_its_length() -> None:
    for query in LONGEST_QUERIES:
        start = time.process_time()
        with suppress(InputError):
            clean_query(query)

        # It takes milliseconds; with the square of its length it would take minutes.
        assert time.process_time() - start < 5, query[:20]
