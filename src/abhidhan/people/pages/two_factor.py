"""Pages of two-factor sign-in: set-up with a QR code, recovery codes, and turning it off."""

from typing import Annotated, Final

import msgspec
import segno
from litestar import Response, get, post
from litestar.params import FromPath, QueryParameter
from markupsafe import Markup

from abhidhan.people.pages.staff import NOT_KEPT
from abhidhan.people.service.accounts import Accounts
from abhidhan.people.service.two_factor import SetUp, TurnedOn
from abhidhan.platform.http.authentication import session_cookie, visit_of
from abhidhan.platform.http.errors import status_of
from abhidhan.platform.http.forms import SET_UP, Form, read_form, signed_in_or_led
from abhidhan.platform.http.rendering import GivenPages, PageRequest, Pages, lead_to
from abhidhan.platform.http.services import service_of
from abhidhan.platform.http.urls import local_address
from abhidhan.records.errors import AbhidhanError, InputError, sentence
from abhidhan.records.people import SignedIn

QUIET_ZONE: Final = 4
"""Width of the margin of a QR code in modules (ISO/IEC 18004)."""


class Shown(msgspec.Struct, frozen=True):
    """Optional parts of the page: the data for the app, the field for a code, and recovery codes."""

    set_up: SetUp | None = None
    confirms: bool = False
    codes: tuple[str, ...] = ()


NOTHING_MORE: Final = Shown()


@get(SET_UP, include_in_schema=False)
async def show_two_factor(
    request: PageRequest,
    pages: GivenPages,
    back: Annotated[str, QueryParameter(name="next", max_length=2000)] = "/account",
) -> Response[str]:
    """Show the user's two-factor settings and the possible actions."""
    signed_in = await signed_in_or_led(request, before_set_up=True)
    if isinstance(signed_in, Response):
        return signed_in
    return await _page(request, pages, signed_in, Form({"next": back}))


@post(f"{SET_UP}/{{step:str}}", include_in_schema=False)
async def change_two_factor(request: PageRequest, pages: GivenPages, step: FromPath[str]) -> Response[str]:
    """Start the set-up, confirm the first code, replace the recovery codes, or turn two-factor sign-in off."""
    form = await read_form(request)
    signed_in = await signed_in_or_led(request, before_set_up=True)
    if isinstance(signed_in, Response):
        return signed_in
    try:
        return await _take(request, pages, signed_in, step, form)
    except AbhidhanError as error:
        refused = Form({"next": form.value("next")}).refused(error)
        shown = Shown(confirms=step == "confirm")
        return await _page(request, pages, signed_in, refused, shown, status=status_of(error))


async def _take(request: PageRequest, pages: Pages, signed_in: SignedIn, step: str, form: Form) -> Response[str]:
    accounts, visit = service_of(request, Accounts), visit_of(request)
    password, code = form.value("password"), form.value("code")
    match step:
        case "begin":
            set_up = await accounts.two_factor.begin(signed_in, password, visit)
            return await _page(request, pages, signed_in, form, Shown(set_up=set_up))
        case "confirm":
            turned_on = await accounts.two_factor.confirm(signed_in, code, visit)
            return await _codes_page(request, pages, signed_in, form, turned_on)
        case "codes":
            renewed = await accounts.two_factor.renew_recovery_codes(signed_in, password, code, visit)
            return await _codes_page(request, pages, signed_in, form, renewed)
        case "off":
            token = await accounts.two_factor.turn_off(signed_in, password, code, visit)
            cookies = [session_cookie(request, token)]
            return lead_to("/account?done=codes-off", headers=NOT_KEPT, cookies=cookies)
        case _:
            raise InputError.of("step", sentence("There is no such action for an account."))


async def _codes_page(
    request: PageRequest, pages: Pages, signed_in: SignedIn, form: Form, turned_on: TurnedOn
) -> Response[str]:
    """Show recovery codes once, and set the cookie of the new session."""
    page = await _page(request, pages, signed_in, form, Shown(codes=turned_on.codes))
    page.cookies.append(session_cookie(request, turned_on.token))
    return page


async def _page(  # noqa: PLR0913 (parts of the page)
    request: PageRequest,
    pages: Pages,
    signed_in: SignedIn,
    form: Form,
    shown: Shown = NOTHING_MORE,
    *,
    status: int = 200,
) -> Response[str]:
    values = {
        "form": form,
        "state": await service_of(request, Accounts).two_factor.state_of(signed_in),
        "back": local_address(form.value("next") or "/account"),
        "set_up": shown.set_up,
        "picture": _picture(shown.set_up.address) if shown.set_up else "",
        "confirms": shown.confirms,
        "codes": shown.codes,
    }
    return pages.show(request, "two-factor.html", values, status=status, headers=NOT_KEPT)


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
