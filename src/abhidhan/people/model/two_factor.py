"""Two-factor sign-in: codes of an authenticator app (TOTP, RFC 6238) and recovery codes."""

import hashlib
import hmac
import unicodedata
from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import Final

import msgspec
import pyotp

from abhidhan.records.people import Permission, Role, has_permission


class TwoFactorRule(StrEnum):
    """Policy of two-factor sign-in: off, optional, or required of editors and administrators."""

    OFF = "off"
    OPTIONAL = "optional"
    REQUIRED = "required"


class TwoFactorSecret(str):
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
CODE_DIGITS: Final = 6
STEP_OFFSETS: Final = (0, -1, 1)
"""Accepted time steps, relative to the current one: clocks differ, and typing takes a while."""

MAX_SET_UP_SECONDS: Final = 3600
"""Maximum number of seconds between creating a secret and confirming it with the first code."""

SECRET_LENGTH: Final = 32
"""Length in base-32 letters of five bits: 160 bits, as RFC 4226 recommends."""

RECOVERY_CODE_COUNT: Final = 10
RECOVERY_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
RECOVERY_GROUP_COUNT: Final = 4
RECOVERY_GROUP_LENGTH: Final = 4
"""Letters per group. A code has 16 letters out of 31 (79 bits), which makes a fast hash without salt safe."""

ISSUER: Final = "Abhidhan"


def is_two_factor_required(rule: TwoFactorRule, role: Role) -> bool:
    """Return whether a role requires two-factor sign-in."""
    return rule is TwoFactorRule.REQUIRED and has_permission(role, Permission.REVIEW)


def build_otpauth_uri(secret: TwoFactorSecret, username: str) -> str:
    """Build the `otpauth:` URI of a secret for the QR code."""
    return pyotp.TOTP(secret, digits=CODE_DIGITS, interval=STEP_SECONDS).provisioning_uri(
        name=username, issuer_name=ISSUER
    )


def clean_code(text: str) -> str:
    """Normalise a typed code: only letters and digits, in lower case, with digits of any script as ASCII."""
    return "".join(
        str(unicodedata.decimal(character, character)) for character in text.casefold() if character.isalnum()
    )


def is_app_code(code: str) -> bool:
    """Return whether a cleaned code has the format of an authenticator app's codes, unlike a recovery code."""
    return len(code) == CODE_DIGITS and code.isascii() and code.isdigit()


def find_time_step(secret: TwoFactorSecret, code: str, now: int) -> int | None:
    """Return the accepted time step whose code this is, or None. The run time does not depend on the code."""
    current_step = now // STEP_SECONDS
    totp = pyotp.TOTP(secret, digits=CODE_DIGITS, interval=STEP_SECONDS)
    matches = [
        step
        for step in (current_step + offset for offset in STEP_OFFSETS)
        if _is_equal(totp.generate_otp(max(0, step)), code)
    ]
    return matches[0] if matches else None


def generate_recovery_codes(choose_letter: Callable[[str], str]) -> tuple[str, ...]:
    """Generate recovery codes, formatted for display; `choose_letter` picks a random letter."""
    return tuple(
        "-".join(
            "".join(choose_letter(RECOVERY_LETTERS) for _ in range(RECOVERY_GROUP_LENGTH))
            for _ in range(RECOVERY_GROUP_COUNT)
        )
        for _ in range(RECOVERY_CODE_COUNT)
    )


def hash_recovery_code(person_id: int, code: str) -> str:
    """Return the hash of a recovery code for storage."""
    return hashlib.sha256(f"{person_id}:{clean_code(code)}".encode("utf-8", "surrogatepass")).hexdigest()


def find_equal_hash(hashed: str, hashes: Iterable[str]) -> str | None:
    """Return the stored hash that equals `hashed`, or None. The run time does not depend on a match."""
    matches = [stored for stored in hashes if _is_equal(stored, hashed)]
    return matches[0] if matches else None


def _is_equal(first: str, second: str) -> bool:
    return hmac.compare_digest(first.encode(), second.encode("utf-8", "surrogatepass"))
