"""Linked data as an answer: a JSON-LD document, where a client asked for one by `Accept`."""

from typing import Any, Final

from litestar import Request, Response
from litestar.datastructures import State

from abhidhan.domain.linked_data import MEDIA_TYPE, Node
from abhidhan.web.answers import written

BASE_URL: Final = "base_url"
"""The key of the address under which the world sees the site in the application's state; empty where none is set."""


def linked(document: Node) -> Response[bytes]:
    """Answer with a JSON-LD document."""
    return Response(written(document), media_type=MEDIA_TYPE)


def base_url_of(request: Request[Any, Any, State]) -> str:
    """Return the address of the site that the operator has set, or nothing.

    Not the host that a request names: an answer that is kept would show everybody what one client wrote there.
    """
    base_url: str = request.app.state.get(BASE_URL, "")
    return base_url
