"""Abhidhan's own format: one JSON object per line, each a record of `records/kinds`."""

from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, Final

import msgspec

from abhidhan.formats.content_streams import Content
from abhidhan.formats.importer_api import Found, Options, placed_source
from abhidhan.formats.losses import leaves
from abhidhan.formats.writers.export_source import Book, open_binary
from abhidhan.records.import_records import Fault, Loss, Placed
from abhidhan.records.kinds import Record, SourceRecord

MOST_BYTES: Final = 8 * 1024 * 1024
"""Maximum number of bytes in a line, so that a file without line ends is not loaded whole."""

_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"

_decoder = msgspec.json.Decoder(Record)


def read_records(contents: Iterator[Content], options: Options) -> Iterator[Found]:
    """Read the records of files, and report lost values. The user may describe a source that the files name."""
    described = options.source
    for content in contents:
        for line in _read_lines(content.stream, content.name):
            found = line if isinstance(line, Fault) else _read_line(*line)
            if described and isinstance(found, Placed) and described.code == _source_of(found.record):
                if not isinstance(found.record, SourceRecord):
                    yield placed_source(described)
                described = None
            yield found
            if isinstance(found, Placed) and not isinstance(line, Fault):
                yield from _losses(found, line[0])


def _source_of(record: Record) -> str | None:
    """Return the source that a record describes or names."""
    return record.code if isinstance(record, SourceRecord) else getattr(record, "source", None)


def read_jsonl(stream: IO[bytes], file: str) -> Iterator[Placed | Fault]:
    """Yield the records of a stream with their line numbers, or a fault for an invalid line."""
    for line in _read_lines(stream, file):
        yield line if isinstance(line, Fault) else _read_line(*line)


def _read_lines(stream: IO[bytes], file: str) -> Iterator[tuple[bytes, str, int] | Fault]:
    """Yield the lines of a stream, each with its file and number."""
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
            yield line, file, number


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
    """Encode a record as a line."""
    return msgspec.json.encode(record) + b"\n"


def write_records(book: Book, target: Path) -> None:
    """Write every record on a line of its own; an import into an empty database can be exported to the same file."""
    with open_binary(target) as stream:
        stream.writelines(write_jsonl(record) for record in book.records())


def _losses(placed: Placed, line: bytes) -> Iterator[Loss]:
    """Yield the values of a line under keys that its record lacks."""
    # Lines that encode back to themselves have no such keys; this is a quick check, which all lines of our files pass.
    if write_jsonl(placed.record) == line.rstrip() + b"\n":
        return
    kind = str(placed.record.__struct_config__.tag)
    for field, value in _unknown_values(msgspec.json.decode(line), placed.record, kind):
        yield Loss(placed.file, placed.line, field, value)


def _unknown_values(given: Any, read: object, field: str) -> Iterator[tuple[str, str]]:  # noqa: ANN401  # any JSON
    """Compare a JSON value with the decoded one; yield values under unknown keys, with the names of their fields."""
    if isinstance(given, dict) and isinstance(read, msgspec.Struct):
        for key, value in given.items():
            if key in read.__struct_fields__:
                yield from _unknown_values(value, getattr(read, key), f"{field}/{key}")
            elif key != read.__struct_config__.tag_field:
                yield from leaves(value, f"{field}/{key}")
    elif isinstance(given, list) and isinstance(read, tuple):
        for one, other in zip(given, read, strict=True):
            yield from _unknown_values(one, other, field)
