"""Pages of e-mails: save preferences, confirm or refuse an address, and unsubscribe by the link in each e-mail."""

from collections.abc import Awaitable
from functools import partial
from typing import Annotated, Final

from litestar import Response, get, post
from litestar.params import QueryParameter

from abhidhan.people.model.mail_templates import MailTranslator
from abhidhan.people.model.mails import DIGEST, Purpose
from abhidhan.people.pages.staff import NO_STORE_HEADERS
from abhidhan.people.service.mails import MailPreferences, Mails
from abhidhan.platform.http.authentication import client_info
from abhidhan.platform.http.errors import status_of
from abhidhan.platform.http.forms import Form, read_form, require_login
from abhidhan.platform.http.preferences import LANGUAGES, Interface, interface_of, translate_message
from abhidhan.platform.http.rendering import PageRequest, Pages, PagesDep, redirect_to
from abhidhan.platform.http.services import service_of
from abhidhan.records.errors import AbhidhanError, TooManyRequestsError

Token = Annotated[str, QueryParameter(max_length=200)]
PAGE: Final = "mails-stop.html"
CHOICE: Final = "/account#mails"


def translator_of(language: str) -> MailTranslator:
    """Return the translator and number format of an interface language."""
    supported = language if language in LANGUAGES else Interface().language
    return MailTranslator(partial(translate_message, supported), Interface(supported).number)


@post("/account/mails", include_in_schema=False)
async def choose_mails(request: PageRequest) -> Response[str]:
    """Subscribe the user to e-mails about decisions, or unsubscribe, by the form of the account page."""
    form = await read_form(request)
    signed_in = await require_login(request)
    if isinstance(signed_in, Response):
        return signed_in
    await service_of(request, Mails).choose(signed_in.person, _parse_preferences(request, form), client_info(request))
    return redirect_to("/account?done=mails", headers=NO_STORE_HEADERS)


def _parse_preferences(request: PageRequest, form: Form) -> MailPreferences:
    """Parse the user's e-mail preferences from the form; a missing field means no."""
    language = form.value("language")
    supported = language if language in LANGUAGES else interface_of(request.scope).language
    return MailPreferences(form.value("decisions") == "yes", supported)


@get("/account/mails/stop", include_in_schema=False)
async def show_stop(request: PageRequest, pages: PagesDep, token: Token = "") -> Response[str]:
    """Show the button that unsubscribes. GET must not unsubscribe, as e-mail scanners open every link."""
    try:
        topic = await service_of(request, Mails).topic_of(token)
    except AbhidhanError as error:
        return _error_page(request, pages, error)
    return _page(request, pages, topic, token, is_stopped=topic == DIGEST)


@post("/account/mails/stop", include_in_schema=False)
async def stop_mails(request: PageRequest, pages: PagesDep, token: Token = "") -> Response[str]:
    """Unsubscribe immediately by a link, as mail programs do with one click (RFC 8058).

    Needs no session and accepts requests from other sites: the token in the link is enough.
    """
    try:
        topic = await service_of(request, Mails).stop(token)
    except AbhidhanError as error:
        return _error_page(request, pages, error)
    return _page(request, pages, topic, token, is_stopped=True)


@post("/account/mails/resume", include_in_schema=False)
async def resume_mails() -> Response[str]:
    """Redirect to the account page, for the button on unsubscribe pages of older versions."""
    return redirect_to(CHOICE, headers=NO_STORE_HEADERS)


def _page(request: PageRequest, pages: Pages, topic: str, token: str, *, is_stopped: bool) -> Response[str]:
    values = {"form": Form(), "topic": topic, "token": token, "is_stopped": is_stopped}
    return pages.show(request, PAGE, values, headers=NO_STORE_HEADERS)


def _error_page(request: PageRequest, pages: Pages, error: AbhidhanError) -> Response[str]:
    values = {"form": Form().with_error(error), "topic": "", "token": "", "is_stopped": False}
    return pages.show(request, PAGE, values, status=status_of(error), headers=NO_STORE_HEADERS)


@post("/account/mails/confirmation", include_in_schema=False)
async def ask_again(request: PageRequest) -> Response[str]:
    """Send another confirmation e-mail."""
    await read_form(request)
    signed_in = await require_login(request)
    if isinstance(signed_in, Response):
        return signed_in
    try:
        await service_of(request, Mails).ask_again(signed_in.person, client_info(request))
    except TooManyRequestsError:
        return redirect_to("/account?done=asked-often#mails", headers=NO_STORE_HEADERS)
    return redirect_to("/account?done=asked#mails", headers=NO_STORE_HEADERS)


@get("/account/mails/confirm", include_in_schema=False)
async def show_confirm(request: PageRequest, pages: PagesDep, token: Token = "") -> Response[str]:
    """Show the button that confirms an address. GET must not confirm, as e-mail scanners open every link."""
    looking = service_of(request, Mails).addresses.check_link(token, Purpose.CONFIRM)
    return await _link_page(request, pages, "confirm", looking, token)


@post("/account/mails/confirm", include_in_schema=False)
async def confirm(request: PageRequest, pages: PagesDep) -> Response[str]:
    """Confirm an address. Needs no session, as the e-mail may be read on another device."""
    form = await read_form(request)
    return await _link_page(
        request, pages, "confirmed", service_of(request, Mails).addresses.confirm(form.value("token"))
    )


@get("/account/mails/refuse", include_in_schema=False)
async def show_refuse(request: PageRequest, pages: PagesDep, token: Token = "") -> Response[str]:
    """Show the button that refuses all e-mails to an address."""
    looking = service_of(request, Mails).addresses.check_link(token, Purpose.REFUSE)
    return await _link_page(request, pages, "refuse", looking, token)


@post("/account/mails/refuse", include_in_schema=False)
async def refuse(request: PageRequest, pages: PagesDep, token: Token = "") -> Response[str]:
    """Refuse all e-mails to an address by a link, as mail programs do with one click."""
    return await _link_page(request, pages, "refused", service_of(request, Mails).addresses.refuse(token))


@post("/account/mails/allow", include_in_schema=False)
async def allow(request: PageRequest, pages: PagesDep) -> Response[str]:
    """Undo a refusal, by the link that is shown after it."""
    form = await read_form(request)
    return await _link_page(request, pages, "allowed", service_of(request, Mails).addresses.allow(form.value("token")))


async def _link_page(
    request: PageRequest, pages: Pages, step: str, work: Awaitable[str | None], token: str = ""
) -> Response[str]:
    """Await the action of a link, and render the page of a step with the token that the action returns, or `token`."""
    try:
        new_token = await work
    except AbhidhanError as error:
        values = {"form": Form().with_error(error), "step": "", "token": ""}
        return pages.show(request, "mail-address.html", values, status=status_of(error), headers=NO_STORE_HEADERS)
    values = {"form": Form(), "step": step, "token": new_token or token}
    return pages.show(request, "mail-address.html", values, headers=NO_STORE_HEADERS)


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
