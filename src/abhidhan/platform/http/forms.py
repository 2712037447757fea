"""Forms of the pages: what was sent, what is wrong with it, and the languages they ask for."""

from typing import Final
from urllib.parse import parse_qsl

import msgspec
from litestar import Response

from abhidhan.platform.http.authentication import check_site, find_session
from abhidhan.platform.http.rendering import PageRequest, lead_to, readers_of
from abhidhan.platform.http.urls import local_address, with_query
from abhidhan.records.catalogue import Catalogue
from abhidhan.records.errors import AbhidhanError, CodeRequiredError, InputError, Problem, SignInRequiredError, sentence
from abhidhan.records.ids import read_number
from abhidhan.records.language_preferences import USUAL
from abhidhan.records.languages import Language
from abhidhan.records.people import SignedIn

LARGEST_FORM: Final = 64 * 1024
MOST_FIELDS: Final = 2_000
"""An idea from a file has two fields for each word and example that can be mended; LARGEST_FORM bounds it besides."""

NUL: Final = "\x00"
"""The one character that no database keeps in a text; no browser sends it."""

SIGN_IN: Final = "/account/sign-in"
SET_UP: Final = "/account/two-factor"
NOT_A_FORM: Final = sentence("The form could not be read; send it again.")


class Form(msgspec.Struct, frozen=True):
    """The fields of a form, and what is wrong with them."""

    fields: dict[str, str] = {}
    problems: tuple[Problem, ...] = ()

    def value(self, name: str) -> str:
        """Return the value of a field."""
        return self.fields.get(name, "")

    def wrong(self, name: str) -> str:
        """Say what is wrong with a field; nothing if nothing is."""
        return " ".join(problem.detail for problem in self.problems if problem.parameter == name)

    def refused(self, error: AbhidhanError) -> "Form":
        """Take the same form with what an error says of it."""
        problems = error.problems if isinstance(error, InputError) else (Problem("", error.said),)
        fields = {name: text for name, text in self.fields.items() if name not in SECRET}
        if isinstance(error, SignInRequiredError):
            fields.pop(SECOND_STEP, None)
        if isinstance(error, CodeRequiredError):
            fields[SECOND_STEP] = error.step
        return Form(fields, tuple(problems))


CODE: Final = "one_time_code"
SECOND_STEP: Final = "second_step"
"""The field that goes on with signing in, when the password was right and a code is asked for."""

SECRET: Final = frozenset({"password", "new_password", CODE})
"""Fields that are never sent back."""


async def read_form(request: PageRequest) -> Form:
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
        raise InputError.of(field, sentence("A field that must be a number does not contain one."))
    return number


async def signed_in_or_led(request: PageRequest, *, before_set_up: bool = False) -> SignedIn | Response[str]:
    """Return who is signed in; whoever is not is led to the page to do so, and from there back.

    Who must set up codes first is led to the page for that, unless `before_set_up`.
    """
    signed_in = await find_session(request)
    if signed_in is not None and (before_set_up or not signed_in.must_set_up):
        return signed_in
    query = request.scope["query_string"].decode("latin-1")
    back = local_address(request.url.path + (f"?{query}" if query else ""))
    way = SIGN_IN if signed_in is None else SET_UP
    return lead_to(with_query(way, next=back), headers={"Cache-Control": "no-store"})


MOST_OWN: Final = 6
"""In so many languages a form asks for words at most."""


def own_languages(request: PageRequest, catalogue: Catalogue) -> tuple[Language, ...]:
    """Return the languages of whoever asks: that of the interface, English, Assamese, and those they have chosen."""
    reader = readers_of(request)
    found = (catalogue.find_language(code) for code in (reader.interface, *USUAL, *reader.chosen))
    return tuple({language.id: language for language in found if language}.values())[:MOST_OWN]
