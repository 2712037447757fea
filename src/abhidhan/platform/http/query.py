"""Normalisation of query strings, before the framework parses them."""

import re
from collections.abc import Mapping
from contextlib import suppress
from enum import StrEnum
from typing import Final
from urllib.parse import unquote_to_bytes

import msgspec

from abhidhan.records.errors import InputError, Problem, sentence

MAX_PARAMETERS: Final = 100
"""Maximum number of parameters of a request, which bounds the work for a query of 64 kB."""

MAX_VALUE_LENGTH: Final = 5_000
"""Maximum length of a value in characters; handlers have their own, lower limits."""

MAX_DIGITS: Final = 18
"""Maximum number of digits of an integer, which fits the databases' integers; longer ones become the maximum."""

MAX_NUMBER_TEXT: Final = "9" * MAX_DIGITS

NOT_A_NUMBER: Final = "not a whole number"
"""Replacement of values such as `1e3` and `5.0`, which the framework would accept as integers. It is invalid, and so is
reported together with all other problems of the request."""

CONTROL_CHARACTERS: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_NUMBER: Final = re.compile(r"([+-]?)([0-9]+)")
_BROKEN_ESCAPE: Final = re.compile(rb"%(?![0-9A-Fa-f]{2})")
_PLAIN_NUMBER: Final = re.compile(rf"0|[1-9][0-9]{{,{MAX_DIGITS - 1}}}")
_PLAIN_QUERY: Final = re.compile(
    rb"[A-Za-z0-9]{1,50}=[A-Za-z0-9]{1,%d}(?:&[A-Za-z0-9]{1,50}=[A-Za-z0-9]{1,%d}){,9}"
    % (MAX_VALUE_LENGTH, MAX_VALUE_LENGTH)
)
"""A query of at most ten parameters, with ASCII letters and digits only."""

_SPACES_IN_A_LINE: Final = re.compile(r"[^\S\r\n]{2,}|[^\S \r\n]")


class ParameterKind(StrEnum):
    """The kind of normalisation of a parameter's value."""

    TEXT = "text"
    LINES = "lines"
    NUMBER = "number"


ParameterKinds = Mapping[str, ParameterKind]

DEFAULT_PARAMETER_KINDS: Final[ParameterKinds] = {
    "pa": ParameterKind.LINES,
    "lim": ParameterKind.NUMBER,
    "limit": ParameterKind.NUMBER,
    "offset": ParameterKind.NUMBER,
    "p": ParameterKind.NUMBER,
    "set": ParameterKind.NUMBER,
}
"""Default kinds of parameters by name, for all paths; all others are text."""


class CleanQuery(msgspec.Struct, frozen=True):
    """A normalised query: its parameters sorted by name, and their canonical encoding."""

    pairs: tuple[tuple[str, str], ...]
    encoded: bytes


MAX_CACHED_QUERIES: Final = 2048
MAX_CACHED_QUERY_LENGTH: Final = 300
QUERY_CACHE_BYTES: Final = MAX_CACHED_QUERIES * (MAX_CACHED_QUERY_LENGTH * 5 + 1000)
"""Maximum number of cached raw queries, their maximum length, and the maximum memory of the cache in bytes."""


class QueryCleaner:
    """Normaliser of query strings, with a cache, since clients often repeat the same few queries."""

    def __init__(self) -> None:
        """Start with an empty cache."""
        self._cache: dict[tuple[str, bytes], CleanQuery] = {}

    def clean(self, path: str, raw: bytes, kinds: ParameterKinds | None) -> CleanQuery:
        """Return the normalised form of a path's raw query, as `clean_query` does."""
        cleaned = self._cache.get((path, raw))
        if cleaned is None:
            cleaned = clean_query(raw, kinds)
            if len(raw) + len(path) <= MAX_CACHED_QUERY_LENGTH:
                if len(self._cache) >= MAX_CACHED_QUERIES:
                    self._cache.clear()
                self._cache[path, raw] = cleaned
        return cleaned


def clean_query(raw: bytes, known_kinds: ParameterKinds | None = None) -> CleanQuery:
    """Normalise a raw query string; with `known_kinds`, drop parameters of other names.

    Raises InputError with every parameter that is not valid percent-encoded UTF-8 or contains control characters.
    """
    if not raw:
        return CleanQuery((), b"")
    kinds = DEFAULT_PARAMETER_KINDS if known_kinds is None else known_kinds
    if (
        _PLAIN_QUERY.fullmatch(raw)
        and (plain := _clean_plain_query(raw, kinds, accepts_all=known_kinds is None)) is not None
    ):
        return plain
    pairs: list[tuple[str, str]] = []
    problems: list[Problem] = []
    for name, raw_value in sorted(_split_last_values(raw).items()):
        if known_kinds is not None and name not in known_kinds:
            continue
        try:
            value = _clean_value(name, raw_value, kinds.get(name, ParameterKind.TEXT))
        except InputError as error:
            problems.extend(error.problems)
        else:
            if value:
                pairs.append((name, value))
    if problems:
        raise InputError(*problems)
    encoded = "&".join([f"{_escape(name)}={_escape(value)}" for name, value in pairs]).encode("ascii")
    return CleanQuery(tuple(pairs), encoded)


def _clean_plain_query(raw: bytes, kinds: ParameterKinds, *, accepts_all: bool) -> CleanQuery | None:
    """Normalise a query of ASCII letters and digits, which needs no decoding, in a third of the time.

    Return None if a number may not be in its canonical form.
    """
    values = dict([part.split("=") for part in raw.decode("ascii").split("&")])
    pairs = sorted(values.items()) if accepts_all else sorted([pair for pair in values.items() if pair[0] in kinds])
    for name, value in pairs:
        if kinds.get(name) is ParameterKind.NUMBER and not _PLAIN_NUMBER.fullmatch(value):
            return None
    return CleanQuery(tuple(pairs), "&".join(map("=".join, pairs)).encode())


def clean_text(text: str) -> str:
    """Collapse white space (including tabs, line ends and no-break spaces) to single spaces, and trim."""
    return " ".join(text.split())


def clean_lines(text: str) -> str:
    """Collapse white space within lines, and trim each line and the whole text; line ends are preserved."""
    single = _SPACES_IN_A_LINE.sub(" ", text)
    for line_end in ("\n", "\r"):
        single = single.replace(" " + line_end, line_end).replace(line_end + " ", line_end)
    return single.strip()


def clean_number(text: str) -> str:
    """Return the canonical form of an integer: no plus sign, no leading zeros, at most `MAX_DIGITS` digits.

    Only ASCII digits are accepted. Anything else becomes `NOT_A_NUMBER`, which every parser rejects.
    """
    match = _NUMBER.fullmatch(text)
    if not match:
        return NOT_A_NUMBER
    sign, digits = match[1], match[2].lstrip("0") or "0"
    whole = digits if len(digits) <= MAX_DIGITS else MAX_NUMBER_TEXT
    return "-" + whole if sign == "-" and whole != "0" else whole


def _escape(text: str) -> str:
    """Percent-encode a text for a query string, unless it consists of ASCII letters and digits."""
    return text if text.isascii() and text.isalnum() else "%" + text.encode().hex("%")


def _split_last_values(raw: bytes) -> dict[str, bytes]:
    """Split a query at `&`. The last value of a repeated parameter wins; names that are not UTF-8 are dropped."""
    if raw.count(b"&") >= MAX_PARAMETERS:
        raise InputError.of("query", sentence("A request may have at most %(most)s parameters.", most=MAX_PARAMETERS))
    values: dict[str, bytes] = {}
    for part in raw.split(b"&"):
        name, _, value = part.partition(b"=")
        if not name.isalnum():
            name = unquote_to_bytes(name.replace(b"+", b" "))
        with suppress(UnicodeDecodeError):
            values[name.decode().strip()] = value
    values.pop("", None)
    return values


def _clean_value(name: str, raw: bytes, kind: ParameterKind) -> str:
    if raw.isalnum() and kind is not ParameterKind.NUMBER and len(raw) <= MAX_VALUE_LENGTH:
        # ASCII letters and digits need no decoding or cleaning.
        return raw.decode("ascii")
    if _BROKEN_ESCAPE.search(raw):
        raise InputError.of(
            name,
            sentence(
                "`%(parameter)s` contains a %% not followed by two hexadecimal digits; write the sign itself as %%25.",
                parameter=name,
            ),
        )
    try:
        text = _unescape(raw).decode()
    except UnicodeDecodeError:
        raise InputError.of(
            name, sentence("`%(parameter)s` must be percent-encoded UTF-8 text.", parameter=name)
        ) from None
    if match := CONTROL_CHARACTERS.search(text):
        raise InputError.of(
            name,
            sentence(
                "`%(parameter)s` must not contain control characters (%(found)s was found).",
                parameter=name,
                found=f"U+{ord(match[0]):04X}",
            ),
        )
    value = _CLEANERS[kind](text)
    if len(value) > MAX_VALUE_LENGTH:
        raise InputError.of(
            name,
            sentence(
                "`%(parameter)s` is too long: at most %(most)s characters.",
                parameter=name,
                most=f"{MAX_VALUE_LENGTH:,}",
            ),
        )
    return value


def _unescape(raw: bytes) -> bytes:
    """Decode valid percent-encoding; values that consist of escapes only, such as Assamese text, are decoded faster."""
    spaced = raw.replace(b"+", b"%20")
    if len(spaced) == 3 * spaced.count(b"%"):
        return bytes.fromhex(spaced.replace(b"%", b"").decode("ascii"))
    return unquote_to_bytes(spaced)


def _clean_number_or_blank(text: str) -> str:
    trimmed = clean_text(text)
    return clean_number(trimmed) if trimmed else ""


_CLEANERS: Final = {
    ParameterKind.TEXT: clean_text,
    ParameterKind.LINES: clean_lines,
    ParameterKind.NUMBER: _clean_number_or_blank,
}
