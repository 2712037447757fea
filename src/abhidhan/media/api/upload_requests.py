"""Upload requests: a form with one file, submitted within the limit of concurrent uploads."""

from collections.abc import Callable
from typing import Any, Final, Generic, TypeVar

import msgspec
from litestar import Request, Response
from litestar.exceptions import HTTPException

from abhidhan.media.service.upload_kinds import Shown
from abhidhan.media.service.uploads import UploadLimiter, UploadService
from abhidhan.platform.http.authentication import require_access
from abhidhan.platform.http.errors import ErrorContext, build_error_response, get_raw_path
from abhidhan.platform.http.logging import REQUEST_ID
from abhidhan.platform.http.multipart import FileForm, read_file_form
from abhidhan.platform.http.parameters import read_idempotency_key
from abhidhan.platform.http.request_bodies import open_upload_body
from abhidhan.platform.http.services import get_service
from abhidhan.platform.http.streaming import DiscardingResponse
from abhidhan.records.api_tokens import Scope
from abhidhan.records.errors import AbhidhanError
from abhidhan.records.people import Person
from abhidhan.records.uploads import UploadedFile

T = TypeVar("T")

SENDER_GUARD: Final = require_access(scopes=(Scope.CONTRIBUTE,))
"""Access rule for uploads through the API."""


class UploadRequest(Generic[Shown]):
    """A request that uploads a file: its body, and the fields and file that were read from it so far."""

    def __init__(
        self, request: Request[Any, Any, Any], service: UploadService[Any, Any, Shown], form: FileForm
    ) -> None:
        """Prepare an upload without reading the body."""
        self._request = request
        self._service = service
        self._form = form
        self.body = open_upload_body(request, form.file_field)
        self.uploaded_file = UploadedFile()

    async def submit(self, person: Person) -> Shown:
        """Wait for an upload slot, read the form, and submit its file. Raises the errors of the service."""
        key = read_idempotency_key(self._request)
        async with get_service(self._request, UploadLimiter).slot(person.id):
            self.uploaded_file = await read_file_form(
                self.body, self._request.headers.get("content-type", ""), self._form
            )
            return await self._service.submit(person, msgspec.structs.replace(self.uploaded_file, idempotency_key=key))


async def respond_to_upload(
    request: Request[Any, Any, Any], upload: UploadRequest[Shown], serialize: Callable[[Shown], T]
) -> Response[T] | Response[bytes]:
    """Submit an upload. On an error, respond immediately, and discard the rest of the body, so that clients read it."""
    try:
        signed_in = await SENDER_GUARD.admit(request)
        return Response(serialize(await upload.submit(signed_in.person)), status_code=201)
    except (AbhidhanError, HTTPException) as error:
        if upload.body.is_finished:
            raise
        answer = build_error_response(
            error, ErrorContext(request.method, get_raw_path(request.scope), REQUEST_ID.get())
        )
        return DiscardingResponse(
            answer.body,
            upload.body.discard_rest,
            status_code=answer.status,
            headers=answer.headers,
            media_type=answer.media_type,
        )
