"""Texts in the history can be hidden: the entries stay, show a reason, and the texts do not come back."""

from functools import partial
from pathlib import Path

import pytest

from abhidhan.contributions.service.submissions import Submissions
from abhidhan.dictionary.service import browse
from abhidhan.editing.service import redaction
from abhidhan.editing.service.editing import Editing
from abhidhan.editing.service.history import RevisionView
from abhidhan.editing.service.redaction import RedactionResult
from abhidhan.platform.database.database import Database
from abhidhan.records.errors import ConflictError, InputError, NotFoundError
from abhidhan.records.history import RecordRef
from abhidhan.records.submission_payloads import DefinitionData, IdeaChanges, ReportData, WordChanges
from abhidhan.records.throttling import ClientInfo
from tests.exchange.service.test_older_files import brought, change, exported
from tests.support.arbitrary_edits import EDITOR, run
from tests.support.databases import load_sample
from tests.support.sample import NOW

FORBIDDEN = 'He said "never" to নীৰ'
BECAUSE = "Removed at the request of the rights holder."
IDEA = RecordRef("idea", "1")


@pytest.fixture
def dictionary(database: Database) -> Database:
    """Hold a definition that may not be shown, written after another one of the same idea, and removed again."""
    load_sample(database)
    define(database, "Harmless.")
    define(database, FORBIDDEN)
    define(database, "Mended.")
    return database


def define(database: Database, text: str) -> None:
    change(database, str(IDEA), IdeaChanges(definitions=(DefinitionData("en", text),)))


def hide(database: Database, text: str = FORBIDDEN, reason: str = BECAUSE) -> RedactionResult:
    return database.write_now(lambda writer: redaction.hide_text(writer, text, reason, NOW + 5))


def history(database: Database, name: RecordRef = IDEA) -> tuple[RevisionView, ...]:
    return run(Editing(database).list_history(name, 50))


def list_visibility(database: Database) -> list[tuple[str | None, bool]]:
    """List of each entry, the newest first, the reason why it is hidden, and whether it tells what was changed."""
    return [(each.hidden, bool(each.changes)) for each in history(database)]


def test_entries_with_a_hidden_text_show_only_the_reason(dictionary: Database) -> None:
    before = history(dictionary)

    hidden = hide(dictionary)

    assert hidden == RedactionResult([each.id for each in before[1::-1]])
    assert list_visibility(dictionary) == [(BECAUSE, False), (BECAUSE, False), (None, True)]
    after = history(dictionary)
    assert [(each.id, each.at, each.action, each.person) for each in after] == [
        (each.id, each.at, each.action, each.person) for each in before
    ]
    told = dictionary.read_now(redaction.list_hidden_entries)
    assert [tuple(each) for each in told] == [(entry_id, NOW + 5, BECAUSE) for entry_id in hidden.entries]


def test_entries_are_not_hidden_twice(dictionary: Database) -> None:
    hide(dictionary)
    assert hide(dictionary, reason="Another reason.") == RedactionResult([])
    assert list_visibility(dictionary)[0] == (BECAUSE, False)


def test_a_record_that_still_has_the_text_is_named(dictionary: Database) -> None:
    define(dictionary, f"Again: {FORBIDDEN}!")
    assert hide(dictionary).remaining_records == (str(IDEA),)

    define(dictionary, "Mended again.")
    last = hide(dictionary)
    assert (len(last.entries), last.remaining_records) == (1, ())


def test_field_and_record_names_are_not_searched_for_hidden_texts(dictionary: Database) -> None:
    for text in ("definitions", "idea:1", "idea"):
        assert hide(dictionary, text=text) == RedactionResult([])


def test_a_hidden_change_cannot_be_undone_until_it_is_shown_again(dictionary: Database) -> None:
    newest = history(dictionary)[0].id
    hidden = hide(dictionary)

    with pytest.raises(ConflictError, match="This change is hidden, so it cannot be undone: Removed at"):
        run(Editing(dictionary).undo(EDITOR, newest))

    assert dictionary.write_now(lambda writer: redaction.unhide_entries(writer, [*hidden.entries, 10_000])) == len(
        hidden.entries
    )
    run(Editing(dictionary).undo(EDITOR, newest))
    assert texts(dictionary) == [FORBIDDEN]


def texts(database: Database) -> list[str]:
    return [each.text for each in database.read_now(lambda reader: browse.get_idea(reader, 1)).definitions]


def test_an_older_file_does_not_restore_hidden_texts(database: Database, tmp_path: Path) -> None:
    load_sample(database)
    define(database, FORBIDDEN)
    older = exported(database, tmp_path / "older.jsonl")
    define(database, "Mended.")
    hide(database)

    brought(database, older)

    assert texts(database) == ["Mended."]


def test_entries_are_hidden_by_their_ids_and_all_of_them_or_none(dictionary: Database) -> None:
    oldest = history(dictionary)[-1].id

    with pytest.raises(NotFoundError, match="There is no entry in the history with the ID 10000"):
        dictionary.write_now(lambda writer: redaction.hide_entries(writer, [oldest, 10_000], BECAUSE, NOW))
    assert list_visibility(dictionary)[-1] == (None, True)

    done = dictionary.write_now(lambda writer: redaction.hide_entries(writer, [oldest, oldest], BECAUSE, NOW))
    assert (done, list_visibility(dictionary)[-1]) == (RedactionResult([oldest]), (BECAUSE, False))


def test_a_reason_is_one_line_of_limited_length(dictionary: Database) -> None:
    for reason in ("", " ", "two\nlines", "x" * 501):
        with pytest.raises(InputError, match="one line of 1 to 500 characters"):
            hide(dictionary, reason=reason)
        with pytest.raises(InputError, match="one line of 1 to 500 characters"):
            dictionary.write_now(partial(redaction.hide_entries, entry_ids=[1], reason=reason, now=NOW))


def test_an_empty_text_cannot_be_hidden(dictionary: Database) -> None:
    with pytest.raises(InputError, match="--holding needs the text"):
        hide(dictionary, text=" ")


def test_a_hidden_text_is_hidden_in_entries_of_other_records_too(dictionary: Database) -> None:
    change(dictionary, "word:1", WordChanges(roman=FORBIDDEN))
    change(dictionary, "word:1", WordChanges(roman="mended"))
    hide(dictionary)
    assert [each.hidden for each in history(dictionary, RecordRef("word", "1"))] == [BECAUSE, BECAUSE]


def test_hiding_a_text_raises_the_version_of_all_answers(dictionary: Database) -> None:
    before = dictionary.version_now()
    hide(dictionary)
    assert dictionary.version_now() > before


def test_a_decided_submission_with_the_text_shows_the_reason_instead(database: Database) -> None:
    load_sample(database)
    service = Submissions(database, clock=lambda: NOW)
    sent, other = (
        run(service.report(None, ReportData(1, text), ClientInfo("192.0.2.1"))).submission_id
        for text in (FORBIDDEN, "Harmless.")
    )
    assert hide(database).remaining_records == (f"submission:{sent}",)
    run(service.review.reject(EDITOR, sent, "It is right."))

    assert hide(database).entries

    found = run(service.list_all(None, 10)).items
    assert {each.submission_id: (each.data == {}, each.hidden) for each in found} == {
        sent: (True, BECAUSE),
        other: (False, None),
    }
