"""The key by which the server knows a request that is sent again."""

from typing import Any, Final

from litestar import Request

from abhidhan.records.errors import InputError, sentence

LONGEST_ONCE: Final = 100


def once_of(request: Request[Any, Any, Any]) -> str | None:
    """Return the key that a sender has chosen for what is sent, if any. Raises InputError."""
    key = request.headers.get("idempotency-key")
    if key is not None and len(key) > LONGEST_ONCE:
        raise InputError.of(
            "Idempotency-Key",
            sentence("`Idempotency-Key` must have at most %(longest)s characters.", longest=LONGEST_ONCE),
        )
    return key
