"""/api/recordings and /recordings: submitting a recording, the queue of those that wait, and their bytes."""

from collections.abc import AsyncIterator
from functools import partial
from typing import Annotated, Any, Final

import msgspec
from litestar import Request, Response, get, post
from litestar.openapi.spec import Example
from litestar.params import JSONBody, Parameter

from abhidhan.domain.people import Permission
from abhidhan.domain.recordings import read_recording_name
from abhidhan.domain.submissions import Status
from abhidhan.errors import NotFoundError
from abhidhan.services.contributions.recording_views import AlikeRecording, RecordingSubmission
from abhidhan.services.contributions.sent_files import OpenedSent
from abhidhan.web.arguments import GREATEST_LIMIT, LimitUpTo1000, Offset, record_id
from abhidhan.web.edge.etags import is_among
from abhidhan.web.edge.ranges import ByteRange, read_range
from abhidhan.web.edge.streaming import SILENT, Pieces
from abhidhan.web.once import once_of
from abhidhan.web.recording_forms import read_recording_form
from abhidhan.web.responses import PARTS_OF_RECORDINGS, UNCHANGED
from abhidhan.web.rest.photos import ONLY_FOR_SOME, OWN, OWN_AND_QUEUE, SMALL_BODY, StatusFilter
from abhidhan.web.rest.recording_form import RecordingForm
from abhidhan.web.rest.submissions import Rejection
from abhidhan.web.services import services_of
from abhidhan.web.sessions import ANYBODY, SIGNED_IN, SignedInRequest, find_acting, needs
from abhidhan.web.timestamps import Timestamp, timestamp
from abhidhan.web.upload_bodies import RECORDING, UploadBody, answer_while_sending

FOR_AN_HOUR: Final = "public, max-age=3600"
SENDERS: Final = OWN[0]

RecordingID = Annotated[int, record_id("The ID of a submitted recording.")]


class RecordingEntry(msgspec.Struct, frozen=True):
    """A submitted recording of a word, a phrase, or (`idea_id`) an example of an idea; `spoken` is what is read out.

    `clipped` tells that the microphone was overdriven. `duplicates` shows moderators which other recordings are the
    same (`exact`) or nearly the same. `licence` is that under which it was given.
    """

    submission_id: int
    status: Status
    word_id: int | None
    phrase_id: int | None
    idea_id: int | None
    spoken: str
    language_id: int
    speaker: str | None
    place: str | None
    reason: str | None
    submitted: Timestamp
    url: str | None
    milliseconds: int
    clipped: bool
    duplicates: tuple[AlikeRecording, ...]
    licence: str | None

    @classmethod
    def of(cls, recording: RecordingSubmission) -> "RecordingEntry":
        """Write the time as callers read it."""
        return cls(**(msgspec.structs.asdict(recording) | {"submitted": timestamp(recording.submitted)}))


class RecordingsAnswer(msgspec.Struct, frozen=True):
    """A page of submitted recordings, and how many there are."""

    data: tuple[RecordingEntry, ...]
    total: int


@post(
    "/api/recordings",
    tags=["Recordings"],
    summary="Submit a recording of a word, a phrase or an example",
    status_code=201,
    operation_class=RecordingForm,
    opt={SIGNED_IN: SENDERS},
)
async def submit_recording(request: Request[Any, Any, Any]) -> Response[RecordingEntry]:
    """Submit a recording for review. Everyone can hear it once a moderator has approved it.

    With an `Idempotency-Key` header of your own choice, a repeated request counts as the same submission.
    """
    return await answer_while_sending(request, partial(_submit, request), RECORDING)  # type: ignore[return-value]


async def _submit(request: Request[Any, Any, Any], body: UploadBody) -> Response[RecordingEntry]:
    signed_in = await SENDERS.admit(request)
    key = once_of(request)
    uploads = services_of(request).uploads
    async with uploads.gate.passing(signed_in.person.id):
        sent = await read_recording_form(body, request.headers.get("content-type", ""))
        keyed = msgspec.structs.replace(sent, idempotency_key=key)
        recording = await uploads.recordings.submit(signed_in.person, keyed)
    return Response(RecordingEntry.of(recording), status_code=201)


@get("/api/recordings", tags=["Recordings"], summary="List submitted recordings", guards=OWN_AND_QUEUE)
async def list_recordings(
    request: SignedInRequest, status: StatusFilter = None, limit: LimitUpTo1000 = 50, offset: Offset = 0
) -> RecordingsAnswer:
    """List submitted recordings: moderators see all of them, others only their own. Waiting ones come oldest first."""
    recordings = services_of(request).uploads.recordings
    page = await recordings.list_for(request.user.person, status, min(limit, GREATEST_LIMIT), offset)
    return RecordingsAnswer(tuple(map(RecordingEntry.of, page.items)), page.total)


@get(
    "/api/recordings/{recording_id:int}",
    tags=["Recordings"],
    summary="Read one submitted recording",
    guards=OWN_AND_QUEUE,
)
async def show_recording(request: SignedInRequest, recording_id: RecordingID) -> RecordingEntry:
    """Read one submitted recording: your own or, for moderators, any."""
    return RecordingEntry.of(await services_of(request).uploads.recordings.show_to(request.user.person, recording_id))


@post(
    "/api/recordings/{recording_id:int}/approve",
    tags=["Recordings"],
    summary="Approve a recording",
    status_code=200,
    guards=[needs(Permission.REVIEW)],
)
async def approve_recording(request: SignedInRequest, recording_id: RecordingID) -> RecordingEntry:
    """Approve a waiting recording, so that everyone can hear it. 409 if it has already been decided."""
    return RecordingEntry.of(await services_of(request).uploads.recordings.approve(request.user.person, recording_id))


@post(
    "/api/recordings/{recording_id:int}/reject",
    tags=["Recordings"],
    summary="Reject a recording",
    status_code=200,
    guards=[needs(Permission.REVIEW)],
    request_max_body_size=SMALL_BODY,
)
async def reject_recording(
    request: SignedInRequest, recording_id: RecordingID, data: JSONBody[Rejection]
) -> RecordingEntry:
    """Reject a waiting recording, with a reason. 409 if it has already been decided."""
    recordings = services_of(request).uploads.recordings
    return RecordingEntry.of(await recordings.reject(request.user.person, recording_id, data.reason))


@post(
    "/api/recordings/{recording_id:int}/withdraw",
    tags=["Recordings"],
    summary="Withdraw your own recording",
    status_code=200,
    guards=OWN,
)
async def withdraw_recording(request: SignedInRequest, recording_id: RecordingID) -> RecordingEntry:
    """Withdraw your own recording, waiting or approved: its file is deleted at once. 409 if it has been rejected."""
    return RecordingEntry.of(await services_of(request).uploads.recordings.withdraw(request.user.person, recording_id))


@get(
    "/recordings/{name:str}",
    tags=["Recordings"],
    summary="Download a recording",
    media_type="audio/mpeg",
    responses=PARTS_OF_RECORDINGS | UNCHANGED,
    opt={SIGNED_IN: ANYBODY},
)
async def read_recording(
    request: SignedInRequest,
    name: Annotated[
        str,
        Parameter(
            description="The recording's ID and extension.", examples=[Example(summary="a recording", value="17.mp3")]
        ),
    ],
) -> Response[bytes]:
    """Download an approved recording, or a part of it (`Range`); its sender and moderators also one that is waiting."""
    wanted = read_recording_name(name)
    if wanted is None:
        raise NotFoundError("There is no such recording.")
    signed_in = await find_acting(request)
    opened = await services_of(request).uploads.recordings.open(wanted, signed_in.person if signed_in else None)
    headers = {
        "Accept-Ranges": "bytes",
        # A speaker may take an approved recording back: nobody keeps it long; its ETag says that it is the same.
        "Cache-Control": FOR_AN_HOUR if opened.public else ONLY_FOR_SOME,
        "Content-Disposition": f'inline; filename="abhidhan-{wanted}.mp3"',
        "Cross-Origin-Resource-Policy": "cross-origin" if opened.public else "same-origin",
    }
    if opened.public:
        headers["ETag"] = opened.tag
    return _part(request, opened, headers)


def _part(request: SignedInRequest, opened: OpenedSent, headers: dict[str, str]) -> Response[bytes]:
    """Send what is asked for: browsers read sounds in parts, and some play nothing else."""
    if opened.public and is_among(opened.tag.encode(), request.headers.get("if-none-match", "").encode("latin-1")):
        return Response(b"", status_code=304, headers=headers)
    condition = request.headers.get("if-range")
    # RFC 9110 defines Range for GET alone.
    is_honoured = condition in {None, opened.tag} and not request.scope.get(SILENT)
    asked = request.headers.get("range", "") if is_honoured else ""
    try:
        part = read_range(asked, opened.size)
    except ValueError:
        return Response(b"", status_code=416, headers=headers | {"Content-Range": f"bytes */{opened.size}"})
    if part is None:
        return Pieces(opened.pieces, opened.size, headers=headers, media_type=opened.media_type)
    headers["Content-Range"] = part.described(opened.size)
    return Pieces(
        _cut(opened.pieces, part), part.length, status_code=206, headers=headers, media_type=opened.media_type
    )


async def _cut(pieces: AsyncIterator[bytes], part: ByteRange) -> AsyncIterator[bytes]:
    """Cut a part out of a file as it is read; recordings are small, so nothing is gained by beginning later."""
    place, end = 0, part.first + part.length
    async for piece in pieces:
        cut = piece[max(0, part.first - place) : max(0, end - place)]
        place += len(piece)
        if cut:
            yield cut


RECORDING_HANDLERS = (
    submit_recording,
    list_recordings,
    show_recording,
    approve_recording,
    reject_recording,
    withdraw_recording,
    read_recording,
)
