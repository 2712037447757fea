"""The archive for Yomitan, read by a small reader of our own after the format's specification.

No program with a permissive licence reads it outside a browser; its schemas, of another project, decide what is valid.
"""

import json
import zipfile
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from abhidhan.exchange.service import exporting
from abhidhan.exchange.service.exporting import export
from abhidhan.formats.writers import yomitan
from abhidhan.platform.database.database import Database
from tests.support.databases import SqliteDatabases, load_sample
from tests.support.schemas import find_schema

KINDS = {
    "index": "dictionary-index-schema.json",
    "tag_bank": "dictionary-tag-bank-v3-schema.json",
    "term_bank": "dictionary-term-bank-v3-schema.json",
    "term_meta_bank": "dictionary-term-meta-bank-v3-schema.json",
}


@pytest.fixture(scope="module")
def sample(sqlite_databases: SqliteDatabases) -> Database:
    """Open the sample for all tests of this file."""
    return Database(sqlite_databases.copy(load_sample))


def archive(database: Database, folder: Path, **choice: list[str]) -> dict[str, Any]:
    """Export an archive, and read its files, by their names without endings."""
    catalogue = database.read_now(lambda reader: reader.catalogue)
    export(database, "yomitan", folder / "y.zip", exporting.build_selection(catalogue, **choice))
    with zipfile.ZipFile(folder / "y.zip") as packed:
        names = [name for name in packed.namelist() if name.endswith(".json")]
        return {name.removesuffix(".json"): json.loads(packed.read(name)) for name in names}


def rows(files: dict[str, Any], kind: str) -> list[Any]:
    """Put the banks of a kind together, which are numbered from 1."""
    banks = [name for name in files if name.rpartition("_")[0] == kind]
    assert sorted(banks) == sorted(f"{kind}_{number}" for number in range(1, len(banks) + 1))
    return [row for number in range(1, len(banks) + 1) for row in files[f"{kind}_{number}"]]


def text_of(content: str | list[Any] | dict[str, Any]) -> str:
    """Read structured content as a browser shows it."""
    if isinstance(content, list):
        return "".join(map(text_of, content))
    return content if isinstance(content, str) else text_of(content.get("content", ""))


def look_up(files: dict[str, Any], typed: str) -> list[tuple[str, str]]:
    """Look a word up as Yomitan does: by spelling and reading, and what it is a form of; with what is shown."""
    shown = []
    for term, reading, _, _, _, glossary, _, _ in rows(files, "term_bank"):
        if typed not in {term, reading}:
            continue
        for each in glossary:
            if isinstance(each, list):
                shown += look_up(files, each[0])
            else:
                shown.append((term, text_of(each["content"])))
    return shown


def test_a_word_is_found_by_spelling_romanization_and_form(sample: Database, tmp_path: Path) -> None:
    files = archive(sample, tmp_path, languages=["as"], extra_languages=["en"])

    for query in ("পানী", "pa.ni", "পানীৰ"):
        term, shown = look_up(files, query)[0]
        assert term == "পানী", query
        assert "English: water" in shown
        assert "Hindi" not in shown


def test_tags_are_in_the_tag_bank_and_meanings_of_a_word_share_a_number(sample: Database, tmp_path: Path) -> None:
    files = archive(sample, tmp_path)

    terms, tags = rows(files, "term_bank"), {row[0]: row for row in rows(files, "tag_bank")}
    used = {tag for row in terms for tag in (row[2] + " " + row[7]).split()}
    assert {"Material-Noun", "form", "Assamese"} <= used <= set(tags)
    assert tags["Material-Noun"][3] == "Material Noun"
    numbers = {row[6] for row in terms if row[0] == "পানী" and row[7] == "Assamese"}
    assert len(numbers) == 1
    assert "sourceLanguage" not in files["index"]


def test_an_archive_of_a_language_has_its_index_and_frequencies_of_readings(sample: Database, tmp_path: Path) -> None:
    files = archive(sample, tmp_path, languages=["as"])

    index = files["index"]
    assert (index["title"], index["format"], index["sourceLanguage"]) == ("Abhidhan: Assamese", 3, "as")
    assert "Apache-2.0" in index["attribution"]
    assert all(part.isdigit() for part in index["revision"].split("."))

    common = next(row for row in rows(files, "term_meta_bank") if row[0] == "পানী" and row[1] == "freq")
    assert common[2]["reading"] == "pa.ni"
    assert common[2]["frequency"]["value"] > 1


def test_the_files_of_an_archive_are_split_and_valid_by_the_schemas(
    sample: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    schemas = find_schema("yomitan")
    monkeypatch.setattr(yomitan, "MAX_BANK_ROWS", 500)
    files = archive(sample, tmp_path)

    assert "term_bank_2" in files
    validators = {
        kind: jsonschema_rs.validator_for(json.loads((schemas / name).read_text("utf-8")))
        for kind, name in KINDS.items()
    }
    for name, content in files.items():
        kind = name.rstrip("0123456789").rstrip("_")
        assert [str(error)[:500] for error in validators[kind].iter_errors(content)] == [], name
