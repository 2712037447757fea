"""The ASGI application of each worker, built from the settings."""

import asyncio
import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path
from typing import Final

from litestar import Litestar
from litestar.datastructures import State
from litestar.di import Provide
from litestar.openapi.spec import OpenAPI
from litestar.types import ASGIApp, ControllerRouterHandler

from abhidhan.app.api_handlers import COMPAT_HANDLERS, REMOVED_ADDRESSES, REST_HANDLERS
from abhidhan.app.background_services import (
    BackgroundService,
    as_lifespans,
    build_background_services,
    run_background_services,
    run_folder,
)
from abhidhan.app.database import open_for_serving
from abhidhan.app.documentation.handlers import Documentation, documentation_handlers, write_documentation
from abhidhan.app.documentation.openapi import describe
from abhidhan.app.health import HealthMetrics, MonitoredPaths, health_handlers
from abhidhan.app.page_handlers import PAGES_HANDLERS
from abhidhan.app.wiring import build_write_services, services_of_handlers
from abhidhan.dictionary.pages import recent
from abhidhan.dictionary.service import browse, completions, lookup, search
from abhidhan.dictionary.service.dictionary import Dictionary
from abhidhan.dictionary.service.lookup_lists import ALL_LANGUAGES_PARAM
from abhidhan.encyclopedia.service import articles
from abhidhan.people.service.tokens import Tokens
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.platform.database.shared_limits import SharedLimits
from abhidhan.platform.http.address_tree import AddressTree
from abhidhan.platform.http.authentication import client_name_finder
from abhidhan.platform.http.client_address import TrustedProxies
from abhidhan.platform.http.connections import Draining, close_unread_connections
from abhidhan.platform.http.errors import exception_handlers
from abhidhan.platform.http.json_codec import CleanRequest, JsonAnswer
from abhidhan.platform.http.logging import AccessLog, configure_logging
from abhidhan.platform.http.middleware import Edge
from abhidhan.platform.http.parameters import require_canonical_ids
from abhidhan.platform.http.preferences import in_assamese, remember_request
from abhidhan.platform.http.public_reads import public_reads
from abhidhan.platform.http.rate_limit import Limiter, Rate
from abhidhan.platform.http.rendering import Pages, warm_up
from abhidhan.platform.http.request_bodies import Deadlines, RequestBodies
from abhidhan.platform.http.telemetry import Observer, metrics_handler
from abhidhan.platform.runtime.files import refuse_unwritable
from abhidhan.platform.runtime.metrics import WorkerFiles, open_worker_files
from abhidhan.platform.sandbox.artifact_store import ArtifactStore
from abhidhan.publishing.pages import packs
from abhidhan.records.errors import AbhidhanError, SettingError
from abhidhan.records.lazy_json import LazyList, as_json
from abhidhan.records.settings import Settings
from abhidhan.records.settings_reading import read_settings

API_HANDLERS: Final = (*COMPAT_HANDLERS, *REST_HANDLERS)

STANDARD_ERROR: Final = 2
"""The file descriptor to which the access log is written."""

WARM_UP_QUERIES: Final[tuple[Callable[[ReadConnection], object], ...]] = (
    partial(lookup.look_up, query="পানী xobdo"),
    partial(search.search, text="পানী", language_id=None, fuzzy=True, limit=1),
    *(partial(completions.suggest, text=text, language=ALL_LANGUAGES_PARAM, limit=1) for text in ("পা", "pa")),
    partial(browse.list_page, prefix="পা", language=ALL_LANGUAGES_PARAM, limit=1, offset=0),
)
"""Queries that warm up a worker at its start: otherwise the first look-up would take a tenth of a second."""


def create() -> ASGIApp:
    """Create the application of one worker, from the settings in its environment."""
    settings = read_settings()
    configure_logging(settings.log_level, settings.log_format)
    files = open_worker_files(settings.metrics_folder)
    database = open_for_serving(settings)
    draining = Draining(settings.drain_seconds)
    application = create_application(
        settings,
        database,
        background_services=build_background_services(settings, database),
        draining=draining,
        files=files,
    )
    _warm_up(database, settings.run_folder)
    database.watch_commits()
    return draining.wrap(application)


def _warm_up(database: Database, run_folder: Path) -> None:
    """Compile the statements and load the letter tables and templates that the first requests use."""
    for job in WARM_UP_QUERIES:
        database.read_now(job)
    warm_up(run_folder)


def create_application(
    settings: Settings,
    database: Database,
    *,
    background_services: Sequence[BackgroundService] = (),
    draining: Draining | None = None,
    files: WorkerFiles | None = None,
) -> ASGIApp:
    """Create the application for `database`, which it closes on shutdown.

    The `background_services` run for its lifetime. With `draining` it shuts down gracefully, as a worker does; through
    `files` it shares its metrics with other workers.
    """
    services = build_write_services(settings, database)
    encyclopedia = articles.connect(database, settings.encyclopedia)
    limiter = _limiter(settings)
    observer = Observer(log=_access_log(settings), files=files)
    dictionary = Dictionary(database, in_assamese, services.missing_words)
    pages = Pages(settings.base_url, dictionary.known_languages, embeds=settings.embed, works_offline=settings.offline)
    application = Litestar(
        route_handlers=_route_handlers(settings, database, draining, observer),
        dependencies={
            "dictionary": _provide(dictionary),
            "encyclopedia": _provide(encyclopedia),
            "pages": _provide(pages),
        },
        guards=[require_canonical_ids],
        exception_handlers=exception_handlers(page=pages.error_page),
        lifespan=[
            observer.running,
            partial(close_unread_connections, seconds=settings.connection_idle_seconds),
            encyclopedia.running,
            *as_lifespans(
                database.running,
                services.running,
                partial(run_background_services, database, (*background_services, *_shared_limits(limiter, database))),
            ),
            *_worker_lifespan(draining, files),
        ],
        state=State({"services": services_of_handlers(settings, database, services)}),
        on_shutdown=[database.close, *([files.close] if files is not None else [])],
        request_class=CleanRequest,
        response_class=JsonAnswer,
        type_encoders={LazyList: as_json},
        openapi_config=None,
        logging_config=None,
    )
    return _edge(application, settings, database, limiter, observer, dictionary, services.tokens, pages)


def _limiter(settings: Settings) -> Limiter | None:
    """Create the rate limiter; None without a limit. Raises SettingError."""
    if not settings.rate_limit:
        return None
    try:
        return Limiter(Rate.parse(settings.rate_limit), run_folder(settings) / "limits")
    except AbhidhanError as error:
        raise SettingError(f"ABHIDHAN_RATE_LIMIT: {error}") from None


def _shared_limits(limiter: Limiter | None, database: Database) -> list[SharedLimits]:
    """Share the rate limits with other machines; return an empty list for SQLite, which only one machine can use."""
    if limiter is None or database.is_sqlite:
        return []
    shared_limits = SharedLimits(database, limiter.learn, max_deficit=limiter.max_deficit)
    limiter.on_consumption = shared_limits.record
    return [shared_limits]


def _provide(part: object) -> Provide:
    """Wrap an object as a dependency, so that Litestar passes it to every handler."""
    return Provide(lambda: part, sync_to_thread=False)


def _route_handlers(
    settings: Settings, database: Database, draining: Draining | None, observer: Observer
) -> list[ControllerRouterHandler]:
    """Return all handlers: API, pages, documentation, health checks and metrics."""
    return [
        *API_HANDLERS,
        *PAGES_HANDLERS,
        *REMOVED_ADDRESSES,
        *documentation_handlers(_documentation, settings.base_url),
        *health_handlers(
            partial(_readiness_problem, database, settings.upload_folders, draining), lambda: database.is_read_only
        ),
        metrics_handler(
            settings.metrics_folder, settings.metrics_allowed, _health_metrics(settings, database).read, observer.save
        ),
    ]


def _health_metrics(settings: Settings, database: Database) -> HealthMetrics:
    stores = ArtifactStore(settings.download_location), ArtifactStore(settings.pack_location)
    return HealthMetrics(database, MonitoredPaths(settings.home, settings.backups, *stores))


@cache
def _documentation() -> Documentation:
    """Build the API documentation on first use, and cache it.

    Building takes a second, which would delay the start of every worker.
    """
    return write_documentation(describe_api())


def describe_api() -> OpenAPI:
    """Return the OpenAPI document of the API and of the few pages that programs use."""
    handlers = (
        *API_HANDLERS,
        recent.show_daily_feed,
        packs.list_packs,
        packs.read_pack_file,
        *health_handlers(_no_problem),
    )
    dependencies = {name: _provide(None) for name in ("dictionary", "encyclopedia", "pages")}
    return describe(handlers, version=version("abhidhan"), dependencies=dependencies)


async def _no_problem() -> str | None:
    """Return None, as a placeholder for the readiness check in the OpenAPI document."""


def _edge(  # noqa: PLR0913, PLR0917 (each is an independent part)
    application: Litestar,
    settings: Settings,
    database: Database,
    limiter: Limiter | None,
    observer: Observer,
    dictionary: Dictionary,
    tokens: Tokens,
    pages: Pages,
) -> ASGIApp:
    """Wrap the application in the edge, the outermost ASGI layer (`platform/http/middleware.py`)."""
    deadlines = Deadlines(settings.body_idle_seconds, settings.body_seconds)
    return Edge(
        remember_request(application),
        version=database.version,
        is_read_only=lambda: database.is_read_only,
        addresses=AddressTree(application.routes),
        proxies=TrustedProxies(settings.trusted_proxies),
        limiter=limiter,
        find_client_name=client_name_finder(tokens.holder_of),
        observer=observer,
        page=pages.error_page,
        reader_of=pages.interface_of,
        bodies=RequestBodies(deadlines, settings.unfinished_requests),
        reads=public_reads(application.routes, dictionary),
        https_only_seconds=settings.https_only_seconds if settings.base_url.startswith("https://") else 0,
    )


def _worker_lifespan(
    draining: Draining | None, files: WorkerFiles | None
) -> list[Callable[[Litestar], AbstractAsyncContextManager[None]]]:
    """Return the lifespan that marks a worker as ready and handles SIGTERM; it must be the last lifespan."""
    if draining is None:
        return []
    return [partial(draining.running, ready=files.ready if files is not None else lambda: None)]


def _access_log(settings: Settings) -> AccessLog | None:
    """Return the access log; None if only warnings are logged."""
    if settings.log_level not in {"debug", "info"}:
        return None
    return AccessLog(settings.log_format, partial(os.write, STANDARD_ERROR))


async def _readiness_problem(database: Database, folders: Iterable[Path], draining: Draining | None) -> str | None:
    """Check that the server is ready; return the reason if it is not, for load balancers.

    The database must answer and, unless it is a standby, be writable, like the folders of uploads. Raises
    UnwritableError.
    """
    if draining is not None and draining.is_draining:
        return "the server is stopping"
    await database.version()
    if database.is_read_only:
        return None
    await database.refuse_unwritable()
    for folder in folders:
        await asyncio.to_thread(refuse_unwritable, folder / "a file")
    return None
