"""What an older version of the program has written is brought up to date and restored, and nothing of it is lost."""

import gzip
import tarfile
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import psycopg
import pytest
from sqlalchemy import Connection, inspect, text

from abhidhan.domain.people import Role
from abhidhan.services import checking
from abhidhan.services.exchange.backup import Places, back_up, restore
from abhidhan.storage.engine.database import Database
from abhidhan.storage.migrate import Prepared, prepare
from tests.support.contributing import Site, opened_site
from tests.support.postgresql import PostgresqlServer

OLD: Final = Path(__file__).parent / "fixtures" / "d1a1f84"

DERIVED: Final = frozenset(
    {
        "definition_word",
        "gathered",  # the name of the idea cache before step 0009
        "gram_count",
        "history_record",
        "idea_cache",
        "near_key",
        "phrase_gram",
        "phrase_word",
        "photo_band",
        "readable_word",
        "sound_filter",
        "sound_frame",
        "word_pos",
    }
)
"""Tables that are made from others, and may be made differently: `abhidhan check` holds them to those."""

ABOUT_THE_DATABASE: Final = frozenset({"alembic_version", "state", "key_rules"})

Rows = list[dict[str, Any]]


def stays(table: str, row: dict[str, Any]) -> bool:
    """Return whether a row is to stay: of tickets only some (migration 0006), nobody knows who issued the others."""
    return table != "ticket" or (row["kind"] == "invitation" and row["role"] in {"reader", "contributor"})


class Old:
    """A database of the older version: where it is, where its photos are, and what every table of it holds."""

    def __init__(self, url: str, home: Path) -> None:
        """Read all that there is before today's program has touched it."""
        self.url, self.home = url, home
        with Database(url) as database:
            self.tables = tables_of(database)


def tables_of(database: Database) -> dict[str, Rows]:
    """Read every row of every table."""

    def job(connection: Connection) -> dict[str, Rows]:
        names = inspect(connection).get_table_names()
        return {
            name: [dict(row) for row in connection.execute(text(f'SELECT * FROM "{name}"')).mappings()]  # noqa: S608
            for name in names
            if not name.startswith("sqlite_")
        }

    with database.engine.connect() as connection:
        return job(connection)


@pytest.fixture
def on_sqlite(tmp_path: Path) -> Old:
    """Unpack the SQLite file, with the photos that the backup has."""
    file = tmp_path / "dictionary.sqlite3"
    file.write_bytes(gzip.decompress((OLD / "dictionary.sqlite3.gz").read_bytes()))
    with tarfile.open(OLD / "backup.tar.gz") as archive:
        archive.extractall(tmp_path, (each for each in archive if each.name.startswith("photos/")), filter="data")
    return Old(f"sqlite:///{file}", tmp_path)


@pytest.fixture
def on_postgresql(postgresql: PostgresqlServer, tmp_path: Path) -> Iterator[Old]:
    """Load the dump into a database of its own."""
    name = postgresql.create()
    with closing(psycopg.connect(postgresql.url(name), autocommit=True)) as connection:
        connection.execute(gzip.decompress((OLD / "dictionary.sql.gz").read_bytes()))
    with tarfile.open(OLD / "photos-of-postgresql.tar.gz") as archive:
        archive.extractall(tmp_path, filter="data")
    yield Old(postgresql.url(name), tmp_path)
    postgresql.drop(name)


@pytest.fixture(params=["sqlite", "postgresql"])
def old(request: pytest.FixtureRequest) -> Old:
    """Take the database of each engine in turn."""
    found: Old = request.getfixturevalue(f"on_{request.param}")
    return found


@pytest.fixture
def site(old: Old) -> Iterator[Site]:
    """Bring it up to date, and open a site over it."""
    prepare(old.url, old.home / "backups")
    with Database(old.url) as database, opened_site(database, old.home) as site:
        yield site


def lost(before: dict[str, Rows], after: dict[str, Rows]) -> dict[str, Rows]:
    """List the rows that are not there any more, by the columns that both versions have."""
    missing = {}
    for name, rows in before.items():
        if name in DERIVED | ABOUT_THE_DATABASE:
            continue
        staying, now = [row for row in rows if stays(name, row)], after.get(name, [])
        columns = sorted(set(staying[0]) & set(now[0])) if staying and now else []
        there = Counter(tuple(row[column] for column in columns) for row in now)
        gone = [row for row in staying if not there[tuple(row[column] for column in columns)]]
        if gone or len(now) < len(staying):
            missing[name] = gone
    return missing


def test_there_is_something_to_lose(old: Old) -> None:
    assert {name for name, rows in old.tables.items() if not rows} == set()
    assert {row["role"] for row in old.tables["person"]} == {str(role) for role in Role}
    assert {row["status"] for row in old.tables["photo"]} == {"approved", "rejected", "withdrawn", "pending_review"}
    assert len({row["kind"] for row in old.tables["submission"] if row["status"] == "pending_review"}) == 6


def test_bringing_it_up_to_date_loses_nothing(old: Old) -> None:
    assert prepare(old.url, old.home / "backups") is Prepared.UPGRADED

    with Database(old.url) as database:
        assert lost(old.tables, tables_of(database)) == {}
        # What only makes answers faster is filled when the server starts, and while it serves. The rules of keys are
        # others since romanizations leave out vowels within words: the server asks for `abhidhan reindex`.
        assert {finding.code for finding in checking.check(database)} <= {"E202", "W203", "W213", "W215", "W218"}
        checking.reindex(database)
        checking.fill_idea_cache(database)
        checking.go_through_words(database)
        assert [str(finding) for finding in checking.check(database)] == []
    assert prepare(old.url, old.home / "backups") is Prepared.CURRENT


def test_a_backup_of_it_is_restored_and_backed_up_again(on_sqlite: Old, tmp_path: Path) -> None:
    place = tmp_path / "new"
    url = f"sqlite:///{place}/dictionary.sqlite3"

    restore(OLD / "backup.tar.gz", url, Places(place / "photos"), place, overwrite=False)
    prepare(url, place / "backups")

    with Database(url) as database:
        assert lost(on_sqlite.tables, tables_of(database)) == {}
    assert photos_in(place) == photos_in(tmp_path)
    again = back_up(url, Places(place / "photos"), tmp_path / "again.tar.gz", now=0, program="abhidhan test")
    assert {name for name in again.files if name.startswith("photos/")} == {
        f"photos/{each}" for each in photos_in(place)
    }


def photos_in(home: Path) -> dict[str, bytes]:
    folder = home / "photos"
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def test_people_sign_in_as_before_and_who_may_not_still_may_not(site: Site) -> None:
    answers = {str(role): site.sign_in(str(role)).status for role in Role}

    assert answers == {str(role): 204 for role in Role}
    assert site.sign_in("disabled").status == 403


def test_words_photos_and_flashcards_are_there(site: Site) -> None:
    found = site.ask("GET", "/api/dic.php?w=%E0%A6%AA%E0%A6%BE%E0%A6%A8%E0%A7%80").json["querywords"][0]
    entry = found["entries"][0]

    assert found["match"] == "exact"
    assert (entry["id"], site.ask("GET", f"/api/words/{entry['id']}/history").status) == (1, 200)
    assert site.ask("GET", "/photos/1.jpg").status == 200
    assert site.ask("GET", "/photos/2.jpg").status in {403, 404}
    site.sign_in("editor")
    assert site.ask("GET", "/photos/2.jpg", by="editor").status == 200


def test_what_waits_is_approved(site: Site) -> None:
    site.sign_in("editor")
    waiting = site.ask("GET", "/api/submissions?status=pending_review", by="editor").json["data"]

    decided = {
        f"{each['kind']} {each['submission_id']}": site.ask(
            "POST", f"/api/submissions/{each['submission_id']}/approve", by="editor"
        ).status
        for each in waiting
    }

    assert len(decided) == 7
    assert decided == dict.fromkeys(decided, 200)
    assert site.ask("POST", "/api/photos/2/approve", by="editor").status == 200
    assert site.ask("GET", "/photos/2.jpg").status == 200


def test_the_history_goes_on_and_changes_of_then_are_undone(site: Site) -> None:
    site.sign_in("editor")
    entries = site.ask("GET", "/api/words/1/history", by="editor").json["data"]
    newest = entries[0]

    undone = site.ask("POST", f"/api/editing/history/{newest['id']}/undo", by="editor")

    assert undone.status == 200
    assert [each["person"] for each in entries[:2]] == ["editor", "editor"]
    after = site.ask("GET", "/api/words/1/history", by="editor").json["data"]
    assert len(after) == len(entries) + 1
    merge = next(
        each for each in site.ask("GET", "/api/ideas/2/history").json["data"] if "erge" in each["action"]["value"]
    )
    assert site.ask("POST", f"/api/editing/history/{merge['id']}/undo", by="editor").status == 200
    assert site.ask("GET", "/api/ideas/3").status == 200
