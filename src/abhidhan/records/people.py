"""People: roles and what each may do, names, passwords and addresses."""

import re
import unicodedata
from collections.abc import Mapping
from enum import Enum, StrEnum
from typing import Final

import icu
import msgspec

from abhidhan.records.errors import ForbiddenError, InputError, Problem, Sentence, sentence
from abhidhan.records.password_strength import is_easily_guessed
from assamese.normalization import visible_length


class Role(StrEnum):
    """What a person is, from the one who may least to the one who may most."""

    READER = "reader"
    CONTRIBUTOR = "contributor"
    EDITOR = "editor"
    ADMINISTRATOR = "administrator"


class Permission(Enum):
    """Something that not everybody may do, as a sentence ends that says who may not."""

    SUBMIT_PHOTO = sentence("submit a photo")
    SUBMIT_RECORDING = sentence("submit a recording")
    SUBMIT_ENTRY = sentence("submit words, corrections, proverbs, examples and flashcards")
    REVIEW = sentence("review what others submit")
    EDIT = sentence("change the dictionary directly")
    MANAGE_PEOPLE = sentence("manage people")


_READERS: Final = frozenset({Permission.SUBMIT_PHOTO, Permission.SUBMIT_RECORDING})
_CONTRIBUTORS: Final = _READERS | {Permission.SUBMIT_ENTRY}
_EDITORS: Final = _CONTRIBUTORS | {Permission.REVIEW, Permission.EDIT}

RIGHTS: Final[Mapping[Role, frozenset[Permission]]] = {
    Role.READER: _READERS,
    Role.CONTRIBUTOR: _CONTRIBUTORS,
    Role.EDITOR: _EDITORS,
    Role.ADMINISTRATOR: _EDITORS | {Permission.MANAGE_PEOPLE},
}
"""What each role may do. Everybody who is signed in may submit photos and recordings (docs/accounts.md)."""

CALLED: Final[Mapping[Role, Sentence]] = {
    Role.READER: sentence("reader"),
    Role.CONTRIBUTOR: sentence("contributor"),
    Role.EDITOR: sentence("editor"),
    Role.ADMINISTRATOR: sentence("administrator"),
}
"""What each role is called within a sentence."""


def permits(role: Role, permission: Permission) -> bool:
    """Return whether a role may do something: the only place where this is decided."""
    return permission in RIGHTS[role]


class SignUp(StrEnum):
    """Who may make an account: anybody, whoever has an invitation, or only an administrator for others."""

    OPEN = "open"
    INVITATION = "invitation"
    CLOSED = "closed"


class Person(msgspec.Struct, frozen=True):
    """Somebody with an account. Times are seconds since 1970-01-01 UTC."""

    id: int
    username: str
    role: Role
    email: str | None
    created: int
    disabled: int | None

    def may(self, permission: Permission) -> bool:
        """Return whether the person may do this: whoever may not sign in may do nothing."""
        return self.disabled is None and permits(self.role, permission)

    def refusal(self, permission: Permission) -> ForbiddenError:
        """Make the error that says why the person may not do something."""
        return ForbiddenError(
            sentence(
                "People with the role “%(role)s” are not allowed to %(permission)s.",
                role=CALLED[self.role],
                permission=permission.value,
            )
        )


def require(person: Person, permission: Permission) -> None:
    """Make sure that a person may do something. Raises ForbiddenError."""
    if not person.may(permission):
        raise person.refusal(permission)


class SessionRules(msgspec.Struct, frozen=True):
    """How long somebody stays signed in, in seconds: without asking for anything, and at most."""

    idle: int = 14 * 86_400
    longest: int = 90 * 86_400


class SignedIn(msgspec.Struct, frozen=True):
    """Somebody who is signed in, by which session, and when that session was last seen (seconds since 1970).

    `two_factor` tells whether the account asks for codes; who `must_set_up` can do nothing else before.
    """

    person: Person
    session_id: int
    seen: int
    two_factor: bool = False
    must_set_up: bool = False


class OwnSession(msgspec.Struct, frozen=True):
    """One place where a person is signed in, as that person sees it. Times are seconds since 1970."""

    id: int
    created: int
    seen: int
    agent: str | None


# --- names, passwords, addresses ----------------------------------------------------------------------------------

SHORTEST_USERNAME: Final = 2
LONGEST_USERNAME: Final = 40
SHORTEST_PASSWORD: Final = 10
LONGEST_PASSWORD: Final = 200
LONGEST_EMAIL: Final = 254

_OF_NAMES: Final = frozenset("._-'’\u200c\u200d")
"""What may stand between letters and digits of a name; the last two belong to Indic spelling."""

_EMAIL: Final = re.compile(
    # No encoded word (RFC 2047): a mail program would decode it, and write to an address that no limit has seen.
    r"(?!.*=\?)[^@\s<>\"',;:\\()\[\]\x00-\x1f\x7f]+@"
    r"(?:[^@\s.<>\"',;:\\()\[\]\x00-\x1f\x7f]+\.)+[^@\s.<>\"',;:]{2,}"
)
_CONTROL: Final = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_OF_NO_SCRIPT: Final = {icu.UScriptCode.COMMON, icu.UScriptCode.INHERITED}


def username_key(username: str) -> str:
    """Make the form under which names are compared.

    Letter case, compatible forms of letters and invisible joiners do not matter.
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", username).casefold())
    return "".join(character for character in folded if unicodedata.category(character) != "Cf")


def clean_username(username: str, parameter: str = "username") -> str:
    """Clean a name for an account. Raises InputError.

    Letters of one script, digits, and `. _ - '` between them: letters of two scripts that look alike would let
    somebody pass for another.
    """
    clean = unicodedata.normalize("NFC", username.strip())
    if not SHORTEST_USERNAME <= len(clean) <= LONGEST_USERNAME:
        raise InputError.of(
            parameter,
            sentence(
                "`%(parameter)s` must have from %(least)s to %(most)s characters.",
                parameter=parameter,
                least=SHORTEST_USERNAME,
                most=LONGEST_USERNAME,
            ),
        )
    if visible_length(clean) < SHORTEST_USERNAME or not is_word_of_name(clean):
        raise InputError.of(
            parameter,
            sentence(
                "`%(parameter)s` may contain letters and digits, with . _ - between them; "
                "it must begin with a letter or digit.",
                parameter=parameter,
            ),
        )
    if not is_of_one_script(clean):
        raise InputError.of(
            parameter, sentence("`%(parameter)s` must use the letters of one script only.", parameter=parameter)
        )
    return clean


def is_word_of_name(text: str) -> bool:
    """Return whether a word holds nothing but what may stand in a name, and begins with a letter or digit."""
    kinds = [unicodedata.category(character)[0] for character in text]
    return kinds[0] in "LN" and all(
        kind in "LMN" or character in _OF_NAMES for kind, character in zip(kinds, text, strict=True)
    )


def is_of_one_script(text: str) -> bool:
    """Return whether a text is written in the letters of one script."""
    return len({icu.Script.getScript(character).getScriptCode() for character in text} - _OF_NO_SCRIPT) <= 1


def clean_password(password: str) -> str:
    """Write a password in the one form that is hashed: the same letters typed on another keyboard still fit."""
    return unicodedata.normalize("NFC", password)


def check_new_password(password: str, username: str, parameter: str = "password") -> str:
    """Make sure that a new password is not too easy to guess, and clean it. Raises InputError."""
    clean = clean_password(password)
    if not SHORTEST_PASSWORD <= len(clean) <= LONGEST_PASSWORD:
        detail = sentence(
            "`%(parameter)s` must have from %(least)s to %(most)s characters.",
            parameter=parameter,
            least=SHORTEST_PASSWORD,
            most=LONGEST_PASSWORD,
        )
    elif _CONTROL.search(clean):
        detail = sentence("`%(parameter)s` must not contain control characters.", parameter=parameter)
    elif is_easily_guessed(clean, (username, username_key(username))):
        detail = sentence("`%(parameter)s` is too easy to guess; choose another.", parameter=parameter)
    else:
        return clean
    raise InputError.of(parameter, detail)


def clean_email(email: str | None, parameter: str = "email") -> str | None:
    """Clean an e-mail address; a blank one is none. Raises InputError."""
    clean = unicodedata.normalize("NFC", (email or "").strip())
    if not clean:
        return None
    if len(clean) > LONGEST_EMAIL or not _EMAIL.fullmatch(clean):
        raise InputError.of(parameter, sentence("`%(parameter)s` is not an e-mail address.", parameter=parameter))
    return clean


def role_named(name: str, parameter: str = "role") -> Role:
    """Find a role by its name. Raises InputError that lists them all."""
    try:
        return Role(name.strip().casefold())
    except ValueError:
        raise InputError.of(
            parameter, sentence("`%(parameter)s` must be one of %(value)s.", parameter=parameter, value=", ".join(Role))
        ) from None


def gathered(*checks: Problem | None) -> None:
    """Raise one InputError for all the problems there are."""
    if problems := [problem for problem in checks if problem]:
        raise InputError(*problems)
