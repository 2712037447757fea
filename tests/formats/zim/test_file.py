"""The bytes of a ZIM file are gone through in stretches, and come out as if it were one."""

import mmap
from pathlib import Path

import pytest

from abhidhan.formats.zim.file import CHECKSUM_BYTES, HEADER_STRUCT, ID_SLICE, INDEX_SIGNATURE, make_reproducible

STRETCH = mmap.ALLOCATIONGRANULARITY


def zim_with_indexes(file: Path, places: list[int]) -> list[slice]:
    """Write the parts of a ZIM file that `make_reproducible` reads, with indexes; return the offsets of their names."""
    content = bytearray(b"." * (3 * STRETCH + 100))
    content[: HEADER_STRUCT.size] = HEADER_STRUCT.pack(
        b"ZIM", b"random number 00", 0, 0, 0, HEADER_STRUCT.size, b"\0" * 16, 0, 0, 0
    )
    for place in places:
        content[place : place + len(INDEX_SIGNATURE)] = INDEX_SIGNATURE
    file.write_bytes(content)
    return [
        slice(place + len(INDEX_SIGNATURE) + 2, place + len(INDEX_SIGNATURE) + 2 + CHECKSUM_BYTES) for place in places
    ]


def test_an_index_is_found_at_any_chunk_boundary(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    for position in [STRETCH - 1, STRETCH - len(INDEX_SIGNATURE) + 1, STRETCH - len(INDEX_SIGNATURE), STRETCH]:
        with subtests.test(str(position)):
            whole, stretches = tmp_path / "whole.zim", tmp_path / "stretches.zim"
            for file in (whole, stretches):
                names = zim_with_indexes(file, [position, 2 * STRETCH + 7])

            make_reproducible(whole)
            with monkeypatch.context() as patch:
                patch.setattr("abhidhan.formats.zim.file.CHUNK_SIZE", STRETCH)
                make_reproducible(stretches)

            settled = stretches.read_bytes()
            assert settled == whole.read_bytes()
            assert {settled[each] for each in names} == {settled[ID_SLICE]}
