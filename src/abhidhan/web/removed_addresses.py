"""Addresses of older versions that answer 410 and name what does their work now."""

from typing import Final, NoReturn

from litestar import HttpMethod, route
from litestar.types import ControllerRouterHandler

from abhidhan.errors import GoneError

MCP_REMOVED: Final = (
    "This server no longer speaks MCP itself. Assistants use the package abhidhan-mcp, a client of this API: "
    "packages/abhidhan-mcp/README.md in the source of this program explains how to install it."
)


@route("/mcp", http_method=[HttpMethod.GET, HttpMethod.POST, HttpMethod.DELETE], include_in_schema=False)
async def refuse_mcp() -> NoReturn:
    """Answer 410 to clients of the Model Context Protocol. Raises GoneError."""
    raise GoneError(MCP_REMOVED)


REMOVED_ADDRESSES: Final[tuple[ControllerRouterHandler, ...]] = (refuse_mcp,)
