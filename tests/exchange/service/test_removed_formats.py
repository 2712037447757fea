"""Formats of earlier versions: their names and files are answered with what to do instead."""

from pathlib import Path

import pytest

from abhidhan.exchange.service.exporting import find_exporter
from abhidhan.exchange.service.import_files import find_importer, require_records
from abhidhan.exchange.service.importing import ImportRequest
from abhidhan.records.errors import InputError

DSL, STARDICT, DICTD = (f": pyglossary words.{ending} words.csv " for ending in ("dsl", "ifo", "index"))


@pytest.mark.parametrize(
    ("name", "files", "instead"),
    [
        ("dsl", ["fish"], DSL),
        ("stardict", ["fish"], STARDICT),
        ("dictd", ["fish"], DICTD),
        ("cldr", ["annotations.json"], "the starter dictionary has its words"),
        ("indowordnet", ["all.assamese"], "abhidhan import csv assamese.tsv --columns key,word:as,definition:as,pos "),
        ("csv", ["fish.dsl"], DSL),
        ("csv", ["FISH.DSL.DZ"], DSL),
        ("jsonl", ["fish.dict.dz", "fish.idx", "fish.ifo"], STARDICT),
        ("pairs", ["fish.dict.dz"], DICTD),
    ],
)
def test_names_and_files_of_removed_formats_are_answered_with_a_command(
    name: str, files: list[str], instead: str
) -> None:
    with pytest.raises(InputError) as refused:
        find_importer(ImportRequest(name, tuple(map(Path, files))))

    assert instead in str(refused.value)


def test_a_folder_with_nothing_but_such_files_is_answered_likewise(tmp_path: Path) -> None:
    (tmp_path / "fish").mkdir()
    (tmp_path / "fish/fish.ifo").touch()

    with pytest.raises(InputError, match=STARDICT):
        list(require_records([], ImportRequest("csv", (tmp_path,))))


@pytest.mark.parametrize(
    ("name", "instead"),
    [
        ("dictd", "abhidhan export stardict; "),
        ("jsonl.gz", r"abhidhan export jsonl -o abhidhan\.jsonl\.gz\.$"),
        ("ontolex.gz", r"abhidhan export ontolex -o abhidhan\.ttl\.gz\.$"),
        ("ontolex-json", r"abhidhan export ontolex\.$"),
    ],
)
def test_names_of_removed_writers_are_answered_with_a_command(name: str, instead: str) -> None:
    with pytest.raises(InputError, match=instead):
        find_exporter(name)
