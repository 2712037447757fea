"""The lists for Hunspell: what they accept is what the dictionary has, its forms by rule among them."""

import zipfile
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

import pytest

from abhidhan.exchange.model import ExportSelection
from abhidhan.exchange.service.exporting import build_export_source, export
from abhidhan.exchange.service.importing import import_records
from abhidhan.formats import hunspell
from abhidhan.formats.hunspell import split_words
from abhidhan.formats.writers.vocabulary_forms import Vocabulary
from abhidhan.platform.database.database import Database
from abhidhan.records.import_records import LocatedRecord
from abhidhan.records.kinds import FormsRecord, IdeaRecord, LanguageRecord, Record, SourceRecord, WordRecord
from tests.support.databases import SqliteDatabases, leave_empty, load_sample, open_database
from tests.support.programs import find_program, run
from tests.support.sample import NOW

ENGLISH = LanguageRecord(0, "en", "eng", "English", "English", "Latn")
SOURCE = SourceRecord("s", "S", "CC0-1.0")


@pytest.fixture(scope="module")
def sample(sqlite_databases: SqliteDatabases) -> Database:
    """Open the sample for all tests of this file."""
    return Database(sqlite_databases.copy(load_sample))


def export_unzipped(database: Database, folder: Path) -> Path:
    """Export the lists, and unpack them."""
    export(database, "hunspell", folder / "lists.zip")
    with zipfile.ZipFile(folder / "lists.zip") as packed:
        packed.extractall(folder)
    return folder


def spelled(database: Database, folder: Path) -> dict[str, set[str]]:
    """List the words of each language that have to be accepted: all spellings, and all forms."""
    with (
        database.snapshot() as reader,
        Vocabulary(build_export_source(reader, ExportSelection()), folder) as vocabulary,
    ):
        return {
            code: {
                spelled
                for word in words
                for text in (word.text, *word.stored_forms, *(cell.form for cell in word.cells))
                for spelled in split_words(text)
            }
            for code, words in groupby(vocabulary, key=lambda word: word.language)
        }


def expand_list(folder: Path, code: str) -> Iterator[str]:
    """Read a list as hunspell(5) says: each word, and with each of its endings."""
    rules: dict[str, list[tuple[str, str]]] = {}
    for line in (folder / f"{code}.aff").read_text("utf-8").splitlines():
        fields = line.split()
        if fields[0] == "SFX" and len(fields) > 4:
            assert fields[4] == "."
            rules.setdefault(fields[1], []).append((fields[2].strip("0"), fields[3].strip("0")))
    count, *lines = (folder / f"{code}.dic").read_text("utf-8").splitlines()
    assert len(lines) == int(count)
    for line in lines:
        word, _, flags = line.partition("/")
        yield word
        for instead_of, ending in (rule for flag in filter(None, flags.split(",")) for rule in rules[flag]):
            assert word.endswith(instead_of)
            yield word.removesuffix(instead_of) + ending


def test_a_list_accepts_exactly_the_words_and_forms_of_the_dictionary(sample: Database, tmp_path: Path) -> None:
    folder = export_unzipped(sample, tmp_path)

    wanted = spelled(sample, tmp_path)
    assert {"as", "en", "bn"} <= set(wanted)
    assert {"পানী", "পানীৰ", "ক’লা", "হাতীবোৰক"} <= wanted["as"]
    assert {code: set(expand_list(folder, code)) for code in wanted} == wanted


def test_forms_with_another_beginning_are_suffixes_of_the_first_of_them(
    sqlite_databases: SqliteDatabases, tmp_path: Path
) -> None:
    assamese = LanguageRecord(0, "as", "asm", "Assamese", "অসমীয়া", "Beng")
    with open_database(sqlite_databases, load_sample) as database:
        load(database, [assamese, SOURCE, IdeaRecord("s", "do", "Transitive", (WordRecord("as", "শিকোৱা"),))])
        folder = export_unzipped(database, tmp_path)

    assert {"শিকাওঁ", "শিকাব", "নিশিকাওঁ", "নিশিকায়"} <= set(expand_list(folder, "as"))
    listed = [line.partition("/")[0] for line in (folder / "as.dic").read_text("utf-8").splitlines()]
    assert "নিশিকাওঁ" in listed
    assert "নিশিকায়" not in listed


def load(database: Database, records: Sequence[Record]) -> None:
    loaded = import_records(database, [LocatedRecord("a", number, one) for number, one in enumerate(records)], now=NOW)
    assert not loaded.errors


def test_entries_are_split_into_the_words_a_checker_sees(sqlite_databases: SqliteDatabases, tmp_path: Path) -> None:
    texts = ["ice-cream van", "and/or", "don't", "R2 (robot)", "1,000", "x" * 90, "e\u0301te\u0301"]
    ideas = [IdeaRecord("s", text[:20], None, (WordRecord("en", text),)) for text in texts]
    forms = FormsRecord("en", "ice-cream van", (("ice-cream vans", "N;PL"),))
    with open_database(sqlite_databases, leave_empty) as database:
        load(database, [ENGLISH, SOURCE, *ideas, forms])
        folder = export_unzipped(database, tmp_path)

    assert set(expand_list(folder, "en")) == {"ice-cream", "van", "vans", "and", "or", "don’t", "R2", "robot", "été"}
    options = (folder / "en.aff").read_text("utf-8").splitlines()
    assert "WORDCHARS '-012’" in options
    assert "ICONV ' ’" in options
    assert "OCONV ’ '" in options


def test_forms_beyond_the_number_of_flags_are_listed_separately(
    sample: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hunspell, "MAX_FLAGS", 3)
    folder = export_unzipped(sample, tmp_path)

    assert set(expand_list(folder, "as")) == spelled(sample, tmp_path)["as"]


@pytest.mark.thorough
def test_hunspell_accepts_all_words_and_rejects_misspellings(sample: Database, tmp_path: Path) -> None:
    checker = find_program("hunspell", "hunspell")
    folder = export_unzipped(sample, tmp_path)

    for code, words in spelled(sample, tmp_path).items():
        wrong = {word + word[-1] * 2 for word in words} - words
        named = (checker, "-i", "UTF-8", "-l", "-d", str(folder / code))
        assert run(*named, input_text="\n".join(sorted(words))) == "", code
        assert set(run(*named, input_text="\n".join(sorted(wrong))).split()) == wrong, code


@pytest.mark.thorough
def test_hunspell_accepts_any_apostrophe_and_suggests_words(sample: Database, tmp_path: Path) -> None:
    checker = find_program("hunspell", "hunspell")
    folder = export_unzipped(sample, tmp_path)

    typed = "ক'লা ক’লা অসমী\u09df\u09be অসমী\u09af\u09bc\u09be"
    assert run(checker, "-i", "UTF-8", "-l", "-d", str(folder / "as"), input_text=typed) == ""
    offered = run(checker, "-i", "UTF-8", "-a", "-d", str(folder / "as"), input_text="পানি")
    assert "পানী" in offered
