"""Storing the XML of LIFT entries at the end of an import."""

import json
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from types import TracebackType
from typing import Final, Self

import msgspec
from sqlalchemy import Connection, delete, insert, select, update

from abhidhan.exchange.store.loading.bulk_load import ImportEntry, UpdateStep
from abhidhan.records.import_records import ConflictPolicy
from abhidhan.records.lift_entries import LiftEntry
from abhidhan.schema import idea, idea_alias, language, lift_entry, source

ENTRIES_BATCH_SIZE: Final = 200
"""The number of entries stored in one transaction."""

_LENGTH_BYTES: Final = 4
"""The size of the number that precedes each entry in the spool file: the length of the entry."""


class EntrySpool:
    """LIFT entries in a temporary file, until the ideas of their senses are stored."""

    def __init__(self) -> None:
        """Initialise with an empty temporary file."""
        self._file = tempfile.TemporaryFile()  # noqa: SIM115  # closed at the end of the `with` block
        self._keys: dict[tuple[str, str], int] = {}

    def add(self, entry: LiftEntry) -> None:
        """Add an entry; if an earlier one has the same key, append a number to the key."""
        name = (entry.source, entry.key)
        times = self._keys[name] = self._keys.get(name, 0) + 1
        if times > 1:
            entry = msgspec.structs.replace(entry, key=f"{entry.key}#{times}")
        raw = msgspec.msgpack.encode(entry)
        self._file.write(len(raw).to_bytes(_LENGTH_BYTES, "big") + raw)

    @property
    def is_empty(self) -> bool:
        """True if there are no entries."""
        return not self._keys

    @property
    def sources(self) -> set[str]:
        """The codes of the sources of the entries."""
        return {code for code, _ in self._keys}

    def has(self, code: str, key: str) -> bool:
        """Return whether there is an entry with a source and key."""
        name, _, times = key.rpartition("#")
        return (code, key) in self._keys or (times.isdecimal() and self._keys.get((code, name), 0) >= int(times))

    def __iter__(self) -> Iterator[LiftEntry]:
        """Yield the entries in order."""
        self._file.seek(0)
        while length := self._file.read(_LENGTH_BYTES):
            yield msgspec.msgpack.decode(self._file.read(int.from_bytes(length, "big")), type=LiftEntry)

    def __enter__(self) -> Self:
        """Return the spool itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Remove the file."""
        self._file.close()


def build_entry_steps(
    entries: EntrySpool, policy: ConflictPolicy, is_deleted: Callable[[int, str], bool], *, mirror: bool
) -> Iterator[UpdateStep]:
    """Yield steps that store the entries in batches, and with `mirror` a step that removes those that the file lacks.

    `is_deleted` returns whether users have deleted the idea of a source and key.
    """
    stream = iter(entries)
    while batch := list(islice(stream, ENTRIES_BATCH_SIZE)):
        yield partial(
            _store_batch,
            batch=batch,
            replaces=policy in {ConflictPolicy.UPDATE, ConflictPolicy.REPLACE},
            is_deleted=is_deleted,
        )
    if mirror and not entries.is_empty:
        yield partial(_remove_absent, entries=entries)


def _store_batch(
    connection: Connection,
    _: ImportEntry,
    *,
    batch: Sequence[LiftEntry],
    replaces: bool,
    is_deleted: Callable[[int, str], bool],
) -> dict[str, int]:
    sources = _source_ids(connection)
    languages = {row.code: row.id for row in connection.execute(select(language.c.code, language.c.id))}
    new, changed = [], 0
    for entry in batch:
        source_id = sources.get(entry.source)
        if source_id is None or (entry.language and entry.language not in languages):
            continue  # reported as a fault of its records
        condition = (lift_entry.c.source_id == source_id, lift_entry.c.key == entry.key)
        stored = connection.execute(select(lift_entry.c.ideas, lift_entry.c.content).where(*condition)).first()
        keys = _blank_rejected_keys(connection, source_id, entry.ideas, is_deleted)
        values: dict[str, str | int | None] = {
            "text": entry.text,
            "ideas": json.dumps(keys, ensure_ascii=False),
            "content": entry.content,
            "language_id": languages.get(entry.language),
        }
        if stored is None:
            new.append({"source_id": source_id, "key": entry.key, **values})
        elif replaces and (stored.ideas, stored.content) != (values["ideas"], values["content"]):
            connection.execute(update(lift_entry).where(*condition).values(values))
            changed += 1
    if new:
        connection.execute(insert(lift_entry), new)
    return {name: count for name, count in (("lift_entry", len(new)), ("replaced", changed)) if count}


def _blank_rejected_keys(
    connection: Connection, source_id: int, keys: Sequence[str], is_deleted: Callable[[int, str], bool]
) -> list[str]:
    """Return the keys, with "" for that of a rejected idea, so that its sense is exported in its original form."""
    stored_keys: set[str] = set()
    for table in (idea, idea_alias):
        query = select(table.c.external_key).where(table.c.source_id == source_id, table.c.external_key.in_(keys))
        stored_keys |= set(connection.execute(query).scalars())
    return [key if key in stored_keys or is_deleted(source_id, key) else "" for key in keys]


def _remove_absent(connection: Connection, _: ImportEntry, *, entries: EntrySpool) -> dict[str, int]:
    sources = _source_ids(connection)
    for code in sorted(entries.sources & sources.keys()):
        is_of_source = lift_entry.c.source_id == sources[code]
        for key in connection.execute(select(lift_entry.c.key).where(is_of_source)).scalars().all():
            if not entries.has(code, key):
                connection.execute(delete(lift_entry).where(is_of_source, lift_entry.c.key == key))
    return {}


def _source_ids(connection: Connection) -> dict[str, int]:
    return {row.code: row.id for row in connection.execute(select(source.c.code, source.c.id))}
