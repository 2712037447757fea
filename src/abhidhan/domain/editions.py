"""Editions, the dated downloads that stay for a while: their names, which are kept, and how one is cited."""

import re
from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, datetime
from typing import Final

import msgspec

from abhidhan.domain.citations import EVERYBODY, SITE, escaped
from abhidhan.domain.licences import licence_address, spdx_name
from abhidhan.domain.records import SourceRecord
from abhidhan.domain.sources import is_web_address

_NAME: Final = re.compile(r"(\d{4}-\d\d-\d\d)(?:-([1-9]\d{0,3}))?", re.ASCII)
TITLE: Final = "Abhidhan: the data of the dictionary"


class CitedEdition(msgspec.Struct, frozen=True):
    """An edition as it is cited: its name, day (2026-11-23) and address, its sources, the checksums of its files."""

    name: str
    day: str
    address: str
    sources: tuple[SourceRecord, ...] = ()
    sums: Mapping[str, str] = {}


def is_edition(name: str) -> bool:
    """Say whether a name is that of an edition: a day, and a number from the second of one day on."""
    return _NAME.fullmatch(name) is not None


def order(name: str) -> tuple[str, int]:
    """Return by what editions are ordered, the oldest first."""
    known = _NAME.fullmatch(name)
    return (known[1], int(known[2] or 1)) if known else ("", 0)


def next_name(made: int, known: Iterable[str]) -> str:
    """Name the edition that was made at a moment: after its day, with a number where that day has one already."""
    day = datetime.fromtimestamp(made, UTC).date().isoformat()
    numbers = [number for of_day, number in map(order, known) if of_day == day]
    return f"{day}-{max(numbers) + 1}" if numbers else day


def beyond(known: Collection[str], kept: int) -> list[str]:
    """List the editions that are kept no longer, where so many are kept."""
    oldest_first = sorted(known, key=order)
    return oldest_first[: max(0, len(oldest_first) - kept)]


def as_sums(edition: CitedEdition) -> str:
    """Write the checksums of an edition."""
    return write_sums(edition.sums)


def write_sums(sums: Mapping[str, str]) -> str:
    """Write the checksums of files as `sha256sum --check` reads them."""
    return "".join(f"{digest}  {file}\n" for file, digest in sums.items())


def as_licences(edition: CitedEdition) -> str:
    """Write where the words of an edition come from, and on what terms each may be used."""
    parts = [
        f"{TITLE}, edition {edition.name}\n{edition.address}\n",
        "Each record is under the licence of its source.\n",
    ]
    for source in edition.sources:
        told = (source.name, _terms(source.licence), source.attribution, source.url, source.notice)
        parts.append("".join(f"{_plain(line)}\n" for line in told if line))
    return "\n".join(parts)


def as_cff(edition: CitedEdition) -> str:
    """Write the citation in the Citation File Format (1.2.0). Its strings are JSON's, which YAML reads too."""
    lines = [
        "cff-version: 1.2.0",
        "message: " + _string("If you use these data, please cite this edition and the sources of what you use."),
        "type: dataset",
        "title: " + _string(TITLE),
        "authors:",
        "  - name: " + _string(EVERYBODY),
        "version: " + _string(edition.name),
        "date-released: " + _string(edition.day),
        "url: " + _string(edition.address),
    ]
    lines += [f"license: {spdx}" for spdx in _one_licence(edition.sources)]
    lines += ["references:"] if edition.sources else []
    for source in edition.sources:
        lines += _reference(source)
    return "".join(f"{line}\n" for line in lines)


def as_bibtex(edition: CitedEdition) -> str:
    """Write the citation as an entry of a BibTeX file."""
    year, month, _ = edition.day.split("-")
    fields = {
        "title": f"{{{escaped(TITLE)}}}",
        "author": f"{{{escaped(EVERYBODY)}}}",
        "publisher": SITE,
        "version": edition.name,
        "year": year,
        "month": month,
        "note": escaped("; ".join(dict.fromkeys(f"{one.name}: {one.licence}" for one in edition.sources))),
        "url": re.sub(r"[{}\\\s]", "", edition.address),
    }
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items() if value)
    return f"@misc{{abhidhan-{edition.name},\n{lines}}}\n"


def _reference(source: SourceRecord) -> list[str]:
    lines = [
        "  - type: data",
        "    title: " + _string(source.name),
        "    authors:",
        "      - name: " + _string(source.attribution or source.name),
        "    notes: " + _string(_terms(source.licence)),
    ]
    if is_web_address(source.url):
        lines.append("    url: " + _string(source.url))
    return lines


def _one_licence(sources: Collection[SourceRecord]) -> list[str]:
    """Return the licence of all sources if it is one and has a name in SPDX; the format reads several as a choice."""
    names = {spdx_name(source.licence) for source in sources}
    return [name for name in names if name] if len(names) == 1 else []


def _terms(licence: str) -> str:
    address = licence_address(licence)
    return f"{licence} ({address})" if address else licence


def _string(text: str) -> str:
    return msgspec.json.encode(_plain(text)).decode()


def _plain(text: str) -> str:
    """Return a text on one line, without signs that steer a terminal or a reader of YAML."""
    return "".join(sign for sign in " ".join(text.split()) if sign.isprintable())
