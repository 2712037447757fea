"""An older file of a dictionary: what it kept, changed and would bring back is told, and stays as people left it."""

from pathlib import Path

import pytest
from sqlalchemy import func, select

from abhidhan.domain.comparing import everything
from abhidhan.domain.drafts import DefinitionData, IdeaChanges, IdeaData, PhraseChanges, WordChanges, WordData
from abhidhan.domain.history import RecordName, RelationState
from abhidhan.domain.incoming import Policy
from abhidhan.domain.lists import ListName
from abhidhan.domain.records import ListItemRecord
from abhidhan.errors import ConflictError, InputError
from abhidhan.formats.jsonl import write_jsonl
from abhidhan.services.editing import Changes, Editing
from abhidhan.services.exchange.importing import Import, Report, import_files
from abhidhan.storage import schema
from abhidhan.storage.dump import dump_records
from abhidhan.storage.engine.database import Database
from abhidhan.storage.engine.queries import Query
from abhidhan.storage.engine.reader import Reader
from tests.support.databases import Databases, opened, with_sample
from tests.support.sample import NOW
from tests.support.somebody import ALL_DEEDS, EDITOR, EVERYTHING, Somebody, run


def exported(database: Database, file: Path) -> Path:
    with database.snapshot() as reader:
        file.write_bytes(b"".join(write_jsonl(record) for record in dump_records(reader)))
    return file


def brought(database: Database, file: Path, policy: Policy = Policy.FILL) -> tuple[Report, list[str]]:
    told: list[str] = []
    wanted = Import("jsonl", (file,), policy=policy)
    report = import_files(database, wanted, now=NOW + 9, on_progress=lambda _: None, on_told=told.append)
    return report, told


def proverbs(reader: Reader) -> int:
    return int(reader.rows(Query(select(func.count()).select_from(schema.phrase)))[0][0])


def change(database: Database, name: str, changes: Changes) -> None:
    editing, record = Editing(database), RecordName.parse(name)
    run(editing.change(EDITOR, record, run(editing.read(EDITOR, record)).version, changes))


def delete(database: Database, name: str) -> None:
    run(Editing(database).delete(EDITOR, RecordName.parse(name)))


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


def test_an_older_file_brings_back_nothing_that_was_deleted_or_corrected(
    edited: tuple[Database, Path], tmp_path: Path
) -> None:
    database, older = edited
    before = exported(database, tmp_path / "before.jsonl").read_bytes()

    report, told = brought(database, older)

    assert exported(database, tmp_path / "after.jsonl").read_bytes() == before
    assert (report.loaded.changed, report.loaded.rejected) == (False, 0)
    assert report.compared is not None
    assert (report.compared.changed, report.compared.only_here) == (0, 0)
    assert report.compared.kept > 0
    assert sum("was deleted here since" in line for line in told) == 3
    assert any("roman" in line and "corrected" in line for line in told), told


def test_it_brings_them_back_where_it_is_to_replace_what_is_here(edited: tuple[Database, Path]) -> None:
    database, older = edited

    report, told = brought(database, older, Policy.REPLACE)

    assert report.loaded.withheld == 0
    assert report.compared is not None
    assert report.compared.changed > 0
    assert any("has changed" in line and "roman" in line for line in told)
    assert brought(database, older, Policy.REPLACE)[0].loaded.changed is False


def names_of(database: Database, *texts: str) -> list[int]:
    """Return the IDs of ideas of the sample, by their keys."""
    idea = schema.idea
    rows = database.read_now(lambda reader: reader.rows(Query(select(idea.c.external_key, idea.c.id))))
    return [dict(map(tuple, rows))[text] for text in texts]


def test_relations_that_were_taken_away_or_changed_stay_so(dictionary: Database, tmp_path: Path) -> None:
    older = exported(dictionary, tmp_path / "older.jsonl")
    editing = Editing(dictionary)
    black, white, fish, animal, wing, bird, yesterday = names_of(
        dictionary, "black", "white", "fish", "animal", "wing", "bird", "yesterday"
    )
    catalogue = dictionary.read_now(lambda reader: reader.catalogue)
    types = {item.value: item.id for item in catalogue.items_of(ListName.RELATIONS)}
    # One from its own side, one from the other, one becomes another, and one goes with its idea.
    run(editing.unrelate(EDITOR, RelationState(black, types["Antonym"], white)))
    run(editing.unrelate(EDITOR, RelationState(animal, types["Hyponym"], fish)))
    part = RelationState(wing, types["Holonym"], bird)
    read = run(editing.read_relation(EDITOR, part))
    run(editing.change_relation(EDITOR, part, read.version, types["Related"]))
    delete(dictionary, f"idea:{yesterday}")
    before = exported(dictionary, tmp_path / "before.jsonl").read_bytes()

    report, told = brought(dictionary, older)

    assert exported(dictionary, tmp_path / "after.jsonl").read_bytes() == before
    assert (report.loaded.changed, report.loaded.rejected) == (False, 0)
    taken = [line for line in told if "was taken away here since" in line]
    assert {line.rpartition(":")[2].split()[0] for line in taken} >= {"white", "animal", "bird"}
    assert brought(dictionary, older, Policy.REPLACE)[0].loaded.counts["idea_relation"] > 0
    assert brought(dictionary, older)[0].loaded.withheld == 0


def test_a_relation_that_was_taken_away_and_made_again_is_not_told(dictionary: Database, tmp_path: Path) -> None:
    older = exported(dictionary, tmp_path / "older.jsonl")
    editing = Editing(dictionary)
    gone = run(editing.unrelate(EDITOR, RelationState(*_related(dictionary))))
    run(editing.undo(EDITOR, gone.version))

    assert brought(dictionary, older)[0].loaded.withheld == 0


def _related(database: Database) -> tuple[int, int, int]:
    relation = schema.idea_relation
    rows = database.read_now(
        lambda reader: reader.rows(Query(select(relation.c.idea_id, relation.c.type_id, relation.c.other_id)))
    )
    first, kind, second = rows[0]
    return int(first), int(kind), int(second)


def test_what_was_deleted_and_restored_is_no_longer_kept_away(dictionary: Database, tmp_path: Path) -> None:
    file = exported(dictionary, tmp_path / "all.jsonl")
    editing = Editing(dictionary)
    gone = run(editing.delete(EDITOR, RecordName("phrase", "3")))
    run(editing.undo(EDITOR, gone.version))

    assert brought(dictionary, file)[0].loaded.withheld == 0


def test_what_the_file_does_not_have_is_counted_and_named(dictionary: Database, tmp_path: Path) -> None:
    lines = exported(dictionary, tmp_path / "all.jsonl").read_bytes().splitlines(keepends=True)
    part = tmp_path / "part.jsonl"
    part.write_bytes(b"".join(line for line in lines if b'"key":"water"' not in line))

    report, told = brought(dictionary, part)

    assert report.compared is not None
    assert report.compared.only_here == 1
    assert "idea sample:water is only here." in told


# --- making the dictionary what the file is ---------------------------------------------------------------------------


def mirrored(database: Database, file: Path, *, yes: bool = False, dry_run: bool = False) -> tuple[Report, list[str]]:
    told: list[str] = []
    wanted = Import("jsonl", (file,), mirror=True, yes=yes, dry_run=dry_run)
    report = import_files(database, wanted, now=NOW + 9, on_progress=lambda _: None, on_told=told.append)
    return report, told


def contents(database: Database) -> list[object]:
    """Return all records, in an order that has nothing to do with IDs, and as `is_same` compares them."""
    with database.snapshot() as reader:
        found = [everything(record) for record in dump_records(reader) if not isinstance(record, ListItemRecord)]
    return sorted(found, key=repr)


def test_the_dictionary_becomes_what_the_file_is(edited: tuple[Database, Path], databases: Databases) -> None:
    database, older = edited
    add = IdeaData("Adverb", definitions=(DefinitionData("en", "New since."),))
    run(Editing(database).add_word(EDITOR, WordData("as", "নতুন", meaning=add)))
    run(Editing(database).relate(EDITOR, RelationState(3, 4, 7)))

    report, told = mirrored(database, older)

    with opened(databases, with_sample) as original:
        assert contents(database) == contents(original)
    assert report.compared is not None
    assert (report.compared.only_here, report.compared.kept, report.compared.gone) == (0, 0, 1), told


def test_whatever_was_edited_there_and_here_it_becomes_so(databases: Databases, tmp_path: Path) -> None:
    with opened(databases, with_sample) as there, opened(databases, with_sample) as here:
        somebody = Somebody(there)
        for deed in EVERYTHING:
            somebody.do(*deed)
        for place, name in enumerate(ALL_DEEDS):
            Somebody(here, count=5_000 + place).do(name, 11, 4)
        file = exported(there, tmp_path / "edited.jsonl")

        mirrored(here, file, yes=True)

        assert contents(here) == contents(there)


def test_it_does_nothing_to_a_dictionary_that_is_so(dictionary: Database, tmp_path: Path) -> None:
    file = exported(dictionary, tmp_path / "all.jsonl")
    version = dictionary.version_now()

    mirrored(dictionary, file)

    assert dictionary.version_now() == version
    assert exported(dictionary, tmp_path / "again.jsonl").read_bytes() == file.read_bytes()


def test_more_than_a_tenth_goes_only_if_that_is_said(dictionary: Database, tmp_path: Path) -> None:
    lines = exported(dictionary, tmp_path / "all.jsonl").read_bytes().splitlines(keepends=True)
    few = tmp_path / "few.jsonl"
    few.write_bytes(b"".join(line for line in lines if b'"record":"phrase"' not in line))

    with pytest.raises(ConflictError, match="--yes"):
        mirrored(dictionary, few)
    tried, told = mirrored(dictionary, few, dry_run=True)
    assert "proverb sample:g5 is not in the file and is deleted." in told
    assert dictionary.read_now(proverbs) > 0
    mirrored(dictionary, few, yes=True)

    assert tried.compared is not None
    assert tried.compared.gone > 0
    assert dictionary.read_now(proverbs) == 0
    deleted = run(Editing(dictionary).history_of(RecordName("phrase", "1"), 1))[0]
    assert deleted.person is None
    run(Editing(dictionary).undo(EDITOR, deleted.id))
    assert dictionary.read_now(proverbs) == 1


def test_a_file_with_a_wrong_line_changes_nothing(dictionary: Database, tmp_path: Path) -> None:
    file = exported(dictionary, tmp_path / "all.jsonl")
    file.write_bytes(file.read_bytes() + b"{\n")
    version = dictionary.version_now()

    with pytest.raises(InputError, match="Nothing was changed"):
        mirrored(dictionary, file)

    assert dictionary.version_now() == version
