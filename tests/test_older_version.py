"""What commit 5af1802 has written is brought up to date and restored, and nothing of it is lost."""

import gzip
import hashlib
import hmac
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from abhidhan.exchange.service import maintenance
from abhidhan.exchange.service.backup import FileLocations, back_up, restore
from abhidhan.exchange.service.importing import ImportReport, ImportRequest, import_files
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.migrate import PrepareResult, prepare_database
from abhidhan.platform.sandbox.artifact_store import ArtifactStore
from abhidhan.publishing.service.packs import is_up_to_date, read_packs
from abhidhan.publishing.service.takedowns import read_editions
from abhidhan.records.people import Role
from tests.support.asgi import AsgiResponse
from tests.support.contributions import Site, opened_site
from tests.support.older_versions import (
    FOLDER,
    OldDatabase,
    Row,
    Tables,
    find_lost_rows,
    open_old_database,
    read_tables,
    read_uploads,
    unpack,
)

EMPTY_ON_SQLITE: Final = frozenset({"shared_limit"})
"""Tables that only servers over PostgreSQL write."""

PENDING_KINDS: Final = {"card", "correction", "example", "missing", "proverb", "record", "report", "word"}

TEXTS: Final = ("word", "phrase", "definition", "example")
"""Tables of texts in a language."""

MISSING: Final = {
    "missing: pending, Dimasa by number": ("dis", "dismissing"),
    "missing: pending, qaa by code": ("qaa", "qaam"),
}

APPROVED: Final = {
    "word": {
        ("aho", "যাযি"),
        ("dis", "discode"),
        ("dis", "disleft"),
        ("dis", "dismissing"),
        ("dis", "disnew"),
        ("dis", "distext"),
        ("dis", "disvalue"),
        ("en", "waiting value"),
        ("kht", "khtword"),
        ("lax", "laxnumber"),
        ("pck", "pcknumber"),
        ("qaa", "qaam"),
        ("qaa", "qaanumber"),
        ("qaa", "qaatranslation"),
        ("qaa", "qaaword"),
        ("qae", "qaeword"),
        ("sgp", "sgpproposed"),
        ("trp", "trptranslation"),
        ("twm", "pagida"),  # taken away
    },
    "phrase": {("njo", "njo gapi sata dumi"), ("njo", "njo gati lamu waiting")},
    "definition": {
        ("aho", "A meaning in Tai-Ahom"),
        ("dis", "A definition in dis that waits."),
        ("dis", "A meaning in Dimasa"),
        ("nag", "One in Nagamese too"),
        ("qaa", "A meaning in qaa"),
        ("qae", "A definition in qae that waits."),
    },
    "example": {
        ("hmr", "An example in Hmar"),
        ("sat", "Another example in Santali"),
        ("try", "Example in try that waits."),
    },
}
"""What comes and goes, by language, when all that waits is approved."""

UNDONE: Final = {
    "word": {
        ("en", "word of sgp"),
        ("hmr", "mama"),
        ("qaa", "hatida"),
        ("sgp", "matida"),
        ("sgp", "matita"),
        ("trp", "jakida"),
        ("aho", "যাযু"),  # added
        ("qaa", "qaaadded"),  # added
    },
    "phrase": {("tvt", "latina latipa latiba latima"), ("qaa", "qaa lagi mata puni")},
    "definition": {
        ("aho", "Added definition in Tai-Ahom"),
        ("njo", "Changed definition in njo."),
        ("njo", "Own definition in njo."),
        ("pck", "Changed definition in pck."),
        ("pck", "Own definition in pck."),
        ("sat", "Added in sat."),
        ("sgp", "Own definition in sgp."),
    },
    "example": {
        ("njo", "Changed example in njo."),
        ("njo", "Own example in njo."),
        ("sgp", "Own example in sgp."),
    },
}
"""What comes and goes, by language, when all changes that can be undone are undone."""

UNDONE_CARD_SETS: Final = {
    ("Added set", "try", "sgp"),
    ("Cards phk-tvt", "phk", "tvt"),
    ("Cards sat-kht", "sat", "kht"),
    ("Changed name", "sat", "kht"),
}

ROMAN: Final = {
    ("dis", "tagita"): "roman-dis",
    ("mr", "कागि"): None,
    ("pck", "satita"): "roman-pck",
    ("qab", "kadita"): "roman-qab",
    ("qac", "dadita"): "roman-qac",
    ("qad", "gakita"): "roman-qad",
}
"""The romanizations of words whose change is undone."""

NO_UNDO: Final = frozenset(
    {
        "idea of Apatani changed, and that undone",
        "word of Bodo deleted, and that undone",
        "word of Tiwa changed, hidden",
    }
)
"""Entries of the history that cannot be undone."""


NEW_NUMBERS: Final = {
    **dict(zip(range(11, 21), (12, 13, 14, 15, 17, 101, 102, 103, 104, 19), strict=True)),
    **dict(zip(range(26, 33), (105, 31, 34, 106, 35, 37, 107), strict=True)),
    # pck has a number of its own since, and 34, 37 and 39, where qaa, mr and qac were, belong to others.
    33: 39,
    34: 1002,
    37: 1003,
    39: 1004,
}
"""What step 0036 makes of the numbers of languages."""

JSON_COLUMNS: Final = frozenset(
    {("history", "before"), ("history", "after"), ("submission", "payload"), ("submission", "seen")}
)

LANGUAGE_IN_JSON: Final = re.compile(
    r'((?:"(?:answer_)?language(?:_id)?":"?|"(?:definition|example)s":\[\[|\],\[))(\d+)\b'
)
"""A language as submissions and states have it: by number, its digits, or first in a list of texts."""


def in_text(found: re.Match[str]) -> str:
    """Give a language in JSON its new number."""
    return found[1] + str(NEW_NUMBERS.get(int(found[2]), int(found[2])))


def upgraded(table: str, row: Row) -> Row:
    """Return what the upgrade makes of a row."""
    made = dict(row)
    for column, value in row.items():
        if column.endswith("language_id") or (table, column) == ("language", "id"):
            made[column] = NEW_NUMBERS.get(value, value)
        elif (table, column) in JSON_COLUMNS and value and row.get("record") != "import":
            made[column] = LANGUAGE_IN_JSON.sub(in_text, value)
        elif (table, column, row.get("value")) == ("list_item", "code", "Prefix"):
            # The program has a value of this name since; it brings the major class that was missing.
            made[column] = value or "Others"
        elif (table, column, row.get("topic"), value) == ("mail_choice", "often", "decisions", "at_once"):
            made[column] = "daily"
        elif column == "once" and value:
            made[column] = re.sub(r"(^missing:)(\d+)\b", in_text, value)
    return made


on_sqlite: Final = pytest.mark.parametrize("old", ["sqlite"], indirect=True)
"""Let a test have the SQLite database alone."""


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.thorough)])
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[OldDatabase]:
    """Unpack the older database on each engine in turn."""
    server = request.getfixturevalue("postgresql") if request.param == "postgresql" else None
    with open_old_database(tmp_path, server) as old:
        yield old


@pytest.fixture
def site(old: OldDatabase) -> Iterator[Site]:
    """Bring it up to date, and open a site over it."""
    prepare_database(old.url, old.home / "backups")
    with Database(old.url) as database, opened_site(database, old.home) as site:
        yield site


def places_in(home: Path) -> FileLocations:
    return FileLocations(home / "photos", home / "recordings")


def approve(site: Site, kind: str, number: int, query: str = "", instead: object = None) -> AsgiResponse:
    return site.ask("POST", f"/api/{kind}/{number}/approve{query}", by="editor", json=instead)


def undo(site: Site, entry: int) -> AsgiResponse:
    return site.ask("POST", f"/api/editing/history/{entry}/undo", by="editor")


def test_the_older_database_contains_data_of_every_kind(old: OldDatabase) -> None:
    expected = EMPTY_ON_SQLITE if old.engine == "sqlite" else frozenset()
    assert {name for name, rows in old.tables.items() if not rows} == expected
    assert {row["role"] for row in old.tables["person"]} >= {str(role) for role in Role}
    for table in ("photo", "recording"):
        statuses = {row["status"] for row in old.tables[table]}
        assert statuses == {"approved", "rejected", "withdrawn", "pending_review"}
    pending = {row["kind"] for row in old.tables["submission"] if row["status"] == "pending_review"}
    assert pending == PENDING_KINDS


def test_an_upgrade_of_the_older_database_loses_nothing(old: OldDatabase) -> None:
    assert prepare_database(old.url, old.home / "backups") is PrepareResult.UPGRADED

    with Database(old.url) as database:
        assert find_lost_rows(old.tables, read_tables(database), upgraded) == {}
        # What only makes answers faster is filled when the server starts, and while it serves. The rules of keys are
        # others since romanizations leave out vowels within words, and languages have alphabets and articles: the
        # server asks for `abhidhan reindex`.
        assert {finding.code for finding in maintenance.check(database)} <= {
            "E201",
            "E202",
            "W203",
            "W213",
            "W215",
            "W218",
        }
        maintenance.reindex(database)
        maintenance.fill_idea_cache(database)
        maintenance.build_word_indexes(database)
        assert [str(finding) for finding in maintenance.check(database)] == []
    assert prepare_database(old.url, old.home / "backups") is PrepareResult.CURRENT


@on_sqlite
def test_a_backup_of_the_older_version_is_restored_and_backed_up_again(old: OldDatabase, tmp_path: Path) -> None:
    new = tmp_path / "new"
    url = f"sqlite:///{new}/dictionary.sqlite3"

    restore(FOLDER / "backup.tar.gz", url, places_in(new), new, overwrite=False)
    prepare_database(url, new / "backups")

    with Database(url) as database:
        assert find_lost_rows(old.tables, read_tables(database), upgraded) == {}
    assert read_uploads(new) == read_uploads(tmp_path)
    again = back_up(url, places_in(new), tmp_path / "again.tar.gz", now=0, program="abhidhan test")
    assert {name for name in again.files if name.startswith(("photos/", "recordings/"))} == read_uploads(new).keys()


def test_people_sign_in_as_before_and_disabled_accounts_do_not(site: Site) -> None:
    answers = {str(role): site.sign_in(str(role)).status for role in Role}

    assert answers == {str(role): 204 for role in Role}
    assert site.sign_in("disabled").status == 403


def test_every_language_has_words_with_meanings_definitions_and_examples(old: OldDatabase) -> None:
    languages = {row["id"]: row["code"] for row in old.tables["language"]}
    words = [languages[row["language_id"]] for row in old.tables["word"]]

    assert {code for code in languages.values() if words.count(code) < 2} == set()
    assert {languages[row["language_id"]] for row in old.tables["sense"]} == {*languages.values()}
    assert {languages[row["language_id"]] for row in old.tables["definition"]} >= {*languages.values()} - {"mr"}
    assert {languages[row["language_id"]] for row in old.tables["example"]} >= {*languages.values()} - {"mr", "sgp"}
    assert {languages[number] for number in range(1, 33)} | {"pck", "qaa", "qab", "qac", "qad", "mr"} == {
        *languages.values()
    }


def test_words_photos_and_recordings_are_served_after_the_upgrade(old: OldDatabase, site: Site) -> None:
    result = site.ask("GET", "/api/dic.php?w=tagiga").json["querywords"][0]
    photos, recordings = old.ids["photo"], old.ids["recording"]

    assert result["match"] == "exact"
    assert result["entries"][0]["id"] == old.ids["word"]["dis tagiga"]
    assert site.ask("GET", f"/photos/{photos['approved']}.jpg").status == 200
    assert site.ask("GET", f"/photos/{photos['pending']}.jpg").status in {403, 404}
    statuses = {name: site.ask("GET", f"/recordings/{number}.mp3").status for name, number in recordings.items()}
    assert statuses == {name: 200 if name.startswith("approved") else 404 for name in recordings}


def test_an_older_link_still_unsubscribes_from_mails(old: OldDatabase, site: Site) -> None:
    contributor = site.run(site.write_side.accounts.administration.find_by_name("contributor"))
    own = {"person_id": contributor.id, "topic": "decisions"}
    (choice,) = [row for row in old.tables["mail_choice"] if own.items() <= row.items()]
    signed = f"{contributor.id}-decisions-"
    token = signed + hmac.new(choice["secret"].encode(), signed.encode(), hashlib.sha256).hexdigest()[:32]
    mails = site.write_side.mails

    assert site.run(mails.get_preferences(contributor)).decisions
    site.run(mails.unsubscribe(token))
    assert not site.run(mails.get_preferences(contributor)).decisions


def test_pending_submissions_are_approved_in_their_languages(old: OldDatabase, site: Site) -> None:
    site.sign_in("editor")
    pending = {name: number for name, number in old.ids["submission"].items() if ": pending" in name}

    decided = {
        name: approve(site, "submissions", number, *with_it(old, name)).status for name, number in pending.items()
    }

    assert decided == dict.fromkeys(pending, 200)
    assert site.ask("GET", "/api/submissions?status=pending_review", by="editor").json["total"] == 0
    now = read_tables(site.database)
    assert {table: texts_of(now, table) ^ texts_of(old.tables, table) for table in TEXTS} == APPROVED
    assert card_sets_of(now) ^ card_sets_of(old.tables) == {("Waiting cards", "sat", "kht")}


def test_pending_photos_and_recordings_are_approved(old: OldDatabase, site: Site) -> None:
    site.sign_in("editor")
    recordings = {name: number for name, number in old.ids["recording"].items() if name.startswith("pending")}

    assert approve(site, "photos", old.ids["photo"]["pending"]).status == 200
    assert {approve(site, "recordings", number).status for number in recordings.values()} == {200}
    assert {site.ask("GET", f"/recordings/{number}.mp3").status for number in recordings.values()} == {200}


def test_older_changes_are_undone_in_their_languages(old: OldDatabase, site: Site) -> None:
    site.sign_in("editor")
    entries = dict(reversed(old.ids["history"].items()))

    undone = {name: undo(site, number).status for name, number in entries.items()}

    assert undone == {name: 409 if name in NO_UNDO else 200 for name in entries}
    now = read_tables(site.database)
    assert {table: texts_of(now, table) ^ texts_of(old.tables, table) for table in TEXTS} == UNDONE
    assert card_sets_of(now) ^ card_sets_of(old.tables) == UNDONE_CARD_SETS
    roman = {(code, text): row["roman"] for row, code, text in records_of(now, "word")}
    assert {word: roman[word] for word in ROMAN} == ROMAN


@on_sqlite
def test_an_older_export_makes_the_same_dictionary(old: OldDatabase, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'new.sqlite3'}"
    prepare_database(url, tmp_path / "backups")

    with Database(url) as database:
        report = import_export(database)
        now = read_tables(database)

    assert (report.loaded.errors, report.unknown_names) == ((), {})
    assert {row["code"] for row in now["language"]} == {row["code"] for row in old.tables["language"]}
    for table in TEXTS:
        assert texts_of(now, table) == texts_of(old.tables, table)
    assert card_sets_of(now) == card_sets_of(old.tables)


@on_sqlite
def test_an_older_export_imported_into_its_own_dictionary_changes_nothing(site: Site) -> None:
    before = read_tables(site.database)

    report = import_export(site.database)

    assert (report.loaded.errors, report.unknown_names) == ((), {})
    # An export names a source of its own for what was written in the dictionary itself.
    assert {name for name, number in report.loaded.counts.items() if number} == {"source"}
    assert (report.update_counts.kept, report.update_counts.removed, report.lost_fields) == (0, 0, ())
    assert find_lost_rows(before, read_tables(site.database)) == {}


def test_older_packs_and_editions_are_read(tmp_path: Path) -> None:
    for name in ("packs", "downloads"):
        unpack(f"{name}.tar.gz", tmp_path)

    packs = read_packs(ArtifactStore(tmp_path / "packs"))
    editions = read_editions(ArtifactStore(tmp_path / "downloads"))

    assert packs is not None
    assert {pack.pair for pack in packs.packs} == {"as-en", "en-as", "dis-en", "en-dis", "qaa-en", "pck-en"}
    ((_, files, name),) = editions
    assert (name, "abhidhan.jsonl.gz" in {one.file for one in files or ()}) == ("2026-09-21", True)


def test_the_log_names_own_languages_that_get_new_numbers(old: OldDatabase, caplog: pytest.LogCaptureFixture) -> None:
    prepare_database(old.url, old.home / "backups")

    matches = (re.match(r"The language (\w+) has the number (\d+)", record.getMessage()) for record in caplog.records)
    languages = [each.groups() for each in matches if each]
    assert languages == [("qaa", "1002"), ("mr", "1003"), ("qac", "1004")]


def test_older_packs_and_change_tokens_are_replaced(site: Site, tmp_path: Path) -> None:
    unpack("packs.tar.gz", tmp_path)
    packs = read_packs(ArtifactStore(tmp_path / "packs"))
    (manifest,) = tmp_path.glob("packs/made-*/en-dis/manifest.json.gz")
    token = json.loads(gzip.decompress(manifest.read_bytes()))["changes"]

    assert packs is not None
    assert not is_up_to_date(packs, packs.pairs)
    assert site.ask("GET", f"/api/changes?since={token}").status == 410
    assert site.ask("GET", f"/api/packs/en-dis/changes?since={token}").status == 410
    anew = site.ask("GET", "/api/changes").json["next"]
    assert site.ask("GET", f"/api/changes?since={anew}").status == 200


def with_it(old: OldDatabase, name: str) -> tuple[str, object]:
    """Return what an editor sends when approving: the photos looked at, and a word in the place of a missing one."""
    if name.endswith("with a photo"):
        return f"?photos={old.ids['photo']['pending, with a word of Tai-Ahom']}", None
    if name.startswith("missing"):
        language, word = MISSING[name]
        data = {"language": language, "word": word, "idea_id": old.ids["idea"]["first"]}
        return "", {"kind": "word", "data": data}
    return "", None


def records_of(tables: Tables, table: str) -> Iterator[tuple[Row, str, str]]:
    """List the records of a table with the codes of their languages and their texts."""
    codes = {row["id"]: row["code"] for row in tables["language"]}
    return ((row, codes[row["language_id"]], row["text"]) for row in tables[table])


def texts_of(tables: Tables, table: str) -> set[tuple[str, str]]:
    """List the texts of a table with the codes of their languages."""
    return {(code, text) for _, code, text in records_of(tables, table)}


def card_sets_of(tables: Tables) -> set[tuple[str, str, str]]:
    """List the sets of flashcards with the codes of both languages."""
    codes = {row["id"]: row["code"] for row in tables["language"]}
    return {(row["name"], codes[row["language_id"]], codes[row["answer_language_id"]]) for row in tables["card_set"]}


def import_export(database: Database) -> ImportReport:
    """Import the JSONL export of then."""
    wanted = ImportRequest("jsonl", (FOLDER / "export.jsonl.gz",))
    return import_files(database, wanted, now=0, on_progress=lambda _: None)
