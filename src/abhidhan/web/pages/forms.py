"""Forms of the pages: what was sent, and what is wrong with it, so that nothing typed is lost."""

from typing import Final
from urllib.parse import parse_qsl

import msgspec
from litestar import Response

from abhidhan.domain.ids import read_number
from abhidhan.domain.people import Person, SignedIn
from abhidhan.errors import AbhidhanError, InputError, Problem, SignInRequiredError, sentence
from abhidhan.web.pages.addresses import local_address, with_query
from abhidhan.web.pages.rendering import Asked, lead_to
from abhidhan.web.sessions import accounts_of, check_site, find_signed_in, session_cookie, visit_of

LARGEST_FORM: Final = 64 * 1024
MOST_FIELDS: Final = 200
NUL: Final = "\x00"
"""The one character that no database keeps in a text; no browser sends it."""

SIGN_IN: Final = "/account/sign-in"
NOT_A_FORM: Final = sentence("The form could not be read; send it again.")


class Form(msgspec.Struct, frozen=True):
    """The fields of a form, and what is wrong with them."""

    fields: dict[str, str] = {}
    problems: tuple[Problem, ...] = ()

    def value(self, name: str) -> str:
        """Give what stands in a field."""
        return self.fields.get(name, "")

    def wrong(self, name: str) -> str:
        """Say what is wrong with a field; nothing if nothing is."""
        return " ".join(problem.detail for problem in self.problems if problem.parameter == name)

    def refused(self, error: AbhidhanError) -> "Form":
        """Take the same form with what an error says of it."""
        problems = error.problems if isinstance(error, InputError) else (Problem("", error.said),)
        return Form({name: text for name, text in self.fields.items() if name not in SECRET}, tuple(problems))


SECRET: Final = frozenset({"password", "new_password"})
"""Fields that are never sent back."""


async def read_form(request: Asked) -> Form:
    """Read a small form. Raises ForbiddenError for another site's, InputError for one that cannot be read."""
    check_site(request)
    content = bytearray()
    async for piece in request.stream():
        content += piece
        if len(content) > LARGEST_FORM:
            raise InputError.of("", NOT_A_FORM)
    try:
        pairs = parse_qsl(content.decode(), keep_blank_values=True, errors="strict", max_num_fields=MOST_FIELDS)
    except ValueError:
        raise InputError.of("", NOT_A_FORM) from None
    if any(NUL in text for pair in pairs for text in pair):
        raise InputError.of("", NOT_A_FORM)
    return Form({name: value.replace("\r\n", "\n").strip() for name, value in pairs})


def number_in(form: Form, field: str) -> int | None:
    """Read a number from a hidden field or a choice; None from an empty one. Raises InputError when it is none."""
    text = form.value(field)
    if not text:
        return None
    number = read_number(text)
    if number is None:
        raise InputError.of(field, sentence("A field that must be a number is none."))
    return number


class Sender(msgspec.Struct, frozen=True):
    """Who sends a form; `token` is that of a session just opened, by the name and password in the same form."""

    person: Person
    token: str | None = None

    def keep_signed_in(self, request: Asked, response: Response[str]) -> Response[str]:
        """Let the answer carry the cookie of a session that was just opened."""
        if self.token is not None:
            response.cookies.append(session_cookie(request, self.token))
        return response


async def sender_of(request: Asked, form: Form) -> Sender:
    """Tell who sends a form. Whose session has expired signs in by the same form, and loses nothing.

    Raises SignInRequiredError when nobody does, and what signing in raises.
    """
    signed_in = await find_signed_in(request)
    if signed_in is not None:
        return Sender(signed_in.person)
    if not form.value("username"):
        raise SignInRequiredError(
            sentence("Your session has ended. Sign in below; what you have written is still here.")
        )
    accounts = accounts_of(request)
    token = await accounts.sign_in(form.value("username"), form.value("password"), visit_of(request))
    again = await accounts.who(token)
    if again is None:
        raise SignInRequiredError(sentence("Sign in once more."))
    return Sender(again.person, token)


async def signed_in_or_led(request: Asked) -> SignedIn | Response[str]:
    """Tell who is signed in; whoever is not is led to the page to do so, and from there back."""
    signed_in = await find_signed_in(request)
    if signed_in is not None:
        return signed_in
    query = request.scope["query_string"].decode("latin-1")
    back = local_address(request.url.path + (f"?{query}" if query else ""))
    return lead_to(with_query(SIGN_IN, next=back), headers={"Cache-Control": "no-store"})
