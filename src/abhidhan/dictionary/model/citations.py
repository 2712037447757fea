"""Citations of an entry as text, BibTeX, RIS and CSL-JSON."""

import re
from typing import Final

import msgspec

from assamese.normalization import collapse_whitespace

SITE_NAME: Final = "Abhidhan"
COLLECTIVE_AUTHOR: Final = "The Abhidhan contributors"
MAX_NAMED_CONTRIBUTORS: Final = 6
"""Maximum number of contributors that are named; further ones are summarised."""

_BIBTEX_ESCAPES: Final = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"} | {
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


def format_text(citation: Citation) -> str:
    """Format a citation as a line of text."""
    authors = ", ".join(citation.authors)
    meaning = f": {citation.gloss}" if citation.gloss else ""
    terms = "; ".join(part for part in (citation.source and f"Source: {citation.source}", citation.licence) if part)
    return " ".join(
        part
        for part in (
            f"“{citation.headword}” ({citation.language}{meaning}).",
            f"In: {SITE_NAME}. {authors}.",
            f"Version {citation.version}, {citation.changed}.",
            f"{terms}." if terms else "",
            f"{citation.address} (accessed {citation.accessed}).",
        )
        if part
    )


def format_bibtex(citation: Citation) -> str:
    """Format a citation as a BibTeX entry."""
    year, month, _ = citation.changed.split("-")
    fields = {
        "title": f"{{{_escape(citation.headword)}}}",
        "booktitle": SITE_NAME,
        "author": " and ".join(f"{{{_escape(author)}}}" for author in citation.authors),
        "edition": f"version {citation.version}",
        "year": year,
        "month": month,
        "note": _escape(citation.note),
        # Programs read a URL without unescaping it.
        "url": re.sub(r"[{}\\\s]", "", citation.address),
        "urldate": citation.accessed,
    }
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items())
    return f"@incollection{{{citation.name},\n{lines}}}\n"


def format_ris(citation: Citation) -> str:
    """Format a citation as a RIS record."""
    lines = [
        ("TY", "DICT"),
        ("ID", citation.name),
        ("TI", citation.headword),
        ("T2", SITE_NAME),
        *(("AU", author) for author in citation.authors),
        ("PY", citation.changed[:4]),
        ("DA", citation.changed.replace("-", "/") + "/"),
        ("ET", f"version {citation.version}"),
        ("LA", citation.code),
        ("UR", citation.address),
        ("Y2", citation.accessed.replace("-", "/") + "/"),
        ("N1", citation.note),
        ("ER", ""),
    ]
    return "".join(f"{tag}  - {collapse_whitespace(value)}\r\n" for tag, value in lines)


def format_csl(citation: Citation) -> str:
    """Format a citation as CSL-JSON."""
    item = {
        "id": citation.name,
        "type": "entry-dictionary",
        "title": citation.headword,
        "container-title": SITE_NAME,
        "author": [{"literal": author} for author in citation.authors],
        "issued": _format_date(citation.changed),
        "accessed": _format_date(citation.accessed),
        "version": str(citation.version),
        "language": citation.code,
        "note": citation.note,
        "URL": citation.address,
    }
    return msgspec.json.format(msgspec.json.encode([item]), indent=2).decode() + "\n"


def _format_date(day: str) -> dict[str, list[list[int]]]:
    return {"date-parts": [[int(part) for part in day.split("-")]]}


def _escape(text: str) -> str:
    """Escape a text for a BibTeX field."""
    return "".join(_BIBTEX_ESCAPES.get(sign, sign) for sign in collapse_whitespace(text))
