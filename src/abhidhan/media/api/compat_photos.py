"""submit-foto.php: photos for ideas."""

from typing import Any, Final, Literal

import msgspec
from litestar import Request, Response, post
from litestar.openapi.spec import Reference, Schema
from litestar.openapi.spec.enums import OpenAPIFormat, OpenAPIType

from abhidhan.media.api.upload_requests import SENDERS, Upload, answer_upload
from abhidhan.media.service.photo_kind import PhotoEntry
from abhidhan.media.service.photos import Photos
from abhidhan.platform.http.authentication import SIGNED_IN
from abhidhan.platform.http.multipart import PHOTO_FORM, form_operation
from abhidhan.platform.http.parameters import SOME_TEXT
from abhidhan.platform.http.services import service_of
from abhidhan.records.submissions import Status


class PhotoAnswer(msgspec.Struct, frozen=True):
    """The answer of `submit-foto.php`: the photo waits for review, under the server's `licence` of contributions.

    One that goes with a word names its submission as `word_submission_id`, and no idea yet.
    """

    submission_id: int
    status: Status
    idea_id: int | None
    success: Literal[True] = True
    licence: str | None = None
    word_submission_id: int | None = None

    @classmethod
    def of(cls, photo: PhotoEntry) -> "PhotoAnswer":
        """Show a submission."""
        return cls(
            photo.submission_id,
            photo.status,
            photo.idea_id,
            licence=photo.licence,
            word_submission_id=photo.word_submission_id,
        )


FIELDS: Final[dict[str, Reference | Schema]] = {
    "ideaID": Schema(type=OpenAPIType.INTEGER, minimum=1, description="The idea that the photo shows."),
    "submissionID": Schema(
        type=OpenAPIType.INTEGER,
        minimum=1,
        description="Instead of `ideaID`: the submission of a word of yours that waits for "
        "review. The photo is decided on together with it.",
    ),
    "photoCredit": Schema(
        type=OpenAPIType.STRING, min_length=2, max_length=200, pattern=SOME_TEXT, description="Who made it."
    ),
    "photo": Schema(
        type=OpenAPIType.STRING,
        format=OpenAPIFormat.BINARY,
        description="A JPEG, PNG, GIF or WebP file of at most 3 MB and 40 megapixels.",
    ),
    "licence": Schema(
        type=OpenAPIType.STRING,
        description="The licence of contributions as the sender has read it; a photo sent "
        "under another one than the server's is refused.",
    ),
}
"""The fields of the form."""


FORM: Final = Schema(
    type=OpenAPIType.OBJECT,
    required=["photoCredit", "photo"],
    one_of=[Schema(required=["ideaID"]), Schema(required=["submissionID"])],
    properties=FIELDS,
)


@post(
    "/api/submit-foto.php",
    tags=["Photos"],
    summary="Submit a photo for an idea or for a word that waits",
    status_code=201,
    operation_class=form_operation(FORM),
    opt={SIGNED_IN: SENDERS},
)
async def submit_photo(request: Request[Any, Any, Any]) -> Response[PhotoAnswer]:
    """Submit a photo for review. Everyone can see it once a moderator has approved it.

    With an `Idempotency-Key` header of your own choice, a repeated request counts as the same submission.
    """
    upload = Upload(request, service_of(request, Photos), PHOTO_FORM)
    return await answer_upload(request, upload, PhotoAnswer.of)  # type: ignore[return-value]
