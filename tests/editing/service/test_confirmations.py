"""Confirming: what nobody has checked, the commonest first, and what becomes of a confirmation."""

import asyncio
from collections.abc import Coroutine, Iterator
from typing import Any, TypeVar

import pytest
from sqlalchemy import insert

from abhidhan.contributions.service.submission_review import list_unchecked
from abhidhan.dictionary.service.browse import get_idea
from abhidhan.dictionary.service.changes import list_changes
from abhidhan.dictionary.store import confirmations as stored
from abhidhan.dictionary.store.confirmations import load_confirmations
from abhidhan.editing.service.editing import Editing
from abhidhan.exchange.service.importing import import_records
from abhidhan.platform.database.database import Database
from abhidhan.records.errors import ConflictError, ForbiddenError, NotFoundError
from abhidhan.records.history import HistoryAction, RecordRef
from abhidhan.records.ideas import Confirmation, Idea, IdeaWithWord, sort_by_frequency
from abhidhan.records.import_records import LocatedRecord
from abhidhan.records.kinds import IdeaRecord, SourceRecord, WordRecord
from abhidhan.records.paging import Page
from abhidhan.records.people import Person, Role
from abhidhan.records.submission_payloads import IdeaChanges
from abhidhan.schema import person
from tests.support.databases import Databases, load_sample, open_database
from tests.support.sample import NOW

T = TypeVar("T")

EDITOR = Person(id=1, username="bina", role=Role.EDITOR, email=None, created=0, disabled=None)
OTHER = Person(id=2, username="anil", role=Role.EDITOR, email=None, created=0, disabled=None)
CONTRIBUTOR = Person(id=3, username="mina", role=Role.CONTRIBUTOR, email=None, created=0, disabled=None)

READ = SourceRecord("read", "Read by a speaker", "CC0-1.0")
UNREAD = SourceRecord("unread", "Read by nobody", "CC0-1.0", notice="Nobody has read this.")
RECORDS = (
    READ,
    UNREAD,
    IdeaRecord("read", "read", "Common Noun", (WordRecord("as", "পঢ়াটো", frequency=9000.0),)),
    IdeaRecord("unread", "rare", "Common Noun", (WordRecord("as", "বিৰলটো", frequency=0.3),)),
    IdeaRecord(
        "unread",
        "common",
        "Common Noun",
        (WordRecord("as", "সঘনটো", frequency=8000.0), WordRecord("as", "সৰুটো", frequency=0.3)),
    ),
    IdeaRecord("unread", "foreign", "Common Noun", (WordRecord("en", "foreignword", frequency=9000.0),)),
    IdeaRecord("unread", "same", "Common Noun", (WordRecord("as", "সমানটো", frequency=0.3),)),
)


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(work)


@pytest.fixture
def dictionary(databases: Databases, request: pytest.FixtureRequest) -> Iterator[Database]:
    """Open a dictionary of one source that a speaker has read and one that nobody has, with people."""
    with open_database(
        databases, with_people, may_be_stale=request.node.get_closest_marker("spoils") is not None
    ) as database:
        yield database


def with_people(database: Database) -> None:
    load_sample(database)
    load(database, *RECORDS)
    rows = [
        {"id": each.id, "username": each.username, "username_key": each.username, "role": str(each.role), "created": 0}
        for each in (EDITOR, OTHER, CONTRIBUTOR)
    ]
    with database.engine.begin() as connection:
        connection.execute(insert(person), rows)


def load(database: Database, *records: SourceRecord | IdeaRecord) -> None:
    loaded = import_records(
        database, (LocatedRecord("own", line, each) for line, each in enumerate(records, 1)), now=NOW
    )
    assert not loaded.errors, loaded.errors


def editing(database: Database, now: int = NOW) -> Editing:
    return Editing(database, clock=lambda: now)


def read_unchecked_page(database: Database, limit: int, offset: int) -> Page[Idea]:
    return database.read_now(lambda reader: list_unchecked(reader, limit, offset))


def find_unchecked(database: Database) -> dict[str, int]:
    """List the first words of the unchecked ideas of our own sources in their order, with their IDs."""
    found = read_unchecked_page(database, 100, 0)
    own = (each for each in found.items if each.source and each.source.name in {READ.name, UNREAD.name})
    return {each.words[0].word: each.id for each in own}


def confirmations(database: Database, *idea_ids: int) -> dict[int, Confirmation]:
    return database.read_now(lambda reader: load_confirmations(reader, idea_ids))


def test_the_most_common_ideas_come_first_and_equal_ones_by_id() -> None:
    found = [
        IdeaWithWord(5, None, None),
        IdeaWithWord(4, "nobodycountedthis", None),
        IdeaWithWord(3, "x", 0.3),
        IdeaWithWord(2, "x", 0.3),
        IdeaWithWord(2, "পানী", None),
        IdeaWithWord(1, "x", 90_000.0),
    ]

    assert sort_by_frequency(found) == (1, 2, 3, 4, 5)


def test_unchecked_ideas_are_those_from_a_source_with_a_notice(dictionary: Database) -> None:
    assert list(find_unchecked(dictionary)) == ["সঘনটো", "বিৰলটো", "সমানটো", "foreignword"]


def test_pages_continue_the_list_and_have_the_total(dictionary: Database) -> None:
    whole = read_unchecked_page(dictionary, 100, 0)

    pages = [read_unchecked_page(dictionary, 2, start) for start in range(0, whole.total, 2)]

    assert [idea.id for page in pages for idea in page.items] == [idea.id for idea in whole.items]
    assert {page.total for page in pages} == {len(whole.items)}
    assert not read_unchecked_page(dictionary, 2, whole.total + 5).items


def test_a_confirmed_idea_leaves_the_list_and_has_its_editor_and_time(dictionary: Database) -> None:
    before = find_unchecked(dictionary)
    idea_id = before.pop("সঘনটো")

    made = run(editing(dictionary).confirm(EDITOR, idea_id))

    assert made == Confirmation(idea_id, "bina", NOW)
    assert find_unchecked(dictionary) == before
    assert confirmations(dictionary, idea_id, before["বিৰলটো"]) == {idea_id: made}


def test_a_confirmation_is_in_the_history_raises_the_version_and_changes_no_answer(dictionary: Database) -> None:
    idea_id = find_unchecked(dictionary)["সঘনটো"]
    version = dictionary.version_now()
    token = dictionary.read_now(lambda reader: list_changes(reader, None, 10)).next
    answer = dictionary.read_now(lambda reader: get_idea(reader, idea_id))

    run(editing(dictionary).confirm(EDITOR, idea_id))

    entry = run(editing(dictionary).list_history(RecordRef("idea", str(idea_id)), 10))[0]
    assert entry.action is not None
    assert (entry.action.id, entry.person, entry.at) == (HistoryAction.APPROVED, "bina", NOW)
    assert [each.record for each in entry.changes] == [f"confirmation:{idea_id}"]
    assert dictionary.version_now() > version
    assert dictionary.read_now(lambda reader: list_changes(reader, token, 10)).records == ()
    assert dictionary.read_now(lambda reader: get_idea(reader, idea_id)) == answer


def test_the_first_confirmation_counts(dictionary: Database) -> None:
    idea_id = find_unchecked(dictionary)["সঘনটো"]
    first = run(editing(dictionary).confirm(EDITOR, idea_id))

    assert run(editing(dictionary, NOW + 60).confirm(OTHER, idea_id)) == first
    assert len(run(editing(dictionary).list_history(RecordRef("idea", str(idea_id)), 10))) == 1


def test_only_reviewers_may_confirm_and_only_existing_ideas(dictionary: Database) -> None:
    idea_id = find_unchecked(dictionary)["সঘনটো"]

    with pytest.raises(ForbiddenError):
        run(editing(dictionary).confirm(CONTRIBUTOR, idea_id))
    with pytest.raises(NotFoundError):
        run(editing(dictionary).confirm(EDITOR, 999_999))

    assert confirmations(dictionary, idea_id, 999_999) == {}


def test_a_confirmation_can_be_undone_and_given_again_by_another(dictionary: Database) -> None:
    before = find_unchecked(dictionary)
    idea_id = before["সঘনটো"]
    run(editing(dictionary).confirm(EDITOR, idea_id))
    find_unchecked(dictionary)
    entry = run(editing(dictionary).list_history(RecordRef("idea", str(idea_id)), 1))[0]

    run(editing(dictionary).undo(OTHER, entry.id))

    assert confirmations(dictionary, idea_id) == {}
    assert find_unchecked(dictionary) == before
    again = run(editing(dictionary, NOW + 60).confirm(OTHER, idea_id))
    assert again == Confirmation(idea_id, "anil", NOW + 60)


def test_an_edit_by_an_editor_keeps_the_confirmation(dictionary: Database) -> None:
    idea_id = find_unchecked(dictionary)["সঘনটো"]
    made = run(editing(dictionary).confirm(EDITOR, idea_id))
    name = RecordRef("idea", str(idea_id))
    version = run(editing(dictionary).read(OTHER, name)).version

    run(editing(dictionary, NOW + 60).change(OTHER, name, version, IdeaChanges(glyph="🚰")))

    assert confirmations(dictionary, idea_id) == {idea_id: made}


def test_deleting_an_idea_deletes_its_confirmation_and_undoing_restores_both(dictionary: Database) -> None:
    idea_id = find_unchecked(dictionary)["সঘনটো"]
    made = run(editing(dictionary).confirm(EDITOR, idea_id))
    name = RecordRef("idea", str(idea_id))

    deleted = run(editing(dictionary, NOW + 60).delete(OTHER, name))
    assert confirmations(dictionary, idea_id) == {}

    run(editing(dictionary, NOW + 120).undo(OTHER, deleted.version))
    assert confirmations(dictionary, idea_id) == {idea_id: made}


def test_merging_removes_only_the_confirmation_of_the_merged_idea(dictionary: Database) -> None:
    there = find_unchecked(dictionary)
    gone, kept, third = there["সঘনটো"], there["বিৰলটো"], there["সমানটো"]
    of_gone = run(editing(dictionary).confirm(EDITOR, gone))
    of_kept = run(editing(dictionary).confirm(EDITOR, kept))

    merged = run(editing(dictionary).merge(OTHER, kept, gone))
    assert confirmations(dictionary, gone, kept) == {kept: of_kept}
    assert list(find_unchecked(dictionary)) == ["সমানটো", "foreignword"]

    run(editing(dictionary).undo(OTHER, merged.version))
    assert confirmations(dictionary, gone, kept) == {gone: of_gone, kept: of_kept}

    run(editing(dictionary).merge(OTHER, third, gone))
    assert confirmations(dictionary, gone, third) == {}


def test_restoring_an_idea_cannot_be_undone_after_its_confirmation(dictionary: Database) -> None:
    idea_id = find_unchecked(dictionary)["সঘনটো"]
    name = RecordRef("idea", str(idea_id))
    deleted = run(editing(dictionary).delete(OTHER, name))
    brought_back = run(editing(dictionary).undo(OTHER, deleted.version))
    run(editing(dictionary).confirm(EDITOR, idea_id))

    with pytest.raises(ConflictError):
        run(editing(dictionary).undo(OTHER, brought_back.version))


def test_the_order_follows_edits_and_imports(dictionary: Database) -> None:
    assert next(iter(find_unchecked(dictionary))) == "সঘনটো"

    load(
        dictionary,
        UNREAD,
        IdeaRecord("unread", "new", "Common Noun", (WordRecord("as", "নতুনটো", frequency=90_000.0),)),
    )

    assert next(iter(find_unchecked(dictionary))) == "নতুনটো"


def test_with_a_limited_ranking_every_idea_is_still_listed_once(
    dictionary: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = read_unchecked_page(dictionary, 100, 0)
    monkeypatch.setattr(stored, "MAX_RANKED_IDEAS", 2)
    load(dictionary, UNREAD, IdeaRecord("unread", "one more", "Common Noun", (WordRecord("as", "আৰুএটা"),)))

    seen: set[int] = set()
    while (page := read_unchecked_page(dictionary, 1, 0)).items:
        assert page.total == whole.total + 1 - len(seen)
        idea_id = page.items[0].id
        assert idea_id not in seen
        run(editing(dictionary).confirm(EDITOR, idea_id))
        seen.add(idea_id)

    assert seen > {idea.id for idea in whole.items}
    assert page.total == 0
