"""Every address, asked wrongly in every way there is: never a 500, whoever asks, on both engines.

`ABHIDHAN_MISTAKES=20 pytest tests/contract/test_mistakes.py` makes twenty times as many mistakes, and new ones.
"""

import asyncio
import itertools
import os
import time
from collections.abc import Iterator
from typing import Final

import pytest
from structlog.testing import capture_logs

from abhidhan.app.asgi import create_application
from abhidhan.app.wiring import build_write_services
from abhidhan.platform.http.middleware import Edge
from abhidhan.records.people import Role
from abhidhan.records.settings import Settings
from tests.support.application import NO_WIKI
from tests.support.asgi import AsgiResponse
from tests.support.contributions import Site
from tests.support.databases import Databases, load_sample, open_database
from tests.support.lifespan import run_lifespan
from tests.support.mistakes import IDS, InvalidRequest, InvalidRequestGenerator

TURNS: Final = int(os.environ.get("ABHIDHAN_MISTAKES", "1"))
SEED: Final = 20_261_122 if TURNS == 1 else int(time.time())

PEOPLE: Final = (None, *Role)
PLAIN: Final = {"HEAD", "OPTIONS", "PUT"}
"""Methods that no address handles in a way of its own: one mistake of each is enough."""

NAMES_AT_ONCE: Final = 9
NUMBERS: Final = itertools.count(1)
AWAY: Final = "/api/dic-wiki.php"
"""The one address that may be unavailable here: no encyclopedia is connected."""

ENDING: Final = ("session", "/account", "sign-out", "password", "people")
"""Parts of addresses that may end somebody's session."""


@pytest.fixture(scope="module")
def site(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Open the whole application over the sample, with somebody of each role."""
    home = tmp_path_factory.mktemp("mistakes")
    settings = Settings(**(NO_WIKI | {"home": home, "sign_up": "open"}))
    settings.run_folder.mkdir(parents=True)
    with open_database(databases, load_sample) as database, asyncio.Runner() as runner:
        application = create_application(settings, database)
        with run_lifespan(application, runner):
            site = Site(application, database, build_write_services(settings, database), runner, home)
            for role in Role:
                site.add(role, role=role)
            yield site
            runner.run(site.write_side.close())


def send(site: Site, mistake: InvalidRequest, by: str | None) -> AsgiResponse:
    """Send an invalid request."""
    query = mistake.query.decode("latin-1")
    return site.ask(
        mistake.method,
        mistake.path.replace("?", "") + "?" + query,
        by=by if "Cookie" not in mistake.headers else None,
        headers=mistake.headers,
        body=mistake.body,
    )


def is_well_answered(template: str, mistake: InvalidRequest, answer: AsgiResponse) -> bool:
    """Return whether a mistake was reported as such, or did no harm."""
    if answer.status >= 500:
        return template == AWAY and answer.status == 503
    return mistake.method == "HEAD" or b"Traceback" not in answer.body


def keep_signed_in(site: Site, template: str) -> None:
    """Replace the user if a request has ended the session, the account or the role."""
    if any(part in template for part in ENDING):
        for role in Role:
            answer = site.ask("GET", "/api/session", by=role)
            if answer.status != 200 or answer.json["role"] != role:
                name = f"{role}-{next(NUMBERS)}"
                site.add(name, role=role, signed_in=False)
                assert site.sign_in(name, address=f"2001:db8:{next(NUMBERS):x}::1").status == 204
                site.cookies[role] = site.cookies[name]


def addresses(site: Site) -> list[tuple[str, list[str]]]:
    """List every address with its methods."""
    assert isinstance(site.application, Edge)
    tree = site.application.route_tree
    assert tree is not None
    return sorted((each.template, sorted(each.methods | {"HEAD", "PUT"})) for each in tree)


def test_no_invalid_request_makes_the_server_fail(site: Site) -> None:
    mistakes = InvalidRequestGenerator(SEED, site.ask("GET", "/api/openapi.json").json)
    everything = addresses(site)
    wrong: list[object] = []
    with capture_logs() as logs:
        for template, methods in everything * TURNS:
            for method in methods:
                for by in PEOPLE[-1:] if method in PLAIN else PEOPLE:
                    mistake = mistakes.make(method, template)
                    answer = send(site, mistake, by)
                    if not is_well_answered(template, mistake, answer):
                        wrong.append((template, by, mistake, answer.status))
            keep_signed_in(site, template)

    assert wrong == []
    assert [line for line in logs if line.get("log_level") == "error"] == []
    assert len(everything) > 100


def test_no_impossible_record_id_makes_the_server_fail(site: Site) -> None:
    mistakes = InvalidRequestGenerator(SEED, {"paths": {}})
    names = itertools.cycle(IDS)
    wrong: list[object] = []
    for template, methods in addresses(site) * TURNS:
        for method in set(methods) - PLAIN if "{" in template else ():
            for _ in range(NAMES_AT_ONCE):
                mistake = mistakes.make(method, template, next(names))
                answer = send(site, mistake._replace(headers={}, query=b""), Role.ADMINISTRATOR)
                if not is_well_answered(template, mistake, answer):
                    wrong.append((template, mistake, answer.status))
        keep_signed_in(site, template)

    assert wrong == []
