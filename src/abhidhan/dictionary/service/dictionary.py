"""Read access for handlers: the database, and objects that live as long as the application."""

from collections.abc import Callable
from random import Random, SystemRandom
from typing import Concatenate, Final, ParamSpec, TypeVar

from abhidhan.dictionary.service.field_resolution import Translate
from abhidhan.dictionary.service.missing_words import MissingWords
from abhidhan.dictionary.service.wildcard_search import WildcardQueue
from abhidhan.dictionary.service.word_of_the_day import Calendar
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.catalogue import Catalogue

T = TypeVar("T")
P = ParamSpec("P")
Job = Callable[Concatenate[ReadConnection, P], T]
"""Function that reads the database; its first parameter is the connection."""

MAX_INLINE_WORDS: Final = 10
"""Maximum number of words read on the event loop, at about 0.1 ms each; longer lists are read in a thread."""


class Dictionary:
    """Read access to the database for handlers. Each job reads from one consistent snapshot.

    `translate` returns the Assamese names of list values and languages. `missing_words` counts the words that were not
    found; None disables counting.
    """

    def __init__(
        self,
        database: Database,
        translate: Translate = str,
        missing_words: MissingWords | None = None,
    ) -> None:
        """Initialise with a database."""
        self.database = database
        self.translate = translate
        self.missing_words = missing_words
        self.calendar = Calendar(database)
        self.wildcard_queue = WildcardQueue()
        self.random: Random = SystemRandom()

    async def read(self, job: Job[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a job of a few short statements; with SQLite, on the event loop."""
        return await self.database.read(lambda reader: job(reader, *args, **kwargs))

    async def read_in_thread(self, job: Job[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a potentially long job in a thread."""
        return await self.database.read(lambda reader: job(reader, *args, **kwargs), long=True)

    async def read_list(self, limit: int, job: Job[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a job that lists at most `limit` words, in a thread if there may be more than MAX_INLINE_WORDS."""
        return await self.database.read(lambda reader: job(reader, *args, **kwargs), long=limit > MAX_INLINE_WORDS)

    async def catalogue(self) -> Catalogue:
        """Return the catalogue of languages, lists and sources."""
        return await self.read(_get_catalogue)

    def filter_known_languages(self, codes: tuple[str, ...]) -> tuple[str, ...]:
        """Drop the codes of unknown languages, such as one removed since the user chose it.

        Uses the last loaded catalogue, without a query, as every page has just loaded it.
        """
        catalogue = self.database.last_catalogue
        return codes if catalogue is None else tuple(code for code in codes if catalogue.find_language(code))


def _get_catalogue(connection: ReadConnection) -> Catalogue:
    return connection.catalogue
