"""/api/recordings and /recordings: submit, list, review and download recordings."""

from collections.abc import AsyncIterator, Sequence
from typing import Annotated, Any, Final

import msgspec
from litestar import Request, Response, get, post
from litestar.openapi.spec import Example, Schema
from litestar.openapi.spec.enums import OpenAPIFormat, OpenAPIType
from litestar.params import JSONBody, Parameter

from abhidhan.media.api.photos import (
    CONTRIBUTE_GUARDS,
    CONTRIBUTE_OR_REVIEW_GUARDS,
    SMALL_BODY_BYTES,
    StatusFilter,
    build_headers,
)
from abhidhan.media.api.upload_requests import SENDER_GUARD, UploadRequest, respond_to_upload
from abhidhan.media.service.recordings import RecordingEntry, Recordings
from abhidhan.media.service.uploads import OpenedUpload
from abhidhan.platform.http.authentication import ANONYMOUS, AUTH_OPTION, SignedInRequest, find_user, require_access
from abhidhan.platform.http.multipart import RECORDING_FORM, build_form_operation
from abhidhan.platform.http.parameters import (
    MAX_LIMIT,
    NON_BLANK_TEXT_PATTERN,
    NOT_MODIFIED_RESPONSE,
    RANGE_RESPONSES,
    TEXT_PATTERN,
    LimitUpTo1000,
    Offset,
    build_id_parameter,
)
from abhidhan.platform.http.response import matches_etag
from abhidhan.platform.http.services import get_service
from abhidhan.platform.http.streaming import OMIT_BODY_KEY, ByteRange, StreamedResponse, parse_range
from abhidhan.records.errors import NotFoundError
from abhidhan.records.people import Permission
from abhidhan.records.recordings import MAX_PLACE_LENGTH, MAX_SPEAKER_LENGTH, parse_recording_name
from abhidhan.submissions.api import Rejection

HOUR_CACHE_CONTROL: Final = "public, max-age=3600"

RecordingID = Annotated[int, build_id_parameter("The ID of a submitted recording.")]


class RecordingsAnswer(msgspec.Struct, frozen=True):
    """A page of submitted recordings, and their total number."""

    data: Sequence[RecordingEntry]
    total: int


def _integer_schema(description: str) -> Schema:
    return Schema(type=OpenAPIType.INTEGER, minimum=1, description=description)


def _string_schema(description: str, max_length: int | None = None) -> Schema:
    return Schema(type=OpenAPIType.STRING, max_length=max_length, pattern=TEXT_PATTERN, description=description)


RECORDING_FORM_SCHEMA: Final = Schema(
    type=OpenAPIType.OBJECT,
    required=["consent", "recording"],
    one_of=[
        Schema(required=["wordID"]),
        Schema(required=["phraseID"]),
        Schema(required=["ideaID", "example"]),
    ],
    properties={
        "wordID": _integer_schema("The spoken word."),
        "phraseID": _integer_schema("Instead of the word: the spoken phrase."),
        "ideaID": _integer_schema("Instead of both, with `example`: the idea of the example."),
        "example": Schema(
            type=OpenAPIType.STRING, pattern=NON_BLANK_TEXT_PATTERN, description="The text of the example."
        ),
        "speaker": _string_schema("The speaker, if they wish to be named.", MAX_SPEAKER_LENGTH),
        "place": _string_schema("The place where people speak like this, if it may be published.", MAX_PLACE_LENGTH),
        "consent": Schema(
            type=OpenAPIType.STRING,
            enum=["yes"],
            description="The speaker's consent that everyone may listen to and share the recording.",
        ),
        "recording": Schema(
            type=OpenAPIType.STRING,
            format=OpenAPIFormat.BINARY,
            description="A WAV, FLAC, Ogg or MP3 file of at most 5 MB and 15 seconds of speech.",
        ),
        "licence": _string_schema(
            "The licence for contributions that the sender has read. The recording is refused if the server's "
            "licence is another one."
        ),
    },
)


@post(
    "/api/recordings",
    tags=["Recordings"],
    summary="Submit a recording of a word, a phrase or an example",
    status_code=201,
    operation_class=build_form_operation(RECORDING_FORM_SCHEMA),
    opt={AUTH_OPTION: SENDER_GUARD},
)
async def submit_recording(request: Request[Any, Any, Any]) -> Response[RecordingEntry]:
    """Submit a recording for review. Everyone can hear it once a moderator has approved it.

    If you send an `Idempotency-Key` header, repeating the request with the same key returns the first response.
    """
    upload = UploadRequest(request, get_service(request, Recordings), RECORDING_FORM)
    return await respond_to_upload(request, upload, lambda recording: recording)  # type: ignore[return-value]


@get("/api/recordings", tags=["Recordings"], summary="List submitted recordings", guards=CONTRIBUTE_OR_REVIEW_GUARDS)
async def list_recordings(
    request: SignedInRequest, status: StatusFilter = None, limit: LimitUpTo1000 = 50, offset: Offset = 0
) -> RecordingsAnswer:
    """List submitted recordings: moderators see all, others only their own. Pending ones are listed oldest first."""
    recordings = get_service(request, Recordings)
    page = await recordings.list_for(request.user.person, status, min(limit, MAX_LIMIT), offset)
    return RecordingsAnswer(page.items, page.total)


@get(
    "/api/recordings/{recording_id:int}",
    tags=["Recordings"],
    summary="Read one submitted recording",
    guards=CONTRIBUTE_OR_REVIEW_GUARDS,
)
async def show_recording(request: SignedInRequest, recording_id: RecordingID) -> RecordingEntry:
    """Return a submitted recording: one of your own or, for moderators, any."""
    return await get_service(request, Recordings).load_for(request.user.person, recording_id)


@post(
    "/api/recordings/{recording_id:int}/approve",
    tags=["Recordings"],
    summary="Approve a recording",
    status_code=200,
    guards=[require_access(Permission.REVIEW)],
)
async def approve_recording(request: SignedInRequest, recording_id: RecordingID) -> RecordingEntry:
    """Approve a pending recording, so that everyone can hear it. Returns 409 if it has already been decided."""
    return await get_service(request, Recordings).approve(request.user.person, recording_id)


@post(
    "/api/recordings/{recording_id:int}/reject",
    tags=["Recordings"],
    summary="Reject a recording",
    status_code=200,
    guards=[require_access(Permission.REVIEW)],
    request_max_body_size=SMALL_BODY_BYTES,
)
async def reject_recording(
    request: SignedInRequest, recording_id: RecordingID, data: JSONBody[Rejection]
) -> RecordingEntry:
    """Reject a pending recording, with a reason. Returns 409 if it has already been decided."""
    recordings = get_service(request, Recordings)
    return await recordings.reject(request.user.person, recording_id, data.reason)


@post(
    "/api/recordings/{recording_id:int}/withdraw",
    tags=["Recordings"],
    summary="Withdraw your own recording",
    status_code=200,
    guards=CONTRIBUTE_GUARDS,
)
async def withdraw_recording(request: SignedInRequest, recording_id: RecordingID) -> RecordingEntry:
    """Withdraw your own pending or approved recording. Its file is deleted immediately.

    Returns 409 if the recording has been rejected.
    """
    return await get_service(request, Recordings).withdraw(request.user.person, recording_id)


@get(
    "/recordings/{name:str}",
    tags=["Recordings"],
    summary="Download a recording",
    media_type="audio/mpeg",
    responses=RANGE_RESPONSES | NOT_MODIFIED_RESPONSE,
    opt={AUTH_OPTION: ANONYMOUS},
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
    """Download an approved recording, or a part of it (`Range` header).

    Its sender and moderators can also download a pending one.
    """
    recording_id = parse_recording_name(name)
    if recording_id is None:
        raise NotFoundError("There is no such recording.")
    signed_in = await find_user(request)
    opened = await get_service(request, Recordings).open(recording_id, signed_in.person if signed_in else None)
    # Caches keep it for an hour only, as its speaker may withdraw it; the ETag makes revalidation cheap.
    return _range_response(
        request, opened, {"Accept-Ranges": "bytes"} | build_headers(opened, f"{recording_id}.mp3", HOUR_CACHE_CONTROL)
    )


def _range_response(request: SignedInRequest, upload: OpenedUpload, headers: dict[str, str]) -> Response[bytes]:
    """Respond with the requested byte range: some browsers play audio only if the server supports ranges."""
    if upload.is_public and matches_etag(
        upload.etag.encode(), request.headers.get("if-none-match", "").encode("latin-1")
    ):
        return Response(b"", status_code=304, headers=headers)
    condition = request.headers.get("if-range")
    # RFC 9110 defines Range for GET only.
    is_range_valid = condition in {None, upload.etag} and not request.scope.get(OMIT_BODY_KEY)
    range_header = request.headers.get("range", "") if is_range_valid else ""
    try:
        byte_range = parse_range(range_header, upload.size)
    except ValueError:
        return Response(b"", status_code=416, headers=headers | {"Content-Range": f"bytes */{upload.size}"})
    if byte_range is None:
        return StreamedResponse(upload.pieces, upload.size, headers=headers, media_type=upload.media_type)
    headers["Content-Range"] = byte_range.format_content_range(upload.size)
    return StreamedResponse(
        _slice_pieces(upload.pieces, byte_range),
        byte_range.length,
        status_code=206,
        headers=headers,
        media_type=upload.media_type,
    )


async def _slice_pieces(pieces: AsyncIterator[bytes], byte_range: ByteRange) -> AsyncIterator[bytes]:
    """Yield a byte range of a file while reading all of it; recordings are too small for seeking to be faster."""
    position, end = 0, byte_range.start + byte_range.length
    async for piece in pieces:
        piece_slice = piece[max(0, byte_range.start - position) : max(0, end - position)]
        position += len(piece)
        if piece_slice:
            yield piece_slice


RECORDING_HANDLERS = (
    submit_recording,
    list_recordings,
    show_recording,
    approve_recording,
    reject_recording,
    withdraw_recording,
    read_recording,
)
