"""In-process requests to the whole application with a database of the tests."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlencode

from abhidhan.app.asgi import create_application
from abhidhan.platform.database.database import Database
from abhidhan.records.settings import Settings
from tests.support.asgi import AsgiResponse, ask_async

NO_WIKI: dict[str, Any] = {"articles_en": "zim", "articles_as": "zim", "articles_bn": "zim"}
"""Settings that prevent all requests over the network."""


class Ask(Protocol):
    """Sends requests to the application: a path, its parameters, and the other arguments of `ask`."""

    def __call__(self, path: str, parameters: dict[str, object] | str | bytes = "", **rest: Any) -> AsgiResponse:  # noqa: ANN401 (passed on)
        """Send one request."""
        ...


@contextmanager
def open_application(database: Database, home: Path, **settings: Any) -> Iterator[Ask]:  # noqa: ANN401 (passed on)
    """Create the application for a database, with its own data folder, in one event loop."""
    chosen = Settings(**(NO_WIKI | {"home": home} | settings))
    chosen.run_folder.mkdir(parents=True)
    made = create_application(chosen, database)
    with asyncio.Runner() as runner:

        def ask_application(path: str, parameters: dict[str, object] | str | bytes = "", **rest: Any) -> AsgiResponse:  # noqa: ANN401 (passed on)
            query = urlencode(parameters) if isinstance(parameters, dict) else parameters
            return runner.run(ask_async(made, path, query, **rest))

        yield ask_application
