"""How an entry is cited: as a line of text, as BibTeX, RIS and CSL-JSON. Pure functions of what is known of it."""

import re
from typing import Final

import msgspec

SITE: Final = "Abhidhan"
EVERYBODY: Final = "The Abhidhan contributors"
MOST_NAMED: Final = 6
"""So many contributors are named; of more, the first ones and that there are others."""

_SPECIAL: Final = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"} | {
    sign: f"\\{sign}" for sign in "{}%&#_$"
}
"""What BibTeX would read as a command."""


class Citation(msgspec.Struct, frozen=True):
    """What is cited: one meaning of a word, as it stood in one version.

    `version` is the number of the newest change to it in the history of the site, 0 for one that was never changed
    there; `changed` and `accessed` are days (2026-11-23). `address` is the one that stays, with the version.
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
        """The name under which programs keep it."""
        return f"abhidhan-{self.sense_id}-{self.version}"

    @property
    def authors(self) -> tuple[str, ...]:
        """Who is named as its authors."""
        named = self.contributors[:MOST_NAMED]
        return (*named, EVERYBODY) if not named or len(self.contributors) > len(named) else named

    @property
    def note(self) -> str:
        """What is told beside the title: the language, the meaning, the source and the licence."""
        parts = (self.language, self.gloss, self.source and f"source: {self.source}", self.licence)
        return "; ".join(part for part in parts if part)


def as_text(entry: Citation) -> str:
    """Write a citation as a line of text."""
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
    """Write a citation as an entry of a BibTeX file."""
    year, month, _ = entry.changed.split("-")
    fields = {
        "title": f"{{{_escaped(entry.headword)}}}",
        "booktitle": SITE,
        "author": " and ".join(f"{{{_escaped(author)}}}" for author in entry.authors),
        "edition": f"version {entry.version}",
        "year": year,
        "month": month,
        "note": _escaped(entry.note),
        # Programs take an address as it is.
        "url": re.sub(r"[{}\\\s]", "", entry.address),
        "urldate": entry.accessed,
    }
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items())
    return f"@incollection{{{entry.name},\n{lines}}}\n"


def as_ris(entry: Citation) -> str:
    """Write a citation as an entry of a RIS file."""
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
    """Write a citation as CSL-JSON, which reference managers read."""
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
    """Return a text as it may stand in a field of BibTeX."""
    return "".join(_SPECIAL.get(sign, sign) for sign in _on_one_line(text))


def _on_one_line(text: str) -> str:
    return " ".join(text.split())
