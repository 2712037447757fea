"""What goes from editions: texts that may not be offered any more, files by their names, recordings taken back."""

import asyncio
import csv
import gzip
import hashlib
import io
import zipfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pycldf
import pytest

from abhidhan.errors import AbhidhanError, ConflictError, GoneError, InputError, NotFoundError, UnwritableError
from abhidhan.formats.jsonl import read_jsonl
from abhidhan.media.made_store import MadeStore
from abhidhan.services.exchange import (
    edition_lists,
    edition_removal,
    edition_requests,
    editions,
    made_together,
    recording_exports,
    voices,
)
from abhidhan.services.exchange.downloads import LEASE, DownloadFiles, OpenedDownload, make_downloads
from abhidhan.services.exchange.edition_lists import (
    EDITIONS,
    Edition,
    Notice,
    Why,
    place_of,
)
from abhidhan.services.exchange.edition_requests import Wanted, is_offered
from abhidhan.services.exchange.exporting import digest_of
from abhidhan.services.exchange.importing import import_records
from abhidhan.services.exchange.recording_cuts import recordings_in
from abhidhan.storage.engine.database import Database
from tests.support.databases import SqliteDatabases, nothing, opened, with_sample
from tests.support.disk import full_disk
from tests.support.made import (
    ADDRESS,
    NOWHERE,
    file_of,
    offered,
    read_edition,
    read_editions,
    remove_from_editions,
)
from tests.support.made import content_in_edition as content
from tests.support.object_store import KEYS, running_s3
from tests.support.sample import NOW
from tests.support.speaking import Speaking, a_word, an_example, speaking

DAY = 86_400
BECAUSE = "Removed at the request of the rights holder."
FORMATS = ("csv", "jsonl.gz", "tei")
ROOM = 6_000
EXAMPLE = "মই পানী খাওঁ।"


@pytest.fixture
def sample(sqlite_databases: SqliteDatabases) -> Iterator[Database]:
    """Open the sample for a test that changes it."""
    with opened(sqlite_databases, with_sample) as database:
        yield database


@pytest.fixture
def site(sample: Database, tmp_path: Path) -> Iterator[Speaking]:
    """Let people say words."""
    with speaking(sample, tmp_path / "home") as site:
        yield site


@pytest.fixture
def folder(sample: Database, tmp_path: Path) -> Path:
    """Keep two editions; in the older one a word is pronounced as nobody may say any more."""
    for day, text in enumerate(("forbidden", "allowed")):
        pronounce(sample, text)
        make_downloads(sample, MadeStore(tmp_path), now=NOW + day * DAY, formats=FORMATS, kept=12)
    return tmp_path


def pronounce(database: Database, text: str) -> None:
    """Change a word, so that files are others."""
    database.write_now(lambda connection: connection.exec_driver_sql("UPDATE word SET ipa = ? WHERE id = 1", (text,)))


def on_disk(folder: Path, edition: Edition) -> set[str]:
    return {path.name for path in (folder / EDITIONS / edition.name).iterdir()}


def hold_to_their_checksums(folder: Path) -> None:
    for edition in read_editions(folder):
        for one in edition.files:
            assert digest_of(file_of(folder, edition, one.file)) == one.sha256
            assert file_of(folder, edition, one.file).stat().st_size == one.size


# --- a text that may not be offered any more ----------------------------------------------------------------------


def test_records_with_a_text_go_from_the_editions_that_have_it_which_say_why(folder: Path) -> None:
    clean, unclean = read_editions(folder)
    lines = gzip.decompress(content(folder, unclean.name, "abhidhan.jsonl.gz")).splitlines()
    rows = content(folder, unclean.name, "abhidhan.csv").decode("utf-8-sig").splitlines()

    (left,) = remove_from_editions(folder, Wanted(holding="forbidden", reason=BECAUSE), NOW + 2 * DAY)

    assert (read_edition(folder, clean.name), read_edition(folder, unclean.name)) == (clean, left)
    assert [one.format for one in left.files] == ["csv", "jsonl.gz"]
    assert (left.gone, left.rewritten, left.changed) == (1, 2, NOW + 2 * DAY)
    assert {(one.file, one.sha256, one.reason) for one in left.removed} == {
        (one.file, one.sha256, BECAUSE) for one in unclean.files
    }
    fewer = gzip.decompress(content(folder, unclean.name, "abhidhan.jsonl.gz")).splitlines()
    gone = [line for line in lines if line not in fewer]
    assert [b"forbidden" in line for line in gone] == [True]
    table = content(folder, unclean.name, "abhidhan.csv").decode("utf-8-sig").splitlines()
    assert "forbidden" not in "".join(table)
    assert set(table) < set(rows)
    hold_to_their_checksums(folder)
    sums = content(folder, unclean.name, "SHA256SUMS").decode()
    assert sums == "".join(f"{one.sha256}  {one.file}\n" for one in left.files)
    with pytest.raises(GoneError):
        content(folder, unclean.name, unclean.files[-1].file)
    assert on_disk(folder, left) == {"downloads.json", "voices.json", *(one.file for one in left.files)}
    assert remove_from_editions(folder, Wanted(holding="forbidden", reason=BECAUSE), NOW) == []


def test_the_rows_of_an_idea_go_with_it_also_those_that_do_not_have_the_text(folder: Path) -> None:
    _, unclean = read_editions(folder)
    before = list(csv.DictReader(io.StringIO(content(folder, unclean.name, "abhidhan.csv").decode("utf-8-sig"))))
    ideas = {row["key"] for row in before if "forbidden" in row.values()}
    assert sum(row["key"] in ideas for row in before) > len(ideas)

    remove_from_editions(folder, Wanted(holding="forbidden", reason=BECAUSE), NOW)

    after = list(csv.DictReader(io.StringIO(content(folder, unclean.name, "abhidhan.csv").decode("utf-8-sig"))))
    assert after == [row for row in before if row["key"] not in ideas]


def test_what_is_left_can_be_imported(sqlite_databases: SqliteDatabases, folder: Path) -> None:
    _, unclean = read_editions(folder)
    remove_from_editions(folder, Wanted(holding="forbidden", reason=BECAUSE), NOW)
    packed = content(folder, unclean.name, "abhidhan.jsonl.gz")

    with opened(sqlite_databases, nothing) as other:
        loaded = import_records(other, read_jsonl(io.BytesIO(gzip.decompress(packed)), "records"), now=NOW)
    assert {fault.detail.partition(": ")[0] for fault in loaded.faults} == {
        "The idea is related to one that does not exist"
    }


def test_a_text_of_what_other_records_name_takes_all_files_and_the_name_of_the_source(folder: Path) -> None:
    named = read_editions(folder)[0].sources[0].name

    remove_from_editions(folder, Wanted(holding=named, reason=BECAUSE), NOW)

    for edition in read_editions(folder):
        assert edition.files == ()
        assert named not in {one.name for one in edition.sources}
        assert named not in content(folder, edition.name, "LICENCES.txt").decode()


@pytest.mark.parametrize("text", ["definitions", "no such text", "record"])
def test_what_only_the_names_of_fields_have_is_nowhere(folder: Path, text: str) -> None:
    assert remove_from_editions(folder, Wanted(holding=text, reason=BECAUSE), NOW) == []


def test_an_edition_whose_records_are_damaged_counts_as_having_the_text(folder: Path) -> None:
    newest, _ = read_editions(folder)
    records = file_of(folder, newest, "abhidhan.jsonl.gz")
    records.write_bytes(records.read_bytes()[:-20])

    (left,) = remove_from_editions(folder, Wanted(holding="no such text", reason=BECAUSE), NOW)

    assert (left.name, left.files) == (newest.name, ())


def test_where_the_disk_is_full_whole_files_go(folder: Path) -> None:
    with full_disk(ROOM):
        (left,) = remove_from_editions(folder, Wanted(holding="forbidden", reason=BECAUSE), NOW)

    assert "abhidhan.jsonl.gz" not in {one.file for one in left.files}
    assert all(one.size < ROOM for one in left.files)
    hold_to_their_checksums(folder)


def test_where_not_even_the_list_has_room_the_bytes_go_all_the_same(folder: Path) -> None:
    _, unclean = read_editions(folder)
    with full_disk(100), pytest.raises(AbhidhanError):
        remove_from_editions(folder, Wanted(holding="forbidden", reason=BECAUSE), NOW)

    assert on_disk(folder, unclean) == {"downloads.json", "voices.json"}
    (left,) = remove_from_editions(folder, Wanted(holding="forbidden", reason=BECAUSE), NOW)
    assert left.files == ()


def test_a_crash_between_two_steps_leaves_too_little_and_never_too_much(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise UnwritableError("A disk that must not be written.")

    _, unclean = read_editions(folder)
    with monkeypatch.context() as patched:
        patched.setattr(MadeStore, "take", refuse)
        with pytest.raises(AbhidhanError):
            remove_from_editions(folder, Wanted(holding="forbidden", reason=BECAUSE), NOW)

    left = read_edition(folder, unclean.name)
    assert left is not None
    assert (left.files, len(left.removed)) == ((), len(unclean.files))
    assert on_disk(folder, unclean) == {"downloads.json", "voices.json"}


def test_who_opens_a_file_while_it_is_made_again_gets_the_bytes_that_its_list_tells(
    folder: Path,
) -> None:
    _, unclean = read_editions(folder)
    files = DownloadFiles(MadeStore(folder))

    async def read(found: OpenedDownload) -> bytes:
        return b"".join([piece async for piece in await files.pieces(found, 0, found.size)])

    async def read_meanwhile() -> tuple[OpenedDownload, bytes]:
        before = await files.find_in_edition(unclean.name, "abhidhan.csv", ADDRESS)
        assert b"forbidden" in await read(before)
        remove_from_editions(folder, Wanted(holding="forbidden", reason=BECAUSE), NOW + DAY)
        with pytest.raises(FileNotFoundError):
            await read(before)
        after = await files.find_in_edition(unclean.name, "abhidhan.csv", ADDRESS)
        return after, await read(after)

    found, body = asyncio.run(read_meanwhile())
    assert (hashlib.sha256(body).hexdigest(), len(body)) == (found.sha256, found.size)
    assert b"forbidden" not in body
    assert found.made == NOW + DAY, "and is no older than when it was made again"


def test_files_that_are_offered_are_asked_for_a_text_too(folder: Path, tmp_path: Path) -> None:
    assert is_offered(MadeStore(folder), "allowed")
    assert not is_offered(MadeStore(folder), "forbidden")
    assert not is_offered(MadeStore(tmp_path / "elsewhere"), "allowed")


# --- files by their names -----------------------------------------------------------------------------------------


def test_an_edition_whose_files_were_removed_is_not_kept_anew_from_those_offered(
    sample: Database, folder: Path
) -> None:
    newest, older = read_editions(folder)
    remove_from_editions(folder, Wanted((newest.name,), files=("abhidhan.csv",), reason=BECAUSE), NOW)
    remove_from_editions(folder, Wanted(holding="allowed", reason=BECAUSE), NOW)
    sample.write_now(lambda _: None)
    make_downloads(sample, MadeStore(folder), now=NOW + 2 * DAY, formats=FORMATS, kept=12)

    assert [one.name for one in read_editions(folder)] == [newest.name, older.name]
    assert "abhidhan.csv" not in content(folder, newest.name, "SHA256SUMS").decode()


def test_the_bytes_of_a_removed_file_go_from_all_editions_that_have_them(sample: Database, folder: Path) -> None:
    make_downloads(sample, MadeStore(folder), now=NOW + 2 * DAY, formats=("csv",), kept=12)
    newest, same, other = read_editions(folder)

    changed = remove_from_editions(folder, Wanted((newest.name,), files=("abhidhan.csv",), reason=BECAUSE), NOW)

    assert [one.name for one in changed] == [newest.name, same.name]
    assert all([one.file for one in edition.removed] == ["abhidhan.csv"] for edition in changed)
    assert read_edition(folder, other.name) == other
    with pytest.raises(NotFoundError, match="has no file"):
        remove_from_editions(folder, Wanted((newest.name,), files=("abhidhan.pdf",), reason=BECAUSE), NOW)


@pytest.mark.parametrize(
    ("wanted", "error"),
    [
        (Wanted(reason=BECAUSE), InputError),
        (Wanted(holding=" ", reason=BECAUSE), InputError),
        (Wanted(("2026-01-01",), reason=BECAUSE), NotFoundError),
        (Wanted(("../current",), reason=BECAUSE), NotFoundError),
        (Wanted(holding="x", reason=" "), InputError),
        (Wanted(holding="x", reason="two\nlines"), InputError),
    ],
)
def test_what_cannot_be_removed_is_told(tmp_path: Path, wanted: Wanted, error: type[Exception]) -> None:
    with pytest.raises(error):
        remove_from_editions(tmp_path, wanted, NOW)


def test_nothing_is_removed_while_files_are_made(tmp_path: Path) -> None:
    with (
        Database(NOWHERE) as database,
        made_together.made_alone(database, MadeStore(tmp_path), LEASE),
        pytest.raises(ConflictError),
    ):
        remove_from_editions(tmp_path, Wanted(holding="x", reason=BECAUSE), NOW)


def test_a_removal_that_was_cut_off_offers_nothing_and_is_finished_the_next_time(
    sample: Database, folder: Path
) -> None:
    newest, _ = read_editions(folder)
    file = file_of(folder, newest, "abhidhan.csv")
    edition_removal.remove(MadeStore(folder), newest, [file.name], Notice(NOW, Why.BY_OPERATOR, BECAUSE))
    file.write_text("left by a process that was killed after it had written the list")
    with pytest.raises(GoneError):
        content(folder, newest.name, file.name)
    make_downloads(sample, MadeStore(folder), now=NOW + 2 * DAY, formats=FORMATS, kept=12)

    assert not file.exists()


# --- recordings that were taken back ------------------------------------------------------------------------------


def voiced(site: Speaking, folder: Path, day: int, formats: tuple[str, ...] = ("csv", "cldf", "anki")) -> None:
    make_downloads(
        site.database, MadeStore(folder), now=NOW + day * DAY, formats=formats, hearing=site.hearing(), kept=12
    )


def opened_archive(folder: Path, edition: Edition, file: str) -> zipfile.ZipFile:
    return zipfile.ZipFile(io.BytesIO(content(folder, edition.name, file)))


def test_a_recording_that_was_taken_back_goes_from_all_editions_and_the_others_stay(
    site: Speaking, tmp_path: Path
) -> None:
    folder = tmp_path / "downloads"
    site.say(a_word("কলা"))
    number = site.say(a_word("পানী"))
    site.say(an_example(1, EXAMPLE))
    voiced(site, folder, 0)
    site.say(a_word("জল"))
    voiced(site, folder, 1)
    site.withdraw(number)
    voiced(site, folder, 2)

    newest, *older = read_editions(folder)
    assert not newest.removed
    for edition, said in zip(older, ({1, 3, 4}, {1, 3}), strict=True):
        assert {(one.file, one.why) for one in edition.removed} == {
            (file, Why.TAKEN_BACK) for file in ("abhidhan-cldf.zip", "abhidhan-recordings.zip")
        }
        assert (edition.gone, edition.find("abhidhan.apkg") is not None) == (0, True)
        sounds = opened_archive(folder, edition, "abhidhan-recordings.zip")
        assert set(sounds.namelist()) == {"recordings.csv", *(f"recordings/{one}.mp3" for one in said)}
        assert "পানী," not in sounds.read("recordings.csv").decode()
        assert sounds.read("recordings/1.mp3") == site.body
        assert editions.read_voices(MadeStore(folder), f"{EDITIONS}/{edition.name}") == dict.fromkeys(said, "Anil")
        data = opened_archive(folder, edition, "abhidhan-cldf.zip")
        data.extractall(tmp_path / edition.name)
        described = pycldf.Dataset.from_metadata(tmp_path / edition.name / "Dictionary-metadata.json")
        assert described.validate()
        assert {int(row["ID"]) for row in described["MediaTable"]} == said
        heard = {
            one for table in ("EntryTable", "ExampleTable") for row in described[table] for one in row["Media_IDs"]
        }
        assert heard == {str(one) for one in said}
    hold_to_their_checksums(folder)


def test_what_is_left_of_the_recordings_is_what_would_have_been_written_without_the_others(
    site: Speaking, tmp_path: Path
) -> None:
    folder = tmp_path / "downloads"
    site.say(a_word("কলা"), licence="CC0-1.0", speaker="=Bina; [x]")
    number = site.say(a_word("পানী"))
    voiced(site, folder, 0, ("cldf",))
    site.withdraw(number)
    voiced(site, folder, 1, ("cldf",))

    newest, older = read_editions(folder)
    here, there = (edition.find("abhidhan-recordings.zip") for edition in (newest, older))
    assert here == there
    assert here is not None
    assert here.licences == "CC0-1.0"
    files = [file_of(folder, edition, here.file) for edition in (newest, older)]
    assert files[0].stat().st_ino == files[1].stat().st_ino, "and takes no room again"


def test_without_any_recording_left_the_file_goes_and_a_deck_goes_with_one_of_its_own(
    site: Speaking, tmp_path: Path
) -> None:
    folder = tmp_path / "downloads"
    number = site.say(a_word("হাতী"))
    voiced(site, folder, 0)
    site.withdraw(number)
    voiced(site, folder, 1)

    _, older = read_editions(folder)
    assert [one.file for one in older.files] == ["abhidhan.csv", "abhidhan-cldf.zip"]
    assert opened_archive(folder, older, "abhidhan-cldf.zip").read("media.csv").count(b"\n") == 1


def test_in_an_object_store_recordings_and_texts_go_from_editions_just_so(
    site: Speaking, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running_s3() as address:
        for name, value in {"AWS_ENDPOINT_URL": address, **KEYS}.items():
            monkeypatch.setenv(name, value)
        store = MadeStore("s3://dictionary/downloads")
        number, _ = site.say(a_word("পানী")), site.say(a_word("কলা"), place="Hidden street 5")
        make = partial(make_downloads, site.database, store, formats=("jsonl.gz",), hearing=site.hearing(), kept=12)
        make(now=NOW)
        site.withdraw(number)
        site.say(a_word("জল"))
        make(now=NOW + DAY)
        remove = partial(edition_requests.remove_from_editions, site.database, store, now=NOW + 2 * DAY)
        changed = remove(Wanted(holding="Hidden street", reason=BECAUSE))

        newest, older = edition_lists.read_editions(store)
        assert [one.name for one in changed] == [newest.name, older.name]
        assert ([one.format for one in older.files], older.gone) == (["jsonl.gz"], 1)
        kept = newest.find(recording_exports.FILE)
        assert kept is not None
        body = store.read(place_of(newest, kept.file)) or b""
        assert (hashlib.sha256(body).hexdigest(), len(body)) == (kept.sha256, kept.size)
        assert zipfile.ZipFile(io.BytesIO(body)).namelist() == ["recordings/3.mp3", "recordings.csv"]


def test_every_format_that_has_recordings_loses_one_that_is_taken_back(site: Speaking, tmp_path: Path) -> None:
    folder = tmp_path / "downloads"
    number = site.say(a_word("হাতী"))
    voiced(site, folder, 0, tuple(voices.FORMATS))
    (edition,) = read_editions(folder)
    assert {one.format for one in edition.files} == edition_removal.WITH_VOICES
    for one in edition.files:
        assert recordings_in(one.format, file_of(folder, edition, one.file)) == {number}
    site.withdraw(number)
    voiced(site, folder, 1, tuple(voices.FORMATS))

    _, older = read_editions(folder)
    assert {one.format for one in older.removed} == edition_removal.WITH_VOICES
    assert [one.format for one in older.files] == ["cldf"]


def test_a_speaker_who_has_left_is_named_no_more_in_any_edition(
    sqlite_databases: SqliteDatabases, tmp_path: Path
) -> None:
    folder = tmp_path / "downloads"
    with opened(sqlite_databases, with_sample, spoilt=True) as database, speaking(database, tmp_path / "home") as site:
        site.say(a_word("পানী"), speaker="Bina")
        site.say(a_word("কলা"))
        voiced(site, folder, 0)
        unnamed = "UPDATE recording SET speaker = NULL WHERE speaker = 'Bina'"
        database.write_now(lambda connection: connection.exec_driver_sql(unnamed))
        voiced(site, folder, 1)
        _, older = read_editions(folder)
        voiced(site, folder, 2)

    listed = opened_archive(folder, older, "abhidhan-recordings.zip").read("recordings.csv").decode()
    media = opened_archive(folder, older, "abhidhan-cldf.zip").read("media.csv").decode()
    assert ("Bina" in listed, "Bina" in media) == (False, False)
    assert {row["speaker"] for row in csv.DictReader(io.StringIO(listed))} == {"", "Anil"}
    assert read_edition(folder, older.name) == older


def test_nobody_knows_what_is_in_an_edition_whose_notes_are_damaged_so_its_files_are_held_to_what_is_there(
    site: Speaking, tmp_path: Path
) -> None:
    folder = tmp_path / "downloads"
    number = site.say(a_word("পানী"))
    site.say(a_word("কলা"))
    voiced(site, folder, 0)
    (edition,) = read_editions(folder)
    (folder / EDITIONS / edition.name / "voices.json").write_text("{")
    (offered(folder) / "voices.json").write_text("{")
    site.withdraw(number)
    voiced(site, folder, 1)

    sounds = opened_archive(folder, edition, "abhidhan-recordings.zip")
    assert sounds.namelist() == ["recordings/2.mp3", "recordings.csv"]
    assert editions.read_voices(MadeStore(folder), f"{EDITIONS}/{edition.name}") == {2: "Anil"}


def test_a_text_that_is_told_of_a_recording_goes_with_it(site: Speaking, tmp_path: Path) -> None:
    folder = tmp_path / "downloads"
    site.say(a_word("পানী"), place="Hidden street 5")
    site.say(a_word("কলা"))
    voiced(site, folder, 0, ("jsonl.gz", "cldf"))

    (left,) = remove_from_editions(folder, Wanted(holding="Hidden street", reason=BECAUSE), NOW)

    assert [one.file for one in left.removed] == ["abhidhan-cldf.zip", "abhidhan-recordings.zip"]
    assert left.gone == 0
    for one in left.files[1:]:
        archive = opened_archive(folder, left, one.file)
        assert not any(b"Hidden" in archive.read(name) for name in archive.namelist())
        assert any("2.mp3" in name for name in archive.namelist())
