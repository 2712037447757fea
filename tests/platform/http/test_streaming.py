import pytest
from hypothesis import given
from hypothesis import strategies as st

from abhidhan.platform.http.streaming import ByteRange, format_http_date, is_unchanged, matches_if_range, parse_range

RANGES = (
    ("bytes=0-9", ByteRange(0, 10)),
    ("bytes=90-", ByteRange(90, 10)),
    ("bytes=90-500", ByteRange(90, 10)),
    ("bytes=-5", ByteRange(95, 5)),
    ("bytes=-500", ByteRange(0, 100)),
    ("", None),
    ("bytes=-", None),
    ("bytes=9-1", None),
    ("bytes=0-1,5-6", None),
    ("lines=0-1", None),
    ("bytes=৫-", None),
)


def test_a_range_header_is_parsed_to_the_requested_part() -> None:
    for header, part in RANGES:
        assert parse_range(header, 100) == part, header
    for header in ("bytes=100-", "bytes=100-200", "bytes=-0"):
        with pytest.raises(ValueError, match="bytes"):
            parse_range(header, 100)


@given(st.text(), st.integers(1, 10**12))
def test_any_range_header_gives_a_part_inside_the_file(header: str, size: int) -> None:
    for text in (header, f"bytes={header}"):
        try:
            part = parse_range(text, size)
        except ValueError:
            continue
        assert part is None or (part.start >= 0 and part.length > 0 and part.start + part.length <= size)


def test_a_download_continues_only_if_the_bytes_are_the_same() -> None:
    assert matches_if_range('"x"', '"x"', 0)
    assert matches_if_range(format_http_date(1_000), '"x"', 1_000)
    assert not matches_if_range('"y"', '"x"', 0)
    assert not matches_if_range('W/"x"', '"x"', 0)


def test_the_etag_takes_precedence_over_the_date() -> None:
    later, earlier = format_http_date(2_000), format_http_date(500)

    assert is_unchanged({"if-none-match": 'W/"x", "y"'}, '"x"', 1_000)
    assert not is_unchanged({"if-none-match": '"y"', "if-modified-since": later}, '"x"', 1_000)
    assert is_unchanged({"if-modified-since": later}, '"x"', 1_000)
    assert not is_unchanged({"if-modified-since": earlier}, '"x"', 1_000)
    assert not is_unchanged({"if-modified-since": "tomorrow"}, '"x"', 1_000)
