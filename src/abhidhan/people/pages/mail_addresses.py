"""Addresses of mails on the pages: confirmed or refused by the links of the mail that asks, and asked once more."""

from collections.abc import Awaitable

from litestar import Response, get, post

from abhidhan.people.model.mail_addresses import Purpose
from abhidhan.people.pages.mails import Token
from abhidhan.people.pages.staff import NOT_KEPT
from abhidhan.people.service.mails import Mails
from abhidhan.platform.http.authentication import visit_of
from abhidhan.platform.http.errors import status_of
from abhidhan.platform.http.forms import Form, read_form, signed_in_or_led
from abhidhan.platform.http.rendering import GivenPages, PageRequest, Pages, lead_to
from abhidhan.platform.http.services import service_of
from abhidhan.records.errors import AbhidhanError, TooManyRequestsError


@post("/account/mails/confirmation", include_in_schema=False)
async def ask_again(request: PageRequest) -> Response[str]:
    """Have the mail sent once more by which somebody confirms their address."""
    await read_form(request)
    signed_in = await signed_in_or_led(request)
    if isinstance(signed_in, Response):
        return signed_in
    try:
        await service_of(request, Mails).ask_again(signed_in.person, visit_of(request))
    except TooManyRequestsError:
        return lead_to("/account?done=asked-often#mails", headers=NOT_KEPT)
    return lead_to("/account?done=asked#mails", headers=NOT_KEPT)


@get("/account/mails/confirm", include_in_schema=False)
async def show_confirm(request: PageRequest, pages: GivenPages, token: Token = "") -> Response[str]:
    """Show the button that confirms an address. Looking confirms nothing: programs that check mails open every link."""
    looking = service_of(request, Mails).addresses.look_at(token, Purpose.CONFIRM)
    return await _answered(request, pages, "confirm", looking, token)


@post("/account/mails/confirm", include_in_schema=False)
async def confirm(request: PageRequest, pages: GivenPages) -> Response[str]:
    """Confirm an address. Nobody needs to be signed in: the mail is read where it is read."""
    form = await read_form(request)
    return await _answered(
        request, pages, "confirmed", service_of(request, Mails).addresses.confirm(form.value("token"))
    )


@get("/account/mails/refuse", include_in_schema=False)
async def show_refuse(request: PageRequest, pages: GivenPages, token: Token = "") -> Response[str]:
    """Show the button by which an address is never asked again."""
    looking = service_of(request, Mails).addresses.look_at(token, Purpose.REFUSE)
    return await _answered(request, pages, "refuse", looking, token)


@post("/account/mails/refuse", include_in_schema=False)
async def refuse(request: PageRequest, pages: GivenPages, token: Token = "") -> Response[str]:
    """Have no mails sent to an address any more, for whoever has the link: a mail program asks so by itself."""
    return await _answered(request, pages, "refused", service_of(request, Mails).addresses.refuse(token))


@post("/account/mails/allow", include_in_schema=False)
async def allow(request: PageRequest, pages: GivenPages) -> Response[str]:
    """Take back that mails were refused, just after it."""
    form = await read_form(request)
    return await _answered(request, pages, "allowed", service_of(request, Mails).addresses.allow(form.value("token")))


async def _answered(
    request: PageRequest, pages: Pages, step: str, work: Awaitable[str | None], token: str = ""
) -> Response[str]:
    """Do what a link is for, and show the page of that step: with the token given, or the one that the work gives."""
    try:
        given = await work
    except AbhidhanError as error:
        values = {"form": Form().refused(error), "step": "", "token": ""}
        return pages.show(request, "mail-address.html", values, status=status_of(error), headers=NOT_KEPT)
    values = {"form": Form(), "step": step, "token": given or token}
    return pages.show(request, "mail-address.html", values, headers=NOT_KEPT)


MAIL_ADDRESS_HANDLERS = (ask_again, show_confirm, confirm, show_refuse, refuse, allow)
