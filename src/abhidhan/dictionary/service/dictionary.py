"""The dictionary as handlers read it: the database, and the few things that live as long as the application."""

from collections.abc import Callable
from random import Random, SystemRandom
from typing import Concatenate, Final, ParamSpec, TypeVar

from abhidhan.dictionary.service.field_resolution import Translate
from abhidhan.dictionary.service.missing_words import MissingWords
from abhidhan.dictionary.service.wildcard_search import WildcardQueue
from abhidhan.dictionary.service.word_of_the_day import Calendar
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import Reader
from abhidhan.records.catalogue import Catalogue

T = TypeVar("T")
P = ParamSpec("P")
Job = Callable[Concatenate[Reader, P], T]
"""A function that reads: it takes a reader first."""

MAX_INLINE_LIST: Final = 10
"""Longer lists are read in a thread: a word takes a tenth of a millisecond, and no other request waits."""


class Dictionary:
    """What reading needs. All that a job reads is of one moment.

    `translate` returns the names of lists and languages as readers of Assamese write them. `missing_words` counts
    the words that were not found; None: nobody counts them.
    """

    def __init__(
        self,
        database: Database,
        translate: Translate = str,
        missing_words: MissingWords | None = None,
    ) -> None:
        """Read from a database."""
        self.database = database
        self.translate = translate
        self.missing_words = missing_words
        self.calendar = Calendar(database)
        self.wildcard_queue = WildcardQueue()
        self.random: Random = SystemRandom()

    async def read(self, job: Job[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a job of a few short statements: on SQLite on the event loop."""
        return await self.database.read(lambda reader: job(reader, *args, **kwargs))

    async def read_in_thread(self, job: Job[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a job that may take long in a thread."""
        return await self.database.read(lambda reader: job(reader, *args, **kwargs), long=True)

    async def read_list(self, limit: int, job: Job[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a job that lists at most `limit` words: in a thread unless they are few."""
        return await self.database.read(lambda reader: job(reader, *args, **kwargs), long=limit > MAX_INLINE_LIST)

    async def catalogue(self) -> Catalogue:
        """Read the languages, lists and sources."""
        return await self.read(_catalogue)

    def known_languages(self, codes: tuple[str, ...]) -> tuple[str, ...]:
        """Leave out the codes of unknown languages, such as one removed since a reader chose it.

        Nothing is read: every page has just needed the catalogue.
        """
        catalogue = self.database.catalogue_read_last
        return codes if catalogue is None else tuple(code for code in codes if catalogue.find_language(code))


def _catalogue(reader: Reader) -> Catalogue:
    return reader.catalogue
