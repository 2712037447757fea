"""ETags: made of the bytes of an answer, and compared with `If-None-Match` (RFC 9110, sections 8.8.3 and 13.1.2)."""

from hashlib import blake2b


def tag_of(body: bytes) -> bytes:
    """Make the strong ETag of these very bytes."""
    return b'"%b"' % blake2b(body, digest_size=12).hexdigest().encode()


def is_among(tag: bytes, asked: bytes) -> bool:
    """Return whether `If-None-Match` names this ETag: a list, weak ones, or `*`."""
    if asked == tag:
        return True
    names = [part.strip().removeprefix(b"W/") for part in asked.split(b",")]
    return tag in names or names == [b"*"]
