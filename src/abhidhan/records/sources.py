"""Sources: where a record came from, and on what terms it may be used."""

import re
from typing import Final, TypeGuard

import msgspec

_WEB_ADDRESS: Final = re.compile(r"https?://[^\s/?#].*", re.IGNORECASE)


def is_web_address(url: str | None) -> TypeGuard[str]:
    """Return whether an address may be linked: `http` or `https`, not `javascript` or `data`."""
    return url is not None and _WEB_ADDRESS.fullmatch(url) is not None


class Source(msgspec.Struct, frozen=True):
    """A source. `notice` is what readers should know of its records, such as that nobody reviewed them yet."""

    id: int
    code: str
    name: str
    licence: str
    url: str | None
    attribution: str | None
    notice: str | None

    @property
    def link(self) -> str | None:
        """The address, where it may be linked: older versions stored any."""
        return self.url if is_web_address(self.url) else None
