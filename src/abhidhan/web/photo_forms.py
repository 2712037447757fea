"""Forms with a photo."""

from typing import Final

from abhidhan.domain.photo_limits import MOST_BYTES
from abhidhan.domain.photo_refusals import Refusal
from abhidhan.errors import sentence
from abhidhan.services.contributions.photo_views import SentPhoto
from abhidhan.web.file_forms import FileField, SentForm, read_file_form
from abhidhan.web.upload_bodies import PHOTO, UploadBody

FIELDS: Final = frozenset({"ideaID", "submissionID", "photoCredit", "licence"})
PHOTO_FIELD: Final = FileField(
    PHOTO,
    MOST_BYTES,
    sentence("The form is damaged or incomplete: send multipart/form-data with ideaID, photoCredit and photo."),
    sentence("The form is much too large: a photo has at most 3 MB."),
)


async def read_photo_form(body: UploadBody, content_type: str) -> SentPhoto:
    """Read a form with a photo. Raises as `read_file_form` does."""
    return photo_of(await read_file_form(body, content_type, PHOTO_FIELD, FIELDS))


def photo_of(form: SentForm) -> SentPhoto:
    """Name the fields that came with a photo."""
    return SentPhoto(
        idea_id=form.fields.get("ideaID"),
        credit=form.fields.get("photoCredit"),
        photo=form.file,
        refusal=Refusal.TOO_BIG if form.too_big else None,
        problems=form.problems,
        complete=form.complete,
        licence=form.fields.get("licence"),
        submission_id=form.fields.get("submissionID"),
    )
