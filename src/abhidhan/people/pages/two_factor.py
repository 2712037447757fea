"""Pages of two-factor sign-in: set-up with a QR code, recovery codes, and turning it off."""

from typing import Annotated, Final

import msgspec
import segno
from litestar import Response, get, post
from litestar.params import FromPath, QueryParameter
from markupsafe import Markup

from abhidhan.people.pages.staff import NO_STORE_HEADERS
from abhidhan.people.service.accounts import Accounts
from abhidhan.people.service.two_factor import SetUp, TwoFactorActivation
from abhidhan.platform.http.authentication import client_info, session_cookie
from abhidhan.platform.http.errors import status_of
from abhidhan.platform.http.forms import SET_UP, Form, read_form, require_login
from abhidhan.platform.http.rendering import PageRequest, Pages, PagesDep, redirect_to
from abhidhan.platform.http.services import service_of
from abhidhan.platform.http.urls import local_address
from abhidhan.records.errors import AbhidhanError, InputError, sentence
from abhidhan.records.people import AuthenticatedUser

QUIET_ZONE: Final = 4
"""Width of the margin of a QR code in modules (ISO/IEC 18004)."""


class TwoFactorView(msgspec.Struct, frozen=True):
    """Optional parts of the page: the data for the app, whether there is a field for a code, and recovery codes."""

    set_up: SetUp | None = None
    confirms: bool = False
    codes: tuple[str, ...] = ()


EMPTY_VIEW: Final = TwoFactorView()


@get(SET_UP, include_in_schema=False)
async def show_two_factor(
    request: PageRequest,
    pages: PagesDep,
    back: Annotated[str, QueryParameter(name="next", max_length=2000)] = "/account",
) -> Response[str]:
    """Show the user's two-factor settings, with forms to change them."""
    signed_in = await require_login(request, before_set_up=True)
    if isinstance(signed_in, Response):
        return signed_in
    return await _page(request, pages, signed_in, Form({"next": back}))


@post(f"{SET_UP}/{{step:str}}", include_in_schema=False)
async def change_two_factor(request: PageRequest, pages: PagesDep, step: FromPath[str]) -> Response[str]:
    """Start the set-up, confirm the first code, replace the recovery codes, or turn two-factor sign-in off."""
    form = await read_form(request)
    signed_in = await require_login(request, before_set_up=True)
    if isinstance(signed_in, Response):
        return signed_in
    try:
        return await _apply_step(request, pages, signed_in, step, form)
    except AbhidhanError as error:
        refused = Form({"next": form.value("next")}).with_error(error)
        view = TwoFactorView(confirms=step == "confirm")
        return await _page(request, pages, signed_in, refused, view, status=status_of(error))


async def _apply_step(
    request: PageRequest, pages: Pages, signed_in: AuthenticatedUser, step: str, form: Form
) -> Response[str]:
    accounts, visit = service_of(request, Accounts), client_info(request)
    password, code = form.value("password"), form.value("code")
    match step:
        case "begin":
            set_up = await accounts.two_factor.begin(signed_in, password, visit)
            return await _page(request, pages, signed_in, form, TwoFactorView(set_up=set_up))
        case "confirm":
            turned_on = await accounts.two_factor.confirm(signed_in, code, visit)
            return await _codes_page(request, pages, signed_in, form, turned_on)
        case "codes":
            renewed = await accounts.two_factor.renew_recovery_codes(signed_in, password, code, visit)
            return await _codes_page(request, pages, signed_in, form, renewed)
        case "off":
            token = await accounts.two_factor.turn_off(signed_in, password, code, visit)
            cookies = [session_cookie(request, token)]
            return redirect_to("/account?done=codes-off", headers=NO_STORE_HEADERS, cookies=cookies)
        case _:
            raise InputError.of("step", sentence("There is no such action for an account."))


async def _codes_page(
    request: PageRequest, pages: Pages, signed_in: AuthenticatedUser, form: Form, turned_on: TwoFactorActivation
) -> Response[str]:
    """Render the page with new recovery codes, and set the cookie of the new session."""
    page = await _page(request, pages, signed_in, form, TwoFactorView(codes=turned_on.codes))
    page.cookies.append(session_cookie(request, turned_on.token))
    return page


async def _page(  # noqa: PLR0913 (parts of the page)
    request: PageRequest,
    pages: Pages,
    signed_in: AuthenticatedUser,
    form: Form,
    view: TwoFactorView = EMPTY_VIEW,
    *,
    status: int = 200,
) -> Response[str]:
    values = {
        "form": form,
        "state": await service_of(request, Accounts).two_factor.state_of(signed_in),
        "back": local_address(form.value("next") or "/account"),
        "set_up": view.set_up,
        "picture": _picture(view.set_up.address) if view.set_up else "",
        "confirms": view.confirms,
        "codes": view.codes,
    }
    return pages.show(request, "two-factor.html", values, status=status, headers=NO_STORE_HEADERS)


def _picture(address: str) -> Markup:
    """Return a QR code as inline SVG, so that the secret appears in no file and no URL.

    It is a single path without styles, as the Content-Security-Policy allows no inline styles.
    """
    code = segno.make(address, error="m", micro=False)
    lines = [
        f"M{left + QUIET_ZONE} {top + QUIET_ZONE}h1v1h-1z"
        for top, row in enumerate(code.matrix)
        for left, dark in enumerate(row)
        if dark
    ]
    size = len(code.matrix) + 2 * QUIET_ZONE
    return Markup(
        '<svg viewBox="0 0 {0} {0}" aria-hidden="true" shape-rendering="crispEdges"><path d="{1}"></svg>'
    ).format(size, "".join(lines))


TWO_FACTOR_HANDLERS = (show_two_factor, change_two_factor)
