"""Keys in files of records that were created in this dictionary, by which it recognises its own exports.

During a load, ideas have these keys as aliases, which are deleted before the transaction ends, so that no other client
sees them.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from sqlalchemy import ColumnElement, Text, cast, delete, exists, insert, literal, select

from abhidhan.exchange.model import LOCAL_SOURCE
from abhidhan.exchange.store.loading.load_context import Load
from abhidhan.platform.database.compiled_queries import Row, in_list, per_list_size
from abhidhan.records.import_records import NewCardSet, NewPhrase
from abhidhan.records.kinds.fields import list_columns
from abhidhan.records.kinds.phrase import PHRASE_FIELDS
from abhidhan.schema import card_set, idea, idea_alias, phrase

_PHRASE_KEY: Final = re.compile(r"phrase-(\d{1,9})-(\d{1,12})")
_SET_KEY: Final = re.compile(r"set-(\d{1,9})")

_LOCAL_PHRASES = per_list_size(
    lambda size: select(
        phrase.c.added,
        phrase.c.id,
        *(phrase.c[name] for name in list_columns(PHRASE_FIELDS) if name != "text"),
        phrase.c.text,
        phrase.c.source_id,
    ).where(in_list(phrase.c.id, "id", size), phrase.c.source_id.is_(None) | phrase.c.external_key.is_(None))
)


def add_aliases(load: Load) -> None:
    """Add an alias with its key in files to every idea that was created in this dictionary."""
    local_source_id = load.names.sources.get(LOCAL_SOURCE.code)
    if local_source_id is None:
        return
    delete_aliases(load)
    name_exists = exists().where(
        idea_alias.c.source_id == local_source_id, idea_alias.c.external_key == _local_key_expression()
    )
    chosen = select(literal(local_source_id), _local_key_expression(), idea.c.id).where(_is_local(), ~name_exists)
    load.connection.execute(insert(idea_alias).from_select(["source_id", "external_key", "idea_id"], chosen))


def delete_aliases(load: Load) -> None:
    """Delete the aliases that `add_aliases` has added."""
    local_source_id = load.names.sources.get(LOCAL_SOURCE.code)
    if local_source_id is not None:
        is_local = exists().where(
            idea.c.id == idea_alias.c.idea_id, _is_local(), idea_alias.c.external_key == _local_key_expression()
        )
        load.connection.execute(delete(idea_alias).where(idea_alias.c.source_id == local_source_id, is_local))


def find_local_phrases(load: Load, phrases: Sequence[NewPhrase]) -> dict[int, Row]:
    """Find stored phrases that were created in this dictionary; return their rows by index in `phrases`."""
    local_source_id = load.names.sources.get(LOCAL_SOURCE.code)
    keys = {
        index: (int(match[1]), int(match[2]))
        for index, record in enumerate(phrases)
        if record.source_id == local_source_id and (match := _PHRASE_KEY.fullmatch(record.key))
    }
    rows = _read_local_phrases(load, [phrase_id for phrase_id, _ in keys.values()])
    return {index: rows[name] for index, name in keys.items() if name in rows}


def _read_local_phrases(load: Load, ids: Iterable[int]) -> dict[tuple[int, int], Row]:
    return {(row[1], row[0]): row for row in load.bulk.rows_for_values(_LOCAL_PHRASES, "id", sorted(set(ids)))}


def find_local_card_set(load: Load, record: NewCardSet) -> int | None:
    """Return the ID of a set created in this dictionary with the record's key, name and languages; None without one."""
    match = _SET_KEY.fullmatch(record.key)
    if record.source_id != load.names.sources.get(LOCAL_SOURCE.code) or match is None:
        return None
    query = select(card_set.c.id).where(
        card_set.c.id == int(match[1]),
        card_set.c.source_id.is_(None) | card_set.c.external_key.is_(None),
        card_set.c.language_id == record.language_id,
        card_set.c.answer_language_id == record.answer_language_id,
        card_set.c.name == record.name,
    )
    return load.connection.execute(query).scalar()


def _is_local() -> ColumnElement[bool]:
    return idea.c.source_id.is_(None) | idea.c.external_key.is_(None)


def _local_key_expression() -> ColumnElement[str]:
    """Return the SQL expression for the key in files of an idea without a source (see `build_local_key`)."""
    return literal("idea-") + cast(idea.c.id, Text) + literal("-") + cast(idea.c.created, Text)
