"""The query made clean, or what is wrong with it, in front of the framework's own parsing."""

import re
from collections.abc import Mapping
from contextlib import suppress
from enum import StrEnum
from typing import Final
from urllib.parse import unquote_to_bytes

import msgspec

from abhidhan.records.errors import InputError, Problem, sentence

MOST_PARAMETERS: Final = 100
"""More in one request is nobody's question; it also bounds the work that a query of 64 kB can cause."""

LONGEST_VALUE: Final = 5_000
"""Characters of the longest value that any address takes; each address says its own limit itself."""

LONGEST_NUMBER: Final = 18
"""Digits of the greatest whole number, which fits every database's integer. A longer one counts as it."""

GREATEST_NUMBER: Final = "9" * LONGEST_NUMBER

NOT_A_NUMBER: Final = "not a whole number"
"""Stands in for `1e3`, `5.0` and the like, which the parser behind would take for whole numbers: so they are
reported together with everything else that is wrong with the request."""

CONTROL_CHARACTERS: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_NUMBER: Final = re.compile(r"([+-]?)([0-9]+)")
_BROKEN_ESCAPE: Final = re.compile(rb"%(?![0-9A-Fa-f]{2})")
_PLAIN_NUMBER: Final = re.compile(rf"0|[1-9][0-9]{{,{LONGEST_NUMBER - 1}}}")
_PLAIN_QUERY: Final = re.compile(
    rb"[A-Za-z0-9]{1,50}=[A-Za-z0-9]{1,%d}(?:&[A-Za-z0-9]{1,50}=[A-Za-z0-9]{1,%d}){,9}" % (LONGEST_VALUE, LONGEST_VALUE)
)
"""At most ten parameters, each of one value."""

_SPACES_IN_A_LINE: Final = re.compile(r"[^\S\r\n]{2,}|[^\S \r\n]")


class Kind(StrEnum):
    """The way in which the value of a parameter is cleaned."""

    TEXT = "text"
    LINES = "lines"
    NUMBER = "number"


Kinds = Mapping[str, Kind]

DEFAULT_KINDS: Final[Kinds] = {
    "pa": Kind.LINES,
    "lim": Kind.NUMBER,
    "limit": Kind.NUMBER,
    "offset": Kind.NUMBER,
    "p": Kind.NUMBER,
    "set": Kind.NUMBER,
}
"""Kinds of parameters known by their name whatever the address; any other name is text."""


class CleanQuery(msgspec.Struct, frozen=True):
    """The parameters that count, sorted by name, and the same written as one canonical query string."""

    pairs: tuple[tuple[str, str], ...]
    encoded: bytes


MAX_SPELLINGS: Final = 2048
MAX_SPELLING_LENGTH: Final = 300
SPELLINGS_BYTES: Final = MAX_SPELLINGS * (MAX_SPELLING_LENGTH * 5 + 1000)
"""Maximum number of raw queries whose clean form is cached, their maximum length, and the memory they take."""


class QueryCleaner:
    """Clean queries, and remember the clean form of raw ones: the same few are asked again and again."""

    def __init__(self) -> None:
        """Remember none."""
        self._known: dict[tuple[str, bytes], CleanQuery] = {}

    def clean(self, path: str, raw: bytes, kinds: Kinds | None) -> CleanQuery:
        """Return the clean form of the raw query of a path, as `clean_query` does."""
        known = self._known.get((path, raw))
        if known is None:
            known = clean_query(raw, kinds)
            if len(raw) + len(path) <= MAX_SPELLING_LENGTH:
                if len(self._known) >= MAX_SPELLINGS:
                    self._known.clear()
                self._known[path, raw] = known
        return known


def clean_query(raw: bytes, known: Kinds | None = None) -> CleanQuery:
    """Clean a raw query string; with `known`, parameters of other names are left out.

    Raises InputError, naming every parameter that is not UTF-8, not percent-encoded or holds a control character.
    """
    if not raw:
        return CleanQuery((), b"")
    kinds = DEFAULT_KINDS if known is None else known
    if _PLAIN_QUERY.fullmatch(raw) and (plain := _plain_query(raw, kinds, takes_every=known is None)) is not None:
        return plain
    pairs: list[tuple[str, str]] = []
    problems: list[Problem] = []
    for name, raw_value in sorted(_last_values(raw).items()):
        if known is not None and name not in known:
            continue
        try:
            value = _clean_value(name, raw_value, kinds.get(name, Kind.TEXT))
        except InputError as error:
            problems.extend(error.problems)
        else:
            if value:
                pairs.append((name, value))
    if problems:
        raise InputError(*problems)
    encoded = "&".join([f"{_escape(name)}={_escape(value)}" for name, value in pairs]).encode("ascii")
    return CleanQuery(tuple(pairs), encoded)


def _plain_query(raw: bytes, kinds: Kinds, *, takes_every: bool) -> CleanQuery | None:
    """Clean a query of ASCII letters and digits, in which nothing is escaped or wrong, in a third of the time.

    None for one with a number that may be written otherwise.
    """
    given = dict([part.split("=") for part in raw.decode("ascii").split("&")])
    pairs = sorted(given.items()) if takes_every else sorted([pair for pair in given.items() if pair[0] in kinds])
    for name, value in pairs:
        if kinds.get(name) is Kind.NUMBER and not _PLAIN_NUMBER.fullmatch(value):
            return None
    return CleanQuery(tuple(pairs), "&".join(map("=".join, pairs)).encode())


def clean_text(text: str) -> str:
    """Collapse white space (tabs, line ends and no-break space included) to one space, and trim."""
    return " ".join(text.split())


def clean_lines(text: str) -> str:
    """Collapse the white space within lines, keeping the line ends as they are, and trim every line and the whole."""
    single = _SPACES_IN_A_LINE.sub(" ", text)
    for line_end in ("\n", "\r"):
        single = single.replace(" " + line_end, line_end).replace(line_end + " ", line_end)
    return single.strip()


def clean_number(text: str) -> str:
    """Write a whole number in one way: no plus sign, no leading zeros, at most `LONGEST_NUMBER` digits.

    ASCII digits only. Anything else becomes `NOT_A_NUMBER`, which no parser takes for a number.
    """
    found = _NUMBER.fullmatch(text)
    if not found:
        return NOT_A_NUMBER
    sign, digits = found[1], found[2].lstrip("0") or "0"
    whole = digits if len(digits) <= LONGEST_NUMBER else GREATEST_NUMBER
    return "-" + whole if sign == "-" and whole != "0" else whole


def _escape(text: str) -> str:
    """Escape all but letters and digits of ASCII for a query string."""
    return text if text.isascii() and text.isalnum() else "%" + text.encode().hex("%")


def _last_values(raw: bytes) -> dict[str, bytes]:
    """Split the query at `&`; of a repeated parameter the last counts; a name that cannot be read is unknown."""
    if raw.count(b"&") >= MOST_PARAMETERS:
        raise InputError.of("query", sentence("A request may have at most %(most)s parameters.", most=MOST_PARAMETERS))
    values: dict[str, bytes] = {}
    for part in raw.split(b"&"):
        name, _, value = part.partition(b"=")
        if not name.isalnum():
            name = unquote_to_bytes(name.replace(b"+", b" "))
        with suppress(UnicodeDecodeError):
            values[name.decode().strip()] = value
    values.pop("", None)
    return values


def _clean_value(name: str, raw: bytes, kind: Kind) -> str:
    if raw.isalnum() and kind is not Kind.NUMBER and len(raw) <= LONGEST_VALUE:
        # Letters and digits of ASCII, as most words of most queries: nothing in them can be escaped or wrong.
        return raw.decode("ascii")
    if _BROKEN_ESCAPE.search(raw):
        raise InputError.of(
            name,
            sentence(
                "`%(parameter)s` has a %% that two hexadecimal digits do not follow; the sign itself is written %%25.",
                parameter=name,
            ),
        )
    try:
        text = _unescape(raw).decode()
    except UnicodeDecodeError:
        raise InputError.of(
            name, sentence("`%(parameter)s` must be percent-encoded UTF-8 text.", parameter=name)
        ) from None
    if found := CONTROL_CHARACTERS.search(text):
        raise InputError.of(
            name,
            sentence(
                "`%(parameter)s` must not contain control characters (%(found)s was found).",
                parameter=name,
                found=f"U+{ord(found[0]):04X}",
            ),
        )
    value = _CLEANERS[kind](text)
    if len(value) > LONGEST_VALUE:
        raise InputError.of(
            name,
            sentence(
                "`%(parameter)s` is far too long: no parameter takes more than %(most)s characters.",
                parameter=name,
                most=f"{LONGEST_VALUE:,}",
            ),
        )
    return value


def _unescape(raw: bytes) -> bytes:
    """Undo percent-encoding, known to be whole. A value that is escapes only, as Assamese is, goes the fast way."""
    spaced = raw.replace(b"+", b"%20")
    if len(spaced) == 3 * spaced.count(b"%"):
        return bytes.fromhex(spaced.replace(b"%", b"").decode("ascii"))
    return unquote_to_bytes(spaced)


def _clean_number_or_blank(text: str) -> str:
    trimmed = clean_text(text)
    return clean_number(trimmed) if trimmed else ""


_CLEANERS: Final = {Kind.TEXT: clean_text, Kind.LINES: clean_lines, Kind.NUMBER: _clean_number_or_blank}
