"""Who is signed in on a page and what they may do, or who signs in by the same form after a session has ended."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Final, NamedTuple, TypeVar

import msgspec
from litestar import Response

from abhidhan.dictionary.service.dictionary import Dictionary
from abhidhan.people.service.accounts import Accounts
from abhidhan.platform.http.authentication import SET_UP_FIRST, find_session, session_cookie, visit_of
from abhidhan.platform.http.errors import status_of
from abhidhan.platform.http.forms import CODE, SECOND_STEP, Form, read_form, signed_in_or_led
from abhidhan.platform.http.rendering import PageRequest, Pages
from abhidhan.platform.http.services import service_of
from abhidhan.records.errors import AbhidhanError, ForbiddenError, SignInRequiredError, sentence
from abhidhan.records.people import Permission, Person, require
from abhidhan.records.submissions import Waiting
from abhidhan.submissions.service import count_waiting

NOT_KEPT: Final = {"Cache-Control": "no-store"}
S = TypeVar("S")

TELL_WHAT_WAITS: Final = "/review"
"""How the addresses begin of pages that tell how much waits for review."""


class StaffContext(NamedTuple):
    """What pages for somebody who is signed in are made from: the request, the dictionary, the pages, the person.

    `waiting` is how much waits for review; None where the page does not tell.
    """

    request: PageRequest
    dictionary: Dictionary
    pages: Pages
    person: Person
    waiting: Waiting | None = None

    def service(self, kind: type[S]) -> S:
        """Return the service of a class."""
        return service_of(self.request, kind)

    def show(self, template: str, values: Mapping[str, object], error: AbhidhanError | None = None) -> Response[str]:
        """Show a page, with the ways to all that this person may do, and the status of an error."""
        allowed = {each.name for each in Permission if self.person.may(each)}
        status = status_of(error) if error else 200
        given = {"allowed": allowed, "in_queues": self.waiting, **values}
        return self.pages.show(self.request, template, given, status=status, headers=NOT_KEPT)


Work = Callable[[StaffContext, Form], Awaitable[Response[str]]]
"""What a page does with a form, once its sender is known and may send it."""


async def staff_or_redirect(
    request: PageRequest, dictionary: Dictionary, pages: Pages, permission: Permission | None = None
) -> StaffContext | Response[str]:
    """Return the context of whoever is signed in; redirect others to sign in, and back. Raises ForbiddenError."""
    signed_in = await signed_in_or_led(request)
    if isinstance(signed_in, Response):
        return signed_in
    if permission is not None:
        require(signed_in.person, permission)
    return await _context(request, dictionary, pages, signed_in.person)


async def _context(request: PageRequest, dictionary: Dictionary, pages: Pages, person: Person) -> StaffContext:
    """Gather what a page is made from. How much waits is counted only for the pages of reviewing."""
    tells = person.may(Permission.REVIEW) and request.url.path.startswith(TELL_WHAT_WAITS)
    waiting = await dictionary.read_in_thread(count_waiting, person) if tells else None
    return StaffContext(request, dictionary, pages, person, waiting)


async def handle_staff_form(
    request: PageRequest, dictionary: Dictionary, pages: Pages, permission: Permission | None, work: Work
) -> Response[str]:
    """Read the form that was sent, and do what it says. Whose session has ended signs in on the way, and loses nothing.

    Raises ForbiddenError.
    """
    form = await read_form(request)
    try:
        sender = await sender_of(request, form)
    except AbhidhanError as error:
        values = {"form": form.refused(error)}
        return pages.show(request, "sign-in-again.html", values, status=status_of(error), headers=NOT_KEPT)
    if permission is not None:
        require(sender.person, permission)
    return sender.keep_signed_in(request, await work(await _context(request, dictionary, pages, sender.person), form))


class Sender(msgspec.Struct, frozen=True):
    """Who sends a form; `token` is that of a session just opened, by the name and password in the same form."""

    person: Person
    token: str | None = None

    def keep_signed_in(self, request: PageRequest, response: Response[str]) -> Response[str]:
        """Let the answer carry the cookie of a session that was just opened."""
        if self.token is not None:
            response.cookies.append(session_cookie(request, self.token))
        return response


async def sender_of(request: PageRequest, form: Form) -> Sender:
    """Return who sends a form. Whose session has expired signs in by the same form, and loses nothing.

    Raises SignInRequiredError when nobody does, ForbiddenError for whoever must set up codes first, and what signing
    in raises.
    """
    token, signed_in = None, await find_session(request)
    if signed_in is None:
        token = await _signed_in_by(request, form)
        signed_in = await service_of(request, Accounts).sessions.who(token)
    if signed_in is None:
        raise SignInRequiredError(sentence("Sign in again."))
    if signed_in.must_set_up:
        raise ForbiddenError(SET_UP_FIRST)
    return Sender(signed_in.person, token)


async def _signed_in_by(request: PageRequest, form: Form) -> str:
    """Sign in by the fields of a form: name and password, or the code that is asked for after them."""
    accounts, visit = service_of(request, Accounts), visit_of(request)
    if form.value(SECOND_STEP):
        return await accounts.authentication.second_step(form.value(SECOND_STEP), form.value(CODE), visit)
    if form.value("username"):
        return await accounts.authentication.sign_in(form.value("username"), form.value("password"), visit)
    raise SignInRequiredError(sentence("Your session has ended. Sign in below; what you have written is still here."))
