"""Who sends a form: somebody signed in, or whoever signs in by the same form after a session has ended."""

import msgspec
from litestar import Response

from abhidhan.people.service.accounts import Accounts
from abhidhan.platform.http.authentication import SET_UP_FIRST, find_session, session_cookie, visit_of
from abhidhan.platform.http.forms import CODE, SECOND_STEP, Form
from abhidhan.platform.http.rendering import PageRequest
from abhidhan.platform.http.services import service_of
from abhidhan.records.errors import ForbiddenError, SignInRequiredError, sentence
from abhidhan.records.people import Person


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
