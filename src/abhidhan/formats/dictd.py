"""dictd: an index of headwords (offset and length in base 64) beside a file of texts."""

from collections.abc import Iterator
from contextlib import ExitStack
from typing import IO, Final, NamedTuple

from abhidhan.domain.incoming import Fault, Placed
from abhidhan.domain.records import FormsRecord
from abhidhan.errors import InputError
from abhidhan.formats.articles import Article, article_ideas, stands_in, with_named_languages, written_headword
from abhidhan.formats.contents import Content, as_buffered, spool
from abhidhan.formats.marks import unmarked
from abhidhan.formats.meter import looking_through
from abhidhan.formats.reading import Found, Options, placed_source
from abhidhan.formats.text import read_lines

DIGITS: Final = {
    letter: value for value, letter in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
}
"""dictd's base 64: the most significant digit first, no padding."""

FIELDS: Final = 3
HEADERS: Final = ("00database", "00-database")
LONGEST: Final = 4 * 1024 * 1024
MOST_DIGITS: Final = 7
"""SharedSlots up to 4 TiB; beyond what a file can have, looking there is an error of the system."""

BEYOND_THE_END: Final = (
    "The text of this headword would be beyond the end of the .dict file. Take both files from the same version."
)
NO_MEANING: Final = "The article has no meaning of its own. Write one below its headword, or leave the headword out."


def read_dictd(contents: Iterator[Content], options: Options) -> Iterator[Found]:
    """Read pairs of NAME.index and NAME.dict (or .dict.dz)."""
    source = options.own_source()
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
        told = {name: with_named_languages(name, options) for name in names}
        for name in names:
            yield from _read_pair(files[f"{name}.index"], files[f"{name}.dict"].stream, told[name], source.code)


class _Entry(NamedTuple):
    """A line of the index: where it stands, its headword, and the place and length of its text."""

    line: int
    headword: str
    place: int
    length: int


def _read_pair(index: Content, texts: IO[bytes], options: Options, source: str) -> Iterator[Found]:
    """Read the articles. Lines that lead to the article of another headword make it found, if it is written there."""
    lines = Content(index.name, as_buffered(index.stream))
    with looking_through(index.stream, texts):
        owners = _owners(lines, texts, options)
    lines.stream.seek(0)
    seen: set[tuple[str, int]] = set()
    for entry in _entries(lines, options):
        if isinstance(entry, Fault):
            yield entry
        elif (entry.headword, entry.place) not in seen:
            seen.add((entry.headword, entry.place))
            text = _text(index.name, entry, texts, options)
            if isinstance(text, Fault):
                yield text
            else:
                yield from _article(index.name, entry, text, owners.get(entry.place), options, source)


def _entries(index: Content, options: Options) -> Iterator[_Entry | Fault]:
    for line in read_lines(index, options.encoding):
        if isinstance(line, Fault):
            yield line
            continue
        fields = line.text.split("\t")
        if fields[0].startswith(HEADERS) or not line.text.strip():
            continue
        place, length = (_number(field) for field in fields[1:FIELDS]) if len(fields) >= FIELDS else (None, None)
        if place is None or length is None or length > LONGEST:
            yield Fault(
                index.name, line.number, "The line is not a headword, an offset and a length, separated by tabs."
            )
        else:
            # A fourth field has the headword as it is written.
            yield _Entry(line.number, unmarked("".join(fields[FIELDS:]) or fields[0]).text, place, length)


def _owners(index: Content, texts: IO[bytes], options: Options) -> dict[int, str]:
    """Return which headword each text begins with, as it is written there."""
    owners: dict[int, str] = {}
    for entry in _entries(index, options):
        if not isinstance(entry, Fault):
            text = _text(index.name, entry, texts, options)
            written = None if isinstance(text, Fault) else written_headword(entry.headword, _first_line(text))
            if written and len(written) > len(owners.get(entry.place, "")):
                owners[entry.place] = written
    return owners


def _text(file: str, entry: _Entry, texts: IO[bytes], options: Options) -> str | Fault:
    texts.seek(entry.place)
    raw = texts.read(entry.length)
    if len(raw) < entry.length:
        return Fault(
            file,
            entry.line,
            BEYOND_THE_END,
        )
    try:
        return raw.decode(options.encoding or "utf-8")
    except UnicodeDecodeError:
        return Fault(file, entry.line, "The text of this headword is not UTF-8: name its encoding with --encoding.")


def _first_line(text: str) -> str:
    return text.lstrip().partition("\n")[0]


def _article(  # noqa: PLR0913, PLR0917  # a place in two files
    file: str, entry: _Entry, text: str, owner: str | None, options: Options, source: str
) -> Iterator[Found]:
    written = written_headword(entry.headword, _first_line(text))
    if owner is None or written == owner:
        ideas = list(article_ideas(Article(written or entry.headword.strip(), text), source, options))
        if not ideas:
            yield Fault(file, entry.line, NO_MEANING)
        for idea in ideas:
            yield Placed(file, entry.line, idea)
    elif entry.headword.strip() and stands_in(entry.headword, _first_line(text)):
        form = FormsRecord(options.own_language(), owner, ((entry.headword, ""),), optional=True)
        yield Placed(file, entry.line, form)


def _number(digits: str) -> int | None:
    if len(digits.strip()) > MOST_DIGITS:
        return None
    value = 0
    for digit in digits.strip():
        if digit not in DIGITS:
            return None
        value = value * 64 + DIGITS[digit]
    return value
