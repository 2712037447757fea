"""dictd: an index of headwords (offset and length in base 64) beside a file of texts."""

from collections.abc import Iterator
from contextlib import ExitStack
from typing import IO, Final

from abhidhan.domain.incoming import Fault, Placed
from abhidhan.errors import InputError
from abhidhan.formats.articles import Article, article_ideas
from abhidhan.formats.files import Content, spool
from abhidhan.formats.reading import Found, Options, placed_source
from abhidhan.formats.text import read_lines

DIGITS: Final = {
    letter: value for value, letter in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
}
"""dictd's base 64: the most significant digit first, no padding."""

FIELDS: Final = 3
HEADER: Final = "00database"
LONGEST: Final = 4 * 1024 * 1024


def read_dictd(contents: Iterator[Content], options: Options) -> Iterator[Found]:
    """Read pairs of NAME.index and NAME.dict (or .dict.dz)."""
    source = options.own_source()
    options.own_language()
    yield placed_source(source)
    with ExitStack() as stack:
        files = {
            content.base_name: Content(content.name, stack.enter_context(spool(content)))
            for content in contents
            if content.base_name.endswith((".index", ".dict"))
        }
        names = sorted(name.removesuffix(".index") for name in files if name.endswith(".index"))
        if not names or any(f"{name}.dict" not in files for name in names):
            raise InputError.of("file", "dictd needs both NAME.index and NAME.dict (or NAME.dict.dz): give both files.")
        for name in names:
            yield from _read_pair(files[f"{name}.index"], files[f"{name}.dict"].stream, options, source.code)


def _read_pair(index: Content, texts: IO[bytes], options: Options, source: str) -> Iterator[Found]:
    seen: set[tuple[str, int]] = set()
    for line in read_lines(index, options.encoding):
        if isinstance(line, Fault):
            yield line
            continue
        fields = line.text.split("\t")
        if fields[0].startswith(HEADER) or not line.text.strip():
            continue
        place, length = (_number(field) for field in fields[1:FIELDS]) if len(fields) >= FIELDS else (None, None)
        if place is None or length is None or length > LONGEST:
            yield Fault(index.name, line.number, "The line is not a headword, an offset and a length, parted by tabs.")
            continue
        if (fields[0], place) in seen:
            continue
        seen.add((fields[0], place))
        yield from _article(index.name, line.number, (fields[0], place, length), texts, options, source)


def _article(  # noqa: PLR0913, PLR0917  # a place in two files
    file: str, number: int, entry: tuple[str, int, int], texts: IO[bytes], options: Options, source: str
) -> Iterator[Found]:
    headword, place, length = entry
    texts.seek(place)
    raw = texts.read(length)
    if len(raw) < length:
        yield Fault(file, number, "The text of this headword lies beyond the end of the .dict file.")
        return
    try:
        text = raw.decode(options.encoding or "utf-8")
    except UnicodeDecodeError:
        yield Fault(file, number, "The text of this headword is not UTF-8: name its encoding with --encoding.")
        return
    first = text.lstrip().split("\n", 1)[0]
    # The index may have folded the headword; the text has it as it is written.
    shown = first[: len(headword)] if first.casefold().startswith(headword.casefold()) else headword
    for idea in article_ideas(Article(shown.strip(), text), source, options):
        yield Placed(file, number, idea)


def _number(digits: str) -> int | None:
    value = 0
    for digit in digits.strip():
        if digit not in DIGITS:
            return None
        value = value * 64 + DIGITS[digit]
    return value
