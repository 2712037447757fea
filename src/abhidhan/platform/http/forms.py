"""Forms of the pages: their fields, their problems, and the languages that they offer."""

from typing import Final
from urllib.parse import parse_qsl

import msgspec
from litestar import Response

from abhidhan.platform.http.authentication import check_site, find_session_user
from abhidhan.platform.http.rendering import PageRequest, get_language_preferences, redirect_to
from abhidhan.platform.http.urls import add_query, restrict_to_local_address
from abhidhan.records.catalogue import Catalogue
from abhidhan.records.errors import AbhidhanError, CodeRequiredError, InputError, Problem, SignInRequiredError, sentence
from abhidhan.records.ids import parse_number
from abhidhan.records.language_preferences import DEFAULT_LANGUAGES
from abhidhan.records.languages import Language
from abhidhan.records.people import AuthenticatedUser

MAX_FORM_BYTES: Final = 64 * 1024
MAX_FIELDS: Final = 2_000
"""Maximum number of fields; the form of an imported idea has two for each word and example that can be edited."""

NUL: Final = "\x00"
"""The only character that the databases cannot store in a text; browsers never send it."""

SIGN_IN_PATH: Final = "/account/sign-in"
TWO_FACTOR_PATH: Final = "/account/two-factor"
UNREADABLE_FORM_MESSAGE: Final = sentence("The form could not be read. Please send it again.")


class Form(msgspec.Struct, frozen=True):
    """The fields of a form, and their problems."""

    fields: dict[str, str] = {}
    problems: tuple[Problem, ...] = ()

    def value(self, name: str) -> str:
        """Return the value of a field; an empty string if it is missing."""
        return self.fields.get(name, "")

    def wrong(self, name: str) -> str:
        """Return the problem of a field as text; an empty string if it is valid."""
        return " ".join(problem.detail for problem in self.problems if problem.parameter == name)

    def with_error(self, error: AbhidhanError) -> "Form":
        """Return the form with the problems of an error, without its secret fields."""
        problems = error.problems if isinstance(error, InputError) else (Problem("", error.message),)
        fields = {name: text for name, text in self.fields.items() if name not in SECRET_FIELDS}
        if isinstance(error, SignInRequiredError):
            fields.pop(SECOND_STEP_FIELD, None)
        if isinstance(error, CodeRequiredError):
            fields[SECOND_STEP_FIELD] = error.step_token
        return Form(fields, tuple(problems))


CODE_FIELD: Final = "one_time_code"
SECOND_STEP_FIELD: Final = "second_step"
"""The field that continues a sign-in after the password, when a one-time code is required."""

SECRET_FIELDS: Final = frozenset({"password", "new_password", CODE_FIELD})
"""Fields that are never sent back to the browser."""


async def read_form(request: PageRequest) -> Form:
    """Read a form without files. Raises ForbiddenError if another site sent it, InputError if it is malformed."""
    check_site(request)
    content = bytearray()
    async for piece in request.stream():
        content += piece
        if len(content) > MAX_FORM_BYTES:
            raise InputError.of("", UNREADABLE_FORM_MESSAGE)
    try:
        pairs = parse_qsl(content.decode(), keep_blank_values=True, errors="strict", max_num_fields=MAX_FIELDS)
    except ValueError:
        raise InputError.of("", UNREADABLE_FORM_MESSAGE) from None
    if any(NUL in text for pair in pairs for text in pair):
        raise InputError.of("", UNREADABLE_FORM_MESSAGE)
    return Form({name: value.replace("\r\n", "\n").strip() for name, value in pairs})


def read_number_field(form: Form, field: str) -> int | None:
    """Return the number in a hidden field or a select; None if it is empty. Raises InputError for other text."""
    text = form.value(field)
    if not text:
        return None
    number = parse_number(text)
    if number is None:
        raise InputError.of(field, sentence("A field that needs a number contains something else."))
    return number


async def require_login(request: PageRequest, *, before_set_up: bool = False) -> AuthenticatedUser | Response[str]:
    """Return the signed-in user, or a redirect to the sign-in page, which returns here.

    Users who must set up two-factor sign-in first are redirected to its page, unless `before_set_up`.
    """
    signed_in = await find_session_user(request)
    if signed_in is not None and (before_set_up or not signed_in.must_set_up):
        return signed_in
    query = request.scope["query_string"].decode("latin-1")
    back = restrict_to_local_address(request.url.path + (f"?{query}" if query else ""))
    page = SIGN_IN_PATH if signed_in is None else TWO_FACTOR_PATH
    return redirect_to(add_query(page, next=back), headers={"Cache-Control": "no-store"})


MAX_FORM_LANGUAGES: Final = 6
"""Maximum number of languages in which a form asks for words."""


def select_form_languages(request: PageRequest, catalogue: Catalogue) -> tuple[Language, ...]:
    """Return the user's languages: that of the interface, English, Assamese, and the chosen ones."""
    reader = get_language_preferences(request)
    languages = (catalogue.find_language(code) for code in (reader.interface, *DEFAULT_LANGUAGES, *reader.chosen))
    return tuple({language.id: language for language in languages if language}.values())[:MAX_FORM_LANGUAGES]
