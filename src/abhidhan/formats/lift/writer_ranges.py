"""The header of a LIFT file, and its ranges: the lists whose values its entries name."""

from collections.abc import Iterable, Sequence
from typing import Final

from abhidhan.formats.lift.vocabulary import (
    DIALECT,
    DOMAIN,
    DOMAIN_OF_CONTEXT,
    HEADWORDS,
    PRODUCER,
    SEMANTIC_DOMAIN,
    SOURCES,
    VERSION,
)
from abhidhan.formats.lift.writer_elements import ENGLISH, element, form
from abhidhan.formats.writers.export_source import Book, attributes, escaped
from abhidhan.records.kinds import ListItemRecord, SourceRecord
from abhidhan.records.lookup_lists import ListName

CATEGORIES: Final = "grammatical-info"
LISTS: Final = {
    CATEGORIES: ListName.PARTS_OF_SPEECH,
    DOMAIN: ListName.CONTEXTS,
    "lexical-relation": ListName.RELATIONS,
    DIALECT: ListName.VARIANTS,
}
"""The ranges, by what FieldWorks calls them, and the list here."""

FIELDS: Final = {
    "plural-classifier": "The classifier of many things.",
    "definitive-classifier": "The classifier of one thing that is known.",
    "glyph": "An emoji.",
    "definition-2": "A further definition in the same language.",
}
"""The fields that FieldWorks does not have by itself."""


def write_header(book: Book, languages: Sequence[str]) -> str:
    """Write the beginning of a file, up to its entries."""
    told = f"{book.title}. {book.licences()}".rstrip(". ")
    ranges = [element("range", {"id": name, "href": f"{book.name}.lift-ranges"}) for name in (*LISTS, SEMANTIC_DOMAIN)]
    ranges.append(_range(SOURCES, map(_source, book.sources)))
    ranges.append(_range(HEADWORDS, (element("range-element", {"id": code}) for code in languages)))
    fields = "".join(element("field", {"tag": name}, form(ENGLISH, about)) for name, about in FIELDS.items())
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f"<lift{attributes({'version': VERSION, 'producer': PRODUCER})}>\n<header>\n"
        f"{element('description', {}, form(ENGLISH, told))}\n"
        f"{element('ranges', {}, ''.join(ranges))}\n{element('fields', {}, fields)}\n</header>\n"
    )


def _range(name: str, elements: Iterable[str]) -> str:
    return element("range", {"id": name}, "".join(elements))


def _source(source: SourceRecord) -> str:
    spans = {"attribution": source.attribution, "url": source.url, "notice": source.notice}
    text = "".join(f'<span class="{name}">{escaped(value)}</span>' for name, value in spans.items() if value)
    description = f'<form lang="{ENGLISH}"><text>{text}</text></form>'
    told = [
        element("label", {}, form(ENGLISH, source.name)),
        element("abbrev", {}, form(ENGLISH, source.licence)),
        element("description", {}, description) if text else "",
    ]
    return element("range-element", {"id": source.code}, "".join(told))


def write_ranges(items: Sequence[ListItemRecord]) -> str:
    """Write the file of ranges."""
    ranges = [_list(name, [one for one in items if one.list == kind]) for name, kind in LISTS.items()]
    domains = (_value(domain, None) for domain in sorted(DOMAIN_OF_CONTEXT.values()))
    ranges.append(_range(SEMANTIC_DOMAIN, domains))
    lines = "\n".join(ranges)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<lift-ranges>\n{lines}\n</lift-ranges>\n'


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
