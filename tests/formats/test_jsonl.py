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


def test_a_record_is_read_with_its_line() -> None:
    assert read("\n" + SOURCE_LINE) == [LocatedRecord("words.jsonl", 2, SOURCE)]


@pytest.mark.parametrize("content", ["", "\n", " \r\n\n", "\ufeff"])
def test_lines_without_a_record_are_passed_over(content: str) -> None:
    assert read(content) == []


@pytest.mark.parametrize("ending", ["", "\n", "\r\n", "\n\n"])
def test_the_last_line_may_end_or_not(ending: str) -> None:
    assert read(SOURCE_LINE.rstrip() + ending) == [LocatedRecord("words.jsonl", 1, SOURCE)]


def test_a_byte_order_mark_is_no_part_of_a_record() -> None:
    assert read("\ufeff" + SOURCE_LINE) == [LocatedRecord("words.jsonl", 1, SOURCE)]


BROKEN = [
    ("{", "The line is not JSON: "),
    ('{"record": "source"}', "The record is not valid: Object missing required field `code`"),
    ('{"record": "nothing"}', "The record is not valid: Invalid value 'nothing'"),
    ('{"record": "source", "code": 1}', "The record is not valid: Expected `str`, got `int`"),
    ("[]", "The record is not valid: Expected `object`, got `array`"),
    (b'{"record": "source", "code": "\xff"}', "The line is not "),
    (SOURCE_LINE.encode("utf-16"), "The line is not "),
    (r'{"record": "source", "code": "\ud800"}', "The line is not JSON"),
]


@pytest.mark.parametrize(("line", "detail"), BROKEN)
def test_a_broken_line_is_told_and_the_next_one_read(line: bytes | str, detail: str) -> None:
    written = (line if isinstance(line, bytes) else line.encode()).replace(b"\n", b" ")

    first, second = read(written + b"\n" + SOURCE_LINE.encode())

    assert isinstance(first, RecordError)
    assert (first.file, first.line) == ("words.jsonl", 1)
    assert first.detail.startswith(detail)
    assert second == LocatedRecord("words.jsonl", 2, SOURCE)


def test_a_file_without_line_ends_is_not_read_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsonl, "MAX_LINE_BYTES", 100)

    assert [str(found) for found in read("x" * 1000)] == [
        "words.jsonl:1: The line is too long: does the file have one JSON object per line?"
    ]


@pytest.mark.parametrize("record", [SOURCE, IDEA, PhraseRecord("sample", "1", "as", "পাম", "Other")])
def test_what_is_written_is_read_again(record: Record) -> None:
    assert read(encode_line(record)) == [LocatedRecord("words.jsonl", 1, record)]


def test_letters_are_written_as_they_are_and_defaults_are_left_out() -> None:
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
