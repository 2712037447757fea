"""What is asked: each address with words of the dictionary measured, and the legal questions that cost most."""

import random
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

SAMPLE: Final = 80_000
MARKS: Final = "!?,;"
"""Punctuation that `dic.php` passes over: with some of it behind, a word asked for again is another question."""

MOST_MARKS: Final = 3
SEED: Final = 2013
ASSAMESE: Final = 2
FEW_WORDS: Final = 20_000
"""A dictionary with fewer Assamese words is asked for those of another language: they come to an end in a second or
two, and with punctuation behind they are another question, which takes half as long again."""

_WORDS: Final = "SELECT text FROM word WHERE language_id = ? AND length(text) > 2 AND text NOT LIKE '% %' ORDER BY id"
_PHRASES: Final = "SELECT text FROM phrase WHERE language_id = 2 AND text LIKE '% % %' ORDER BY id"


REPEATS: Final = 5
"""How often each of the costly questions is asked."""


@dataclass(frozen=True, slots=True)
class Texts:
    """Texts of a dictionary: words and phrases of one language in no order, and English words, the commonest first."""

    language: int
    words: list[str]
    phrases: list[str]
    english: list[str]


def read_texts(database: Path) -> Texts:
    """Read some words and phrases of an SQLite database: Assamese ones, or of the language that has most words."""
    chance = random.Random(SEED)  # noqa: S311  # the same questions every time are what is wanted
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
    """Ask dic.php for words that are there, in their language."""
    return (_address("/api/dic.php", w=word, l=texts.language) for word in _never_asked(texts.words))


def look_ups_anywhere(texts: Texts) -> Iterator[str]:
    """Ask dic.php for the same words in whatever language."""
    return (_address("/api/dic.php", w=word) for word in _never_asked(texts.words))


def look_ups_of_several_words(texts: Texts, count: int) -> Iterator[str]:
    """Ask dic.php for `count` words in one request, in any language; the addresses differ from those of one word."""
    words = _never_asked(texts.words)
    return (_address("/api/dic.php", w=" ".join(some), l=0) for some in zip(*[words] * count, strict=False))


def _never_asked(words: list[str]) -> Iterator[str]:
    """Return each word as people type it; only when all have been asked for, with punctuation behind."""
    for length in range(MOST_MARKS + 1):
        for marks in product(MARKS, repeat=length):
            yield from (word + "".join(marks) for word in words)


def one_look_up(texts: Texts) -> Iterator[str]:
    """Ask dic.php for the same word always."""
    yield _address("/api/dic.php", w=texts.words[0])


def alphabet(texts: Texts) -> Iterator[str]:
    """Ask wordsalpha.php for the twenty words from some word on."""
    for limit in range(20, 26):
        for word in texts.words:
            yield _address("/api/wordsalpha.php", start=word, l=texts.language, lim=limit)


def phrases(texts: Texts) -> Iterator[str]:
    """Ask check-fj.php for proverbs with their second word left out."""
    for limit in (5, 6, 7):
        for phrase in texts.phrases:
            first, _, *others = phrase.split()
            yield _address("/api/check-fj.php", fj=" ".join([first, *others]), limit=limit)


def beginnings(texts: Texts) -> Iterator[str]:
    """Ask suggest for the first two to four letters of words."""
    for letters, limit in product((3, 4, 2), range(10, 20)):
        for beginning in dict.fromkeys(word[:letters] for word in texts.words if len(word) >= letters):
            yield _address("/api/suggest", q=beginning, limit=limit)


def misspelled(texts: Texts) -> Iterator[str]:
    """Ask search for words whose third letter is wrong."""
    for wrong in "কলত" if texts.language == ASSAMESE else "xqz":
        for word in texts.words:
            yield _address("/api/search", q=word[:2] + wrong + word[3:])


QUESTIONS: Final = {
    "dic.php, never asked before, `l` given": look_ups,
    "dic.php, never asked before, `l` omitted": look_ups_anywhere,
    "dic.php, the same again": one_look_up,
    "wordsalpha.php, 20 words": alphabet,
    "check-fj.php": phrases,
    "suggest": beginnings,
    "search, misspelled": misspelled,
}


def costly(texts: Texts, *, least: int, short: int, usual: int) -> dict[str, Iterator[str]]:
    """List the legal questions that cost most.

    Limits differ by a few, so that no answer is asked for twice: they begin at `least` for lists, `short` for
    suggestions and phrases, and `usual` for search.
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
    """Ask about each value in turn, and then again with limits that are one less or a mark that does not count."""
    for repeat in range(REPEATS):
        for value in values:
            others = {
                key: int(limit) - repeat if key in {"limit", "lim"} else limit for key, limit in parameters.items()
            }
            yield _address(path, **{name: value if others else value + "!" * repeat, **others})


def _cut(words: list[str], letters: int) -> str:
    return " ".join(word[:letters] for word in words)
