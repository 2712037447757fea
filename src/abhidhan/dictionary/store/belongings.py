"""Contributions that depend on a record, which prevent its automatic removal."""

import json
from collections.abc import Collection, Iterator
from functools import cached_property
from typing import Final

from sqlalchemy import Connection, Select, Text, bindparam, or_, select

from abhidhan.platform.database.compiled_queries import Query
from abhidhan.platform.database.reader import Reader
from abhidhan.records.history import Action, RecordName
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

KINDS: Final = {"word_id": "word", "idea_id": "idea", "phrase_id": "phrase"}
"""Keys by which submissions refer to records."""

TABLES: Final = {"idea": idea, "phrase": phrase, "card_set": card_set}


class Belongings:
    """Dependencies of records, as seen by the open transaction."""

    def __init__(self, connection: Connection) -> None:
        """Initialise with a connection that has an open transaction."""
        self._connection = connection

    def of(self, name: RecordName) -> str | None:
        """Return a description of a contribution that depends on a record, or None."""
        number = name.number
        edits = (
            select(history.c.id)
            .join(history_record, history_record.c.history_id == history.c.id)
            .where(history_record.c.kind == name.kind, history_record.c.record_id == name.id)
            .where(history.c.action_id != int(Action.IMPORTED))
        )
        found: list[tuple[str, Select[int]]] = [("an edit", edits)]
        if name.kind in KINDS.values():
            found.append(("a recording", select(recording.c.id).where(recording.c[f"{name.kind}_id"] == number)))
        if name.kind == "idea":
            own = card_set.c.source_id.is_(None)
            cards = select(card.c.id).join(card_set, card_set.c.id == card.c.card_set_id)
            found += (
                ("a photo", select(photo.c.id).where(photo.c.idea_id == number)),
                ("a confirmation", select(confirmation.c.idea_id).where(confirmation.c.idea_id == number)),
                ("a flashcard", cards.where(card.c.idea_id == number, own)),
            )
        for what, wanted in found:
            if self._connection.execute(wanted.limit(1)).first() is not None:
                return what
        if name in self._submitted:
            return "a pending submission"
        return "a saved list" if name in self._listed else None

    def has_submission(self, name: RecordName) -> bool:
        """Return whether a pending submission refers to a record."""
        return name in self._submitted

    @cached_property
    def _submitted(self) -> frozenset[RecordName]:
        waiting = select(submission.c.payload).where(submission.c.status == str(Status.PENDING))
        payloads = self._connection.execute(waiting).scalars()
        return frozenset(name for payload in payloads for name in _named_in(json.loads(payload)))

    @cached_property
    def _listed(self) -> frozenset[RecordName]:
        kept = self._connection.execute(select(own_lists.c.lists)).scalars()
        words = (word for lists in kept for one in json.loads(lists) for word in one.get("words", ()))
        return frozenset(RecordName("word", str(word["id"])) for word in words if word.get("place") is not None)


def _named_in(payload: object) -> Iterator[RecordName]:
    """Yield the records that a submission refers to, at any depth."""
    if isinstance(payload, dict):
        for key, value in payload.items():
            if key in KINDS and isinstance(value, int):
                yield RecordName(KINDS[key], str(value))
            yield from _named_in(value)
    elif isinstance(payload, list):
        for value in payload:
            yield from _named_in(value)


def keys_of_source(connection: Connection, kind: str, source_id: int) -> list[tuple[int, str]]:
    """List the IDs and keys of the ideas, phrases or sets of a source."""
    table = TABLES[kind]
    chosen = select(table.c.id, table.c.external_key).where(table.c.source_id == source_id).order_by(table.c.id)
    return [(row[0], row[1]) for row in connection.execute(chosen)]


def words_elsewhere(connection: Connection, source_id: int) -> list[tuple[int, int]]:
    """List the senses of a source whose ideas belong to another one, each with its idea."""
    of_another = or_(idea.c.source_id.is_(None), idea.c.source_id != source_id)
    chosen = select(sense.c.id, sense.c.idea_id).join(idea, idea.c.id == sense.c.idea_id)
    rows = connection.execute(chosen.where(sense.c.source_id == source_id, of_another).order_by(sense.c.id))
    return [(row[0], row[1]) for row in rows]


_IDEA_OF = Query(
    select(idea.c.id)
    .join(source, source.c.id == idea.c.source_id)
    .where(source.c.code == bindparam("code", type_=Text))
    .limit(1)
)


def has_ideas_of(reader: Reader, code: str) -> bool:
    """Return whether a source has any ideas."""
    return reader.row(_IDEA_OF, code=code) is not None


def records_with(connection: Connection, kind: str, columns: Collection[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield the ideas, words, phrases or cards with a value in any of some columns, with the names of these columns."""
    table = {"idea": idea, "word": word, "phrase": phrase, "card": card}[kind]
    chosen = [table.c[name] for name in columns]
    rows = connection.execute(select(table.c.id, *chosen).where(or_(*(one.is_not(None) for one in chosen))))
    for record_id, *values in rows:
        yield record_id, [name for name, value in zip(columns, values, strict=True) if value is not None]


def has_other_sources(connection: Connection, word_id: int, sources: Collection[int]) -> bool:
    """Return whether a word has a meaning from a source other than the given ones."""
    wanted = select(sense.c.id).where(
        sense.c.word_id == word_id, sense.c.source_id.is_not(None), sense.c.source_id.not_in(sources)
    )
    return connection.execute(wanted.limit(1)).first() is not None


def cards_of_set(connection: Connection, set_id: int) -> list[int]:
    """List the flashcards of an imported set; return none for a set made on the site."""
    chosen = select(card.c.id).join(card_set, card_set.c.id == card.c.card_set_id)
    chosen = chosen.where(card.c.card_set_id == set_id, card_set.c.source_id.is_not(None))
    return list(connection.execute(chosen.order_by(card.c.id)).scalars())
