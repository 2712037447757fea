"""E-mail pages: subscribe on the account page, confirm the address, and unsubscribe by the links in each mail."""

from collections.abc import Awaitable
from functools import partial
from typing import Annotated, Final

from litestar import Response, get, post
from litestar.params import QueryParameter

from abhidhan.people.model.mail_templates import Voice
from abhidhan.people.model.mails import DIGEST, Purpose
from abhidhan.people.pages.staff import NOT_KEPT
from abhidhan.people.service.mails import Mails, Wanted
from abhidhan.platform.http.authentication import visit_of
from abhidhan.platform.http.errors import status_of
from abhidhan.platform.http.forms import Form, read_form, signed_in_or_led
from abhidhan.platform.http.preferences import LANGUAGES, Interface, interface_of, said_in
from abhidhan.platform.http.rendering import GivenPages, PageRequest, Pages, lead_to
from abhidhan.platform.http.services import service_of
from abhidhan.records.errors import AbhidhanError, TooManyRequestsError

Token = Annotated[str, QueryParameter(max_length=200)]
PAGE: Final = "mails-stop.html"
CHOICE: Final = "/account#mails"


def voice_of(language: str) -> Voice:
    """Return the translator and number format of an interface language."""
    known = language if language in LANGUAGES else Interface().language
    return Voice(partial(said_in, known), Interface(known).number)


@post("/account/mails", include_in_schema=False)
async def choose_mails(request: PageRequest) -> Response[str]:
    """Store whether the user subscribes to mails about decisions."""
    form = await read_form(request)
    signed_in = await signed_in_or_led(request)
    if isinstance(signed_in, Response):
        return signed_in
    await service_of(request, Mails).choose(signed_in.person, _wanted(request, form), visit_of(request))
    return lead_to("/account?done=mails", headers=NOT_KEPT)


def _wanted(request: PageRequest, form: Form) -> Wanted:
    """Parse the form; a missing field means no."""
    language = form.value("language")
    known = language if language in LANGUAGES else interface_of(request.scope).language
    return Wanted(form.value("decisions") == "yes", known)


@get("/account/mails/stop", include_in_schema=False)
async def show_stop(request: PageRequest, pages: GivenPages, token: Token = "") -> Response[str]:
    """Show the button that unsubscribes. GET must not unsubscribe, as programs that scan mails open every link."""
    try:
        topic = await service_of(request, Mails).look_at(token)
    except AbhidhanError as error:
        return _refused(request, pages, error)
    return _page(request, pages, topic, token, is_stopped=topic == DIGEST)


@post("/account/mails/stop", include_in_schema=False)
async def stop_mails(request: PageRequest, pages: GivenPages, token: Token = "") -> Response[str]:
    """Unsubscribe immediately by a link, as mail programs do with one click (RFC 8058).

    Needs no session and accepts requests from other sites: the token in the link is enough.
    """
    try:
        topic = await service_of(request, Mails).stop(token)
    except AbhidhanError as error:
        return _refused(request, pages, error)
    return _page(request, pages, topic, token, is_stopped=True)


@post("/account/mails/resume", include_in_schema=False)
async def resume_mails() -> Response[str]:
    """Redirect to the account page, for the button on unsubscribe pages of older versions."""
    return lead_to(CHOICE, headers=NOT_KEPT)


def _page(request: PageRequest, pages: Pages, topic: str, token: str, *, is_stopped: bool) -> Response[str]:
    values = {"form": Form(), "topic": topic, "token": token, "is_stopped": is_stopped}
    return pages.show(request, PAGE, values, headers=NOT_KEPT)


def _refused(request: PageRequest, pages: Pages, error: AbhidhanError) -> Response[str]:
    values = {"form": Form().refused(error), "topic": "", "token": "", "is_stopped": False}
    return pages.show(request, PAGE, values, status=status_of(error), headers=NOT_KEPT)


@post("/account/mails/confirmation", include_in_schema=False)
async def ask_again(request: PageRequest) -> Response[str]:
    """Send another confirmation mail."""
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
    """Show the button that confirms an address. GET must not confirm, as programs that scan mails open every link."""
    looking = service_of(request, Mails).addresses.look_at(token, Purpose.CONFIRM)
    return await _answered(request, pages, "confirm", looking, token)


@post("/account/mails/confirm", include_in_schema=False)
async def confirm(request: PageRequest, pages: GivenPages) -> Response[str]:
    """Confirm an address. Needs no session, as the mail may be read on another device."""
    form = await read_form(request)
    return await _answered(
        request, pages, "confirmed", service_of(request, Mails).addresses.confirm(form.value("token"))
    )


@get("/account/mails/refuse", include_in_schema=False)
async def show_refuse(request: PageRequest, pages: GivenPages, token: Token = "") -> Response[str]:
    """Show the button that refuses all mails to an address."""
    looking = service_of(request, Mails).addresses.look_at(token, Purpose.REFUSE)
    return await _answered(request, pages, "refuse", looking, token)


@post("/account/mails/refuse", include_in_schema=False)
async def refuse(request: PageRequest, pages: GivenPages, token: Token = "") -> Response[str]:
    """Refuse all mails to an address by a link, as mail programs do with one click."""
    return await _answered(request, pages, "refused", service_of(request, Mails).addresses.refuse(token))


@post("/account/mails/allow", include_in_schema=False)
async def allow(request: PageRequest, pages: GivenPages) -> Response[str]:
    """Undo a refusal just made."""
    form = await read_form(request)
    return await _answered(request, pages, "allowed", service_of(request, Mails).addresses.allow(form.value("token")))


async def _answered(
    request: PageRequest, pages: Pages, step: str, work: Awaitable[str | None], token: str = ""
) -> Response[str]:
    """Await the action of a link and show the page of its step, with the token that it returns, or else `token`."""
    try:
        given = await work
    except AbhidhanError as error:
        values = {"form": Form().refused(error), "step": "", "token": ""}
        return pages.show(request, "mail-address.html", values, status=status_of(error), headers=NOT_KEPT)
    values = {"form": Form(), "step": step, "token": given or token}
    return pages.show(request, "mail-address.html", values, headers=NOT_KEPT)


MAIL_HANDLERS = (
    choose_mails,
    show_stop,
    stop_mails,
    resume_mails,
    ask_again,
    show_confirm,
    confirm,
    show_refuse,
    refuse,
    allow,
)
