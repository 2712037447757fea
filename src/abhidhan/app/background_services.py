"""Background services of a worker: downloads, index backfill, mails."""

import os
from collections.abc import Callable, Iterable
from contextlib import AbstractAsyncContextManager
from functools import partial
from pathlib import Path

from litestar import Litestar

from abhidhan.app.download_publisher import DownloadPublisher, PackSettings
from abhidhan.app.index_backfill import IndexBackfill
from abhidhan.app.setting_checks import select_download_formats
from abhidhan.app.wiring import open_mailer
from abhidhan.contributions.service.mail_delivery import MailDelivery, MailSite
from abhidhan.people.pages.mails import build_translator
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.shared_limits import SharedLimits
from abhidhan.platform.http.urls import build_absolute_url, word_address
from abhidhan.platform.runtime.files import create_private_folder
from abhidhan.platform.runtime.task_scope import run_tasks
from abhidhan.platform.sandbox.artifact_store import ArtifactStore
from abhidhan.records.settings import Settings

BackgroundService = DownloadPublisher | IndexBackfill | MailDelivery | SharedLimits


def build_background_services(settings: Settings, database: Database) -> tuple[BackgroundService, ...]:
    """Build the background services of a worker."""
    return (
        _build_publisher(settings, database),
        _build_index_backfill(settings, database),
        build_mail_delivery(settings, database),
    )


def run_background_services(
    database: Database, services: Iterable[BackgroundService]
) -> AbstractAsyncContextManager[None]:
    """Run the periodic tasks of the services during the block; they pause while the database is read-only."""
    tasks = [task for part in services for task in part.periodic_tasks()]
    return run_tasks(tasks, lambda: not database.is_read_only)


def as_lifespans(
    *managers: Callable[[], AbstractAsyncContextManager[None]],
) -> list[Callable[[Litestar], AbstractAsyncContextManager[None]]]:
    """Convert context managers to Litestar lifespans: functions that take the application."""
    return [partial(_call_manager, manager) for manager in managers]


def _call_manager(
    manager: Callable[[], AbstractAsyncContextManager[None]], _: Litestar
) -> AbstractAsyncContextManager[None]:
    return manager()


def _build_publisher(settings: Settings, database: Database) -> DownloadPublisher:
    return DownloadPublisher(
        database,
        ArtifactStore(settings.download_location),
        ensure_run_folder(settings) / "publisher.lock",
        interval_hours=settings.downloads_hours,
        formats=select_download_formats(settings),
        languages=settings.download_language_codes,
        packs=PackSettings(ArtifactStore(settings.pack_location), settings.pack_pairs),
        environment=_build_child_environment(settings),
    )


def _build_index_backfill(settings: Settings, database: Database) -> IndexBackfill:
    return IndexBackfill(
        database, ensure_run_folder(settings) / "filling.lock", environment=_build_child_environment(settings)
    )


def build_mail_delivery(settings: Settings, database: Database) -> MailDelivery:
    """Build the mail delivery. Links in mails need the site's URL, so no mails are sent without it."""
    base = settings.base_url
    site = MailSite(base, build_translator, lambda word: build_absolute_url(base, word_address(word)))
    return MailDelivery(database, open_mailer(settings) if base else None, site)


def _build_child_environment(settings: Settings) -> dict[str, str]:
    """Return the environment variables for a command that opens this server's dictionary."""
    variables = {"ABHIDHAN_HOME": str(settings.home), "ABHIDHAN_DATABASE": settings.database_url}
    if settings.database_direct:
        variables["ABHIDHAN_DATABASE_DIRECT"] = settings.database_direct
    return os.environ | variables


def ensure_run_folder(settings: Settings) -> Path:
    """Return the folder of files that running workers share; create it if it is missing."""
    create_private_folder(settings.run_folder)
    return settings.run_folder
