"""Abhidhan's own format: one JSON object per line, each a record of `records/kinds`."""

from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, Final

import msgspec

from abhidhan.formats.content_streams import ContentStream
from abhidhan.formats.importer_api import ImportOptions, ParsedRecord, wrap_source
from abhidhan.formats.losses import list_leaves
from abhidhan.formats.writers.export_source import ExportSource, open_binary
from abhidhan.records.import_records import LocatedRecord, RecordError, UnstoredValue
from abhidhan.records.kinds import Record, SourceRecord

MAX_LINE_BYTES: Final = 8 * 1024 * 1024
"""Maximum number of bytes in a line; limits the memory for a file without line breaks."""

_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"

_decoder = msgspec.json.Decoder(Record)


def read_records(contents: Iterator[ContentStream], options: ImportOptions) -> Iterator[ParsedRecord]:
    """Read records, and report lost values. If a file only names its source, the options may describe it."""
    source = options.source
    for content in contents:
        for line in _read_lines(content.stream, content.name):
            item = line if isinstance(line, RecordError) else _parse_line(*line)
            if source and isinstance(item, LocatedRecord) and source.code == _get_source_code(item.record):
                if not isinstance(item.record, SourceRecord):
                    yield wrap_source(source)
                source = None
            yield item
            if isinstance(item, LocatedRecord) and not isinstance(line, RecordError):
                yield from _find_losses(item, line[0])


def _get_source_code(record: Record) -> str | None:
    """Return the source that a record describes or names."""
    return record.code if isinstance(record, SourceRecord) else getattr(record, "source", None)


def read_jsonl(stream: IO[bytes], file: str) -> Iterator[LocatedRecord | RecordError]:
    """Yield the records of a stream with their line numbers, or an error for an invalid line."""
    for line in _read_lines(stream, file):
        yield line if isinstance(line, RecordError) else _parse_line(*line)


def _read_lines(stream: IO[bytes], file: str) -> Iterator[tuple[bytes, str, int] | RecordError]:
    """Yield the lines of a stream, each with its file and number."""
    number = 0
    while line := stream.readline(MAX_LINE_BYTES + 1):
        number += 1
        if number == 1:
            line = line.removeprefix(_BYTE_ORDER_MARK)
        if len(line) > MAX_LINE_BYTES:
            yield RecordError(file, number, "The line is too long: does the file have one JSON object per line?")
            while line and not line.endswith(b"\n"):
                line = stream.readline(MAX_LINE_BYTES)
        elif not line.isspace() and line:
            yield line, file, number


def _parse_line(line: bytes, file: str, number: int) -> LocatedRecord | RecordError:
    try:
        return LocatedRecord(file, number, _decoder.decode(line))
    except msgspec.ValidationError as error:
        return RecordError(file, number, f"The record is not valid: {error}.")
    except (msgspec.DecodeError, RecursionError) as error:
        return RecordError(file, number, f"The line is not JSON: {error}.")
    except UnicodeDecodeError:
        return RecordError(file, number, "The line is not UTF-8 text.")


def encode_line(record: Record) -> bytes:
    """Encode a record as a line."""
    return msgspec.json.encode(record) + b"\n"


def write_records(export: ExportSource, target: Path) -> None:
    """Write one record per line. An import into an empty database exports to the same file again."""
    with open_binary(target) as stream:
        stream.writelines(encode_line(record) for record in export.records())


def _find_losses(located: LocatedRecord, line: bytes) -> Iterator[UnstoredValue]:
    """Yield a loss for each value of a line under a key that its record lacks."""
    # Shortcut: a line equal to its re-encoded record has no such keys, as all lines of our exports.
    if encode_line(located.record) == line.rstrip() + b"\n":
        return
    kind = str(located.record.__struct_config__.tag)
    for field, value in _iter_unknown_values(msgspec.json.decode(line), located.record, kind):
        yield UnstoredValue(located.file, located.line, field, value)


def _iter_unknown_values(raw: Any, decoded: object, field: str) -> Iterator[tuple[str, str]]:  # noqa: ANN401  # any JSON
    """Compare a JSON value with the decoded one; yield values under unknown keys, with the names of their fields."""
    if isinstance(raw, dict) and isinstance(decoded, msgspec.Struct):
        for key, value in raw.items():
            if key in decoded.__struct_fields__:
                yield from _iter_unknown_values(value, getattr(decoded, key), f"{field}/{key}")
            elif key != decoded.__struct_config__.tag_field:
                yield from list_leaves(value, f"{field}/{key}")
    elif isinstance(raw, list) and isinstance(decoded, tuple):
        for raw_item, decoded_item in zip(raw, decoded, strict=True):
            yield from _iter_unknown_values(raw_item, decoded_item, field)
