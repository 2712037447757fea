"""Comparison of the match classes that a look-up and a search assign to the same words."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from abhidhan.dictionary.model.query import list_spellings
from abhidhan.dictionary.service.lookup import look_up
from abhidhan.dictionary.service.search import search
from abhidhan.dictionary.store import word_rows, words
from abhidhan.platform.database.reader import ReadConnection
from assamese.romanize import romanize

MAX_RESULTS = 60
"""Maximum number of search results, more than a look-up returns for one text."""


class Disagreement(NamedTuple):
    """A word with different match classes."""

    query: str
    word: str
    looked_up: str
    searched: str


def find_disagreements(connection: ReadConnection, queries: Iterable[str]) -> list[Disagreement]:
    """Find the words to which a look-up and a search assign different match classes."""
    return [each for query in queries if query for each in _compare_matches(connection, query)]


def _compare_matches(connection: ReadConnection, query: str) -> Iterator[Disagreement]:
    of_search = {each.id: each.match.value for each in search(connection, query, None, fuzzy=True, limit=MAX_RESULTS)}
    for item in look_up(connection, query):
        if item.queryword in list_spellings(query):
            for word in item.entries:
                if of_search.get(word.id) != item.match.value:
                    yield Disagreement(query, word.word, item.match.value, of_search.get(word.id, "none"))


def list_headwords(connection: ReadConnection) -> list[str]:
    """Return the spellings of all words."""
    return [word.word for word in word_rows.load_words(connection, words.list_page(connection, 0, 100_000, 0))]


def misspell(word: str) -> Iterator[str]:
    """Yield common misspellings of a word: a letter missing, replaced or doubled, and Roman letters."""
    middle = len(word) // 2
    yield word[:middle] + word[middle + 1 :]
    yield word[:middle] + word[middle : middle + 2][::-1] + word[middle + 2 :]
    yield word[:middle] + word[middle : middle + 1] + word[middle:]
    yield romanize(word).replace(".", "")
