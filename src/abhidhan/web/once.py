"""The key by which the server knows a request that is sent again."""

from typing import Any, Final

from litestar import Request

from abhidhan.errors import InputError

LONGEST_ONCE: Final = 100


def once_of(request: Request[Any, Any, Any]) -> str | None:
    """Return the key that a sender has chosen for what is sent, if any. Raises InputError."""
    key = request.headers.get("idempotency-key")
    if key is not None and len(key) > LONGEST_ONCE:
        raise InputError.of("Idempotency-Key", f"`Idempotency-Key` must have at most {LONGEST_ONCE} characters.")
    return key
