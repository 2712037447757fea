"""The server process: prepares the database, and starts the workers that run the application."""

import os
from functools import partial
from typing import Final

import structlog
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings

from abhidhan.app.database import open_dictionary, open_for_serving
from abhidhan.app.setting_checks import check_languages, check_settings
from abhidhan.encyclopedia.service import article_sources
from abhidhan.exchange.service import maintenance
from abhidhan.people.store import people
from abhidhan.platform.database.database import Database
from abhidhan.platform.http.connections import raise_connection_limit
from abhidhan.platform.http.logging import configure_logging
from abhidhan.platform.runtime.metrics import clear_metrics_folder
from abhidhan.platform.runtime.supervisor import Supervisor, bind_socket, get_systemd_socket, prepare_shared_socket
from abhidhan.records.people import Role
from abhidhan.records.settings import Settings
from abhidhan.records.settings_reading import list_removed_settings

WORKER_IMPORT_PATH: Final = "abhidhan.app.worker:create"
"""Import path of the application, imported by workers only, which halves the start time of this process."""

SHUTDOWN_GRACE_SECONDS: Final = 30
"""Grace period in seconds for the running requests of a stopping worker."""

OWNER_ONLY_UMASK: Final = 0o077
"""The umask that gives access to the owner only."""

MAX_HEAD_BYTES: Final = 65_536
"""Maximum size of request line and headers in bytes, enforced by the HTTP server."""

_log = structlog.get_logger("abhidhan")


def serve(settings: Settings) -> None:
    """Serve until stopped by a signal. The database is created or upgraded before any worker starts."""
    configure_logging(settings.log_level, settings.log_format)
    # Files that the server writes are readable by its own account only; a stricter umask is kept.
    os.umask(os.umask(OWNER_ONLY_UMASK) | OWNER_ONLY_UMASK)
    for warning in list_removed_settings():
        _log.warning(warning)
    check_settings(settings)
    names = settings.get_display_name("host"), settings.get_display_name("port")
    listener = get_systemd_socket() or bind_socket(settings.host, settings.port, names)
    host, port, *_ = listener.getsockname()
    settings = settings.model_copy(update={"host": host, "port": port})
    with open_dictionary(settings, with_lists=True) as database:
        database.read_now(partial(check_languages, settings))
        _log_missing_administrator(database)
        if database.is_read_only:
            _log.warning("the database is a standby: this server is read-only until it is promoted")
        else:
            maintenance.build_word_indexes(database)
        if maintenance.is_reindexing_due(database):
            _log.warning("the keys of words were created by the rules of another version. Run: abhidhan reindex")
    # Report settings that would make every worker fail before starting them.
    open_for_serving(settings).close()
    article_sources.warn_without_contact(settings.encyclopedia)
    clear_metrics_folder(settings.metrics_folder)
    _log.info(f"Open {settings.site_url}", workers=settings.workers, database=settings.database_display_url)
    Supervisor(
        WORKER_IMPORT_PATH,
        listener=prepare_shared_socket(listener, settings.workers),
        kill_timeout_seconds=settings.drain_seconds + SHUTDOWN_GRACE_SECONDS,
        factory=True,
        interface=Interfaces.ASGI,
        address=settings.host,
        port=settings.port,
        workers=settings.workers,
        # With automatic detection of HTTP/2, new connections would have no deadline.
        http=HTTPModes.http1,
        backpressure=_limit_connections(settings),
        websockets=False,
        log_enabled=False,
        http1_settings=HTTP1Settings(
            header_read_timeout=int(settings.connection_idle_seconds * 1000), max_buffer_size=MAX_HEAD_BYTES
        ),
    ).serve()


def _limit_connections(settings: Settings) -> int:
    """Return the maximum number of connections per worker; warn if the system allows fewer than configured."""
    allowed = raise_connection_limit(settings.connections)
    if allowed < settings.connections:
        _log.warning("fewer connections than configured: the system limits open files", connections=allowed)
    return allowed


def _log_missing_administrator(database: Database) -> None:
    """Log how to create the first administrator if there is none."""
    if not database.read_now(partial(people.count_by_role, role=Role.ADMINISTRATOR)):
        _log.info("there is no administrator yet. Create one with: abhidhan people add NAME --role administrator")
