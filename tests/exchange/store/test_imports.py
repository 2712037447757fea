from collections.abc import Callable
from pathlib import Path

import pytest

from abhidhan.exchange.service.importing import ImportReport, ImportRequest, import_files
from abhidhan.exchange.service.maintenance import check
from abhidhan.exchange.store.imports import find_interrupted
from abhidhan.exchange.store.loading.load_context import LoadResult
from abhidhan.formats.jsonl import encode_line
from abhidhan.platform.database.database import Database
from abhidhan.records.import_records import RecordError
from abhidhan.records.integrity_checks import IntegrityFinding
from abhidhan.records.kinds import IdeaRecord, Record, RelationRecord, SourceRecord, WordRecord
from tests.support.sample import NOW


class StoppedError(Exception):
    """Stands for whatever ends an import midway."""


def write_file(file: Path, source: str, *, ideas: int = 4, related: bool = True) -> Path:
    """Write ideas of a source, the first of them related to the last."""
    records: list[Record] = [SourceRecord(source, source.title(), "CC0-1.0")]
    for number in range(ideas):
        relations = (RelationRecord("Related", f"{source}:{ideas - 1}"),) if related and number == 0 else ()
        words = (WordRecord("as", f"শব্দ {source} {number}"),)
        records.append(IdeaRecord(source, str(number), "Adverb", words, relations=relations))
    file.write_bytes(b"".join(map(encode_line, records)))
    return file


def stop_after(transactions: int) -> Callable[[LoadResult], None]:
    """Make what stops an import after so many transactions."""
    done: list[LoadResult] = []

    def on_progress(loaded: LoadResult) -> None:
        done.append(loaded)
        if len(done) == transactions:
            raise StoppedError

    return on_progress


def run(database: Database, file: Path, on_progress: Callable[[LoadResult], None] = lambda _: None) -> ImportReport:
    return import_files(
        database, ImportRequest("jsonl", (file,), words_per_transaction=2), now=NOW, on_progress=on_progress
    )


def break_off(database: Database, file: Path, transactions: int = 1) -> None:
    with pytest.raises(StoppedError):
        run(database, file, stop_after(transactions))


def warnings(database: Database) -> list[IntegrityFinding]:
    return [finding for finding in check(database) if finding.code == "W501"]


def test_an_interrupted_import_is_warned_of_until_run_again(dictionary: Database, tmp_path: Path) -> None:
    file = write_file(tmp_path / "a.jsonl", "hemkosh")
    assert warnings(dictionary) == []

    break_off(dictionary, file)
    (warning,) = warnings(dictionary)
    report = run(dictionary, file)

    assert "run it again" in str(warning)
    assert warning.detail == "2026-09-21, sources hemkosh"
    assert [one.sources for one in report.finished_imports] == [("hemkosh",)]
    assert report.loaded.counts["idea_relation"] == 2
    assert warnings(dictionary) == []


def test_a_second_run_without_changes_finishes_an_interrupted_import_too(dictionary: Database, tmp_path: Path) -> None:
    file = write_file(tmp_path / "a.jsonl", "hemkosh", related=False)
    break_off(dictionary, file, transactions=2)

    report = run(dictionary, file)

    assert not report.loaded.has_changes
    assert len(report.finished_imports) == 1
    assert warnings(dictionary) == []
    assert dictionary.read_now(find_interrupted) == []


def test_only_a_completed_second_run_of_the_same_sources_finishes_an_import(
    dictionary: Database, tmp_path: Path
) -> None:
    file = write_file(tmp_path / "a.jsonl", "hemkosh")
    break_off(dictionary, file)

    report = run(dictionary, write_file(tmp_path / "b.jsonl", "other"))

    assert report.finished_imports == ()
    assert len(warnings(dictionary)) == 1

    wanted = ImportRequest("jsonl", (file,), dry_run=True)
    import_files(dictionary, wanted, now=NOW, on_progress=lambda _: None)

    assert len(warnings(dictionary)) == 1


def test_every_rejected_record_is_reported_in_the_order_of_the_file(dictionary: Database, tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text("not JSON\n" * 3_000, "utf-8")
    rejected: list[RecordError] = []

    report = import_files(
        dictionary, ImportRequest("jsonl", (file,)), now=NOW, on_progress=lambda _: None, on_reject=rejected.append
    )

    assert rejected == [RecordError("a.jsonl", line, rejected[0].detail) for line in range(1, 3_001)]
    assert (report.loaded.rejected, len(report.loaded.errors)) == (3_000, 1_000)
