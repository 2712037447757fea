"""Files that the server makes for everybody are stored in a folder or in an object store, with the same results."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from abhidhan.platform.sandbox import object_store
from abhidhan.platform.sandbox.artifact_store import ArtifactStore
from abhidhan.records.errors import SettingError, UnavailableError, UnwritableError
from tests.support.object_store import ACCESS_VARIABLES, running_s3
from tests.support.ports import free_port


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Run an object store."""
    with running_s3() as address, pytest.MonkeyPatch.context() as patch:
        for name, value in {"AWS_ENDPOINT_URL": address, **ACCESS_VARIABLES}.items():
            patch.setenv(name, value)
        yield "s3://dictionary/made"


@pytest.fixture(params=["folder", pytest.param("object store", marks=pytest.mark.thorough)])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> ArtifactStore:
    """Open an empty store of each kind."""
    if request.param == "folder":
        return ArtifactStore(tmp_path / "made")
    return ArtifactStore(f"{request.getfixturevalue('address')}/{tmp_path.name}")


def read_part(store: ArtifactStore, name: str, first: int, length: int) -> bytes:
    async def read() -> bytes:
        return b"".join([piece async for piece in await store.open_chunks(name, first, length)])

    return asyncio.run(read())


def test_files_are_written_read_in_parts_listed_and_removed(store: ArtifactStore) -> None:
    assert (store.read("a"), store.list_files("editions"), store.list_folders()) == (None, [], [])
    store.write("a", b"one")
    store.write("a", b"two")
    with store.open_scratch_folder() as scratch:
        (scratch / "table").write_bytes(b"0123456789" * 100_000)
        store.add("made-1/table", scratch / "table")
        assert list(scratch.glob("table")) == []
        (scratch / "copy").write_bytes(b"0123456789" * 100_000)
        store.add("editions/x/table", scratch / "copy")
    store.write("editions/x/list", b"")

    assert store.read("a") == b"two"
    assert read_part(store, "made-1/table", 999_990, 10) == b"0123456789"
    assert len(read_part(store, "editions/x/table", 0, 1_000_000)) == 1_000_000
    assert read_part(store, "editions/x/list", 0, 0) == b""
    with store.open_local_file("made-1/table") as file:
        assert file.read_bytes()[:12] == b"012345678901"
    assert sorted(store.list_folders()) == ["editions", "made-1"]
    assert store.list_folders("editions") == ["editions/x"]
    assert sorted(store.list_files("editions")) == ["editions/x/list", "editions/x/table"]

    store.remove(["editions/x/list", "editions/x/list"])
    store.remove_folder("made-1")
    assert store.read("editions/x/list") is None
    assert store.read("made-1/table") is None
    assert len(read_part(store, "editions/x/table", 0, 1_000_000)) == 1_000_000
    with pytest.raises(FileNotFoundError):
        read_part(store, "made-1/table", 0, 1)


def test_reading_beyond_the_end_of_a_file_fails(store: ArtifactStore) -> None:
    store.write("table", b"short")

    with pytest.raises(OSError, match="shorter"):
        read_part(store, "table", 0, 10)


def test_an_unreachable_store_is_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(object_store, "MAX_RETRIES", 0)
    for name, value in {"AWS_ENDPOINT_URL": f"http://127.0.0.1:{free_port()}", **ACCESS_VARIABLES}.items():
        monkeypatch.setenv(name, value)
    store = ArtifactStore("s3://dictionary/made")

    with pytest.raises(UnavailableError):
        store.read("a")
    with pytest.raises(UnavailableError):
        store.write("a", b"")
    with pytest.raises(UnavailableError):
        read_part(store, "a", 0, 1)


def test_an_address_that_names_no_store_is_rejected_with_the_setting() -> None:
    for address in ("nowhere://x", "s3://", "https://"):
        with pytest.raises(SettingError, match="ABHIDHAN_DOWNLOADS"):
            ArtifactStore(address)


def test_a_folder_that_cannot_be_created_is_unwritable(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("a file stands where the folder should")
    store = ArtifactStore(tmp_path / "file")

    assert store.read("a") is None
    with pytest.raises(UnwritableError):
        store.write("a", b"")
