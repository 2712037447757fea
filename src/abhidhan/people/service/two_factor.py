"""Set-up and removal of two-factor sign-in by users, for their own accounts."""

import secrets
from functools import partial
from typing import Final, NamedTuple

from abhidhan.people.model.two_factor import (
    SECRET_LENGTH,
    TwoFactorRule,
    TwoFactorSecret,
    TwoFactorState,
    build_otpauth_uri,
    generate_recovery_codes,
    is_two_factor_required,
)
from abhidhan.people.service.account_context import AccountContext, log_event
from abhidhan.people.service.sessions import Sessions
from abhidhan.people.service.sign_in import WRONG_CODE, Authentication, SignInAttempt, build_code_rules
from abhidhan.people.store import people as stored_people
from abhidhan.people.store import sessions as stored_sessions
from abhidhan.people.store import two_factor as stored
from abhidhan.platform.database.database import WriteConnection
from abhidhan.records.errors import ConflictError, ForbiddenError, InputError, sentence
from abhidhan.records.people import AuthenticatedUser, Person
from abhidhan.records.throttling import ClientInfo

BASE_32_ALPHABET: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"


class SetUpData(NamedTuple):
    """Data for an authenticator app: the secret, and the `otpauth:` URI for the QR code."""

    secret: TwoFactorSecret
    address: TwoFactorSecret


class TwoFactorActivation(NamedTuple):
    """The token of a new session, and recovery codes, which are shown only once."""

    token: str
    codes: tuple[str, ...]


class TwoFactor:
    """Service with which users manage their own two-factor sign-in. Every change closes all other sessions."""

    def __init__(self, context: AccountContext, sessions: Sessions, authentication: Authentication) -> None:
        """`sessions` opens new sessions; `authentication` checks passwords."""
        self._context = context
        self._sessions = sessions
        self._authentication = authentication

    async def get_state(self, signed_in: AuthenticatedUser) -> TwoFactorState:
        """Return the two-factor settings of the signed-in user."""
        codes_left = await self._context.database.read(
            partial(stored.count_recovery_codes, person_id=signed_in.person.id)
        )
        return TwoFactorState(
            on=signed_in.two_factor,
            required=is_two_factor_required(self._context.rules.two_factor, signed_in.person.role),
            possible=self._context.rules.two_factor is not TwoFactorRule.OFF,
            codes_left=codes_left,
        )

    async def start_set_up(self, signed_in: AuthenticatedUser, password: str, client: ClientInfo) -> SetUpData:
        """Create a secret for an authenticator app. It takes effect when `confirm` gets one of its codes.

        Raises ForbiddenError for a wrong password or if the operator has turned the feature off, ConflictError if
        two-factor sign-in is already on, TooManyRequestsError.
        """
        self._check_enabled()
        await self._authentication.check_own_password(signed_in.person, password, client)
        secret = TwoFactorSecret("".join(secrets.choice(BASE_32_ALPHABET) for _ in range(SECRET_LENGTH)))
        person = signed_in.person
        if not await self._context.write(
            partial(stored.store_secret, person_id=person.id, secret=secret, now=self._context.now())
        ):
            raise ConflictError(
                sentence("Two-factor sign-in is already turned on. Turn it off first to set up another app.")
            )
        return SetUpData(secret, TwoFactorSecret(build_otpauth_uri(secret, person.username)))

    async def confirm(self, signed_in: AuthenticatedUser, code: str, client: ClientInfo) -> TwoFactorActivation:
        """Turn two-factor sign-in on, if the code is correct. Raises InputError for a wrong code."""
        self._check_enabled()
        await self._count_code(signed_in.person, code, client)
        codes = generate_recovery_codes(secrets.choice)
        job = partial(self._confirm, person=signed_in.person, code=code, codes=codes, client=client)
        token = await self._context.write(job)
        log_event("two-factor sign-in turned on", signed_in.person, address=client.address)
        return TwoFactorActivation(token, codes)

    async def renew_recovery_codes(
        self, signed_in: AuthenticatedUser, password: str, code: str, client: ClientInfo
    ) -> TwoFactorActivation:
        """Replace the recovery codes; the old ones become invalid. Raises ForbiddenError, InputError."""
        await self._authentication.check_own_password(signed_in.person, password, client)
        await self._count_code(signed_in.person, code, client)
        codes = generate_recovery_codes(secrets.choice)
        job = partial(self._replace_codes, person=signed_in.person, code=code, codes=codes, client=client)
        token = await self._context.write(job)
        log_event("recovery codes replaced", signed_in.person, address=client.address)
        return TwoFactorActivation(token, codes)

    async def turn_off(self, signed_in: AuthenticatedUser, password: str, code: str, client: ClientInfo) -> str:
        """Turn two-factor sign-in off; return the token of a new session. Raises ForbiddenError, InputError."""
        await self._authentication.check_own_password(signed_in.person, password, client)
        await self._count_code(signed_in.person, code, client)
        token = await self._context.write(partial(self._turn_off, person=signed_in.person, code=code, client=client))
        log_event("two-factor sign-in turned off", signed_in.person, address=client.address)
        return token

    # --- helpers --------------------------------------------------------------------------------------------------

    def _check_enabled(self) -> None:
        if self._context.rules.two_factor is TwoFactorRule.OFF:
            raise ForbiddenError(sentence("Two-factor sign-in has been turned off for this dictionary."))

    async def _count_code(self, person: Person, code: str, client: ClientInfo) -> None:
        is_known_address = await self._authentication.is_known_address(person.id, client)
        rules = build_code_rules(SignInAttempt(person, client, is_known_address, code))
        await self._context.count_try(rules, "Too many codes were tried. Try again in %(wait)s s.")

    def _confirm(
        self, connection: WriteConnection, person: Person, code: str, codes: tuple[str, ...], client: ClientInfo
    ) -> str:
        if not stored.confirm(connection, person.id, code, self._context.now()):
            raise _wrong_code_error()
        stored.save_recovery_codes(connection, person.id, codes)
        return self._restart_session(connection, person, client)

    def _replace_codes(
        self, connection: WriteConnection, person: Person, code: str, codes: tuple[str, ...], client: ClientInfo
    ) -> str:
        self._require_code(connection, person, code)
        stored.save_recovery_codes(connection, person.id, codes)
        return self._restart_session(connection, person, client)

    def _turn_off(self, connection: WriteConnection, person: Person, code: str, client: ClientInfo) -> str:
        self._require_code(connection, person, code)
        stored.disable(connection, person.id)
        return self._restart_session(connection, person, client)

    def _require_code(self, connection: WriteConnection, person: Person, code: str) -> None:
        if not stored.is_enabled(connection, person.id):
            raise ConflictError(sentence("Two-factor sign-in is not set up for your account."))
        if not stored.accept_code(connection, person.id, code, self._context.now()):
            raise _wrong_code_error()

    def _restart_session(self, connection: WriteConnection, person: Person, client: ClientInfo) -> str:
        """Close all sessions, and return the token of a new one."""
        attempt = SignInAttempt(person, client, is_known_address=False)
        stored_people.delete_attempts(connection, list(build_code_rules(attempt)))
        stored_sessions.close_sessions(connection, person.id)
        return self._sessions.open_session(connection, person.id, client)


def _wrong_code_error() -> InputError:
    return InputError.of("code", WRONG_CODE)
