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
from abhidhan.records.lazy_json import to_raw_json
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


def list_ids(database: Database, kind: Followed) -> list[int]:
    """Return the IDs of all records of a kind."""
    return [row[0] for row in database.read_now(lambda reader: reader.rows(IDS[kind]))]


@dataclass
class DictionaryCopy:
    """The API's responses for each record, and the token of the next request for changes."""

    token: str
    records: dict[tuple[Followed, int], bytes] = field(default_factory=dict)
    ideas_of_words: dict[int, set[int]] = field(default_factory=dict)

    def load(self, connection: ReadConnection, kind: Followed, record_id: int) -> None:
        """Store the current state of a record, or remove the record if it has been deleted."""
        try:
            shown = _READERS[kind](connection, record_id)
        except NotFoundError:
            self.remove(kind, record_id)
            return
        self.store(kind, record_id, shown)

    def store(self, kind: Followed, record_id: int, shown: object) -> None:
        """Store the response for a record."""
        self.records[kind, record_id] = json = msgspec.json.encode(shown, enc_hook=to_raw_json)
        if kind is Followed.WORD:
            self.ideas_of_words[record_id] = {int(number) for number in IDEA_OF_MEANING.findall(json)}

    def remove(self, kind: Followed, record_id: int) -> None:
        """Remove a record."""
        self.records.pop((kind, record_id), None)
        if kind is Followed.WORD:
            self.ideas_of_words.pop(record_id, None)

    def apply_changes(self, database: Database, *, limit: int = 7) -> list[ChangedRecord]:
        """Apply all new changes; return them."""
        told = read_all_changes(database, self.token, limit=limit)
        self.token = told[1]
        for record in told[0]:
            if record.became is Became.DELETED:
                self.remove(record.kind, record.id)
                continue
            stale = {(record.kind, record.id)}
            if record.kind is Followed.IDEA:
                stale |= {(Followed.WORD, word) for word, ideas in self.ideas_of_words.items() if record.id in ideas}
            for kind, record_id in stale:
                database.read_now(partial(self.load, kind=kind, record_id=record_id))
        return told[0]


def request_token(database: Database) -> str:
    """Request a token for changes from now on."""
    return database.read_now(lambda reader: changes.list_changes(reader, None, 1)).next


def make_full_copy(database: Database) -> DictionaryCopy:
    """Request a change token, then copy all records into a new copy."""
    copy = DictionaryCopy(request_token(database))

    def read(connection: ReadConnection) -> None:
        for kind in (Followed.IDEA, Followed.PHRASE, Followed.CARD):
            for (record_id,) in connection.rows(IDS[kind]):
                copy.load(connection, kind, record_id)
        for word in word_rows.load_words(connection, [row[0] for row in connection.rows(IDS[Followed.WORD])]):
            copy.store(Followed.WORD, word.id, word)

    database.read_now(read)
    return copy


def read_all_changes(database: Database, token: str, *, limit: int = 1000) -> tuple[list[ChangedRecord], str]:
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


def _phrase(connection: ReadConnection, phrase_id: int) -> object:
    row = next((row for row in connection.rows(PHRASE) if row[0] == phrase_id), None)
    if row is None:
        raise NotFoundError("gone")
    shown = dict(zip(schema.phrase.columns.keys(), row, strict=True))
    category = connection.catalogue.list_value(ListName.PHRASE_CATEGORIES, shown["category_id"])
    language = connection.catalogue.language(shown["language_id"])
    words = phrase_lists.get_phrase(connection, phrase_id).words
    texts = [shown[name] for name in ("id", "text", "roman", "rule_roman", "meaning")]
    return [*texts, category, language.name, words]


def _card(connection: ReadConnection, card_id: int) -> object:
    set_id = {row[0]: row[1] for row in connection.rows(CARD_SETS)}.get(card_id)
    if set_id is None:
        raise NotFoundError("gone")
    return [set_id, next(card for card in cards.list_cards(connection, set_id) if card.id == card_id)]


_READERS: dict[Followed, Callable[[ReadConnection, int], object]] = {
    Followed.WORD: browse.get_word,
    Followed.IDEA: browse.get_idea,
    Followed.PHRASE: _phrase,
    Followed.CARD: _card,
}
