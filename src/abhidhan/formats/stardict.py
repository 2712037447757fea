"""StarDict: .ifo (what it is), .idx (headwords, with place and length) and .dict (texts)."""

import struct
from collections.abc import Iterator
from contextlib import ExitStack
from typing import IO, Final, NamedTuple

from abhidhan.domain.incoming import Fault, Placed
from abhidhan.errors import InputError
from abhidhan.formats.articles import Article, article_ideas, without_markup
from abhidhan.formats.files import Content, DamagedFileError, spool
from abhidhan.formats.reading import Found, Options, placed_source

ENDINGS: Final = (".ifo", ".idx", ".dict")
TEXT_TYPES: Final = frozenset("mltygxhwk")
"""Kinds of data that are text: plain, phonetic, Pango, XDXF, HTML, MediaWiki, KingSoft."""

MARKED_UP: Final = frozenset("gxhk")
LONGEST_HEADWORD: Final = 1024
LONGEST: Final = 4 * 1024 * 1024


class Entry(NamedTuple):
    """A line of the index."""

    headword: str
    place: int
    length: int


def read_stardict(contents: Iterator[Content], options: Options) -> Iterator[Found]:
    """Read sets of NAME.ifo, NAME.idx and NAME.dict (packed or not)."""
    source = options.own_source()
    options.own_language()
    yield placed_source(source)
    with ExitStack() as stack:
        files = {
            content.base_name: Content(content.name, stack.enter_context(spool(content)))
            for content in contents
            if content.base_name.endswith(ENDINGS)
        }
        names = sorted(name.removesuffix(".ifo") for name in files if name.endswith(".ifo"))
        if not names or any(name + ending not in files for name in names for ending in ENDINGS):
            raise InputError.of("file", "StarDict needs NAME.ifo, NAME.idx and NAME.dict (or packed): give all three.")
        for name in names:
            yield from _read_set(name, files, options, source.code)


def _read_set(name: str, files: dict[str, Content], options: Options, source: str) -> Iterator[Found]:
    information = _information(files[f"{name}.ifo"])
    types = information.get("sametypesequence", "")
    width = 8 if information.get("idxoffsetbits") == "64" else 4
    index, texts = files[f"{name}.idx"], files[f"{name}.dict"]
    for number, entry in enumerate(_entries(index, width), 1):
        texts.stream.seek(entry.place)
        raw = texts.stream.read(entry.length)
        if len(raw) < entry.length:
            yield Fault(index.name, number, "The text of this headword lies beyond the end of the .dict file.")
            continue
        text = "\n".join(_pieces(raw, types))
        for idea in article_ideas(Article(entry.headword, text), source, options):
            yield Placed(index.name, number, idea)


def _information(content: Content) -> dict[str, str]:
    lines = content.stream.read(100_000).decode("utf-8", "replace").splitlines()
    if not lines or not lines[0].lstrip("\ufeff").startswith("StarDict's dict ifo file"):
        raise DamagedFileError.of("file", f"{content.name} is not the .ifo file of a StarDict dictionary.")
    return {key.strip(): value.strip() for key, equals, value in (line.partition("=") for line in lines) if equals}


def _entries(content: Content, width: int) -> Iterator[Entry]:
    form = struct.Struct(">QI" if width == 8 else ">II")  # noqa: PLR2004  # 64-bit offsets
    stream: IO[bytes] = content.stream
    rest = b""
    while chunk := stream.read(1024 * 1024):
        rest += chunk
        place = 0
        while (end := rest.find(b"\0", place)) >= 0 and end + 1 + form.size <= len(rest):
            offset, length = form.unpack_from(rest, end + 1)
            yield Entry(rest[place:end].decode("utf-8", "replace"), offset, min(length, LONGEST))
            place = end + 1 + form.size
        rest = rest[place:]
        if len(rest) > LONGEST_HEADWORD + form.size:
            raise DamagedFileError.of("file", f"{content.name} is not the index of a StarDict dictionary.")
    if rest:
        raise DamagedFileError.of("file", f"{content.name} is damaged or cut short: it ends within an entry.")


def _pieces(raw: bytes, types: str) -> Iterator[str]:
    """Read the texts of an entry; what is sound or picture is passed over."""
    place = 0
    kinds = list(types) if types else None
    while place < len(raw):
        if kinds is None:
            kind, place = chr(raw[place]), place + 1
        elif kinds:
            kind = kinds.pop(0)
        else:
            return
        is_last = kinds is not None and not kinds
        if kind.isupper():
            size = len(raw) - place if is_last else int.from_bytes(raw[place : place + 4], "big") + 4
            place += max(size, 1)
            continue
        end = len(raw) if is_last else raw.find(b"\0", place)
        end = len(raw) if end < 0 else end
        text = raw[place:end].decode("utf-8", "replace")
        place = end + 1
        if kind in TEXT_TYPES:
            yield without_markup(text) if kind in MARKED_UP else text
