"""The records that come with the program: languages, lists and sources, and the starter dictionary."""

import csv
from collections.abc import Collection, Iterator
from importlib import resources

from abhidhan.records.import_records import Fault, Named, Placed

CATALOGUE_FILES = ("languages.jsonl", "lists.jsonl", "sources.jsonl")
"""The packaged files that the others build upon."""

STARTER = "abhidhan"
"""The code of the source of which every starter dictionary has ideas."""

_DATA = resources.files("abhidhan.data")


def starter_records(without: Collection[str] = ()) -> Iterator[Placed | Fault]:
    """Read the records of the starter dictionary, languages, lists and sources first; all but those of some files."""
    yield from catalogue_records()
    names = sorted(file.name for file in _DATA.iterdir() if file.name.endswith(".jsonl"))
    for name in names:
        if name not in {*CATALOGUE_FILES, *without}:
            yield from _packaged(name)


def catalogue_records() -> Iterator[Placed | Fault]:
    """Read the languages, lists and sources that come with the program."""
    for name in CATALOGUE_FILES:
        yield from _packaged(name)


def merged_ideas() -> dict[Named, Named]:
    """Read which ideas of earlier versions have become one with another."""
    rows = csv.DictReader(_DATA.joinpath("merged.tsv").read_text(encoding="utf-8").splitlines(), delimiter="\t")
    return {Named(*row["merged"].split(":", 1)): Named(*row["kept"].split(":", 1)) for row in rows}


def _packaged(name: str) -> Iterator[Placed | Fault]:
    from abhidhan.formats.jsonl import read_jsonl  # noqa: PLC0415  # readers are imported when used

    with _DATA.joinpath(name).open("rb") as stream:
        yield from read_jsonl(stream, name)
