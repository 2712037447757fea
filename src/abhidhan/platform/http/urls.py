"""Readable paths of pages: letters of any script are not percent-encoded."""

import re
from collections.abc import Iterable
from typing import Final
from urllib.parse import quote, quote_plus, urlencode

_ESCAPED_CHARACTERS: Final = re.compile(
    r"[\x00-\x20\"#%<>?\[\\\]^`{|}\x7f-\xa0\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]"
)
_ESCAPED_DOTS: Final = {".": "%2E", "..": "%2E%2E"}


def word_address(word: str) -> str:
    """Return the path of a word's page; slashes in a word are not escaped."""
    return f"/dic/{_escape_segment(word)}"


def context_address(name: str) -> str:
    """Return the path of a context's page."""
    return f"/context/{_escape_segment(name)}"


def add_query(path: str, **parameters: object) -> str:
    """Add parameters to a path; those without a value are left out."""
    pairs = [f"{name}={quote_plus(str(value))}" for name, value in parameters.items() if value not in {None, "", 0}]
    return f"{path}?{'&'.join(pairs)}" if pairs else path


def list_address(path: str, word_ids: Iterable[int], name: str = "") -> str:
    """Return the path of a list with its word IDs in the query; commas are not escaped, for readable links."""
    parameters = {"words": ",".join(map(str, word_ids))} | ({"name": name} if name else {})
    return f"{path}?{urlencode(parameters, safe=',')}"


def build_absolute_url(base: str, address: str) -> str:
    """Return `base` with a path appended, in which all non-ASCII characters are percent-encoded."""
    return base + quote(address, safe="/%:?&=#+,;@!$'()*~")


def restrict_to_local_address(address: str) -> str:
    """Return a path of this site unchanged, and `/` for any other address, to prevent open redirects."""
    is_local = address.startswith("/") and not address.startswith(("//", "/\\"))
    return address if is_local and not re.search(r"[\x00-\x20\\\x7f]", address) else "/"


def _escape_segment(text: str) -> str:
    return _ESCAPED_DOTS.get(text) or _ESCAPED_CHARACTERS.sub(lambda found: quote(found[0]), text)
