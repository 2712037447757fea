"""Users: roles and permissions, usernames, passwords and e-mail addresses."""

import re
import unicodedata
from collections.abc import Mapping
from enum import Enum, StrEnum
from typing import Final

import icu
import msgspec

from abhidhan.records.errors import ForbiddenError, InputError, Sentence, sentence
from abhidhan.records.password_strength import is_easily_guessed
from abhidhan.records.timestamps import DAY_SECONDS
from assamese.normalization import visible_length


class Role(StrEnum):
    """The roles, from the fewest permissions to the most."""

    READER = "reader"
    CONTRIBUTOR = "contributor"
    EDITOR = "editor"
    ADMINISTRATOR = "administrator"


class Permission(Enum):
    """A permission; the value completes the sentence of an error message."""

    SUBMIT_PHOTO = sentence("submit a photo")
    SUBMIT_RECORDING = sentence("submit a recording")
    SUBMIT_ENTRY = sentence("submit words, corrections, proverbs, examples and flashcards")
    REVIEW = sentence("review other people’s contributions")
    EDIT = sentence("edit the dictionary directly")
    MANAGE_PEOPLE = sentence("manage people")


_READER_PERMISSIONS: Final = frozenset({Permission.SUBMIT_PHOTO, Permission.SUBMIT_RECORDING})
_CONTRIBUTOR_PERMISSIONS: Final = _READER_PERMISSIONS | {Permission.SUBMIT_ENTRY}
_EDITOR_PERMISSIONS: Final = _CONTRIBUTOR_PERMISSIONS | {Permission.REVIEW, Permission.EDIT}

ROLE_PERMISSIONS: Final[Mapping[Role, frozenset[Permission]]] = {
    Role.READER: _READER_PERMISSIONS,
    Role.CONTRIBUTOR: _CONTRIBUTOR_PERMISSIONS,
    Role.EDITOR: _EDITOR_PERMISSIONS,
    Role.ADMINISTRATOR: _EDITOR_PERMISSIONS | {Permission.MANAGE_PEOPLE},
}
"""The permissions of each role. Every signed-in user may submit photos and recordings (docs/accounts.md)."""

ROLE_NAMES: Final[Mapping[Role, Sentence]] = {
    Role.READER: sentence("reader"),
    Role.CONTRIBUTOR: sentence("contributor"),
    Role.EDITOR: sentence("editor"),
    Role.ADMINISTRATOR: sentence("administrator"),
}
"""The name of each role within a sentence."""


def has_permission(role: Role, permission: Permission) -> bool:
    """Return whether a role has a permission. No other code decides this."""
    return permission in ROLE_PERMISSIONS[role]


class SignUp(StrEnum):
    """The sign-up policy: anyone, invited people, or only administrators on behalf of others can create accounts."""

    OPEN = "open"
    INVITATION = "invitation"
    CLOSED = "closed"


class Person(msgspec.Struct, frozen=True):
    """A user with an account. Times are seconds since 1970-01-01 UTC."""

    id: int
    username: str
    role: Role
    email: str | None
    created: int
    disabled: int | None

    def has_permission(self, permission: Permission) -> bool:
        """Return whether the user has a permission; a disabled user has none."""
        return self.disabled is None and has_permission(self.role, permission)

    def permission_error(self, permission: Permission) -> ForbiddenError:
        """Return the error for a missing permission."""
        return ForbiddenError(
            sentence(
                "People with the role “%(role)s” may not %(permission)s.",
                role=ROLE_NAMES[self.role],
                permission=permission.value,
            )
        )


def require_permission(person: Person, permission: Permission) -> None:
    """Raise ForbiddenError unless a user has a permission."""
    if not person.has_permission(permission):
        raise person.permission_error(permission)


class SessionRules(msgspec.Struct, frozen=True):
    """The lifetimes of sessions in seconds: without any request, and in total."""

    max_idle_seconds: int = 14 * DAY_SECONDS
    max_age_seconds: int = 90 * DAY_SECONDS


class AuthenticatedUser(msgspec.Struct, frozen=True):
    """A signed-in user with the session and the time of its last request (seconds since 1970).

    `two_factor` is whether the account uses two-factor codes. With `must_set_up`, the user has to enable them before
    doing anything else.
    """

    person: Person
    session_id: int
    seen: int
    two_factor: bool = False
    must_set_up: bool = False


class SessionInfo(msgspec.Struct, frozen=True):
    """A session as shown to its user. Times are seconds since 1970."""

    id: int
    created: int
    seen: int
    agent: str | None


# --- names, passwords, addresses ----------------------------------------------------------------------------------

MIN_USERNAME_LENGTH: Final = 2
MAX_USERNAME_LENGTH: Final = 40
MIN_PASSWORD_LENGTH: Final = 10
MAX_PASSWORD_LENGTH: Final = 200
MAX_EMAIL_LENGTH: Final = 254

_NAME_PUNCTUATION: Final = frozenset("._-'’\u200c\u200d")
"""Characters that a name may have besides letters and digits; the last two occur in Indic spellings."""

_EMAIL_PATTERN: Final = re.compile(
    # No encoded word (RFC 2047): a mail program would decode it to an address that bypasses the rate limits.
    r"(?!.*=\?)[^@\s<>\"',;:\\()\[\]\x00-\x1f\x7f]+@"
    r"(?:[^@\s.<>\"',;:\\()\[\]\x00-\x1f\x7f]+\.)+[^@\s.<>\"',;:]{2,}"
)
_CONTROL_CHARACTERS: Final = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_SHARED_SCRIPTS: Final = {icu.UScriptCode.COMMON, icu.UScriptCode.INHERITED}


def username_key(username: str) -> str:
    """Return the key by which usernames are compared.

    It ignores case, compatibility variants of letters, and invisible characters such as joiners.
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", username).casefold())
    return "".join(character for character in folded if unicodedata.category(character) != "Cf")


def clean_username(username: str, parameter: str = "username") -> str:
    """Validate and clean a username. Raises InputError.

    Allowed are letters of one script, digits, and `. _ - '` between them. Similar letters of two scripts would allow
    impersonation.
    """
    clean = unicodedata.normalize("NFC", username.strip())
    if not MIN_USERNAME_LENGTH <= len(clean) <= MAX_USERNAME_LENGTH:
        raise InputError.of(
            parameter,
            sentence(
                "`%(parameter)s` must have from %(least)s to %(most)s characters.",
                parameter=parameter,
                least=MIN_USERNAME_LENGTH,
                most=MAX_USERNAME_LENGTH,
            ),
        )
    if visible_length(clean) < MIN_USERNAME_LENGTH or not is_name_word(clean):
        raise InputError.of(
            parameter,
            sentence(
                "`%(parameter)s` may contain letters and digits, with . _ - between them; "
                "it must begin with a letter or digit.",
                parameter=parameter,
            ),
        )
    if not has_single_script(clean):
        raise InputError.of(
            parameter, sentence("`%(parameter)s` must use the letters of one script only.", parameter=parameter)
        )
    return clean


def is_name_word(text: str) -> bool:
    """Return whether a word has only characters that names may have, and begins with a letter or digit."""
    kinds = [unicodedata.category(character)[0] for character in text]
    return kinds[0] in "LN" and all(
        kind in "LMN" or character in _NAME_PUNCTUATION for kind, character in zip(kinds, text, strict=True)
    )


def has_single_script(text: str) -> bool:
    """Return whether all letters of a text are of one script."""
    return len({icu.Script.getScript(character).getScriptCode() for character in text} - _SHARED_SCRIPTS) <= 1


def normalize_password(password: str) -> str:
    """Normalize a password to NFC for hashing, since keyboards produce different sequences for the same letters."""
    return unicodedata.normalize("NFC", password)


def check_new_password(password: str, username: str, parameter: str = "password") -> str:
    """Check the length and strength of a new password, and return it normalized. Raises InputError."""
    clean = normalize_password(password)
    if not MIN_PASSWORD_LENGTH <= len(clean) <= MAX_PASSWORD_LENGTH:
        detail = sentence(
            "`%(parameter)s` must have from %(least)s to %(most)s characters.",
            parameter=parameter,
            least=MIN_PASSWORD_LENGTH,
            most=MAX_PASSWORD_LENGTH,
        )
    elif _CONTROL_CHARACTERS.search(clean):
        detail = sentence("`%(parameter)s` must not contain control characters.", parameter=parameter)
    elif is_easily_guessed(clean, (username, username_key(username))):
        detail = sentence("`%(parameter)s` is too easy to guess; choose another.", parameter=parameter)
    else:
        return clean
    raise InputError.of(parameter, detail)


def clean_email(email: str | None, parameter: str = "email") -> str | None:
    """Validate and clean an e-mail address; return None for a blank one. Raises InputError."""
    clean = unicodedata.normalize("NFC", (email or "").strip())
    if not clean:
        return None
    if len(clean) > MAX_EMAIL_LENGTH or not _EMAIL_PATTERN.fullmatch(clean):
        raise InputError.of(parameter, sentence("`%(parameter)s` is not an e-mail address.", parameter=parameter))
    return clean


def parse_role(name: str, parameter: str = "role") -> Role:
    """Return the role with a name. Raises InputError with the list of roles."""
    try:
        return Role(name.strip().casefold())
    except ValueError:
        raise InputError.of(
            parameter, sentence("`%(parameter)s` must be one of %(value)s.", parameter=parameter, value=", ".join(Role))
        ) from None
