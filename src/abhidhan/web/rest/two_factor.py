"""/api/account/two-factor: codes beside one's own password."""

import msgspec
from litestar import Response, delete, get, post
from litestar.params import JSONBody

from abhidhan.web.rest.session import SMALL_BODY, GivenPassword, GivenToken
from abhidhan.web.sessions import SignedInRequest, needs, session_cookie, two_factor_of, visit_of


class TwoFactorAnswer(msgspec.Struct, frozen=True):
    """Whether you sign in with codes, must, and can; and how many recovery codes are left."""

    on: bool
    required: bool
    possible: bool
    recovery_codes_left: int


class SetUpAnswer(msgspec.Struct, frozen=True):
    """What to enter into an app, shown only once: the secret in base 32, and the address to put into a QR code."""

    secret: str
    address: str


class CodeRequest(msgspec.Struct, frozen=True):
    """A code from the app that was set up."""

    code: GivenToken


class OwnPassword(msgspec.Struct, frozen=True):
    """Your password, once more."""

    password: GivenPassword


class PasswordAndCode(msgspec.Struct, frozen=True):
    """Your password, and a code from the app or a recovery code."""

    password: GivenPassword
    code: GivenToken


class RecoveryCodesAnswer(msgspec.Struct, frozen=True):
    """Recovery codes, shown only once. Each works once, in place of a code from the app."""

    recovery_codes: tuple[str, ...]


BY_ANYBODY = [needs(before_set_up=True)]


@get("/api/account/two-factor", tags=["Accounts"], summary="Show two-factor sign-in", guards=BY_ANYBODY)
async def show_two_factor(request: SignedInRequest) -> TwoFactorAnswer:
    """Return whether you sign in with codes."""
    state = await two_factor_of(request).two_factor_of(request.user)
    return TwoFactorAnswer(state.on, state.required, state.possible, state.codes_left)


@post(
    "/api/account/two-factor",
    tags=["Accounts"],
    summary="Start setting up codes",
    guards=BY_ANYBODY,
    request_max_body_size=SMALL_BODY,
)
async def begin_two_factor(request: SignedInRequest, data: JSONBody[OwnPassword]) -> SetUpAnswer:
    """Create a secret for an authenticator app. Codes are not needed until you confirm one, within an hour."""
    made = await two_factor_of(request).begin_two_factor(request.user, data.password, visit_of(request))
    return SetUpAnswer(made.secret, made.address)


@post(
    "/api/account/two-factor/confirm",
    tags=["Accounts"],
    summary="Confirm the first code",
    guards=BY_ANYBODY,
    request_max_body_size=SMALL_BODY,
)
async def confirm_two_factor(request: SignedInRequest, data: JSONBody[CodeRequest]) -> Response[RecoveryCodesAnswer]:
    """Turn codes on. You are signed out everywhere else."""
    turned_on = await two_factor_of(request).confirm_two_factor(request.user, data.code, visit_of(request))
    return Response(RecoveryCodesAnswer(turned_on.codes), cookies=[session_cookie(request, turned_on.token)])


@post(
    "/api/account/two-factor/recovery-codes",
    tags=["Accounts"],
    summary="Replace the recovery codes",
    guards=[needs()],
    request_max_body_size=SMALL_BODY,
)
async def renew_recovery_codes(
    request: SignedInRequest, data: JSONBody[PasswordAndCode]
) -> Response[RecoveryCodesAnswer]:
    """Replace the recovery codes: those from before work no more. One is signed out everywhere else."""
    two_factor, visit = two_factor_of(request), visit_of(request)
    renewed = await two_factor.renew_recovery_codes(request.user, data.password, data.code, visit)
    return Response(RecoveryCodesAnswer(renewed.codes), cookies=[session_cookie(request, renewed.token)])


@delete(
    "/api/account/two-factor",
    tags=["Accounts"],
    summary="Turn codes off",
    status_code=204,
    guards=[needs()],
    request_max_body_size=SMALL_BODY,
)
async def turn_off_two_factor(request: SignedInRequest, data: JSONBody[PasswordAndCode]) -> Response[None]:
    """Turn codes off. You are signed out everywhere else."""
    two_factor, visit = two_factor_of(request), visit_of(request)
    token = await two_factor.turn_off_two_factor(request.user, data.password, data.code, visit)
    return Response(None, cookies=[session_cookie(request, token)])


TWO_FACTOR_HANDLERS = (
    show_two_factor,
    begin_two_factor,
    confirm_two_factor,
    renew_recovery_codes,
    turn_off_two_factor,
)
