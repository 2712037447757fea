"""Builds the services (accounts, photos, editing and others) from the settings, for server and commands."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from abhidhan.app.personal_data_export import PersonalData
from abhidhan.app.retention import RetentionTasks
from abhidhan.contributions.service.submissions import Submissions
from abhidhan.dictionary.service.missing_words import WRITE_INTERVAL_SECONDS, MissingWords
from abhidhan.editing.service.editing import Editing
from abhidhan.exchange.service.list_files import CardSetDecks, ListFiles
from abhidhan.exchange.service.recording_exports import RecordingReader
from abhidhan.media.service.photos import Photos
from abhidhan.media.service.recordings import Recordings
from abhidhan.media.service.uploads import UploadLimiter
from abhidhan.people.model.two_factor import TwoFactorRule
from abhidhan.people.service.account_context import AccountRules
from abhidhan.people.service.accounts import Accounts
from abhidhan.people.service.mails import Mails
from abhidhan.people.service.saved_lists import SavedLists
from abhidhan.people.service.tokens import Tokens
from abhidhan.platform.database.database import Database
from abhidhan.platform.http.authentication import IdentityProvider
from abhidhan.platform.http.services import ServiceRegistry
from abhidhan.platform.runtime.passwords import Passwords
from abhidhan.platform.runtime.smtp import Mailer, parse_mail_server
from abhidhan.platform.runtime.task_scope import PeriodicTask, run_tasks
from abhidhan.platform.sandbox import sandboxed_processing
from abhidhan.platform.sandbox.artifact_store import ArtifactStore
from abhidhan.platform.sandbox.memory_budget import MemoryBudget
from abhidhan.platform.sandbox.object_store import PHOTO_STORE, RECORDING_STORE, open_file_store
from abhidhan.platform.sandbox.sandboxed_processing import UploadProcessor
from abhidhan.publishing.service.downloads import DownloadFiles
from abhidhan.publishing.service.packs import PackFiles
from abhidhan.records.errors import SettingError
from abhidhan.records.people import SessionRules, SignUp
from abhidhan.records.settings import Settings
from abhidhan.records.submissions import Quotas
from abhidhan.records.timestamps import DAY_SECONDS, HOUR_SECONDS

MEBIBYTE = 1_048_576


@dataclass(frozen=True, slots=True)
class WriteServices:
    """All services that write."""

    database: Database
    accounts: Accounts
    tokens: Tokens
    mails: Mails
    saved_lists: SavedLists
    photos: Photos
    recordings: Recordings
    passwords: Passwords
    submissions: Submissions
    editing: Editing
    personal_data: PersonalData
    retention: RetentionTasks
    missing_words: MissingWords | None

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Run the periodic tasks during the block, while the database is writable; then close the services."""
        try:
            async with run_tasks(self.periodic_tasks(), lambda: not self.database.is_read_only):
                yield
        finally:
            await self.close()

    def periodic_tasks(self) -> list[PeriodicTask]:
        """Return the hourly tasks, and the task that stores missing words."""
        hourly = {
            "removing old changes": self.retention.delete_old_changes,
            "removing expired tokens": self.retention.delete_expired_tokens,
            "choosing the words of the next days": self.retention.choose_upcoming_words,
            "purging photos": self.photos.cleanup.purge,
            "sweeping photos": self.photos.cleanup.sweep,
            "purging recordings": self.recordings.cleanup.purge,
            "sweeping recordings": self.recordings.cleanup.sweep,
        }
        tasks = [PeriodicTask(name, function, HOUR_SECONDS) for name, function in hourly.items()]
        if self.missing_words is not None:
            flush = self.missing_words.flush
            tasks.append(
                PeriodicTask("missing words", flush, WRITE_INTERVAL_SECONDS, first_delay_seconds=WRITE_INTERVAL_SECONDS)
            )
        return tasks

    async def close(self) -> None:
        """Wait for running jobs, and close the services."""
        await self.accounts.context.finish()
        await self.tokens.finish()
        if self.missing_words is not None:
            await self.missing_words.finish()
        await self.photos.close()
        await self.recordings.close()
        self.passwords.close()


def build_write_services(settings: Settings, database: Database) -> WriteServices:
    """Build all services that write. Raises SettingError."""
    passwords = Passwords()
    rules = AccountRules(
        sign_up=SignUp(settings.sign_up),
        sessions=SessionRules(settings.session_idle_days * DAY_SECONDS, settings.session_days * DAY_SECONDS),
        base_url=settings.base_url,
        two_factor=TwoFactorRule(settings.two_factor),
        contact=settings.contact,
    )
    accounts = Accounts(database, passwords, rules=rules, mailer=open_mailer(settings))
    quotas = Quotas(
        settings.pending_photos, settings.pending_submissions, settings.pending_reports, settings.pending_recordings
    )
    photos, recordings = _open_upload_services(settings, database, quotas)
    return WriteServices(
        database=database,
        accounts=accounts,
        tokens=Tokens(database, accounts),
        mails=Mails(database, is_possible=bool(settings.smtp and settings.base_url)),
        saved_lists=SavedLists(database),
        photos=photos,
        recordings=recordings,
        passwords=passwords,
        submissions=Submissions(database, quotas=quotas, licence=settings.contribution_licence),
        editing=Editing(database),
        personal_data=PersonalData(database, accounts, photos, recordings),
        retention=RetentionTasks(database),
        missing_words=MissingWords(database) if settings.missing_words else None,
    )


def build_handler_services(settings: Settings, database: Database, services: WriteServices) -> ServiceRegistry:
    """Register the services that request handlers call."""
    accounts, tokens, read_sound = services.accounts, services.tokens, services.recordings.read_approved
    return ServiceRegistry(
        IdentityProvider(
            accounts.sessions.authenticate, tokens.authenticate, accounts.context.rules.sessions.max_age_seconds
        ),
        accounts,
        tokens,
        services.mails,
        services.saved_lists,
        services.personal_data,
        services.submissions,
        services.editing,
        services.photos,
        services.recordings,
        UploadLimiter(settings.workers),
        DownloadFiles(ArtifactStore(settings.download_location)),
        PackFiles(ArtifactStore(settings.pack_location)),
        CardSetDecks(database, read_sound),
        ListFiles(database, read_sound),
        base_url=settings.base_url,
        page_languages=settings.page_language_codes,
    )


def _open_upload_services(settings: Settings, database: Database, quotas: Quotas) -> tuple[Photos, Recordings]:
    max_concurrent = max(1, (os.cpu_count() or 1) // settings.workers)
    # Photos and recordings share one memory budget. Two budgets in one process would not see each other: file locks
    # belong to the process, and are released when any of its descriptors is closed.
    budget = MemoryBudget(settings.run_folder / "photo-memory", settings.photo_memory_mb * MEBIBYTE)
    options: dict[str, Any] = {
        "rejected_days": settings.rejected_photo_days,
        "quotas": quotas,
        "licence": settings.contribution_licence,
    }
    photos = Photos(
        database,
        open_file_store(settings.photos, settings.photo_folder, PHOTO_STORE),
        UploadProcessor(sandboxed_processing.PHOTO_KIND, max_concurrent, budget),
        **options,
    )
    recordings = Recordings(
        database,
        open_file_store(settings.recordings, settings.recording_folder, RECORDING_STORE),
        UploadProcessor(sandboxed_processing.RECORDING_KIND, max_concurrent, budget),
        **options,
    )
    return photos, recordings


def open_recording_reader(settings: Settings, database: Database) -> RecordingReader:
    """Return the object through which exports read recordings; it opens the store of recordings on first use."""
    return RecordingReader(
        database, partial(open_file_store, settings.recordings, settings.recording_folder, RECORDING_STORE)
    )


def open_mailer(settings: Settings) -> Mailer | None:
    """Create the sender of e-mails; None if no mail server is configured. Raises SettingError."""
    if not settings.smtp:
        return None
    if not settings.mail_from:
        raise SettingError("ABHIDHAN_MAIL_FROM is missing: ABHIDHAN_SMTP needs a sender address.")
    return Mailer(parse_mail_server(settings.smtp), settings.mail_from)
