"""Formats of earlier versions: their names and files are rejected with what to do instead."""

from pathlib import Path

import pytest

from abhidhan.exchange.service.exporting import find_exporter
from abhidhan.exchange.service.import_files import find_importer, require_records
from abhidhan.exchange.service.importing import ImportRequest
from abhidhan.records.errors import InputError

DSL, STARDICT, DICTD = (f": pyglossary words.{ending} words.csv " for ending in ("dsl", "ifo", "index"))


REMOVED_IMPORTERS: list[tuple[str, list[str], str]] = [
    ("dsl", ["fish"], DSL),
    ("stardict", ["fish"], STARDICT),
    ("dictd", ["fish"], DICTD),
    ("cldr", ["annotations.json"], "the starter dictionary has its words"),
    ("indowordnet", ["all.assamese"], "abhidhan import csv assamese.tsv --columns key,word:as,definition:as,pos "),
    ("csv", ["fish.dsl"], DSL),
    ("csv", ["FISH.DSL.DZ"], DSL),
    ("jsonl", ["fish.dict.dz", "fish.idx", "fish.ifo"], STARDICT),
    ("pairs", ["fish.dict.dz"], DICTD),
]


def test_removed_import_formats_are_rejected_with_a_command_instead(subtests: pytest.Subtests) -> None:
    for name, files, instead in REMOVED_IMPORTERS:
        with subtests.test(f"{name} {files}"):
            with pytest.raises(InputError) as caught:
                find_importer(ImportRequest(name, tuple(map(Path, files))))

            assert instead in str(caught.value)


def test_files_of_removed_formats_in_a_folder_are_rejected_likewise(tmp_path: Path) -> None:
    (tmp_path / "fish").mkdir()
    (tmp_path / "fish/fish.ifo").touch()

    with pytest.raises(InputError, match=STARDICT):
        list(require_records([], ImportRequest("csv", (tmp_path,))))


REMOVED_EXPORTERS = [
    ("dictd", "abhidhan export stardict; "),
    ("jsonl.gz", r"abhidhan export jsonl -o abhidhan\.jsonl\.gz\.$"),
    ("ontolex.gz", r"abhidhan export ontolex -o abhidhan\.ttl\.gz\.$"),
    ("ontolex-json", r"abhidhan export ontolex\.$"),
]


def test_removed_export_formats_are_rejected_with_a_command_instead(subtests: pytest.Subtests) -> None:
    for name, instead in REMOVED_EXPORTERS:
        with subtests.test(name), pytest.raises(InputError, match=instead):
            find_exporter(name)
