"""Forms with a recording."""

from typing import Final

from abhidhan.domain.recording_limits import MOST_BYTES
from abhidhan.domain.recording_refusals import SoundRefusal
from abhidhan.errors import sentence
from abhidhan.services.contributions.recording_views import SentRecording
from abhidhan.web.file_forms import FileField, SentForm, read_file_form
from abhidhan.web.upload_bodies import RECORDING, UploadBody

FIELDS: Final = frozenset({"wordID", "phraseID", "ideaID", "example", "speaker", "place", "consent", "licence"})
RECORDING_FIELD: Final = FileField(
    RECORDING,
    MOST_BYTES,
    sentence("The form is damaged or incomplete: send multipart/form-data with wordID, consent and recording."),
    sentence("The form is much too large: a recording has at most 5 MB."),
)


async def read_recording_form(body: UploadBody, content_type: str) -> SentRecording:
    """Read a form with a recording. Raises as `read_file_form` does."""
    return recording_of(await read_file_form(body, content_type, RECORDING_FIELD, FIELDS))


def recording_of(form: SentForm) -> SentRecording:
    """Name the fields that came with a recording."""
    return SentRecording(
        word_id=form.fields.get("wordID"),
        phrase_id=form.fields.get("phraseID"),
        idea_id=form.fields.get("ideaID"),
        example=form.fields.get("example"),
        speaker=form.fields.get("speaker"),
        place=form.fields.get("place"),
        consent=form.fields.get("consent"),
        recording=form.file,
        refusal=SoundRefusal.TOO_BIG if form.too_big else None,
        problems=form.problems,
        complete=form.complete,
        licence=form.fields.get("licence"),
    )
