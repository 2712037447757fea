import io

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from abhidhan.formats import jsonl
from abhidhan.formats.jsonl import encode_line, read_jsonl
from abhidhan.records.import_records import LocatedRecord, RecordError
from abhidhan.records.kinds import IdeaRecord, PhraseRecord, Record, SourceRecord, WordRecord

SOURCE = SourceRecord("sample", "Sample", "CC0-1.0")
SOURCE_LINE = '{"record": "source", "code": "sample", "name": "Sample", "licence": "CC0-1.0"}\n'
IDEA = IdeaRecord("sample", "water", "Material Noun", (WordRecord("as", "পানী", forms=("পানীৰ",)),))


def read(content: bytes | str) -> list[LocatedRecord | RecordError]:
    """Read a file."""
    written = content.encode() if isinstance(content, str) else content
    return list(read_jsonl(io.BytesIO(written), "words.jsonl"))


def test_empty_lines_are_skipped() -> None:
    for content in ["", "\n", " \r\n\n", "\ufeff"]:
        assert read(content) == [], content
    assert read("\n" + SOURCE_LINE) == [LocatedRecord("words.jsonl", 2, SOURCE)]


def test_line_ends_and_byte_order_marks_do_not_matter() -> None:
    for content in (*(SOURCE_LINE.rstrip() + ending for ending in ("", "\n", "\r\n", "\n\n")), "\ufeff" + SOURCE_LINE):
        assert read(content) == [LocatedRecord("words.jsonl", 1, SOURCE)], content


BROKEN: list[tuple[bytes | str, str]] = [
    ("{", "The line is not JSON: "),
    ('{"record": "source"}', "The record is not valid: Object missing required field `code`"),
    ('{"record": "nothing"}', "The record is not valid: Invalid value 'nothing'"),
    ('{"record": "source", "code": 1}', "The record is not valid: Expected `str`, got `int`"),
    ("[]", "The record is not valid: Expected `object`, got `array`"),
    (b'{"record": "source", "code": "\xff"}', "The line is not "),
    (SOURCE_LINE.encode("utf-16"), "The line is not "),
    (r'{"record": "source", "code": "\ud800"}', "The line is not JSON"),
]


def test_a_broken_line_is_reported_and_the_next_one_read(subtests: pytest.Subtests) -> None:
    for line, detail in BROKEN:
        with subtests.test(detail):
            written = (line if isinstance(line, bytes) else line.encode()).replace(b"\n", b" ")

            first, second = read(written + b"\n" + SOURCE_LINE.encode())

            assert isinstance(first, RecordError)
            assert (first.file, first.line) == ("words.jsonl", 1)
            assert first.detail.startswith(detail)
            assert second == LocatedRecord("words.jsonl", 2, SOURCE)


def test_a_too_long_line_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsonl, "MAX_LINE_BYTES", 100)

    assert [str(found) for found in read("x" * 1000)] == [
        "words.jsonl:1: The line is too long: does the file have one JSON object per line?"
    ]


def test_a_written_record_is_read_again() -> None:
    records: tuple[Record, ...] = (SOURCE, IDEA, PhraseRecord("sample", "1", "as", "পাম", "Other"))
    for record in records:
        assert read(encode_line(record)) == [LocatedRecord("words.jsonl", 1, record)]


def test_letters_are_not_escaped_and_defaults_are_omitted() -> None:
    assert encode_line(IDEA).decode() == (
        '{"record":"idea","source":"sample","key":"water","pos":"Material Noun",'
        '"words":[{"language":"as","text":"পানী","forms":["পানীৰ"]}]}\n'
    )


@given(st.binary(max_size=200))
def test_no_bytes_raise(content: bytes) -> None:
    assert all(isinstance(found, LocatedRecord | RecordError) for found in read(content))


@given(st.text())
def test_any_text_survives(name: str) -> None:
    record = msgspec.structs.replace(SOURCE, name=name)

    assert read(encode_line(record)) == [LocatedRecord("words.jsonl", 1, record)]
