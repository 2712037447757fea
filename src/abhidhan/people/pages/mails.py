"""Pages of e-mails: save preferences, confirm or refuse an address, and unsubscribe by the link in each e-mail."""

from collections.abc import Awaitable
from functools import partial
from typing import Annotated, Final

from litestar import Response, get, post
from litestar.params import QueryParameter

from abhidhan.people.model.mail_templates import MailTranslator
from abhidhan.people.model.mails import DIGEST_TOPIC, LinkPurpose
from abhidhan.people.pages.staff import NO_STORE_HEADERS
from abhidhan.people.service.mails import MailPreferences, Mails
from abhidhan.platform.http.authentication import client_info
from abhidhan.platform.http.errors import get_status
from abhidhan.platform.http.forms import Form, read_form, require_login
from abhidhan.platform.http.preferences import (
    INTERFACE_LANGUAGES,
    InterfacePreferences,
    get_interface,
    translate_message,
)
from abhidhan.platform.http.rendering import PageRequest, Pages, PagesDep, redirect_to
from abhidhan.platform.http.services import get_service
from abhidhan.records.errors import AbhidhanError, TooManyRequestsError

Token = Annotated[str, QueryParameter(max_length=200)]
UNSUBSCRIBE_TEMPLATE: Final = "mails-stop.html"
MAIL_SETTINGS_URL: Final = "/account#mails"


def build_translator(language: str) -> MailTranslator:
    """Return the translator and number format of an interface language."""
    supported = language if language in INTERFACE_LANGUAGES else InterfacePreferences().language
    return MailTranslator(partial(translate_message, supported), InterfacePreferences(supported).number)


@post("/account/mails", include_in_schema=False)
async def save_mail_preferences(request: PageRequest) -> Response[str]:
    """Subscribe the user to e-mails about decisions, or unsubscribe, by the form of the account page."""
    form = await read_form(request)
    signed_in = await require_login(request)
    if isinstance(signed_in, Response):
        return signed_in
    await get_service(request, Mails).save_preferences(
        signed_in.person, _parse_preferences(request, form), client_info(request)
    )
    return redirect_to("/account?done=mails", headers=NO_STORE_HEADERS)


def _parse_preferences(request: PageRequest, form: Form) -> MailPreferences:
    """Parse the user's e-mail preferences from the form; a missing field means no."""
    language = form.value("language")
    supported = language if language in INTERFACE_LANGUAGES else get_interface(request.scope).language
    return MailPreferences(form.value("decisions") == "yes", supported)


@get("/account/mails/stop", include_in_schema=False)
async def show_unsubscribe(request: PageRequest, pages: PagesDep, token: Token = "") -> Response[str]:
    """Show the button that unsubscribes. GET must not unsubscribe, as e-mail scanners open every link."""
    try:
        topic = await get_service(request, Mails).get_topic(token)
    except AbhidhanError as error:
        return _render_error(request, pages, error)
    return _render_page(request, pages, topic, token, is_stopped=topic == DIGEST_TOPIC)


@post("/account/mails/stop", include_in_schema=False)
async def unsubscribe(request: PageRequest, pages: PagesDep, token: Token = "") -> Response[str]:
    """Unsubscribe immediately by a link, as mail programs do with one click (RFC 8058).

    Needs no session and accepts requests from other sites: the token in the link is enough.
    """
    try:
        topic = await get_service(request, Mails).unsubscribe(token)
    except AbhidhanError as error:
        return _render_error(request, pages, error)
    return _render_page(request, pages, topic, token, is_stopped=True)


@post("/account/mails/resume", include_in_schema=False)
async def redirect_to_mail_settings() -> Response[str]:
    """Redirect to the account page, for the button on unsubscribe pages of older versions."""
    return redirect_to(MAIL_SETTINGS_URL, headers=NO_STORE_HEADERS)


def _render_page(request: PageRequest, pages: Pages, topic: str, token: str, *, is_stopped: bool) -> Response[str]:
    values = {"form": Form(), "topic": topic, "token": token, "is_stopped": is_stopped}
    return pages.show(request, UNSUBSCRIBE_TEMPLATE, values, headers=NO_STORE_HEADERS)


def _render_error(request: PageRequest, pages: Pages, error: AbhidhanError) -> Response[str]:
    values = {"form": Form().with_error(error), "topic": "", "token": "", "is_stopped": False}
    return pages.show(request, UNSUBSCRIBE_TEMPLATE, values, status=get_status(error), headers=NO_STORE_HEADERS)


@post("/account/mails/confirmation", include_in_schema=False)
async def resend_confirmation(request: PageRequest) -> Response[str]:
    """Send another confirmation e-mail."""
    await read_form(request)
    signed_in = await require_login(request)
    if isinstance(signed_in, Response):
        return signed_in
    try:
        await get_service(request, Mails).resend_confirmation(signed_in.person, client_info(request))
    except TooManyRequestsError:
        return redirect_to("/account?done=asked-often#mails", headers=NO_STORE_HEADERS)
    return redirect_to("/account?done=asked#mails", headers=NO_STORE_HEADERS)


@get("/account/mails/confirm", include_in_schema=False)
async def show_confirmation(request: PageRequest, pages: PagesDep, token: Token = "") -> Response[str]:
    """Show the button that confirms an address. GET must not confirm, as e-mail scanners open every link."""
    link_check = get_service(request, Mails).addresses.check_link(token, LinkPurpose.CONFIRM)
    return await _render_link_page(request, pages, "confirm", link_check, token)


@post("/account/mails/confirm", include_in_schema=False)
async def confirm_address(request: PageRequest, pages: PagesDep) -> Response[str]:
    """Confirm an address. Needs no session, as the e-mail may be read on another device."""
    form = await read_form(request)
    return await _render_link_page(
        request, pages, "confirmed", get_service(request, Mails).addresses.confirm(form.value("token"))
    )


@get("/account/mails/refuse", include_in_schema=False)
async def show_refusal(request: PageRequest, pages: PagesDep, token: Token = "") -> Response[str]:
    """Show the button that refuses all e-mails to an address."""
    link_check = get_service(request, Mails).addresses.check_link(token, LinkPurpose.REFUSE)
    return await _render_link_page(request, pages, "refuse", link_check, token)


@post("/account/mails/refuse", include_in_schema=False)
async def refuse_mails(request: PageRequest, pages: PagesDep, token: Token = "") -> Response[str]:
    """Refuse all e-mails to an address by a link, as mail programs do with one click."""
    return await _render_link_page(request, pages, "refused", get_service(request, Mails).addresses.refuse(token))


@post("/account/mails/allow", include_in_schema=False)
async def allow_mails(request: PageRequest, pages: PagesDep) -> Response[str]:
    """Undo a refusal, by the link that is shown after it."""
    form = await read_form(request)
    return await _render_link_page(
        request, pages, "allowed", get_service(request, Mails).addresses.undo_refusal(form.value("token"))
    )


async def _render_link_page(
    request: PageRequest, pages: Pages, step: str, action: Awaitable[str | None], token: str = ""
) -> Response[str]:
    """Await the action of a link, and render the page of a step with the token that the action returns, or `token`."""
    try:
        new_token = await action
    except AbhidhanError as error:
        values = {"form": Form().with_error(error), "step": "", "token": ""}
        return pages.show(request, "mail-address.html", values, status=get_status(error), headers=NO_STORE_HEADERS)
    values = {"form": Form(), "step": step, "token": new_token or token}
    return pages.show(request, "mail-address.html", values, headers=NO_STORE_HEADERS)


MAIL_HANDLERS = (
    save_mail_preferences,
    show_unsubscribe,
    unsubscribe,
    redirect_to_mail_settings,
    resend_confirmation,
    show_confirmation,
    confirm_address,
    show_refusal,
    refuse_mails,
    allow_mails,
)
