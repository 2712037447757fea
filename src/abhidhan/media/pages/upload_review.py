"""Pages shared by photos and recordings: submit a file, and the queue in which moderators decide and undo decisions."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Any, Final

import msgspec
from litestar import Response, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import QueryParameter

from abhidhan.dictionary.api.parameters import DictionaryDep
from abhidhan.dictionary.service.dictionary import Dictionary
from abhidhan.editing.service.editing import Editing
from abhidhan.media.api.upload_requests import UploadRequest
from abhidhan.media.service.uploads import UploadService
from abhidhan.people.pages.staff import NO_STORE_HEADERS, StaffContext, handle_staff_form, require_staff
from abhidhan.platform.http.authentication import check_site, find_signed_in
from abhidhan.platform.http.errors import get_status
from abhidhan.platform.http.forms import Form
from abhidhan.platform.http.parameters import PathID
from abhidhan.platform.http.rendering import PageRequest, Pages, PagesDep, redirect_to
from abhidhan.platform.http.request_bodies import UploadBody
from abhidhan.platform.http.streaming import DiscardingResponse
from abhidhan.platform.http.urls import add_query
from abhidhan.records.errors import AbhidhanError, ConflictError, InputError, Sentence, SignInRequiredError, sentence
from abhidhan.records.history import HistoryAction, RecordRef
from abhidhan.records.ids import MAX_ID
from abhidhan.records.paging import Page
from abhidhan.records.people import Permission
from abhidhan.records.submissions import MAX_REASON_LENGTH

FILES_PER_PAGE: Final = 20
NOTHING_TO_UNDO: Final = sentence("Nothing to undo: this has not been decided, or was already undone.")

LastActionParam = Annotated[str, QueryParameter(max_length=20)]
DecidedFileParam = Annotated[int, QueryParameter(ge=0, le=MAX_ID, name="id")]
"""Query parameters of a queue page: the last action, and the ID of the file that it changed."""


class FileQueue(msgspec.Struct, frozen=True):
    """The review queue of one kind of file: its kind in the history, its URL path and its template.

    `load_pending` returns the first pending files as template values, and their total number. `undoable_actions` are
    the history actions that can be undone here; `withdrawal_code` selects the message of the account page after a
    withdrawal.
    """

    kind: str
    address: str
    template: str
    undoable_actions: frozenset[HistoryAction]
    withdrawal_code: str
    service: Callable[[PageRequest], UploadService[Any, Any, Any]]
    load_pending: Callable[[StaffContext], Awaitable[Page[Any]]]

    async def render_page(
        self, staff: StaffContext, *, done: str = "", file_id: int = 0, error: AbhidhanError | None = None
    ) -> Response[str]:
        """Render the page of pending files, with a message about the last action on the file `file_id`."""
        pending = await self.load_pending(staff)
        values = {
            "waiting": pending.items,
            "total": pending.total,
            "queue": self,
            "done": done,
            "decided": file_id,
            "form": Form().with_error(error) if error else Form(),
            "longest_reason": MAX_REASON_LENGTH,
        }
        return staff.show(self.template, values, error)

    async def decide(self, request: PageRequest, dictionary: Dictionary, pages: Pages, number: int) -> Response[str]:
        """Approve or reject a file."""

        async def handle_form(staff: StaffContext, form: Form) -> Response[str]:
            service, is_approved = self.service(request), form.value("decision") == "approve"
            try:
                if is_approved:
                    await service.approve(staff.person, number)
                else:
                    await service.reject(staff.person, number, form.value("reason"))
            except (ConflictError, InputError) as error:
                return await self.render_page(staff, error=error)
            return self._redirect("approved" if is_approved else "rejected", number)

        return await handle_staff_form(request, dictionary, pages, Permission.REVIEW, handle_form)

    async def undo(self, request: PageRequest, dictionary: Dictionary, pages: Pages, number: int) -> Response[str]:
        """Undo a decision, so that the file is pending again."""

        async def handle_form(staff: StaffContext, _form: Form) -> Response[str]:
            try:
                await staff.service(Editing).undo(staff.person, await self._find_newest_decision(staff, number))
            except ConflictError as error:
                return await self.render_page(staff, error=error)
            return self._redirect("undone", number)

        return await handle_staff_form(request, dictionary, pages, Permission.REVIEW, handle_form)

    async def _find_newest_decision(self, staff: StaffContext, number: int) -> int:
        """Return the ID of the history entry of the decision on a file. Raises ConflictError if it is not the newest.

        Other changes of the file must not be undone here.
        """
        newest = await staff.service(Editing).list_history(RecordRef(self.kind, str(number)), 1)
        if not newest or newest[0].action is None or newest[0].action.id not in self.undoable_actions:
            raise ConflictError(NOTHING_TO_UNDO)
        return newest[0].id

    def _redirect(self, done: str, number: int) -> Response[str]:
        return redirect_to(add_query(self.address, done=done, id=number), headers=NO_STORE_HEADERS)

    async def withdraw(self, request: PageRequest, dictionary: Dictionary, pages: Pages, number: int) -> Response[str]:
        """Withdraw the user's own file."""

        async def handle_form(staff: StaffContext, _form: Form) -> Response[str]:
            await self.service(request).withdraw(staff.person, number)
            return redirect_to(add_query("/account", done=self.withdrawal_code), headers=NO_STORE_HEADERS)

        return await handle_staff_form(request, dictionary, pages, None, handle_form)

    def build_handlers(self) -> tuple[HTTPRouteHandler, ...]:
        """Return the route handlers of this queue."""

        @get(self.address, include_in_schema=False)
        async def show_queue(
            request: PageRequest,
            dictionary: DictionaryDep,
            pages: PagesDep,
            done: LastActionParam = "",
            decided: DecidedFileParam = 0,
        ) -> Response[str]:
            staff = await require_staff(request, dictionary, pages, Permission.REVIEW)
            return staff if isinstance(staff, Response) else await self.render_page(staff, done=done, file_id=decided)

        @post(f"{self.address}/{{number:int}}", include_in_schema=False)
        async def decide(
            request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, number: PathID
        ) -> Response[str]:
            return await self.decide(request, dictionary, pages, number)

        @post(f"{self.address}/{{number:int}}/undo", include_in_schema=False)
        async def undo(
            request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, number: PathID
        ) -> Response[str]:
            return await self.undo(request, dictionary, pages, number)

        @post(f"/account/{self.kind}s/{{number:int}}/withdraw", include_in_schema=False)
        async def withdraw(
            request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, number: PathID
        ) -> Response[str]:
            return await self.withdraw(request, dictionary, pages, number)

        return show_queue, decide, undo, withdraw


async def submit_file(
    request: PageRequest,
    upload: UploadRequest[Any],
    sign_in_message: Sentence,
    render_form: Callable[[Form, int], Awaitable[Response[str]]],
) -> Response[str] | Response[bytes]:
    """Submit the file of a form; on an error, show the form again with the message.

    `sign_in_message` is for users who are not signed in.
    """
    try:
        check_site(request)
        signed_in = await find_signed_in(request)
        if signed_in is None:
            raise SignInRequiredError(sign_in_message)
        await upload.submit(signed_in.person)
    except AbhidhanError as error:
        form = Form({name: text for name, text in upload.uploaded_file.fields.items() if text}).with_error(error)
        page = await render_form(form, get_status(error))
        return page if upload.body.is_finished else respond_early(page, upload.body)
    return redirect_to(add_query("/account", done=upload.body.field), headers=NO_STORE_HEADERS)


def respond_early(page: Response[str], body: UploadBody) -> Response[bytes]:
    """Send a page to a client that is still uploading; its remaining data are discarded, so that it reads the page."""
    return DiscardingResponse(
        page.content.encode(),
        body.discard_rest,
        status_code=page.status_code,
        headers=page.headers,
        media_type=page.media_type,
    )
