"""Citation of the downloads as a dataset, and the licences of their sources. Pure functions."""

from collections.abc import Collection
from typing import Final

import msgspec

from abhidhan.dictionary.model.citations import COLLECTIVE_AUTHOR
from abhidhan.records.kinds import SourceRecord
from abhidhan.records.sources import is_web_address, licence_address, spdx_name

TITLE: Final = "Abhidhan: the data of the dictionary"


class Dataset(msgspec.Struct, frozen=True):
    """The downloads as a dataset: their date (2026-11-23), version, URL and sources."""

    day: str
    version: str
    address: str
    sources: tuple[SourceRecord, ...] = ()


def format_licences(dataset: Dataset) -> str:
    """Format the sources of a dataset with their licences and attributions."""
    parts = [
        f"{TITLE}, version {dataset.version}\n{dataset.address}\n",
        "Each record is under the licence of its source.\n",
    ]
    for source in dataset.sources:
        lines = (source.name, _terms(source.licence), source.attribution, source.url, source.notice)
        parts.append("".join(f"{_plain(line)}\n" for line in lines if line))
    return "\n".join(parts)


def format_cff(dataset: Dataset) -> str:
    """Format the citation in the Citation File Format (1.2.0), with strings in JSON, which YAML also accepts."""
    lines = [
        "cff-version: 1.2.0",
        "message: " + _string("If you use these data, please cite this version and the sources of what you use."),
        "type: dataset",
        "title: " + _string(TITLE),
        "authors:",
        "  - name: " + _string(COLLECTIVE_AUTHOR),
        "version: " + _string(dataset.version),
        "date-released: " + _string(dataset.day),
        "url: " + _string(dataset.address),
    ]
    lines += [f"license: {spdx}" for spdx in _shared_licence(dataset.sources)]
    lines += ["references:"] if dataset.sources else []
    for source in dataset.sources:
        lines += _reference(source)
    return "".join(f"{line}\n" for line in lines)


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


def _shared_licence(sources: Collection[SourceRecord]) -> list[str]:
    """Return the licence of all sources if they share one with an SPDX name; CFF reads several as a choice."""
    names = {spdx_name(source.licence) for source in sources}
    return [name for name in names if name] if len(names) == 1 else []


def _terms(licence: str) -> str:
    address = licence_address(licence)
    return f"{licence} ({address})" if address else licence


def _string(text: str) -> str:
    return msgspec.json.encode(_plain(text)).decode()


def _plain(text: str) -> str:
    """Return a text on one line, without control characters for terminals or YAML parsers."""
    return "".join(sign for sign in " ".join(text.split()) if sign.isprintable())
