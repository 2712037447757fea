"""Linked data as an answer: a JSON-LD document, where a client asked for one by `Accept`."""

from litestar import Response

from abhidhan.formats.linked_data import Node
from abhidhan.platform.http.json_codec import encode_json
from abhidhan.platform.http.request_headers import LINKED_DATA_TYPE


def linked(document: Node) -> Response[bytes]:
    """Answer with a JSON-LD document."""
    return Response(encode_json(document), media_type=LINKED_DATA_TYPE)
