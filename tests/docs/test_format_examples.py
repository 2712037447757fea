"""docs/exporting.md and docs/importing.md: the formats are those of the table, and the examples work as they stand."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from abhidhan.formats.registry import EXPORTERS, IMPORTERS
from tests.support.databases import create_from_sample
from tests.support.programs import find_program
from tests.support.server import command_environment

ROOT: Final = Path(__file__).parents[2]
SOURCES: Final = f"{ROOT}/src:{ROOT}/packages/assamese/src"
EXAMPLE: Final = re.compile(r"^<!-- tried: ([\w-]+) -->\n```\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EXAMPLES: Final = {
    match[1]: match[2]
    for name in ("exporting", "importing")
    for match in EXAMPLE.finditer((ROOT / f"docs/{name}.md").read_text(encoding="utf-8"))
}

PROGRAMS: Final = {"hunspell": ("hunspell", "unzip"), "zim": ("zimcheck",)}
"""The programs of others (Debian's, called as their packages) that an example calls."""

PRINTED: Final = {
    "headerless": ("2 ideas and ", "0 rejected."),
    "hunspell": ("পানি\n", "48 │"),
    "pdf": ("assamese-english.pdf: ",),
    "tei": ("Licences: ", "0 rejected"),
    "wn-lmf": ("abhidhan-as:", "passed"),
    "zim": ("Overall Test Status: Pass",),
    "lift-out": ("0 rejected",),
    "word-list": ("tzü (Ao)  IPA: tsə", "phonetic transcription"),
}
"""What an example prints, among other things."""

OURS: Final = f'abhidhan() {{ "{sys.executable}" -m abhidhan "$@"; }}\npython3() {{ "{sys.executable}" "$@"; }}\n'


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a home with the sample."""
    made = tmp_path_factory.mktemp("examples")
    create_from_sample(made)
    return made


@pytest.mark.thorough
def test_each_example_works_as_it_is_written(home: Path, tmp_path: Path, subtests: pytest.Subtests) -> None:
    environment = command_environment(home, {"PYTHONPATH": SOURCES, "NO_COLOR": "1"})
    for name, code in EXAMPLES.items():
        with subtests.test(name):
            for each in PROGRAMS.get(name, ()):
                find_program(each, each)
            folder = tmp_path / name
            folder.mkdir()
            command = ["bash", "-euc", OURS + code]
            done = subprocess.run(  # noqa: S603  # our own document
                command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=180
            )

            assert done.returncode == 0, done.stderr
            for text in PRINTED[name]:
                assert text in done.stdout + done.stderr


def test_the_output_of_every_example_is_listed() -> None:
    assert set(EXAMPLES) == set(PRINTED)


def test_the_formats_of_the_documents_are_those_of_the_table() -> None:
    for document, heading, abouts in (
        ("exporting", "| Format | What it is | Opens in |", {name: each.about for name, each in EXPORTERS.items()}),
        ("importing", "| Format | Files |", {name: each.about for name, each in IMPORTERS.items()}),
    ):
        text = (ROOT / f"docs/{document}.md").read_text(encoding="utf-8")
        rows = text.partition(heading)[2].partition("\n\n")[0].splitlines()[2:]
        described = {cells[1].strip(" `"): cells[2].strip() for cells in (row.split("|") for row in rows)}

        assert list(described) == list(abouts)
        for name, about in abouts.items():
            assert described[name].startswith(about)
