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


@pytest.fixture(params=["folder", pytest.param("s3", marks=pytest.mark.thorough)])
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


def test_saved_photos_are_read_and_listed_and_deleted_ones_are_gone(files: FileStore) -> None:
    async def work() -> None:
        key = create_key()
        await files.save(key, PHOTO.files)

        assert await content_of(files, f"{key}.jpg") == PHOTO.body
        assert await content_of(files, f"{key}-thumb.webp") == PHOTO.thumbnail
        assert {file.name: file.size for file in await files.list()} == {
            f"{key}.jpg": len(PHOTO.body),
            f"{key}-thumb.webp": len(PHOTO.thumbnail),
        }

        for _ in range(2):  # deleting twice is no error
            await files.delete_by_key(key, PHOTO.files)
            assert await content_of(files, f"{key}.jpg") is None
            assert await files.list() == []

    asyncio.run(work())


def test_each_folder_is_listed_separately(files: FileStore) -> None:
    async def work() -> None:
        keys = [f"{folder}/{folder}{number:030x}" for folder in ("0a", "0b", "a0") for number in range(2)]
        for key in keys:
            await files.save(key, PHOTO.files)

        listed = {number: {parse_key(file.name) for file in await files.list_folder(number)} for number in range(256)}

        assert {number: keys for number, keys in listed.items() if keys} == {
            0x0A: set(keys[:2]),
            0x0B: set(keys[2:4]),
            0xA0: set(keys[4:]),
        }

    asyncio.run(work())


def test_deleting_files_that_another_worker_has_deleted_is_no_error(files: FileStore) -> None:
    async def work() -> None:
        key = create_key()
        await files.save(key, PHOTO.files)
        await files.delete_by_name([f"{key}.jpg"])
        await files.delete_by_name([f"{key}.jpg", f"{key}-thumb.webp"])

        assert await files.list() == []

    asyncio.run(work())


def test_an_unknown_file_belongs_to_no_photo() -> None:
    names = ("notes.txt", "ab/notes.txt", f"ab/cd{0:030x}.jpg", f"ab/ab{0:030x}.jpg.part", f"x/ab/ab{0:030x}.jpg")
    assert [parse_key(name) for name in names] == [None] * 5


def test_keys_are_random_and_never_repeat() -> None:
    keys = {create_key() for _ in range(1000)}

    assert len(keys) == 1000
    assert all(len(key) == 35 and key[:2] == key[3:5] for key in keys)


def test_a_store_that_cannot_be_written_is_unavailable(tmp_path: Path) -> None:
    files = open_file_store("", tmp_path / "photos")
    shutil.rmtree(tmp_path / "photos")
    (tmp_path / "photos").write_text("a file where a folder was")

    with pytest.raises(UnavailableError):
        asyncio.run(files.save(create_key(), PHOTO.files))


def test_the_photo_is_not_kept_if_its_thumbnail_cannot_be_written(tmp_path: Path) -> None:
    files = open_file_store("", tmp_path / "photos")
    key = create_key()
    (tmp_path / "photos" / f"{key}-thumb.webp").mkdir(parents=True)

    with pytest.raises(UnavailableError):
        asyncio.run(files.save(key, PHOTO.files))
    assert not list(tmp_path.rglob("*.jpg"))


def test_a_wrong_address_is_rejected(tmp_path: Path) -> None:
    for address in ("gopher://x/y", "s3:///", "/proc/none/photos"):
        with pytest.raises(SettingError, match="ABHIDHAN_PHOTOS"):
            open_file_store(address, tmp_path)


@pytest.mark.thorough
def test_a_missing_store_is_distinguished_from_an_unreachable_one(s3: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"AWS_ENDPOINT_URL": s3, **ACCESS_VARIABLES}.items():
        monkeypatch.setenv(name, value)

    assert find_store_problem("s3://dictionary/photos") is None
    assert "there is no such store" in str(find_store_problem("s3://absent/photos"))
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{free_port()}")
    with pytest.raises(UnavailableError):
        find_store_problem("s3://dictionary/photos")
