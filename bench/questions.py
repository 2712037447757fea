"""Requests of the benchmarks: each endpoint with words of the measured dictionary, and the most expensive ones."""

import random
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Final
from urllib.parse import quote, urlencode

SAMPLE: Final = 80_000
MARKS: Final = "!?,;"
"""Punctuation that `dic.php` ignores: appending it to a word makes a new request."""

MOST_MARKS: Final = 3
MOST_SLASHES: Final = 2_000
SEED: Final = 2013
ASSAMESE: Final = 2
FEW_WORDS: Final = 20_000
"""Minimum number of Assamese words; a dictionary with fewer is queried in another language. They would be used up in a
second or two, and requests with appended punctuation take half as long again."""

_WORDS: Final = "SELECT text FROM word WHERE language_id = ? AND length(text) > 2 AND text NOT LIKE '% %' ORDER BY id"
_PHRASES: Final = "SELECT text FROM phrase WHERE language_id = 2 AND text LIKE '% % %' ORDER BY id"


REPEATS: Final = 5
"""Number of repetitions of each expensive request."""


@dataclass(frozen=True, slots=True)
class Texts:
    """Texts of a dictionary: words and phrases of one language in random order, and the first English words by ID."""

    language: int
    words: list[str]
    phrases: list[str]
    english: list[str]


def read_texts(database: Path) -> Texts:
    """Read a sample of words and phrases of an SQLite database, in Assamese or the language with the most words."""
    chance = random.Random(SEED)  # noqa: S311  # reproducible requests
    with sqlite3.connect(database) as connection:
        counts = dict(connection.execute("SELECT id, words FROM language"))
        language = ASSAMESE if counts[ASSAMESE] >= FEW_WORDS else max(counts, key=counts.__getitem__)
        words = [row[0] for row in connection.execute(_WORDS, (language,))]
        phrases = [row[0] for row in connection.execute(_PHRASES)]
        english = [
            row[0] for row in connection.execute("SELECT text FROM word WHERE language_id = 1 ORDER BY id LIMIT 9")
        ]
    return Texts(language, _some(words, chance), _some(phrases, chance), english)


def _some(texts: list[str], chance: random.Random) -> list[str]:
    return chance.sample(texts, min(SAMPLE, len(texts)))


def _address(path: str, **parameters: str | int) -> str:
    return f"{path}?{urlencode(parameters)}"


def look_ups(texts: Texts) -> Iterator[str]:
    """Request existing words from dic.php, with their language."""
    return (_address("/api/dic.php", w=word, l=texts.language) for word in _never_asked(texts.words))


def look_ups_anywhere(texts: Texts) -> Iterator[str]:
    """Request existing words from dic.php, in any language."""
    return (_address("/api/dic.php", w=word) for word in _never_asked(texts.words))


def look_ups_of_several_words(texts: Texts, count: int) -> Iterator[str]:
    """Request `count` words at a time from dic.php, in any language; the URLs differ from those of single words."""
    words = _never_asked(texts.words)
    return (_address("/api/dic.php", w=" ".join(some), l=0) for some in zip(*[words] * count, strict=False))


def _never_asked(words: list[str]) -> Iterator[str]:
    """Yield each word as typed, then all of them with appended punctuation."""
    for length in range(MOST_MARKS + 1):
        for marks in product(MARKS, repeat=length):
            yield from (word + "".join(marks) for word in words)


def one_look_up(texts: Texts) -> Iterator[str]:
    """Request the same word from dic.php."""
    yield _address("/api/dic.php", w=texts.words[0])


def alphabet(texts: Texts) -> Iterator[str]:
    """Request at least twenty words from a starting word from wordsalpha.php."""
    for limit in range(20, 26):
        for word in texts.words:
            yield _address("/api/wordsalpha.php", start=word, l=texts.language, lim=limit)


def phrases(texts: Texts) -> Iterator[str]:
    """Request proverbs without their second word from check-fj.php."""
    for limit in (5, 6, 7):
        for phrase in texts.phrases:
            first, _, *others = phrase.split()
            yield _address("/api/check-fj.php", fj=" ".join([first, *others]), limit=limit)


def beginnings(texts: Texts) -> Iterator[str]:
    """Request suggestions for the first two to four letters of words."""
    for letters, limit in product((3, 4, 2), range(10, 20)):
        for beginning in dict.fromkeys(word[:letters] for word in texts.words if len(word) >= letters):
            yield _address("/api/suggest", q=beginning, limit=limit)


def misspelled(texts: Texts) -> Iterator[str]:
    """Search for words with a wrong third letter."""
    for wrong in "কলত" if texts.language == ASSAMESE else "xqz":
        for word in texts.words:
            yield _address("/api/search", q=word[:2] + wrong + word[3:])


def first_pages(texts: Texts) -> Iterator[str]:
    """Open the page of each word once."""
    return (f"/dic/{quote(word, safe='')}" for word in _never_asked(texts.words))


def one_page(texts: Texts) -> Iterator[str]:
    """Open the page of the same word."""
    yield f"/dic/{quote(texts.words[0], safe='')}"


def first_pages_of_browse(texts: Texts) -> Iterator[str]:
    """Open the alphabetical list at each word once."""
    return (_address("/browse", start=word, language=texts.language) for word in _never_asked(texts.words))


def one_page_of_browse(_: Texts) -> Iterator[str]:
    """Open the same page of the alphabetical list."""
    yield "/browse"


def first_pages_of_recent(_: Texts) -> Iterator[str]:
    """Open the newest words, with varying numbers of trailing slashes, which are ignored but bypass caches."""
    return ("/recent" + "/" * count for count in range(1, MOST_SLASHES))


def one_page_of_recent(_: Texts) -> Iterator[str]:
    """Open the same page of the newest words."""
    yield "/recent"


QUESTIONS: Final = {
    "dic.php, never asked before, `l` given": look_ups,
    "dic.php, never asked before, `l` omitted": look_ups_anywhere,
    "dic.php, the same again": one_look_up,
    "wordsalpha.php, 20 words": alphabet,
    "check-fj.php": phrases,
    "suggest": beginnings,
    "search, misspelled": misspelled,
    "page of a word, first time": first_pages,
    "page of a word, the same again": one_page,
    "page of `/browse`, first time": first_pages_of_browse,
    "page of `/browse`, the same again": one_page_of_browse,
    "page of `/recent`, first time": first_pages_of_recent,
    "page of `/recent`, the same again": one_page_of_recent,
}


def costly(texts: Texts, *, least: int, short: int, usual: int) -> dict[str, Iterator[str]]:
    """Return the most expensive valid requests by name.

    Limits vary slightly, so that no request is repeated: they start at `least` for lists, `short` for suggestions and
    phrases, and `usual` for search.
    """
    words, letters = texts.words, ["ক", "ব", "s", "ম", "ত", "a", "प", "ন"]
    syllables = ["xo", "ba", "ke", "mo", "ni", "ra", "ho", "the"]
    return {
        "suggest, one letter": _each("/api/suggest", "q", letters, limit=short),
        "search, one letter": _each("/api/search", "q", letters, limit=usual),
        "search, one letter, Assamese": _each("/api/search", "q", letters, limit=usual, lang="as"),
        "search, 200 letters": _each("/api/search", "q", [(word * 200)[:200] for word in words[:8]], limit=usual),
        "search, ten words": _each("/api/search", "q", [" ".join(words[n : n + 10]) for n in range(8)], limit=usual),
        "search, common word of definitions": _each("/api/search", "q", texts.english[:8], limit=usual),
        "words, one letter": _each("/api/words", "search", letters, limit=least),
        "words, one letter, far": _each("/api/words", "search", letters, limit=least, offset=100_000),
        "words, one letter of a language": _each("/api/words", "search", letters, limit=least, language="ne"),
        "words, far": _each("/api/words", "offset", [str(100_000 - n) for n in range(8)], limit=least),
        "words of a language, far": _each(
            "/api/words", "offset", [str(100_000 - n) for n in range(8)], limit=least, language="as"
        ),
        "words_recent.php": _each("/api/words_recent.php", "l", ["0", "1", "2", "21"], limit=least * 2),
        "wordsalpha.php": _each("/api/wordsalpha.php", "start", letters, lim=least),
        "wordsalpha.php, rare part of speech": _each("/api/wordsalpha.php", "start", letters, lim=least, p=14, l="as"),
        "dic.php, one letter": _each("/api/dic.php", "w", letters),
        "dic.php, 200 letters": _each("/api/dic.php", "w", [(word * 200)[:190] for word in words[:8]]),
        "dic.php, 20 words": _each("/api/dic.php", "w", [_cut(words[n : n + 20], 9) for n in range(0, 160, 20)]),
        "dic.php, 20 unknown words": _each(
            "/api/dic.php", "w", [_cut([word[::-1] for word in words[n : n + 20]], 8) for n in range(0, 160, 20)]
        ),
        "dic.php, 20 Roman words": _each(
            "/api/dic.php",
            "w",
            [
                " ".join(f"{one}{two}{last}" for one in syllables for two in ("lik", "mon", ""))[:99]
                for last in syllables
            ],
        ),
        "check-fj.php, 500 letters": _each(
            "/api/check-fj.php", "fj", [" ".join(texts.phrases[n : n + 30])[:500] for n in range(8)], limit=short
        ),
        "tlipi.php, 500 letters": _each("/api/tlipi.php", "pa", [(f"{each} xobdor " * 99)[:490] for each in syllables]),
    }


def _each(path: str, name: str, values: list[str], **parameters: str | int) -> Iterator[str]:
    """Yield a request for each value, repeated with decreasing limits or appended punctuation."""
    for repeat in range(REPEATS):
        for value in values:
            others = {
                key: int(limit) - repeat if key in {"limit", "lim"} else limit for key, limit in parameters.items()
            }
            yield _address(path, **{name: value if others else value + "!" * repeat, **others})


def _cut(words: list[str], letters: int) -> str:
    return " ".join(word[:letters] for word in words)
