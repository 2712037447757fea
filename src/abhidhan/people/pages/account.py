"""Account pages: sign up, sign in and out, change or reset the password, and saved lists."""

from typing import Annotated

from litestar import Response, get, post
from litestar.params import QueryParameter

from abhidhan.dictionary.api.parameters import DictionaryDep
from abhidhan.dictionary.model.list_links import MAX_LINKED_WORDS, MAX_NAME_LENGTH
from abhidhan.people.pages.staff import NO_STORE_HEADERS
from abhidhan.people.service.accounts import Accounts
from abhidhan.people.service.administration import NewAccount
from abhidhan.people.service.saved_lists import SavedLists
from abhidhan.platform.http.authentication import (
    build_expired_cookie,
    build_session_cookie,
    client_info,
    find_session_user,
    find_signed_in,
)
from abhidhan.platform.http.errors import get_status
from abhidhan.platform.http.forms import CODE_FIELD, SECOND_STEP_FIELD, Form, read_form, require_login
from abhidhan.platform.http.rendering import PageRequest, PagesDep, get_language_preferences, redirect_to
from abhidhan.platform.http.services import get_service
from abhidhan.platform.http.urls import restrict_to_local_address
from abhidhan.records.errors import AbhidhanError, CodeRequiredError, SignInRequiredError
from abhidhan.records.people import SignUp

QueryText = Annotated[str, QueryParameter(max_length=2000)]


@get("/account/sign-in", include_in_schema=False)
async def show_sign_in(
    request: PageRequest,
    pages: PagesDep,
    back: Annotated[str, QueryParameter(name="next", max_length=2000)] = "/account",
) -> Response[str]:
    """Show the form to sign in."""
    if await find_session_user(request) is not None:
        return redirect_to(restrict_to_local_address(back))
    return _render_sign_in_form(request, pages, Form({"next": restrict_to_local_address(back)}))


@post("/account/sign-in", include_in_schema=False)
async def sign_in(request: PageRequest, pages: PagesDep) -> Response[str]:
    """Sign in, and redirect to the page from which the user came."""
    form = await read_form(request)
    try:
        token = await get_service(request, Accounts).authentication.sign_in(
            form.value("username"), form.value("password"), client_info(request)
        )
    except CodeRequiredError as error:
        return _render_code_form(
            request, pages, Form({SECOND_STEP_FIELD: error.step_token, "next": form.value("next")})
        )
    except AbhidhanError as error:
        return _render_sign_in_form(request, pages, form.with_error(error), get_status(error))
    return _redirect_signed_in(request, form, token)


@post("/account/sign-in/code", include_in_schema=False)
async def sign_in_by_code(request: PageRequest, pages: PagesDep) -> Response[str]:
    """Finish signing in with a two-factor code."""
    form = await read_form(request)
    try:
        token = await get_service(request, Accounts).authentication.finish_sign_in(
            form.value(SECOND_STEP_FIELD), form.value(CODE_FIELD), client_info(request)
        )
    except AbhidhanError as error:
        too_late = isinstance(error, SignInRequiredError) and not isinstance(error, CodeRequiredError)
        page = _render_sign_in_form if too_late else _render_code_form
        return page(request, pages, form.with_error(error), get_status(error))
    return _redirect_signed_in(request, form, token)


def _redirect_signed_in(request: PageRequest, form: Form, token: str) -> Response[str]:
    back = restrict_to_local_address(form.value("next") or "/account")
    return redirect_to(back, headers=NO_STORE_HEADERS, cookies=[build_session_cookie(request, token)])


def _render_code_form(request: PageRequest, pages: PagesDep, form: Form, status: int = 200) -> Response[str]:
    return pages.show(request, "sign-in-code.html", {"form": form}, status=status, headers=NO_STORE_HEADERS)


def _render_sign_in_form(request: PageRequest, pages: PagesDep, form: Form, status: int = 200) -> Response[str]:
    return pages.show(request, "sign-in.html", {"form": form}, status=status, headers=NO_STORE_HEADERS)


@post("/account/sign-out", include_in_schema=False)
async def sign_out(request: PageRequest) -> Response[str]:
    """End the current session."""
    await read_form(request)
    await get_service(request, Accounts).sessions.sign_out(client_info(request).token)
    return redirect_to("/", headers=NO_STORE_HEADERS, cookies=[build_expired_cookie(request)])


@get("/account/sign-up", include_in_schema=False)
async def show_sign_up(request: PageRequest, pages: PagesDep, invitation: QueryText = "") -> Response[str]:
    """Show the form to create an account."""
    return _render_sign_up_form(request, pages, Form({"invitation": invitation}))


@post("/account/sign-up", include_in_schema=False)
async def sign_up(request: PageRequest, pages: PagesDep) -> Response[str]:
    """Create an account, and sign in."""
    form = await read_form(request)
    accounts, name, password = get_service(request, Accounts), form.value("username"), form.value("password")
    new = NewAccount(name, password, form.value("email") or None, form.value("invitation") or None)
    try:
        await accounts.authentication.sign_up(new, client_info(request))
        token = await accounts.authentication.sign_in(name, password, client_info(request))
    except AbhidhanError as error:
        return _render_sign_up_form(request, pages, form.with_error(error), get_status(error))
    return redirect_to(
        "/account?done=account", headers=NO_STORE_HEADERS, cookies=[build_session_cookie(request, token)]
    )


def _render_sign_up_form(request: PageRequest, pages: PagesDep, form: Form, status: int = 200) -> Response[str]:
    policy = get_service(request, Accounts).context.rules.sign_up
    is_possible = policy is SignUp.OPEN or (policy is SignUp.INVITATION and bool(form.value("invitation")))
    contact = get_service(request, Accounts).context.rules.contact
    values = {"form": form, "possible": is_possible, "closed": policy is SignUp.CLOSED, "contact": contact}
    return pages.show(request, "sign-up.html", values, status=status, headers=NO_STORE_HEADERS)


@get("/account/forgotten", include_in_schema=False)
async def show_forgotten_password(request: PageRequest, pages: PagesDep, done: QueryText = "") -> Response[str]:
    """Show the form to request a reset link."""
    return pages.show(request, "forgotten.html", {"form": Form(), "done": done}, headers=NO_STORE_HEADERS)


@post("/account/forgotten", include_in_schema=False)
async def request_reset_link(request: PageRequest, pages: PagesDep) -> Response[str]:
    """Send a reset link by e-mail; the response is the same whether or not there is such a user."""
    form = await read_form(request)
    try:
        await get_service(request, Accounts).password_resets.request_link(form.value("name"), client_info(request))
    except AbhidhanError as error:
        values = {"form": form.with_error(error), "done": ""}
        return pages.show(request, "forgotten.html", values, status=get_status(error), headers=NO_STORE_HEADERS)
    return redirect_to("/account/forgotten?done=sent", headers=NO_STORE_HEADERS)


@get("/account/reset", include_in_schema=False)
async def show_reset(request: PageRequest, pages: PagesDep, token: QueryText = "") -> Response[str]:
    """Show the form to set a new password with a reset link."""
    return pages.show(request, "reset.html", {"form": Form({"token": token})}, headers=NO_STORE_HEADERS)


@post("/account/reset", include_in_schema=False)
async def reset_password(request: PageRequest, pages: PagesDep) -> Response[str]:
    """Set a new password with a reset link, which is valid once."""
    form = await read_form(request)
    try:
        await get_service(request, Accounts).password_resets.set_password(
            form.value("token"), form.value("password"), client_info(request)
        )
    except AbhidhanError as error:
        values = {"form": form.with_error(error)}
        return pages.show(request, "reset.html", values, status=get_status(error), headers=NO_STORE_HEADERS)
    return redirect_to("/account/sign-in", headers=NO_STORE_HEADERS)


@post("/account/password", include_in_schema=False)
async def change_password(request: PageRequest, pages: PagesDep) -> Response[str]:
    """Change the password, and close all other sessions."""
    form = await read_form(request)
    signed_in = await require_login(request)
    if isinstance(signed_in, Response):
        return signed_in
    old, new = form.value("password"), form.value("new_password")
    try:
        token = await get_service(request, Accounts).authentication.change_password(
            signed_in, old, new, client_info(request)
        )
    except AbhidhanError as error:
        values = {"form": form.with_error(error)}
        return pages.show(request, "password.html", values, status=get_status(error), headers=NO_STORE_HEADERS)
    return redirect_to(
        "/account?done=password", headers=NO_STORE_HEADERS, cookies=[build_session_cookie(request, token)]
    )


@get("/account/password", include_in_schema=False)
async def show_password(request: PageRequest, pages: PagesDep) -> Response[str]:
    """Show the form to change the password."""
    signed_in = await require_login(request)
    if isinstance(signed_in, Response):
        return signed_in
    return pages.show(request, "password.html", {"form": Form()}, headers=NO_STORE_HEADERS)


@get("/my-lists", include_in_schema=False)
async def show_saved_lists(request: PageRequest, dictionary: DictionaryDep, pages: PagesDep) -> Response[str]:
    """Show the page of saved lists, which a script fills from the browser's storage."""
    readers = get_language_preferences(request)
    langs = dictionary.filter_known_languages(readers.chosen) or readers.default_codes
    signed_in = await find_signed_in(request)
    person = signed_in.person.username if signed_in else ""
    values = {"most_shared": MAX_LINKED_WORDS, "longest_name": MAX_NAME_LENGTH, "langs": langs, "person": person}
    return pages.show(request, "my-lists.html", values)


@post("/account/lists/forget", include_in_schema=False)
async def delete_stored_lists(request: PageRequest) -> Response[str]:
    """Delete the lists stored in the account, by a form that works without JavaScript."""
    await read_form(request)
    signed_in = await require_login(request)
    if isinstance(signed_in, Response):
        return signed_in
    await get_service(request, SavedLists).delete(signed_in.person)
    return redirect_to("/account?done=lists", headers=NO_STORE_HEADERS)


ACCOUNT_HANDLERS = (
    show_sign_in,
    sign_in,
    sign_in_by_code,
    sign_out,
    show_sign_up,
    sign_up,
    show_forgotten_password,
    request_reset_link,
    show_reset,
    reset_password,
    show_password,
    change_password,
    show_saved_lists,
    delete_stored_lists,
)
