"""Uploads: forms with a photo, read as they come and never more than is needed, and answers to those still sending."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, Final, TypeVar
from urllib.parse import parse_qsl

from litestar import Request, Response
from litestar.connection import ASGIConnection
from litestar.exceptions import HTTPException
from litestar.types import Receive
from multipart import (
    MultipartError,
    MultipartSegment,
    PushMultipartParser,
    parse_options_header,
)

from abhidhan.domain.photos import MOST_BYTES, Refusal
from abhidhan.errors import AbhidhanError, InputError, Problem, sentence
from abhidhan.services.contributions.photos import Photos, SentPhoto
from abhidhan.web.edge.bodies import INCOMING, Deadlines, Incoming
from abhidhan.web.edge.errors import Asked, answer_error, raw_path
from abhidhan.web.edge.logs import REQUEST_ID
from abhidhan.web.edge.slots import SharedSlots
from abhidhan.web.edge.streaming import ReadingOn

T = TypeVar("T")

OPEN_AT_ONCE: Final = 16
"""How many uploads are read at a time, by all workers together; the next one waits, so that memory stays bounded."""

OPEN_BY_ONE_PERSON: Final = 4
"""How many of these one person may have: somebody with a slow line, or a bad intention, leaves places to others."""

LOOK_AGAIN_SECONDS: Final = 0.1
"""After how long an upload that waits for another worker's looks again whether there is a place."""

PATIENCE_SECONDS: Final = 20
"""How long nothing may come before an upload is given up."""

LONGEST_SECONDS: Final = 300
"""How long one upload may take: 3 MB at 10 kB a second."""

OWN_DEADLINES: Final = Deadlines(3600, 3600)
"""What the edge allows to a body whose reader keeps the deadlines above; waiting for a place at the gate included."""

THROWN_AWAY_BYTES: Final = 32 * 1024 * 1024
THROWN_AWAY_SECONDS: Final = 10
"""How much, and for how long, is still read of a body that is refused: a client cut off while sending would see a
broken connection, and not the answer."""

MOST_FORM_BYTES: Final = 32 * 1024 * 1024
MOST_PARTS: Final = 100
MOST_FIELD_BYTES: Final = 4096
MOST_PLAIN_FORM_BYTES: Final = 64 * 1024

PHOTO_DESK: Final = "photo_desk"
"""Under which name the application's state holds its PhotoDesk."""

MULTIPART: Final = "multipart/form-data"
PLAIN_FORM: Final = "application/x-www-form-urlencoded"
FIELDS: Final = frozenset({"ideaID", "photoCredit"})
PHOTO: Final = "photo"
BROKEN_FORM: Final = sentence(
    "The form is damaged or incomplete: send multipart/form-data with ideaID, photoCredit and photo."
)


class Body:
    """The body of a request as it comes in."""

    def __init__(self, receive: Receive) -> None:
        """Take what tells of the next piece."""
        self._receive = receive
        self.finished = False

    async def pieces(self) -> AsyncIterator[bytes]:
        """Read piece by piece. Raises InputError when nothing comes for long, or all of it takes too long."""
        end = asyncio.get_running_loop().time() + LONGEST_SECONDS
        while not self.finished:
            patience = min(PATIENCE_SECONDS, end - asyncio.get_running_loop().time())
            try:
                async with asyncio.timeout(patience):
                    piece = await self._next()
            except TimeoutError:
                raise InputError.of(PHOTO, sentence("The upload was too slow, or stopped; send it again.")) from None
            yield piece

    async def throw_away(self) -> None:
        """Read on for a while and keep nothing."""
        size = 0
        try:
            async with asyncio.timeout(THROWN_AWAY_SECONDS):
                while not self.finished and size < THROWN_AWAY_BYTES:
                    size += len(await self._next())
        except TimeoutError:
            return

    async def _next(self) -> bytes:
        message = await self._receive()
        if message["type"] != "http.request":
            self.finished = True
            return b""
        self.finished = not message.get("more_body", False)
        return message.get("body", b"")


def body_of(request: Request[Any, Any, Any]) -> Body:
    """Return the body of an upload, which may take longer than other bodies."""
    incoming: Incoming | None = request.scope.get(INCOMING)  # type: ignore[assignment]  # a key of our own
    if incoming is not None:
        incoming.wait(OWN_DEADLINES)
    return Body(request.receive)


class Gate:
    """Lets so many uploads be open at a time, and so many of one person: over all workers, where they share slots."""

    def __init__(
        self, places: int = OPEN_AT_ONCE, of_one: int = OPEN_BY_ONE_PERSON, *, shared: SharedSlots | None = None
    ) -> None:
        """Open the gate."""
        self._places = places
        self._all = asyncio.Semaphore(places)
        self._of_one = of_one
        self._own: dict[int, tuple[asyncio.Semaphore, int]] = {}
        self._shared = shared

    @asynccontextmanager
    async def passing(self, person_id: int) -> AsyncIterator[None]:
        """Wait for a place, and hold it."""
        own, holders = self._own.get(person_id, (asyncio.Semaphore(self._of_one), 0))
        self._own[person_id] = (own, holders + 1)
        try:
            async with (
                own,
                self._place(f"uploads of {person_id}", self._of_one),
                self._all,
                self._place("uploads", self._places),
            ):
                yield
        finally:
            own, holders = self._own.pop(person_id)
            if holders > 1:
                self._own[person_id] = (own, holders - 1)

    @asynccontextmanager
    async def _place(self, name: str, most: int) -> AsyncIterator[None]:
        """Wait for a place among those that all workers share, and hold it."""
        if self._shared is None:
            yield
            return
        # No event of this process tells that another one has given a place back.
        while not self._shared.take(name, most):  # noqa: ASYNC110 (for that reason)
            await asyncio.sleep(LOOK_AGAIN_SECONDS)
        try:
            yield
        finally:
            self._shared.give_back(name)


class PhotoDesk:
    """Where photos are handed in: the photos of this dictionary, and the gate that uploads pass."""

    def __init__(self, photos: Photos, slots: SharedSlots | None = None) -> None:
        """Open the gate. Workers that share `slots` let as many uploads in together as one alone would."""
        self.photos = photos
        self.gate = Gate(shared=slots)


def photo_desk_of(connection: ASGIConnection[Any, Any, Any, Any]) -> PhotoDesk:
    """Find the desk of the application that answers."""
    desk: PhotoDesk = connection.app.state[PHOTO_DESK]
    return desk


class FormReader:
    """Reads the parts of a form with a photo, and keeps no more of them than is needed."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._fields: dict[str, str] = {}
        self._problems: dict[str, Problem] = {}
        self._photo: bytes | None = None
        self._name = ""
        self._part = bytearray()
        self.refusal: Refusal | None = None

    def take(self, event: MultipartSegment | bytes | bytearray | None) -> None:
        """Take what the parser has found: the beginning of a part, a piece of it, or (None) its end."""
        if event is None:
            self._end()
        elif isinstance(event, bytes | bytearray):
            self._more(event)
        else:
            self._name, self._part = event.name, bytearray()

    def sent(self, *, complete: bool) -> SentPhoto:
        """Return what came."""
        return SentPhoto(
            idea_id=self._fields.get("ideaID"),
            credit=self._fields.get("photoCredit"),
            photo=None if self.refusal else self._photo,
            refusal=self.refusal,
            problems=tuple(self._problems.values()),
            complete=complete,
        )

    def _more(self, piece: bytes | bytearray) -> None:
        if self._name == PHOTO:
            if len(self._part) + len(piece) > MOST_BYTES:
                self.refusal = Refusal.TOO_BIG
                self._part = bytearray()
            else:
                self._part += piece
        elif self._name in FIELDS and len(self._part) <= MOST_FIELD_BYTES:
            self._part += piece

    def _end(self) -> None:
        if self._name == PHOTO:
            self._photo = bytes(self._part)
        elif self._name in FIELDS:
            self._field(bytes(self._part))
        self._name, self._part = "", bytearray()

    def _field(self, content: bytes) -> None:
        self._problems.pop(self._name, None)
        if len(content) > MOST_FIELD_BYTES:
            self._problems[self._name] = Problem(self._name, sentence("`%(name)s` is much too long.", name=self._name))
            return
        try:
            self._fields[self._name] = content.decode()
        except UnicodeDecodeError:
            self._problems[self._name] = Problem(
                self._name, sentence("`%(name)s` must be UTF-8 text.", name=self._name)
            )


async def read_photo_form(body: Body, content_type: str) -> SentPhoto:
    """Read a form with a photo. Raises InputError for one that is damaged, HTTPException (415) for another type."""
    kind, options = parse_options_header(content_type)
    if kind == MULTIPART:
        return await _read_multipart(body, options.get("boundary", ""))
    if kind in {PLAIN_FORM, ""}:
        return await _read_plain_form(body)
    raise HTTPException(status_code=415, detail=f"Send the photo as {MULTIPART}.")


async def _read_multipart(body: Body, boundary: str) -> SentPhoto:
    form = FormReader()
    size = 0
    try:
        parser = PushMultipartParser(boundary, max_segment_count=MOST_PARTS)
        async for piece in body.pieces():
            size += len(piece)
            if size > MOST_FORM_BYTES:
                raise InputError.of(PHOTO, sentence("The form is much too large: a photo has at most 3 MB."))
            for event in parser.parse(piece) if piece and not parser.closed else ():
                form.take(event)
            if form.refusal:
                return form.sent(complete=False)
        parser.close()
    except MultipartError:
        raise InputError.of(PHOTO, BROKEN_FORM) from None
    return form.sent(complete=True)


async def _read_plain_form(body: Body) -> SentPhoto:
    """Read a form that cannot carry a file, so that the answer can say what is missing."""
    content = bytearray()
    async for piece in body.pieces():
        content += piece
        if len(content) > MOST_PLAIN_FORM_BYTES:
            raise InputError.of(PHOTO, BROKEN_FORM)
    try:
        fields = dict(parse_qsl(content.decode(), keep_blank_values=True, errors="strict", max_num_fields=MOST_PARTS))
    except ValueError:
        raise InputError.of(PHOTO, BROKEN_FORM) from None
    return SentPhoto(fields.get("ideaID"), fields.get("photoCredit"), None)


# --- answers to clients that are still sending ----------------------------------------------------------------------


async def answer_while_sending(
    request: Request[Any, Any, Any], work: Callable[[Body], Awaitable[Response[T]]]
) -> Response[T] | Response[bytes]:
    """Do the work with the body of a request; when it is refused, answer at once, and read on so that it is heard."""
    body = body_of(request)
    try:
        return await work(body)
    except (AbhidhanError, HTTPException) as error:
        if body.finished:
            raise
        answer = answer_error(error, Asked(request.method, raw_path(request.scope), REQUEST_ID.get()))
        return ReadingOn(
            answer.body,
            body.throw_away,
            status_code=answer.status,
            headers=answer.headers,
            media_type=answer.media_type,
        )
