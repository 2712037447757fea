"""Pages of personal API tokens: create one, which is shown once, and revoke existing ones."""

from typing import Final

from litestar import Response, get, post
from litestar.params import FromPath

from abhidhan.people.pages.staff import NOT_KEPT
from abhidhan.people.service.tokens import MadeToken, Tokens
from abhidhan.platform.http.authentication import visit_of
from abhidhan.platform.http.errors import status_of
from abhidhan.platform.http.forms import Form, number_in, read_form, signed_in_or_led
from abhidhan.platform.http.rendering import GivenPages, PageRequest, Pages, lead_to
from abhidhan.platform.http.services import service_of
from abhidhan.records.api_tokens import LONGEST_DAYS, USUAL_DAYS, NewToken, Scope, scopes_of
from abhidhan.records.errors import AbhidhanError
from abhidhan.records.people import SignedIn

LENGTHS: Final = (7, 30, USUAL_DAYS, 180, LONGEST_DAYS)
"""Lifetimes of tokens to choose from, in days; API clients may choose any number in between."""


@get("/account/tokens", include_in_schema=False)
async def show_tokens(request: PageRequest, pages: GivenPages) -> Response[str]:
    """Show the user's tokens, and the form to create one."""
    signed_in = await signed_in_or_led(request)
    if isinstance(signed_in, Response):
        return signed_in
    return await _page(request, pages, signed_in, Form())


@post("/account/tokens", include_in_schema=False)
async def make_token(request: PageRequest, pages: GivenPages) -> Response[str]:
    """Create a token, and show it once."""
    form = await read_form(request)
    signed_in = await signed_in_or_led(request)
    if isinstance(signed_in, Response):
        return signed_in
    try:
        new = _token_in(form)
        made = await service_of(request, Tokens).make(signed_in, new, form.value("password"), visit_of(request))
    except AbhidhanError as error:
        return await _page(request, pages, signed_in, form.refused(error), status=status_of(error))
    return await _page(request, pages, signed_in, Form(), made)


@post("/account/tokens/{token_id:int}/revoke", include_in_schema=False)
async def revoke_token(request: PageRequest, token_id: FromPath[int]) -> Response[str]:
    """Revoke a token."""
    await read_form(request)
    signed_in = await signed_in_or_led(request)
    if isinstance(signed_in, Response):
        return signed_in
    await service_of(request, Tokens).revoke(signed_in.person.id, token_id)
    return lead_to("/account?done=token-revoked", headers=NOT_KEPT)


def _token_in(form: Form) -> NewToken:
    """Parse the form of a new token. Raises InputError."""
    scopes = frozenset(scope for scope in Scope if form.value(scope) == "yes")
    return NewToken(form.value("name"), scopes, number_in(form, "days") or 0)


async def _page(  # noqa: PLR0913  # parts of the page
    request: PageRequest,
    pages: Pages,
    signed_in: SignedIn,
    form: Form,
    made: MadeToken | None = None,
    *,
    status: int = 200,
) -> Response[str]:
    values = {
        "form": form,
        "made": made,
        "tokens": await service_of(request, Tokens).list_for(signed_in.person.id),
        "scopes": scopes_of(signed_in.person),
        "lengths": LENGTHS,
    }
    return pages.show(request, "tokens.html", values, status=status, headers=NOT_KEPT)


TOKEN_HANDLERS = (show_tokens, make_token, revoke_token)
