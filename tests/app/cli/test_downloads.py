from pathlib import Path

import pytest

from abhidhan.platform.database.database import Database
from abhidhan.platform.sandbox.artifact_store import ArtifactStore
from abhidhan.publishing.service.downloads import generate_downloads
from tests.support.databases import create_from_sample
from tests.support.published_downloads import make_old_edition
from tests.support.sample import NOW
from tests.support.server import run_command

pytestmark = pytest.mark.thorough

BECAUSE = "Removed at the request of the rights holder."
TEXT = "a clear liquid"
SMALL = {"ABHIDHAN_PACKS": "none", "ABHIDHAN_DOWNLOADS_LANGUAGES": "none"}


def test_a_text_is_removed_from_the_files_and_from_old_editions_which_the_command_names(tmp_path: Path) -> None:
    create_from_sample(tmp_path)
    folder = tmp_path / "downloads"
    with Database(f"sqlite:///{tmp_path}/dictionary.sqlite3") as database:
        for day, text in enumerate(("a liquid", TEXT, "a liquid")):
            change = "UPDATE definition SET text = ? WHERE id = 1"
            database.write_now(lambda connection: connection.exec_driver_sql(change, (text,)))  # noqa: B023
            if day < 2:
                generate_downloads(database, ArtifactStore(folder), now=NOW + day, formats=("jsonl",))
                make_old_edition(folder, f"2026-09-2{day}")

    before = run_command(tmp_path, "downloads", "list", **SMALL)
    removed = run_command(tmp_path, "downloads", "remove", "--holding", TEXT, "--reason", BECAUSE, **SMALL)
    listed = run_command(tmp_path, "downloads", "list", **SMALL)

    assert (removed.returncode, "created again without it" in removed.stdout) == (0, True)
    assert "The old edition 2026-09-21 was deleted" in removed.stderr
    assert before.stdout == "Nothing was removed.\n"
    assert BECAUSE in listed.stdout
    assert "  2026-09-21/abhidhan.jsonl.gz\n" in listed.stdout
    for said in (removed, listed):
        assert "are left on the disk and are no longer offered: 2026-09-20." in said.stderr
