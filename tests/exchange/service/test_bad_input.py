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
from tests.support.databases import Databases, SqliteDatabases, load_sample, open_database
from tests.support.sample import NOW

SOURCE = SourceRecord("s", "S", "CC0-1.0")


def import_file(database: Database, name: str, file: Path, **more: object) -> ImportReport:
    """Import a file."""
    wanted = ImportRequest(name, (file,), ImportOptions(source=SOURCE, **more))  # type: ignore[arg-type]
    return import_files(database, wanted, now=NOW, on_progress=lambda _: None)


def dump(database: Database) -> list[Record]:
    """Return all records of a database."""
    with database.snapshot() as reader:
        return list(dump_records(reader))


def place(*records: Record) -> list[LocatedRecord]:
    """Place records on lines."""
    return [LocatedRecord("test", line, record) for line, record in enumerate((SOURCE, *records), 1)]


def idea(key: str, text: str, *related: str, **more: object) -> IdeaRecord:
    """Make an idea with an English word, under others."""
    relations = tuple(RelationRecord("Hypernym", f"s:{other}") for other in related)
    return IdeaRecord("s", key, None, (WordRecord("en", text),), relations=relations, **more)  # type: ignore[arg-type]


def test_nothing_of_a_truncated_archive_is_imported(dictionary: Database, tmp_path: Path) -> None:
    before = dump(dictionary)
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
        import_file(dictionary, "pairs", file, language="en", target="as")

    assert dump(dictionary) == before


UNUSUAL_FILES = [
    (b"ice\t\xd5\xf1\xb1\xfb\nrain water\t\xe0\xa6\xac\n", "Geetanjali, Ramdhenu, Luit"),
    (b"ice\tx\r\n\r\nrain water\ty\rsnow\tz\n", ""),
    ("ice\tবৰফ\nrain water\tবৰষুণৰ পানী\n".encode("utf-16"), ""),
    ("ice\tবৰফ\nrain water\tবৰষুণৰ পানী\n".encode("utf-16-be"), ""),
    (b"ice\t" + b"x" * 1_100_000 + b"\nrain water\ty\n", "longer than 1,000,000 characters"),
]


def test_readable_lines_are_imported_and_the_rest_reported(
    databases: Databases, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    for content, message in UNUSUAL_FILES:
        with subtests.test(message or repr(content[:20])), open_database(databases, load_sample) as dictionary:
            file = tmp_path / "en_as.tsv"
            file.write_bytes(content)

            report = import_file(dictionary, "pairs", file)

            assert [fault.line for fault in report.loaded.errors] == ([1] if message else [])
            assert all(message in fault.detail for fault in report.loaded.errors)
            words = {word.text for one in dump(dictionary) if isinstance(one, IdeaRecord) for word in one.words}
            assert "rain water" in words
            assert ("ice" in words) is not bool(message)


def test_unknown_language_codes_are_reported_with_their_number(dictionary: Database, tmp_path: Path) -> None:
    file = tmp_path / "words.csv"
    file.write_text("key,language,word\n1,xyzzy,a\n2,xyzzy,b\n3,asm,মেঘ\n4,gd,uisge\n", "utf-8")

    report = import_file(dictionary, "csv", file)

    assert report.unknown_names == {("language", "xyzzy"): 2}
    assert [fault.line for fault in report.loaded.errors] == [2, 3]
    assert [language.code for language in report.new_languages] == ["gd"]


def test_the_name_unassigned_means_no_part_of_speech(
    databases: Databases, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    for kind in ["csv", "jsonl"]:
        with subtests.test(kind), open_database(databases, load_sample) as dictionary:
            file = tmp_path / f"words.{kind}"
            if kind == "csv":
                file.write_text("key,word:en,pos\n1,w1,unassigned\n", "utf-8")
            else:
                record = IdeaRecord("sample", "w1", "unassigned", (WordRecord("en", "w1"),))
                file.write_bytes(encode_line(record))

            report = import_file(dictionary, kind, file)

            assert report.unknown_names == {("pos", "unassigned"): 1}
            assert report.loaded.rejected == 0
            stored = [one for one in dump(dictionary) if isinstance(one, IdeaRecord) and one.words[0].text == "w1"]
            assert [one.pos for one in stored] == [None]


def test_unknown_parts_of_speech_are_omitted_and_reported(dictionary: Database, tmp_path: Path) -> None:
    import_records(dictionary, place(ListItemRecord("POS", 990, "Echo Word")), now=NOW)
    file = tmp_path / "words.csv"
    parts = ("n.", "idiom", "v", "echo word", "idiom", "skip", "")
    rows = "".join(f"{number},w{number},{part}\n" for number, part in enumerate(parts))
    file.write_text(f"key,word:en,pos\n{rows}", "utf-8")

    report = import_file(dictionary, "csv", file, values={"pos": {"skip": ""}})

    assert report.unknown_names == {("pos", "idiom"): 2}
    assert (report.loaded.counts["idea"], report.loaded.rejected) == (len(parts), 0)
    stored = {one.key: one.pos for one in dump(dictionary) if isinstance(one, IdeaRecord) and one.source == "s"}
    assert [stored[str(number)] for number in range(len(parts))] == [
        "Common Noun",
        None,
        "Verb",
        "Echo Word",
        *[None] * 3,
    ]


def test_a_cycle_of_hypernyms_is_imported_and_found_by_the_check(dictionary: Database) -> None:
    circle = (idea("a", "one a", "b"), idea("b", "one b", "c"), idea("c", "one c", "a"))

    assert import_records(dictionary, place(*circle), now=NOW).rejected == 0

    assert [finding.code for finding in check(dictionary) if finding.code.startswith(("E", "W4"))] == ["W401"]


def test_an_idea_related_to_itself_is_reported(dictionary: Database) -> None:
    loaded = import_records(dictionary, place(idea("a", "one a", "a")), now=NOW)

    detail = "An idea cannot be related to itself."
    assert loaded.errors == (RecordError("test", 2, detail, (Problem("relations", detail),)),)


def test_a_repeated_key_has_the_same_result_in_one_batch_and_in_several(
    sqlite_databases: SqliteDatabases, subtests: pytest.Subtests
) -> None:
    """What the second record of an idea adds depends on the policy, and never on how the file was split."""
    first = idea("a", "one a", definitions=(DefinitionRecord("en", "First."),))
    second = IdeaRecord(
        "s",
        "a",
        "Adverb",
        (WordRecord("en", "one a", roman="wan", reference="p. 1"), WordRecord("en", "another a")),
        definitions=(DefinitionRecord("en", "Second."),),
        contexts=("Zoology",),
    )
    for policy in ConflictPolicy:
        with open_database(sqlite_databases, load_sample) as separate:
            for record in place(first, second):
                import_records(separate, [record], now=NOW, policy=policy)
            expected = dump(separate)
        for words_at_once in (1, None):
            with subtests.test(f"{policy} {words_at_once}"), open_database(sqlite_databases, load_sample) as whole:
                import_records(whole, place(first, second), now=NOW, policy=policy, words_per_transaction=words_at_once)

                assert dump(whole) == expected


def test_an_import_stopped_by_a_full_disk_can_be_finished(sqlite_databases: SqliteDatabases) -> None:
    records = place(*(idea(str(number), f"word number {number}", str(number - 1)) for number in range(1, 4000)))
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
        assert dump(roomy) == dump(other)
    sqlite_databases.remove(url)


def test_an_empty_file_is_rejected_and_changes_nothing(dictionary: Database, tmp_path: Path) -> None:
    file = tmp_path / "en_as.tsv"
    file.write_bytes(b"")
    before = dictionary.version_now()

    with pytest.raises(InputError, match=r"en_as\.tsv contains nothing that can be imported as pairs\."):
        import_file(dictionary, "pairs", file)

    assert dictionary.version_now() == before
