"""Parts of a file, as `Range` and `If-Range` ask for them (RFC 9110, section 14)."""

import re
from collections.abc import Mapping
from email.utils import formatdate, parsedate_to_datetime
from typing import Final, NamedTuple

_RANGE: Final = re.compile(r"\s*bytes\s*=\s*(\d{0,18})\s*-\s*(\d{0,18})\s*", re.ASCII | re.IGNORECASE)


class ByteRange(NamedTuple):
    """Bytes of a file: the first, and how many."""

    first: int
    length: int

    def described(self, size: int) -> str:
        """Write it as `Content-Range` does."""
        return f"bytes {self.first}-{self.first + self.length - 1}/{size}"


def http_date(seconds: int) -> str:
    """Write a moment as HTTP headers do."""
    return formatdate(seconds, usegmt=True)


def read_range(header: str, size: int) -> ByteRange | None:
    """Read which part is asked for; None when it is the whole, or several parts, which are answered with the whole.

    Raises ValueError for a part that the file does not have.
    """
    found = _RANGE.fullmatch(header)
    if found is None or found[1] == found[2] == "":
        return None
    if not found[1]:
        length = min(int(found[2]), size)
        if not length:
            raise ValueError(header)
        return ByteRange(size - length, length)
    first = int(found[1])
    last = min(int(found[2]), size - 1) if found[2] else size - 1
    if found[2] and int(found[2]) < first:
        return None
    if first >= size:
        raise ValueError(header)
    return ByteRange(first, last - first + 1)


def is_same(condition: str, tag: str, modified: int) -> bool:
    """Return whether `If-Range` names these very bytes: by their ETag, or by the moment they were made."""
    return condition in {tag, http_date(modified)}


def is_unchanged(headers: Mapping[str, str], tag: str, modified: int) -> bool:
    """Return whether who asks has these bytes: by `If-None-Match`, or where that is not sent by `If-Modified-Since`."""
    tags = headers.get("if-none-match")
    if tags is not None:
        names = [part.strip().removeprefix("W/") for part in tags.split(",")]
        return tag in names or names == ["*"]
    try:
        return modified <= parsedate_to_datetime(headers.get("if-modified-since", "")).timestamp()
    except (ValueError, OverflowError):
        return False
