"""Measure how well misspelled Assamese words of the whole starter dictionary are found.

Run: python -m tools.evaluate_misspelled

Each single-word headword is queried twice: with a similar-sounding letter, and with a slip, unless the result is
another headword. Queries specify no language. Reports how often the word is the first entry, and how often it is among
the entries or suggestions.
"""

import random
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple
from zlib import crc32

from abhidhan.dictionary.service.lookup import look_up
from abhidhan.dictionary.store.words import SortKeyRange, list_alphabetically
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.languages import ASSAMESE
from assamese.keys import exact_key
from tools.evaluate import open_whole_starter
from tools.ranking import misspelling

SEED: Final = 44
MAX_WORDS: Final = 1_000_000


class Misspelling(NamedTuple):
    """A misspelled text and the headword from which it was made."""

    text: str
    headword: str


class MisspellingShares(NamedTuple):
    """Shares of misspellings whose word is the first entry, and whose word is any entry or suggestion."""

    first_share: float
    found_share: float


def misspell_headwords(connection: ReadConnection, step: int = 1) -> list[Misspelling]:
    """Misspell every single-word headword, or about one in `step` of them, chosen by checksum."""
    rows = list_alphabetically(connection, SortKeyRange(ASSAMESE, b"", ""), None, MAX_WORDS)
    headwords = [row.text for row in rows if " " not in row.text]
    keys = frozenset(map(exact_key, headwords))
    chosen = (word for word in headwords if crc32(word.encode()) % step == 0)
    return [sample for word in chosen for sample in _misspell(word, keys)]


def _misspell(word: str, headwords: frozenset[str]) -> Iterator[Misspelling]:
    chance = random.Random(f"{SEED} {word}")  # noqa: S311  # the same misspellings every time
    for kind in (misspelling.iter_confusions, misspelling.iter_slips):
        texts = sorted({text for _, text in kind(word) if exact_key(text) not in headwords})
        if texts:
            yield Misspelling(chance.choice(texts), word)


def measure(connection: ReadConnection, misspellings: Sequence[Misspelling]) -> MisspellingShares:
    """Look misspellings up; return the shares for which the headword is found."""
    first = found = 0
    for sample in misspellings:
        item = look_up(connection, sample.text)[0]
        entries = [entry.word for entry in item.entries]
        first += entries[:1] == [sample.headword]
        found += sample.headword in {*entries, *(suggestion.word for suggestion in item.suggestions)}
    return MisspellingShares(first / len(misspellings), found / len(misspellings))


def main() -> None:
    """Print the shares."""
    with open_whole_starter() as database:
        misspellings = database.read_now(misspell_headwords)
        shares = database.read_now(lambda reader: measure(reader, misspellings))
    print(f"misspelled words of the whole starter: {len(misspellings)}")
    print(f"  first {shares.first_share:.1%}, among entries and suggestions {shares.found_share:.1%}")


if __name__ == "__main__":
    main()
