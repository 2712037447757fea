import asyncio
from collections.abc import Sequence

import msgspec
import pytest

from abhidhan.contributions.service.submissions import Submissions
from abhidhan.editing.service.editing import Editing
from abhidhan.exchange.service.import_for_review import OmissionReason, submit_for_review
from abhidhan.exchange.service.importing import import_records
from abhidhan.exchange.store.dump import dump_records
from abhidhan.platform.database.database import Database
from abhidhan.records.errors import InputError
from abhidhan.records.history import RecordRef
from abhidhan.records.import_records import LocatedRecord, RecordError
from abhidhan.records.kinds import (
    CardRecord,
    CardSetRecord,
    DefinitionRecord,
    FormsRecord,
    IdeaRecord,
    LanguageRecord,
    ListItemRecord,
    PhraseRecord,
    Record,
    RelationRecord,
    SourceRecord,
    WordRecord,
)
from abhidhan.records.submissions import Status
from tests.support.arbitrary_edits import EDITOR
from tests.support.databases import Databases, load_sample, open_database
from tests.support.sample import NOW

FISH = IdeaRecord(
    "hemkosh",
    "fish",
    "Common Noun",
    (
        WordRecord("as", "মীন", roman="min", forms=("মীনৰ",), reference="p. 7"),
        WordRecord("en", "fish", source="other"),
        WordRecord("und-new", "ikan"),
    ),
    definitions=(DefinitionRecord("en", "An animal of the water."),),
    relations=(RelationRecord("Related", "sample:water"), RelationRecord("Related", "hemkosh:later")),
)
RECORDS: tuple[Record, ...] = (
    SourceRecord("hemkosh", "Hemkosh", "CC0-1.0", attribution="H. Barua"),
    SourceRecord("other", "Another", "CC-BY-4.0"),
    LanguageRecord(0, "und-new", None, "New", "New", "Latn"),
    FISH,
    PhraseRecord("hemkosh", "1", "as", "মাছৰ তেলেৰে মাছ ভজা", "Other", "To fry fish in its own oil."),
)
ANIMALS = CardSetRecord(
    "hemkosh",
    "animals",
    "Animals",
    "as",
    "en",
    "What lives.",
    (CardRecord("হাতী", "elephant", "hati", "\N{ELEPHANT}", "sample:elephant"), CardRecord("ঘোঁৰা", "horse")),
)
FORMS = FormsRecord("as", "পানী", (("পানীলৈকে", "N;TERM"),))
OTHER = IdeaRecord("hemkosh", "bird", None, (WordRecord("as", "শালিকা চৰাই"),))


def place(records: Sequence[Record]) -> list[LocatedRecord]:
    """Place records on lines."""
    return [LocatedRecord("words.jsonl", line, record) for line, record in enumerate(records, 1)]


def list_pending(database: Database) -> list[int]:
    """List what waits for an editor."""
    page = asyncio.run(Submissions(database).list_all(Status.PENDING, 100))
    return [one.submission_id for one in page.items]


def approve_all(database: Database) -> list[str | None]:
    """Approve everything that waits, and tell what came of it."""
    submissions = Submissions(database, clock=lambda: NOW)
    return [asyncio.run(submissions.review.approve(EDITOR, number)).result for number in list_pending(database)]


def dump(database: Database) -> list[Record]:
    """Return all records of a database."""
    with database.snapshot() as reader:
        return list(dump_records(reader))


def test_approved_records_equal_those_of_a_direct_import(databases: Databases, dictionary: Database) -> None:
    reviewed = submit_for_review(dictionary, place(RECORDS), now=NOW)
    before = dump(dictionary)
    results = approve_all(dictionary)

    assert (reviewed.pending, reviewed.already_submitted, reviewed.over_limit, reviewed.errors) == (2, 0, 0, ())
    assert [(result or "").split(":")[0] for result in results] == ["idea", "phrase"]
    assert len(dump(dictionary)) == len(before) + len(RECORDS)
    with open_database(databases, load_sample) as other:
        import_records(other, place(RECORDS), now=NOW)
        assert dump(dictionary) == dump(other)


def test_pending_records_name_their_source_and_licence(dictionary: Database) -> None:
    submit_for_review(dictionary, place(RECORDS), now=NOW)
    first = asyncio.run(Submissions(dictionary).list_all(Status.PENDING, 1)).items[0]

    assert first.submitter is None
    assert [source["licence"] for source in first.data["sources"]] == ["CC0-1.0", "CC-BY-4.0"]  # type: ignore[index]


def test_a_second_run_adds_nothing_after_any_decision(dictionary: Database) -> None:
    submit_for_review(dictionary, place(RECORDS), now=NOW)
    submissions = Submissions(dictionary)
    first, second = list_pending(dictionary)
    asyncio.run(submissions.review.reject(EDITOR, first, "Wrong."))
    asyncio.run(submissions.review.approve(EDITOR, second))

    again = submit_for_review(dictionary, place(RECORDS), now=NOW)

    assert (again.pending, again.already_submitted, list_pending(dictionary)) == (0, 2, [])


def test_records_over_the_limit_are_submitted_by_a_later_run(dictionary: Database) -> None:
    records = place((*RECORDS, OTHER))
    first = submit_for_review(dictionary, records, now=NOW, limit=2)
    second = submit_for_review(dictionary, records, now=NOW, limit=2)

    assert (first.pending, first.over_limit) == (2, 1)
    assert (second.pending, second.already_submitted, second.over_limit) == (1, 2, 0)


def test_invalid_records_are_reported_with_their_line(dictionary: Database) -> None:
    bad = IdeaRecord("hemkosh", "bad", "No such part of speech", (WordRecord("as", "ক"),))
    bad_set = msgspec.structs.replace(ANIMALS, language="zz")
    fault = RecordError("words.jsonl", 9, "The line is not JSON.")
    rejected: list[RecordError] = []
    records: list[LocatedRecord | RecordError] = [fault, *place((RECORDS[0], bad, bad_set))]
    reviewed = submit_for_review(dictionary, records, now=NOW, on_reject=rejected.append)

    assert (reviewed.pending, reviewed.rejected) == (0, 3)
    assert [(one.line, one.detail.split(" ")[0]) for one in reviewed.errors] == [(9, "The"), (2, "There"), (3, "There")]
    assert tuple(rejected) == reviewed.errors


def test_flashcards_are_reviewed_separately_and_equal_a_direct_import(
    databases: Databases, dictionary: Database
) -> None:
    reviewed = submit_for_review(dictionary, place((RECORDS[0], ANIMALS)), now=NOW)
    results = approve_all(dictionary)

    assert (reviewed.pending, reviewed.omitted) == (2, {})
    assert [(result or "").split(":")[0] for result in results] == ["card", "card"]
    with open_database(databases, load_sample) as other:
        import_records(other, place((RECORDS[0], ANIMALS)), now=NOW)
        assert dump(dictionary) == dump(other)


def test_ideas_and_proverbs_are_only_submitted_if_they_add_something(dictionary: Database) -> None:
    import_records(dictionary, place((*RECORDS, OTHER)), now=NOW)
    before = dump(dictionary)
    more = msgspec.structs.replace(OTHER, words=(*OTHER.words, WordRecord("en", "myna")))
    new = msgspec.structs.replace(OTHER, key="new")

    reviewed = submit_for_review(dictionary, place((*RECORDS, more, new)), now=NOW)

    assert (reviewed.pending, reviewed.already_submitted, reviewed.omitted) == (
        2,
        0,
        {OmissionReason.ALREADY_STORED: 2},
    )
    assert dump(dictionary) == before


def test_an_existing_card_is_not_submitted(dictionary: Database) -> None:
    import_records(dictionary, place((RECORDS[0], ANIMALS)), now=NOW)
    more = msgspec.structs.replace(ANIMALS, cards=(*ANIMALS.cards, CardRecord("বাঘ", "tiger", idea="sample:none")))

    reviewed = submit_for_review(dictionary, place((RECORDS[0], more)), now=NOW)
    approve_all(dictionary)

    assert (reviewed.pending, reviewed.omitted) == (1, {OmissionReason.ALREADY_STORED: 2})
    (stored,) = [one for one in dump(dictionary) if isinstance(one, CardSetRecord) and one.source == "hemkosh"]
    assert stored.cards == (*ANIMALS.cards, CardRecord("বাঘ", "tiger"))


def test_undoing_the_approval_of_a_card_removes_its_new_set(dictionary: Database) -> None:
    one_card = msgspec.structs.replace(ANIMALS, cards=ANIMALS.cards[:1])
    submit_for_review(dictionary, place((RECORDS[0], one_card)), now=NOW)
    before = dump(dictionary)
    (result,) = approve_all(dictionary)
    (newest,) = asyncio.run(Editing(dictionary).list_history(RecordRef.parse(str(result)), 1))

    asyncio.run(Editing(dictionary).undo(EDITOR, newest.id))

    assert [one for one in dump(dictionary) if one != RECORDS[0]] == before


def test_inflected_forms_are_submitted_and_their_approval_undone(dictionary: Database) -> None:
    reviewed = submit_for_review(dictionary, place((FORMS,)), now=NOW)
    (result,) = approve_all(dictionary)

    assert reviewed.pending == 1
    assert FORMS in dump(dictionary)
    again = submit_for_review(dictionary, place((FORMS,)), now=NOW)
    assert (again.pending, again.omitted) == (0, {OmissionReason.ALREADY_STORED: 1})
    (newest,) = asyncio.run(Editing(dictionary).list_history(RecordRef.parse(str(result)), 1))
    asyncio.run(Editing(dictionary).undo(EDITOR, newest.id))
    assert FORMS not in dump(dictionary)


@pytest.mark.spoils
def test_forms_of_a_missing_word_cannot_be_approved(dictionary: Database) -> None:
    optional = msgspec.structs.replace(FORMS, optional=True)
    submit_for_review(dictionary, place((optional,)), now=NOW)
    (number,) = list_pending(dictionary)
    with dictionary.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE word SET text = 'x' WHERE text = 'পানী'")

    with pytest.raises(InputError, match="There is no word 'পানী'"):
        asyncio.run(Submissions(dictionary).review.approve(EDITOR, number))


def test_omitted_records_are_counted_by_reason(dictionary: Database) -> None:
    unknown = FormsRecord("as", "নাইকিয়া শব্দ", (("নাইকিয়া শব্দৰ", "N;GEN"),))
    value = ListItemRecord("HAC", 999, "Sung")

    reviewed = submit_for_review(dictionary, place((unknown, value)), now=NOW)

    assert (reviewed.pending, reviewed.rejected) == (0, 0)
    assert reviewed.omitted == {OmissionReason.NO_WORD: 1, OmissionReason.FIXED_LIST: 1}


def test_an_approval_is_undone_completely(dictionary: Database) -> None:
    submit_for_review(dictionary, place((RECORDS[0], OTHER)), now=NOW)
    before = dump(dictionary)
    (result,) = approve_all(dictionary)
    assert "bird" in {one.key for one in dump(dictionary) if isinstance(one, IdeaRecord)}
    (newest,) = asyncio.run(Editing(dictionary).list_history(RecordRef.parse(str(result)), 1))

    asyncio.run(Editing(dictionary).undo(EDITOR, newest.id))

    assert [one for one in dump(dictionary) if one != RECORDS[0]] == before
    assert len(list_pending(dictionary)) == 1


def test_a_record_that_has_become_invalid_cannot_be_approved(dictionary: Database) -> None:
    submit_for_review(dictionary, place((OTHER, RECORDS[0])[::-1]), now=NOW)
    (number,) = list_pending(dictionary)
    with dictionary.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE submission SET payload = replace(payload, '\"as\"', '\"zz\"')")

    with pytest.raises(InputError, match="There is no language 'zz'"):
        asyncio.run(Submissions(dictionary).review.approve(EDITOR, number))
    assert list_pending(dictionary) == [number]
