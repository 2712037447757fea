"""Two-factor sign-in: codes of an authenticator app (TOTP, RFC 6238), and recovery codes for when it is lost."""

import hashlib
import hmac
import unicodedata
from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import Final

import msgspec
import pyotp

from abhidhan.records.people import Permission, Role, permits


class TwoFactorRule(StrEnum):
    """Who is asked for codes: nobody, whoever wants to be, or every editor and administrator besides."""

    OFF = "off"
    OPTIONAL = "optional"
    REQUIRED = "required"


class Secret(str):
    """What an app makes its codes of. It is shown to its owner once; logs and tracebacks never show it."""

    __slots__ = ()

    def __repr__(self) -> str:
        """Hide what it is."""
        return "Secret(...)"


class TwoFactorState(msgspec.Struct, frozen=True):
    """What one sees of one's own two-factor sign-in; `possible` is false where the operator has turned it off."""

    on: bool
    required: bool
    possible: bool
    codes_left: int


STEP_SECONDS: Final = 30
DIGITS: Final = 6
WINDOW: Final = (0, -1, 1)
"""Which steps of time a code may be of, beside the present one: clocks differ, and typing takes a while."""

SET_UP_SECONDS: Final = 3600
"""How long setting up may take, until it must be begun anew."""

SECRET_LENGTH: Final = 32
"""Letters of base 32, five bits each: 160 bits, as RFC 4226 recommends."""

RECOVERY_CODES: Final = 10
RECOVERY_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
RECOVERY_GROUPS: Final = 4
RECOVERY_GROUP: Final = 4
"""Sixteen letters of 31: 79 bits, so that a plain hash is enough."""

ISSUER: Final = "Abhidhan"


def must_have(rule: TwoFactorRule, role: Role) -> bool:
    """Return whether a role may do nothing without two-factor sign-in."""
    return rule is TwoFactorRule.REQUIRED and permits(role, Permission.REVIEW)


def address_of(secret: Secret, username: str) -> str:
    """Write the address that an app reads from a QR code."""
    return pyotp.TOTP(secret, digits=DIGITS, interval=STEP_SECONDS).provisioning_uri(name=username, issuer_name=ISSUER)


def clean_code(text: str) -> str:
    """Write a code as it is compared: only letters and digits, in small letters; digits of any script are digits."""
    return "".join(
        str(unicodedata.decimal(character, character)) for character in text.casefold() if character.isalnum()
    )


def is_of_app(code: str) -> bool:
    """Return whether a cleaned code is one that an app shows; any other may be a recovery code."""
    return len(code) == DIGITS and code.isascii() and code.isdigit()


def step_of(secret: Secret, code: str, now: int) -> int | None:
    """Find the step of time whose code this is; None when it is that of none near `now`. Takes as long for any code."""
    present = now // STEP_SECONDS
    made = pyotp.TOTP(secret, digits=DIGITS, interval=STEP_SECONDS)
    fitting = [step for step in (present + each for each in WINDOW) if _equal(made.generate_otp(max(0, step)), code)]
    return fitting[0] if fitting else None


def new_recovery_codes(draw: Callable[[str], str]) -> tuple[str, ...]:
    """Make recovery codes as they are shown; `draw` draws one of the letters by chance."""
    return tuple(
        "-".join("".join(draw(RECOVERY_LETTERS) for _ in range(RECOVERY_GROUP)) for _ in range(RECOVERY_GROUPS))
        for _ in range(RECOVERY_CODES)
    )


def recovery_hash(person_id: int, code: str) -> str:
    """Hash a recovery code as it is kept."""
    return hashlib.sha256(f"{person_id}:{clean_code(code)}".encode("utf-8", "surrogatepass")).hexdigest()


def same_hash(hashed: str, kept: Iterable[str]) -> str | None:
    """Find a hash among those that are kept. Takes as long for any of them, and for none."""
    fitting = [each for each in kept if _equal(each, hashed)]
    return fitting[0] if fitting else None


def _equal(first: str, second: str) -> bool:
    return hmac.compare_digest(first.encode(), second.encode("utf-8", "surrogatepass"))
