"""StarDict: .ifo (what it is), .idx (headwords, with place and length), .dict (texts) and .syn (more headwords)."""

import struct
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Final, NamedTuple

from abhidhan.domain.incoming import Fault, Placed
from abhidhan.domain.records import FormsRecord
from abhidhan.errors import InputError
from abhidhan.formats.articles import Article, article_ideas, with_named_languages, without_markup
from abhidhan.formats.contents import Content, DamagedFileError, spool
from abhidhan.formats.dictd import BEYOND_THE_END, NO_MEANING
from abhidhan.formats.reading import Found, Options, placed_source

ENDINGS: Final = (".ifo", ".idx", ".dict")
SYNONYMS: Final = ".syn"
TEXT_TYPES: Final = frozenset("mltygxhwk")
"""Kinds of data that are text: plain, phonetic, Pango, XDXF, HTML, MediaWiki, KingSoft."""

MARKED_UP: Final = frozenset("gxhk")
PHONETIC: Final = "t"
LONGEST_HEADWORD: Final = 1024
FARTHEST: Final = 2**42
"""No file is longer; to look beyond is an error of the system."""

LONGEST: Final = 4 * 1024 * 1024


class Entry(NamedTuple):
    """A line of the index."""

    headword: str
    place: int
    length: int


def read_stardict(contents: Iterator[Content], options: Options) -> Iterator[Found]:
    """Read sets of NAME.ifo, NAME.idx and NAME.dict (packed or not)."""
    source = options.own_source()
    yield placed_source(source)
    with ExitStack() as stack:
        files = {
            content.base_name: Content(content.name, stack.enter_context(spool(content)))
            for content in contents
            if content.base_name.endswith((*ENDINGS, SYNONYMS))
        }
        names = sorted(name.removesuffix(".ifo") for name in files if name.endswith(".ifo"))
        if not names or any(name + ending not in files for name in names for ending in ENDINGS):
            raise InputError.of("file", "StarDict needs NAME.ifo, NAME.idx and NAME.dict (or packed): give all three.")
        told = {name: with_named_languages(name, options) for name in names}
        for name in names:
            yield from _read_set(name, files, told[name], source.code)


def _read_set(name: str, files: dict[str, Content], options: Options, source: str) -> Iterator[Found]:
    """Read the articles. A headword that leads to the article of one before it is another spelling of that."""
    information = _information(files[f"{name}.ifo"])
    types = information.get("sametypesequence", "")
    width = 8 if information.get("idxoffsetbits") == "64" else 4
    index, texts = files[f"{name}.idx"], files[f"{name}.dict"].stream
    synonyms = _synonyms(files[f"{name}.syn"]) if f"{name}.syn" in files else {}
    owners: dict[int, str] = {}
    for number, entry in enumerate(_entries(index, width), 1):
        texts.seek(min(entry.place, FARTHEST))
        raw = texts.read(entry.length)
        owner = owners.setdefault(entry.place, entry.headword)
        if len(raw) < entry.length:
            yield Fault(
                index.name,
                number,
                BEYOND_THE_END,
            )
        elif owner != entry.headword:
            form = FormsRecord(options.own_language(), owner, ((entry.headword, ""),), optional=True)
            yield Placed(index.name, number, form)
        else:
            article = _article(entry.headword, list(_pieces(raw, types)), tuple(synonyms.get(number - 1, ())))
            ideas = list(article_ideas(article, source, options))
            if not ideas:
                yield Fault(index.name, number, NO_MEANING)
            for idea in ideas:
                yield Placed(index.name, number, idea)


def _article(headword: str, pieces: list[tuple[str, str]], synonyms: tuple[str, ...]) -> Article:
    texts = [without_markup(text) if kind in MARKED_UP else text for kind, text in pieces if kind != PHONETIC]
    ipa = next((text for kind, text in pieces if kind == PHONETIC), None)
    return Article(headword, "\n".join(texts), ipa, synonyms)


def _synonyms(content: Content) -> dict[int, list[str]]:
    """Read other headwords of articles, by the number of the headword in the index, from 0."""
    found: dict[int, list[str]] = {}
    for synonym, (number,) in _records(content, struct.Struct(">I")):
        found.setdefault(number, []).append(synonym)
    return found


def _information(content: Content) -> dict[str, str]:
    lines = content.stream.read(100_000).decode("utf-8", "replace").splitlines()
    if not lines or not lines[0].lstrip("\ufeff").startswith("StarDict's dict ifo file"):
        raise DamagedFileError.of("file", f"{content.name} is not the .ifo file of a StarDict dictionary.")
    return {key.strip(): value.strip() for key, equals, value in (line.partition("=") for line in lines) if equals}


def _entries(content: Content, width: int) -> Iterator[Entry]:
    form = struct.Struct(">QI" if width == 8 else ">II")  # noqa: PLR2004  # 64-bit offsets
    for headword, (offset, length) in _records(content, form):
        yield Entry(headword, offset, min(length, LONGEST))


def _records(content: Content, form: struct.Struct) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Read texts that end with a zero, each with the numbers behind it."""
    rest = b""
    while chunk := content.stream.read(1024 * 1024):
        rest += chunk
        place = 0
        while (end := rest.find(b"\0", place)) >= 0 and end + 1 + form.size <= len(rest):
            yield rest[place:end].decode("utf-8", "replace"), form.unpack_from(rest, end + 1)
            place = end + 1 + form.size
        rest = rest[place:]
        if len(rest) > LONGEST_HEADWORD + form.size:
            raise DamagedFileError.of("file", f"{content.name} is not the index of a StarDict dictionary.")
    if rest:
        raise DamagedFileError.of("file", f"{content.name} is damaged or cut short: it ends within an entry.")


def _pieces(raw: bytes, types: str) -> Iterator[tuple[str, str]]:
    """Read the texts of an entry, each with its kind; what is sound or picture is passed over."""
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
            yield kind, text
