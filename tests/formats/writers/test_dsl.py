"""DSL as it is written: read by a small reader after the format's description, and by GoldenDict."""

import os
import re
import subprocess
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abhidhan.exchange.model import ExportSelection
from abhidhan.exchange.service.exporting import build_export_source, export
from abhidhan.formats.writers.dsl import escape_text
from abhidhan.platform.database.database import Database
from tests.support.databases import SqliteDatabases, load_sample
from tests.support.programs import find_program


@pytest.fixture(scope="module")
def sample(sqlite_databases: SqliteDatabases) -> Database:
    """Open the sample for all tests of this file."""
    return Database(sqlite_databases.copy(load_sample))


def export_unzipped(database: Database, folder: Path) -> Path:
    """Export the dictionaries, and unpack them."""
    export(database, "dsl", folder / "a.zip")
    with zipfile.ZipFile(folder / "a.zip") as packed:
        packed.extractall(folder)
    (folder / "a.zip").unlink()
    return folder


def cards_by_headword(file: Path) -> Iterator[tuple[str, list[str]]]:
    """Read a file as GoldenDict does: UTF-16, lines at their beginnings are headwords of the text below them."""
    headwords: list[str] = []
    body: list[str] = []
    for line in [*file.read_text("utf-16").splitlines(), "end"]:
        if line.startswith("#") or not line:
            continue
        if line.startswith("\t"):
            body.append(re.sub(r"(?<!\\)\[[^\]]*\]", "", line.strip()))
            continue
        if body:
            yield from ((headword, body) for headword in headwords)
            headwords, body = [], []
        headwords.append(plain(line))


def test_every_word_is_found_with_its_definitions_and_examples(sample: Database, tmp_path: Path) -> None:
    found = dict(cards_by_headword(export_unzipped(sample, tmp_path) / "abhidhan-as.dsl"))

    for query in ("পানী", "pa.ni", "pani"):
        text = "\n".join(found[query])
        assert "English: water" in text
        assert "1. mat. n." in text

    with sample.snapshot() as reader:
        there = {
            (word.text, text)
            for idea in build_export_source(reader, ExportSelection()).ideas()
            for text in (*(one.text for one in idea.definitions), *(one.text for one in idea.examples))
            for word in idea.words
            if word.language == "as"
        }
    assert len(there) > 20
    assert [text for word, text in there if text not in plain("\n".join(found[word]))] == []


GOLDENDICT: Final = """<config><paths><path recursive="1">{folder}/dictionaries</path></paths><preferences>
<checkForNewReleases>0</checkForNewReleases><enableScanPopup>0</enableScanPopup><enableTrayIcon>0</enableTrayIcon>
<fullTextSearch><enabled>0</enabled></fullTextSearch></preferences></config>"""


@pytest.mark.thorough
def test_goldendict_indexes_the_dictionary_of_each_language(sample: Database, tmp_path: Path) -> None:
    goldendict = find_program("goldendict", "goldendict")
    (tmp_path / "dictionaries").mkdir()
    files = [
        file for file in export_unzipped(sample, tmp_path / "dictionaries").glob("*.dsl") if "_abrv" not in file.name
    ]
    (tmp_path / ".goldendict").mkdir(mode=0o700)
    (tmp_path / ".goldendict/config").write_text(GOLDENDICT.format(folder=tmp_path))
    log_file = tmp_path / "log"
    home = {"HOME": str(tmp_path), "XDG_RUNTIME_DIR": str(tmp_path / ".goldendict"), "QT_QPA_PLATFORM": "offscreen"}

    with log_file.open("w") as log:
        process = subprocess.Popen([goldendict], env=os.environ | home, stdout=log, stderr=log)  # noqa: S603
        try:
            wait_until(lambda: log_file.read_text().count("Building the index") == len(files))
        finally:
            process.kill()
            process.wait()

    for file in files:
        name = re.findall('#NAME "(.*)"', file.read_text("utf-16"))[0]
        assert f"Dsl: Building the index for dictionary: {name}\n" in log_file.read_text()
    assert "Warning" not in log_file.read_text()


def wait_until(is_so: Callable[[], bool]) -> None:
    """Wait for another program, for a minute at most."""
    for _ in range(600):
        if is_so():
            return
        time.sleep(0.1)
    pytest.fail("it has not happened within a minute")


def test_tags_are_nested_and_closed_within_their_line(sample: Database, tmp_path: Path) -> None:
    files = sorted(export_unzipped(sample, tmp_path).glob("*.dsl"))

    assert {"abhidhan-as.dsl", "abhidhan-as_abrv.dsl", "abhidhan-en.dsl"} <= {file.name for file in files}
    for line in "\n".join(file.read_text("utf-16") for file in files).splitlines():
        opened: list[str] = []
        for slash, name in re.findall(r"(?<!\\)\[(/?)([a-z*']+)[^\]]*\]", line):
            if slash:
                assert opened.pop() == name, line
            else:
                opened.append(name)
        assert opened == [], line


@given(st.text(max_size=60))
def test_escaped_text_round_trips(text: str) -> None:
    assert plain(escape_text(text)) == " ".join(text.split())
    assert re.search(r"(?<!\\)(?:\\\\)*[\[\]{}()@~^#]", escape_text(text)) is None


def plain(text: str) -> str:
    """Take the backslashes off that make signs of the markup text."""
    return re.sub(r"\\(.)", r"\1", text)
