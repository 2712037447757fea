"""Client of the public API of a dictionary server, which raises ToolError with a readable message."""

import asyncio
import json
import re
import time
from collections.abc import Mapping
from typing import Any, Final, Self

import httpx2
from mcp.server.mcpserver.exceptions import ToolError

STEP_TIMEOUT_SECONDS: Final = 10
TOTAL_TIMEOUT_SECONDS: Final = 20
"""Maximum time of a whole request; `STEP_TIMEOUT_SECONDS` limits each step, such as connecting or reading."""

MAX_RESPONSE_BYTES: Final = 4 * 1024 * 1024
MAX_DETAIL_LENGTH: Final = 500
LANGUAGES_CACHE_SECONDS: Final = 3600

TOOL_PARAMETERS: Final = {"w": "text", "q": "text", "pa": "text", "fj": "text", "l": "language", "lang": "language"}
"""Names of the tools' parameters, by the names of the API parameters in its error messages."""


class ApiClient:
    """Client of the public API of one server. It pools connections: use it as an async context manager."""

    def __init__(self, url: str, transport: httpx2.AsyncBaseTransport | None = None) -> None:
        """Create the client of the server at `url`; `transport` replaces the network in tests."""
        self._client = httpx2.AsyncClient(
            base_url=url, timeout=STEP_TIMEOUT_SECONDS, transport=transport, headers={"User-Agent": "abhidhan-mcp"}
        )
        self._codes: dict[int, str] = {}
        self._codes_expire_at = 0.0

    async def __aenter__(self) -> Self:
        """Open the client."""
        await self._client.__aenter__()
        return self

    async def __aexit__(self, *_error: object) -> None:
        """Close its connections."""
        await self._client.aclose()

    async def get(self, path: str, parameters: Mapping[str, str | int | None] | None = None) -> Any:  # noqa: ANN401 (JSON)
        """Return the decoded JSON of a path of the API. Raises ToolError."""
        params = {name: value for name, value in (parameters or {}).items() if value is not None}
        try:
            async with (
                asyncio.timeout(TOTAL_TIMEOUT_SECONDS),
                self._client.stream("GET", path, params=params) as response,
            ):
                body = await _read_body(response)
        except (TimeoutError, httpx2.TimeoutException):
            raise ToolError("The dictionary did not answer in time. Try again later, or with a shorter text.") from None
        except httpx2.HTTPError:
            raise ToolError("The dictionary cannot be reached at the moment. Try again later.") from None
        answer = _parse_json(body)
        if response.status_code != httpx2.codes.OK:
            raise ToolError(_format_error(response, answer))
        if answer is None:
            raise ToolError("The dictionary did not answer with JSON: its operator should check ABHIDHAN_URL.")
        return answer

    async def language_codes(self) -> dict[int, str]:
        """Return the codes of the languages by ID, from a cache of one hour. Raises ToolError."""
        if time.monotonic() >= self._codes_expire_at:
            languages = (await self.get("/api/languages"))["data"]
            self._codes = {language["id"]: language["code"] for language in languages}
            self._codes_expire_at = time.monotonic() + LANGUAGES_CACHE_SECONDS
        return self._codes


async def _read_body(response: httpx2.Response) -> bytes:
    """Read a body, up to the maximum size after decompression. Raises ToolError."""
    body = bytearray()
    async for chunk in response.aiter_bytes():
        body += chunk
        if len(body) > MAX_RESPONSE_BYTES:
            raise ToolError("The answer is too long. Ask with fewer words, or name fewer languages in `langs`.")
    return bytes(body)


def _parse_json(body: bytes) -> Any:  # noqa: ANN401 (JSON)
    """Parse a JSON body; return None for any other content, such as the error page of a proxy."""
    try:
        return json.loads(body)
    except ValueError:
        return None


def _format_error(response: httpx2.Response, answer: object) -> str:
    """Format the message of an error response; add the time of the header Retry-After unless the message names it."""
    detail = answer.get("detail") if isinstance(answer, dict) else None
    sentence = str(detail or f"The dictionary answered with status {response.status_code}.")[:MAX_DETAIL_LENGTH]
    sentence = re.sub(r"`(\w+)`", lambda match: f"`{TOOL_PARAMETERS.get(match[1], match[1])}`", sentence)
    retry_after = response.headers.get("Retry-After", "")
    is_time_missing = retry_after.isdecimal() and "Try again in" not in sentence
    return f"{sentence} Try again after {retry_after} seconds." if is_time_missing else sentence
