"""Contributions that depend on a record, and so prevent its automatic removal by an import."""

import json
from collections.abc import Collection, Iterator
from functools import cached_property
from typing import Final

from sqlalchemy import Connection, Select, Text, bindparam, or_, select

from abhidhan.platform.database.compiled_queries import CompiledQuery
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.history import HistoryAction, RecordRef
from abhidhan.records.submissions import Status
from abhidhan.schema import (
    card,
    card_set,
    confirmation,
    history,
    history_record,
    idea,
    own_lists,
    photo,
    phrase,
    recording,
    sense,
    source,
    submission,
    word,
)

KINDS_BY_PAYLOAD_KEY: Final = {"word_id": "word", "idea_id": "idea", "phrase_id": "phrase"}
"""Keys by which submissions refer to records."""

KEYED_TABLES: Final = {"idea": idea, "phrase": phrase, "card_set": card_set}


class RecordDependencies:
    """Finder of contributions that depend on records, within an open transaction."""

    def __init__(self, connection: Connection) -> None:
        """Initialise with a connection that has an open transaction."""
        self._connection = connection

    def find_dependent(self, ref: RecordRef) -> str | None:
        """Return a description of a contribution that depends on a record, or None."""
        number = ref.number
        edits = (
            select(history.c.id)
            .join(history_record, history_record.c.history_id == history.c.id)
            .where(history_record.c.kind == ref.kind, history_record.c.record_id == ref.id)
            .where(history.c.action_id != int(HistoryAction.IMPORTED))
        )
        queries: list[tuple[str, Select[int]]] = [("an edit", edits)]
        if ref.kind in KINDS_BY_PAYLOAD_KEY.values():
            queries.append(("a recording", select(recording.c.id).where(recording.c[f"{ref.kind}_id"] == number)))
        if ref.kind == "idea":
            is_own = card_set.c.source_id.is_(None)
            cards = select(card.c.id).join(card_set, card_set.c.id == card.c.card_set_id)
            queries += (
                ("a photo", select(photo.c.id).where(photo.c.idea_id == number)),
                ("a confirmation", select(confirmation.c.idea_id).where(confirmation.c.idea_id == number)),
                ("a flashcard", cards.where(card.c.idea_id == number, is_own)),
            )
        for description, query in queries:
            if self._connection.execute(query.limit(1)).first() is not None:
                return description
        if ref in self._records_in_submissions:
            return "a pending submission"
        return "a saved list" if ref in self._words_in_lists else None

    def has_pending_submission(self, ref: RecordRef) -> bool:
        """Return whether a pending submission refers to a record."""
        return ref in self._records_in_submissions

    @cached_property
    def _records_in_submissions(self) -> frozenset[RecordRef]:
        pending = select(submission.c.payload).where(submission.c.status == str(Status.PENDING))
        payloads = self._connection.execute(pending).scalars()
        return frozenset(name for payload in payloads for name in _iter_refs(json.loads(payload)))

    @cached_property
    def _words_in_lists(self) -> frozenset[RecordRef]:
        rows = self._connection.execute(select(own_lists.c.lists)).scalars()
        words = (word for lists in rows for word_list in json.loads(lists) for word in word_list.get("words", ()))
        return frozenset(RecordRef("word", str(word["id"])) for word in words if word.get("place") is not None)


def _iter_refs(payload: object) -> Iterator[RecordRef]:
    """Yield the records that a submission refers to, at any depth."""
    if isinstance(payload, dict):
        for key, value in payload.items():
            if key in KINDS_BY_PAYLOAD_KEY and isinstance(value, int):
                yield RecordRef(KINDS_BY_PAYLOAD_KEY[key], str(value))
            yield from _iter_refs(value)
    elif isinstance(payload, list):
        for value in payload:
            yield from _iter_refs(value)


def list_source_keys(connection: Connection, kind: str, source_id: int) -> list[tuple[int, str]]:
    """List the IDs and keys of the ideas, phrases or sets of a source."""
    table = KEYED_TABLES[kind]
    query = select(table.c.id, table.c.external_key).where(table.c.source_id == source_id).order_by(table.c.id)
    return [(row[0], row[1]) for row in connection.execute(query)]


def list_senses_of_other_ideas(connection: Connection, source_id: int) -> list[tuple[int, int]]:
    """List the senses of a source whose ideas belong to another source or to none: (sense ID, idea ID)."""
    is_of_other_source = or_(idea.c.source_id.is_(None), idea.c.source_id != source_id)
    query = select(sense.c.id, sense.c.idea_id).join(idea, idea.c.id == sense.c.idea_id)
    rows = connection.execute(query.where(sense.c.source_id == source_id, is_of_other_source).order_by(sense.c.id))
    return [(row[0], row[1]) for row in rows]


_IDEA_OF_SOURCE = CompiledQuery(
    select(idea.c.id)
    .join(source, source.c.id == idea.c.source_id)
    .where(source.c.code == bindparam("code", type_=Text))
    .limit(1)
)


def has_ideas_from_source(connection: ReadConnection, code: str) -> bool:
    """Return whether a source has any ideas."""
    return connection.row(_IDEA_OF_SOURCE, code=code) is not None


def iter_records_with_values(
    connection: Connection, kind: str, columns: Collection[str]
) -> Iterator[tuple[int, list[str]]]:
    """Yield the records of a kind that have a value in any of the columns: (ID, names of these columns)."""
    table = {"idea": idea, "word": word, "phrase": phrase, "card": card}[kind]
    selected = [table.c[name] for name in columns]
    rows = connection.execute(select(table.c.id, *selected).where(or_(*(column.is_not(None) for column in selected))))
    for record_id, *values in rows:
        yield record_id, [name for name, value in zip(columns, values, strict=True) if value is not None]


def has_other_sources(connection: Connection, word_id: int, sources: Collection[int]) -> bool:
    """Return whether a word has a meaning from a source other than the given ones."""
    query = select(sense.c.id).where(
        sense.c.word_id == word_id, sense.c.source_id.is_not(None), sense.c.source_id.not_in(sources)
    )
    return connection.execute(query.limit(1)).first() is not None


def list_imported_cards(connection: Connection, set_id: int) -> list[int]:
    """List the IDs of the flashcards of an imported set; empty for a set made on the site."""
    query = select(card.c.id).join(card_set, card_set.c.id == card.c.card_set_id)
    query = query.where(card.c.card_set_id == set_id, card_set.c.source_id.is_not(None))
    return list(connection.execute(query.order_by(card.c.id)).scalars())
