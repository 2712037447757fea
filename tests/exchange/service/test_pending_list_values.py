"""Values of lookup lists of files, which wait for an editor as words do, and the records that need them."""

import asyncio

import msgspec
import pytest

from abhidhan.contributions.service.submissions import Submissions
from abhidhan.editing.service.editing import Editing
from abhidhan.exchange.service.import_for_review import OmissionReason, ReviewImportResult, submit_for_review
from abhidhan.exchange.service.pending_list_values import NeededValue
from abhidhan.platform.database.database import Database
from abhidhan.records.errors import ConflictError
from abhidhan.records.history import RecordRef
from abhidhan.records.kinds import (
    IdeaRecord,
    ListItemRecord,
    PhraseRecord,
    Record,
    RelationRecord,
    SourceRecord,
    WordRecord,
)
from abhidhan.records.lookup_lists import ListItem, ListName
from abhidhan.records.submission_payloads import ListValueRecord, RecordData, RecordSubmission, ReviewedRecord
from abhidhan.records.submissions import Status
from tests.exchange.service.test_import_for_review import list_pending, place
from tests.support.arbitrary_edits import EDITOR
from tests.support.sample import NOW

SOURCE = SourceRecord("hemkosh", "Hemkosh", "CC0-1.0")
FISHING = ListItemRecord("CTX", 901, "Fishing", parent=900)
WATER = ListItemRecord("CTX", 900, "Life on water")
FISH = IdeaRecord("hemkosh", "fish", "Common Noun", (WordRecord("as", "মীন"),), contexts=("fishing", "Life on water"))


def send(database: Database, *records: Record) -> ReviewImportResult:
    """Let records of a file wait."""
    return submit_for_review(database, place((SOURCE, *records)), now=NOW)


def approve(database: Database, number: int, instead: ReviewedRecord | None = None) -> str:
    """Approve a submission, and tell what came of it."""
    mended = RecordSubmission(RecordData(instead)) if instead else None
    return str(asyncio.run(Submissions(database, clock=lambda: NOW).review.approve(EDITOR, number, mended)).result)


def undo(database: Database, result: str) -> None:
    """Take back what was last done with a record."""
    (newest,) = asyncio.run(Editing(database).list_history(RecordRef.parse(result), 1))
    asyncio.run(Editing(database).undo(EDITOR, newest.id))


def value(database: Database, list_name: ListName, name: str) -> ListItem:
    """Return a value that a list has."""
    found = database.read_now(lambda reader: reader.catalogue).find_item(list_name, name)
    assert found, name
    return found


def has(database: Database, name: str) -> bool:
    """Say whether the contexts have a value."""
    return database.read_now(lambda reader: reader.catalogue).find_item("CTX", name) is not None


def read_record(database: Database, number: int) -> dict[str, object]:
    """Return the record that a submission holds."""
    data = asyncio.run(Submissions(database).show_to(EDITOR, number)).data
    assert isinstance(data, dict)
    return dict(data["record"])


def test_a_pending_value_must_be_approved_before_records_that_need_it_and_can_be_undone(dictionary: Database) -> None:
    sent = send(dictionary, FISHING, WATER, FISH)
    fishing, water, fish = list_pending(dictionary)

    assert (sent.pending, sent.rejected, sent.omitted) == (3, 0, {})
    assert read_record(dictionary, fishing) == {
        "record": "list_value",
        "list": "CTX",
        "value": "Fishing",
        "parent": "Life on water",
    }
    with pytest.raises(ConflictError, match=f"needs the context “Life on water”, .*submission {water}"):
        approve(dictionary, fishing)
    with pytest.raises(ConflictError, match=f"needs the context “fishing”, .*submission {fishing}"):
        approve(dictionary, fish)
    approve(dictionary, water)
    made = approve(dictionary, fishing)
    assert approve(dictionary, fish).startswith("idea:")

    item = value(dictionary, ListName.CONTEXTS, "Fishing")
    assert (made, item.parent_id) == (f"list_item:CTX-{item.id}", value(dictionary, ListName.CONTEXTS, WATER.value).id)
    with pytest.raises(ConflictError, match="in use"):
        undo(dictionary, made)
    undo(dictionary, str(asyncio.run(Submissions(dictionary).show_to(EDITOR, fish)).result))
    undo(dictionary, made)
    assert not has(dictionary, "Fishing")
    assert list_pending(dictionary) == [fishing, fish]


def test_a_record_that_needs_a_rejected_value_waits_until_the_rejection_is_undone(dictionary: Database) -> None:
    send(dictionary, WATER, FISHING, FISH)
    water, fishing, fish = list_pending(dictionary)
    approve(dictionary, water)
    submissions = Submissions(dictionary)
    asyncio.run(submissions.review.reject(EDITOR, fishing, "Too narrow."))

    with pytest.raises(ConflictError, match=f"needs the context “fishing”, .*submission {fishing}"):
        approve(dictionary, fish)
    shown = asyncio.run(submissions.review.show_pending(EDITOR, fish))
    assert shown.needs == (NeededValue("CTX", "fishing", fishing, is_pending=False),)
    undo(dictionary, f"submission:{fishing}")
    approve(dictionary, fishing)
    approve(dictionary, fish)

    assert list_pending(dictionary) == []


def test_a_record_uses_a_value_that_an_editor_renamed(dictionary: Database) -> None:
    verse = PhraseRecord("hemkosh", "1", "as", "মাছৰ তেলেৰে মাছ ভজা", "Riddle of fishers")
    kind = ListItemRecord("FJCAT", 901, "Riddle of fishers")
    send(dictionary, kind, verse)
    number, phrase = list_pending(dictionary)
    approve(dictionary, number, ListValueRecord("FJCAT", "Riddle"))
    result = approve(dictionary, phrase)

    name = RecordRef.parse(result)
    (state,) = [each.after for each in asyncio.run(Editing(dictionary).list_history(name, 1))[0].changes]
    assert msgspec.to_builtins(state)["category_id"] == value(dictionary, ListName.PHRASE_CATEGORIES, "Riddle").id


def test_existing_and_decided_values_are_not_submitted_again(dictionary: Database) -> None:
    there = ListItemRecord("POS", 77, "common NOUN")
    action = ListItemRecord("HAC", 500, "Sung")
    first = send(dictionary, there, action, WATER, msgspec.structs.replace(WATER, id=902))
    (number,) = list_pending(dictionary)
    asyncio.run(Submissions(dictionary).review.reject(EDITOR, number, "No."))
    second = send(dictionary, there, WATER)

    assert (first.pending, first.omitted) == (1, {OmissionReason.ALREADY_STORED: 2, OmissionReason.FIXED_LIST: 1})
    assert (second.pending, second.already_submitted, second.omitted) == (0, 1, {OmissionReason.ALREADY_STORED: 1})


def test_similar_values_are_shown(dictionary: Database) -> None:
    send(dictionary, WATER)
    approve(dictionary, list_pending(dictionary)[0])
    send(dictionary, ListItemRecord("CTX", 1, "Life on waters"))
    (number,) = list_pending(dictionary)
    similar = asyncio.run(Submissions(dictionary).review.show_pending(EDITOR, number)).similar[0]

    assert (similar.text, similar.match) == (WATER.value, "similar")


def test_a_record_uses_the_existing_value_that_an_editor_chose_instead(dictionary: Database) -> None:
    fish = msgspec.structs.replace(FISH, contexts=("Life on water",))
    send(dictionary, WATER, fish)
    number, idea = list_pending(dictionary)
    there = dictionary.read_now(lambda reader: reader.catalogue).list_items(ListName.CONTEXTS)
    result = approve(dictionary, number, ListValueRecord("CTX", f" {there[0].value.upper()} "))
    approve(dictionary, idea)

    assert result == f"list_item:CTX-{there[0].id}"
    assert dictionary.read_now(lambda reader: reader.catalogue).list_items(ListName.CONTEXTS) == there
    assert list_pending(dictionary) == []


def test_a_value_without_its_parent_or_list_is_reported_with_its_line(dictionary: Database) -> None:
    orphan = ListItemRecord("CTX", 901, "Fishing", parent=99_999)
    unknown = ListItemRecord("XYZ", 1, "Fishing")
    sent = send(dictionary, unknown, orphan)

    assert [(one.line, one.detail.split(" (")[0]) for one in sent.errors] == [
        (2, sent.errors[0].detail),
        (3, "There is no value with the ID 99999 in the list CTX"),
    ]
    assert "no list 'XYZ'" in sent.errors[0].detail
    assert list_pending(dictionary) == []


def test_a_relation_and_its_inverse_are_joined_in_any_order_of_approval(dictionary: Database) -> None:
    eats = ListItemRecord("RIC", 901, "Eats", code="902")
    eaten = ListItemRecord("RIC", 902, "Eaten by", code="901")
    beside = ListItemRecord("RIC", 903, "Lives beside", code="903")
    related = msgspec.structs.replace(FISH, contexts=(), relations=(RelationRecord("Eats", "sample:water"),))
    send(dictionary, eats, eaten, beside, related)
    first, second, third, idea = list_pending(dictionary)
    with pytest.raises(ConflictError, match="needs the relation “Eats”"):
        approve(dictionary, idea)
    approve(dictionary, second)
    approve(dictionary, first)
    approve(dictionary, third)
    approve(dictionary, idea)

    items = {name: value(dictionary, ListName.RELATIONS, name) for name in ("Eats", "Eaten by", "Lives beside")}
    codes = {name: item.code for name, item in items.items()}
    assert codes == {
        "Eats": str(items["Eaten by"].id),
        "Eaten by": str(items["Eats"].id),
        "Lives beside": str(items["Lives beside"].id),
    }


def test_a_value_is_decided_only_once(dictionary: Database) -> None:
    send(dictionary, WATER)
    (number,) = list_pending(dictionary)
    approve(dictionary, number)

    with pytest.raises(ConflictError, match="has been approved"):
        approve(dictionary, number)
    with pytest.raises(ConflictError, match="has been approved"):
        asyncio.run(Submissions(dictionary).review.reject(EDITOR, number, "No."))
    page = asyncio.run(Submissions(dictionary).list_all(Status.APPROVED, 10))
    assert [one.submission_id for one in page.items] == [number]
