"""Handlers of the documentation: `/api/openapi.json`, `/api/docs`, and the target of its forms."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from urllib.parse import quote, urlencode

import msgspec
from litestar import MediaType, Request, Response, get
from litestar.datastructures import State
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.spec import OpenAPI
from markupsafe import Markup

from abhidhan.app.documentation.openapi import iter_operations
from abhidhan.app.documentation.page import (
    DOCUMENT_PATH,
    GUIDE_PATH,
    PLACEHOLDER,
    SCRIPT_PATH,
    STYLE_PATH,
    TRY_PATH,
    Guide,
    build_operation_values,
    render_guide,
    render_operations,
)
from abhidhan.platform.http.address_tree import ACCEPTS_ALL_PARAMETERS
from abhidhan.platform.http.preferences import get_interface
from abhidhan.platform.http.problem_kinds import DOCUMENTATION_PATH
from abhidhan.platform.http.rendering import PageRequest, PagesDep
from abhidhan.records.errors import InputError, NotFoundError


@dataclass(frozen=True)
class Documentation:
    """The encoded OpenAPI document, the values of its page's template, and the paths for which the page has a form."""

    document: bytes
    version: str
    operation_values: Mapping[str, object]
    tryable_paths: frozenset[str]


def build_documentation(document: OpenAPI) -> Documentation:
    """Encode the OpenAPI document, and collect the values for its page, which takes half a second."""
    return Documentation(
        msgspec.json.encode(document.to_schema()),
        document.info.version,
        build_operation_values(document),
        frozenset(path for path, method, _ in iter_operations(document) if method == "GET"),
    )


def build_documentation_handlers(
    documentation: Callable[[], Documentation], base_url: str = ""
) -> list[HTTPRouteHandler]:
    """Build the handlers of `/api/openapi.json`, `/api/docs` with its assets, and the guide.

    `documentation` is called in a thread for every request, so it should cache its result. `base_url` is used in the
    examples of the guide.
    """
    static = files("abhidhan.app.documentation") / "assets"
    return [
        _build_static_handler(DOCUMENT_PATH, MediaType.JSON, lambda: documentation().document),
        _build_page_handler(documentation),
        _build_guide_handler(base_url),
        _build_static_handler(STYLE_PATH, "text/css", (static / "docs.css").read_bytes),
        _build_static_handler(SCRIPT_PATH, "text/javascript", (static / "docs.js").read_bytes),
        _build_try_handler(lambda: documentation().tryable_paths),
    ]


def _build_static_handler(path: str, media_type: str, read_content: Callable[[], bytes]) -> HTTPRouteHandler:
    @get(path, include_in_schema=False, name=path)
    async def show_file() -> Response[bytes]:
        return Response(await asyncio.to_thread(read_content), media_type=media_type)

    return show_file


def _build_page_handler(documentation: Callable[[], Documentation]) -> HTTPRouteHandler:
    @cache
    def render_in_language(language: str) -> Markup:
        return render_operations(documentation().operation_values, language)

    @get(DOCUMENTATION_PATH, include_in_schema=False)
    async def show_api(request: PageRequest, pages: PagesDep) -> Response[str]:
        """Show the API in the reader's language, with a form to try each path."""
        language = get_interface(request.scope, request.query_params.get("interface")).language
        values = {
            "addresses": await asyncio.to_thread(render_in_language, language),
            "version": documentation().version,
            "document": DOCUMENT_PATH,
            "guide": GUIDE_PATH,
            "style": STYLE_PATH,
            "script": SCRIPT_PATH,
        }
        return pages.show(request, "api.html", values)

    return show_api


def _build_guide_handler(base_url: str) -> HTTPRouteHandler:
    source = files("abhidhan.app.documentation") / "build-an-app.md"

    @cache
    def load_guide() -> Guide:
        return render_guide(source.read_text(encoding="utf-8"), base_url)

    @get(GUIDE_PATH, include_in_schema=False)
    async def show_guide(request: PageRequest, pages: PagesDep) -> Response[str]:
        """Show the guide for app developers."""
        values = (await asyncio.to_thread(load_guide))._asdict() | {
            "style": STYLE_PATH,
            "reference": DOCUMENTATION_PATH,
        }
        return pages.show(request, "guide.html", values)

    return show_guide


def _build_try_handler(paths: Callable[[], frozenset[str]]) -> HTTPRouteHandler:
    @get(TRY_PATH, include_in_schema=False, opt={ACCEPTS_ALL_PARAMETERS: True})
    async def redirect_to_filled_path(request: Request[object, object, State]) -> Response[None]:
        """Redirect the form of a path with path parameters to the real path."""
        address = build_try_address(await asyncio.to_thread(paths), dict(request.query_params))
        return Response(None, status_code=303, headers={"Location": address})

    return redirect_to_filled_path


def build_try_address(paths: frozenset[str], values: Mapping[str, str]) -> str:
    """Return the path and query that a submitted form requests.

    The value `address` is the template of the path. Raises NotFoundError, InputError.
    """
    template = values.get("address", "")
    if template not in paths:
        raise NotFoundError("There is no such endpoint.")
    placeholders = PLACEHOLDER.findall(template)
    if missing := [placeholder for placeholder in placeholders if not values.get(placeholder)]:
        raise InputError.of(missing[0], f"`{missing[0]}` is missing.")
    path = PLACEHOLDER.sub(lambda found: quote(values[found[1]], safe=""), template)
    query = {name: value for name, value in values.items() if name not in {"address", *placeholders}}
    return path + ("?" + urlencode(query) if query else "")
