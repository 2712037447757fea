"""The whole application with its pages, and signed-in users who send forms."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

from abhidhan.app.asgi import create_application
from abhidhan.app.wiring import build_write_services
from abhidhan.people.service.administration import NewAccount
from abhidhan.records.people import Role
from abhidhan.records.settings import Settings
from tests.support.asgi import AsgiResponse
from tests.support.contributions import PASSWORD, Site, read_session_token
from tests.support.databases import Databases, load_sample, open_database
from tests.support.lifespan import run_lifespan

MAIL_SETTINGS: Final = {
    "smtp": "smtp://127.0.0.1:1",
    "mail_from": "a@dictionary.example",
    "base_url": "http://dictionary.example",
}
"""Settings of a server that sends e-mails, without a mail server that accepts them."""


@contextmanager
def open_pages(databases: Databases, home: Path, **options: Any) -> Iterator[Site]:  # noqa: ANN401 (passed on)
    """Open the whole application with a signed-in reader and editor."""
    settings = Settings(home=home, pending_photos=3, **options)
    settings.run_folder.mkdir()
    with open_database(databases, load_sample) as database, asyncio.Runner() as runner:
        application = create_application(settings, database)
        site = Site(application, database, build_write_services(settings, database), runner, home)
        with run_lifespan(application, runner):
            site.add("reader", signed_in=False)
            site.add("editor", Role.EDITOR, signed_in=False)
            for name in ("reader", "editor"):
                site.cookies[name] = read_session_token(
                    send_form(site, "/account/sign-in", {"username": name, "password": PASSWORD})
                )
            yield site
        runner.run(site.write_side.close())


def sign_in(site: Site, username: str, role: Role, email: str | None = None) -> None:
    """Create an account, and sign in on the page."""
    site.run(site.write_side.accounts.administration.create_account(NewAccount(username, PASSWORD, email), role))
    site.cookies[username] = read_session_token(
        send_form(site, "/account/sign-in", {"username": username, "password": PASSWORD})
    )


def send_form(site: Site, path: str, fields: dict[str, str], **rest: Any) -> AsgiResponse:  # noqa: ANN401 (passed on)
    """Send a form like a browser; the other arguments are those of `Site.ask`."""
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}
    return site.ask("POST", path, body=urlencode(fields).encode(), headers=headers, **rest)
