"""Other programs read our files. Each test is left out, and says so, where its program is not installed.

Where ABHIDHAN_CI is set, that is a failure. Packages of Python come with those for tests, except Anki: it is AGPL, so
it runs in a process of its own, by the Python that ANKI_PYTHON names (`make .venv-anki/installed` makes one).
"""

import os
import tempfile
import zipfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

import pycldf
import pytest
from wn import lmf
from wn.validate import validate

from abhidhan.exchange.service.exporting import export
from abhidhan.formats.writers.anki import write_decks
from abhidhan.formats.writers.export_source import DeckRecording, SpokenText
from abhidhan.platform.database.database import Database
from abhidhan.records.kinds import CardRecord, CardSetRecord
from tests.support.databases import SqliteDatabases, load_sample
from tests.support.generated_recordings import encode_recording
from tests.support.programs import find_program, run, skip_or_fail

TEI_SCHEMA: Final = Path(__file__).with_name("tei_lex0.rng")

IMPORT_TWICE: Final = """
import sys
from anki.collection import Collection, ImportAnkiPackageOptions, ImportAnkiPackageRequest

collection = Collection(sys.argv[1])
options = ImportAnkiPackageOptions(update_notes=0, update_notetypes=0)
for _ in range(2):
    collection.import_anki_package(ImportAnkiPackageRequest(package_path=sys.argv[2], options=options))
    print(collection.note_count(), collection.card_count())
collection.close()
"""
"""What Anki's Python does: it imports a deck two times, and tells each time how many notes and cards there are."""


@pytest.fixture(scope="module")
def sample(sqlite_databases: SqliteDatabases) -> Database:
    """Open the sample for all tests of this file."""
    return Database(sqlite_databases.copy(load_sample))


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """Make a folder that programs can read which give up the rights of root."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def anki_python() -> str:
    """Find the Python that has Anki, or leave the test out."""
    return os.environ.get("ANKI_PYTHON") or skip_or_fail("ANKI_PYTHON names no Python that has Anki")


def export_unzipped(sample: Database, name: str, folder: Path) -> Path:
    """Export in a format that is a zip file, and unpack it."""
    export(sample, name, folder / "export.zip")
    with zipfile.ZipFile(folder / "export.zip") as packed:
        packed.extractall(folder)
    return folder


SEARCHES: Final = {
    # Words, romanizations and forms:
    "পানী": ["<b>পানী</b>", "water", "Found 1 items"],
    "water": ["পানী", "<b>water</b>", "Found 1 items"],
    "পানীৰ": ["<b>পানী</b>", "water", "Found 1 items"],
    # Plain roman letters, and all words that share them:
    "xobdo": ["<b>শব্দ</b>"],
    "xob.do": ["<b>শব্দ</b>"],
    "oxomiya": ["<b>অসমীয়া</b>"],
    "hati": ["<b>হাতী</b>"],
    "kola": ["<b>ক’লা</b>", "<b>কলা</b>"],
    "pani": ["<b>pani</b>", "<b>পানী</b>", "water", "Found 1 items"],
    # Words of several languages with the same spelling:
    "জল": ["<b>জল</b> jol · Assamese", "<b>জল</b> Bengali"],
}


@pytest.mark.thorough
def test_sdcv_finds_words_by_spelling_romanization_and_forms(
    sample: Database, open_folder: Path, subtests: pytest.Subtests
) -> None:
    sdcv = find_program("sdcv", "sdcv")
    folder = export_unzipped(sample, "stardict", open_folder)

    for query, expected in SEARCHES.items():
        with subtests.test(query):
            answer = run(sdcv, "-2", str(folder), "-n", "-e", "--utf8-input", "--utf8-output", query)

            assert [text for text in expected if text not in answer] == []


def test_wn_finds_no_fault(sample: Database, tmp_path: Path) -> None:
    export(sample, "wn-lmf", tmp_path / "wn.xml")

    lexicons = lmf.load(tmp_path / "wn.xml", progress_handler=None)["lexicons"]
    found = {
        (lexicon["id"], code): list(report["items"])
        for lexicon in lexicons
        for code, report in validate(lexicon, progress_handler=None).items()
        if report["items"]
    }

    assert found == {}
    assert {"abhidhan-as", "abhidhan-en"} <= {lexicon["id"] for lexicon in lexicons}


def test_cldf_finds_the_data_set_valid(sample: Database, tmp_path: Path) -> None:
    folder = export_unzipped(sample, "cldf", tmp_path)

    data = pycldf.Dataset.from_metadata(folder / "Dictionary-metadata.json")

    assert data.validate()
    assert "পানী" in {row["Headword"] for row in data["EntryTable"]}


HEAR: Final = """
import os, sys
from anki.collection import Collection, ImportAnkiPackageOptions, ImportAnkiPackageRequest

collection = Collection(sys.argv[1])
collection.import_anki_package(ImportAnkiPackageRequest(package_path=sys.argv[2], options=ImportAnkiPackageOptions()))
(number,) = collection.find_cards("")
rendered = collection.get_card(number)
print(*(each.filename for each in rendered.answer_av_tags()), *(each.filename for each in rendered.question_av_tags()))
print(*os.listdir(collection.media.dir()))
collection.close()
"""
"""Tells what Anki plays with the answer of a card and with its question, and what files it has taken."""


@pytest.mark.thorough
def test_anki_plays_a_recording_with_the_answer_only(tmp_path: Path) -> None:
    python = anki_python()
    cards = CardSetRecord("test", "one", "One", "as", "en", None, (CardRecord("পানী", "water"),))
    sounds = {SpokenText("as", "পানী"): [DeckRecording("abhidhan-7.mp3", partial(encode_recording, "MP3"))]}
    write_decks([cards], {}, 1_700_000_000, tmp_path / "cards.apkg", lambda _: sounds)

    output = run(python, "-c", HEAR, str(tmp_path / "collection.anki2"), str(tmp_path / "cards.apkg"))

    assert output.split() == ["abhidhan-7.mp3", "abhidhan-7.mp3"]


@pytest.mark.thorough
def test_anki_imports_the_cards_without_duplicates(sample: Database, tmp_path: Path) -> None:
    python = anki_python()
    export(sample, "anki", tmp_path / "cards.apkg")

    counts = run(python, "-c", IMPORT_TWICE, str(tmp_path / "collection.anki2"), str(tmp_path / "cards.apkg"))

    assert counts.split() == ["7", "7", "7", "7"]
