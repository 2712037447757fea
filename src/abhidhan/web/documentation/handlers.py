"""The addresses of the documentation: `/api/openapi.json`, `/api/docs`, and the form that fills in a path."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from urllib.parse import quote, urlencode

import msgspec
from litestar import MediaType, Request, Response, get
from litestar.datastructures import State
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.spec import OpenAPI

from abhidhan.errors import InputError, NotFoundError
from abhidhan.web.documentation.guide import write_guide
from abhidhan.web.documentation.openapi import operations
from abhidhan.web.documentation.page import DOCUMENT, GUIDE, PLACEHOLDER, SCRIPT, STYLE, TRY, page_of
from abhidhan.web.edge.problem_kinds import DOCUMENTATION
from abhidhan.web.edge.routes import EVERY_PARAMETER


@dataclass(frozen=True)
class Documentation:
    """What is made of an OpenAPI document: document and page ready to send, and the addresses that the page can try."""

    document: bytes
    page: bytes
    to_try: frozenset[str]


def write_documentation(document: OpenAPI) -> Documentation:
    """Write document and page. It takes half a second."""
    return Documentation(
        msgspec.json.encode(document.to_schema()),
        page_of(document),
        frozenset(path for path, method, _ in operations(document) if method == "GET"),
    )


def documentation_handlers(documentation: Callable[[], Documentation], base_url: str = "") -> list[HTTPRouteHandler]:
    """Make `/api/openapi.json`, `/api/docs` and what the page needs, and the guide.

    `documentation` is called in a thread at every request, and so should cache what it returns. `base_url` is the
    address that the examples of the guide ask.
    """
    static = files("abhidhan.web") / "static"
    guide = files("abhidhan.web.documentation") / "build-an-app.md"
    return [
        _static_handler(DOCUMENT, MediaType.JSON, lambda: documentation().document),
        _static_handler(DOCUMENTATION, "text/html", lambda: documentation().page),
        _static_handler(GUIDE, "text/html", lambda: write_guide(guide.read_text(encoding="utf-8"), base_url)),
        _static_handler(STYLE, "text/css", (static / "docs.css").read_bytes),
        _static_handler(SCRIPT, "text/javascript", (static / "docs.js").read_bytes),
        _try_handler(lambda: documentation().to_try),
    ]


def _static_handler(path: str, media_type: str, body: Callable[[], bytes]) -> HTTPRouteHandler:
    @get(path, include_in_schema=False, name=path)
    async def ready_made() -> Response[bytes]:
        return Response(await asyncio.to_thread(body), media_type=media_type)

    return ready_made


def _try_handler(known: Callable[[], frozenset[str]]) -> HTTPRouteHandler:
    @get(TRY, include_in_schema=False, opt={EVERY_PARAMETER: True})
    async def fill_in(request: Request[object, object, State]) -> Response[None]:
        """Lead the form of an address with a parameter in its path to the real address."""
        address = filled_in(await asyncio.to_thread(known), dict(request.query_params))
        return Response(None, status_code=303, headers={"Location": address})

    return fill_in


def filled_in(known: frozenset[str], values: Mapping[str, str]) -> str:
    """Write the address that a form means: its path template is in `address`. Raises NotFoundError, InputError."""
    template = values.get("address", "")
    if template not in known:
        raise NotFoundError("There is no such address to try.")
    places = PLACEHOLDER.findall(template)
    if missing := [place for place in places if not values.get(place)]:
        raise InputError.of(missing[0], f"`{missing[0]}` is missing.")
    path = PLACEHOLDER.sub(lambda found: quote(values[found[1]], safe=""), template)
    rest = {name: value for name, value in values.items() if name not in {"address", *places}}
    return path + ("?" + urlencode(rest) if rest else "")
