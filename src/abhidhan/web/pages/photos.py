"""Photos: submitting one, and the queue in which moderators decide."""

from typing import Annotated, Final

import msgspec
from litestar import Response, get, post
from litestar.params import QueryParameter

from abhidhan.domain.people import Permission
from abhidhan.domain.photo_limits import MOST_BYTES
from abhidhan.domain.photos import LONGEST_CREDIT
from abhidhan.domain.submissions import LONGEST_REASON
from abhidhan.errors import AbhidhanError, ConflictError, InputError, SignInRequiredError, sentence
from abhidhan.services.contributions.photo_views import PhotoSubmission, SentPhoto
from abhidhan.services.dictionary.facade import Dictionary
from abhidhan.services.dictionary.views.ideas import ShownIdea
from abhidhan.web.arguments import GivenDictionary, PathID
from abhidhan.web.edge.errors import status_of
from abhidhan.web.edge.streaming import ReadingOn
from abhidhan.web.pages.forms import Form, signed_in_or_led
from abhidhan.web.pages.rendering import GivenPages, PageRequest, lead_to
from abhidhan.web.pages.staff import NOT_KEPT, StaffContext, handle_staff_form, staff_or_redirect
from abhidhan.web.photo_forms import read_photo_form
from abhidhan.web.sessions import check_site, find_signed_in
from abhidhan.web.upload_bodies import UploadBody, body_of
from abhidhan.web.uploads import uploads_of

PHOTOS_ON_A_PAGE: Final = 20


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
    shown = await dictionary.shown_idea(form.value("ideaID"))
    values = {
        "form": form,
        "shown": shown,
        "most_bytes": MOST_BYTES,
        "longest_credit": LONGEST_CREDIT,
        "licence": uploads_of(request).photos.licence,
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
        uploads = uploads_of(request)
        async with uploads.gate.passing(signed_in.person.id):
            sent = await read_photo_form(body, request.headers.get("content-type", ""))
            await uploads.photos.submit(signed_in.person, sent)
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

    photo: PhotoSubmission
    shown: ShownIdea | None


@get("/review", include_in_schema=False)
async def show_queues() -> Response[str]:
    """Lead to the queue of photos."""
    return lead_to("/review/photos")


@get("/review/photos", include_in_schema=False)
async def show_photo_queue(
    request: PageRequest,
    dictionary: GivenDictionary,
    pages: GivenPages,
    done: Annotated[str, QueryParameter(max_length=20)] = "",
) -> Response[str]:
    """Show the photos that wait for a decision."""
    staff = await staff_or_redirect(request, dictionary, pages, Permission.REVIEW)
    if isinstance(staff, Response):
        return staff
    return await _queue_page(staff, done=done)


async def _queue_page(staff: StaffContext, *, done: str = "", error: AbhidhanError | None = None) -> Response[str]:
    photos = uploads_of(staff.request).photos
    found = await photos.list_queue(staff.person, PHOTOS_ON_A_PAGE)
    waiting = [
        Waiting(
            await photos.show(each.submission_id, with_alike=True),
            await staff.dictionary.shown_idea(str(each.idea_id)),
        )
        for each in found.entries
    ]
    values = {
        "waiting": waiting,
        "total": found.total,
        "done": done,
        "form": Form().refused(error) if error else Form(),
        "longest_reason": LONGEST_REASON,
    }
    return staff.show("review-photos.html", values, error)


@post("/review/photos/{photo_id:int}", include_in_schema=False)
async def decide_on_photo(
    request: PageRequest, dictionary: GivenDictionary, pages: GivenPages, photo_id: PathID
) -> Response[str]:
    """Approve or reject a photo."""

    async def work(staff: StaffContext, form: Form) -> Response[str]:
        photos, approved = uploads_of(request).photos, form.value("decision") == "approve"
        try:
            if approved:
                await photos.approve(staff.person, photo_id)
            else:
                await photos.reject(staff.person, photo_id, form.value("reason"))
        except (ConflictError, InputError) as error:
            return await _queue_page(staff, error=error)
        return lead_to(f"/review/photos?done={'approved' if approved else 'rejected'}", headers=NOT_KEPT)

    return await handle_staff_form(request, dictionary, pages, Permission.REVIEW, work)


@post("/account/photos/{photo_id:int}/withdraw", include_in_schema=False)
async def withdraw_photo(
    request: PageRequest, dictionary: GivenDictionary, pages: GivenPages, photo_id: PathID
) -> Response[str]:
    """Take one's own photo back."""

    async def work(staff: StaffContext, _form: Form) -> Response[str]:
        await uploads_of(request).photos.withdraw(staff.person, photo_id)
        return lead_to("/account?done=withdrawn", headers=NOT_KEPT)

    return await handle_staff_form(request, dictionary, pages, None, work)


PHOTO_HANDLERS = (show_photo_form, submit_photo, show_queues, show_photo_queue, decide_on_photo, withdraw_photo)
