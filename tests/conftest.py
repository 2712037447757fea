"""Fixtures shared by many tests: databases of both engines, empty or with the sample."""

import gc
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from hypothesis import settings

from abhidhan.app.database import SUBSCRIBERS
from abhidhan.editing.store.history import subscribe
from abhidhan.platform.database.database import Database
from abhidhan.platform.runtime import passwords
from tests.support.databases import (
    ENGINES,
    Databases,
    PostgresqlDatabases,
    SqliteDatabases,
    leave_empty,
    load_sample,
    open_database,
)
from tests.support.pooler import PooledDatabases, Pooler
from tests.support.pooler import run_pooler as running_pooler
from tests.support.postgresql import PostgresqlServer, run_postgresql_server
from tests.support.server import share_starter

POOLED_ENGINE = "pooled"

# CI uses the same examples each time, so that a result depends on the change only; other runs use new ones. There
# are no deadlines.
settings.register_profile("abhidhan", deadline=None, derandomize="ABHIDHAN_CI" in os.environ)
settings.load_profile("abhidhan")

# Tests that open a database themselves edit it like the program.
subscribe(SUBSCRIBERS)


pytest_plugins = ["tests.support.page_fixtures", "tests.support.site_fixtures"]

FOLDERS_ABOVE_STORES: Final = frozenset({"service", "api", "pages", "cli", "formats", "http"})
"""Test folders whose code is the same for both engines; only the stores that it calls differ."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests that repeat others on PostgreSQL for `make check`, and those above the stores for `make nightly`."""
    for item in items:
        chosen = getattr(item, "callspec", None)
        if chosen is not None and chosen.params.get("databases") in {"postgresql", POOLED_ENGINE}:
            is_above = not FOLDERS_ABOVE_STORES.isdisjoint(item.path.relative_to(Path(__file__).parent).parts)
            item.add_marker(pytest.mark.nightly if is_above else pytest.mark.thorough)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Parametrise tests that use databases with both engines, and marked ones also with a connection pooler."""
    named = [mark.args[0] for mark in metafunc.definition.iter_markers("parametrize")]
    if "databases" in metafunc.fixturenames and "databases" not in named:
        pooled = metafunc.definition.get_closest_marker(POOLED_ENGINE) is not None
        chosen = (*ENGINES, POOLED_ENGINE) if pooled else ENGINES
        metafunc.parametrize("databases", chosen, indirect=True, scope="session")


def pytest_collection_finish() -> None:
    """Exclude objects that live as long as the tests (modules, the tests themselves) from garbage collection."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def one_starter(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Create the starter dictionary once for all processes of a run."""
    own = tmp_path_factory.getbasetemp()
    share_starter(own.parent if "PYTEST_XDIST_WORKER" in os.environ else own)


@pytest.fixture(scope="session", autouse=True)
def quick_passwords() -> Iterator[None]:
    """Hash passwords at the lowest cost; the stored format is the same.

    `tests/platform/runtime/test_passwords.py` uses the program's own cost.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "ARGON2_MEMORY_KIB", 8)
        patch.setattr(passwords, "ARGON2_ITERATIONS", 1)
        yield


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgresqlServer]:
    """Run a PostgreSQL server for the tests of this process."""
    with run_postgresql_server() as server:
        yield server


@pytest.fixture(scope="session")
def sqlite_databases(tmp_path_factory: pytest.TempPathFactory) -> SqliteDatabases:
    """Return a factory of SQLite databases."""
    return SqliteDatabases(tmp_path_factory.mktemp("databases"))


@pytest.fixture(scope="session")
def postgresql_databases(postgresql: PostgresqlServer) -> PostgresqlDatabases:
    """Return a factory of PostgreSQL databases."""
    return PostgresqlDatabases(postgresql)


@pytest.fixture(scope="session")
def pooler(postgresql: PostgresqlServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pooler]:
    """Run a connection pooler in front of the PostgreSQL server."""
    with running_pooler(postgresql, tmp_path_factory.mktemp("pooler")) as pooler:
        yield pooler


@pytest.fixture(scope="session")
def pooled_databases(postgresql_databases: PostgresqlDatabases, pooler: Pooler) -> PooledDatabases:
    """Return a factory of PostgreSQL databases that are accessed through a pooler."""
    return PooledDatabases(postgresql_databases, pooler)


@pytest.fixture(scope="session")
def databases(request: pytest.FixtureRequest) -> Databases:
    """Return a factory of databases, for each engine in turn."""
    made: Databases = request.getfixturevalue(f"{request.param}_databases")
    return made


@pytest.fixture
def database(databases: Databases) -> Iterator[Database]:
    """Open an empty, migrated database for one test, on each engine in turn."""
    with open_database(databases, leave_empty) as database:
        yield database


@pytest.fixture
def dictionary(databases: Databases, request: pytest.FixtureRequest) -> Iterator[Database]:
    """Open a database with the sample for one test, on each engine in turn."""
    with open_database(
        databases, load_sample, may_be_stale=request.node.get_closest_marker("spoils") is not None
    ) as database:
        yield database


@pytest.fixture(scope="session")
def shared_dictionary(databases: Databases) -> Iterator[Database]:
    """Open a database with the sample, shared by all tests that only read it, on each engine in turn."""
    with open_database(databases, load_sample) as database:
        yield database


@pytest.fixture(scope="session")
def databases_with_sample(
    sqlite_databases: SqliteDatabases, postgresql_databases: PostgresqlDatabases
) -> Iterator[dict[str, Database]]:
    """Open the sample on both engines, to compare them. It is shared by all tests, which only read it."""
    with (
        open_database(sqlite_databases, load_sample) as sqlite,
        open_database(postgresql_databases, load_sample) as postgresql,
    ):
        yield {"sqlite": sqlite, "postgresql": postgresql}
