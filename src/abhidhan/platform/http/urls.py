"""Addresses of the pages, written as people read them: letters of every script stand as they are."""

import re
from collections.abc import Iterable
from typing import Final
from urllib.parse import quote, quote_plus, urlencode

_NOT_IN_A_PATH: Final = re.compile(
    r"[\x00-\x20\"#%<>?\[\\\]^`{|}\x7f-\xa0\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]"
)
_PLAIN_DOTS: Final = {".": "%2E", "..": "%2E%2E"}


def word_address(word: str) -> str:
    """Write the address of a word's page; slashes in a word stand as they are."""
    return f"/dic/{_readable(word)}"


def context_address(name: str) -> str:
    """Write the address of a context's page."""
    return f"/context/{_readable(name)}"


def with_query(path: str, **parameters: object) -> str:
    """Write an address with parameters; those without a value are left out."""
    given = [f"{name}={quote_plus(str(value))}" for name, value in parameters.items() if value not in {None, "", 0}]
    return f"{path}?{'&'.join(given)}" if given else path


def list_address(path: str, word_ids: Iterable[int], name: str = "") -> str:
    """Write the address of a list that has its words in itself. Commas stand as they are: it is sent by people."""
    given = {"words": ",".join(map(str, word_ids))} | ({"name": name} if name else {})
    return f"{path}?{urlencode(given, safe=',')}"


def absolute(base: str, address: str) -> str:
    """Write a whole address as machines take it: every letter outside ASCII percent-encoded."""
    return base + quote(address, safe="/%:?&=#+,;@!$'()*~")


def local_address(address: str) -> str:
    """Take an address of this site to return to; anything else becomes the first page."""
    inside = address.startswith("/") and not address.startswith(("//", "/\\"))
    return address if inside and not re.search(r"[\x00-\x20\\\x7f]", address) else "/"


def _readable(text: str) -> str:
    return _PLAIN_DOTS.get(text) or _NOT_IN_A_PATH.sub(lambda found: quote(found[0]), text)
