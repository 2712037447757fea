"""Text normalization: Unicode clean-up, white space, exact keys, scripts, the words of a query, visible length."""

import re
import unicodedata
from bisect import bisect_right
from enum import StrEnum
from functools import lru_cache
from itertools import groupby
from typing import Final

import icu
import msgspec

from assamese.tables import read_table

LONG_TEXT_LENGTH: Final = 200  # characters; only in longer text does the library's quadratic ordering of marks matter
SEPARATORS: Final = re.compile(r"[\s,;:!?/\\|()\[\]{}<>\"“”„«»‹›…—–।॥৷၊‚]+")
EDGE_CATEGORIES: Final = frozenset({"Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po", "Sk", "Zs", "Cf", "Cc"})
LETTER_CACHE_SIZE: Final = 4_096  # letters whose scripts are cached: all that a dictionary's languages use
TEXT_CACHE_SIZE: Final = 64  # texts whose words are cached: a look-up splits its query four times
MAX_EDGE_MARKS: Final = 3  # maximum number of punctuation marks on each side that are tried as part of a word
STRAY_SYMBOLS: Final = frozenset("|<>=~^$")  # symbols that are not part of an adjacent word


class Script(StrEnum):
    """A writing system, by its ISO 15924 code."""

    EASTERN_NAGARI = "Beng"
    LATIN = "Latn"
    DEVANAGARI = "Deva"
    TIBETAN = "Tibt"
    MEITEI = "Mtei"
    OL_CHIKI = "Olck"
    CHAKMA = "Cakm"
    AHOM = "Ahom"
    MYANMAR = "Mymr"
    SYLOTI_NAGRI = "Sylo"
    ARABIC = "Arab"
    OTHER = "Zyyy"


class SpellingTable(msgspec.Struct, frozen=True):
    """The table of equivalent characters and spelling variants."""

    invisible: str
    apostrophes: str
    noughts: str
    dandas: str
    optional_marks: str
    separators: str
    doubled_after_r: dict[str, str]
    latin: dict[str, str]


SPELLING: Final = read_table("spelling", SpellingTable)
APOSTROPHES: Final = frozenset(SPELLING.apostrophes)
OLD_KHANDA_TA: Final = "ত্\u200d"  # the encoding of ৎ before Unicode 4.1
_EQUIVALENTS: Final = {
    **{ord(nought) + value: str(value) for nought in SPELLING.noughts for value in range(10)},
    **dict.fromkeys(map(ord, SPELLING.invisible)),
    **dict.fromkeys(map(ord, SPELLING.apostrophes), "’"),
    **dict.fromkeys(map(ord, SPELLING.dandas), "।"),
}
_MISORDERED_O_SIGN: Final = "\u09be\u09c7"  # ো typed as া and ে, which NFC does not compose
_SCRIPT_RANGES: Final = (
    (0x0041, 0x02AF, Script.LATIN),
    (0x0600, 0x06FF, Script.ARABIC),
    (0x0900, 0x097F, Script.DEVANAGARI),
    (0x0980, 0x09FF, Script.EASTERN_NAGARI),
    (0x0F00, 0x0FFF, Script.TIBETAN),
    (0x1000, 0x109F, Script.MYANMAR),
    (0x1C50, 0x1C7F, Script.OL_CHIKI),
    (0x1E00, 0x1EFF, Script.LATIN),
    (0xA800, 0xA82F, Script.SYLOTI_NAGRI),
    (0xA8E0, 0xA8FF, Script.DEVANAGARI),
    (0xA9E0, 0xA9FF, Script.MYANMAR),
    (0xAA60, 0xAA7F, Script.MYANMAR),
    (0xAAE0, 0xAAFF, Script.MEITEI),
    (0xABC0, 0xABFF, Script.MEITEI),
    (0x11100, 0x1114F, Script.CHAKMA),
    (0x11700, 0x1174F, Script.AHOM),
)
_RANGE_STARTS: Final = tuple(first for first, _, _ in _SCRIPT_RANGES)


def nfc(text: str) -> str:
    """Convert text to Unicode Normalization Form C, the only change made to text when it is stored.

    Runs of combining marks in long text are sorted into canonical order first, because the library needs quadratic
    time for thousands of consecutive marks.
    """
    ordered = text if len(text) <= LONG_TEXT_LENGTH or text.isascii() else _sort_marks(text)
    return unicodedata.normalize("NFC", ordered)


def collapse_whitespace(text: str) -> str:
    """Collapse each run of white space to one space, and strip the ends."""
    return " ".join(text.split())


_EASTERN: Final = "[\u0981-\u09bc\u09be-\u09cd\u09ce\u09f0\u09f1]+"
_EASTERN_WORD: Final = re.compile(_EASTERN)
_EASTERN_WORDS: Final = re.compile(f"{_EASTERN}(?: {_EASTERN})*")
"""Text of Assamese and Bengali letters, signs and marks, which is its own exact key. Most queries match, and matching
takes a fifth of the time of normalising."""

_MAY_CHANGE: Final = re.compile("\u09c7\u09be|\u09be\u09c7|\u09cd\u09bc")
"""Adjacent signs that NFC or `exact_key` composes or reorders."""


def exact_key(text: str) -> str:
    """Return the key that texts share if they have the same spelling, however they were typed.

    The key is in NFC and ignores differences of white space, letter case, invisible characters, kinds of apostrophe,
    danda and digit, and the three encodings of ৎ. The function is idempotent.
    """
    if text.isascii():
        return text.casefold() if text.isalnum() else collapse_whitespace(text.translate(_EQUIVALENTS).casefold())
    if _EASTERN_WORDS.fullmatch(text) and not _MAY_CHANGE.search(text):
        return text
    same = nfc(text).replace(OLD_KHANDA_TA, "ৎ").translate(_EQUIVALENTS).replace(_MISORDERED_O_SIGN, "\u09cb")
    return collapse_whitespace(nfc(nfc(same).casefold()))


_ASCII_LETTER: Final = re.compile("[A-Za-z]")


def detect_script(text: str) -> Script:
    """Return the script of most letters (the first one, on a tie), or `Script.OTHER` without a letter."""
    if text.isascii():
        return Script.LATIN if _ASCII_LETTER.search(text) else Script.OTHER
    if text[0].isalpha() and _EASTERN_WORDS.fullmatch(text):
        return Script.EASTERN_NAGARI
    counts: dict[Script, int] = {}
    for character in text:
        script = _detect_letter_script(character)
        if script is not None:
            counts[script] = counts.get(script, 0) + 1
    return max(counts, key=counts.__getitem__, default=Script.OTHER)


def split_query(text: str) -> tuple[str, ...]:
    """Split a query into its words (see `split_words`), in order, without repeated spellings."""
    # Most queries are one word of plain letters.
    if (text.isascii() and text.isalnum()) or _EASTERN_WORD.fullmatch(text):
        return (text,)
    words: dict[str, str] = {}
    for word in split_words(text):
        words.setdefault(exact_key(word), word)
    return tuple(words.values())


@lru_cache(maxsize=TEXT_CACHE_SIZE)
def split_words(text: str) -> tuple[str, ...]:
    """Split text into words, in order and including repeated ones, without the punctuation around them.

    Apostrophes, hyphens and the raka (`.` or `·`) inside a word are part of it, and so is an apostrophe at the end of
    an Indic word (Bodo बर', Assamese ব’) unless there is one before the word.
    """
    pieces = (_strip_edges(piece) for piece in SEPARATORS.split(text))
    return tuple(piece for piece in pieces if piece)


def build_punctuation_variants(text: str, limit: int = MAX_EDGE_MARKS) -> tuple[str, ...]:
    """Return the variants of a text with all, some or none of the punctuation around it, the longest first.

    A headword may include punctuation (`100%`, -খন, `'riewspah`), and be quoted or at the end of a sentence as well. Of
    more than `limit` marks on a side, only the nearest `limit` are tried, besides the whole text.
    """
    collapsed = collapse_whitespace(text)
    first, last = _find_edges(collapsed)
    if first == last:
        return (collapsed,) if collapsed else ()
    befores = range(max(0, first - limit), first + 1)
    afters = range(min(len(collapsed), last + limit), last - 1, -1)
    parts = sorted(((before, after) for before in befores for after in afters), key=lambda part: part[0] - part[1])
    return tuple(dict.fromkeys((collapsed, *(collapsed[before:after].strip() for before, after in parts))))


def _find_edges(piece: str) -> tuple[int, int]:
    first, last = 0, len(piece)
    while first < last and _is_edge_mark(piece[first]):
        first += 1
    while last > first and _is_edge_mark(piece[last - 1]):
        last -= 1
    return first, last


def _strip_edges(piece: str) -> str:
    first, last = _find_edges(piece)
    quoted = first > 0 and piece[first - 1] in APOSTROPHES
    ends_with_apostrophe = last < len(piece) and piece[last] in APOSTROPHES
    if ends_with_apostrophe and not quoted and first < last and "\u0900" <= piece[last - 1] <= "\u09ff":
        last += 1
    return piece[first:last]


@lru_cache(maxsize=LETTER_CACHE_SIZE)
def _is_edge_mark(character: str) -> bool:
    """Return whether a character at the edge of a word is not part of it: punctuation, a space, or a stray symbol."""
    return unicodedata.category(character) in EDGE_CATEGORIES or character in STRAY_SYMBOLS or character in APOSTROPHES


@lru_cache(maxsize=LETTER_CACHE_SIZE)
def _detect_letter_script(character: str) -> Script | None:
    if unicodedata.category(character)[0] not in "LM":
        return None
    code = ord(character)
    position = bisect_right(_RANGE_STARTS, code) - 1
    if position < 0 or code > _SCRIPT_RANGES[position][1]:
        return None if unicodedata.category(character)[0] == "M" else Script.OTHER
    return _SCRIPT_RANGES[position][2]


def _sort_marks(text: str) -> str:
    """Sort each run of combining marks by combining class, without moving the starters."""
    parts: list[str] = []
    for is_mark, stretch in groupby(text, key=_is_mark):
        parts.extend(sorted(stretch, key=unicodedata.combining) if is_mark else stretch)  # noqa: B031 - used once
    return "".join(parts)


def _is_mark(character: str) -> bool:
    return unicodedata.combining(character) > 0


_BLANK_SYMBOLS: Final = frozenset("\u2800\U0001d159")
"""Blank symbols that Unicode does not class as ignorable: the blank Braille pattern and the null notehead."""


def visible_length(text: str) -> int:
    """Count the visible characters of a text: letters, digits, signs, and vowel signs after them.

    Characters that Unicode classes as ignorable (joiners, fillers, variation selectors, tags), accents, and marks
    without a base are not counted.
    """
    seen = 0
    for character in text:
        kind = unicodedata.category(character)[0]
        if character in _BLANK_SYMBOLS or icu.Char.hasBinaryProperty(
            character, icu.UProperty.DEFAULT_IGNORABLE_CODE_POINT
        ):
            continue
        seen += kind in "LNPS" or (kind == "M" and seen > 0 and not unicodedata.combining(character))
    return seen
