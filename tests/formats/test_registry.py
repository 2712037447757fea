"""The table of formats: its functions are there, and nothing imports them before a file is read or written."""

import subprocess
import sys

import pytest

from abhidhan.formats.registry import DOWNLOAD_FORMATS, EXPORTERS, IMPORTERS, LANGUAGE_DOWNLOAD_FORMATS

WITHOUT_FUNCTION = {"recordings", "sqlite"}
"""Formats that services read and write themselves."""


def test_every_function_of_the_table_exists() -> None:
    for name in IMPORTERS.keys() - WITHOUT_FUNCTION:
        assert callable(IMPORTERS[name].read)
    for name in EXPORTERS.keys() - WITHOUT_FUNCTION:
        assert callable(EXPORTERS[name].write)
    for name in ("cldf", "lift"):
        assert callable(IMPORTERS[name].read_recordings)


def test_download_names_are_stable() -> None:
    assert set(LANGUAGE_DOWNLOAD_FORMATS) <= set(DOWNLOAD_FORMATS)
    assert {EXPORTERS[name].download for name in DOWNLOAD_FORMATS} == {
        *("abhidhan.jsonl.gz", "abhidhan.csv", "abhidhan.xlsx", "abhidhan-stardict.zip", "abhidhan-dsl.zip"),
        *("abhidhan-yomitan.zip", "abhidhan.zim", "abhidhan.tei.xml", "abhidhan-wn.xml", "abhidhan.ttl.gz"),
        *("abhidhan-cldf.zip", "abhidhan-lift.zip", "abhidhan-hunspell.zip", "abhidhan-frequencies.zip"),
        *("abhidhan.apkg", "abhidhan.sqlite3"),
    }


@pytest.mark.thorough
def test_a_server_starts_without_readers_and_writers() -> None:
    code = "import sys; import abhidhan.app.asgi; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603

    functions = [each.function for table in (IMPORTERS, EXPORTERS) for each in table.values() if each.function]
    modules = {f"abhidhan.formats.{function.partition(':')[0]}" for function in functions}
    assert not modules & {*done.stdout.split()}
