"""Readable paths of pages: letters of any script are not percent-encoded."""

import re
from collections.abc import Iterable
from typing import Final
from urllib.parse import quote, quote_plus, urlencode

_NOT_IN_A_PATH: Final = re.compile(
    r"[\x00-\x20\"#%<>?\[\\\]^`{|}\x7f-\xa0\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]"
)
_PLAIN_DOTS: Final = {".": "%2E", "..": "%2E%2E"}


def word_address(word: str) -> str:
    """Return the path of a word's page; slashes in a word are not escaped."""
    return f"/dic/{_readable(word)}"


def context_address(name: str) -> str:
    """Return the path of a context's page."""
    return f"/context/{_readable(name)}"


def with_query(path: str, **parameters: object) -> str:
    """Add parameters to a path; those without a value are left out."""
    pairs = [f"{name}={quote_plus(str(value))}" for name, value in parameters.items() if value not in {None, "", 0}]
    return f"{path}?{'&'.join(pairs)}" if pairs else path


def list_address(path: str, word_ids: Iterable[int], name: str = "") -> str:
    """Return the path of a list with its word IDs in the query; commas are not escaped, for readable links."""
    parameters = {"words": ",".join(map(str, word_ids))} | ({"name": name} if name else {})
    return f"{path}?{urlencode(parameters, safe=',')}"


def absolute(base: str, address: str) -> str:
    """Return `base` with a path appended, in which all non-ASCII characters are percent-encoded."""
    return base + quote(address, safe="/%:?&=#+,;@!$'()*~")


def local_address(address: str) -> str:
    """Return a path of this site unchanged, and `/` for any other address, to prevent open redirects."""
    inside = address.startswith("/") and not address.startswith(("//", "/\\"))
    return address if inside and not re.search(r"[\x00-\x20\\\x7f]", address) else "/"


def _readable(text: str) -> str:
    return _PLAIN_DOTS.get(text) or _NOT_IN_A_PATH.sub(lambda found: quote(found[0]), text)
