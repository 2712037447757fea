"""Abhidhan's own format: one JSON object a line, each a record of `domain/records.py`."""

from collections.abc import Iterator
from typing import IO, Final

import msgspec

from abhidhan.domain.incoming import Fault, Placed
from abhidhan.domain.records import Record
from abhidhan.formats.contents import Content
from abhidhan.formats.reading import Found, Options

MOST_BYTES: Final = 8 * 1024 * 1024
"""How long a line may be. A file without line ends is not read into memory whole."""

_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"

_decoder = msgspec.json.Decoder(Record)


def read_records(contents: Iterator[Content], options: Options) -> Iterator[Found]:
    """Read the records of files; each names its own source."""
    del options
    for content in contents:
        yield from read_jsonl(content.stream, content.name)


def read_jsonl(stream: IO[bytes], file: str) -> Iterator[Placed | Fault]:
    """Read the records of a stream one by one, each with its line; for a line that is none, what is wrong with it."""
    number = 0
    while line := stream.readline(MOST_BYTES + 1):
        number += 1
        if number == 1:
            line = line.removeprefix(_BYTE_ORDER_MARK)
        if len(line) > MOST_BYTES:
            yield Fault(file, number, "The line is too long: does the file have one JSON object per line?")
            while line and not line.endswith(b"\n"):
                line = stream.readline(MOST_BYTES)
        elif not line.isspace() and line:
            yield _read_line(line, file, number)


def _read_line(line: bytes, file: str, number: int) -> Placed | Fault:
    try:
        return Placed(file, number, _decoder.decode(line))
    except msgspec.ValidationError as error:
        return Fault(file, number, f"The record is not valid: {error}.")
    except (msgspec.DecodeError, RecursionError) as error:
        return Fault(file, number, f"The line is not JSON: {error}.")
    except UnicodeDecodeError:
        return Fault(file, number, "The line is not UTF-8 text.")


def write_jsonl(record: Record) -> bytes:
    """Write a record as a line."""
    return msgspec.json.encode(record) + b"\n"
