"""The whole application over a database of the tests, asked in-process."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlencode

from abhidhan.app.asgi import create_application
from abhidhan.platform.database.database import Database
from abhidhan.records.settings import Settings
from tests.support.asgi import Answered, ask_async

NO_WIKI: dict[str, Any] = {"articles_en": "zim", "articles_as": "zim", "articles_bn": "zim"}
"""Settings with which nothing is ever asked over the network."""


class Ask(Protocol):
    """Asks the application for a path with its parameters, and with what `ask` takes beside them."""

    def __call__(self, path: str, parameters: dict[str, object] | str | bytes = "", **rest: Any) -> Answered:  # noqa: ANN401 (passed on)
        """Ask one thing."""
        ...


@contextmanager
def application(database: Database, home: Path, **settings: Any) -> Iterator[Ask]:  # noqa: ANN401 (passed on)
    """Put the application together over a database, with a data folder of its own, in one event loop."""
    chosen = Settings(**(NO_WIKI | {"home": home} | settings))
    chosen.run_folder.mkdir(parents=True)
    made = create_application(chosen, database)
    with asyncio.Runner() as runner:

        def ask_application(path: str, parameters: dict[str, object] | str | bytes = "", **rest: Any) -> Answered:  # noqa: ANN401 (passed on)
            query = urlencode(parameters) if isinstance(parameters, dict) else parameters
            return runner.run(ask_async(made, path, query, **rest))

        yield ask_application
