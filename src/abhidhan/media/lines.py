"""Lines of text as wide as a picture: broken between words, and within one only between whole letters."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple

from abhidhan.media.shaping import Shaped, breakable, shape

MORE: Final = "…"


class Text(NamedTuple):
    """A text, the code of its language, and whether it runs from right to left."""

    text: str
    language: str
    is_rtl: bool = False


class Block(NamedTuple):
    """Lines set in one size, in pixels."""

    lines: tuple[Shaped, ...]
    size: int
    is_rtl: bool


class Size(NamedTuple):
    """A size in which a text may be set, in pixels, and how many lines of it at most."""

    size: int
    most: int


def set_in_lines(text: Text, sizes: Sequence[Size], width: int) -> Block | None:
    """Set a text in the first size in which it fits whole; in the last, what fits of it. None: it has no font."""
    if shape(text.text, text.language) is None:
        return None
    for size, most in sizes:
        is_last = size == sizes[-1].size
        if not is_last and _cuts_a_word(text, width / size):
            continue
        texts = list(islice(_broken(text, width / size), most + 1))
        if is_last and len(texts) > most:
            texts = [*texts[: most - 1], _shortened(texts[most - 1], text, width / size)]
        if len(texts) <= most:
            lines = [shape(each, text.language, is_rtl=text.is_rtl) for each in texts]
            return Block(tuple(line for line in lines if line is not None), size, text.is_rtl)
    return None


def _broken(text: Text, width: float) -> Iterator[str]:
    """Break a text into lines no wider than `width` sizes of a letter."""
    line = ""
    for word in breakable(text.text):
        if not line or _width(line + word.rstrip(), text.language) <= width:
            line += word
        else:
            yield line.strip()
            line = word
        while _width(line.rstrip(), text.language) > width:
            begun = _beginning(line, text.language, width)
            yield begun
            line = line[len(begun) :]
    if line.strip():
        yield line.strip()


def _beginning(word: str, language: str, width: float) -> str:
    """Take as many whole letters of a word as are no wider: HarfBuzz tells which may not be parted."""
    shaped = shape(word, language)
    places = sorted({glyph.cluster for glyph in shaped.glyphs} if shaped else ()) or [0]
    ends = [*places[1:], len(word)]
    fitting = bisect_right(ends, width, key=lambda end: _width(word[:end], language))
    return word[: ends[max(0, fitting - 1)]]


def _shortened(line: str, text: Text, width: float) -> str:
    """End a line with a sign that there is more."""
    room = width - _width(MORE, text.language)
    return (line if _width(line, text.language) <= room else _beginning(line, text.language, room)).rstrip() + MORE


def _cuts_a_word(text: Text, width: float) -> bool:
    return any(_width(word.rstrip(), text.language) > width for word in breakable(text.text))


def _width(text: str, language: str) -> float:
    shaped = shape(text, language)
    return shaped.width if shaped else 0.0
