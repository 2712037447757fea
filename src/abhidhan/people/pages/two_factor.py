"""Pages of two-factor sign-in: set-up with a QR code, recovery codes, and turning it off."""

from typing import Annotated, Final

import msgspec
import segno
from litestar import Response, get, post
from litestar.params import FromPath, QueryParameter
from markupsafe import Markup

from abhidhan.people.pages.staff import NO_STORE_HEADERS
from abhidhan.people.service.accounts import Accounts
from abhidhan.people.service.two_factor import SetUpData, TwoFactorActivation
from abhidhan.platform.http.authentication import build_session_cookie, client_info
from abhidhan.platform.http.errors import get_status
from abhidhan.platform.http.forms import TWO_FACTOR_PATH, Form, read_form, require_login
from abhidhan.platform.http.rendering import PageRequest, Pages, PagesDep, redirect_to
from abhidhan.platform.http.services import get_service
from abhidhan.platform.http.urls import restrict_to_local_address
from abhidhan.records.errors import AbhidhanError, InputError, sentence
from abhidhan.records.people import AuthenticatedUser

QUIET_ZONE_MODULES: Final = 4
"""Width of the margin of a QR code in modules (ISO/IEC 18004)."""


class TwoFactorView(msgspec.Struct, frozen=True):
    """Optional parts of the page: the data for the app, whether there is a field for a code, and recovery codes."""

    set_up: SetUpData | None = None
    has_code_field: bool = False
    codes: tuple[str, ...] = ()


EMPTY_VIEW: Final = TwoFactorView()


@get(TWO_FACTOR_PATH, include_in_schema=False)
async def show_two_factor(
    request: PageRequest,
    pages: PagesDep,
    back: Annotated[str, QueryParameter(name="next", max_length=2000)] = "/account",
) -> Response[str]:
    """Show the user's two-factor settings, with forms to change them."""
    signed_in = await require_login(request, before_set_up=True)
    if isinstance(signed_in, Response):
        return signed_in
    return await _render_page(request, pages, signed_in, Form({"next": back}))


@post(f"{TWO_FACTOR_PATH}/{{step:str}}", include_in_schema=False)
async def change_two_factor(request: PageRequest, pages: PagesDep, step: FromPath[str]) -> Response[str]:
    """Start the set-up, confirm the first code, replace the recovery codes, or turn two-factor sign-in off."""
    form = await read_form(request)
    signed_in = await require_login(request, before_set_up=True)
    if isinstance(signed_in, Response):
        return signed_in
    try:
        return await _apply_step(request, pages, signed_in, step, form)
    except AbhidhanError as error:
        error_form = Form({"next": form.value("next")}).with_error(error)
        view = TwoFactorView(has_code_field=step == "confirm")
        return await _render_page(request, pages, signed_in, error_form, view, status=get_status(error))


async def _apply_step(
    request: PageRequest, pages: Pages, signed_in: AuthenticatedUser, step: str, form: Form
) -> Response[str]:
    accounts, client = get_service(request, Accounts), client_info(request)
    password, code = form.value("password"), form.value("code")
    match step:
        case "begin":
            set_up = await accounts.two_factor.start_set_up(signed_in, password, client)
            return await _render_page(request, pages, signed_in, form, TwoFactorView(set_up=set_up))
        case "confirm":
            activation = await accounts.two_factor.confirm(signed_in, code, client)
            return await _render_codes(request, pages, signed_in, form, activation)
        case "codes":
            activation = await accounts.two_factor.renew_recovery_codes(signed_in, password, code, client)
            return await _render_codes(request, pages, signed_in, form, activation)
        case "off":
            token = await accounts.two_factor.turn_off(signed_in, password, code, client)
            cookies = [build_session_cookie(request, token)]
            return redirect_to("/account?done=codes-off", headers=NO_STORE_HEADERS, cookies=cookies)
        case _:
            raise InputError.of("step", sentence("There is no such action for an account."))


async def _render_codes(
    request: PageRequest, pages: Pages, signed_in: AuthenticatedUser, form: Form, activation: TwoFactorActivation
) -> Response[str]:
    """Render the page with new recovery codes, and set the cookie of the new session."""
    page = await _render_page(request, pages, signed_in, form, TwoFactorView(codes=activation.codes))
    page.cookies.append(build_session_cookie(request, activation.token))
    return page


async def _render_page(  # noqa: PLR0913 (parts of the page)
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
        "state": await get_service(request, Accounts).two_factor.get_state(signed_in),
        "back": restrict_to_local_address(form.value("next") or "/account"),
        "set_up": view.set_up,
        "picture": _render_qr_code(view.set_up.address) if view.set_up else "",
        "confirms": view.has_code_field,
        "codes": view.codes,
    }
    return pages.show(request, "two-factor.html", values, status=status, headers=NO_STORE_HEADERS)


def _render_qr_code(address: str) -> Markup:
    """Return a QR code as inline SVG, so that the secret appears in no file and no URL.

    It is a single path without styles, as the Content-Security-Policy allows no inline styles.
    """
    code = segno.make(address, error="m", micro=False)
    lines = [
        f"M{left + QUIET_ZONE_MODULES} {top + QUIET_ZONE_MODULES}h1v1h-1z"
        for top, row in enumerate(code.matrix)
        for left, dark in enumerate(row)
        if dark
    ]
    size = len(code.matrix) + 2 * QUIET_ZONE_MODULES
    return Markup(
        '<svg viewBox="0 0 {0} {0}" aria-hidden="true" shape-rendering="crispEdges"><path d="{1}"></svg>'
    ).format(size, "".join(lines))


TWO_FACTOR_HANDLERS = (show_two_factor, change_two_factor)
