"""Site with contributions: the whole application with accounts, photos and editing, in one event loop."""

import asyncio
import io
import itertools
from collections.abc import Coroutine, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from litestar import Litestar
from litestar.datastructures import State
from litestar.di import Provide
from litestar.types import ASGIApp
from PIL import Image, ImageDraw

from abhidhan.app.api_handlers import REST_HANDLERS
from abhidhan.app.page_handlers import PAGES_HANDLERS
from abhidhan.app.wiring import WriteServices, build_write_services, services_of_handlers
from abhidhan.dictionary.api.compat import dictionary, lists
from abhidhan.dictionary.service.dictionary import Dictionary
from abhidhan.media.api import photos
from abhidhan.people.service.administration import NewAccount
from abhidhan.people.service.tokens import CreatedToken
from abhidhan.platform.database.database import Database
from abhidhan.platform.http.address_tree import AddressTree
from abhidhan.platform.http.errors import exception_handlers
from abhidhan.platform.http.json_codec import CleanRequest, JsonAnswer
from abhidhan.platform.http.middleware import Edge
from abhidhan.platform.http.preferences import remember_request
from abhidhan.platform.http.public_reads import public_reads
from abhidhan.platform.http.rendering import Pages
from abhidhan.records.api_tokens import DEFAULT_DAYS, NewToken, Scope
from abhidhan.records.lazy_json import LazyList, as_json
from abhidhan.records.people import Role
from abhidhan.records.personal_data import DeletionChoices
from abhidhan.records.settings import Settings
from abhidhan.records.throttling import ClientInfo
from tests.support.asgi import Answered, ask_async

T = TypeVar("T")

LOOK_UPS = (dictionary.look_up, dictionary.list_recent, dictionary.list_alphabetically, lists.check_phrase)

PASSWORD = "a long enough password"  # noqa: S105 (of people who exist in tests only)
HOST = "dictionary.example"


@dataclass
class Site:
    """The application, with helpers for tests."""

    application: ASGIApp
    database: Database
    write_side: WriteServices
    runner: asyncio.Runner
    home: Path
    cookies: dict[str, str] = field(default_factory=dict)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine in the site's event loop."""
        return self.runner.run(work)

    def ask(self, method: str, path: str, **rest: Any) -> Answered:  # noqa: ANN401  # passed on
        """Send one request; see `ask_async`."""
        return self.run(self.ask_async(method, path, **rest))

    async def ask_async(  # noqa: PLR0913 (each is one part of a request)
        self,
        method: str,
        path: str,
        *,
        by: str | None = None,
        json: object = None,
        body: bytes = b"",
        headers: Mapping[str, str] | None = None,
        address: str = "192.0.2.1",
    ) -> Answered:
        """Send one request, with the session of the user `by`, a JSON or other body, and a client address."""
        sent = {"Host": HOST} | dict(headers or {})
        if by is not None:
            sent["Cookie"] = f"abhidhan={self.cookies[by]}"
        if json is not None:
            body = msgspec.json.encode(json)
            sent.setdefault("Content-Type", "application/json")
        path, _, query = path.partition("?")
        return await ask_async(
            self.application, path, query, method=method, headers=sent, body=body, client=(address, 5000)
        )

    def add(self, username: str, role: Role = Role.READER, *, signed_in: bool = True) -> None:
        """Create an account, and sign in."""
        self.run(self.write_side.accounts.administration.add(NewAccount(username, PASSWORD), role))
        if signed_in:
            self.sign_in(username)

    def sign_in(self, username: str, password: str = PASSWORD, **rest: Any) -> Answered:  # noqa: ANN401  # passed on
        """Sign in, and store the cookie for the user."""
        answer = self.ask("POST", "/api/session", json={"username": username, "password": password}, **rest)
        if answer.status == 204:
            self.cookies[username] = cookie_of(answer)
        return answer

    def leave(self, username: str, **chosen: Any) -> None:  # noqa: ANN401  # passed on
        """Delete an account; `choices` are the fields of `DeletionChoices`."""
        person = self.run(self.write_side.accounts.administration.find_by_name(username))
        self.run(self.write_side.personal_data.remove(person, DeletionChoices(**chosen)))

    def copy_of(self, username: str) -> Any:  # noqa: ANN401 (a test knows which JSON it asked for)
        """Return the copy of a user's data."""

        async def read() -> bytes:
            person = await self.write_side.accounts.administration.find_by_name(username)
            pieces = await self.write_side.personal_data.export(person, f"https://{HOST}")
            return b"".join([piece async for piece in pieces])

        return msgspec.json.decode(self.run(read()))

    def make_token(self, by: str, *scopes: str, days: int = DEFAULT_DAYS) -> CreatedToken:
        """Create an API token for a signed-in user."""

        async def make() -> CreatedToken:
            signed_in = await self.write_side.accounts.sessions.authenticate(self.cookies[by])
            assert signed_in is not None
            new = NewToken("my app", frozenset(map(Scope, scopes or ("contribute",))), days)
            return await self.write_side.tokens.make(signed_in, new, PASSWORD, ClientInfo("192.0.2.1"))

        return self.run(make())

    def send_photo(self, by: str | None, photo: bytes, **rest: Any) -> Answered:  # noqa: ANN401  # passed on
        """Submit a photo of idea 1, unless `fields` have other values."""
        fields = {"ideaID": "1", "photoCredit": "A. Photographer"} | rest.pop("fields", {})
        body, kind = form(fields, photo)
        headers = {"Content-Type": kind} | rest.pop("headers", {})
        return self.ask("POST", "/api/submit-foto.php", by=by, body=body, headers=headers, **rest)

    def send_recording(self, by: str | None, recording: bytes, **rest: Any) -> Answered:  # noqa: ANN401  # passed on
        """Submit a recording of word 1, unless `fields` have other values."""
        fields = rest.pop("fields", {"wordID": "1"}) | {"consent": "yes"} | rest.pop("more", {})
        body, kind = form(fields, recording, "voice.wav", "recording")
        headers = {"Content-Type": kind} | rest.pop("headers", {})
        return self.ask("POST", "/api/recordings", by=by, body=body, headers=headers, **rest)


def cookie_of(answer: Answered) -> str:
    """Return the token in the response's cookie."""
    jar = SimpleCookie(answer.headers["set-cookie"])
    return next(iter(jar.values())).value


class _Shell:
    """An application with pages and contributions, reused for one site after another.

    Creating one takes a third of a second. Only its state and the dictionary depend on the site.
    """

    def __init__(self) -> None:
        """Create the application, without a site."""
        self.dictionary: Dictionary | None = None
        self.pages = Pages()
        self.application = Litestar(
            route_handlers=[*LOOK_UPS, photos.submit_photo, *REST_HANDLERS, *PAGES_HANDLERS],
            dependencies={
                "dictionary": Provide(lambda: self.dictionary, sync_to_thread=False),
                "pages": Provide(lambda: self.pages, sync_to_thread=False),
            },
            exception_handlers=exception_handlers(page=self.pages.error_page),
            request_class=CleanRequest,
            response_class=JsonAnswer,
            type_encoders={LazyList: as_json},
            openapi_config=None,
            logging_config=None,
        )
        self.addresses = AddressTree(self.application.routes)


_FREE: list[_Shell] = []
"""Applications without a site. Several sites may be open at a time, each with its own application."""


@contextmanager
def opened_site(database: Database, home: Path, **settings: Any) -> Iterator[Site]:  # noqa: ANN401  # passed on
    """Open a site for a database, with its photos in a folder of `home`."""
    chosen = Settings(home=home, **settings)
    write_side = build_write_services(chosen, database)
    shell = _FREE.pop() if _FREE else _Shell()
    shell.dictionary = Dictionary(database)
    shell.application.state = State({"services": services_of_handlers(chosen, database, write_side)})
    edge = Edge(
        remember_request(shell.application),
        version=database.version,
        addresses=shell.addresses,
        page=shell.pages.error_page,
        reads=public_reads(shell.application.routes, shell.dictionary),
    )
    with asyncio.Runner() as runner:
        yield Site(edge, database, write_side, runner, home)
        runner.run(write_side.close())
    _FREE.append(shell)


_BOUNDARIES = itertools.count(1)


def form(
    fields: Mapping[str, str | bytes], file: bytes | None, file_name: str = "photo.jpg", name: str = "photo"
) -> tuple[bytes, str]:
    """Encode a multipart form; return it with its content type."""
    boundary = f"----boundary{next(_BOUNDARIES)}"
    parts = []
    for field_name, value in fields.items():
        content = value.encode() if isinstance(value, str) else value
        parts.append(f'Content-Disposition: form-data; name="{field_name}"\r\n\r\n'.encode() + content)
    if file is not None:
        head = f'Content-Disposition: form-data; name="{name}"; filename="{file_name}"\r\n'
        parts.append(head.encode() + b"Content-Type: image/jpeg\r\n\r\n" + file)
    body = b"".join(b"--" + boundary.encode() + b"\r\n" + part + b"\r\n" for part in parts)
    return body + b"--" + boundary.encode() + b"--\r\n", f"multipart/form-data; boundary={boundary}"


def picture(width: int = 64, height: int = 48, seed: int = 1) -> Image.Image:
    """Draw a picture with enough structure that different seeds look different."""
    image = Image.new("RGB", (width, height), (40, 90, 160))
    drawing = ImageDraw.Draw(image)
    for number in range(6):
        left, top = (seed * 37 + number * 29) % width, (seed * 53 + number * 17) % height
        drawing.rectangle((left, top, left + width // 4, top + height // 5), fill=(number * 40, seed * 31 % 255, 200))
    return image


def photo_bytes(kind: str = "JPEG", seed: int = 1, **options: Any) -> bytes:  # noqa: ANN401  # Pillow's own
    """Create a small photo in a format."""
    made = io.BytesIO()
    picture(seed=seed).save(made, kind, **options)
    return made.getvalue()
