"""Load the catalogue: languages, lookup lists and sources."""

from collections.abc import Callable

from sqlalchemy import select

from abhidhan.platform.database.compiled_queries import CompiledQuery, Row
from abhidhan.records.catalogue import Catalogue
from abhidhan.records.languages import Language
from abhidhan.records.lookup_lists import ListItem
from abhidhan.records.sources import Source
from abhidhan.schema import language, list_item, source

_LANGUAGES = CompiledQuery(
    select(
        language.c.id,
        language.c.code,
        language.c.iso639_3,
        language.c.name,
        language.c.native_name,
        language.c.script,
        language.c.direction,
        language.c.words,
    ).order_by(language.c.id)
)

_LIST_ITEMS = CompiledQuery(
    select(
        list_item.c.list,
        list_item.c.id,
        list_item.c.value,
        list_item.c.code,
        list_item.c.parent_id,
        list_item.c.position,
        list_item.c.short,
    ).order_by(list_item.c.list, list_item.c.position, list_item.c.id)
)

_SOURCES = CompiledQuery(
    select(
        source.c.id,
        source.c.code,
        source.c.name,
        source.c.licence,
        source.c.url,
        source.c.attribution,
        source.c.notice,
    ).order_by(source.c.id)
)


def read_catalogue(fetch_rows: Callable[[CompiledQuery], list[Row]]) -> Catalogue:
    """Read the whole catalogue; `fetch_rows` runs a query and returns its rows."""
    languages = fetch_rows(_LANGUAGES)
    return Catalogue(
        (Language(*row) for *row, _ in languages),
        (ListItem(*row) for row in fetch_rows(_LIST_ITEMS)),
        (Source(*row) for row in fetch_rows(_SOURCES)),
        empty_language_ids=[row[0] for row in languages if not row[-1]],
        ids_by_word_count=[row[0] for row in sorted(languages, key=lambda row: (-row[-1], row[0])) if row[-1]],
    )
