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
from abhidhan.app.page_handlers import PAGE_HANDLERS
from abhidhan.app.wiring import WriteServices, build_handler_services, build_write_services
from abhidhan.dictionary.api.compat import dictionary, lists
from abhidhan.dictionary.service.dictionary import Dictionary
from abhidhan.media.api import photos
from abhidhan.people.service.administration import NewAccount
from abhidhan.people.service.tokens import CreatedToken
from abhidhan.platform.database.database import Database
from abhidhan.platform.http.address_tree import RouteTree
from abhidhan.platform.http.errors import build_exception_handlers
from abhidhan.platform.http.json_codec import CleanRequest, JsonResponse
from abhidhan.platform.http.middleware import Edge
from abhidhan.platform.http.preferences import provide_current_scope
from abhidhan.platform.http.public_reads import collect_public_reads
from abhidhan.platform.http.rendering import Pages
from abhidhan.records.api_tokens import DEFAULT_LIFETIME_DAYS, NewToken, Scope
from abhidhan.records.lazy_json import LazyList, to_raw_json
from abhidhan.records.people import Role
from abhidhan.records.personal_data import DeletionChoices
from abhidhan.records.settings import Settings
from abhidhan.records.throttling import ClientInfo
from tests.support.asgi import AsgiResponse, ask_async

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

    def ask(self, method: str, path: str, **rest: Any) -> AsgiResponse:  # noqa: ANN401  # passed on
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
    ) -> AsgiResponse:
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
        self.run(self.write_side.accounts.administration.create_account(NewAccount(username, PASSWORD), role))
        if signed_in:
            self.sign_in(username)

    def sign_in(self, username: str, password: str = PASSWORD, **rest: Any) -> AsgiResponse:  # noqa: ANN401  # passed on
        """Sign in, and store the cookie for the user."""
        answer = self.ask("POST", "/api/session", json={"username": username, "password": password}, **rest)
        if answer.status == 204:
            self.cookies[username] = read_session_token(answer)
        return answer

    def delete_account(self, username: str, **choices: Any) -> None:  # noqa: ANN401  # passed on
        """Delete an account; `choices` are the fields of `DeletionChoices`."""
        person = self.run(self.write_side.accounts.administration.find_by_name(username))
        self.run(self.write_side.personal_data.delete_account(person, DeletionChoices(**choices)))

    def export_data(self, username: str) -> Any:  # noqa: ANN401 (a test knows which JSON it asked for)
        """Return the copy of a user's data."""

        async def read() -> bytes:
            person = await self.write_side.accounts.administration.find_by_name(username)
            pieces = await self.write_side.personal_data.export(person, f"https://{HOST}")
            return b"".join([piece async for piece in pieces])

        return msgspec.json.decode(self.run(read()))

    def make_token(self, by: str, *scopes: str, days: int = DEFAULT_LIFETIME_DAYS) -> CreatedToken:
        """Create an API token for a signed-in user."""

        async def make() -> CreatedToken:
            signed_in = await self.write_side.accounts.sessions.authenticate(self.cookies[by])
            assert signed_in is not None
            new = NewToken("my app", frozenset(map(Scope, scopes or ("contribute",))), days)
            return await self.write_side.tokens.create(signed_in, new, PASSWORD, ClientInfo("192.0.2.1"))

        return self.run(make())

    def send_photo(self, by: str | None, photo: bytes, **rest: Any) -> AsgiResponse:  # noqa: ANN401  # passed on
        """Submit a photo of idea 1, unless `fields` have other values."""
        fields = {"ideaID": "1", "photoCredit": "A. Photographer"} | rest.pop("fields", {})
        body, kind = encode_form(fields, photo)
        headers = {"Content-Type": kind} | rest.pop("headers", {})
        return self.ask("POST", "/api/submit-foto.php", by=by, body=body, headers=headers, **rest)

    def send_recording(self, by: str | None, recording: bytes, **rest: Any) -> AsgiResponse:  # noqa: ANN401  # passed on
        """Submit a recording of word 1, unless `fields` have other values."""
        fields = rest.pop("fields", {"wordID": "1"}) | {"consent": "yes"} | rest.pop("more", {})
        body, kind = encode_form(fields, recording, "voice.wav", "recording")
        headers = {"Content-Type": kind} | rest.pop("headers", {})
        return self.ask("POST", "/api/recordings", by=by, body=body, headers=headers, **rest)


def read_session_token(answer: AsgiResponse) -> str:
    """Return the token in the response's cookie."""
    jar = SimpleCookie(answer.headers["set-cookie"])
    return next(iter(jar.values())).value


class _ReusableApplication:
    """An application with pages and contributions, reused for one site after another.

    Creating one takes a third of a second. Only its state and the dictionary depend on the site.
    """

    def __init__(self) -> None:
        """Create the application, without a site."""
        self.dictionary: Dictionary | None = None
        self.pages = Pages()
        self.application = Litestar(
            route_handlers=[*LOOK_UPS, photos.submit_photo, *REST_HANDLERS, *PAGE_HANDLERS],
            dependencies={
                "dictionary": Provide(lambda: self.dictionary, sync_to_thread=False),
                "pages": Provide(lambda: self.pages, sync_to_thread=False),
            },
            exception_handlers=build_exception_handlers(render_page=self.pages.render_error_page),
            request_class=CleanRequest,
            response_class=JsonResponse,
            type_encoders={LazyList: to_raw_json},
            openapi_config=None,
            logging_config=None,
        )
        self.addresses = RouteTree(self.application.routes)


_FREE_APPLICATIONS: list[_ReusableApplication] = []
"""Applications without a site. Several sites may be open at a time, each with its own application."""


@contextmanager
def opened_site(database: Database, home: Path, **settings: Any) -> Iterator[Site]:  # noqa: ANN401  # passed on
    """Open a site for a database, with its photos in a folder of `home`."""
    chosen = Settings(home=home, **settings)
    write_side = build_write_services(chosen, database)
    shell = _FREE_APPLICATIONS.pop() if _FREE_APPLICATIONS else _ReusableApplication()
    shell.dictionary = Dictionary(database)
    shell.application.state = State({"services": build_handler_services(chosen, database, write_side)})
    edge = Edge(
        provide_current_scope(shell.application),
        get_version=database.version,
        route_tree=shell.addresses,
        render_error_page=shell.pages.render_error_page,
        public_reads=collect_public_reads(shell.application.routes, shell.dictionary),
    )
    with asyncio.Runner() as runner:
        yield Site(edge, database, write_side, runner, home)
        runner.run(write_side.close())
    _FREE_APPLICATIONS.append(shell)


_BOUNDARIES = itertools.count(1)


def encode_form(
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


def draw_picture(width: int = 64, height: int = 48, seed: int = 1) -> Image.Image:
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
    draw_picture(seed=seed).save(made, kind, **options)
    return made.getvalue()
