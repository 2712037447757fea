"""Pages of personal API tokens: create one, which is shown once, and revoke existing ones."""

from typing import Final

from litestar import Response, get, post
from litestar.params import FromPath

from abhidhan.people.pages.staff import NO_STORE_HEADERS
from abhidhan.people.service.tokens import CreatedToken, Tokens
from abhidhan.platform.http.authentication import client_info
from abhidhan.platform.http.errors import get_status
from abhidhan.platform.http.forms import Form, read_form, read_number_field, require_login
from abhidhan.platform.http.rendering import PageRequest, Pages, PagesDep, redirect_to
from abhidhan.platform.http.services import get_service
from abhidhan.records.api_tokens import DEFAULT_LIFETIME_DAYS, MAX_LIFETIME_DAYS, NewToken, Scope, grantable_scopes
from abhidhan.records.errors import AbhidhanError
from abhidhan.records.people import AuthenticatedUser

LIFETIME_DAYS: Final = (7, 30, DEFAULT_LIFETIME_DAYS, 180, MAX_LIFETIME_DAYS)
"""Lifetimes of tokens in days that the form offers."""


@get("/account/tokens", include_in_schema=False)
async def show_tokens(request: PageRequest, pages: PagesDep) -> Response[str]:
    """Show the user's tokens, and the form to create one."""
    signed_in = await require_login(request)
    if isinstance(signed_in, Response):
        return signed_in
    return await _render_page(request, pages, signed_in, Form())


@post("/account/tokens", include_in_schema=False)
async def create_token(request: PageRequest, pages: PagesDep) -> Response[str]:
    """Create a token, and show it once."""
    form = await read_form(request)
    signed_in = await require_login(request)
    if isinstance(signed_in, Response):
        return signed_in
    try:
        new = _parse_new_token(form)
        created_token = await get_service(request, Tokens).create(
            signed_in, new, form.value("password"), client_info(request)
        )
    except AbhidhanError as error:
        return await _render_page(request, pages, signed_in, form.with_error(error), status=get_status(error))
    return await _render_page(request, pages, signed_in, Form(), created_token)


@post("/account/tokens/{token_id:int}/revoke", include_in_schema=False)
async def revoke_token(request: PageRequest, token_id: FromPath[int]) -> Response[str]:
    """Revoke a token."""
    await read_form(request)
    signed_in = await require_login(request)
    if isinstance(signed_in, Response):
        return signed_in
    await get_service(request, Tokens).revoke(signed_in.person.id, token_id)
    return redirect_to("/account?done=token-revoked", headers=NO_STORE_HEADERS)


def _parse_new_token(form: Form) -> NewToken:
    """Parse the form of a new token. Raises InputError."""
    scopes = frozenset(scope for scope in Scope if form.value(scope) == "yes")
    return NewToken(form.value("name"), scopes, read_number_field(form, "days") or 0)


async def _render_page(  # noqa: PLR0913  # parts of the page
    request: PageRequest,
    pages: Pages,
    signed_in: AuthenticatedUser,
    form: Form,
    created_token: CreatedToken | None = None,
    *,
    status: int = 200,
) -> Response[str]:
    values = {
        "form": form,
        "made": created_token,
        "tokens": await get_service(request, Tokens).list_tokens(signed_in.person.id),
        "scopes": grantable_scopes(signed_in.person),
        "lengths": LIFETIME_DAYS,
    }
    return pages.show(request, "tokens.html", values, status=status, headers=NO_STORE_HEADERS)


TOKEN_HANDLERS = (show_tokens, create_token, revoke_token)
