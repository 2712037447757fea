"""Bibliographies as BibTeX has them: who has written each work, and when."""

import re
from collections.abc import Iterator
from typing import Final

from abhidhan.formats.content_streams import Content

LARGEST: Final = 16 * 1024 * 1024

_ENTRY: Final = re.compile(r"^@\w+\s*\{\s*([^,\s]+)\s*,", re.MULTILINE)
_FIELD: Final = re.compile(
    r"""^\s*(author|editor|year)\s*=\s*(?:\{(.*)\}|"(.*)"|(\d+))\s*,?\s*$""", re.MULTILINE | re.IGNORECASE
)
_KEY: Final = re.compile(r"([^\W\d]+?)(\d{4})[A-Za-z]*")
_LATIN: Final = re.compile(r"[A-Za-z\u00c0-\u024f]")
_MARKS: Final = re.compile(r"[{}]|\\.")
MOST_AUTHORS: Final = 2


def read_works(content: Content) -> dict[str, str]:
    """Read what each work is called in short ("Marrison 1967"), by its key."""
    text = content.stream.read(LARGEST).decode("utf-8", "replace")
    return dict(_works(text))


def _works(text: str) -> Iterator[tuple[str, str]]:
    entries = list(_ENTRY.finditer(text))
    for place, entry in enumerate(entries):
        end = entries[place + 1].start() if place + 1 < len(entries) else len(text)
        told = {
            found[1].lower(): found[2] or found[3] or found[4] or ""
            for found in _FIELD.finditer(text, entry.end(), end)
        }
        yield entry[1], _called(entry[1], told)


def _called(key: str, told: dict[str, str]) -> str:
    """Call a work by its authors and year; where these are not told, by its key, which often has both."""
    names = [_surname(name) for name in re.split(r"\s+and\s+", told.get("author") or told.get("editor") or "") if name]
    by_key = _KEY.fullmatch(key)
    if by_key and any(not _LATIN.match(name) for name in names):
        names = [by_key[1]]
    who = f"{names[0]} and others" if len(names) > MOST_AUTHORS else " and ".join(names)
    who = who or (by_key[1] if by_key else key)
    year = told.get("year", "").strip() or (by_key[2] if by_key else "")
    return f"{who} {year}".strip()


def _surname(name: str) -> str:
    plain = _MARKS.sub("", name).strip()
    return plain.partition(",")[0].strip() if "," in plain else plain.split()[-1] if plain.split() else ""
