"""A copy that applies the feed of changes equals the dictionary, from whichever token it begins."""

from collections.abc import Callable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, select, update

from abhidhan import schema
from abhidhan.app.retention import RetentionTasks
from abhidhan.dictionary.service.changes import list_changes
from abhidhan.dictionary.store import changes
from abhidhan.dictionary.store.acceleration import idea_cache
from abhidhan.dictionary.store.indexes import record_changes
from abhidhan.editing.service.editing import Editing
from abhidhan.exchange.service.importing import import_records
from abhidhan.exchange.service.maintenance import reindex
from abhidhan.platform.database.compiled_queries import CompiledQuery
from abhidhan.platform.database.database import Database
from abhidhan.records.change_feed import RETENTION_DAYS, Became, Followed, TransactionChanges
from abhidhan.records.errors import GoneError
from abhidhan.records.history import RecordRef
from abhidhan.records.import_records import ConflictPolicy, LocatedRecord
from abhidhan.records.kinds import FormsRecord, IdeaRecord, ListItemRecord, WordRecord
from abhidhan.records.submission_payloads import IdeaData, ProverbData, WordChanges, WordData
from tests.support.arbitrary_edits import EDIT_NAMES, EDITOR, RandomEditor, import_all, run
from tests.support.copies import DictionaryCopy, list_ids, make_full_copy, read_all_changes, request_token
from tests.support.databases import Databases, SqliteDatabases, load_sample, open_database
from tests.support.sample import NOW, SOURCE, sample_records

DAY = 86_400


def list_changed(database: Database, token: str) -> set[tuple[str, int, str]]:
    return {(one.kind, one.id, one.became) for one in read_all_changes(database, token)[0]}


# --- sequences of edits -----------------------------------------------------------------------------------------------

numbers = st.integers(0, 200)


@settings(max_examples=20)
@given(edits=st.lists(st.tuples(st.sampled_from(EDIT_NAMES), numbers, numbers), min_size=1, max_size=10))
def test_a_copy_that_applies_changes_from_any_token_equals_the_dictionary(
    sqlite_databases: SqliteDatabases, edits: list[tuple[str, int, int]]
) -> None:
    with open_database(sqlite_databases, load_sample) as database:
        editor, copies = RandomEditor(database), [make_full_copy(database)]
        for place, edit in enumerate(edits):
            editor.apply_edit(*edit)
            if place % 3 == len(edits) % 3:
                copies.append(make_full_copy(database))

        check_copies(database, [*copies, make_full_copy(database)])


def test_each_kind_of_edit_is_followed(databases: Databases, subtests: pytest.Subtests) -> None:
    for edit in EDIT_NAMES:
        if edit == "undo":
            continue
        with subtests.test(edit), open_database(databases, load_sample) as dictionary:
            editor, copies = RandomEditor(dictionary), [make_full_copy(dictionary)]
            for first, second in ((0, 1), (3, 2), (5, 3), (8, 4), (1, 5), (7, 6)):
                editor.apply_edit(edit, first, second)
                copies.append(make_full_copy(dictionary))
            assert copies[0].records != copies[-1].records

            check_copies(dictionary, copies)


def check_copies(database: Database, copies: list[DictionaryCopy]) -> None:
    """Let copies that were taken one after another follow to the end, on pages of any length."""
    whole, last = copies[-1].records, copies[-1].token
    for place, copy in enumerate(copies):
        at_once = read_all_changes(database, copy.token)
        assert copy.apply_changes(database, limit=1 + place % 9) == at_once[0]
        assert copy.records == whole
        assert copy.token == last


def test_recomputed_keys_are_followed(dictionary: Database) -> None:
    def spoil(connection: Connection) -> None:
        connection.execute(update(schema.word).where(schema.word.c.id < 20).values(rule_roman="spoilt"))
        connection.execute(update(schema.phrase).values(rule_roman="spoilt"))
        idea_cache.invalidate_all(connection)

    dictionary.write_now(spoil)
    copy, before = make_full_copy(dictionary), make_full_copy(dictionary)
    reindex(dictionary)
    copy.apply_changes(dictionary)

    assert copy.records == make_full_copy(dictionary).records != before.records


def test_a_request_without_a_token_lists_nothing_and_returns_the_current_token(dictionary: Database) -> None:
    first = dictionary.read_now(lambda reader: list_changes(reader, None, 10))
    assert (first.records, first.more) == ((), False)
    assert read_all_changes(dictionary, first.next) == ([], first.next)

    run(Editing(dictionary, clock=lambda: NOW + 5).add_proverb(EDITOR, ProverbData("নতুন ফকৰা", 1)))

    changed = read_all_changes(dictionary, first.next)[0]
    assert [(one.kind, one.became, one.at) for one in changed] == [(Followed.PHRASE, Became.CHANGED, NOW + 5)]


def test_a_record_is_listed_once_even_if_one_transaction_changes_it_often(dictionary: Database) -> None:
    token = request_token(dictionary)
    idea = list_ids(dictionary, Followed.IDEA)[0]
    run(Editing(dictionary).delete(EDITOR, RecordRef("idea", str(idea))))

    changed = [(one.kind, one.id) for one in read_all_changes(dictionary, token)[0]]
    assert len(changed) == len(set(changed)) > 2
    assert (Followed.IDEA, idea, Became.DELETED) in list_changed(dictionary, token)


def test_edits_that_change_nothing_are_not_listed(dictionary: Database) -> None:
    token = request_token(dictionary)
    editing = Editing(dictionary)
    name = RecordRef("word", "1")
    version = run(editing.read(EDITOR, name)).version
    run(editing.change(EDITOR, name, version, WordChanges()))
    import_all(dictionary, *(one.record for one in sample_records() if isinstance(one, LocatedRecord)))

    assert list_changed(dictionary, token) == set()


def test_an_import_is_stored_in_a_few_rows(dictionary: Database) -> None:
    token = request_token(dictionary)
    ideas = [IdeaRecord("sample", f"i{n}", "Adverb", (WordRecord("en", f"word {n}"),)) for n in range(3000)]
    import_all(dictionary, SOURCE, *ideas, batch_size=2000)

    assert len(list_changed(dictionary, token)) == 6000
    assert len(dictionary.read_now(lambda reader: reader.rows(CompiledQuery(select(schema.record_change))))) < 15


def test_an_interrupted_import_lists_what_was_imported(dictionary: Database) -> None:
    copy = make_full_copy(dictionary)

    def stream() -> Iterator[LocatedRecord]:
        yield LocatedRecord("more", 1, SOURCE)
        for n in range(20):
            yield LocatedRecord("more", n, IdeaRecord("sample", f"i{n}", "Adverb", (WordRecord("en", f"word {n}"),)))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        import_records(dictionary, stream(), now=NOW + 1, words_per_transaction=5)
    copy.apply_changes(dictionary)

    assert (Followed.WORD, list_ids(dictionary, Followed.WORD)[-1]) in copy.records
    assert copy.records == make_full_copy(dictionary).records


def test_a_phrase_is_listed_when_the_words_it_leads_to_change(dictionary: Database) -> None:
    editing = Editing(dictionary)
    run(editing.add_proverb(EDITOR, ProverbData("টোপোলাত আছে", 1)))
    phrase_id = list_ids(dictionary, Followed.PHRASE)[-1]

    def is_listed(edit: Callable[[], object]) -> bool:
        token = request_token(dictionary)
        edit()
        return (Followed.PHRASE, phrase_id, Became.CHANGED) in list_changed(dictionary, token)

    def change(changes: WordChanges) -> None:
        run(editing.change(EDITOR, added, run(editing.read(EDITOR, added)).version, changes))

    def add(text: str) -> RecordRef:
        run(editing.add_word(EDITOR, WordData(language="as", word=text, meaning=IdeaData(1))))
        return RecordRef("word", str(list_ids(dictionary, Followed.WORD)[-1]))

    added = add("টোপোলি")
    assert is_listed(lambda: change(WordChanges(word="টোপোলা")))
    assert not is_listed(lambda: change(WordChanges(ipa="tʊpʊla")))
    assert is_listed(lambda: run(editing.delete(EDITOR, added)))
    assert is_listed(lambda: add("টোপোলা"))
    assert not is_listed(lambda: add("কটাৰী"))
    to_be = IdeaRecord("sample", "be", "Adverb", (WordRecord("as", "ৰোৱা"),))
    assert not is_listed(lambda: import_all(dictionary, SOURCE, to_be))
    assert is_listed(lambda: import_all(dictionary, SOURCE, FormsRecord("as", "ৰোৱা", (("আছে", ""),))))


def test_an_import_that_renames_one_value_lists_only_what_shows_it(dictionary: Database) -> None:
    import_all(dictionary, SOURCE, ListItemRecord("CTX", 500, "Bamboo"))
    bamboo = IdeaRecord("sample", "bamboo", "Adverb", (WordRecord("en", "bamboo"),), contexts=("Bamboo",))
    import_all(dictionary, SOURCE, bamboo)
    token = request_token(dictionary)

    import_all(dictionary, ListItemRecord("CTX", 500, "Bamboo work"), policy=ConflictPolicy.REPLACE)

    idea_id = list_ids(dictionary, Followed.IDEA)[-1]
    assert list_changed(dictionary, token) == {(Followed.IDEA, idea_id, Became.CHANGED)}


# --- deleted changes --------------------------------------------------------------------------------------------------


def add_proverb(database: Database, at: int, text: str) -> str:
    run(Editing(database, clock=lambda: at).add_proverb(EDITOR, ProverbData(text, 1)))
    return request_token(database)


def test_changes_are_deleted_after_a_year_except_the_newest(dictionary: Database) -> None:
    tokens = [request_token(dictionary)]
    tokens += [add_proverb(dictionary, NOW + day * DAY, f"ফকৰা {day}") for day in (1, 200, 300)]
    upkeep = RetentionTasks(dictionary, clock=lambda: NOW + (200 + RETENTION_DAYS) * DAY)

    assert run(upkeep.delete_old_changes()) > 1
    for forgotten in tokens[:2]:
        with pytest.raises(GoneError, match=r"/api/wordsalpha\.php"):
            read_all_changes(dictionary, forgotten)
    assert len(list_changed(dictionary, tokens[2])) == 1

    late = RetentionTasks(dictionary, clock=lambda: NOW + 9999 * DAY)
    assert (run(late.delete_old_changes()), run(late.delete_old_changes())) == (1, 0)
    assert request_token(dictionary) == tokens[3]
    assert list_changed(dictionary, tokens[3]) == set()
    add_proverb(dictionary, NOW, "ফকৰা")
    assert len(list_changed(dictionary, tokens[3])) == 1


def test_many_changes_are_deleted_in_steps(dictionary: Database) -> None:
    def note(connection: Connection) -> None:
        noted = TransactionChanges()
        noted.add_changed(Followed.WORD, range(1, 5000, 2))
        record_changes.save_changes(connection, noted, NOW)

    dictionary.write_now(note)
    step = dictionary.write_now(lambda connection: changes.delete_old(connection, NOW + 1), public=False)

    assert step == changes.DELETE_BATCH_SIZE
    run(RetentionTasks(dictionary, clock=lambda: NOW + 2 * RETENTION_DAYS * DAY).delete_old_changes())
    assert len(dictionary.read_now(lambda reader: reader.rows(CompiledQuery(select(schema.record_change))))) == 1


def test_a_token_newer_than_a_restored_backup_is_gone(sqlite_databases: SqliteDatabases) -> None:
    with (
        open_database(sqlite_databases, load_sample) as database,
        open_database(sqlite_databases, load_sample) as older,
    ):
        later = add_proverb(database, NOW + 10, "ফকৰা এক")
        with pytest.raises(GoneError):
            read_all_changes(older, later)
        add_proverb(older, NOW + 20, "ফকৰা দুই")
        add_proverb(older, NOW + 30, "ফকৰা তিনি")
        with pytest.raises(GoneError):
            read_all_changes(older, later)


def test_a_new_database_has_a_token_too(database: Database) -> None:
    token = request_token(database)
    load_sample(database)
    copy = DictionaryCopy(token)
    copy.apply_changes(database, limit=100)

    assert copy.records == make_full_copy(database).records
