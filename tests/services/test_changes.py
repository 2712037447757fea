"""Whoever follows what changes has what the dictionary has, from wherever the following begins."""

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import suppress
from typing import Any, TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, select, update

from abhidhan.domain.changes import DAYS_KEPT, Became, Followed, Noted
from abhidhan.domain.drafts import (
    CardChanges,
    CardData,
    CardSetData,
    DefinitionData,
    IdeaChanges,
    IdeaData,
    PhraseChanges,
    ProverbData,
    SenseChanges,
    WordChanges,
    WordData,
)
from abhidhan.domain.history import RecordName, RelationState
from abhidhan.domain.incoming import Placed, Policy
from abhidhan.domain.lists import ListName
from abhidhan.domain.people import Person, Role
from abhidhan.domain.records import (
    CardRecord,
    CardSetRecord,
    DefinitionRecord,
    IdeaRecord,
    LanguageRecord,
    ListItemRecord,
    PhraseRecord,
    Record,
    RelationRecord,
    SourceRecord,
    WordRecord,
)
from abhidhan.errors import ConflictError, GoneError, InputError, NotFoundError
from abhidhan.services.checking import reindex
from abhidhan.services.dictionary.changes import list_changes
from abhidhan.services.editing import Editing
from abhidhan.services.exchange.importing import import_records
from abhidhan.services.upkeep import Upkeep
from abhidhan.storage import changes, schema
from abhidhan.storage.engine.database import Database
from abhidhan.storage.engine.queries import Query
from abhidhan.storage.indexes import idea_cache, record_changes
from tests.support.copies import Copy, everything_since, full_copy, ids_of, token_of_now
from tests.support.databases import SqliteDatabases, opened, with_sample
from tests.support.sample import NOW, SOURCE, sample_records

T = TypeVar("T")

EDITOR = Person(id=1, username="editor", role=Role.EDITOR, email=None, created=0, disabled=None)
DAY = 86_400


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(work)


def bring(database: Database, *records: Record, policy: Policy = Policy.FILL, at_once: int | None = None) -> None:
    placed = (Placed("more", line, each) for line, each in enumerate(records, 1))
    assert not import_records(database, placed, now=NOW + 1, policy=policy, words_at_once=at_once).faults


def told(database: Database, token: str) -> set[tuple[str, int, str]]:
    return {(one.kind, one.id, one.became) for one in everything_since(database, token)[0]}


# --- sequences of edits -----------------------------------------------------------------------------------------------


class Somebody:
    """An editor who does things with whatever records there are: a number chooses among them."""

    def __init__(self, database: Database) -> None:
        """Begin."""
        self._database = database
        self._editing = Editing(database, clock=lambda: NOW + 2)
        self._count = 0

    def do(self, name: str, first: int, second: int) -> None:
        """Do one of the things; what is refused changes nothing."""
        self._count += 1
        with suppress(ConflictError, InputError, NotFoundError):
            getattr(self, f"_{name}")(first, second)

    def _add_word(self, first: int, second: int) -> None:
        idea = self._one_of(Followed.IDEA, first) if second % 2 else None
        meaning = None if idea else IdeaData("Adverb", definitions=(DefinitionData("en", f"Meaning {self._count}"),))
        run(self._editing.add_word(EDITOR, WordData(1 + second % 2, f"কখ{self._count}", idea, meaning)))

    def _change_word(self, first: int, second: int) -> None:
        changes = (
            WordChanges(roman=f"r{self._count}"),
            WordChanges(word=f"গঘ{self._count}"),
            WordChanges(variant=1 + first % 3),
        )
        self._change(RecordName("word", str(self._one_of(Followed.WORD, first))), changes[second % 3])

    def _delete(self, first: int, second: int) -> None:
        kind = list(Followed)[second % 4]
        run(self._editing.delete(EDITOR, RecordName(kind, str(self._one_of(kind, first)))))

    def _change_idea(self, first: int, second: int) -> None:
        changes = (
            IdeaChanges(contexts=("Water",)),
            IdeaChanges(pos="Adverb"),
            IdeaChanges(glyph="💧", definitions=(DefinitionData("as", f"অৰ্থ {self._count}"),)),
        )
        self._change(RecordName("idea", str(self._one_of(Followed.IDEA, first))), changes[second % 3])

    def _merge(self, first: int, second: int) -> None:
        run(self._editing.merge(EDITOR, self._one_of(Followed.IDEA, first), self._one_of(Followed.IDEA, second)))

    def _relate(self, first: int, second: int) -> None:
        ends = self._one_of(Followed.IDEA, first), self._one_of(Followed.IDEA, second)
        run(self._editing.relate(EDITOR, RelationState(ends[0], 1 + first % 4, ends[1])))

    def _unrelate(self, first: int, _: int) -> None:
        table = schema.idea_relation
        rows = self._database.read_now(lambda reader: reader.rows(Query(select(table))))
        if rows:
            run(self._editing.unrelate(EDITOR, RelationState(*rows[first % len(rows)])))

    def _change_link(self, first: int, second: int) -> None:
        table = schema.sense
        rows = self._database.read_now(lambda reader: reader.rows(Query(select(table.c.id))))
        name = RecordName("sense", str(rows[first % len(rows)][0]))
        if second % 2:
            run(self._editing.delete(EDITOR, name))
        else:
            self._change(name, SenseChanges(note=f"note {self._count}"))

    def _add_proverb(self, first: int, _: int) -> None:
        run(self._editing.add_proverb(EDITOR, ProverbData(f"ফকৰা {self._count}", 1 + first % 2)))

    def _change_proverb(self, first: int, _: int) -> None:
        name = RecordName("phrase", str(self._one_of(Followed.PHRASE, first)))
        self._change(name, PhraseChanges(meaning=f"meaning {self._count}"))

    def _add_card(self, first: int, second: int) -> None:
        made = run(self._editing.add_card_set(EDITOR, CardSetData(f"Set {self._count}", "as", "en")))
        number = RecordName.parse(made.record).number if second % 2 else 1 + first % 2
        run(self._editing.add_card(EDITOR, CardData(number, f"clue {self._count}", "answer")))

    def _change_card(self, first: int, second: int) -> None:
        card_id = self._one_of(Followed.CARD, first)
        if second % 2:
            run(self._editing.move_card(EDITOR, card_id, second - 4))
        else:
            self._change(RecordName("card", str(card_id)), CardChanges(answer=f"answer {self._count}"))

    def _delete_card_set(self, first: int, _: int) -> None:
        run(self._editing.delete(EDITOR, RecordName("card_set", str(1 + first % 3))))

    def _rename(self, first: int, second: int) -> None:
        lists = ("POS", "GEN", "CTX", "VRT", "RIC", "FJCAT")
        name = ListName(lists[second % len(lists)])
        run(self._editing.rename_list_value(EDITOR, name, 1 + first % 5, f"Name {self._count}"))

    def _undo(self, first: int, _: int) -> None:
        rows = self._database.read_now(lambda reader: reader.rows(Query(select(schema.history.c.id))))
        run(self._editing.undo(EDITOR, rows[-1 - first % min(4, len(rows))][0]))

    def _bring_new(self, first: int, second: int) -> None:
        key, other = f"brought-{first % 3}", f"brought-{second % 3}"
        relations = (RelationRecord("Related", f"sample:{other}"),) if other != key else ()
        idea = IdeaRecord(
            "sample",
            key,
            "Adverb",
            (WordRecord("as", "পানী", note=f"note {self._count}"), WordRecord("en", f"word {self._count}")),
            definitions=(DefinitionRecord("en", f"Brought {self._count}"),),
            relations=relations,
        )
        others = IdeaRecord("sample", other, "Adverb", (WordRecord("as", "জল"),))
        phrase = PhraseRecord(
            "sample", f"p{self._count % 3}", "as", f"নতুন {self._count % 3}", "Other", f"{self._count}"
        )
        cards = CardSetRecord("sample", "c", "Cards", "as", "en", None, (CardRecord(f"clue {self._count}", "answer"),))
        policy = Policy.REPLACE if first % 2 else Policy.FILL
        bring(self._database, SOURCE, idea, others, phrase, cards, policy=policy, at_once=1 if second % 2 else None)

    def _bring_names(self, first: int, second: int) -> None:
        records: tuple[Record, ...] = (
            LanguageRecord(2, "as", "asm", f"Assamese {self._count}", "অসমীয়া", "Beng", "ltr"),
            ListItemRecord("CTX", 26, f"Context {self._count}"),
            SourceRecord("sample", f"Sample {self._count}", "CC0-1.0", notice=f"Notice {self._count}"),
        )
        bring(self._database, records[(first + second) % 3], policy=Policy.REPLACE)

    def _change(self, name: RecordName, changes: Any) -> None:  # noqa: ANN401  # of any kind of records
        version = run(self._editing.read(EDITOR, name)).version
        run(self._editing.change(EDITOR, name, version, changes))

    def _one_of(self, kind: Followed, number: int) -> int:
        ids = ids_of(self._database, kind)
        if not ids:
            raise NotFoundError("There is none left.")
        return ids[number % len(ids)]


DEEDS = (
    "add_word",
    "change_word",
    "delete",
    "change_idea",
    "merge",
    "relate",
    "unrelate",
    "change_link",
    "add_proverb",
    "change_proverb",
    "add_card",
    "change_card",
    "delete_card_set",
    "rename",
    "undo",
    "bring_new",
    "bring_names",
)
numbers = st.integers(0, 200)


@settings(max_examples=20)
@given(deeds=st.lists(st.tuples(st.sampled_from(DEEDS), numbers, numbers), min_size=1, max_size=10))
def test_a_copy_that_follows_from_any_token_is_what_the_dictionary_is(
    sqlite_databases: SqliteDatabases, deeds: list[tuple[str, int, int]]
) -> None:
    with opened(sqlite_databases, with_sample) as database:
        somebody, copies = Somebody(database), [full_copy(database)]
        for place, deed in enumerate(deeds):
            somebody.do(*deed)
            if place % 3 == len(deeds) % 3:
                copies.append(full_copy(database))

        check_copies(database, [*copies, full_copy(database)])


@pytest.mark.parametrize("deed", [deed for deed in DEEDS if deed != "undo"])
def test_each_thing_that_is_done_is_followed(dictionary: Database, deed: str) -> None:
    somebody, copies = Somebody(dictionary), [full_copy(dictionary)]
    for first, second in ((0, 1), (3, 2), (5, 3), (8, 4), (1, 5), (7, 6)):
        somebody.do(deed, first, second)
        copies.append(full_copy(dictionary))
    assert copies[0].records != copies[-1].records

    check_copies(dictionary, copies)


def check_copies(database: Database, copies: list[Copy]) -> None:
    """Let copies that were taken one after another follow to the end, on pages of any length."""
    whole, last = copies[-1].records, copies[-1].token
    for place, copy in enumerate(copies):
        at_once = everything_since(database, copy.token)
        assert copy.follow(database, limit=1 + place % 9) == at_once[0]
        assert copy.records == whole
        assert copy.token == last


def test_keys_made_anew_are_followed(dictionary: Database) -> None:
    def spoil(connection: Connection) -> None:
        connection.execute(update(schema.word).where(schema.word.c.id < 20).values(rule_roman="spoilt"))
        connection.execute(update(schema.phrase).values(rule_roman="spoilt"))
        idea_cache.invalidate_all(connection)

    dictionary.write_now(spoil)
    copy, before = full_copy(dictionary), full_copy(dictionary)
    reindex(dictionary)
    copy.follow(dictionary)

    assert copy.records == full_copy(dictionary).records != before.records


def test_a_first_token_lists_nothing_and_goes_on_from_now(dictionary: Database) -> None:
    first = dictionary.read_now(lambda reader: list_changes(reader, None, 10))
    assert (first.records, first.more) == ((), False)
    assert everything_since(dictionary, first.next) == ([], first.next)

    run(Editing(dictionary, clock=lambda: NOW + 5).add_proverb(EDITOR, ProverbData("নতুন ফকৰা", 1)))

    changed = everything_since(dictionary, first.next)[0]
    assert [(one.kind, one.became, one.at) for one in changed] == [(Followed.PHRASE, Became.CHANGED, NOW + 5)]


def test_a_record_is_told_once_however_often_one_step_touches_it(dictionary: Database) -> None:
    token = token_of_now(dictionary)
    idea = ids_of(dictionary, Followed.IDEA)[0]
    run(Editing(dictionary).delete(EDITOR, RecordName("idea", str(idea))))

    changed = [(one.kind, one.id) for one in everything_since(dictionary, token)[0]]
    assert len(changed) == len(set(changed)) > 2
    assert (Followed.IDEA, idea, Became.DELETED) in told(dictionary, token)


def test_what_waits_for_review_or_changes_nothing_is_not_told(dictionary: Database) -> None:
    token = token_of_now(dictionary)
    editing = Editing(dictionary)
    name = RecordName("word", "1")
    version = run(editing.read(EDITOR, name)).version
    run(editing.change(EDITOR, name, version, WordChanges()))
    bring(dictionary, *(one.record for one in sample_records() if isinstance(one, Placed)))

    assert told(dictionary, token) == set()


def test_an_import_is_noted_in_a_few_rows(dictionary: Database) -> None:
    token = token_of_now(dictionary)
    ideas = [IdeaRecord("sample", f"i{n}", "Adverb", (WordRecord("en", f"word {n}"),)) for n in range(3000)]
    bring(dictionary, SOURCE, *ideas, at_once=2000)

    assert len(told(dictionary, token)) == 6000
    assert len(dictionary.read_now(lambda reader: reader.rows(Query(select(schema.record_change))))) < 15


def test_an_import_that_breaks_off_tells_what_it_has_brought(dictionary: Database) -> None:
    copy = full_copy(dictionary)

    def stream() -> Iterator[Placed]:
        yield Placed("more", 1, SOURCE)
        for n in range(20):
            yield Placed("more", n, IdeaRecord("sample", f"i{n}", "Adverb", (WordRecord("en", f"word {n}"),)))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        import_records(dictionary, stream(), now=NOW + 1, words_at_once=5)
    copy.follow(dictionary)

    assert (Followed.WORD, ids_of(dictionary, Followed.WORD)[-1]) in copy.records
    assert copy.records == full_copy(dictionary).records


# --- what is kept no longer -------------------------------------------------------------------------------------------


def add_proverb(database: Database, at: int, text: str) -> str:
    run(Editing(database, clock=lambda: at).add_proverb(EDITOR, ProverbData(text, 1)))
    return token_of_now(database)


def test_changes_are_forgotten_after_a_year_but_for_the_newest(dictionary: Database) -> None:
    tokens = [token_of_now(dictionary)]
    tokens += [add_proverb(dictionary, NOW + day * DAY, f"ফকৰা {day}") for day in (1, 200, 300)]
    upkeep = Upkeep(dictionary, clock=lambda: NOW + (200 + DAYS_KEPT) * DAY)

    assert run(upkeep.forget_changes()) > 1
    for forgotten in tokens[:2]:
        with pytest.raises(GoneError, match=r"/api/wordsalpha\.php"):
            everything_since(dictionary, forgotten)
    assert len(told(dictionary, tokens[2])) == 1

    late = Upkeep(dictionary, clock=lambda: NOW + 9999 * DAY)
    assert (run(late.forget_changes()), run(late.forget_changes())) == (1, 0)
    assert token_of_now(dictionary) == tokens[3]
    assert told(dictionary, tokens[3]) == set()
    add_proverb(dictionary, NOW, "ফকৰা")
    assert len(told(dictionary, tokens[3])) == 1


def test_many_changes_are_forgotten_in_steps(dictionary: Database) -> None:
    def note(connection: Connection) -> None:
        noted = Noted()
        noted.change(Followed.WORD, range(1, 5000, 2))
        record_changes.note(connection, noted, NOW)

    dictionary.write_now(note)
    step = dictionary.write_now(lambda connection: changes.forget(connection, NOW + 1), public=False)

    assert step == changes.FORGOTTEN_AT_ONCE
    run(Upkeep(dictionary, clock=lambda: NOW + 2 * DAYS_KEPT * DAY).forget_changes())
    assert len(dictionary.read_now(lambda reader: reader.rows(Query(select(schema.record_change))))) == 1


def test_a_token_of_what_a_backup_has_taken_back_is_gone(sqlite_databases: SqliteDatabases) -> None:
    with opened(sqlite_databases, with_sample) as database, opened(sqlite_databases, with_sample) as older:
        later = add_proverb(database, NOW + 10, "ফকৰা এক")
        with pytest.raises(GoneError):
            everything_since(older, later)
        add_proverb(older, NOW + 20, "ফকৰা দুই")
        add_proverb(older, NOW + 30, "ফকৰা তিনি")
        with pytest.raises(GoneError):
            everything_since(older, later)


def test_a_new_database_has_a_token_too(database: Database) -> None:
    token = token_of_now(database)
    with_sample(database)
    copy = Copy(token)
    copy.follow(database, limit=100)

    assert copy.records == full_copy(database).records
