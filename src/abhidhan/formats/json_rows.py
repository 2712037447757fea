"""Tables as JSON: an array of objects, each a row whose keys name its columns."""

import io
import json
from collections.abc import Iterator
from typing import IO, Any, Final, NamedTuple

from abhidhan.formats.content_streams import Content, as_buffered
from abhidhan.formats.losses import leaves
from abhidhan.formats.text_decoding import encoding_of
from abhidhan.records.errors import InputError
from abhidhan.records.import_records import Fault

ENDING: Final = ".json"
MOST_LETTERS: Final = 1_000_000
"""How many characters an object may have."""

CHUNK: Final = 65_536

_DECODER: Final = json.JSONDecoder(parse_float=str, parse_int=str)
_NOT_OBJECT: Final = "The element of the array is no object: write each row as an object."
_BROKEN: Final = "The text is no valid JSON from here on ({error}): it is not read any further."


class ObjectRow(NamedTuple):
    """An object: the line on which it begins, and its texts with their keys; those of a list have the same key."""

    number: int
    cells: list[tuple[str, str]]


def is_array(content: Content) -> bool:
    """Return whether a JSON file is an array, as tables are."""
    return as_buffered(content.stream).peek(CHUNK)[:CHUNK].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"[")


def read_objects(content: Content, encoding: str | None) -> Iterator[ObjectRow | Fault]:
    """Read the objects of an array one after another. Raises InputError for a file that is no text."""
    stream = as_buffered(content.stream)
    text = io.TextIOWrapper(stream, encoding or encoding_of(stream.peek(200)[:200]))
    try:
        for line, value in _elements(text):
            if isinstance(value, dict):
                yield ObjectRow(line, [(name, cell) for name, cell in leaves(value) if cell.strip()])
            else:
                yield Fault(content.name, line, _NOT_OBJECT)
    except _BrokenJSONError as error:
        yield Fault(content.name, error.line, _BROKEN.format(error=error))
    except (UnicodeError, LookupError) as error:
        raise InputError.of("encoding", f"{content.name} cannot be read as text ({error}).") from error
    text.detach()


class _BrokenJSONError(Exception):
    """A text is no valid JSON. The message says why."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(why)
        self.line = line


def _elements(text: IO[str]) -> Iterator[tuple[int, Any]]:
    """Yield the elements of an array, each with its line. Raises _BrokenJSONError."""
    line, rest, opened = 1, "", False
    while True:
        more = text.read(CHUNK)
        rest += more
        while True:
            start = len(rest) - len(rest.lstrip(" \t\r\n," if opened else " \t\r\n["))
            opened = opened or "[" in rest[:start]
            line += rest.count("\n", 0, start)
            rest = rest[start:]
            if rest.startswith("]") and rest.strip() != "]":
                raise _BrokenJSONError(line, "there is more text after the array")
            if not rest or rest[0] == "]":
                break
            try:
                value, end = _DECODER.raw_decode(rest)
            except json.JSONDecodeError as error:
                # An object may end in what was not read yet.
                if more and len(rest) <= MOST_LETTERS:
                    break
                raise _BrokenJSONError(line, error.msg) from error
            except RecursionError as error:
                raise _BrokenJSONError(line, "it is nested too deeply") from error
            yield line, value
            line += rest.count("\n", 0, end)
            rest = rest[end:]
        if not more:
            if not rest:
                raise _BrokenJSONError(line, "the array is not closed")
            return
