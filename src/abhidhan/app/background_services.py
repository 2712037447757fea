"""Background services of a worker: downloads, index backfill, mails."""

import os
from collections.abc import Callable, Iterable
from contextlib import AbstractAsyncContextManager
from functools import partial
from pathlib import Path

from litestar import Litestar

from abhidhan.app.download_publisher import PackSettings, Publisher
from abhidhan.app.index_backfill import IndexBackfill
from abhidhan.app.wiring import open_mailer
from abhidhan.contributions.service.mail_delivery import MailDelivery, MailSite
from abhidhan.people.pages.mails import translator_of
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.shared_limits import SharedLimits
from abhidhan.platform.http.urls import absolute, word_address
from abhidhan.platform.runtime.files import make_private_folder
from abhidhan.platform.runtime.task_scope import run_tasks
from abhidhan.platform.sandbox.artifact_store import ArtifactStore
from abhidhan.records.settings import Settings

BackgroundService = Publisher | IndexBackfill | MailDelivery | SharedLimits


def build_background_services(settings: Settings, database: Database) -> tuple[BackgroundService, ...]:
    """Build the background services of a worker."""
    return _publisher(settings, database), _index_backfill(settings, database), mail_delivery(settings, database)


def run_background_services(
    database: Database, parts: Iterable[BackgroundService]
) -> AbstractAsyncContextManager[None]:
    """Run the periodic tasks of the services during the block; they pause while the database is read-only."""
    tasks = [task for part in parts for task in part.periodic_tasks()]
    return run_tasks(tasks, lambda: not database.is_read_only)


def as_lifespans(
    *managers: Callable[[], AbstractAsyncContextManager[None]],
) -> list[Callable[[Litestar], AbstractAsyncContextManager[None]]]:
    """Convert context managers to Litestar lifespans: functions that take the application."""
    return [partial(_enter, manager) for manager in managers]


def _enter(manager: Callable[[], AbstractAsyncContextManager[None]], _: Litestar) -> AbstractAsyncContextManager[None]:
    return manager()


def _publisher(settings: Settings, database: Database) -> Publisher:
    return Publisher(
        database,
        ArtifactStore(settings.download_location),
        run_folder(settings) / "publisher.lock",
        hours=settings.downloads_hours,
        languages=settings.languages_of_downloads,
        packs=PackSettings(ArtifactStore(settings.pack_location), settings.pairs_of_packs),
        environment=_child_environment(settings),
    )


def _index_backfill(settings: Settings, database: Database) -> IndexBackfill:
    return IndexBackfill(database, run_folder(settings) / "filling.lock", environment=_child_environment(settings))


def mail_delivery(settings: Settings, database: Database) -> MailDelivery:
    """Build the mail delivery. Links in mails need the site's URL, so no mails are sent without it."""
    base = settings.base_url
    site = MailSite(base, translator_of, lambda word: absolute(base, word_address(word)))
    return MailDelivery(database, open_mailer(settings) if base else None, site)


def _child_environment(settings: Settings) -> dict[str, str]:
    """Return the environment variables for a command that opens this server's dictionary."""
    variables = {"ABHIDHAN_HOME": str(settings.home), "ABHIDHAN_DATABASE": settings.database_url}
    if settings.database_direct:
        variables["ABHIDHAN_DATABASE_DIRECT"] = settings.database_direct
    return os.environ | variables


def run_folder(settings: Settings) -> Path:
    """Return the folder of files that running workers share; create it if it is missing."""
    make_private_folder(settings.run_folder)
    return settings.run_folder
