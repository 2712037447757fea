import gzip
import io
import tarfile
from pathlib import Path

import pytest
from sqlalchemy import event

from abhidhan.exchange.service.importing import ImportReport, ImportRequest, import_files, import_records
from abhidhan.exchange.service.maintenance import check
from abhidhan.exchange.store.dump import dump_records
from abhidhan.formats.importer_api import ImportOptions
from abhidhan.formats.jsonl import encode_line
from abhidhan.platform.database.database import Database
from abhidhan.records.errors import DiskFullError, InputError, Problem
from abhidhan.records.import_records import ConflictPolicy, LocatedRecord, RecordError
from abhidhan.records.kinds import (
    DefinitionRecord,
    IdeaRecord,
    ListItemRecord,
    Record,
    RelationRecord,
    SourceRecord,
    WordRecord,
)
from tests.support.databases import SqliteDatabases, load_sample, open_database
from tests.support.sample import NOW

SOURCE = SourceRecord("s", "S", "CC0-1.0")


def bring_in(database: Database, name: str, file: Path, **more: object) -> ImportReport:
    """Import a file."""
    wanted = ImportRequest(name, (file,), ImportOptions(source=SOURCE, **more))  # type: ignore[arg-type]
    return import_files(database, wanted, now=NOW, on_progress=lambda _: None)


def dumped(database: Database) -> list[Record]:
    """Return all records of a database."""
    with database.snapshot() as reader:
        return list(dump_records(reader))


def placed(*records: Record) -> list[LocatedRecord]:
    """Place records on lines."""
    return [LocatedRecord("test", line, record) for line, record in enumerate((SOURCE, *records), 1)]


def idea(key: str, text: str, *related: str, **more: object) -> IdeaRecord:
    """Make an idea with an English word, under others."""
    relations = tuple(RelationRecord("Hypernym", f"s:{other}") for other in related)
    return IdeaRecord("s", key, None, (WordRecord("en", text),), relations=relations, **more)  # type: ignore[arg-type]


def test_of_an_archive_that_is_cut_short_nothing_comes_in(dictionary: Database, tmp_path: Path) -> None:
    before = dumped(dictionary)
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for number in range(50):
            content = "".join(f"word {number}-{line}\tx\n" for line in range(200)).encode()
            information = tarfile.TarInfo(f"en_as-{number}.tsv")
            information.size = len(content)
            archive.addfile(information, io.BytesIO(content))
    file = tmp_path / "all.tar.gz"
    file.write_bytes(gzip.compress(packed.getvalue())[:-2000])

    with pytest.raises(InputError, match="nothing of it is used"):
        bring_in(dictionary, "pairs", file, language="en", target="as")

    assert dumped(dictionary) == before


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"ice\t\xd5\xf1\xb1\xfb\nrain water\t\xe0\xa6\xac\n", "Geetanjali, Ramdhenu, Luit"),
        (b"ice\tx\r\n\r\nrain water\ty\rsnow\tz\n", ""),
        ("ice\tবৰফ\nrain water\tবৰষুণৰ পানী\n".encode("utf-16"), ""),
        ("ice\tবৰফ\nrain water\tবৰষুণৰ পানী\n".encode("utf-16-be"), ""),
        (b"ice\t" + b"x" * 1_100_000 + b"\nrain water\ty\n", "longer than 1,000,000 characters"),
    ],
    ids=["legacy font", "mixed line ends", "utf-16 with a mark", "utf-16 without", "a million characters"],
)
def test_what_can_be_read_comes_in_and_the_rest_is_told(
    dictionary: Database, tmp_path: Path, content: bytes, told: str
) -> None:
    file = tmp_path / "en_as.tsv"
    file.write_bytes(content)

    report = bring_in(dictionary, "pairs", file)

    assert [fault.line for fault in report.loaded.errors] == ([1] if told else [])
    assert all(told in fault.detail for fault in report.loaded.errors)
    words = {word.text for one in dumped(dictionary) if isinstance(one, IdeaRecord) for word in one.words}
    assert "rain water" in words
    assert ("ice" in words) is not bool(told)


def test_a_code_that_is_no_language_is_told_with_how_often_it_came(dictionary: Database, tmp_path: Path) -> None:
    file = tmp_path / "words.csv"
    file.write_text("key,language,word\n1,xyzzy,a\n2,xyzzy,b\n3,asm,মেঘ\n4,gd,uisge\n", "utf-8")

    report = bring_in(dictionary, "csv", file)

    assert report.unknown_names == {("language", "xyzzy"): 2}
    assert [fault.line for fault in report.loaded.errors] == [2, 3]
    assert [language.code for language in report.new_languages] == ["gd"]


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_no_part_of_speech_is_none_though_the_list_has_a_name_for_it(
    dictionary: Database, tmp_path: Path, kind: str
) -> None:
    file = tmp_path / f"words.{kind}"
    if kind == "csv":
        file.write_text("key,word:en,pos\n1,w1,unassigned\n", "utf-8")
    else:
        record = IdeaRecord("sample", "w1", "unassigned", (WordRecord("en", "w1"),))
        file.write_bytes(encode_line(record))

    report = bring_in(dictionary, kind, file)

    assert report.unknown_names == {("pos", "unassigned"): 1}
    assert report.loaded.rejected == 0
    stored = [one for one in dumped(dictionary) if isinstance(one, IdeaRecord) and one.words[0].text == "w1"]
    assert [one.pos for one in stored] == [None]


def test_a_part_of_speech_that_means_nothing_is_left_out_and_told(dictionary: Database, tmp_path: Path) -> None:
    import_records(dictionary, placed(ListItemRecord("POS", 990, "Echo Word")), now=NOW)
    file = tmp_path / "words.csv"
    parts = ("n.", "idiom", "v", "echo word", "idiom", "skip", "")
    rows = "".join(f"{number},w{number},{part}\n" for number, part in enumerate(parts))
    file.write_text(f"key,word:en,pos\n{rows}", "utf-8")

    report = bring_in(dictionary, "csv", file, values={"pos": {"skip": ""}})

    assert report.unknown_names == {("pos", "idiom"): 2}
    assert (report.loaded.counts["idea"], report.loaded.rejected) == (len(parts), 0)
    stored = {one.key: one.pos for one in dumped(dictionary) if isinstance(one, IdeaRecord) and one.source == "s"}
    assert [stored[str(number)] for number in range(len(parts))] == [
        "Common Noun",
        None,
        "Verb",
        "Echo Word",
        *[None] * 3,
    ]


def test_hypernyms_in_a_circle_come_in_and_are_found_afterwards(dictionary: Database) -> None:
    circle = (idea("a", "one a", "b"), idea("b", "one b", "c"), idea("c", "one c", "a"))

    assert import_records(dictionary, placed(*circle), now=NOW).rejected == 0

    assert [finding.code for finding in check(dictionary) if finding.code.startswith(("E", "W4"))] == ["W401"]


def test_an_idea_under_itself_is_told(dictionary: Database) -> None:
    loaded = import_records(dictionary, placed(idea("a", "one a", "a")), now=NOW)

    detail = "An idea cannot be related to itself."
    assert loaded.errors == (RecordError("test", 2, detail, (Problem("relations", detail),)),)


@pytest.mark.parametrize("policy", list(ConflictPolicy))
@pytest.mark.parametrize("words_at_once", [1, None])
def test_a_key_that_stands_twice_comes_to_the_same_in_one_batch_and_in_two(
    sqlite_databases: SqliteDatabases, policy: ConflictPolicy, words_at_once: int | None
) -> None:
    """What the second record of an idea adds depends on the policy, and never on how the file was cut."""
    first = idea("a", "one a", definitions=(DefinitionRecord("en", "First."),))
    second = IdeaRecord(
        "s",
        "a",
        "Adverb",
        (WordRecord("en", "one a", roman="wan", reference="p. 1"), WordRecord("en", "another a")),
        definitions=(DefinitionRecord("en", "Second."),),
        contexts=("Zoology",),
    )
    with open_database(sqlite_databases, load_sample) as cut, open_database(sqlite_databases, load_sample) as whole:
        for record in placed(first, second):
            import_records(cut, [record], now=NOW, policy=policy)
        import_records(whole, placed(first, second), now=NOW, policy=policy, words_per_transaction=words_at_once)

        assert dumped(cut) == dumped(whole)


def test_a_full_disk_is_told_and_what_was_begun_can_be_finished(sqlite_databases: SqliteDatabases) -> None:
    records = placed(*(idea(str(number), f"word number {number}", str(number - 1)) for number in range(1, 4000)))
    url = sqlite_databases.copy(load_sample)
    with Database(url) as cramped:

        @event.listens_for(cramped.engine, "connect")
        def _leave_no_room(connection: object, _: object) -> None:
            pages = connection.execute("PRAGMA page_count").fetchone()[0]  # type: ignore[attr-defined]
            connection.execute(f"PRAGMA max_page_count = {pages + 200}")  # type: ignore[attr-defined]

        with pytest.raises(DiskFullError, match=r"\.sqlite: the disk is full, and nothing was saved"):
            import_records(cramped, records, now=NOW, words_per_transaction=500)
        assert [finding for finding in check(cramped) if finding.code.startswith("E")] == []

    with Database(url) as roomy, open_database(sqlite_databases, load_sample) as other:
        loaded = import_records(roomy, records, now=NOW, words_per_transaction=500)
        import_records(other, records, now=NOW)

        assert loaded.counts["idea"] < 3999
        assert dumped(roomy) == dumped(other)
    sqlite_databases.remove(url)


def test_a_file_with_nothing_in_it_is_told_and_changes_nothing(dictionary: Database, tmp_path: Path) -> None:
    file = tmp_path / "en_as.tsv"
    file.write_bytes(b"")
    before = dictionary.version_now()

    with pytest.raises(InputError, match=r"en_as\.tsv contains nothing that can be imported as pairs\."):
        bring_in(dictionary, "pairs", file)

    assert dictionary.version_now() == before
