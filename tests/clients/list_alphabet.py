"""List every word of a language as a client of XOBDO does that knows only the address of the service.

    python tests/clients/list_alphabet.py http://127.0.0.1:8080/2025-web/api 2

It asks `wordsalpha.php` for all words between a prefix and the prefix with "zz". A full answer of 50 words may lack
some, so the client asks again for each prefix that is a letter longer.
"""

import json
import sys
from collections.abc import Iterator
from urllib.parse import urlencode
from urllib.request import urlopen

FULL = 50
SIGNS = "ঁংঃািীুূৃেৈোৌ্"
LETTERS = "অআইঈউঊঋএঐওঔকখগঘঙচছজঝঞটঠডঢণতৎথদধনপফবভমযৰলৱশষসহ"
OWN_LETTERS = ("ক্ষ", "ড়", "ঢ়", "য়")
"""Letters of the Assamese alphabet that computers write with several characters."""

ALPHABET = (*SIGNS, *LETTERS, *OWN_LETTERS)


def ask(base: str, language: str, prefix: str) -> list[str]:
    """Return the words that begin with a prefix, the first 50 of them."""
    query = {"start": prefix, "end": f"{prefix}zz", "l": language, "p": 0}
    with urlopen(f"{base}/wordsalpha.php?{urlencode(query)}") as answer:  # noqa: S310  # an address of ours
        return [word["word"] for word in json.load(answer)["data"]["words"]]


def words_below(base: str, language: str, prefix: str) -> Iterator[str]:
    """Yield the words that begin with a prefix."""
    words = ask(base, language, prefix)
    if len(words) < FULL:
        yield from words
        return
    # What follows the prefix with no letter (a space, a hyphen, nothing) stands first in the alphabet.
    yield from (word for word in words if not word.removeprefix(prefix).startswith(ALPHABET))
    for letter in ALPHABET:
        yield from words_below(base, language, prefix + letter)


def main() -> None:
    """Print every word on a line."""
    base, language = sys.argv[1:]
    # Some letters are kinds of another one to the service (য় of য), and found below both.
    words = dict.fromkeys(word for letter in ALPHABET for word in words_below(base, language, letter))
    for word in words:
        print(word)


if __name__ == "__main__":
    main()
