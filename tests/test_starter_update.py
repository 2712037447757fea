"""`abhidhan starter update` on a dictionary of an older version: what people did there stays, the rest is renewed."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
import typer
from sqlalchemy import insert
from typer.testing import CliRunner

from abhidhan import schema
from abhidhan.app.cli import starter
from abhidhan.editing.service.editing import Editing
from abhidhan.exchange.service import maintenance, starter_updating
from abhidhan.exchange.service.bundled_data import read_catalogue_records, read_merged_ideas, read_starter_records
from abhidhan.exchange.service.importing import ImportReport, import_records
from abhidhan.exchange.service.restoring import restore_import
from abhidhan.exchange.service.starter_updating import StarterUpdate, update_starter
from abhidhan.exchange.store.dump import dump_records
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.migrate import prepare_database
from abhidhan.records.errors import ConflictError
from abhidhan.records.history import RecordRef
from abhidhan.records.import_records import IdeaRef, LocatedRecord
from abhidhan.records.kinds import (
    CardRecord,
    CardSetRecord,
    DefinitionRecord,
    ExampleRecord,
    IdeaRecord,
    ListItemRecord,
    PhraseRecord,
    Record,
    RelationRecord,
    SourceRecord,
    WordRecord,
)
from abhidhan.records.lookup_lists import ListName
from abhidhan.records.submission_payloads import DefinitionData, IdeaChanges, SenseChanges, WordChanges
from tests.support.arbitrary_edits import EDITOR, run
from tests.support.databases import SqliteDatabases, load_sample, open_database
from tests.support.older_versions import open_old_database
from tests.support.sample import NOW

SOURCE: Final = SourceRecord("abhidhan", "Abhidhan starter dictionary", "Apache-2.0")


def idea(key: str, pos: str, *words: str | WordRecord, **more: Any) -> IdeaRecord:  # noqa: ANN401  # passed on
    """Make an idea of an English word, its key, and some Assamese ones."""
    given = (one if isinstance(one, WordRecord) else WordRecord("as", one) for one in words)
    return IdeaRecord("abhidhan", key, pos, (WordRecord("en", key), *given), **more)


HOUSE: Final = (DefinitionRecord("en", "A place to live."),)
OLDER: Final = (
    idea("house", "Adverb", WordRecord("as", "গৃহ", origin="তৎসম"), "ঘৰ", definitions=HOUSE),
    idea("home", "Adverb", WordRecord("as", "ঘৰ", roman="ghor"), definitions=(DefinitionRecord("en", "Home."),)),
    idea("dwelling", "Common Noun", "ঘৰ", "বাসগৃহ", relations=(RelationRecord("Hypernym", "abhidhan:village"),)),
    idea("village", "Common Noun", "গ্ৰাম", "গাঁও", "চুবুৰি"),
    idea("limited", "Adjective Adjective", "লিমিটেড"),
    PhraseRecord("abhidhan", "p", "as", "ঘৰৰ কথা বাহিৰত নক’বা।", "Other", "Old.", roman="old"),
    CardSetRecord("abhidhan", "c", "Cards", "as", "en", None, (CardRecord("ঘৰ", "abode", idea="abhidhan:dwelling"),)),
)
NEWER: Final = (
    idea("home", "Common Noun", "ঘৰ", examples=(ExampleRecord("as", "ঘৰলৈ যাওঁ।", "Let us go home."),)),
    idea(
        "house",
        "Common Noun",
        "ঘৰ",
        "গৃহ",
        "বাসগৃহ",
        definitions=(DefinitionRecord("en", "A building to live in."),),
        relations=(RelationRecord("Hypernym", "abhidhan:village"),),
    ),
    idea("village", "Common Noun", "গাঁও", "গ্ৰাম", "চুবুৰি"),
    PhraseRecord("abhidhan", "p", "as", "ঘৰৰ কথা বাহিৰত নক’বা।", "Other", "New."),
    CardSetRecord("abhidhan", "c", "Cards", "as", "en", None, (CardRecord("ঘৰ", "a house", idea="abhidhan:house"),)),
)
MERGED: Final = {IdeaRef("abhidhan", "dwelling"): IdeaRef("abhidhan", "house")}


class Installed(NamedTuple):
    """A dictionary of commit 5af1802 with a small starter dictionary of that time."""

    database: Database

    def update(self, lines: list[str] | None = None, *, dry_run: bool = False) -> ImportReport:
        """Bring the starter up to date."""
        collected = [] if lines is None else lines
        update = StarterUpdate(
            placed(*NEWER),
            MERGED,
            on_report=lambda one: collected.append(str(one)),
            on_reject=lambda one: pytest.fail(str(one)),
        )
        return update_starter(self.database, update, now=NOW + 9, dry_run=dry_run)

    def stored(self) -> dict[str, Any]:
        """Return the records of the starter, by their keys."""
        found = self.database.read_now(lambda reader: list(dump_records(reader)))
        return {one.key: one for one in found if getattr(one, "source", None) == "abhidhan"}  # type: ignore[union-attr]

    def words(self, key: str) -> list[str]:
        """Return the words of an idea in their order."""
        return [word.text for word in self.stored()[key].words]

    def id_of(self, kind: str, **wanted: object) -> int:
        """Return the ID of the row that holds some values."""
        with self.database.engine.begin() as connection:
            rows = connection.execute(schema.metadata.tables[kind].select()).mappings().all()
        return next(int(row["id"]) for row in rows if all(row[name] == value for name, value in wanted.items()))

    def change(self, kind: str, number: int, changes: WordChanges | IdeaChanges | SenseChanges) -> None:
        """Edit a record."""
        editing, name = Editing(self.database), RecordRef(kind, str(number))
        run(editing.change(EDITOR, name, run(editing.read(EDITOR, name)).version, changes))

    def problems(self) -> set[str]:
        """Return what is wrong with the data, but for the photo that the tests have made up."""
        return {str(one) for one in maintenance.check(self.database) if one.code.startswith("E") and one.code != "E211"}


def placed(*records: Record) -> list[LocatedRecord]:
    return [LocatedRecord("starter", line, each) for line, each in enumerate((SOURCE, *records), 1)]


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.thorough)])
def installed(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Installed]:
    """Open a dictionary of 5af1802 on each engine, brought up to date but for its starter."""
    server = request.getfixturevalue("postgresql") if request.param == "postgresql" else None
    with open_old_database(tmp_path, server) as old:
        prepare_database(old.url, tmp_path / "backups")
        with Database(old.url) as database:
            maintenance.reindex(database)
            loaded = import_records(database, placed(*OLDER), now=NOW)
            assert not loaded.errors, loaded.errors
            yield Installed(database)


def test_unchanged_records_become_those_of_the_new_starter(installed: Installed) -> None:
    lines: list[str] = []
    word_id = installed.id_of("word", text="বাসগৃহ")

    report = installed.update(lines)

    stored = installed.stored()
    house, home = stored["house"], stored["home"]
    assert (house.pos, house.definitions, house.relations) == ("Common Noun", NEWER[1].definitions, NEWER[1].relations)
    assert installed.words("house") == ["house", "ঘৰ", "গৃহ", "বাসগৃহ"]
    assert [word.position for word in (*home.words, *house.words) if word.text == "ঘৰ"] == [1, 2]
    assert (home.words[1].roman, house.words[2].origin, stored["p"].roman) == (None, None, None)
    assert (stored["p"].meaning, stored["c"].cards) == ("New.", NEWER[4].cards)
    assert (house.aliases, "dwelling" in stored) == (("abhidhan:dwelling",), False)
    assert installed.id_of("word", text="বাসগৃহ") == word_id
    assert "limited" in stored
    assert {"idea abhidhan:limited is not in the file.", "idea abhidhan:house has changed: order of words."} <= set(
        lines
    )
    assert (report.loaded.counts["merged"], report.update_counts.kept, report.lost_fields) == (1, 0, ())
    assert installed.problems() == set()


def test_a_second_run_and_a_dry_run_change_nothing(installed: Installed) -> None:
    before = installed.stored()
    tried = installed.update(dry_run=True)
    assert (tried.loaded.has_changes, installed.stored()) == (True, before)
    first = installed.update()
    version, after = installed.database.version_now(), installed.stored()

    again = installed.update()

    assert (again.loaded.has_changes, installed.database.version_now(), installed.stored()) == (False, version, after)
    # What was changed can be brought back, as after any import.
    assert first.update_counts.entry is not None
    restore_import(installed.database, first.update_counts.entry, now=NOW + 9)
    assert (after["home"].pos, installed.stored()["home"].pos) == ("Common Noun", "Adverb")


def test_changes_by_people_stay_and_move_along_with_a_merged_idea(installed: Installed) -> None:
    dwelling, home = (installed.id_of("idea", external_key=key) for key in ("dwelling", "home"))
    saved = installed.id_of("word", text="dwelling")
    add_belongings(installed.database, dwelling, saved)
    mine = (DefinitionData("en", "By an editor."),)
    installed.change("idea", dwelling, IdeaChanges(pos="Abstract Noun", definitions=mine))
    installed.change("idea", home, IdeaChanges(pos="Proper Noun"))
    installed.change("word", installed.id_of("word", text="ঘৰ"), WordChanges(roman="ghôr"))
    hamlet = installed.id_of("sense", word_id=installed.id_of("word", text="চুবুৰি"))
    run(Editing(installed.database).move_word(EDITOR, hamlet, -1))
    link = installed.id_of("sense", idea_id=dwelling, word_id=installed.id_of("word", text="ঘৰ"))
    installed.change("sense", link, SenseChanges(note="Seldom."))

    lines: list[str] = []
    for _ in range(2):
        lines.clear()
        report = installed.update(lines)

    house = installed.id_of("idea", external_key="house")
    stored = installed.stored()
    assert {one.text for one in stored["house"].definitions} == {"By an editor.", "A building to live in."}
    assert (stored["house"].pos, stored["home"].pos) == ("Abstract Noun", "Proper Noun")
    assert "dwelling" in installed.words("house")
    assert installed.id_of("word", text="dwelling") == saved
    assert installed.id_of("photo", idea_id=house, credit="Mine")
    assert installed.id_of("card", idea_id=house, clue="mine")
    assert stored["home"].words[1].roman == "ghôr"
    assert "starter:2: idea abhidhan:home was kept: pos is 'Proper Noun' here, 'Common Noun' in the file." in lines
    assert (
        "idea abhidhan:house was kept: its definition 'By an editor.' was edited here and is not in the file." in lines
    )
    assert next(word.note for word in stored["house"].words if word.text == "ঘৰ") == "Seldom."
    assert installed.words("village") == ["village", "গ্ৰাম", "চুবুৰি", "গাঁও"]
    assert "idea abhidhan:village was kept: the order of its words was edited here." in lines
    assert any("a saved list depends on it" in line for line in lines)
    assert (report.loaded.has_changes, report.update_counts.kept) == (False, 5)
    assert installed.problems() == set()


def add_belongings(database: Database, idea_id: int, word_id: int) -> None:
    """Let a photo, a card of somebody and a saved list depend on an idea and one of its words."""
    photo = {"status": "approved", "submitted": NOW, "extension": "webp", "size": 1, "sha256": "0", "likeness": "0"}
    rows: dict[str, dict[str, Any]] = {
        "photo": photo | {"idea_id": idea_id, "credit": "Mine", "key": "a", "width": 1, "height": 1, "frames": 1},
        "card_set": {"id": 900, "name": "Own", "language_id": 2, "answer_language_id": 1},
        "card": {"card_set_id": 900, "position": 1, "clue": "mine", "answer": "b", "idea_id": idea_id},
        "person": {"id": 900, "username": "e", "username_key": "e", "role": "reader", "created": 0},
        "own_lists": {
            "person_id": 900,
            "lists": f'[{{"id":"mine","words":[{{"id":{word_id},"at":1,"place":1.0}}]}}]',
            "version": 1,
            "changed": NOW,
        },
    }
    with database.engine.begin() as connection:
        for name, row in rows.items():
            connection.execute(insert(schema.metadata.tables[name]).values(row))


# --- rarer things, on SQLite ------------------------------------------------------------------------------------------


@pytest.fixture
def small(sqlite_databases: SqliteDatabases) -> Iterator[Installed]:
    """Open a dictionary with a small starter dictionary, but without the idea into which another was merged."""
    with open_database(sqlite_databases, load_sample) as database:
        import_records(database, placed(*OLDER[1:]), now=NOW)
        yield Installed(database)


def test_a_merged_idea_takes_the_key_of_a_target_that_does_not_exist(small: Installed) -> None:
    number = small.id_of("idea", external_key="dwelling")

    assert small.update().loaded.counts["merged"] == 1

    house = small.stored()["house"]
    assert (small.id_of("idea", external_key="house"), house.aliases) == (number, ("abhidhan:dwelling",))
    assert (house.definitions, small.words("house")) == (NEWER[1].definitions, ["house", "ঘৰ", "গৃহ", "বাসগৃহ"])
    assert not small.update().loaded.has_changes


def test_a_merged_idea_stays_while_a_submission_about_it_waits(small: Installed) -> None:
    payload = f'{{"kind":"report","data":{{"idea_id":{small.id_of("idea", external_key="dwelling")},"text":"wrong"}}}}'
    row = {"kind": "report", "payload": payload, "status": "pending_review", "submitted": NOW}
    with small.database.engine.begin() as connection:
        connection.execute(insert(schema.metadata.tables["submission"]).values(row))
    lines: list[str] = []

    small.update(lines)

    assert {"house", "dwelling"} <= small.stored().keys()
    assert "idea abhidhan:dwelling was kept, and not merged: a pending submission depends on it." in lines


def test_a_renamed_value_of_a_list_keeps_its_name(small: Installed) -> None:
    pos = small.database.read_now(lambda reader: reader.catalogue.list_items(ListName.PARTS_OF_SPEECH))
    number = next(one.id for one in pos if one.value == "Common Noun")
    run(Editing(small.database).rename_list_value(EDITOR, ListName.PARTS_OF_SPEECH, number, "Usual Noun"))
    lists = [
        one
        for one in read_catalogue_records()
        if isinstance(one, LocatedRecord) and isinstance(one.record, ListItemRecord)
    ]

    update_starter(small.database, StarterUpdate([*lists, *placed(*NEWER)], MERGED), now=NOW)

    after = small.database.read_now(lambda reader: reader.catalogue.list_items(ListName.PARTS_OF_SPEECH))
    assert [one.value for one in after] == [one.value.replace("Common", "Usual") for one in pos]
    assert {small.stored()[key].pos for key in ("home", "house", "village")} == {"Usual Noun"}


def test_a_dictionary_without_the_starter_is_refused(dictionary: Database) -> None:
    with pytest.raises(ConflictError, match="without the starter"):
        Installed(dictionary).update()


def test_merged_ideas_of_the_packaged_starter_lead_to_existing_ideas() -> None:
    merged = read_merged_ideas()
    there = {
        IdeaRef(one.record.source, one.record.key)
        for one in read_starter_records()
        if isinstance(one, LocatedRecord) and isinstance(one.record, IdeaRecord)
    }

    assert {*merged.values()} <= there
    assert not there & merged.keys()


def test_the_command_reports_what_it_did(small: Installed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = typer.Typer()
    starter.register(program)
    monkeypatch.setenv("ABHIDHAN_DATABASE", str(small.database.url))
    monkeypatch.setenv("ABHIDHAN_HOME", str(tmp_path))
    monkeypatch.setattr(starter_updating, "load_bundled_starter", lambda: StarterUpdate(placed(*NEWER), MERGED))
    report = tmp_path / "report.txt"

    tried, done, again = (
        CliRunner().invoke(program, ["starter", "update", "--report", str(report), *more])
        for more in (["--dry-run"], [], [])
    )

    assert (tried.exit_code, done.exit_code, again.exit_code) == (0, 0, 0), tried.exception
    assert re.search(r"Would be new.*ideas merged +│ 1 ", tried.output, re.DOTALL)
    assert re.search(r"New.*ideas merged +│ 1 .*abhidhan history restore", done.output, re.DOTALL)
    assert again.output.endswith("Nothing new; 0 rejected.\n")
    assert report.read_text("utf-8") == "idea abhidhan:limited is not in the file.\n"
