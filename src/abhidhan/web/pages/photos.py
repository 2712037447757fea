"""Photos: submitting one, and the queue in which moderators decide."""

from typing import Annotated, Final

import msgspec
from litestar import Response, get, post
from litestar.params import QueryParameter

from abhidhan.domain.history import Action
from abhidhan.domain.people import Permission
from abhidhan.domain.photo_limits import MOST_BYTES
from abhidhan.domain.photos import LONGEST_CREDIT
from abhidhan.errors import AbhidhanError, SignInRequiredError, sentence
from abhidhan.services.contributions.photo_views import PhotoSubmission, SentPhoto
from abhidhan.services.dictionary.dictionary import Dictionary
from abhidhan.services.dictionary.views.ideas import ShownIdea, read_idea
from abhidhan.web.arguments import GivenDictionary, PathID
from abhidhan.web.edge.errors import status_of
from abhidhan.web.edge.streaming import ReadingOn
from abhidhan.web.once import once_of
from abhidhan.web.pages.file_queues import FILES_ON_A_PAGE, Decided, Done, FileQueue
from abhidhan.web.pages.forms import Form, signed_in_or_led
from abhidhan.web.pages.rendering import GivenPages, PageRequest, lead_to
from abhidhan.web.pages.staff import NOT_KEPT, StaffContext, staff_or_redirect
from abhidhan.web.photo_forms import read_photo_form
from abhidhan.web.services import services_of
from abhidhan.web.sessions import check_site, find_signed_in
from abhidhan.web.upload_bodies import UploadBody, body_of


@get("/account/submit/photo", include_in_schema=False)
async def show_photo_form(
    request: PageRequest,
    dictionary: GivenDictionary,
    pages: GivenPages,
    idea: Annotated[str, QueryParameter(max_length=20)] = "",
) -> Response[str]:
    """Show the form to submit a photo of an idea."""
    signed_in = await signed_in_or_led(request)
    if isinstance(signed_in, Response):
        return signed_in
    return await _photo_page(request, dictionary, pages, Form({"ideaID": idea}))


async def _photo_page(
    request: PageRequest, dictionary: Dictionary, pages: GivenPages, form: Form, status: int = 200
) -> Response[str]:
    shown = await dictionary.read(read_idea, form.value("ideaID"))
    values = {
        "form": form,
        "shown": shown,
        "most_bytes": MOST_BYTES,
        "longest_credit": LONGEST_CREDIT,
        "licence": services_of(request).uploads.photos.licence,
    }
    return pages.show(request, "photo.html", values, status=status, headers=NOT_KEPT)


@post("/account/submit/photo", include_in_schema=False)
async def submit_photo(
    request: PageRequest, dictionary: GivenDictionary, pages: GivenPages
) -> Response[str] | Response[bytes]:
    """Submit a photo from the form; when it is refused, show the form again and say why."""
    body = body_of(request)
    sent = SentPhoto(None, None, None)
    try:
        check_site(request)
        signed_in = await find_signed_in(request)
        if signed_in is None:
            raise SignInRequiredError(sentence("Sign in, and send the photo again."))
        uploads = services_of(request).uploads
        async with uploads.gate.passing(signed_in.person.id):
            sent = await read_photo_form(body, request.headers.get("content-type", ""))
            keyed = msgspec.structs.replace(sent, idempotency_key=once_of(request))
            await uploads.photos.submit(signed_in.person, keyed)
    except AbhidhanError as error:
        form = Form({"ideaID": sent.idea_id or "", "photoCredit": sent.credit or ""}).refused(error)
        page = await _photo_page(request, dictionary, pages, form, status_of(error))
        return page if body.finished else reading_on(page, body)
    return lead_to("/account?done=photo", headers=NOT_KEPT)


def reading_on(page: Response[str], body: UploadBody) -> Response[bytes]:
    """Send a page to somebody who is still sending, and read on so that it is seen."""
    return ReadingOn(
        page.content.encode(),
        body.discard_rest,
        status_code=page.status_code,
        headers=page.headers,
        media_type=page.media_type,
    )


# --- the queue ----------------------------------------------------------------------------------------------------


class Waiting(msgspec.Struct, frozen=True):
    """A photo that waits, beside the idea it is to show."""

    file: PhotoSubmission
    shown: ShownIdea | None


@get("/review", include_in_schema=False)
async def show_queues() -> Response[str]:
    """Lead to the queue of photos."""
    return lead_to("/review/photos")


async def _read_queue(staff: StaffContext) -> tuple[list[Waiting], int]:
    """Read the photos that wait by themselves."""
    photos = services_of(staff.request).uploads.photos
    found = await photos.list_queue(staff.person, FILES_ON_A_PAGE)
    waiting = [
        Waiting(
            await photos.show(each.submission_id, with_alike=True),
            await staff.dictionary.read(read_idea, str(each.idea_id)),
        )
        for each in found.items
    ]
    return waiting, found.total


PHOTO_QUEUE: Final = FileQueue(
    kind="photo",
    address="/review/photos",
    template="review-photos.html",
    decisions=frozenset({Action.PHOTO_APPROVED, Action.PHOTO_REJECTED}),
    withdrawn="withdrawn",
    service=lambda request: services_of(request).uploads.photos,
    read=_read_queue,
)


@get(PHOTO_QUEUE.address, include_in_schema=False)
async def show_photo_queue(
    request: PageRequest, dictionary: GivenDictionary, pages: GivenPages, done: Done = "", decided: Decided = 0
) -> Response[str]:
    """Show the photos that wait for a decision."""
    staff = await staff_or_redirect(request, dictionary, pages, Permission.REVIEW)
    return staff if isinstance(staff, Response) else await PHOTO_QUEUE.page(staff, done=done, decided=decided)


@post(f"{PHOTO_QUEUE.address}/{{photo_id:int}}", include_in_schema=False)
async def decide_on_photo(
    request: PageRequest, dictionary: GivenDictionary, pages: GivenPages, photo_id: PathID
) -> Response[str]:
    """Approve or reject a photo."""
    return await PHOTO_QUEUE.decide(request, dictionary, pages, photo_id)


@post(f"{PHOTO_QUEUE.address}/{{photo_id:int}}/undo", include_in_schema=False)
async def undo_photo(
    request: PageRequest, dictionary: GivenDictionary, pages: GivenPages, photo_id: PathID
) -> Response[str]:
    """Take the decision on a photo back."""
    return await PHOTO_QUEUE.undo(request, dictionary, pages, photo_id)


@post("/account/photos/{photo_id:int}/withdraw", include_in_schema=False)
async def withdraw_photo(
    request: PageRequest, dictionary: GivenDictionary, pages: GivenPages, photo_id: PathID
) -> Response[str]:
    """Take one's own photo back."""
    return await PHOTO_QUEUE.withdraw(request, dictionary, pages, photo_id)


PHOTO_HANDLERS = (
    show_photo_form,
    submit_photo,
    show_queues,
    show_photo_queue,
    decide_on_photo,
    undo_photo,
    withdraw_photo,
)
