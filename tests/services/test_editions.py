"""The downloads of the last days, kept as editions: their files, their room, and what is removed from them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from abhidhan.errors import NotFoundError
from abhidhan.media.made_store import MadeStore
from abhidhan.services.exchange import editions
from abhidhan.services.exchange.download_files import Downloads
from abhidhan.services.exchange.downloads import make_downloads, read_downloads
from abhidhan.services.exchange.edition_lists import EDITIONS
from abhidhan.storage.engine.database import Database
from tests.support.databases import SqliteDatabases, opened, with_sample
from tests.support.made import content_in_edition as content
from tests.support.made import file_of, offered, read_editions
from tests.support.sample import NOW

DAY = 86_400
BECAUSE = "Removed at the request of the rights holder."


@pytest.fixture
def sample(sqlite_databases: SqliteDatabases) -> Iterator[Database]:
    """Open the sample for a test that changes it."""
    with opened(sqlite_databases, with_sample) as database:
        yield database


def make(database: Database, folder: Path, *, day: float = 0, kept: int = 12) -> Downloads:
    return make_downloads(
        database, MadeStore(folder), now=NOW + int(day * DAY), formats=("csv", "jsonl.gz"), languages=("as",), kept=kept
    )


def pronounce(database: Database, text: str) -> None:
    """Change a word, so that files are others."""
    database.write_now(lambda connection: connection.exec_driver_sql("UPDATE word SET ipa = ? WHERE id = 1", (text,)))


def names(folder: Path) -> list[str]:
    return [one.name for one in read_editions(folder)]


def inode(file: Path) -> int:
    return file.stat().st_ino


def test_each_edition_stays_as_it_was_and_the_oldest_goes(sample: Database, tmp_path: Path) -> None:
    kept: dict[str, bytes] = {}
    for day, text in enumerate(("one", "two", "three")):
        pronounce(sample, text)
        make(sample, tmp_path, day=day, kept=2)
        newest = names(tmp_path)[0]
        kept[newest] = content(tmp_path, newest, "abhidhan.csv")

    assert len(names(tmp_path)) == 2
    assert len(set(kept.values())) == 3
    for name in names(tmp_path):
        assert content(tmp_path, name, "abhidhan.csv") == kept[name]
    gone = min(kept)
    assert gone not in names(tmp_path)
    with pytest.raises(NotFoundError):
        content(tmp_path, gone, "abhidhan.csv")


def test_two_editions_of_a_day_have_two_names_and_the_same_bytes_are_no_new_edition(
    sample: Database, tmp_path: Path
) -> None:
    make(sample, tmp_path)
    make(sample, tmp_path)
    sample.write_now(lambda _: None)
    make(sample, tmp_path, day=1)
    (first,) = names(tmp_path)
    pronounce(sample, "other")
    make(sample, tmp_path)

    assert names(tmp_path) == [f"{first}-2", first]


def test_a_file_that_has_not_changed_takes_no_room_again(sample: Database, tmp_path: Path) -> None:
    make(sample, tmp_path)
    assert editions.bytes_beside(MadeStore(tmp_path), read_downloads(MadeStore(tmp_path))) == 0
    sums = {one.file: one.sha256 for one in read_editions(tmp_path)[0].files}
    # Another language has words; the files of Assamese stay the same bytes.
    make_downloads(sample, MadeStore(tmp_path), now=NOW + DAY, formats=("csv",), languages=("as",), kept=12)

    newer, older = read_editions(tmp_path)
    same = [one.file for one in newer.files if sums.get(one.file) == one.sha256]
    assert same
    for file in same:
        here = file_of(tmp_path, newer, file)
        assert inode(here) == inode(file_of(tmp_path, older, file)) == inode(offered(tmp_path) / file)


def test_an_older_file_that_the_disk_has_spoiled_is_not_taken_for_the_same(sample: Database, tmp_path: Path) -> None:
    make(sample, tmp_path)
    (first,) = read_editions(tmp_path)
    spoiled = file_of(tmp_path, first, "abhidhan.csv")
    whole = spoiled.read_bytes()
    spoiled.unlink()
    spoiled.write_bytes(b"spoiled")
    make_downloads(sample, MadeStore(tmp_path), now=NOW + DAY, formats=("csv",), kept=12)

    assert content(tmp_path, names(tmp_path)[0], "abhidhan.csv") == whole


def test_where_files_cannot_have_two_names_they_are_copied(
    sample: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    make(sample, tmp_path)
    (edition,) = read_editions(tmp_path)

    file = file_of(tmp_path, edition, "abhidhan.csv")
    assert file.read_bytes() == (offered(tmp_path) / "abhidhan.csv").read_bytes()
    assert inode(file) != inode(offered(tmp_path) / "abhidhan.csv")


def test_what_a_crash_left_is_no_edition_and_goes_the_next_time(sample: Database, tmp_path: Path) -> None:
    make(sample, tmp_path)
    house = tmp_path / EDITIONS
    (first,) = read_editions(tmp_path)
    (house / "2026-01-01").mkdir()
    (house / "2026-01-01" / "abhidhan.csv").write_text("half")
    (house / first.name / "abhidhan-half.csv").write_text("half")
    assert names(tmp_path) == [first.name]
    pronounce(sample, "other")
    make(sample, tmp_path, day=1)

    assert sorted(path.name for path in house.iterdir()) == sorted(names(tmp_path))
    assert not (house / first.name / "abhidhan-half.csv").exists()


def test_where_the_disk_has_little_room_left_the_oldest_editions_go_earlier_but_never_the_newest(
    sample: Database, tmp_path: Path
) -> None:
    for day, text in enumerate(("one", "two", "three")):
        pronounce(sample, text)
        made = make(sample, tmp_path, day=day)
    newest = names(tmp_path)[0]
    size = sum(one.size for one in made.files)
    left = iter((2 * size - 1, 2 * size))
    editions.keep(MadeStore(tmp_path), made, 12, free=lambda _: next(left))
    assert len(names(tmp_path)) == 2
    editions.keep(MadeStore(tmp_path), made, 12, free=lambda _: 0)

    assert names(tmp_path) == [newest]


def test_a_folder_whose_list_is_damaged_is_no_edition_and_its_name_is_not_given_again(
    sample: Database, tmp_path: Path
) -> None:
    make(sample, tmp_path)
    (name,) = names(tmp_path)
    (tmp_path / EDITIONS / name / "downloads.json").write_text("{")
    (tmp_path / EDITIONS / "2020-01-01").write_text("a file, and no folder")
    assert names(tmp_path) == []
    pronounce(sample, "other")
    make(sample, tmp_path, day=0.01)

    assert names(tmp_path) == [f"{name}-2"]


def test_with_none_kept_there_are_none(sample: Database, tmp_path: Path) -> None:
    make(sample, tmp_path)
    make(sample, tmp_path, kept=0)

    assert names(tmp_path) == []
    assert not list((tmp_path / EDITIONS).iterdir())
