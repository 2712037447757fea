"""The licence of contributions, from where it is sent to the records, answers and files that come of it."""

from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import pytest
from sqlalchemy import update

from abhidhan import schema
from abhidhan.exchange.service.importing import import_records
from abhidhan.exchange.store.dump import dump_records
from abhidhan.records.import_records import LocatedRecord
from abhidhan.records.kinds import IdeaRecord, PhraseRecord, Record
from abhidhan.records.people import Role
from tests.contributions.api.test_submissions import EVERY, PROVERB, step, submit
from tests.support.contributions import Site, opened_site, photo_bytes
from tests.support.databases import SqliteDatabases, leave_empty, open_database
from tests.support.sample import NOW

USUAL: Final = "CC BY-SA 4.0"
NEW_WORD: Final = {
    "kind": "word",
    "data": {
        "language": "as",
        "word": "নতুনশব্দ",
        "meaning": {"pos": "Common Noun", "definitions": [{"language": "en", "text": "Something new."}]},
    },
}
LINKED_WORD: Final = {"kind": "word", "data": {"language": "as", "word": "নীৰ", "idea_id": 1}}


@pytest.fixture
def people(site: Site) -> Site:
    """Let a contributor and an editor sign in, once on each engine."""
    return with_people(site)


@pytest.fixture
def on_sqlite(open_site: Site) -> Site:
    """Let them sign in on SQLite alone, where the engine makes no difference."""
    return with_people(open_site)


def with_people(site: Site) -> Site:
    site.add("contributor", Role.CONTRIBUTOR)
    site.add("editor", Role.EDITOR)
    return site


def approve_submission(site: Site, submission: object) -> dict[str, Any]:
    number = submit(site, submission)["submission_id"]
    decided = step(site, "approve", number)
    assert decided.status == 200, decided.body.decode()
    return dict(decided.json)


def meaning_of(site: Site, word: str) -> Any:  # noqa: ANN401  # of an answer
    return site.ask("GET", f"/api/dic.php?w={quote(word)}").json["querywords"][0]["entries"][0]["meanings"][0]


def licence_of(site: Site, word: str) -> str | None:
    """Return the licence of the first meaning of a word, which `fields` answers alike."""
    chosen = site.ask("GET", f"/api/dic.php?w={quote(word)}&fields=licence").json
    meaning = meaning_of(site, word)
    assert chosen["querywords"][0]["entries"][0]["meanings"][0] == {"licence": meaning["licence"]}
    return meaning["licence"]  # type: ignore[no-any-return]


def test_a_word_a_proverb_and_a_photo_keep_the_licence_under_which_they_were_given(people: Site) -> None:
    before = people.ask("GET", "/api/submissions/similar", by="contributor").status
    told = people.ask("POST", "/api/submissions/similar", by="contributor", json=NEW_WORD)
    assert (before, told.json["licence"]) == (405, USUAL)
    assert submit(people, NEW_WORD)["licence"] == USUAL
    assert step(people, "approve", 1).json["licence"] == USUAL
    proverb = approve_submission(people, PROVERB)
    approve_submission(people, LINKED_WORD)
    assert people.send_photo("contributor", photo_bytes()).json["licence"] == USUAL
    assert people.ask("POST", "/api/photos/1/approve", by="editor").json["licence"] == USUAL

    assert [licence_of(people, word) for word in ("নতুনশব্দ", "নীৰ", "পানী")] == [USUAL, USUAL, None]
    idea = meaning_of(people, "নতুনশব্দ")["idea_id"]
    assert people.ask("GET", f"/api/ideas/{idea}").json["licence"] == USUAL
    assert people.ask("GET", "/api/ideas/1").json["licence"] is None
    assert [each["licence"] for each in meaning_of(people, "পানী")["photos"]] == [USUAL]
    phrase = proverb["result"].partition(":")[2]
    assert people.ask("GET", f"/api/phrases/{phrase}").json["licence"] == USUAL


def test_a_word_added_by_an_editor_gets_the_licence_of_its_idea(people: Site) -> None:
    approve_submission(people, NEW_WORD)
    idea = meaning_of(people, "নতুনশব্দ")["idea_id"]

    added = {"language": "en", "word": "novelty-word", "idea_id": idea}
    assert people.ask("POST", "/api/editing/words", by="editor", json=added).status == 201

    assert licence_of(people, "novelty-word") == USUAL


def test_another_setting_touches_nothing_that_is_there(on_sqlite: Site, tmp_path: Path) -> None:
    approve_submission(on_sqlite, NEW_WORD)
    waiting = submit(on_sqlite, PROVERB)["submission_id"]

    with opened_site(on_sqlite.database, tmp_path / "later", contribution_licence="CC0") as later:
        later.cookies |= on_sqlite.cookies
        proverb = step(later, "approve", waiting).json
        assert licence_of(later, "নতুনশব্দ") == USUAL
        assert proverb["licence"] == USUAL
        assert submit(later, LINKED_WORD)["licence"] == "CC0"
        assert approve_submission(later, LINKED_WORD)["licence"] == "CC0"
        assert licence_of(later, "নীৰ") == "CC0"


def test_older_submissions_without_a_licence_stay_without_one(on_sqlite: Site) -> None:
    number = submit(on_sqlite, NEW_WORD)["submission_id"]
    with on_sqlite.database.engine.begin() as connection:
        connection.execute(update(schema.submission).values(licence=None))

    assert step(on_sqlite, "approve", number).json["licence"] is None
    assert licence_of(on_sqlite, "নতুনশব্দ") is None


def test_undoing_an_approval_and_approving_again_keeps_the_licence(on_sqlite: Site) -> None:
    word = approve_submission(on_sqlite, NEW_WORD)["result"]
    entry = on_sqlite.ask("GET", f"/api/words/{word.partition(':')[2]}/history").json["data"][0]["id"]
    assert on_sqlite.ask("POST", f"/api/editing/history/{entry}/undo", by="editor").status == 200

    assert step(on_sqlite, "approve", 1).status == 200
    assert licence_of(on_sqlite, "নতুনশব্দ") == USUAL


def test_every_kind_is_listed_with_its_licence(on_sqlite: Site) -> None:
    for submission in EVERY:
        submit(on_sqlite, submission)

    listed = on_sqlite.ask("GET", "/api/submissions", by="editor").json["data"]
    assert [each["licence"] for each in listed] == [USUAL] * len(EVERY)


def test_a_photo_sent_under_another_licence_than_the_servers_is_refused(on_sqlite: Site) -> None:
    refused = on_sqlite.send_photo("contributor", photo_bytes(), fields={"licence": "CC0"})
    assert (refused.status, [each["parameter"] for each in refused.json["errors"]]) == (400, ["licence"])
    assert on_sqlite.ask("GET", "/api/photos", by="editor").json["total"] == 0

    assert on_sqlite.send_photo("contributor", photo_bytes(), fields={"licence": USUAL}).status == 201


def test_files_carry_the_licences_from_one_dictionary_to_another(
    people: Site, sqlite_databases: SqliteDatabases
) -> None:
    approve_submission(people, NEW_WORD)
    approve_submission(people, LINKED_WORD)
    approve_submission(people, PROVERB)

    records = people.database.read_now(lambda reader: list(dump_records(reader)))
    assert sorted(licences_in(records)) == [
        ("idea", "নতুনশব্দ", USUAL),
        ("phrase", "নতুন ফকৰা এটা লিখিলোঁ আজি", USUAL),
        ("word", "নতুনশব্দ", USUAL),
        ("word", "নীৰ", USUAL),
    ]

    with open_database(sqlite_databases, leave_empty) as copy:
        assert not import_records(copy, (LocatedRecord("all", 1, each) for each in records), now=NOW).errors
        again = copy.read_now(lambda reader: list(dump_records(reader)))
    assert sorted(licences_in(again)) == sorted(licences_in(records))


def licences_in(records: list[Record]) -> list[tuple[str, str, str]]:
    """List the licences that records name: of what kind of thing, by its text."""
    found: list[tuple[str, str, str | None]] = []
    for each in records:
        if isinstance(each, IdeaRecord):
            found.append(("idea", each.words[0].text, each.licence))
            found += [("word", word.text, word.licence) for word in each.words]
        if isinstance(each, PhraseRecord):
            found.append(("phrase", each.text, each.licence))
    return [(kind, text, licence) for kind, text, licence in found if licence]
