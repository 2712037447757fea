"""Personal tokens: what a program may do in somebody's name, and for how long."""

import re
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Final

import msgspec

from abhidhan.records.errors import ForbiddenError, InputError, ScopeMissingError, sentence
from abhidhan.records.people import Permission, Person, SignedIn
from assamese.normalization import visible_length

PREFIX: Final = "abhidhan_"
"""What every token begins with, so that programs which look for leaked secrets know one."""

MOST_TOKENS: Final = 50
"""How many tokens one person may have at once."""

LONGEST_NAME: Final = 60
SHORTEST_DAYS: Final = 1
LONGEST_DAYS: Final = 366
USUAL_DAYS: Final = 90
DAY: Final = 86_400


class Scope(StrEnum):
    """What a token is for, by what its owner wants done."""

    CONTRIBUTE = "contribute"
    REVIEW = "review"
    EDIT = "edit"


SCOPES: Final[Mapping[Scope, frozenset[Permission]]] = {
    Scope.CONTRIBUTE: frozenset({Permission.SUBMIT_PHOTO, Permission.SUBMIT_RECORDING, Permission.SUBMIT_ENTRY}),
    Scope.REVIEW: frozenset({Permission.REVIEW}),
    Scope.EDIT: frozenset({Permission.EDIT}),
}
"""What each scope allows, as far as the role of the owner does too. No scope is for people and accounts."""


def allowed_by(scopes: Iterable[Scope]) -> frozenset[Permission]:
    """Return what these scopes allow."""
    return frozenset().union(*(SCOPES[scope] for scope in scopes))


def scopes_for(permission: Permission) -> tuple[Scope, ...]:
    """List the scopes that allow something; none where no token does."""
    return tuple(scope for scope, allowed in SCOPES.items() if permission in allowed)


def scopes_of(person: Person) -> tuple[Scope, ...]:
    """List the scopes that are of use to somebody, by the role."""
    return tuple(scope for scope, allowed in SCOPES.items() if any(map(person.may, allowed)))


class TokenPerson(Person, frozen=True):
    """Somebody for whom a program acts: may do what both the role and the scopes of the token allow."""

    scopes: frozenset[Scope]

    def may(self, permission: Permission) -> bool:
        """Return whether the person may do this by this token."""
        return Person.may(self, permission) and permission in allowed_by(self.scopes)

    def refusal(self, permission: Permission) -> ForbiddenError:
        """Make the error that says why the person may not: because of the role, or of the token."""
        wanted = scopes_for(permission)
        return scope_missing(wanted) if Person.may(self, permission) and wanted else Person.refusal(self, permission)


class SignedInByToken(SignedIn, frozen=True):
    """Somebody for whom a program acts, by which token, and when it was last used. There is no session."""

    token_id: int = 0
    used: int | None = None


class Token(msgspec.Struct, frozen=True):
    """A token as its owner sees it. Times are seconds since 1970; `used` is the day of the last use, at midnight."""

    id: int
    name: str
    scopes: tuple[Scope, ...]
    created: int
    expires: int
    used: int | None


class NewToken(msgspec.Struct, frozen=True):
    """What somebody wants a token to be."""

    name: str
    scopes: frozenset[Scope]
    days: int = USUAL_DAYS


_CONTROL: Final = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")


def cleaned(new: NewToken, person: Person) -> NewToken:
    """Clean a token to be made. Raises InputError, ForbiddenError for a scope of which the role allows nothing."""
    name = " ".join(new.name.split())
    if not visible_length(name) or len(name) > LONGEST_NAME or _CONTROL.search(name):
        raise InputError.of(
            "name",
            sentence(
                "`%(parameter)s` must have from %(least)s to %(most)s characters.",
                parameter="name",
                least=1,
                most=LONGEST_NAME,
            ),
        )
    if not new.scopes:
        raise InputError.of("scopes", sentence("Choose at least one thing that the token is for."))
    if not SHORTEST_DAYS <= new.days <= LONGEST_DAYS:
        raise InputError.of(
            "days",
            sentence(
                "`%(parameter)s` must be a whole number from %(least)s to %(most)s.",
                parameter="days",
                least=SHORTEST_DAYS,
                most=LONGEST_DAYS,
            ),
        )
    for scope in sorted(new.scopes - set(scopes_of(person))):
        raise person.refusal(min(SCOPES[scope], key=lambda each: each.name))
    return msgspec.structs.replace(new, name=name)


def scope_missing(wanted: Iterable[Scope]) -> ScopeMissingError:
    """Make the error for a token that lacks each of these scopes, of which one is needed."""
    scopes = tuple(wanted)
    needed = sentence("This token is not for that: a token with the scope %(scopes)s is.", scopes=" / ".join(scopes))
    return ScopeMissingError(needed, " ".join(scopes))


def scopes_as_text(scopes: Iterable[Scope]) -> str:
    """Write scopes as they are stored."""
    return " ".join(sorted(scopes))


def scopes_from_text(text: str) -> frozenset[Scope]:
    """Read scopes as they are stored; one that this program does not know allows nothing."""
    known = {str(scope) for scope in Scope}
    return frozenset(Scope(name) for name in text.split() if name in known)


def day_of(moment: int) -> int:
    """Return the beginning of the day of a moment, in UTC."""
    return moment - moment % DAY
