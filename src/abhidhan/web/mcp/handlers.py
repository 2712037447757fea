"""The address /mcp: a request is read as every body is, and handed to the protocol, if its package is there."""

import asyncio
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

from litestar import Request, Response, post
from litestar.datastructures import State
from litestar.types import ControllerRouterHandler

from abhidhan.errors import NotFoundError, UnreadableRequestError, sentence
from abhidhan.web.arguments import GivenDictionary
from abhidhan.web.json_bodies import read_json

PATH: Final = "/mcp"
LARGEST_BODY: Final = 64 * 1024
CONTENT_TYPE: Final = b"content-type"

ABSENT: Final = sentence(
    "This server does not speak MCP: its operator can install the optional package `mcp` (docs/installing.md). "
    "The same can be read at the addresses that /api/docs lists."
)


@cache
def is_there() -> bool:
    """Return whether the package of the protocol is installed."""
    return find_spec("mcp") is not None


@post(PATH, include_in_schema=False, status_code=200, request_max_body_size=LARGEST_BODY)
async def speak(request: Request[Any, Any, State], dictionary: GivenDictionary) -> Response[bytes]:
    """Answer one message of the Model Context Protocol."""
    if not is_there():
        raise NotFoundError(ABSENT)
    body = await request.body()
    if not body:
        raise UnreadableRequestError("The body is missing: send a message of JSON-RPC 2.0.")
    read_json(body, request.headers.get("content-type", ""))
    # It is imported in a thread when somebody first asks: others would wait a second.
    protocol = await asyncio.to_thread(import_module, "abhidhan.web.mcp.server")
    served = await protocol.serve(dictionary, _with_json(request.scope["headers"]), body)
    headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in served.headers}
    media_type = headers.pop("content-type", None)
    headers.pop("content-length", None)
    return Response(served.body, status_code=served.status, headers=headers, media_type=media_type)


def _with_json(lines: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """Say that the body is JSON, as it is by now, whatever the client wrote or left out."""
    return [*(line for line in lines if line[0] != CONTENT_TYPE), (CONTENT_TYPE, b"application/json")]


MCP_HANDLERS: Final[tuple[ControllerRouterHandler, ...]] = (speak,)
