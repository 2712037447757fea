"""What addresses answer beside their usual answer, as they declare it for the documentation."""

from functools import partial
from typing import Final

from litestar.openapi import ResponseSpec

_spec: Final = partial(ResponseSpec, generate_examples=False)

GONE: Final = {410: _spec(None, description="What was asked for is kept no longer.")}
CHANGED_MEANWHILE: Final = {412: _spec(None, description="`If-Match` names another state.")}
UNCHANGED: Final = {304: _spec(None, description="Nothing has changed since the answer named in `If-None-Match`.")}
PARTS_OF_RECORDINGS: Final = {
    206: _spec(bytes, description="The part that `Range` asks for.", media_type="audio/mpeg"),
    416: _spec(None, description="The file has no such part; `Content-Range` gives its size."),
}
JSON_FILE: Final = {200: _spec(object, description="The file.")}
