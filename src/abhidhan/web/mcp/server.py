"""The protocol of /mcp, by the official package, one request at a time: nothing is remembered between two.

Imported when somebody first asks: the package takes a second and 25 MiB.
"""

import asyncio
import logging
from collections.abc import Mapping
from functools import cache
from importlib.metadata import version
from typing import Any, Final

import msgspec
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    TextContent,
    Tool,
    ToolAnnotations,
)

from abhidhan.services.dictionary.facade import Dictionary
from abhidhan.web.answers import written
from abhidhan.web.edge.errors import ErrorContext, log_failure, status_of
from abhidhan.web.edge.logs import REQUEST_ID
from abhidhan.web.edge.problem_kinds import DETAIL_OF_STATUS
from abhidhan.web.mcp import tools

INSTRUCTIONS: Final = (
    "A dictionary of Assamese and the languages around it. An idea is what words of every language mean; a word is one "
    "spelling in one language, and each of its meanings is an idea. Languages are named by BCP 47 codes: as Assamese, "
    "en English, hi Hindi, bn Bengali. Answers name the licence of the data: tell it where you quote at length."
)
INTERNAL_ERROR: Final = 500

# What clients send, however wrong, is not for the operator's log.
logging.getLogger("mcp").setLevel(logging.ERROR)


class Served(msgspec.Struct):
    """What the protocol answers: a status, headers and a body."""

    status: int = 0
    headers: list[tuple[bytes, bytes]] = []
    body: bytes = b""

    async def send(self, message: Mapping[str, Any]) -> None:
        """Take one message of ASGI."""
        if message["type"] == "http.response.start":
            self.status, self.headers = message["status"], list(message["headers"])
        else:
            self.body += message.get("body", b"")


async def serve(dictionary: Dictionary, headers: list[tuple[bytes, bytes]], body: bytes) -> Served:
    """Answer one request.

    Neither `Host` nor `Origin` is checked: every site may ask, as it may ask all that is read here, no cookie counts,
    and there is nothing that a page could reach by this address and not by the others.
    """
    server = Server(
        "abhidhan",
        title="Abhidhan",
        version=_version(),
        instructions=INSTRUCTIONS,
        on_list_tools=_list_tools,
        on_call_tool=_Caller(dictionary).call,
        get_tool_input_schema=lambda name: _schemas().get(name),
    )
    manager = StreamableHTTPSessionManager(server, json_response=True, stateless=True)
    served, waiting = Served(), [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> dict[str, Any]:
        # The body is here; that the client goes away is not noticed, since no answer takes long.
        return waiting.pop() if waiting else await asyncio.Future()

    scope = {"type": "http", "method": "POST", "path": "/mcp", "query_string": b"", "headers": headers}
    async with manager.run():
        await manager.handle_request(scope, receive, served.send)
    return served


@cache
def _version() -> str:
    """Return the version of the program; to read it takes longer than to answer."""
    return version("abhidhan")


@cache
def _schemas() -> dict[str, dict[str, Any]]:
    return {tool.name: tool.schema() for tool in tools.TOOLS.values()}


@cache
def _described() -> tuple[Tool, ...]:
    return tuple(
        Tool(
            name=tool.name,
            title=tool.title,
            description=tool.description,
            input_schema=_schemas()[tool.name],
            annotations=ToolAnnotations(title=tool.title, read_only_hint=True, open_world_hint=False),
        )
        for tool in tools.TOOLS.values()
    )


async def _list_tools(_context: object, _params: object) -> ListToolsResult:
    return ListToolsResult(tools=list(_described()))


class _Caller:
    """Calls tools over one dictionary."""

    def __init__(self, dictionary: Dictionary) -> None:
        """Take the dictionary."""
        self._dictionary = dictionary

    async def call(self, _context: object, params: CallToolRequestParams) -> CallToolResult:
        """Call a tool; what is wrong about the arguments is told to the assistant, who can do better."""
        tool = tools.TOOLS.get(params.name)
        if tool is None:
            raise MCPError(INVALID_PARAMS, f"There is no such tool. There are: {', '.join(tools.TOOLS)}.")
        try:
            answer = written(await tool.call(self._dictionary, params.arguments or {}))
        # Whatever goes wrong inside is told in a sentence, and a bug of ours also to the log.
        except Exception as error:  # noqa: BLE001
            return _result(_in_words(error), is_error=True)
        return _result(answer.decode(), structured=msgspec.json.decode(answer))


def _in_words(error: Exception) -> str:
    if status_of(error) != INTERNAL_ERROR:
        return str(error)
    log_failure(error, ErrorContext("POST", "/mcp", REQUEST_ID.get()))
    return DETAIL_OF_STATUS[INTERNAL_ERROR].format(request_id=REQUEST_ID.get())


def _result(text: str, *, structured: object = None, is_error: bool = False) -> CallToolResult:
    content = [TextContent(text=text)]
    return CallToolResult(content=[*content], structured_content=structured, is_error=is_error)
