"""Requests of the benchmarks: each endpoint with words of the measured dictionary, and the most expensive ones."""

import random
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Final
from urllib.parse import quote, urlencode

SAMPLE_SIZE: Final = 80_000
MARKS: Final = "!?,;"
"""Punctuation that `dic.php` ignores: appending it to a word makes a new request."""

MAX_MARKS: Final = 3
MAX_SLASHES: Final = 2_000
SEED: Final = 2013
ASSAMESE: Final = 2
MIN_ASSAMESE_WORDS: Final = 20_000
"""Minimum number of Assamese words; a dictionary with fewer is queried in another language. They would be used up in a
second or two, and requests with appended punctuation take half as long again."""

_WORDS: Final = "SELECT text FROM word WHERE language_id = ? AND length(text) > 2 AND text NOT LIKE '% %' ORDER BY id"
_PHRASES: Final = "SELECT text FROM phrase WHERE language_id = 2 AND text LIKE '% % %' ORDER BY id"


REPEATS: Final = 5
"""Number of repetitions of each expensive request."""


@dataclass(frozen=True, slots=True)
class SampleTexts:
    """Texts of a dictionary: words and phrases of one language in random order, and the first English words by ID."""

    language: int
    words: list[str]
    phrases: list[str]
    english: list[str]


def read_texts(database: Path) -> SampleTexts:
    """Read a sample of words and phrases of an SQLite database, in Assamese or the language with the most words."""
    chance = random.Random(SEED)  # noqa: S311  # reproducible requests
    with sqlite3.connect(database) as connection:
        counts = dict(connection.execute("SELECT id, words FROM language"))
        language = ASSAMESE if counts[ASSAMESE] >= MIN_ASSAMESE_WORDS else max(counts, key=counts.__getitem__)
        words = [row[0] for row in connection.execute(_WORDS, (language,))]
        phrases = [row[0] for row in connection.execute(_PHRASES)]
        english = [
            row[0] for row in connection.execute("SELECT text FROM word WHERE language_id = 1 ORDER BY id LIMIT 9")
        ]
    return SampleTexts(language, _sample(words, chance), _sample(phrases, chance), english)


def _sample(texts: list[str], chance: random.Random) -> list[str]:
    return chance.sample(texts, min(SAMPLE_SIZE, len(texts)))


def _format_path(path: str, **parameters: str | int) -> str:
    return f"{path}?{urlencode(parameters)}"


def look_up_words(texts: SampleTexts) -> Iterator[str]:
    """Request existing words from dic.php, with their language."""
    return (_format_path("/api/dic.php", w=word, l=texts.language) for word in _unique_words(texts.words))


def look_up_in_any_language(texts: SampleTexts) -> Iterator[str]:
    """Request existing words from dic.php, in any language."""
    return (_format_path("/api/dic.php", w=word) for word in _unique_words(texts.words))


def look_up_several_words(texts: SampleTexts, count: int) -> Iterator[str]:
    """Request `count` words at a time from dic.php, in any language; the URLs differ from those of single words."""
    words = _unique_words(texts.words)
    return (_format_path("/api/dic.php", w=" ".join(group), l=0) for group in zip(*[words] * count, strict=False))


def _unique_words(words: list[str]) -> Iterator[str]:
    """Yield each word as typed, then all of them with appended punctuation."""
    for length in range(MAX_MARKS + 1):
        for marks in product(MARKS, repeat=length):
            yield from (word + "".join(marks) for word in words)


def repeat_look_up(texts: SampleTexts) -> Iterator[str]:
    """Request one word from dic.php repeatedly."""
    yield _format_path("/api/dic.php", w=texts.words[0])


def list_alphabet(texts: SampleTexts) -> Iterator[str]:
    """Request at least twenty words from a starting word from wordsalpha.php."""
    for limit in range(20, 26):
        for word in texts.words:
            yield _format_path("/api/wordsalpha.php", start=word, l=texts.language, lim=limit)


def find_phrases(texts: SampleTexts) -> Iterator[str]:
    """Request proverbs without their second word from check-fj.php."""
    for limit in (5, 6, 7):
        for phrase in texts.phrases:
            first, _, *rest = phrase.split()
            yield _format_path("/api/check-fj.php", fj=" ".join([first, *rest]), limit=limit)


def suggest_words(texts: SampleTexts) -> Iterator[str]:
    """Request suggestions for the first two to four letters of words."""
    for letters, limit in product((3, 4, 2), range(10, 20)):
        for beginning in dict.fromkeys(word[:letters] for word in texts.words if len(word) >= letters):
            yield _format_path("/api/suggest", q=beginning, limit=limit)


def search_misspellings(texts: SampleTexts) -> Iterator[str]:
    """Search for words with a wrong third letter."""
    for wrong in "কলত" if texts.language == ASSAMESE else "xqz":
        for word in texts.words:
            yield _format_path("/api/search", q=word[:2] + wrong + word[3:])


def open_word_pages(texts: SampleTexts) -> Iterator[str]:
    """Open the page of each word once."""
    return (f"/dic/{quote(word, safe='')}" for word in _unique_words(texts.words))


def repeat_word_page(texts: SampleTexts) -> Iterator[str]:
    """Open the page of one word repeatedly."""
    yield f"/dic/{quote(texts.words[0], safe='')}"


def open_browse_pages(texts: SampleTexts) -> Iterator[str]:
    """Open the alphabetical list at each word once."""
    return (_format_path("/browse", start=word, language=texts.language) for word in _unique_words(texts.words))


def repeat_browse_page(_: SampleTexts) -> Iterator[str]:
    """Open one page of the alphabetical list repeatedly."""
    yield "/browse"


def open_recent_pages(_: SampleTexts) -> Iterator[str]:
    """Open the newest words, with varying numbers of trailing slashes, which are ignored but bypass caches."""
    return ("/recent" + "/" * count for count in range(1, MAX_SLASHES))


def repeat_recent_page(_: SampleTexts) -> Iterator[str]:
    """Open one page of the newest words repeatedly."""
    yield "/recent"


REQUEST_GENERATORS: Final = {
    "dic.php, never asked before, `l` given": look_up_words,
    "dic.php, never asked before, `l` omitted": look_up_in_any_language,
    "dic.php, the same again": repeat_look_up,
    "wordsalpha.php, 20 words": list_alphabet,
    "check-fj.php": find_phrases,
    "suggest": suggest_words,
    "search, misspelled": search_misspellings,
    "page of a word, first time": open_word_pages,
    "page of a word, the same again": repeat_word_page,
    "page of `/browse`, first time": open_browse_pages,
    "page of `/browse`, the same again": repeat_browse_page,
    "page of `/recent`, first time": open_recent_pages,
    "page of `/recent`, the same again": repeat_recent_page,
}


def list_costly_requests(
    texts: SampleTexts, *, list_limit: int, short_limit: int, search_limit: int
) -> dict[str, Iterator[str]]:
    """Return the most expensive valid requests by name.

    Limits vary slightly, so that no request is repeated: they start at `list_limit` for lists, `short_limit` for
    suggestions and phrases, and `search_limit` for search.
    """
    words, letters = texts.words, ["ক", "ব", "s", "ম", "ত", "a", "प", "ন"]
    syllables = ["xo", "ba", "ke", "mo", "ni", "ra", "ho", "the"]
    return {
        "suggest, one letter": _repeat_requests("/api/suggest", "q", letters, limit=short_limit),
        "search, one letter": _repeat_requests("/api/search", "q", letters, limit=search_limit),
        "search, one letter, Assamese": _repeat_requests("/api/search", "q", letters, limit=search_limit, lang="as"),
        "search, 200 letters": _repeat_requests(
            "/api/search", "q", [(word * 200)[:200] for word in words[:8]], limit=search_limit
        ),
        "search, ten words": _repeat_requests(
            "/api/search", "q", [" ".join(words[n : n + 10]) for n in range(8)], limit=search_limit
        ),
        "search, common word of definitions": _repeat_requests(
            "/api/search", "q", texts.english[:8], limit=search_limit
        ),
        "words, one letter": _repeat_requests("/api/words", "search", letters, limit=list_limit),
        "words, one letter, far": _repeat_requests("/api/words", "search", letters, limit=list_limit, offset=100_000),
        "words, one letter of a language": _repeat_requests(
            "/api/words", "search", letters, limit=list_limit, language="ne"
        ),
        "words, far": _repeat_requests("/api/words", "offset", [str(100_000 - n) for n in range(8)], limit=list_limit),
        "words of a language, far": _repeat_requests(
            "/api/words", "offset", [str(100_000 - n) for n in range(8)], limit=list_limit, language="as"
        ),
        "words_recent.php": _repeat_requests("/api/words_recent.php", "l", ["0", "1", "2", "21"], limit=list_limit * 2),
        "wordsalpha.php": _repeat_requests("/api/wordsalpha.php", "start", letters, lim=list_limit),
        "wordsalpha.php, rare part of speech": _repeat_requests(
            "/api/wordsalpha.php", "start", letters, lim=list_limit, p=14, l="as"
        ),
        "dic.php, one letter": _repeat_requests("/api/dic.php", "w", letters),
        "dic.php, 200 letters": _repeat_requests("/api/dic.php", "w", [(word * 200)[:190] for word in words[:8]]),
        "dic.php, 20 words": _repeat_requests(
            "/api/dic.php", "w", [_shorten(words[n : n + 20], 9) for n in range(0, 160, 20)]
        ),
        "dic.php, 20 unknown words": _repeat_requests(
            "/api/dic.php", "w", [_shorten([word[::-1] for word in words[n : n + 20]], 8) for n in range(0, 160, 20)]
        ),
        "dic.php, 20 Roman words": _repeat_requests(
            "/api/dic.php",
            "w",
            [
                " ".join(f"{first}{middle}{last}" for first in syllables for middle in ("lik", "mon", ""))[:99]
                for last in syllables
            ],
        ),
        "check-fj.php, 500 letters": _repeat_requests(
            "/api/check-fj.php", "fj", [" ".join(texts.phrases[n : n + 30])[:500] for n in range(8)], limit=short_limit
        ),
        "tlipi.php, 500 letters": _repeat_requests(
            "/api/tlipi.php", "pa", [(f"{syllable} xobdor " * 99)[:490] for syllable in syllables]
        ),
    }


def _repeat_requests(path: str, name: str, values: list[str], **parameters: str | int) -> Iterator[str]:
    """Yield a request for each value, repeated with decreasing limits or appended punctuation."""
    for repeat in range(REPEATS):
        for value in values:
            limits = {
                key: int(limit) - repeat if key in {"limit", "lim"} else limit for key, limit in parameters.items()
            }
            yield _format_path(path, **{name: value if limits else value + "!" * repeat, **limits})


def _shorten(words: list[str], letters: int) -> str:
    return " ".join(word[:letters] for word in words)
