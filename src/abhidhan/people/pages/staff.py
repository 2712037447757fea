"""What the pages of contributors, editors and administrators have in common: who is signed in, and what they may do."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Final, NamedTuple, TypeVar

from litestar import Response

from abhidhan.dictionary.service.dictionary import Dictionary
from abhidhan.people.pages.sender import sender_of
from abhidhan.platform.http.errors import status_of
from abhidhan.platform.http.forms import Form, read_form, signed_in_or_led
from abhidhan.platform.http.rendering import PageRequest, Pages
from abhidhan.platform.http.services import service_of
from abhidhan.records.errors import AbhidhanError
from abhidhan.records.people import Permission, Person, require
from abhidhan.records.submissions import Waiting
from abhidhan.submissions.service.waiting import count_waiting

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
