"""What whoever watches over the server is told, gathered from the parts that count it."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Protocol

from abhidhan.bootstrap.beside import Beside
from abhidhan.domain.figures import Figure
from abhidhan.media.made_store import MadeStore
from abhidhan.services.mail_delivery import MailDelivery
from abhidhan.services.watching import Places, Watching
from abhidhan.settings import Settings
from abhidhan.storage.engine.database import Database


class Counting(Protocol):
    """A part that counts something."""

    def figures(self) -> list[Figure]:
        """Return what was counted."""
        ...


def figures_of(*parts: Counting, beside: Iterable[Beside]) -> Callable[[], list[Figure]]:
    """Return what tells the figures of one worker."""
    return partial(_figures, (*parts, *(each for each in beside if isinstance(each, MailDelivery))))


def _figures(parts: Sequence[Counting]) -> list[Figure]:
    return [figure for part in parts for figure in part.figures()]


def watching(settings: Settings, database: Database) -> Watching:
    """Make what tells the state of data and files."""
    return Watching(database, _places(settings))


def _places(settings: Settings) -> Places:
    made = MadeStore(settings.download_place), MadeStore(settings.pack_place)
    return Places(settings.home, settings.backups, *made)
