"""Header and ranges of exported LIFT files, merged with those stored from imports."""

from collections.abc import Iterable, Sequence
from typing import Final
from xml.etree.ElementTree import Element, tostring

from defusedxml.ElementTree import fromstring

from abhidhan.formats.lift.vocabulary import (
    CATEGORIES_RANGE,
    CUSTOM_FIELDS,
    DIALECT_TRAIT,
    DOMAIN_BY_CONTEXT,
    DOMAIN_TRAIT,
    EXPORT_RANGES,
    HEADWORDS_RANGE,
    LIFT_VERSION,
    PRODUCER,
    RELATION_TYPES_RANGE,
    SEMANTIC_DOMAIN_TRAIT,
    SOURCES_RANGE,
)
from abhidhan.formats.lift.writer_elements import ENGLISH, format_element, format_form
from abhidhan.formats.writers.export_source import ExportSource, escape, format_attributes
from abhidhan.records.kinds import ListItemRecord, SourceRecord
from abhidhan.records.lift_entries import HEADER_KEY, RANGE_KEY_PREFIX, LiftEntry
from abhidhan.records.lookup_lists import ListName

LIST_BY_RANGE: Final = {
    CATEGORIES_RANGE: ListName.PARTS_OF_SPEECH,
    DOMAIN_TRAIT: ListName.CONTEXTS,
    RELATION_TYPES_RANGE: ListName.RELATIONS,
    DIALECT_TRAIT: ListName.VARIANTS,
}
"""The list of the dictionary for each of FieldWorks' ranges."""


def format_header(export: ExportSource, languages: Sequence[str], stored_elements: Sequence[LiftEntry]) -> str:
    """Format the start of a file, up to its entries, with the ranges and fields of stored headers."""
    description = f"{export.title}. {export.format_licences()}".rstrip(". ")
    ranges = [
        format_element("range", {"id": name, "href": f"{export.name}.lift-ranges"}) for name in EXPORT_RANGES[:-2]
    ]
    ranges.append(_format_range(SOURCES_RANGE, map(_format_source, export.sources)))
    ranges.append(_format_range(HEADWORDS_RANGE, (format_element("range-element", {"id": code}) for code in languages)))
    fields = [
        format_element("field", {"tag": name}, format_form(ENGLISH, about)) for name, about in CUSTOM_FIELDS.items()
    ]
    headers = [fromstring(one.content) for one in stored_elements if one.key.startswith(HEADER_KEY)]
    ranges = _merge_ranges(ranges, [one for header in headers for one in header.iterfind("ranges/range")])
    stored_fields = {
        one.get("tag") or one.get("name"): one for header in headers for one in header.iterfind("fields/*")
    }
    fields += [
        tostring(one, encoding="unicode").strip() for tag, one in stored_fields.items() if tag not in CUSTOM_FIELDS
    ]
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f"<lift{format_attributes({'version': LIFT_VERSION, 'producer': PRODUCER})}>\n<header>\n"
        f"{format_element('description', {}, format_form(ENGLISH, description))}\n"
        f"{format_element('ranges', {}, ''.join(ranges))}\n{format_element('fields', {}, ''.join(fields))}\n</header>\n"
    )


def _format_range(name: str, elements: Iterable[str]) -> str:
    return format_element("range", {"id": name}, "".join(elements))


def _format_source(source: SourceRecord) -> str:
    spans = {"attribution": source.attribution, "url": source.url, "notice": source.notice}
    text = "".join(f'<span class="{name}">{escape(value)}</span>' for name, value in spans.items() if value)
    description = f'<form lang="{ENGLISH}"><text>{text}</text></form>'
    parts = [
        format_element("label", {}, format_form(ENGLISH, source.name)),
        format_element("abbrev", {}, format_form(ENGLISH, source.licence)),
        format_element("description", {}, description) if text else "",
    ]
    return format_element("range-element", {"id": source.code}, "".join(parts))


def format_ranges(items: Sequence[ListItemRecord], stored_elements: Sequence[LiftEntry]) -> str:
    """Format the .lift-ranges file, including stored ranges."""
    ranges = [
        _format_list_range(name, [one for one in items if one.list == kind]) for name, kind in LIST_BY_RANGE.items()
    ]
    domains = (_format_value(domain, None) for domain in sorted(DOMAIN_BY_CONTEXT.values()))
    ranges.append(_format_range(SEMANTIC_DOMAIN_TRAIT, domains))
    stored_ranges = [fromstring(one.content) for one in stored_elements if one.key.startswith(RANGE_KEY_PREFIX)]
    lines = "\n".join(_merge_ranges(ranges, stored_ranges))
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<lift-ranges>\n{lines}\n</lift-ranges>\n'


def _merge_ranges(exported: Sequence[str], stored: Sequence[Element]) -> list[str]:
    """Merge exported and stored ranges; those with the same ID are combined."""
    if not stored:
        return list(exported)
    merged: dict[str, Element] = {}
    for one in (*stored, *map(fromstring, exported)):
        identifier = one.get("id", "")
        existing = merged.setdefault(identifier, one)
        if existing is not one:
            existing.attrib.update(one.attrib)
            values = {value.get("id") for value in existing.findall("range-element")}
            existing.extend(child for child in one if child.tag != "range-element" or child.get("id") not in values)
    first = [fromstring(one).get("id", "") for one in exported]
    return [tostring(merged[range_id], encoding="unicode").strip() for range_id in dict.fromkeys((*first, *merged))]


def _format_list_range(name: str, items: Sequence[ListItemRecord]) -> str:
    values = {item.id: item.value for item in items}
    if name == CATEGORIES_RANGE:
        parents = dict.fromkeys(item.code for item in items if item.code)
        kinds = [_format_value(code, None) for code in parents if code not in values.values()]
        return _format_range(name, [*kinds, *(_format_value(item.value, item.code) for item in items)])
    return _format_range(name, (_format_value(item.value, values.get(item.parent or 0)) for item in items))


def _format_value(value: str, parent_value: str | None) -> str:
    parent = parent_value if parent_value != value else None
    return format_element(
        "range-element", {"id": value, "parent": parent}, format_element("label", {}, format_form(ENGLISH, value))
    )
