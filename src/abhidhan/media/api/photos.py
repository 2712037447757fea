"""submit-foto.php, /api/photos and /photos: submit, list, review and download photos."""

from collections.abc import Sequence
from typing import Annotated, Any, Final, Literal

import msgspec
from litestar import Request, Response, get, post
from litestar.openapi.spec import Example, Reference, Schema
from litestar.openapi.spec.enums import OpenAPIFormat, OpenAPIType
from litestar.params import JSONBody, Parameter

from abhidhan.media.api.upload_requests import SENDER_GUARD, UploadRequest, respond_to_upload
from abhidhan.media.service.photos import PhotoEntry, Photos
from abhidhan.media.service.uploads import OpenedUpload
from abhidhan.platform.http.authentication import ANONYMOUS, AUTH_OPTION, SignedInRequest, find_user, require_access
from abhidhan.platform.http.multipart import PHOTO_FORM, build_form_operation
from abhidhan.platform.http.parameters import (
    MAX_LIMIT,
    NON_BLANK_TEXT_PATTERN,
    NOT_MODIFIED_RESPONSE,
    LimitUpTo1000,
    Offset,
    build_id_parameter,
)
from abhidhan.platform.http.services import get_service
from abhidhan.platform.http.streaming import StreamedResponse
from abhidhan.records.api_tokens import Scope
from abhidhan.records.errors import NotFoundError
from abhidhan.records.people import Permission
from abhidhan.records.photos import parse_photo_name
from abhidhan.records.submissions import Status
from abhidhan.submissions.api import Rejection

SMALL_BODY_BYTES: Final = 64 * 1024
MONTH_CACHE_CONTROL: Final = "public, max-age=2592000, immutable"
PRIVATE_CACHE_CONTROL: Final = "no-store"

CONTRIBUTE_OR_REVIEW_GUARDS: Final = [require_access(scopes=(Scope.CONTRIBUTE, Scope.REVIEW))]
CONTRIBUTE_GUARDS: Final = [require_access(scopes=(Scope.CONTRIBUTE,))]

PhotoID = Annotated[int, build_id_parameter("The ID of a submitted photo.")]
StatusFilter = Annotated[
    Status | None,
    Parameter(
        description="Only those with this status: pending_review, approved, rejected or withdrawn.",
        examples=[Example(summary=each, value=str(each)) for each in Status],
    ),
]


class PhotosAnswer(msgspec.Struct, frozen=True):
    """A page of submitted photos, and their total number."""

    data: Sequence[PhotoEntry]
    total: int


@get("/api/photos", tags=["Photos"], summary="List submitted photos", guards=CONTRIBUTE_OR_REVIEW_GUARDS)
async def list_photos(
    request: SignedInRequest, status: StatusFilter = None, limit: LimitUpTo1000 = 50, offset: Offset = 0
) -> PhotosAnswer:
    """List submitted photos: moderators see all, others only their own. Pending ones are listed oldest first."""
    page = await get_service(request, Photos).list_for(request.user.person, status, min(limit, MAX_LIMIT), offset)
    return PhotosAnswer(page.items, page.total)


@get(
    "/api/photos/{photo_id:int}",
    tags=["Photos"],
    summary="Read one submitted photo",
    guards=CONTRIBUTE_OR_REVIEW_GUARDS,
)
async def show_photo(request: SignedInRequest, photo_id: PhotoID) -> PhotoEntry:
    """Return a submitted photo: one of your own or, for moderators, any."""
    return await get_service(request, Photos).load_for(request.user.person, photo_id)


@post(
    "/api/photos/{photo_id:int}/approve",
    tags=["Photos"],
    summary="Approve a photo",
    status_code=200,
    guards=[require_access(Permission.REVIEW)],
)
async def approve_photo(request: SignedInRequest, photo_id: PhotoID) -> PhotoEntry:
    """Approve a pending photo, so that everyone can see it.

    Returns 409 if it has already been decided, or was submitted with a word.
    """
    return await get_service(request, Photos).approve(request.user.person, photo_id)


@post(
    "/api/photos/{photo_id:int}/reject",
    tags=["Photos"],
    summary="Reject a photo",
    status_code=200,
    guards=[require_access(Permission.REVIEW)],
    request_max_body_size=SMALL_BODY_BYTES,
)
async def reject_photo(request: SignedInRequest, photo_id: PhotoID, data: JSONBody[Rejection]) -> PhotoEntry:
    """Reject a pending photo, with a reason. Returns 409 if it has already been decided."""
    return await get_service(request, Photos).reject(request.user.person, photo_id, data.reason)


@post(
    "/api/photos/{photo_id:int}/withdraw",
    tags=["Photos"],
    summary="Withdraw your own photo",
    status_code=200,
    guards=CONTRIBUTE_GUARDS,
)
async def withdraw_photo(request: SignedInRequest, photo_id: PhotoID) -> PhotoEntry:
    """Withdraw your own photo while it is pending. Returns 409 if it has already been decided."""
    return await get_service(request, Photos).withdraw(request.user.person, photo_id)


@get(
    "/photos/{name:str}",
    tags=["Photos"],
    summary="Download a photo",
    media_type="image/*",
    responses=NOT_MODIFIED_RESPONSE,
    opt={AUTH_OPTION: ANONYMOUS},
)
async def read_photo(
    request: SignedInRequest,
    name: Annotated[
        str,
        Parameter(
            description="The photo's ID and extension, or its thumbnail.",
            examples=[Example(summary="a photo", value="17.jpg"), Example(summary="thumbnail", value="17-thumb.webp")],
        ),
    ],
) -> Response[bytes]:
    """Download an approved photo. Its sender and moderators can also download a pending one."""
    photo_name = parse_photo_name(name)
    if photo_name is None:
        raise NotFoundError("There is no such photo.")
    signed_in = await find_user(request)
    opened = await get_service(request, Photos).open(photo_name, signed_in.person if signed_in else None)
    headers = build_headers(opened, name, MONTH_CACHE_CONTROL)
    return StreamedResponse(opened.pieces, opened.size, headers=headers, media_type=opened.media_type)


def build_headers(upload: OpenedUpload, name: str, public_cache: str) -> dict[str, str]:
    """Return the headers of an uploaded file; caches may store only public ones."""
    headers = {
        "Cache-Control": public_cache if upload.is_public else PRIVATE_CACHE_CONTROL,
        "Content-Disposition": f'inline; filename="abhidhan-{name}"',
        "Cross-Origin-Resource-Policy": "cross-origin" if upload.is_public else "same-origin",
    }
    return headers | {"ETag": upload.etag} if upload.is_public else headers


class PhotoAnswer(msgspec.Struct, frozen=True):
    """A photo that is now pending, under the server's `licence` for contributions.

    A photo of a submitted word has the `word_submission_id` of the word, and no `idea_id` yet.
    """

    submission_id: int
    status: Status
    idea_id: int | None
    success: Literal[True] = True
    licence: str | None = None
    word_submission_id: int | None = None

    @classmethod
    def of(cls, photo: PhotoEntry) -> "PhotoAnswer":
        """Return the API representation of a photo."""
        return cls(
            photo.submission_id,
            photo.status,
            photo.idea_id,
            licence=photo.licence,
            word_submission_id=photo.word_submission_id,
        )


PHOTO_FORM_FIELDS: Final[dict[str, Reference | Schema]] = {
    "ideaID": Schema(type=OpenAPIType.INTEGER, minimum=1, description="The idea that the photo shows."),
    "submissionID": Schema(
        type=OpenAPIType.INTEGER,
        minimum=1,
        description="Instead of `ideaID`: your own pending submission of a word. The photo is reviewed together "
        "with it.",
    ),
    "photoCredit": Schema(
        type=OpenAPIType.STRING,
        min_length=2,
        max_length=200,
        pattern=NON_BLANK_TEXT_PATTERN,
        description="The photographer.",
    ),
    "photo": Schema(
        type=OpenAPIType.STRING,
        format=OpenAPIFormat.BINARY,
        description="A JPEG, PNG, GIF or WebP file of at most 3 MB and 40 megapixels.",
    ),
    "licence": Schema(
        type=OpenAPIType.STRING,
        description="The licence for contributions that the sender has read. The photo is refused if the server's "
        "licence is another one.",
    ),
}
"""The OpenAPI schemas of the fields of the upload form."""


PHOTO_FORM_SCHEMA: Final = Schema(
    type=OpenAPIType.OBJECT,
    required=["photoCredit", "photo"],
    one_of=[Schema(required=["ideaID"]), Schema(required=["submissionID"])],
    properties=PHOTO_FORM_FIELDS,
)


@post(
    "/api/submit-foto.php",
    tags=["Photos"],
    summary="Submit a photo for an idea or for a pending word",
    status_code=201,
    operation_class=build_form_operation(PHOTO_FORM_SCHEMA),
    opt={AUTH_OPTION: SENDER_GUARD},
)
async def submit_photo(request: Request[Any, Any, Any]) -> Response[PhotoAnswer]:
    """Submit a photo for review. Everyone can see it once a moderator has approved it.

    If you send an `Idempotency-Key` header, repeating the request with the same key returns the first response.
    """
    upload = UploadRequest(request, get_service(request, Photos), PHOTO_FORM)
    return await respond_to_upload(request, upload, PhotoAnswer.of)  # type: ignore[return-value]


PHOTO_HANDLERS = (list_photos, show_photo, approve_photo, reject_photo, withdraw_photo, read_photo)
