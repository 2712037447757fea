"""Citation of the downloads as a dataset, and the licences of their sources. Pure functions."""

from collections.abc import Collection
from typing import Final

import msgspec

from abhidhan.dictionary.model.citations import COLLECTIVE_AUTHOR
from abhidhan.records.kinds import SourceRecord
from abhidhan.records.sources import is_web_url, licence_url, spdx_identifier

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
        lines = (source.name, _format_licence(source.licence), source.attribution, source.url, source.notice)
        parts.append("".join(f"{_to_single_line(line)}\n" for line in lines if line))
    return "\n".join(parts)


def format_cff(dataset: Dataset) -> str:
    """Format the citation in the Citation File Format (1.2.0), with strings in JSON, which YAML also accepts."""
    lines = [
        "cff-version: 1.2.0",
        "message: " + _quote("If you use these data, please cite this version and the sources of what you use."),
        "type: dataset",
        "title: " + _quote(TITLE),
        "authors:",
        "  - name: " + _quote(COLLECTIVE_AUTHOR),
        "version: " + _quote(dataset.version),
        "date-released: " + _quote(dataset.day),
        "url: " + _quote(dataset.address),
    ]
    lines += [f"license: {spdx}" for spdx in _find_shared_licence(dataset.sources)]
    lines += ["references:"] if dataset.sources else []
    for source in dataset.sources:
        lines += _format_reference(source)
    return "".join(f"{line}\n" for line in lines)


def _format_reference(source: SourceRecord) -> list[str]:
    lines = [
        "  - type: data",
        "    title: " + _quote(source.name),
        "    authors:",
        "      - name: " + _quote(source.attribution or source.name),
        "    notes: " + _quote(_format_licence(source.licence)),
    ]
    if is_web_url(source.url):
        lines.append("    url: " + _quote(source.url))
    return lines


def _find_shared_licence(sources: Collection[SourceRecord]) -> list[str]:
    """Return the licence of all sources if they share one with an SPDX name; CFF reads several as a choice."""
    names = {spdx_identifier(source.licence) for source in sources}
    return [name for name in names if name] if len(names) == 1 else []


def _format_licence(licence: str) -> str:
    address = licence_url(licence)
    return f"{licence} ({address})" if address else licence


def _quote(text: str) -> str:
    return msgspec.json.encode(_to_single_line(text)).decode()


def _to_single_line(text: str) -> str:
    """Return a text on one line, without control characters for terminals or YAML parsers."""
    return "".join(sign for sign in " ".join(text.split()) if sign.isprintable())
