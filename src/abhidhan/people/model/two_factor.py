"""Two-factor sign-in: codes of an authenticator app (TOTP, RFC 6238) and recovery codes."""

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
    """Policy of two-factor sign-in: off, optional, or required of editors and administrators."""

    OFF = "off"
    OPTIONAL = "optional"
    REQUIRED = "required"


class Secret(str):
    """The shared secret of an authenticator app. It is shown to its owner once, and never in logs or tracebacks."""

    __slots__ = ()

    def __repr__(self) -> str:
        """Hide the value."""
        return "Secret(...)"


class TwoFactorState(msgspec.Struct, frozen=True):
    """Two-factor settings as shown to their user; `possible` is false if the operator has turned the feature off."""

    on: bool
    required: bool
    possible: bool
    codes_left: int


STEP_SECONDS: Final = 30
DIGITS: Final = 6
WINDOW: Final = (0, -1, 1)
"""Accepted time steps, relative to the current one: clocks differ, and typing takes a while."""

SET_UP_SECONDS: Final = 3600
"""Maximum number of seconds between creating a secret and confirming it with the first code."""

SECRET_LENGTH: Final = 32
"""Length in base-32 letters of five bits: 160 bits, as RFC 4226 recommends."""

RECOVERY_CODES: Final = 10
RECOVERY_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
RECOVERY_GROUPS: Final = 4
RECOVERY_GROUP: Final = 4
"""Letters per group. A code has 16 letters out of 31 (79 bits), which makes a fast hash without salt safe."""

ISSUER: Final = "Abhidhan"


def must_have(rule: TwoFactorRule, role: Role) -> bool:
    """Return whether a role requires two-factor sign-in."""
    return rule is TwoFactorRule.REQUIRED and permits(role, Permission.REVIEW)


def address_of(secret: Secret, username: str) -> str:
    """Build the `otpauth:` URI of a secret for the QR code."""
    return pyotp.TOTP(secret, digits=DIGITS, interval=STEP_SECONDS).provisioning_uri(name=username, issuer_name=ISSUER)


def clean_code(text: str) -> str:
    """Normalise a typed code: only letters and digits, in lower case, with digits of any script as ASCII."""
    return "".join(
        str(unicodedata.decimal(character, character)) for character in text.casefold() if character.isalnum()
    )


def is_of_app(code: str) -> bool:
    """Return whether a cleaned code has the format of an authenticator app's codes, unlike a recovery code."""
    return len(code) == DIGITS and code.isascii() and code.isdigit()


def step_of(secret: Secret, code: str, now: int) -> int | None:
    """Return the accepted time step whose code this is, or None. The run time does not depend on the code."""
    present = now // STEP_SECONDS
    made = pyotp.TOTP(secret, digits=DIGITS, interval=STEP_SECONDS)
    matches = [
        step for step in (present + offset for offset in WINDOW) if _equal(made.generate_otp(max(0, step)), code)
    ]
    return matches[0] if matches else None


def new_recovery_codes(draw: Callable[[str], str]) -> tuple[str, ...]:
    """Generate recovery codes, formatted for display; `choose_letter` picks a random letter."""
    return tuple(
        "-".join("".join(draw(RECOVERY_LETTERS) for _ in range(RECOVERY_GROUP)) for _ in range(RECOVERY_GROUPS))
        for _ in range(RECOVERY_CODES)
    )


def recovery_hash(person_id: int, code: str) -> str:
    """Return the hash of a recovery code for storage."""
    return hashlib.sha256(f"{person_id}:{clean_code(code)}".encode("utf-8", "surrogatepass")).hexdigest()


def same_hash(hashed: str, hashes: Iterable[str]) -> str | None:
    """Return the stored hash that equals `hashed`, or None. The run time does not depend on a match."""
    matches = [stored for stored in hashes if _equal(stored, hashed)]
    return matches[0] if matches else None


def _equal(first: str, second: str) -> bool:
    return hmac.compare_digest(first.encode(), second.encode("utf-8", "surrogatepass"))
