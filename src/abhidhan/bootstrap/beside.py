"""What a worker does beside the requests: files to download, the cache of ideas, mails."""

import os
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Protocol

from litestar import Litestar

from abhidhan.background import going_on, run_while
from abhidhan.bootstrap.filling import Filling
from abhidhan.bootstrap.publisher import PacksWanted, Publisher
from abhidhan.bootstrap.services import open_mailer
from abhidhan.disk import make_private_folder
from abhidhan.media.made_store import MadeStore
from abhidhan.services.mail_delivery import MailDelivery
from abhidhan.services.mail_writing import MailSite
from abhidhan.settings import Settings
from abhidhan.storage.engine.database import Database
from abhidhan.web.pages.addresses import absolute, word_address
from abhidhan.web.pages.mails import voice_of

Beside = Publisher | Filling | MailDelivery


def beside_requests(settings: Settings, database: Database) -> tuple[Beside, ...]:
    """Make all that a worker does beside the requests."""
    return _publisher(settings, database), _filling(settings, database), mail_delivery(settings, database)


class Running(Protocol):
    """A part that does something as long as the application runs."""

    def running(self) -> AbstractAsyncContextManager[None]:
        """Do it meanwhile."""
        ...


def running_with(*parts: Running) -> list[Callable[[Litestar], AbstractAsyncContextManager[None]]]:
    """Let parts run while the application does."""
    return [partial(_run, part) for part in parts]


class WhileWritable:
    """Parts that write, which run while the application does and the database is no standby."""

    def __init__(self, database: Database, *parts: Running) -> None:
        """Take the parts."""
        self._database = database
        self._parts = parts

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Run each part whenever the database can be written."""
        async with going_on(*(run_while(self._is_writable, part.running) for part in self._parts)):
            yield

    def _is_writable(self) -> bool:
        return not self._database.is_read_only


def _run(part: Running, _: Litestar) -> AbstractAsyncContextManager[None]:
    return part.running()


def _publisher(settings: Settings, database: Database) -> Publisher:
    return Publisher(
        database,
        MadeStore(settings.download_place),
        run_folder(settings) / "publisher.lock",
        hours=settings.downloads_hours,
        languages=settings.languages_of_downloads,
        packs=PacksWanted(MadeStore(settings.pack_place), settings.pairs_of_packs),
        environment=_of_this_dictionary(settings),
    )


def _filling(settings: Settings, database: Database) -> Filling:
    return Filling(database, run_folder(settings) / "filling.lock", environment=_of_this_dictionary(settings))


def mail_delivery(settings: Settings, database: Database) -> MailDelivery:
    """Make what sends mails. Their links need the address of the site: without it they are not sent."""
    base = settings.base_url
    site = MailSite(base, voice_of, lambda word: absolute(base, word_address(word)))
    return MailDelivery(database, open_mailer(settings) if base else None, site)


def _of_this_dictionary(settings: Settings) -> dict[str, str]:
    """Return the environment in which a command works on the dictionary of this server."""
    of_this = {"ABHIDHAN_HOME": str(settings.home), "ABHIDHAN_DATABASE": settings.database_url}
    if settings.database_direct:
        of_this["ABHIDHAN_DATABASE_DIRECT"] = settings.database_direct
    return os.environ | of_this


def run_folder(settings: Settings) -> Path:
    """Return the folder of what workers share while they run; it is made if it is not there."""
    make_private_folder(settings.run_folder)
    return settings.run_folder
