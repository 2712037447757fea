"""Photos: submitting one, and the queue in which moderators decide."""

from functools import partial
from typing import Annotated, Final

import msgspec
from litestar import Response, get, post
from litestar.params import PathParameter, QueryParameter

from abhidhan.domain.ideas import Idea
from abhidhan.domain.languages import Language
from abhidhan.domain.people import Permission
from abhidhan.domain.photos import LONGEST_CREDIT, MOST_BYTES
from abhidhan.domain.submissions import LONGEST_REASON, Status
from abhidhan.errors import AbhidhanError, NotFoundError, SignInRequiredError
from abhidhan.services import browse
from abhidhan.services.photos import PhotoSubmission, SentPhoto
from abhidhan.storage.database import Database, Reader
from abhidhan.web.arguments import GivenDatabase
from abhidhan.web.errors import status_of
from abhidhan.web.pages.forms import Form, read_form, signed_in_or_led
from abhidhan.web.pages.rendering import Asked, GivenPages, lead_to
from abhidhan.web.pieces import ReadingOn
from abhidhan.web.sessions import check_site, find_signed_in, needs
from abhidhan.web.uploads import Body, photo_desk_of, read_photo_form

NOT_KEPT: Final = {"Cache-Control": "no-store"}
PHOTOS_ON_A_PAGE: Final = 20
LONGEST_NUMBER: Final = 9


class ShownIdea(msgspec.Struct, frozen=True):
    """An idea, and the languages of its words by ID."""

    idea: Idea
    languages: dict[int, Language]


def read_idea(reader: Reader, number: str) -> ShownIdea | None:
    """Read an idea by what stands in a field; None when it names none."""
    if not (number.isascii() and number.isdigit() and len(number) <= LONGEST_NUMBER):
        return None
    languages = {language.id: language for language in reader.catalogue.languages}
    try:
        return ShownIdea(browse.show_idea(reader, int(number)), languages)
    except NotFoundError:
        return None


@get("/account/submit/photo", include_in_schema=False)
async def show_photo_form(
    request: Asked, database: GivenDatabase, pages: GivenPages, idea: Annotated[str, QueryParameter(max_length=20)] = ""
) -> Response[str]:
    """Show the form to submit a photo of an idea."""
    signed_in = await signed_in_or_led(request)
    if isinstance(signed_in, Response):
        return signed_in
    return await _photo_page(request, database, pages, Form({"ideaID": idea}))


async def _photo_page(
    request: Asked, database: Database, pages: GivenPages, form: Form, status: int = 200
) -> Response[str]:
    shown = await database.read(partial(read_idea, number=form.value("ideaID")))
    values = {"form": form, "shown": shown, "most_bytes": MOST_BYTES, "longest_credit": LONGEST_CREDIT}
    return pages.show(request, "photo.html", values, status=status, headers=NOT_KEPT)


@post("/account/submit/photo", include_in_schema=False)
async def submit_photo(request: Asked, database: GivenDatabase, pages: GivenPages) -> Response[str] | Response[bytes]:
    """Submit a photo from the form; when it is refused, show the form again and say why."""
    body = Body(request.receive)
    sent = SentPhoto(None, None, None)
    try:
        check_site(request)
        signed_in = await find_signed_in(request)
        if signed_in is None:
            raise SignInRequiredError("Sign in, and send the photo again.")
        desk = photo_desk_of(request)
        async with desk.gate.passing(signed_in.person.id):
            sent = await read_photo_form(body, request.headers.get("content-type", ""))
            await desk.photos.submit(signed_in.person, sent)
    except AbhidhanError as error:
        form = Form({"ideaID": sent.idea_id or "", "photoCredit": sent.credit or ""}).refused(error)
        page = await _photo_page(request, database, pages, form, status_of(error))
        return page if body.finished else _reading_on(page, body)
    return lead_to("/account?done=photo", headers=NOT_KEPT)


def _reading_on(page: Response[str], body: Body) -> Response[bytes]:
    """Send a page to somebody who is still sending, and read on so that it is seen."""
    return ReadingOn(
        page.content.encode(),
        body.throw_away,
        status_code=page.status_code,
        headers=page.headers,
        media_type=page.media_type,
    )


# --- the queue ----------------------------------------------------------------------------------------------------


class Waiting(msgspec.Struct, frozen=True):
    """A photo that waits, beside the idea it is to show."""

    photo: PhotoSubmission
    shown: ShownIdea | None


@get("/review", include_in_schema=False)
async def show_queues() -> Response[str]:
    """Lead to the queue of photos."""
    return lead_to("/review/photos")


@get("/review/photos", include_in_schema=False)
async def show_photo_queue(
    request: Asked, database: GivenDatabase, pages: GivenPages, done: Annotated[str, QueryParameter(max_length=20)] = ""
) -> Response[str]:
    """Show the photos that wait for a decision."""
    signed_in = await signed_in_or_led(request)
    if isinstance(signed_in, Response):
        return signed_in
    return await _queue_page(request, database, pages, done=done)


async def _queue_page(
    request: Asked, database: Database, pages: GivenPages, *, done: str = "", error: AbhidhanError | None = None
) -> Response[str]:
    signed_in = await find_signed_in(request)
    if signed_in is None or not signed_in.person.may(Permission.REVIEW):
        return pages.show(request, "review-denied.html", {}, status=403, headers=NOT_KEPT)
    photos = photo_desk_of(request).photos
    found = await photos.list_for(signed_in.person, Status.PENDING, PHOTOS_ON_A_PAGE, 0)
    waiting = [
        Waiting(
            await photos.show(each.submission_id, with_alike=True),
            await database.read(partial(read_idea, number=str(each.idea_id))),
        )
        for each in found.photos
    ]
    values = {
        "waiting": waiting,
        "total": found.total,
        "done": done,
        "problem": str(error) if error else "",
        "longest_reason": LONGEST_REASON,
    }
    status = status_of(error) if error else 200
    return pages.show(request, "review-photos.html", values, status=status, headers=NOT_KEPT)


@post("/review/photos/{photo_id:int}", include_in_schema=False, guards=[needs(Permission.REVIEW)])
async def decide_on_photo(
    request: Asked, database: GivenDatabase, pages: GivenPages, photo_id: Annotated[int, PathParameter()]
) -> Response[str]:
    """Approve or reject a photo."""
    form = await read_form(request)
    photos, signed_in = photo_desk_of(request).photos, await find_signed_in(request)
    if signed_in is None:
        raise SignInRequiredError("Sign in first.")
    try:
        if form.value("decision") == "approve":
            await photos.approve(signed_in.person, photo_id)
        else:
            await photos.reject(signed_in.person, photo_id, form.value("reason"))
    except AbhidhanError as error:
        return await _queue_page(request, database, pages, error=error)
    done = "approved" if form.value("decision") == "approve" else "rejected"
    return lead_to(f"/review/photos?done={done}", headers=NOT_KEPT)


@post("/account/photos/{photo_id:int}/withdraw", include_in_schema=False, guards=[needs()])
async def withdraw_photo(request: Asked, photo_id: Annotated[int, PathParameter()]) -> Response[str]:
    """Take one's own photo back."""
    signed_in = await find_signed_in(request)
    if signed_in is None:
        raise SignInRequiredError("Sign in first.")
    await photo_desk_of(request).photos.withdraw(signed_in.person, photo_id)
    return lead_to("/account?done=withdrawn", headers=NOT_KEPT)


PHOTO_HANDLERS = (show_photo_form, submit_photo, show_queues, show_photo_queue, decide_on_photo, withdraw_photo)
