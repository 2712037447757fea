"""Personal access tokens: their scopes and lifetimes."""

import re
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Final

import msgspec

from abhidhan.records.errors import ForbiddenError, InputError, ScopeMissingError, sentence
from abhidhan.records.people import AuthenticatedUser, Permission, Person
from abhidhan.records.timestamps import DAY_SECONDS
from assamese.normalization import visible_length

TOKEN_PREFIX: Final = "abhidhan_"  # noqa: S105  # not a secret
"""The prefix of every token, by which secret scanners recognise leaked ones."""

MAX_TOKENS: Final = 50
"""Maximum number of valid tokens per person."""

MAX_NAME_LENGTH: Final = 60
MIN_LIFETIME_DAYS: Final = 1
MAX_LIFETIME_DAYS: Final = 366
DEFAULT_LIFETIME_DAYS: Final = 90


class Scope(StrEnum):
    """A group of permissions that a token can grant."""

    CONTRIBUTE = "contribute"
    REVIEW = "review"
    EDIT = "edit"


SCOPE_PERMISSIONS: Final[Mapping[Scope, frozenset[Permission]]] = {
    Scope.CONTRIBUTE: frozenset({Permission.SUBMIT_PHOTO, Permission.SUBMIT_RECORDING, Permission.SUBMIT_ENTRY}),
    Scope.REVIEW: frozenset({Permission.REVIEW}),
    Scope.EDIT: frozenset({Permission.EDIT}),
}
"""The permissions of each scope; the owner's role must grant them too. No scope allows managing accounts."""


def granted_permissions(scopes: Iterable[Scope]) -> frozenset[Permission]:
    """Return the permissions that any of these scopes grants."""
    return frozenset().union(*(SCOPE_PERMISSIONS[scope] for scope in scopes))


def scopes_granting(permission: Permission) -> tuple[Scope, ...]:
    """Return the scopes that grant a permission; empty if no scope grants it."""
    return tuple(scope for scope, allowed in SCOPE_PERMISSIONS.items() if permission in allowed)


def grantable_scopes(user: Person) -> tuple[Scope, ...]:
    """Return the scopes with at least one permission that the person's role grants."""
    return tuple(scope for scope, allowed in SCOPE_PERMISSIONS.items() if any(map(user.has_permission, allowed)))


class ScopedPerson(Person, frozen=True):
    """The owner of a token, limited to the permissions that both the owner's role and the token's scopes grant."""

    scopes: frozenset[Scope]

    def has_permission(self, permission: Permission) -> bool:
        """Return whether both the role and the token grant a permission."""
        return Person.has_permission(self, permission) and permission in granted_permissions(self.scopes)

    def permission_error(self, permission: Permission) -> ForbiddenError:
        """Return the error for a permission that the role lacks, or else for a scope that the token lacks."""
        required = scopes_granting(permission)
        return (
            missing_scope_error(required)
            if Person.has_permission(self, permission) and required
            else Person.permission_error(self, permission)
        )


class TokenUser(AuthenticatedUser, frozen=True):
    """A user authenticated by a token instead of a session; `used` is the time of the token's last use."""

    token_id: int = 0
    used: int | None = None


class ApiToken(msgspec.Struct, frozen=True):
    """A token as shown to its owner. Times are seconds since 1970; `used` is midnight of the day of the last use."""

    id: int
    name: str
    scopes: tuple[Scope, ...]
    created: int
    expires: int
    used: int | None


class NewToken(msgspec.Struct, frozen=True):
    """The name, scopes and lifetime (in days) of a token to create."""

    name: str
    scopes: frozenset[Scope]
    days: int = DEFAULT_LIFETIME_DAYS


_CONTROL_CHARACTERS: Final = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")


def clean_token(token: NewToken, person: Person) -> NewToken:
    """Validate a new token and clean its name. Raises InputError, or ForbiddenError for a scope beyond the role."""
    name = " ".join(token.name.split())
    if not visible_length(name) or len(name) > MAX_NAME_LENGTH or _CONTROL_CHARACTERS.search(name):
        raise InputError.of(
            "name",
            sentence(
                "`%(parameter)s` must have from %(least)s to %(most)s characters.",
                parameter="name",
                least=1,
                most=MAX_NAME_LENGTH,
            ),
        )
    if not token.scopes:
        raise InputError.of("scopes", sentence("Select at least one permission for the token."))
    if not MIN_LIFETIME_DAYS <= token.days <= MAX_LIFETIME_DAYS:
        raise InputError.of(
            "days",
            sentence(
                "`%(parameter)s` must be a whole number from %(least)s to %(most)s.",
                parameter="days",
                least=MIN_LIFETIME_DAYS,
                most=MAX_LIFETIME_DAYS,
            ),
        )
    for scope in sorted(token.scopes - set(grantable_scopes(person))):
        raise person.permission_error(min(SCOPE_PERMISSIONS[scope], key=lambda each: each.name))
    return msgspec.structs.replace(token, name=name)


def missing_scope_error(required: Iterable[Scope]) -> ScopeMissingError:
    """Return the error for a token without any of the required scopes; a single one of them is enough."""
    scopes = tuple(required)
    message = sentence("This token does not have the required scope: %(scopes)s.", scopes=" / ".join(scopes))
    return ScopeMissingError(message, " ".join(scopes))


def encode_scopes(scopes: Iterable[Scope]) -> str:
    """Encode scopes for storage: names separated by spaces."""
    return " ".join(sorted(scopes))


def decode_scopes(text: str) -> frozenset[Scope]:
    """Decode stored scopes; unknown names are ignored."""
    valid_names = {str(scope) for scope in Scope}
    return frozenset(Scope(name) for name in text.split() if name in valid_names)


def start_of_day(seconds: int) -> int:
    """Return midnight (UTC) of the day of a timestamp."""
    return seconds - seconds % DAY_SECONDS
