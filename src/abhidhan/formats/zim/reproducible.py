"""The bytes of a finished ZIM file: the same for the same data, and with the list of titles that older readers want.

The format is openZIM's (6.3): a header, entries, clusters, and an MD5 sum at the end. libzim puts random numbers into
the header and its indexes, and since version 9.3 leaves out the list of all entries in the order of their titles,
without which libzim 8 (Debian 12's zimcheck) calls a file broken.
"""

import hashlib
import mmap
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from abhidhan.formats.writers.external_sort import Entry, Sorted

HEADER: Final = struct.Struct("<8s16sIIQQ16sIIQ")
"""Magic number and version, random number, entries, clusters, where entries and titles stand, others, the sum."""

NO_PLACE: Final = 2**64 - 1
NAME: Final = slice(8, 24)
"""Where a file has its random number, by which programs tell two files apart."""

SUM: Final = 16
"""Bytes of the MD5 sum."""

INDEX: Final = b"\x0f\rXapian Glass"
"""How an index begins; its random number stands two bytes behind."""

REDIRECT: Final = 0xFFFF
CHUNK: Final = 16 * 1024 * 1024


class _Header(NamedTuple):
    version: bytes
    name: bytes
    entries: int
    clusters: int
    place_of_entries: int
    place_of_titles: int
    others: bytes
    first_page: int
    layout: int
    place_of_sum: int


def settle(file: Path) -> None:
    """Put what the content decides in the place of random numbers, and add the list of titles."""
    _add_titles(file)
    with file.open("r+b") as stream, mmap.mmap(stream.fileno(), 0) as whole:
        places = [NAME, *_names_of_indexes(whole)]
        for place in places:
            whole[place] = bytes(SUM)
        content = _digest(whole, hashlib.sha256())[:SUM]
        for place in places:
            whole[place] = content
        whole[-SUM:] = _digest(whole, hashlib.md5(usedforsecurity=False))


def _digest(whole: mmap.mmap, digest: "hashlib._Hash") -> bytes:
    """Return the digest of all but the sum at the end."""
    for start, end in _stretches(whole):
        digest.update(whole[start : min(end, len(whole) - SUM)])
    return digest.digest()


def _names_of_indexes(whole: mmap.mmap) -> Iterator[slice]:
    for start, end in _stretches(whole):
        found = whole.find(INDEX, start, end + len(INDEX) - 1)
        while found >= 0:
            begin = found + len(INDEX) + 2
            yield slice(begin, begin + SUM)
            found = whole.find(INDEX, begin, end + len(INDEX) - 1)


def _stretches(whole: mmap.mmap) -> Iterator[tuple[int, int]]:
    """Yield where stretches of a file begin and end, and give back the memory that each took.

    What is looked at of a mapped file counts as the process's memory: 0.9 GB of a dictionary of a million words.
    """
    for start in range(0, len(whole), CHUNK):
        end = min(start + CHUNK, len(whole))
        yield start, end
        whole.madvise(mmap.MADV_DONTNEED, start, end - start)


def _add_titles(file: Path) -> None:
    """Put the list of titles where the sum stood, and the sum behind it."""
    with file.open("r+b") as stream, Sorted(file.parent) as titles:
        with mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as whole:
            header = _Header(*HEADER.unpack(whole[: HEADER.size]))
            if header.place_of_titles != NO_PLACE:
                return
            for number, title in enumerate(_titles(whole, header)):
                titles.add(Entry(title, b"", number))
        stream.seek(header.place_of_sum)
        for entry in titles:
            stream.write(struct.pack("<I", entry.number))
        end = stream.tell()
        stream.write(bytes(SUM))
        stream.seek(0)
        stream.write(HEADER.pack(*header._replace(place_of_titles=header.place_of_sum, place_of_sum=end)))


def _titles(whole: mmap.mmap, header: _Header) -> Iterator[bytes]:
    """Yield the title of each entry, behind the letter of its namespace; an entry without one has its path."""
    for number in range(header.entries):
        (place,) = struct.unpack_from("<Q", whole, header.place_of_entries + 8 * number)
        (kind,) = struct.unpack_from("<H", whole, place)
        begin = place + (12 if kind == REDIRECT else 16)
        path = _text(whole, begin)
        title = _text(whole, begin + len(path) + 1)
        yield whole[place + 3 : place + 4] + (title or path)


def _text(whole: mmap.mmap, begin: int) -> bytes:
    return whole[begin : whole.find(b"\0", begin)]
