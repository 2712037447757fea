"""/api/session and /api/account: signing in and out, and the user's own account."""

from typing import Annotated

import msgspec
from litestar import Response, delete, get, post
from litestar.params import JSONBody

from abhidhan.people.service.accounts import Accounts
from abhidhan.people.service.administration import NewAccount
from abhidhan.platform.http.authentication import (
    AUTH_OPTION,
    SignedInRequest,
    build_expired_cookie,
    build_session_cookie,
    client_info,
    require_access,
    require_same_site_session,
)
from abhidhan.platform.http.parameters import build_id_parameter
from abhidhan.platform.http.services import get_service
from abhidhan.records.api_tokens import Scope
from abhidhan.records.people import (
    MAX_PASSWORD_LENGTH,
    MAX_USERNAME_LENGTH,
    MIN_PASSWORD_LENGTH,
    MIN_USERNAME_LENGTH,
    Role,
    SessionInfo,
)
from abhidhan.records.timestamps import Timestamp, format_timestamp

SMALL_BODY_BYTES = 64 * 1024
"""Maximum size of a request body in bytes: more than any of these requests needs."""

PasswordInput = Annotated[str, msgspec.Meta(max_length=4 * MAX_PASSWORD_LENGTH)]
NameInput = Annotated[str, msgspec.Meta(max_length=4 * MAX_USERNAME_LENGTH)]
TokenInput = Annotated[str, msgspec.Meta(max_length=200)]

NewPassword = Annotated[
    PasswordInput, msgspec.Meta(extra_json_schema={"minLength": MIN_PASSWORD_LENGTH, "maxLength": MAX_PASSWORD_LENGTH})
]
NewName = Annotated[
    NameInput, msgspec.Meta(extra_json_schema={"minLength": MIN_USERNAME_LENGTH, "maxLength": MAX_USERNAME_LENGTH})
]
"""A name or password that the user chooses; its length is checked by the service, as it is for pages."""


ANY_USER = require_access(before_set_up=True, scopes=tuple(Scope))


class SignInRequest(msgspec.Struct, frozen=True):
    """A name and password and, if the account needs one, a code from the app or a recovery code."""

    username: NameInput
    password: PasswordInput
    code: TokenInput = ""


class SignedInAnswer(msgspec.Struct, frozen=True):
    """The name and role of the user."""

    username: str
    role: Role


class SignUpRequest(msgspec.Struct, frozen=True):
    """Details of a new account. `invitation` is the token of an invitation, if accounts need one."""

    username: NewName
    password: NewPassword
    email: Annotated[str, msgspec.Meta(max_length=500)] | None = None
    invitation: TokenInput | None = None


class PasswordChange(msgspec.Struct, frozen=True):
    """Your current password and the new one."""

    password: PasswordInput
    new_password: NewPassword


class ResetRequest(msgspec.Struct, frozen=True):
    """The name or e-mail address of a user who has forgotten the password."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=500)]


class Reset(msgspec.Struct, frozen=True):
    """The token of a reset link, and the new password."""

    token: TokenInput
    password: NewPassword


class SessionEntry(msgspec.Struct, frozen=True):
    """One of your sessions; `current` is true for the one that sent the request."""

    id: int
    created: Timestamp
    seen: Timestamp
    agent: str | None
    current: bool

    @classmethod
    def of(cls, session: SessionInfo, current: int) -> "SessionEntry":
        """Return the API representation of a session."""
        return cls(
            session.id,
            format_timestamp(session.created),
            format_timestamp(session.seen),
            session.agent,
            session.id == current,
        )


class SessionsAnswer(msgspec.Struct, frozen=True):
    """Your sessions, most recently used first."""

    data: tuple[SessionEntry, ...]
    count: int


@post(
    "/api/session",
    tags=["Accounts"],
    summary="Sign in",
    status_code=204,
    guards=[require_same_site_session],
    request_max_body_size=SMALL_BODY_BYTES,
)
async def sign_in(request: SignedInRequest, data: JSONBody[SignInRequest]) -> Response[None]:
    """Sign in. The response sets a cookie, which later requests must send.

    Returns 401 with `code_required` if name and password are correct, but the account also requires a `code`.
    """
    token = await get_service(request, Accounts).authentication.sign_in(
        data.username, data.password, client_info(request), data.code
    )
    return Response(None, cookies=[build_session_cookie(request, token)])


@get("/api/session", tags=["Accounts"], summary="Show the signed-in user", opt={AUTH_OPTION: ANY_USER})
async def show_session(request: SignedInRequest) -> SignedInAnswer:
    """Return the name and role of the signed-in user or of the token's owner; 401 if there is none."""
    person = (await ANY_USER.admit(request)).person
    return SignedInAnswer(person.username, person.role)


@delete("/api/session", tags=["Accounts"], summary="Sign out", status_code=204, guards=[require_same_site_session])
async def sign_out(request: SignedInRequest) -> Response[None]:
    """End the current session. The response is the same if you are not signed in."""
    await get_service(request, Accounts).sessions.sign_out(client_info(request).token)
    return Response(None, cookies=[build_expired_cookie(request)])


@post(
    "/api/account",
    tags=["Accounts"],
    summary="Create an account",
    status_code=201,
    guards=[require_same_site_session],
    request_max_body_size=SMALL_BODY_BYTES,
)
async def sign_up(request: SignedInRequest, data: JSONBody[SignUpRequest]) -> SignedInAnswer:
    """Create an account, if the operator allows it. Then sign in."""
    new = NewAccount(data.username, data.password, data.email, data.invitation)
    person = await get_service(request, Accounts).authentication.sign_up(new, client_info(request))
    return SignedInAnswer(person.username, person.role)


@post(
    "/api/account/password",
    tags=["Accounts"],
    summary="Change your password",
    status_code=204,
    guards=[require_access()],
    request_max_body_size=SMALL_BODY_BYTES,
)
async def change_password(request: SignedInRequest, data: JSONBody[PasswordChange]) -> Response[None]:
    """Change your password. You are signed out everywhere else."""
    accounts, client = get_service(request, Accounts), client_info(request)
    token = await accounts.authentication.change_password(request.user, data.password, data.new_password, client)
    return Response(None, cookies=[build_session_cookie(request, token)])


@post(
    "/api/account/reset-request",
    tags=["Accounts"],
    summary="Request a password reset link",
    status_code=204,
    guards=[require_same_site_session],
    request_max_body_size=SMALL_BODY_BYTES,
)
async def request_reset(request: SignedInRequest, data: JSONBody[ResetRequest]) -> None:
    """Send a link by e-mail. The response is the same whether or not there is such a user."""
    await get_service(request, Accounts).password_resets.request_link(data.name, client_info(request))


@post(
    "/api/account/reset",
    tags=["Accounts"],
    summary="Set a new password with a reset link",
    status_code=204,
    guards=[require_same_site_session],
    request_max_body_size=SMALL_BODY_BYTES,
)
async def reset_password(request: SignedInRequest, data: JSONBody[Reset]) -> None:
    """Set a new password with the token of a link, which is valid once. You are signed out everywhere."""
    await get_service(request, Accounts).password_resets.set_password(data.token, data.password, client_info(request))


@get("/api/account/sessions", tags=["Accounts"], summary="List your sessions", guards=[require_access()])
async def list_sessions(request: SignedInRequest) -> SessionsAnswer:
    """List your sessions, most recently used first."""
    sessions = await get_service(request, Accounts).sessions.list_sessions(request.user.person.id)
    return SessionsAnswer(
        tuple(SessionEntry.of(session, request.user.session_id) for session in sessions), len(sessions)
    )


@delete(
    "/api/account/sessions",
    tags=["Accounts"],
    summary="Sign out everywhere",
    status_code=204,
    guards=[require_access()],
)
async def sign_out_everywhere(request: SignedInRequest) -> Response[None]:
    """End all your sessions, including the current one."""
    await get_service(request, Accounts).sessions.sign_out_everywhere(request.user.person.id)
    return Response(None, cookies=[build_expired_cookie(request)])


@delete(
    "/api/account/sessions/{session_id:int}",
    tags=["Accounts"],
    summary="End one session",
    status_code=204,
    guards=[require_access()],
)
async def sign_out_of(
    request: SignedInRequest, session_id: Annotated[int, build_id_parameter("The ID of one of your own sessions.")]
) -> None:
    """End one of your sessions."""
    await get_service(request, Accounts).sessions.close_session(request.user.person.id, session_id)


SESSION_HANDLERS = (
    sign_in,
    show_session,
    sign_out,
    sign_up,
    change_password,
    request_reset,
    reset_password,
    list_sessions,
    sign_out_everywhere,
    sign_out_of,
)
