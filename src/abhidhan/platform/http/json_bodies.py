"""Bodies of JSON: read, or refused for what could not be stored or was not meant as JSON."""

import re
from typing import Final

import msgspec
from litestar import Request
from litestar.datastructures import State
from litestar.exceptions import ClientException, HTTPException

from abhidhan.records.errors import InputError

JSON_TYPE: Final = re.compile(r"(?:application|text)/(?:[a-z0-9.-]+\+)?json")
UNSUPPORTED: Final = 415
NUL: Final = "\x00"
ESCAPED_NUL: Final = b"\\u0000"
"""The JSON escape of the one character that no database keeps in a text; as itself it cannot stand in JSON."""

_decoder: Final = msgspec.json.Decoder()


class CleanRequest(Request[object, object, State]):
    """A request whose JSON is read as the program reads it: its query is that which the edge has cleaned."""

    async def json(self) -> object:
        """Read the body as JSON. Raises what `read_json` raises."""
        return read_json(await self.body(), self.headers.get("content-type", ""))


def read_json(body: bytes, content_type: str) -> object:
    """Read the body of a request; None when it is empty. A client that names no type is taken to mean JSON.

    Raises HTTPException (415) for another type, ClientException for what is no JSON, InputError for a NUL in it.
    """
    if not body:
        return None
    named = content_type.partition(";")[0].strip().lower()
    if named and not JSON_TYPE.fullmatch(named):
        raise HTTPException(status_code=UNSUPPORTED, detail="Send the body as JSON: Content-Type: application/json.")
    try:
        read: object = _decoder.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ClientException("The body is not JSON.") from error
    if ESCAPED_NUL in body and (key := _key_of_nul(read)) is not None:
        raise InputError.of(key, f"`{key}` must not hold the character U+0000.")
    return read


def _key_of_nul(value: object) -> str | None:
    """Find the field in which a NUL stands; None when there is none after all."""
    waiting = [("body", value)]
    while waiting:
        key, found = waiting.pop()
        if isinstance(found, str) and NUL in found:
            return key
        if isinstance(found, dict):
            if any(NUL in name for name in found):
                return key
            waiting += found.items()
        elif isinstance(found, list):
            waiting += [(key, each) for each in found]
    return None
