"""Sources and licences: the provenance of records, and the terms of their use and contribution."""

import re
from typing import Final, TypeGuard

import msgspec

from abhidhan.records.errors import InputError, sentence

_WEB_URL: Final = re.compile(r"https?://[^\s/?#].*", re.IGNORECASE)


def is_web_url(url: str | None) -> TypeGuard[str]:
    """Return whether a URL may be linked: `http` or `https`, not `javascript` or `data`."""
    return url is not None and _WEB_URL.fullmatch(url) is not None


class Source(msgspec.Struct, frozen=True):
    """A source. `notice` is a note for readers about its records, such as that they have not been reviewed."""

    id: int
    code: str
    name: str
    licence: str
    url: str | None
    attribution: str | None
    notice: str | None

    @property
    def link(self) -> str | None:
        """The URL if it may be linked, else None; older versions stored any text."""
        return self.url if is_web_url(self.url) else None


DEFAULT_LICENCE: Final = "CC BY-SA 4.0"
MAX_LICENCE_LENGTH: Final = 200

_CREATIVE_COMMONS: Final = re.compile(r"CC (BY(?:-NC)?(?:-SA|-ND)?) ([1-4]\.[0-9])", re.ASCII)
_PUBLIC_DOMAIN: Final = re.compile(r"CC0(?: (1\.0))?", re.ASCII)
_SPDX_IDENTIFIERS: Final = frozenset(
    {"Apache-2.0", "CC0-1.0", "CC-BY-4.0", "CC-BY-SA-3.0", "CC-BY-SA-4.0", "MIT", "Unicode-3.0"}
)


def licence_url(name: str) -> str | None:
    """Return the URL of a Creative Commons licence by its name, or None for other licences."""
    if match := _CREATIVE_COMMONS.fullmatch(name):
        return f"https://creativecommons.org/licenses/{match[1].lower()}/{match[2]}/"
    return "https://creativecommons.org/publicdomain/zero/1.0/" if _PUBLIC_DOMAIN.fullmatch(name) else None


def spdx_identifier(name: str) -> str | None:
    """Return the SPDX identifier of a licence, or None if it is not known."""
    if match := _CREATIVE_COMMONS.fullmatch(name):
        return f"CC-{match[1]}-{match[2]}"
    return "CC0-1.0" if _PUBLIC_DOMAIN.fullmatch(name) else name if name in _SPDX_IDENTIFIERS else None


def check_licence(licence: str, displayed_licence: str | None) -> str:
    """Return the operator's licence after checking that the form displayed the same one.

    Raises InputError if `displayed_licence` differs: the setting may change while a user fills in a form.
    """
    if displayed_licence and displayed_licence != licence:
        raise InputError.of(
            "licence",
            sentence(
                "The licence for contributions is now %(licence)s. If you agree, send this again.", licence=licence
            ),
        )
    return licence
