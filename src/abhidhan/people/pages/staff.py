"""Authentication and permissions of pages. A user whose session has ended can sign in with the form being sent."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Final, NamedTuple, TypeVar

import msgspec
from litestar import Response

from abhidhan.dictionary.service.dictionary import Dictionary
from abhidhan.people.service.accounts import Accounts
from abhidhan.platform.http.authentication import (
    TWO_FACTOR_REQUIRED_MESSAGE,
    build_session_cookie,
    client_info,
    find_session_user,
)
from abhidhan.platform.http.errors import get_status
from abhidhan.platform.http.forms import CODE_FIELD, SECOND_STEP_FIELD, Form, read_form, require_login
from abhidhan.platform.http.rendering import PageRequest, Pages
from abhidhan.platform.http.services import get_service
from abhidhan.records.errors import AbhidhanError, ForbiddenError, SignInRequiredError, sentence
from abhidhan.records.people import Permission, Person, require_permission
from abhidhan.records.submissions import PendingCounts
from abhidhan.submissions.service import count_pending_contributions

NO_STORE_HEADERS: Final = {"Cache-Control": "no-store"}
S = TypeVar("S")

REVIEW_PREFIX: Final = "/review"
"""URL prefix of the pages that show the number of records waiting for review."""


class StaffContext(NamedTuple):
    """Context of a page for a signed-in user: the request, the dictionary, the page renderer and the user.

    `pending_counts` are the numbers of records that wait for review; None if the page does not show them.
    """

    request: PageRequest
    dictionary: Dictionary
    pages: Pages
    person: Person
    pending_counts: PendingCounts | None = None

    def service(self, service_class: type[S]) -> S:
        """Return the service of this class."""
        return get_service(self.request, service_class)

    def show(self, template: str, values: Mapping[str, object], error: AbhidhanError | None = None) -> Response[str]:
        """Render a page with the links that the user's permissions allow, and with the status of an error."""
        allowed = {permission.name for permission in Permission if self.person.has_permission(permission)}
        status = get_status(error) if error else 200
        context = {"allowed": allowed, "in_queues": self.pending_counts, **values}
        return self.pages.show(self.request, template, context, status=status, headers=NO_STORE_HEADERS)


StaffFormHandler = Callable[[StaffContext, Form], Awaitable[Response[str]]]
"""Handler of a form, called after the sender was authenticated and the permission checked."""


async def require_staff(
    request: PageRequest, dictionary: Dictionary, pages: Pages, permission: Permission | None = None
) -> StaffContext | Response[str]:
    """Return the context of the signed-in user, or a redirect to the sign-in page. Raises ForbiddenError."""
    signed_in = await require_login(request)
    if isinstance(signed_in, Response):
        return signed_in
    if permission is not None:
        require_permission(signed_in.person, permission)
    return await _build_context(request, dictionary, pages, signed_in.person)


async def _build_context(request: PageRequest, dictionary: Dictionary, pages: Pages, person: Person) -> StaffContext:
    """Build the context of a page; records that wait for review are counted only for review pages."""
    shows_counts = person.has_permission(Permission.REVIEW) and request.url.path.startswith(REVIEW_PREFIX)
    pending_counts = await dictionary.read_in_thread(count_pending_contributions, person) if shows_counts else None
    return StaffContext(request, dictionary, pages, person, pending_counts)


async def handle_staff_form(
    request: PageRequest, dictionary: Dictionary, pages: Pages, permission: Permission | None, handler: StaffFormHandler
) -> Response[str]:
    """Read a submitted form and handle it. If the session has ended, the response asks the user to sign in again.

    Raises ForbiddenError.
    """
    form = await read_form(request)
    try:
        sender = await authenticate_sender(request, form)
    except AbhidhanError as error:
        values = {"form": form.with_error(error)}
        return pages.show(request, "sign-in-again.html", values, status=get_status(error), headers=NO_STORE_HEADERS)
    if permission is not None:
        require_permission(sender.person, permission)
    return sender.set_session_cookie(
        request, await handler(await _build_context(request, dictionary, pages, sender.person), form)
    )


class FormSender(msgspec.Struct, frozen=True):
    """The sender of a form. `token` belongs to a new session, if the form also contained a name and password."""

    person: Person
    token: str | None = None

    def set_session_cookie(self, request: PageRequest, response: Response[str]) -> Response[str]:
        """Add the cookie of a new session, if there is one, to a response."""
        if self.token is not None:
            response.cookies.append(build_session_cookie(request, self.token))
        return response


async def authenticate_sender(request: PageRequest, form: Form) -> FormSender:
    """Authenticate the sender of a form by the session or, if it has ended, by the name and password in the form.

    Raises SignInRequiredError if both fail, ForbiddenError if the user must set up two-factor sign-in first, and the
    errors of signing in.
    """
    token, signed_in = None, await find_session_user(request)
    if signed_in is None:
        token = await _sign_in_by_form(request, form)
        signed_in = await get_service(request, Accounts).sessions.authenticate(token)
    if signed_in is None:
        raise SignInRequiredError(sentence("Sign in again."))
    if signed_in.must_set_up:
        raise ForbiddenError(TWO_FACTOR_REQUIRED_MESSAGE)
    return FormSender(signed_in.person, token)


async def _sign_in_by_form(request: PageRequest, form: Form) -> str:
    """Sign in by the name and password, or by the two-factor code, in a form; return the token of a new session."""
    accounts, client = get_service(request, Accounts), client_info(request)
    if form.value(SECOND_STEP_FIELD):
        return await accounts.authentication.finish_sign_in(
            form.value(SECOND_STEP_FIELD), form.value(CODE_FIELD), client
        )
    if form.value("username"):
        return await accounts.authentication.sign_in(form.value("username"), form.value("password"), client)
    raise SignInRequiredError(sentence("Your session has ended. Sign in below; your text is still here."))
