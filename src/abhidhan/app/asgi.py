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

from abhidhan.app.api_handlers import COMPAT_HANDLERS, REMOVED_ROUTE_HANDLERS, REST_HANDLERS
from abhidhan.app.background_services import (
    BackgroundService,
    as_lifespans,
    build_background_services,
    ensure_run_folder,
    run_background_services,
)
from abhidhan.app.database import open_for_serving
from abhidhan.app.documentation.handlers import Documentation, build_documentation, build_documentation_handlers
from abhidhan.app.documentation.openapi import describe_handlers
from abhidhan.app.health import HealthMetrics, MonitoredPaths, build_health_handlers
from abhidhan.app.page_handlers import PAGE_HANDLERS
from abhidhan.app.wiring import build_handler_services, build_write_services
from abhidhan.dictionary.pages import recent
from abhidhan.dictionary.service import browse, completions, lookup, search
from abhidhan.dictionary.service.dictionary import Dictionary
from abhidhan.dictionary.service.lookup_lists import ALL_LANGUAGES_PARAM
from abhidhan.encyclopedia.service import articles
from abhidhan.people.service.tokens import Tokens
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.platform.database.shared_limits import SharedLimits
from abhidhan.platform.http.address_tree import RouteTree
from abhidhan.platform.http.authentication import build_client_name_finder
from abhidhan.platform.http.client_address import TrustedProxies
from abhidhan.platform.http.connections import Draining, close_unread_connections
from abhidhan.platform.http.errors import build_exception_handlers
from abhidhan.platform.http.json_codec import CleanRequest, JsonResponse
from abhidhan.platform.http.logging import AccessLog, configure_logging
from abhidhan.platform.http.middleware import Edge
from abhidhan.platform.http.parameters import require_canonical_ids
from abhidhan.platform.http.preferences import provide_current_scope, translate_to_assamese
from abhidhan.platform.http.public_reads import collect_public_reads
from abhidhan.platform.http.rate_limit import Rate, RateLimiter
from abhidhan.platform.http.rendering import Pages, warm_up_templates
from abhidhan.platform.http.request_bodies import BodyTimeouts, RequestBodyLimiter
from abhidhan.platform.http.telemetry import RequestObserver, build_metrics_handler
from abhidhan.platform.runtime.files import ensure_writable
from abhidhan.platform.runtime.metrics import WorkerMetricFiles, open_worker_metric_files
from abhidhan.platform.sandbox.artifact_store import ArtifactStore
from abhidhan.publishing.pages import packs
from abhidhan.records.errors import AbhidhanError, SettingError
from abhidhan.records.lazy_json import LazyList, to_raw_json
from abhidhan.records.settings import Settings
from abhidhan.records.settings_reading import load_settings

API_HANDLERS: Final = (*COMPAT_HANDLERS, *REST_HANDLERS)

STDERR_FD: Final = 2
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
    settings = load_settings()
    configure_logging(settings.log_level, settings.log_format)
    files = open_worker_metric_files(settings.metrics_folder)
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
    warm_up_templates(run_folder)


def create_application(
    settings: Settings,
    database: Database,
    *,
    background_services: Sequence[BackgroundService] = (),
    draining: Draining | None = None,
    files: WorkerMetricFiles | None = None,
) -> ASGIApp:
    """Create the application for `database`, which it closes on shutdown.

    The `background_services` run for its lifetime. With `draining` it shuts down gracefully, as a worker does; through
    `files` it shares its metrics with other workers.
    """
    services = build_write_services(settings, database)
    encyclopedia = articles.open_encyclopedia(database, settings.encyclopedia)
    limiter = _create_limiter(settings)
    observer = RequestObserver(log=_create_access_log(settings), files=files)
    dictionary = Dictionary(database, translate_to_assamese, services.missing_words)
    pages = Pages(
        settings.base_url,
        dictionary.filter_known_languages,
        allows_embedding=settings.embed,
        works_offline=settings.offline,
    )
    application = Litestar(
        route_handlers=_build_route_handlers(settings, database, draining, observer),
        dependencies={
            "dictionary": _provide(dictionary),
            "encyclopedia": _provide(encyclopedia),
            "pages": _provide(pages),
        },
        guards=[require_canonical_ids],
        exception_handlers=build_exception_handlers(render_page=pages.render_error_page),
        lifespan=[
            observer.running,
            partial(close_unread_connections, seconds=settings.connection_idle_seconds),
            encyclopedia.running,
            *as_lifespans(
                database.running,
                services.running,
                partial(
                    run_background_services, database, (*background_services, *_build_shared_limits(limiter, database))
                ),
            ),
            *_build_worker_lifespans(draining, files),
        ],
        state=State({"services": build_handler_services(settings, database, services)}),
        on_shutdown=[database.close, *([files.close] if files is not None else [])],
        request_class=CleanRequest,
        response_class=JsonResponse,
        type_encoders={LazyList: to_raw_json},
        openapi_config=None,
        logging_config=None,
    )
    return _wrap_in_edge(application, settings, database, limiter, observer, dictionary, services.tokens, pages)


def _create_limiter(settings: Settings) -> RateLimiter | None:
    """Create the rate limiter; None without a limit. Raises SettingError."""
    if not settings.rate_limit:
        return None
    try:
        return RateLimiter(Rate.parse(settings.rate_limit), ensure_run_folder(settings) / "limits")
    except AbhidhanError as error:
        raise SettingError(f"ABHIDHAN_RATE_LIMIT: {error}") from None


def _build_shared_limits(limiter: RateLimiter | None, database: Database) -> list[SharedLimits]:
    """Share the rate limits with other machines; return an empty list for SQLite, which only one machine can use."""
    if limiter is None or database.is_sqlite:
        return []
    shared_limits = SharedLimits(database, limiter.raise_deficit, max_deficit=limiter.max_deficit)
    limiter.on_consumption = shared_limits.record
    return [shared_limits]


def _provide(dependency: object) -> Provide:
    """Wrap an object as a dependency, so that Litestar passes it to every handler."""
    return Provide(lambda: dependency, sync_to_thread=False)


def _build_route_handlers(
    settings: Settings, database: Database, draining: Draining | None, observer: RequestObserver
) -> list[ControllerRouterHandler]:
    """Return all handlers: API, pages, documentation, health checks and metrics."""
    return [
        *API_HANDLERS,
        *PAGE_HANDLERS,
        *REMOVED_ROUTE_HANDLERS,
        *build_documentation_handlers(_load_documentation, settings.base_url),
        *build_health_handlers(
            partial(_find_readiness_problem, database, settings.upload_folders, draining), lambda: database.is_read_only
        ),
        build_metrics_handler(
            settings.metrics_folder,
            settings.metrics_allowed,
            _build_health_metrics(settings, database).read,
            observer.save,
        ),
    ]


def _build_health_metrics(settings: Settings, database: Database) -> HealthMetrics:
    stores = ArtifactStore(settings.download_location), ArtifactStore(settings.pack_location)
    return HealthMetrics(database, MonitoredPaths(settings.home, settings.backup_folder, *stores))


@cache
def _load_documentation() -> Documentation:
    """Build the API documentation on first use, and cache it.

    Building takes a second, which would delay the start of every worker.
    """
    return build_documentation(describe_api())


def describe_api() -> OpenAPI:
    """Return the OpenAPI document of the API and of the few pages that programs use."""
    handlers = (
        *API_HANDLERS,
        recent.show_daily_feed,
        packs.list_packs,
        packs.read_pack_file,
        *build_health_handlers(_no_problem),
    )
    dependencies = {name: _provide(None) for name in ("dictionary", "encyclopedia", "pages")}
    return describe_handlers(handlers, version=version("abhidhan"), dependencies=dependencies)


async def _no_problem() -> str | None:
    """Return None, as a placeholder for the readiness check in the OpenAPI document."""


def _wrap_in_edge(  # noqa: PLR0913, PLR0917 (each is an independent part)
    application: Litestar,
    settings: Settings,
    database: Database,
    limiter: RateLimiter | None,
    observer: RequestObserver,
    dictionary: Dictionary,
    tokens: Tokens,
    pages: Pages,
) -> ASGIApp:
    """Wrap the application in the edge, the outermost ASGI layer (`platform/http/middleware.py`)."""
    deadlines = BodyTimeouts(settings.body_idle_seconds, settings.body_seconds)
    return Edge(
        provide_current_scope(application),
        get_version=database.version,
        is_read_only=lambda: database.is_read_only,
        route_tree=RouteTree(application.routes),
        proxies=TrustedProxies(settings.trusted_proxies),
        limiter=limiter,
        find_client_name=build_client_name_finder(tokens.find_user),
        observer=observer,
        render_error_page=pages.render_error_page,
        find_interface=pages.get_interface,
        bodies=RequestBodyLimiter(deadlines, settings.unfinished_requests),
        public_reads=collect_public_reads(application.routes, dictionary),
        https_only_seconds=settings.https_only_seconds if settings.base_url.startswith("https://") else 0,
    )


def _build_worker_lifespans(
    draining: Draining | None, files: WorkerMetricFiles | None
) -> list[Callable[[Litestar], AbstractAsyncContextManager[None]]]:
    """Return the lifespan that marks a worker as ready and handles SIGTERM; it must be the last lifespan."""
    if draining is None:
        return []
    return [partial(draining.running, ready=files.mark_ready if files is not None else lambda: None)]


def _create_access_log(settings: Settings) -> AccessLog | None:
    """Return the access log; None if only warnings are logged."""
    if settings.log_level not in {"debug", "info"}:
        return None
    return AccessLog(settings.log_format, partial(os.write, STDERR_FD))


async def _find_readiness_problem(database: Database, folders: Iterable[Path], draining: Draining | None) -> str | None:
    """Check that the server is ready; return the reason if it is not, for load balancers.

    The database must answer and, unless it is a standby, be writable, like the folders of uploads. Raises
    UnwritableError.
    """
    if draining is not None and draining.is_draining:
        return "the server is stopping"
    await database.version()
    if database.is_read_only:
        return None
    await database.ensure_writable()
    for folder in folders:
        await asyncio.to_thread(ensure_writable, folder / "a file")
    return None
