import bz2
import gzip
import io
import lzma
import os
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from abhidhan.formats import decompression
from abhidhan.formats.content_streams import CHUNK_SIZE, spool
from abhidhan.formats.files import check_contents, get_size, is_packed, list_files, open_contents
from abhidhan.records.errors import InputError

if TYPE_CHECKING or sys.version_info < (3, 14):
    from backports import zstd
else:
    from compression import zstd

CONTENT = "".join(f"water {number}\tপানী {number * 7919 % 1000}\n" for number in range(20_000)).encode()


def make_zip(content: bytes) -> bytes:
    """Pack into a zip file."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("en_as.tsv", content)
    return stream.getvalue()


def make_tar(content: bytes, count: int = 1) -> bytes:
    """Pack into a tar archive, several times if need be."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for number in range(count):
            information = tarfile.TarInfo(f"folder/{number}/en_as.tsv")
            information.size = len(content)
            archive.addfile(information, io.BytesIO(content))
    return stream.getvalue()


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "en_as.tsv.gz": gzip.compress,
    "en_as.tsv.xz": lzma.compress,
    "en_as.tsv.zst": zstd.compress,
    "en_as.tsv.bz2": bz2.compress,
    "words.zip": make_zip,
    "words.tar.gz": lambda content: gzip.compress(make_tar(content)),
    "words.tar.xz": lambda content: lzma.compress(make_tar(content)),
    "words.tar.zst": lambda content: zstd.compress(make_tar(content)),
    "words.zip.gz": lambda content: gzip.compress(make_zip(content)),
}


def unpack(file: Path) -> list[bytes]:
    """Read the plain files of a packed one."""
    return [content.stream.read() for content in open_contents([file])]


def test_packed_files_are_unpacked_unchanged(tmp_path: Path, subtests: pytest.Subtests) -> None:
    for name, pack in PACKERS.items():
        with subtests.test(name):
            file = tmp_path / name
            file.write_bytes(pack(CONTENT))

            check_contents([file])

            assert unpack(file) == [CONTENT]


def test_a_truncated_archive_is_rejected_before_it_is_read(tmp_path: Path, subtests: pytest.Subtests) -> None:
    for name, pack in PACKERS.items():
        for share in [0.05, 0.5, 0.98]:
            with subtests.test(f"{share:.0%} of {name}"):
                file = tmp_path / name
                packed = pack(CONTENT)
                file.write_bytes(packed[: int(len(packed) * share)])

                with pytest.raises(InputError, match=r"is damaged or incomplete .*: nothing of it is used\."):
                    check_contents([file])


def test_a_truncated_plain_tar_is_rejected(tmp_path: Path) -> None:
    file = tmp_path / "words.tar"
    file.write_bytes(make_tar(CONTENT)[: len(CONTENT) // 2])

    with pytest.raises(InputError, match=r"words\.tar.*incomplete"):
        unpack(file)


def test_a_decompression_bomb_is_not_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    monkeypatch.setattr(decompression, "RATIO_CHECK_BYTES", 1_000_000)
    monkeypatch.setattr(decompression, "MAX_COMPRESSION_RATIO", 20)
    for name, pack in PACKERS.items():
        with subtests.test(name):
            file = tmp_path / name
            file.write_bytes(pack(b"\n" * 30_000_000))

            with pytest.raises(
                InputError, match=r"more than 20 times its size, like a decompression bomb.*unpack it yourself"
            ):
                check_contents([file])


def test_the_default_limits_stop_a_decompression_bomb(tmp_path: Path) -> None:
    file = tmp_path / "bomb.gz"
    with gzip.open(file, "wb", 9) as packed:
        for _ in range(70):
            packed.write(bytes(1024 * 1024))

    with pytest.raises(InputError, match="like a decompression bomb"):
        check_contents([file])


def test_too_deeply_nested_archives_are_rejected(tmp_path: Path) -> None:
    content = CONTENT[:100]
    for _ in range(8):
        content = gzip.compress(content)
    file = tmp_path / "deep.gz"
    file.write_bytes(content)

    with pytest.raises(InputError, match="archives that are nested too deeply"):
        unpack(file)


def test_an_archive_with_too_many_files_is_rejected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decompression, "MAX_ARCHIVE_MEMBERS", 10)
    file = tmp_path / "many.tar.gz"
    file.write_bytes(gzip.compress(make_tar(b"a\tb\n", 11)))

    with pytest.raises(InputError, match="more than 10 files"):
        unpack(file)


def test_a_zip_file_with_a_password_is_rejected(tmp_path: Path) -> None:
    file = tmp_path / "locked.zip"
    packed = bytearray(make_zip(CONTENT))
    # The flag of encryption, in the header of the file and in the directory at the end.
    packed[6] |= 1
    packed[packed.rindex(b"PK\x01\x02") + 8] |= 1
    file.write_bytes(packed)

    with pytest.raises(InputError, match="protected with a password"):
        unpack(file)


def test_a_pipe_or_a_device_is_rejected(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.csv")
    with pytest.raises(InputError, match="a device or a pipe"):
        list_files([tmp_path / "a.csv"])


def rewrite(file: Path) -> None:
    """Make a file another."""
    file.write_text("en,as,more\n", "utf-8")


@pytest.mark.parametrize("change", [rewrite, Path.unlink])
def test_a_file_that_is_changed_or_removed_while_it_is_read_is_rejected(
    tmp_path: Path, change: Callable[[Path], None]
) -> None:
    file = tmp_path / "a.csv"
    file.write_text("en,as\n", "utf-8")
    contents = open_contents([file])
    next(contents).stream.read()
    change(file)
    with pytest.raises(InputError, match=r"changed while it was read|cannot be opened"):
        next(contents)


def test_a_file_that_keeps_growing_is_rejected(tmp_path: Path) -> None:
    file = tmp_path / "log.tsv"
    file.write_bytes(CONTENT)
    contents = open_contents([file])
    content = next(contents)

    def read_and_write_on() -> None:
        while content.stream.read(100):
            with file.open("ab") as stream:
                stream.write(CONTENT)

    with pytest.raises(InputError, match="changed while it was read"):
        read_and_write_on()


def test_progress_counts_a_spooled_copy_when_it_is_read(tmp_path: Path, subtests: pytest.Subtests) -> None:
    for name in ["en_as.tsv", "en_as.tsv.gz", "words.zip", "words.tar.gz", "words.zip.gz"]:
        with subtests.test(name):
            # Much longer than what is read ahead, packed or not.
            content = os.urandom(6 * CHUNK_SIZE)
            (tmp_path / name).write_bytes(PACKERS.get(name, bytes)(content))
            steps: list[int] = []
            for opened in open_contents([tmp_path / name], steps.append):
                with spool(opened) as copy:
                    before = sum(steps)
                    copy.read(CHUNK_SIZE // 2)
                    between = sum(steps)
                    copy.seek(0)
                    assert copy.read() == content

            size = get_size(tmp_path / name)
            assert before <= size * 0.6
            assert before < between < size
            assert sum(steps) <= size
            assert sum(steps) > size * 0.95


def test_a_missing_file_is_rejected(tmp_path: Path) -> None:
    for look in (is_packed, get_size):
        with pytest.raises(InputError, match="cannot be opened: No such file"):
            look(tmp_path / "gone.csv")


def test_links_out_of_a_folder_are_rejected(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    (folder / "inner").mkdir(parents=True)
    (folder / "words.csv").write_bytes(CONTENT)
    (folder / "inner" / "again.csv").symlink_to(folder / "words.csv")
    assert [file.name for file in list_files([folder])] == ["again.csv", "words.csv"]

    (tmp_path / "secret.csv").write_bytes(CONTENT)
    (folder / "inner" / "secret.csv").symlink_to(tmp_path / "secret.csv")
    with pytest.raises(InputError, match="outside"):
        list_files([folder])
