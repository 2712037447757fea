"""Account pages: sign in, up and out, change the password, and the page of saved lists."""

from typing import Annotated

from litestar import Response, get, post
from litestar.params import QueryParameter

from abhidhan.dictionary.api.parameters import GivenDictionary
from abhidhan.dictionary.model.list_links import LONGEST_NAME, MOST_SHARED
from abhidhan.people.pages.staff import NOT_KEPT
from abhidhan.people.service.accounts import Accounts
from abhidhan.people.service.administration import NewAccount
from abhidhan.people.service.saved_lists import OwnLists
from abhidhan.platform.http.authentication import find_session, find_signed_in, no_cookie, session_cookie, visit_of
from abhidhan.platform.http.errors import status_of
from abhidhan.platform.http.forms import CODE, SECOND_STEP, Form, read_form, signed_in_or_led
from abhidhan.platform.http.rendering import GivenPages, PageRequest, lead_to, readers_of
from abhidhan.platform.http.services import service_of
from abhidhan.platform.http.urls import local_address
from abhidhan.records.errors import AbhidhanError, CodeRequiredError, SignInRequiredError
from abhidhan.records.people import SignUp

Given = Annotated[str, QueryParameter(max_length=2000)]


@get("/account/sign-in", include_in_schema=False)
async def show_sign_in(
    request: PageRequest,
    pages: GivenPages,
    back: Annotated[str, QueryParameter(name="next", max_length=2000)] = "/account",
) -> Response[str]:
    """Show the form to sign in."""
    if await find_session(request) is not None:
        return lead_to(local_address(back))
    return _sign_in_page(request, pages, Form({"next": local_address(back)}))


@post("/account/sign-in", include_in_schema=False)
async def sign_in(request: PageRequest, pages: GivenPages) -> Response[str]:
    """Sign in, and redirect to the page that the user wanted."""
    form = await read_form(request)
    try:
        token = await service_of(request, Accounts).authentication.sign_in(
            form.value("username"), form.value("password"), visit_of(request)
        )
    except CodeRequiredError as error:
        return _code_page(request, pages, Form({SECOND_STEP: error.step, "next": form.value("next")}))
    except AbhidhanError as error:
        return _sign_in_page(request, pages, form.refused(error), status_of(error))
    return _signed_in_page(request, form, token)


@post("/account/sign-in/code", include_in_schema=False)
async def sign_in_by_code(request: PageRequest, pages: GivenPages) -> Response[str]:
    """Finish signing in with a code."""
    form = await read_form(request)
    try:
        token = await service_of(request, Accounts).authentication.second_step(
            form.value(SECOND_STEP), form.value(CODE), visit_of(request)
        )
    except AbhidhanError as error:
        too_late = isinstance(error, SignInRequiredError) and not isinstance(error, CodeRequiredError)
        page = _sign_in_page if too_late else _code_page
        return page(request, pages, form.refused(error), status_of(error))
    return _signed_in_page(request, form, token)


def _signed_in_page(request: PageRequest, form: Form, token: str) -> Response[str]:
    back = local_address(form.value("next") or "/account")
    return lead_to(back, headers=NOT_KEPT, cookies=[session_cookie(request, token)])


def _code_page(request: PageRequest, pages: GivenPages, form: Form, status: int = 200) -> Response[str]:
    return pages.show(request, "sign-in-code.html", {"form": form}, status=status, headers=NOT_KEPT)


def _sign_in_page(request: PageRequest, pages: GivenPages, form: Form, status: int = 200) -> Response[str]:
    return pages.show(request, "sign-in.html", {"form": form}, status=status, headers=NOT_KEPT)


@post("/account/sign-out", include_in_schema=False)
async def sign_out(request: PageRequest) -> Response[str]:
    """End the current session."""
    await read_form(request)
    await service_of(request, Accounts).sessions.sign_out(visit_of(request).token)
    return lead_to("/", headers=NOT_KEPT, cookies=[no_cookie(request)])


@get("/account/sign-up", include_in_schema=False)
async def show_sign_up(request: PageRequest, pages: GivenPages, invitation: Given = "") -> Response[str]:
    """Show the form to create an account."""
    return _sign_up_page(request, pages, Form({"invitation": invitation}))


@post("/account/sign-up", include_in_schema=False)
async def sign_up(request: PageRequest, pages: GivenPages) -> Response[str]:
    """Create an account, and sign in."""
    form = await read_form(request)
    accounts, name, password = service_of(request, Accounts), form.value("username"), form.value("password")
    new = NewAccount(name, password, form.value("email") or None, form.value("invitation") or None)
    try:
        await accounts.authentication.sign_up(new, visit_of(request))
        token = await accounts.authentication.sign_in(name, password, visit_of(request))
    except AbhidhanError as error:
        return _sign_up_page(request, pages, form.refused(error), status_of(error))
    return lead_to("/account?done=account", headers=NOT_KEPT, cookies=[session_cookie(request, token)])


def _sign_up_page(request: PageRequest, pages: GivenPages, form: Form, status: int = 200) -> Response[str]:
    allowed = service_of(request, Accounts).context.rules.sign_up
    possible = allowed is SignUp.OPEN or (allowed is SignUp.INVITATION and bool(form.value("invitation")))
    contact = service_of(request, Accounts).context.rules.contact
    values = {"form": form, "possible": possible, "closed": allowed is SignUp.CLOSED, "contact": contact}
    return pages.show(request, "sign-up.html", values, status=status, headers=NOT_KEPT)


@get("/account/forgotten", include_in_schema=False)
async def show_forgotten(request: PageRequest, pages: GivenPages, done: Given = "") -> Response[str]:
    """Show the form to request a reset link."""
    return pages.show(request, "forgotten.html", {"form": Form(), "done": done}, headers=NOT_KEPT)


@post("/account/forgotten", include_in_schema=False)
async def ask_for_link(request: PageRequest, pages: GivenPages) -> Response[str]:
    """Send a reset link by e-mail; the response is the same whether or not there is such a user."""
    form = await read_form(request)
    try:
        await service_of(request, Accounts).password_resets.request(form.value("name"), visit_of(request))
    except AbhidhanError as error:
        values = {"form": form.refused(error), "done": ""}
        return pages.show(request, "forgotten.html", values, status=status_of(error), headers=NOT_KEPT)
    return lead_to("/account/forgotten?done=sent", headers=NOT_KEPT)


@get("/account/reset", include_in_schema=False)
async def show_reset(request: PageRequest, pages: GivenPages, token: Given = "") -> Response[str]:
    """Show the form to set a new password with a reset link."""
    return pages.show(request, "reset.html", {"form": Form({"token": token})}, headers=NOT_KEPT)


@post("/account/reset", include_in_schema=False)
async def reset_password(request: PageRequest, pages: GivenPages) -> Response[str]:
    """Set a new password with a reset link, which is valid once."""
    form = await read_form(request)
    try:
        await service_of(request, Accounts).password_resets.set_password(
            form.value("token"), form.value("password"), visit_of(request)
        )
    except AbhidhanError as error:
        values = {"form": form.refused(error)}
        return pages.show(request, "reset.html", values, status=status_of(error), headers=NOT_KEPT)
    return lead_to("/account/sign-in", headers=NOT_KEPT)


@post("/account/password", include_in_schema=False)
async def change_password(request: PageRequest, pages: GivenPages) -> Response[str]:
    """Change the password, and close all other sessions."""
    form = await read_form(request)
    signed_in = await signed_in_or_led(request)
    if isinstance(signed_in, Response):
        return signed_in
    old, new = form.value("password"), form.value("new_password")
    try:
        token = await service_of(request, Accounts).authentication.change_password(
            signed_in, old, new, visit_of(request)
        )
    except AbhidhanError as error:
        values = {"form": form.refused(error)}
        return pages.show(request, "password.html", values, status=status_of(error), headers=NOT_KEPT)
    return lead_to("/account?done=password", headers=NOT_KEPT, cookies=[session_cookie(request, token)])


@get("/account/password", include_in_schema=False)
async def show_password(request: PageRequest, pages: GivenPages) -> Response[str]:
    """Show the form to change the password."""
    signed_in = await signed_in_or_led(request)
    if isinstance(signed_in, Response):
        return signed_in
    return pages.show(request, "password.html", {"form": Form()}, headers=NOT_KEPT)


@get("/my-lists", include_in_schema=False)
async def show_own(request: PageRequest, dictionary: GivenDictionary, pages: GivenPages) -> Response[str]:
    """Show the page of saved lists, which a script fills from the browser's storage."""
    readers = readers_of(request)
    langs = dictionary.known_languages(readers.chosen) or readers.usual_codes
    signed_in = await find_signed_in(request)
    person = signed_in.person.username if signed_in else ""
    values = {"most_shared": MOST_SHARED, "longest_name": LONGEST_NAME, "langs": langs, "person": person}
    return pages.show(request, "my-lists.html", values)


@post("/account/lists/forget", include_in_schema=False)
async def forget_kept(request: PageRequest) -> Response[str]:
    """Delete the lists stored in the account; works without a script."""
    await read_form(request)
    signed_in = await signed_in_or_led(request)
    if isinstance(signed_in, Response):
        return signed_in
    await service_of(request, OwnLists).forget(signed_in.person)
    return lead_to("/account?done=lists", headers=NOT_KEPT)


ACCOUNT_HANDLERS = (
    show_sign_in,
    sign_in,
    sign_in_by_code,
    sign_out,
    show_sign_up,
    sign_up,
    show_forgotten,
    ask_for_link,
    show_reset,
    reset_password,
    show_password,
    change_password,
    show_own,
    forget_kept,
)
