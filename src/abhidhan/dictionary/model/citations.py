"""Citations of an entry as text, BibTeX, RIS and CSL-JSON."""

import re
from typing import Final

import msgspec

SITE: Final = "Abhidhan"
COLLECTIVE_AUTHOR: Final = "The Abhidhan contributors"
MAX_NAMED_CONTRIBUTORS: Final = 6
"""Maximum number of contributors that are named; further ones are summarised."""

_SPECIAL: Final = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"} | {
    sign: f"\\{sign}" for sign in "{}%&#_$"
}
"""Escapes of the characters that BibTeX reads as commands."""


class Citation(msgspec.Struct, frozen=True):
    """Citation of one meaning of a word in one version.

    `version` is the number of its newest change in the site's history, 0 if it was never changed; `changed` and
    `accessed` are dates (2026-11-23). `address` is the permalink with the version.
    """

    sense_id: int
    headword: str
    language: str
    code: str
    gloss: str
    address: str
    version: int
    changed: str
    accessed: str
    contributors: tuple[str, ...] = ()
    source: str = ""
    licence: str = ""

    @property
    def name(self) -> str:
        """Identifier of the citation in reference managers."""
        return f"abhidhan-{self.sense_id}-{self.version}"

    @property
    def authors(self) -> tuple[str, ...]:
        """Names of the authors: the first contributors, and the collective author for the others."""
        named = self.contributors[:MAX_NAMED_CONTRIBUTORS]
        return (*named, COLLECTIVE_AUTHOR) if not named or len(self.contributors) > len(named) else named

    @property
    def note(self) -> str:
        """Note with the language, the meaning, the source and the licence."""
        parts = (self.language, self.gloss, self.source and f"source: {self.source}", self.licence)
        return "; ".join(part for part in parts if part)


def as_text(entry: Citation) -> str:
    """Format a citation as a line of text."""
    authors = ", ".join(entry.authors)
    meaning = f": {entry.gloss}" if entry.gloss else ""
    terms = "; ".join(part for part in (entry.source and f"Source: {entry.source}", entry.licence) if part)
    return " ".join(
        part
        for part in (
            f"“{entry.headword}” ({entry.language}{meaning}).",
            f"In: {SITE}. {authors}.",
            f"Version {entry.version}, {entry.changed}.",
            f"{terms}." if terms else "",
            f"{entry.address} (accessed {entry.accessed}).",
        )
        if part
    )


def as_bibtex(entry: Citation) -> str:
    """Format a citation as a BibTeX entry."""
    year, month, _ = entry.changed.split("-")
    fields = {
        "title": f"{{{_escaped(entry.headword)}}}",
        "booktitle": SITE,
        "author": " and ".join(f"{{{_escaped(author)}}}" for author in entry.authors),
        "edition": f"version {entry.version}",
        "year": year,
        "month": month,
        "note": _escaped(entry.note),
        # Programs read a URL without unescaping it.
        "url": re.sub(r"[{}\\\s]", "", entry.address),
        "urldate": entry.accessed,
    }
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items())
    return f"@incollection{{{entry.name},\n{lines}}}\n"


def as_ris(entry: Citation) -> str:
    """Format a citation as a RIS record."""
    lines = [
        ("TY", "DICT"),
        ("ID", entry.name),
        ("TI", entry.headword),
        ("T2", SITE),
        *(("AU", author) for author in entry.authors),
        ("PY", entry.changed[:4]),
        ("DA", entry.changed.replace("-", "/") + "/"),
        ("ET", f"version {entry.version}"),
        ("LA", entry.code),
        ("UR", entry.address),
        ("Y2", entry.accessed.replace("-", "/") + "/"),
        ("N1", entry.note),
        ("ER", ""),
    ]
    return "".join(f"{tag}  - {_on_one_line(value)}\r\n" for tag, value in lines)


def as_csl(entry: Citation) -> str:
    """Format a citation as CSL-JSON."""
    item = {
        "id": entry.name,
        "type": "entry-dictionary",
        "title": entry.headword,
        "container-title": SITE,
        "author": [{"literal": author} for author in entry.authors],
        "issued": _date(entry.changed),
        "accessed": _date(entry.accessed),
        "version": str(entry.version),
        "language": entry.code,
        "note": entry.note,
        "URL": entry.address,
    }
    return msgspec.json.format(msgspec.json.encode([item]), indent=2).decode() + "\n"


def _date(day: str) -> dict[str, list[list[int]]]:
    return {"date-parts": [[int(part) for part in day.split("-")]]}


def _escaped(text: str) -> str:
    """Escape a text for a BibTeX field."""
    return "".join(_SPECIAL.get(sign, sign) for sign in _on_one_line(text))


def _on_one_line(text: str) -> str:
    return " ".join(text.split())
