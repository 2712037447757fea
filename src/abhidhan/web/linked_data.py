"""Linked data as an answer: a JSON-LD document, where a client asked for one by `Accept`."""

from litestar import Response

from abhidhan.domain.linked_data import MEDIA_TYPE, Node
from abhidhan.web.answers import written


def linked(document: Node) -> Response[bytes]:
    """Answer with a JSON-LD document."""
    return Response(written(document), media_type=MEDIA_TYPE)
