"""Loading of languages, list items and sources, which are identified by code or value rather than by ID."""

from sqlalchemy import ColumnElement, Table, and_, exists, func, insert, select, update

from abhidhan import schema
from abhidhan.exchange.store.loading.load_context import IDS_BATCH_SIZE, Load
from abhidhan.platform.database.compiled_queries import SqlValue
from abhidhan.records.change_feed import Followed
from abhidhan.records.errors import InputError
from abhidhan.records.ids import FIRST_LOCAL_ID, MAX_ID
from abhidhan.records.import_records import (
    ConflictPolicy,
    LocatedRecord,
    check_catalogue_record,
    convert_list_item,
    parse_inverse_id,
)
from abhidhan.records.kinds import LanguageRecord, ListItemRecord, SourceRecord
from abhidhan.records.languages import LANGUAGE_IDS
from abhidhan.records.lookup_lists import ListName


def load_source(load: Load, record: SourceRecord) -> None:
    """Store a source, identified by its code. Raises InputError for an invalid one."""
    check_catalogue_record(record)
    values: dict[str, SqlValue] = {
        "name": record.name,
        "licence": record.licence,
        "url": record.url,
        "attribution": record.attribution,
        "notice": record.notice,
    }
    changed = _store_row(load, schema.source, {"code": record.code}, values)
    rows = load.connection.execute(select(schema.source.c.id).where(schema.source.c.code == record.code))
    source_id = load.names.sources[record.code] = rows.scalar_one()
    if load.differences is not None and record.code not in load.differences.shared_sources:
        load.differences.sources.add(source_id)
    if changed:
        _note_source_change(load, source_id)


def _note_source_change(load: Load, source_id: int) -> None:
    """Record the ideas of a source, and the words with its remarks, as changed, since they show the source."""
    ideas = select(schema.idea.c.id).where(schema.idea.c.source_id == source_id)
    words = select(schema.sense.c.word_id).where(schema.sense.c.source_id == source_id)
    for kind, query in ((Followed.IDEA, ideas), (Followed.WORD, words)):
        rows = load.connection.execute(query, execution_options={"yield_per": IDS_BATCH_SIZE})
        load.changes.other_records.add_changed(kind, rows.scalars())


def load_language(load: Load, record: LanguageRecord, located: LocatedRecord) -> None:
    """Store a language, identified by its code; an existing one keeps its ID.

    Raises InputError for an invalid one.
    """
    check_catalogue_record(record)
    language = schema.language
    existing_id = load.names.languages.get(record.code)
    values: dict[str, SqlValue] = {
        "iso639_3": record.iso639_3,
        "name": record.name,
        "native_name": record.native_name,
        "script": record.script,
        "direction": record.direction,
    }
    language_id = existing_id or _choose_language_id(load, record)
    if not existing_id and record.id not in {0, language_id}:
        load.remark(
            located.file,
            located.line,
            f"The language {record.code} gets the number {language_id} here, not {record.id}.",
        )
    if "name" in _store_row(load, language, {"id": language_id}, values, {"code": record.code}):
        load.changes.renamed_languages.add(language_id)
    load.names.languages[record.code] = language_id


def load_list_item(load: Load, record: ListItemRecord) -> int:
    """Store a list item, last in its list if it is new, and return its ID.

    An item is identified by its value. If another item has its ID, the policy REPLACE renames that item (except in
    parts of speech, whose IDs differ between dictionaries); otherwise the new item gets the next free ID. A short code
    is not stored if another item has it.

    Raises InputError for an unknown list, or an invalid item.
    """
    record = convert_list_item(record, load.names)
    item = schema.list_item
    name = (record.list, record.value.casefold())
    existing_id = load.names.items.get(name)
    of_list = item.c.list == record.list
    is_pos = record.list == ListName.PARTS_OF_SPEECH
    is_renamed = load.policy is ConflictPolicy.REPLACE and not is_pos
    min_id = FIRST_LOCAL_ID if is_pos else 1
    item_id = existing_id or (record.id if is_renamed else _choose_id(load, item, record.id, of_list, min_id=min_id))
    load.list_item_ids[record.list, record.id] = item_id
    parent = load.list_item_ids.get((record.list, record.parent), record.parent) if record.parent else None
    values: dict[str, SqlValue] = {"value": record.value, "code": record.code, "parent_id": parent}
    if record.short and load.names.short_codes.setdefault((record.list, record.short.casefold()), item_id) == item_id:
        values["short"] = record.short
    position = load.connection.execute(select(func.coalesce(func.max(item.c.position), 0)).where(of_list))
    key: dict[str, SqlValue] = {"list": record.list, "id": item_id}
    if "value" in _store_row(load, item, key, values, {"position": position.scalar_one() + 1}):
        load.changes.renamed_values.add((record.list, item_id))
    load.names.items = {
        key: value for key, value in load.names.items.items() if (key[0], value) != (record.list, item_id)
    } | {name: item_id}
    inverse = parse_inverse_id(record.code)
    if record.list == ListName.RELATIONS and inverse is not None:
        load.names.inverses[item_id] = inverse
    return item_id


def _choose_language_id(load: Load, record: LanguageRecord) -> int:
    """Return the standard ID of a language, or the ID in the file, if that is free; else a new local ID."""
    standard = LANGUAGE_IDS.get(record.code)
    if standard is None and record.id in LANGUAGE_IDS.values():
        return _choose_id(load, schema.language, 0, min_id=FIRST_LOCAL_ID)
    return _choose_id(load, schema.language, standard or record.id, min_id=FIRST_LOCAL_ID)


def _choose_id(load: Load, table: Table, requested: int, *conditions: ColumnElement[bool], min_id: int = 1) -> int:
    """Return the requested ID if it is free, else the one after the last, but at least `min_id`.

    Raises InputError if there is none.
    """
    row = load.connection.execute(select(table.c.id).where(table.c.id == requested, *conditions)).first()
    if requested and row is None:
        return requested
    last = load.connection.execute(select(func.coalesce(func.max(table.c.id), 0)).where(*conditions))
    free = max(int(last.scalar_one()) + 1, min_id)
    if free > MAX_ID:
        raise InputError.of("id", f"There is no ID left: the last one, {MAX_ID:,}, is in use (in id).")
    return free


def find_orphaned_items(load: Load) -> list[tuple[str, int]]:
    """Return the items (list, ID) whose parent does not exist."""
    item, parent = schema.list_item, schema.list_item.alias()
    has_parent = exists().where(and_(parent.c.list == item.c.list, parent.c.id == item.c.parent_id))
    rows = load.connection.execute(select(item.c.list, item.c.id).where(item.c.parent_id.is_not(None), ~has_parent))
    return [(row.list, row.id) for row in rows]


def _store_row(
    load: Load,
    table: Table,
    key: dict[str, SqlValue],
    values: dict[str, SqlValue],
    initial: dict[str, SqlValue] | None = None,
) -> frozenset[str]:
    """Insert a row, or update it according to the policy; return the changed columns of an existing row.

    The values of `initial` are set only in a new row.
    """
    condition = and_(*(table.c[name] == value for name, value in key.items()))
    row = load.connection.execute(select(*(table.c[name] for name in values)).where(condition)).first()
    if row is None:
        load.connection.execute(insert(table).values(key | values | (initial or {})))
        load.counts[table.name] += 1
        return frozenset()
    changed = load.values_to_write(dict(zip(values, row, strict=True)), values)
    if changed:
        load.connection.execute(update(table).where(condition).values(changed))
    return frozenset(changed)
