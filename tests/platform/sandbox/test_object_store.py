import asyncio
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from abhidhan.platform.sandbox.object_store import FileStore, create_key, find_store_problem, open_file_store, parse_key
from abhidhan.records.errors import SettingError, UnavailableError
from abhidhan.records.photos import ProcessedPhoto
from tests.support.object_store import ACCESS_VARIABLES, running_s3
from tests.support.ports import free_port

PHOTO = ProcessedPhoto("JPEG", 4, 3, 1, b"body" * 100_000, b"thumbnail", "00", 1)


@pytest.fixture(scope="session")
def s3() -> Iterator[str]:
    """Run a server that speaks S3, with a bucket, and give its address."""
    with running_s3() as address:
        yield address


@pytest.fixture(params=["folder", "s3"])
def files(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FileStore:
    """Open an empty store of each kind in turn."""
    if request.param == "folder":
        return open_file_store("", tmp_path / "photos")
    names = {"AWS_ENDPOINT_URL": request.getfixturevalue("s3"), **ACCESS_VARIABLES}
    for name, value in names.items():
        monkeypatch.setenv(name, value)
    return open_file_store(f"s3://dictionary/{tmp_path.name}", tmp_path / "unused")


async def content_of(files: FileStore, name: str) -> bytes | None:
    opened = await files.open(name)
    return b"".join([piece async for piece in opened.chunks]) if opened else None


def test_what_is_kept_is_found_again(files: FileStore) -> None:
    async def work() -> None:
        key = create_key()
        await files.save(key, PHOTO.files)

        assert await content_of(files, f"{key}.jpg") == PHOTO.body
        assert await content_of(files, f"{key}-thumb.webp") == PHOTO.thumbnail
        assert {file.name: file.size for file in await files.list()} == {
            f"{key}.jpg": len(PHOTO.body),
            f"{key}-thumb.webp": len(PHOTO.thumbnail),
        }

    asyncio.run(work())


def test_what_is_forgotten_is_gone_and_may_be_forgotten_again(files: FileStore) -> None:
    async def work() -> None:
        key = create_key()
        await files.save(key, PHOTO.files)
        await files.delete_by_key(key, PHOTO.files)
        await files.delete_by_key(key, PHOTO.files)

        assert await content_of(files, f"{key}.jpg") is None
        assert await files.list() == []

    asyncio.run(work())


def test_a_folder_is_listed_by_itself(files: FileStore) -> None:
    async def work() -> None:
        keys = [f"{folder}/{folder}{number:030x}" for folder in ("0a", "0b", "a0") for number in range(2)]
        for key in keys:
            await files.save(key, PHOTO.files)

        found = {number: {parse_key(file.name) for file in await files.list_folder(number)} for number in range(256)}

        assert {number: keys for number, keys in found.items() if keys} == {
            0x0A: set(keys[:2]),
            0x0B: set(keys[2:4]),
            0xA0: set(keys[4:]),
        }

    asyncio.run(work())


def test_what_two_workers_remove_at_once_is_no_error(files: FileStore) -> None:
    async def work() -> None:
        key = create_key()
        await files.save(key, PHOTO.files)
        await files.delete_by_name([f"{key}.jpg"])
        await files.delete_by_name([f"{key}.jpg", f"{key}-thumb.webp"])

        assert await files.list() == []

    asyncio.run(work())


@pytest.mark.parametrize(
    "name", ["notes.txt", "ab/notes.txt", f"ab/cd{0:030x}.jpg", f"ab/ab{0:030x}.jpg.part", f"x/ab/ab{0:030x}.jpg"]
)
def test_a_strange_file_belongs_to_no_photo(name: str) -> None:
    assert parse_key(name) is None


def test_keys_cannot_be_guessed_and_never_repeat() -> None:
    keys = {create_key() for _ in range(1000)}

    assert len(keys) == 1000
    assert all(len(key) == 35 and key[:2] == key[3:5] for key in keys)


def test_a_store_that_fails_keeps_nothing(tmp_path: Path) -> None:
    files = open_file_store("", tmp_path / "photos")
    shutil.rmtree(tmp_path / "photos")
    (tmp_path / "photos").write_text("a file where a folder was")

    with pytest.raises(UnavailableError):
        asyncio.run(files.save(create_key(), PHOTO.files))


def test_a_thumbnail_that_cannot_be_written_takes_the_photo_with_it(tmp_path: Path) -> None:
    files = open_file_store("", tmp_path / "photos")
    key = create_key()
    (tmp_path / "photos" / f"{key}-thumb.webp").mkdir(parents=True)

    with pytest.raises(UnavailableError):
        asyncio.run(files.save(key, PHOTO.files))
    assert not list(tmp_path.rglob("*.jpg"))


@pytest.mark.parametrize("address", ["gopher://x/y", "s3:///", "/proc/none/photos"])
def test_a_wrong_address_stops_the_start(address: str, tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="ABHIDHAN_PHOTOS"):
        open_file_store(address, tmp_path)


def test_a_store_that_is_absent_is_told_from_one_that_is_out_of_reach(s3: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"AWS_ENDPOINT_URL": s3, **ACCESS_VARIABLES}.items():
        monkeypatch.setenv(name, value)

    assert find_store_problem("s3://dictionary/photos") is None
    assert "there is no such store" in str(find_store_problem("s3://absent/photos"))
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{free_port()}")
    with pytest.raises(UnavailableError):
        find_store_problem("s3://dictionary/photos")
