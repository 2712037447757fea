"""An older file of a dictionary: what it would restore is reported, and stays as people left it."""

from pathlib import Path

import pytest
from sqlalchemy import select

from abhidhan import schema
from abhidhan.editing.service.editing import Editing
from abhidhan.exchange.service.importing import ImportReport, ImportRequest, import_files
from abhidhan.exchange.store.dump import dump_records
from abhidhan.formats.jsonl import encode_line
from abhidhan.platform.database.compiled_queries import CompiledQuery
from abhidhan.platform.database.database import Database
from abhidhan.records.history import RecordRef, RelationState
from abhidhan.records.import_records import ConflictPolicy
from abhidhan.records.input_validation import RecordChanges
from abhidhan.records.lookup_lists import ListName
from abhidhan.records.submission_payloads import DefinitionData, IdeaChanges, PhraseChanges, WordChanges
from tests.support.arbitrary_edits import EDITOR, run
from tests.support.sample import NOW


def exported(database: Database, file: Path) -> Path:
    with database.snapshot() as reader:
        file.write_bytes(b"".join(encode_line(record) for record in dump_records(reader)))
    return file


def brought(
    database: Database, file: Path, policy: ConflictPolicy = ConflictPolicy.UPDATE, *, mirror: bool = False
) -> tuple[ImportReport, list[str]]:
    lines: list[str] = []
    wanted = ImportRequest("jsonl", (file,), policy=policy, mirror=mirror)
    report = import_files(
        database, wanted, now=NOW + 9, on_progress=lambda _: None, on_report=lambda line: lines.append(str(line))
    )
    return report, lines


def change(database: Database, name: str, changes: RecordChanges) -> None:
    editing, record = Editing(database), RecordRef.parse(name)
    run(editing.change(EDITOR, record, run(editing.read(EDITOR, record)).version, changes))


def delete(database: Database, name: str) -> None:
    run(Editing(database).delete(EDITOR, RecordRef.parse(name)))


EDITS = (
    ("word:1", WordChanges(roman="corrected")),
    ("word:2", WordChanges(word="respelled")),
    ("idea:1", IdeaChanges(definitions=(DefinitionData("en", "Corrected."),))),
    ("idea:2", IdeaChanges(glyph=None, contexts=())),
    ("phrase:1", PhraseChanges(meaning="Corrected.")),
    ("idea:5", None),
    ("sense:12", None),
    ("word:30", None),
    ("phrase:3", None),
    ("card:2", None),
)


@pytest.fixture
def edited(dictionary: Database, tmp_path: Path) -> tuple[Database, Path]:
    """Edit a dictionary after a file of it was made."""
    file = exported(dictionary, tmp_path / "older.jsonl")
    for name, changes in EDITS:
        if changes is None:
            delete(dictionary, name)
        else:
            change(dictionary, name, changes)
    return dictionary, file


def test_an_older_file_restores_nothing_that_was_deleted_or_corrected(
    edited: tuple[Database, Path], tmp_path: Path
) -> None:
    database, older = edited
    before = exported(database, tmp_path / "before.jsonl").read_bytes()

    report, lines = brought(database, older)

    assert exported(database, tmp_path / "after.jsonl").read_bytes() == before
    assert (report.loaded.has_changes, report.loaded.rejected) == (False, 0)
    assert report.update_counts.kept > 0
    assert sum("was deleted here since" in line for line in lines) == 3
    assert any("roman" in line and "corrected" in line for line in lines), lines


def test_an_older_file_restores_everything_with_the_policy_replace(edited: tuple[Database, Path]) -> None:
    database, older = edited

    report, _ = brought(database, older, ConflictPolicy.REPLACE)

    assert report.loaded.withheld == 0
    assert report.loaded.counts["replaced"] > 0
    assert brought(database, older, ConflictPolicy.REPLACE)[0].loaded.has_changes is False


def find_ids(database: Database, *texts: str) -> list[int]:
    """Return the IDs of ideas of the sample, by their keys."""
    idea = schema.idea
    rows = database.read_now(lambda reader: reader.rows(CompiledQuery(select(idea.c.external_key, idea.c.id))))
    return [dict(map(tuple, rows))[text] for text in texts]


def test_relations_that_were_removed_or_changed_stay_so(dictionary: Database, tmp_path: Path) -> None:
    older = exported(dictionary, tmp_path / "older.jsonl")
    editing = Editing(dictionary)
    black, white, fish, animal, wing, bird, yesterday = find_ids(
        dictionary, "black", "white", "fish", "animal", "wing", "bird", "yesterday"
    )
    catalogue = dictionary.read_now(lambda reader: reader.catalogue)
    types = {item.value: item.id for item in catalogue.list_items(ListName.RELATIONS)}
    # One from its own side, one from the other, one becomes another, and one goes with its idea.
    run(editing.unrelate(EDITOR, RelationState(black, types["Antonym"], white)))
    run(editing.unrelate(EDITOR, RelationState(animal, types["Hyponym"], fish)))
    part = RelationState(wing, types["Holonym"], bird)
    read = run(editing.read_relation(EDITOR, part))
    run(editing.change_relation(EDITOR, part, read.version, types["Related"]))
    delete(dictionary, f"idea:{yesterday}")
    before = exported(dictionary, tmp_path / "before.jsonl").read_bytes()

    report, lines = brought(dictionary, older)

    assert exported(dictionary, tmp_path / "after.jsonl").read_bytes() == before
    assert (report.loaded.has_changes, report.loaded.rejected) == (False, 0)
    taken = [line for line in lines if "was removed here since" in line]
    assert {line.rpartition(":")[2].split()[0] for line in taken} >= {"white", "animal", "bird"}
    assert brought(dictionary, older, ConflictPolicy.REPLACE)[0].loaded.counts["idea_relation"] > 0
    assert brought(dictionary, older)[0].loaded.withheld == 0


def test_deleted_and_restored_records_are_not_withheld(dictionary: Database, tmp_path: Path) -> None:
    older = exported(dictionary, tmp_path / "older.jsonl")
    editing = Editing(dictionary)
    gone = run(editing.unrelate(EDITOR, RelationState(*_related(dictionary))))
    run(editing.undo(EDITOR, gone.version))

    gone = run(editing.delete(EDITOR, RecordRef("phrase", "3")))
    run(editing.undo(EDITOR, gone.version))

    assert brought(dictionary, older)[0].loaded.withheld == 0


def _related(database: Database) -> tuple[int, int, int]:
    relation = schema.idea_relation
    rows = database.read_now(
        lambda reader: reader.rows(CompiledQuery(select(relation.c.idea_id, relation.c.type_id, relation.c.other_id)))
    )
    first, kind, second = rows[0]
    return int(first), int(kind), int(second)


def test_records_absent_from_the_file_are_counted_and_named(dictionary: Database, tmp_path: Path) -> None:
    lines = exported(dictionary, tmp_path / "all.jsonl").read_bytes().splitlines(keepends=True)
    part = tmp_path / "part.jsonl"
    part.write_bytes(b"".join(line for line in lines if b'"key":"water"' not in line))

    report, reported = brought(dictionary, part)

    assert report.update_counts.absent == 1
    assert "idea sample:water is not in the file." in reported


def test_a_mirror_of_the_current_state_changes_nothing(dictionary: Database, tmp_path: Path) -> None:
    file = exported(dictionary, tmp_path / "all.jsonl")
    version = dictionary.version_now()

    brought(dictionary, file, mirror=True)

    assert dictionary.version_now() == version
    assert exported(dictionary, tmp_path / "again.jsonl").read_bytes() == file.read_bytes()
