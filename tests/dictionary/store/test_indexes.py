"""Derived data agrees with the records after any sequence of imports and edits."""

import asyncio
import re
from collections.abc import Callable
from functools import partial

import msgspec
from hypothesis import Phase, given, note, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, Table, select, text

from abhidhan import schema
from abhidhan.editing.service.editing import Editing
from abhidhan.editing.store.history import HistoryEntry
from abhidhan.editing.store.records.change_recorder import ChangeRecorder
from abhidhan.editing.store.records.edit_context import EditContext
from abhidhan.exchange.service.bundled_data import read_catalogue_records
from abhidhan.exchange.service.importing import import_records
from abhidhan.exchange.service.maintenance import check
from abhidhan.platform.database.database import Database
from abhidhan.records.errors import AbhidhanError, NotFoundError
from abhidhan.records.history import HistoryAction, RecordRef, RelationState, SenseState, WordState
from abhidhan.records.import_records import ConflictPolicy, LocatedRecord
from abhidhan.records.input_validation import RecordChanges
from abhidhan.records.kinds import (
    DefinitionRecord,
    FormsRecord,
    FrequencyRecord,
    IdeaRecord,
    PhraseRecord,
    Record,
    RelationRecord,
    WordRecord,
)
from abhidhan.records.submission_payloads import (
    DefinitionData,
    IdeaChanges,
    IdeaData,
    PhraseChanges,
    ProverbData,
    WordChanges,
    WordData,
)
from tests.support.arbitrary_edits import EDITOR
from tests.support.databases import Databases, SqliteDatabases, open_database
from tests.support.sample import NOW, SOURCE

Step = Callable[[Database], object]

EXPECTED = ".*(There is no word|one that does not exist|cannot be related to itself).*"
"""What is wrong with some of the records that are brought."""

KEYS = ("one", "two", "three")
POS = ("Common Noun", "Adverb", None)
LANGUAGES = ("as", "en", "bn")
TEXTS = ("পানী", "জল", "water", "সূৰ্য্য")
CATEGORY = "Fokora (ফকৰা)"
DEFINITIONS = ("alpha beta", "beta gamma", "পানী")
PROVERBS = ("অতি দৰ্পে হত লঙ্কা", "ধীৰে ধীৰে বুঢ়া হয়", "নগৈ গড়গাঁৱৰ বতৰা কয়")


def catalogue_and_source(database: Database) -> None:
    """Load the languages and lists, and the source of the records."""
    records = [*read_catalogue_records(), LocatedRecord("sample", 1, SOURCE)]
    assert not import_records(database, records, now=NOW).errors


def load_records(database: Database, policy: ConflictPolicy, records: tuple[Record, ...]) -> None:
    placed = (LocatedRecord("more.jsonl", line, record) for line, record in enumerate(records, 1))
    loaded = import_records(database, placed, now=NOW, policy=policy)
    details = [re.sub(EXPECTED, "", one.detail) for one in loaded.errors]
    assert not any(details)


def edit(database: Database, step: Callable[[Editing], object]) -> None:
    asyncio.run(step(Editing(database)))  # type: ignore[arg-type]  # a coroutine: mypy sees only that it is called


def find_nth_id(database: Database, table: Table, number: int) -> int:
    """Return the ID of one of the records that are there."""
    with database.engine.connect() as connection:
        ids = connection.execute(select(table.c.id).order_by(table.c.id)).scalars().all()
    if not ids:
        raise NotFoundError("There is none.")
    return int(ids[number % len(ids)])


# --- steps ------------------------------------------------------------------------------------------------------------


def add_word(database: Database, language: str, text: str, number: int | None) -> None:
    idea_id = None if number is None else find_nth_id(database, schema.idea, number)
    meaning = None if idea_id else IdeaData("Adverb", definitions=(DefinitionData("en", text),))
    data = WordData(language, text, idea_id, meaning)
    edit(database, lambda editing: editing.add_word(EDITOR, data))


def add_proverb(database: Database, text: str) -> None:
    edit(database, lambda editing: editing.add_proverb(EDITOR, ProverbData(text, CATEGORY)))


def change(database: Database, table: Table, number: int, changes: RecordChanges) -> None:
    name = RecordRef(table.name, str(find_nth_id(database, table, number)))
    version = asyncio.run(Editing(database).read(EDITOR, name)).version
    edit(database, lambda editing: editing.change(EDITOR, name, version, changes))


def delete(database: Database, table: Table, number: int) -> None:
    name = RecordRef(table.name, str(find_nth_id(database, table, number)))
    edit(database, lambda editing: editing.delete(EDITOR, name))


def merge(database: Database, kept: int, gone: int) -> None:
    ideas = find_nth_id(database, schema.idea, kept), find_nth_id(database, schema.idea, gone)
    edit(database, lambda editing: editing.merge(EDITOR, *ideas))


def relate(database: Database, one: int, other: int) -> None:
    relation = RelationState(find_nth_id(database, schema.idea, one), 4, find_nth_id(database, schema.idea, other))
    edit(database, lambda editing: editing.relate(EDITOR, relation))


def undo(database: Database, number: int) -> None:
    entry_id = find_nth_id(database, schema.history, number)
    edit(database, lambda editing: editing.undo(EDITOR, entry_id))


def move_word(database: Database, number: int, language_id: int) -> None:
    """Move a word, with its senses, to another language."""
    word_id = find_nth_id(database, schema.word, number)

    def change_state(state: WordState) -> WordState:
        return msgspec.structs.replace(state, language_id=language_id)

    write_state(database, RecordRef("word", str(word_id)), change_state)


def move_sense(database: Database, number: int, word: int) -> None:
    """Move a sense to another word."""
    word_id = find_nth_id(database, schema.word, word)

    def change_state(state: SenseState) -> SenseState:
        return msgspec.structs.replace(state, word_id=word_id)

    write_state(database, RecordRef("sense", str(find_nth_id(database, schema.sense, number))), change_state)


def write_state(database: Database, name: RecordRef, change_state: Callable[..., WordState | SenseState]) -> None:
    catalogue = database.read_now(lambda reader: reader.catalogue)

    def job(connection: Connection) -> None:
        ledger = ChangeRecorder(EditContext(connection, catalogue, NOW))
        ledger.apply(name, change_state(ledger.get_current(name)))
        if not ledger.is_empty:
            ledger.commit(HistoryEntry(HistoryAction.WORD_EDITED, None, NOW, name))

    database.write_now(job)


# --- sequences of them ------------------------------------------------------------------------------------------------

numbers = st.integers(0, 5)
definitions = st.lists(st.sampled_from(DEFINITIONS), max_size=2, unique=True)
words = st.builds(
    WordRecord,
    st.sampled_from(LANGUAGES),
    st.sampled_from(TEXTS),
    roman=st.sampled_from((None, "pani")),
    frequency=st.sampled_from((None, 0.5, 900.0)),
    forms=st.lists(st.sampled_from(TEXTS), max_size=1).map(tuple),
)
records = st.one_of(
    st.builds(
        IdeaRecord,
        st.just("sample"),
        st.sampled_from(KEYS),
        st.sampled_from(POS),
        st.lists(words, min_size=1, max_size=2).map(tuple),
        definitions=definitions.map(lambda texts: tuple(DefinitionRecord("en", text) for text in texts)),
        relations=st.lists(
            st.sampled_from(KEYS).map(lambda key: RelationRecord("Hypernym", f"sample:{key}")), max_size=1
        ).map(tuple),
    ),
    st.builds(
        PhraseRecord,
        st.just("sample"),
        st.sampled_from(KEYS),
        st.just("as"),
        st.sampled_from(PROVERBS),
        st.just(CATEGORY),
    ),
    st.builds(FrequencyRecord, st.sampled_from(LANGUAGES), st.sampled_from(TEXTS), st.just(90.0), st.just("The tests")),
    st.builds(FormsRecord, st.just("as"), st.sampled_from(TEXTS), st.just((("পানীত", "loc"),))),
)
imports = st.builds(
    lambda policy, given: partial(load_records, policy=policy, records=tuple(given)),
    st.sampled_from(ConflictPolicy),
    st.lists(records, min_size=1, max_size=4),
)
idea_changes = st.one_of(
    st.builds(IdeaChanges, pos=st.sampled_from(POS)),
    st.builds(
        IdeaChanges, definitions=definitions.map(lambda texts: tuple(DefinitionData("en", text) for text in texts))
    ),
)
edits = st.one_of(
    st.builds(
        lambda *given: partial(add_word, language=given[0], text=given[1], number=given[2]),
        st.sampled_from(LANGUAGES),
        st.sampled_from(TEXTS),
        st.none() | numbers,
    ),
    st.sampled_from(PROVERBS).map(lambda text: partial(add_proverb, text=text)),
    st.builds(
        lambda number, changes: partial(change, table=schema.idea, number=number, changes=changes),
        numbers,
        idea_changes,
    ),
    st.builds(
        lambda number, text: partial(change, table=schema.word, number=number, changes=WordChanges(word=text)),
        numbers,
        st.sampled_from(TEXTS),
    ),
    st.builds(
        lambda number, figure: partial(change, table=schema.word, number=number, changes=WordChanges(frequency=figure)),
        numbers,
        st.sampled_from((None, 7.0)),
    ),
    st.builds(
        lambda number, text: partial(change, table=schema.phrase, number=number, changes=PhraseChanges(text=text)),
        numbers,
        st.sampled_from(PROVERBS),
    ),
    st.builds(
        lambda table, number: partial(delete, table=table, number=number),
        st.sampled_from((schema.word, schema.sense, schema.idea, schema.phrase)),
        numbers,
    ),
    st.builds(lambda kept, gone: partial(merge, kept=kept, gone=gone), numbers, numbers),
    st.builds(lambda one, other: partial(relate, one=one, other=other), numbers, numbers),
    st.integers(1, 12).map(lambda number: partial(undo, number=-number)),
    st.builds(
        lambda number, language_id: partial(move_word, number=number, language_id=language_id),
        numbers,
        st.sampled_from((1, 2, 22)),
    ),
    st.builds(lambda number, word: partial(move_sense, number=number, word=word), numbers, numbers),
)


PLACES = """
    SELECT word.language_id, COALESCE(idea.pos_id, 0), word.sort_key, word.text, word.id
    FROM word JOIN sense ON sense.word_id = word.id JOIN idea ON idea.id = sense.idea_id
"""
KEPT_PLACES = "SELECT language_id, pos_id, sort_key, text, word_id FROM word_pos"


def find_misplaced(database: Database) -> list[str]:
    """List the places of words under parts of speech that are missing or too many, as all of them are derived anew."""
    with database.engine.connect() as connection:
        expected, kept = ({*connection.execute(text(each)).all()} for each in (PLACES, KEPT_PLACES))
    return sorted(map(str, expected ^ kept))


def run_steps(database: Database, steps: list[Step]) -> list[str]:
    """Take steps, also those that the program refuses, and list what a check then finds that breaks answers.

    Places under parts of speech are compared here as well: the check of them and their renewal have a statement in
    common.
    """
    for step in steps:
        try:
            step(database)
        except AbhidhanError:
            continue
    found = [str(finding) for finding in check(database) if finding.code.startswith("E") or finding.code == "W203"]
    return found + find_misplaced(database)


@settings(max_examples=40, phases=(Phase.reuse, Phase.generate, Phase.shrink))
@given(first=imports, more=st.lists(imports | edits, max_size=8))
def test_check_finds_nothing_after_any_sequence_of_steps(
    sqlite_databases: SqliteDatabases, first: Step, more: list[Step]
) -> None:
    note(f"{[first, *more]}")
    with open_database(sqlite_databases, catalogue_and_source) as database:
        assert run_steps(database, [first, *more]) == []


def idea(key: str, pos: str | None, *texts: str, definition: str) -> IdeaRecord:
    spelled = tuple(WordRecord("as", text, forms=("পানীয়ে",)) for text in texts)
    return IdeaRecord("sample", key, pos, spelled, definitions=(DefinitionRecord("en", definition),))


def proverb(key: str, text: str) -> PhraseRecord:
    return PhraseRecord("sample", key, "as", text, CATEGORY)


ALL_KINDS: list[Step] = [
    partial(
        load_records,
        policy=ConflictPolicy.FILL,
        records=(
            idea("one", None, "পানী", "জল", definition="alpha beta"),
            idea("two", "Adverb", "জল", definition="gamma"),
            proverb("one", PROVERBS[0]),
        ),
    ),
    partial(
        load_records, policy=ConflictPolicy.FILL, records=(idea("one", "Common Noun", "water", definition="delta"),)
    ),
    partial(load_records, policy=ConflictPolicy.REPLACE, records=(idea("one", "Adverb", "জল", definition="epsilon"),)),
    partial(
        load_records, policy=ConflictPolicy.KEEP, records=(idea("one", "Intransitive", "সূৰ্য্য", definition="zeta"),)
    ),
    partial(add_word, language="bn", text="জল", number=0),
    partial(add_word, language="as", text="নতুন", number=None),
    partial(add_proverb, text=PROVERBS[1]),
    partial(change, table=schema.phrase, number=0, changes=PhraseChanges(text=PROVERBS[2])),
    partial(change, table=schema.idea, number=1, changes=IdeaChanges(pos="Common Noun")),
    partial(change, table=schema.word, number=0, changes=WordChanges(word="পানি")),
    partial(move_word, number=1, language_id=1),
    partial(move_sense, number=0, word=5),
    partial(relate, one=0, other=1),
    partial(merge, kept=0, gone=1),
    partial(undo, number=-1),
    partial(delete, table=schema.word, number=0),
    partial(undo, number=-1),
    partial(delete, table=schema.phrase, number=0),
    partial(delete, table=schema.idea, number=0),
    partial(undo, number=-2),
    partial(delete, table=schema.sense, number=0),
    partial(undo, number=-1),
]


def test_check_finds_nothing_after_one_step_of_every_kind(databases: Databases) -> None:
    with open_database(databases, catalogue_and_source) as database:
        for step in ALL_KINDS:
            step(database)
            assert run_steps(database, []) == []
