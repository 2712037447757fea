"""Copy of the dictionary, as apps store one: a full copy that follows the change feed."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import msgspec
from sqlalchemy import select

from abhidhan import schema
from abhidhan.dictionary.service import browse, cards, changes, phrase_lists
from abhidhan.dictionary.store import word_rows
from abhidhan.platform.database.compiled_queries import CompiledQuery
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.change_feed import Became, ChangedRecord, Followed
from abhidhan.records.errors import NotFoundError
from abhidhan.records.lazy_json import as_json
from abhidhan.records.lookup_lists import ListName

IDS = {
    kind: CompiledQuery(select(table.c.id).order_by(table.c.id))
    for kind, table in (
        (Followed.WORD, schema.word),
        (Followed.IDEA, schema.idea),
        (Followed.PHRASE, schema.phrase),
        (Followed.CARD, schema.card),
    )
}
PHRASE = CompiledQuery(select(schema.phrase))
IDEA_OF_MEANING = re.compile(rb'[\[,]\{"idea_id":(\d+),"sense_id"')
CARD_SETS = CompiledQuery(select(schema.card.c.id, schema.card.c.card_set_id))


def ids_of(database: Database, kind: Followed) -> list[int]:
    """Return the IDs of all records of a kind."""
    return [row[0] for row in database.read_now(lambda reader: reader.rows(IDS[kind]))]


@dataclass
class Copy:
    """The API's responses for each record, and the token of the next request for changes."""

    token: str
    records: dict[tuple[Followed, int], bytes] = field(default_factory=dict)
    ideas_of_words: dict[int, set[int]] = field(default_factory=dict)

    def read(self, reader: ReadConnection, kind: Followed, record_id: int) -> None:
        """Store the current state of a record, or remove the record if it has been deleted."""
        try:
            shown = _SHOWN[kind](reader, record_id)
        except NotFoundError:
            self.forget(kind, record_id)
            return
        self.keep(kind, record_id, shown)

    def keep(self, kind: Followed, record_id: int, shown: object) -> None:
        """Store the response for a record."""
        self.records[kind, record_id] = json = msgspec.json.encode(shown, enc_hook=as_json)
        if kind is Followed.WORD:
            self.ideas_of_words[record_id] = {int(number) for number in IDEA_OF_MEANING.findall(json)}

    def forget(self, kind: Followed, record_id: int) -> None:
        """Remove a record."""
        self.records.pop((kind, record_id), None)
        if kind is Followed.WORD:
            self.ideas_of_words.pop(record_id, None)

    def follow(self, database: Database, *, limit: int = 7) -> list[ChangedRecord]:
        """Apply all new changes; return them."""
        told = everything_since(database, self.token, limit=limit)
        self.token = told[1]
        for record in told[0]:
            if record.became is Became.DELETED:
                self.forget(record.kind, record.id)
                continue
            stale = {(record.kind, record.id)}
            if record.kind is Followed.IDEA:
                stale |= {(Followed.WORD, word) for word, ideas in self.ideas_of_words.items() if record.id in ideas}
            for kind, record_id in stale:
                database.read_now(partial(self.read, kind=kind, record_id=record_id))
        return told[0]


def token_of_now(database: Database) -> str:
    """Request a token for changes from now on."""
    return database.read_now(lambda reader: changes.list_changes(reader, None, 1)).next


def full_copy(database: Database) -> Copy:
    """Request a change token, then copy all records into a new copy."""
    copy = Copy(token_of_now(database))

    def read(reader: ReadConnection) -> None:
        for kind in (Followed.IDEA, Followed.PHRASE, Followed.CARD):
            for (record_id,) in reader.rows(IDS[kind]):
                copy.read(reader, kind, record_id)
        for word in word_rows.load_words(reader, [row[0] for row in reader.rows(IDS[Followed.WORD])]):
            copy.keep(Followed.WORD, word.id, word)

    database.read_now(read)
    return copy


def everything_since(database: Database, token: str, *, limit: int = 1000) -> tuple[list[ChangedRecord], str]:
    """Follow the changes from a token to the end; return the changes and the last token."""
    told: list[ChangedRecord] = []
    while True:
        page = database.read_now(partial(changes.list_changes, since=token, limit=limit))
        assert len(page.records) <= limit
        assert page.records or (page.next, page.more) == (token, False)
        told += page.records
        token = page.next
        if not page.more:
            return told, token


def _phrase(reader: ReadConnection, phrase_id: int) -> object:
    row = next((row for row in reader.rows(PHRASE) if row[0] == phrase_id), None)
    if row is None:
        raise NotFoundError("gone")
    shown = dict(zip(schema.phrase.columns.keys(), row, strict=True))
    category = reader.catalogue.list_value(ListName.PHRASE_CATEGORIES, shown["category_id"])
    language = reader.catalogue.language(shown["language_id"])
    words = phrase_lists.show_phrase(reader, phrase_id).words
    texts = [shown[name] for name in ("id", "text", "roman", "rule_roman", "meaning")]
    return [*texts, category, language.name, words]


def _card(reader: ReadConnection, card_id: int) -> object:
    set_id = {row[0]: row[1] for row in reader.rows(CARD_SETS)}.get(card_id)
    if set_id is None:
        raise NotFoundError("gone")
    return [set_id, next(card for card in cards.cards_of(reader, set_id) if card.id == card_id)]


_SHOWN: dict[Followed, Callable[[ReadConnection, int], object]] = {
    Followed.WORD: browse.look_up_one,
    Followed.IDEA: browse.show_idea,
    Followed.PHRASE: _phrase,
    Followed.CARD: _card,
}
