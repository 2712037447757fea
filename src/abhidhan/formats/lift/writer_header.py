"""Header and ranges of exported LIFT files, merged with those stored from imports."""

from collections.abc import Iterable, Sequence
from typing import Final
from xml.etree.ElementTree import Element, tostring

from defusedxml.ElementTree import fromstring

from abhidhan.formats.lift.vocabulary import (
    CATEGORIES,
    DIALECT,
    DOMAIN,
    DOMAIN_OF_CONTEXT,
    HEADWORDS,
    NEW_FIELDS,
    OWN_RANGES,
    PRODUCER,
    RELATION_TYPES,
    SEMANTIC_DOMAIN,
    SOURCES,
    VERSION,
)
from abhidhan.formats.lift.writer_elements import ENGLISH, element, form
from abhidhan.formats.writers.export_source import ExportSource, attributes, escape
from abhidhan.records.kinds import ListItemRecord, SourceRecord
from abhidhan.records.lift_entries import HEADER, RANGE, LiftEntry
from abhidhan.records.lookup_lists import ListName

LISTS: Final = {
    CATEGORIES: ListName.PARTS_OF_SPEECH,
    DOMAIN: ListName.CONTEXTS,
    RELATION_TYPES: ListName.RELATIONS,
    DIALECT: ListName.VARIANTS,
}
"""The list of the dictionary for each of FieldWorks' ranges."""


def write_header(book: ExportSource, languages: Sequence[str], stored: Sequence[LiftEntry]) -> str:
    """Format the start of a file, up to its entries, with the ranges and fields of stored headers."""
    description = f"{book.title}. {book.licences()}".rstrip(". ")
    ranges = [element("range", {"id": name, "href": f"{book.name}.lift-ranges"}) for name in OWN_RANGES[:-2]]
    ranges.append(_range(SOURCES, map(_source, book.sources)))
    ranges.append(_range(HEADWORDS, (element("range-element", {"id": code}) for code in languages)))
    fields = [element("field", {"tag": name}, form(ENGLISH, about)) for name, about in NEW_FIELDS.items()]
    headers = [fromstring(one.content) for one in stored if one.key.startswith(HEADER)]
    ranges = _merge_ranges(ranges, [one for header in headers for one in header.iterfind("ranges/range")])
    theirs = {one.get("tag") or one.get("name"): one for header in headers for one in header.iterfind("fields/*")}
    fields += [tostring(one, encoding="unicode").strip() for tag, one in theirs.items() if tag not in NEW_FIELDS]
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f"<lift{attributes({'version': VERSION, 'producer': PRODUCER})}>\n<header>\n"
        f"{element('description', {}, form(ENGLISH, description))}\n"
        f"{element('ranges', {}, ''.join(ranges))}\n{element('fields', {}, ''.join(fields))}\n</header>\n"
    )


def _range(name: str, elements: Iterable[str]) -> str:
    return element("range", {"id": name}, "".join(elements))


def _source(source: SourceRecord) -> str:
    spans = {"attribution": source.attribution, "url": source.url, "notice": source.notice}
    text = "".join(f'<span class="{name}">{escape(value)}</span>' for name, value in spans.items() if value)
    description = f'<form lang="{ENGLISH}"><text>{text}</text></form>'
    parts = [
        element("label", {}, form(ENGLISH, source.name)),
        element("abbrev", {}, form(ENGLISH, source.licence)),
        element("description", {}, description) if text else "",
    ]
    return element("range-element", {"id": source.code}, "".join(parts))


def write_ranges(items: Sequence[ListItemRecord], stored: Sequence[LiftEntry]) -> str:
    """Format the .lift-ranges file, including stored ranges."""
    ranges = [_list(name, [one for one in items if one.list == kind]) for name, kind in LISTS.items()]
    domains = (_value(domain, None) for domain in sorted(DOMAIN_OF_CONTEXT.values()))
    ranges.append(_range(SEMANTIC_DOMAIN, domains))
    theirs = [fromstring(one.content) for one in stored if one.key.startswith(RANGE)]
    lines = "\n".join(_merge_ranges(ranges, theirs))
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<lift-ranges>\n{lines}\n</lift-ranges>\n'


def _merge_ranges(ours: Sequence[str], theirs: Sequence[Element]) -> list[str]:
    """Merge exported and stored ranges; those with the same ID are combined."""
    if not theirs:
        return list(ours)
    merged: dict[str, Element] = {}
    for one in (*theirs, *map(fromstring, ours)):
        identifier = one.get("id", "")
        existing = merged.setdefault(identifier, one)
        if existing is not one:
            existing.attrib.update(one.attrib)
            values = {value.get("id") for value in existing.findall("range-element")}
            existing.extend(child for child in one if child.tag != "range-element" or child.get("id") not in values)
    first = [fromstring(one).get("id", "") for one in ours]
    return [tostring(merged[range_id], encoding="unicode").strip() for range_id in dict.fromkeys((*first, *merged))]


def _list(name: str, items: Sequence[ListItemRecord]) -> str:
    values = {item.id: item.value for item in items}
    if name == CATEGORIES:
        above = dict.fromkeys(item.code for item in items if item.code)
        kinds = [_value(code, None) for code in above if code not in values.values()]
        return _range(name, [*kinds, *(_value(item.value, item.code) for item in items)])
    return _range(name, (_value(item.value, values.get(item.parent or 0)) for item in items))


def _value(value: str, above: str | None) -> str:
    parent = above if above != value else None
    return element("range-element", {"id": value, "parent": parent}, element("label", {}, form(ENGLISH, value)))
