"""Collect the words of Karbi, Kok-Borok and Ao with their meanings, as a client of XOBDO does.

    python tests/clients/collect_languages.py http://127.0.0.1:8080/2025-web/api

It knows XOBDO's numbers of languages and the keys `word`, `pos`, `posDesc` and `meanings`, and prints one line of
JSON for each word.
"""

import json
import sys
from collections.abc import Iterator
from string import ascii_lowercase
from typing import Any
from urllib.parse import urlencode
from urllib.request import urlopen

LANGUAGES = {"Karbi": 10, "Kok-Borok": 12, "Ao": 17}
FULL = 50


def ask(base: str, language: int, prefix: str) -> list[dict[str, Any]]:
    """Return the first 50 records of words that begin with a prefix."""
    query = {"start": prefix, "end": f"{prefix}zz", "l": language, "p": 0}
    with urlopen(f"{base}/wordsalpha.php?{urlencode(query)}") as answer:  # noqa: S310  # an address of ours
        words: list[dict[str, Any]] = json.load(answer)["data"]["words"]
        return words


def collect(base: str, language: int, prefix: str, found: dict[str, dict[str, Any]]) -> None:
    """Collect the words that begin with a prefix; where an answer is full, those of each longer prefix too."""
    words = ask(base, language, prefix)
    found.update((word["word"], word) for word in words)
    if len(words) == FULL:
        for letter in ascii_lowercase:
            collect(base, language, prefix + letter, found)


def lines(base: str) -> Iterator[str]:
    """Yield a line for each word."""
    for name, language in LANGUAGES.items():
        found: dict[str, dict[str, Any]] = {}
        for letter in ascii_lowercase:
            collect(base, language, letter, found)
        for text, word in found.items():
            meanings = [f"{each['posDesc']}: {each['text']}" for each in word["meanings"]]
            yield json.dumps([name, text, word["pos"], word["posDesc"], meanings], ensure_ascii=False)


def main() -> None:
    """Print all words."""
    for line in lines(sys.argv[1]):
        print(line)


if __name__ == "__main__":
    main()
