"""Pages of photos: the upload form, the moderators' queue, and redirects from old picture URLs."""

from functools import partial
from typing import Annotated, Final

import msgspec
from litestar import Response, get, post
from litestar.params import QueryParameter

from abhidhan.dictionary.api.parameters import DictionaryDep
from abhidhan.dictionary.service.dictionary import Dictionary
from abhidhan.dictionary.service.views.ideas import IdeaView, read_idea
from abhidhan.media.api.upload_requests import UploadRequest
from abhidhan.media.pages.upload_review import FILES_PER_PAGE, FileQueue, submit_file
from abhidhan.media.service.photos import PhotoEntry, Photos
from abhidhan.people.pages.staff import NO_STORE_HEADERS, StaffContext
from abhidhan.platform.http.assets import asset_address
from abhidhan.platform.http.forms import Form, require_login
from abhidhan.platform.http.multipart import PHOTO_FORM
from abhidhan.platform.http.rendering import PageRequest, PagesDep, redirect_to
from abhidhan.platform.http.services import get_service
from abhidhan.records.errors import sentence
from abhidhan.records.history import HistoryAction
from abhidhan.records.paging import Page
from abhidhan.records.photos import MAX_CREDIT_LENGTH, MAX_PHOTO_BYTES


@get("/account/submit/photo", include_in_schema=False)
async def show_photo_form(
    request: PageRequest,
    dictionary: DictionaryDep,
    pages: PagesDep,
    idea: Annotated[str, QueryParameter(max_length=20)] = "",
) -> Response[str]:
    """Show the form to submit a photo of an idea."""
    signed_in = await require_login(request)
    if isinstance(signed_in, Response):
        return signed_in
    return await _render_photo_form(request, dictionary, pages, Form({"ideaID": idea}))


async def _render_photo_form(
    request: PageRequest, dictionary: Dictionary, pages: PagesDep, form: Form, status: int = 200
) -> Response[str]:
    idea = await dictionary.read(read_idea, form.value("ideaID"))
    values = {
        "form": form,
        "shown": idea,
        "most_bytes": MAX_PHOTO_BYTES,
        "longest_credit": MAX_CREDIT_LENGTH,
        "licence": get_service(request, Photos).licence,
    }
    return pages.show(request, "photo.html", values, status=status, headers=NO_STORE_HEADERS)


@post("/account/submit/photo", include_in_schema=False)
async def submit_photo(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep
) -> Response[str] | Response[bytes]:
    """Submit a photo; on an error, show the form again with the message."""
    upload = UploadRequest(request, get_service(request, Photos), PHOTO_FORM)
    show_again = partial(_render_photo_form, request, dictionary, pages)
    return await submit_file(request, upload, sentence("Sign in, and send the photo again."), show_again)


# --- the queue ----------------------------------------------------------------------------------------------------


class PendingPhoto(msgspec.Struct, frozen=True):
    """A pending photo, with the idea that it illustrates."""

    file: PhotoEntry
    shown: IdeaView | None


@get("/review", include_in_schema=False)
async def show_queues() -> Response[str]:
    """Redirect to the queue of photos."""
    return redirect_to("/review/photos")


async def _load_queue(staff: StaffContext) -> Page[PendingPhoto]:
    """Return the first pending photos of ideas, without those submitted with words."""
    photos = staff.service(Photos)
    page = await photos.list_queue(staff.person, FILES_PER_PAGE)
    pending = [
        PendingPhoto(
            await photos.load(photo.submission_id, include_duplicates=True),
            await staff.dictionary.read(read_idea, str(photo.idea_id)),
        )
        for photo in page.items
    ]
    return Page(pending, page.total)


PHOTO_QUEUE: Final = FileQueue(
    kind="photo",
    address="/review/photos",
    template="review-photos.html",
    undoable_actions=frozenset({HistoryAction.PHOTO_APPROVED, HistoryAction.PHOTO_REJECTED}),
    withdrawal_code="withdrawn",
    service=lambda request: get_service(request, Photos),
    load_pending=_load_queue,
)


SITE_PREVIEW_IMAGE: Final = "preview.png"
"""Preview image of shared pages without a photo: 1200 × 630 pixels."""

MONTH_CACHE_HEADERS: Final = {"Cache-Control": "public, max-age=2592000"}


@get(
    ["/preview/{name:path}", "/today.png", "/today/{name:str}", "/today/{name:str}/proverb.png"],
    include_in_schema=False,
)
async def redirect_to_site_picture() -> Response[str]:
    """Redirect old picture URLs, which old messages and feeds still contain, to the picture of the site."""
    return redirect_to(asset_address(SITE_PREVIEW_IMAGE), 301, headers=MONTH_CACHE_HEADERS)


PHOTO_HANDLERS = (show_photo_form, submit_photo, show_queues, *PHOTO_QUEUE.build_handlers(), redirect_to_site_picture)
