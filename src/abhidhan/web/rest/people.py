"""/api/people: what administrators do with accounts."""

from typing import Annotated

import msgspec
from litestar import get, patch, post
from litestar.params import JSONBody, Parameter

from abhidhan.domain.people import Permission, Person, Role
from abhidhan.services.people import NewAccount
from abhidhan.web.arguments import GREATEST_LIMIT, LimitUpTo1000
from abhidhan.web.moments import Timestamp, timestamp
from abhidhan.web.sessions import Asking, accounts_of, needs

BY_ADMINISTRATORS = [needs(Permission.MANAGE_PEOPLE)]
SMALL_BODY = 64 * 1024

Offset = Annotated[int, Parameter(ge=0, description="How many to pass over.")]
PersonID = Annotated[int, Parameter(description="The ID of a person.")]


class PersonEntry(msgspec.Struct, frozen=True):
    """Somebody with an account; `disabled` tells since when nobody can sign in to it."""

    id: int
    username: str
    role: Role
    email: str | None
    created: Timestamp
    disabled: Timestamp | None

    @classmethod
    def of(cls, person: Person) -> "PersonEntry":
        """Write times as callers read them."""
        disabled = None if person.disabled is None else timestamp(person.disabled)
        times = {"created": timestamp(person.created), "disabled": disabled}
        return cls(**(msgspec.structs.asdict(person) | times))


class PeopleAnswer(msgspec.Struct, frozen=True):
    """A page of people, by name, and how many there are."""

    data: tuple[PersonEntry, ...]
    total: int


class NewPersonRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An account that an administrator makes for somebody."""

    username: str
    password: str
    role: Role = Role.CONTRIBUTOR
    email: str | None = None


class PersonChange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What shall be different of a person; fields left out stay as they are."""

    role: Role | None = None
    disabled: bool | None = None


class InvitationRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The role that somebody shall have who is invited."""

    role: Role = Role.CONTRIBUTOR


class InvitationAnswer(msgspec.Struct, frozen=True):
    """The token of an invitation: it works once, for two weeks."""

    invitation: str


class ResetAnswer(msgspec.Struct, frozen=True):
    """The link by which a person sets a new password: it works once, for an hour."""

    link: str


@get("/api/people", tags=["People"], summary="List people", guards=BY_ADMINISTRATORS)
async def list_people(request: Asking, limit: LimitUpTo1000 = 50, offset: Offset = 0) -> PeopleAnswer:
    """List everybody with an account, by name."""
    page = await accounts_of(request).list_people(min(limit, GREATEST_LIMIT), offset)
    return PeopleAnswer(tuple(map(PersonEntry.of, page.people)), page.total)


@post(
    "/api/people",
    tags=["People"],
    summary="Make an account for somebody",
    guards=BY_ADMINISTRATORS,
    request_max_body_size=SMALL_BODY,
)
async def add_person(request: Asking, data: JSONBody[NewPersonRequest]) -> PersonEntry:
    """Make an account for somebody, with a role."""
    new = NewAccount(data.username, data.password, data.email)
    return PersonEntry.of(await accounts_of(request).add(new, data.role))


@patch("/api/people/{person_id:int}", tags=["People"], summary="Change a person", guards=BY_ADMINISTRATORS)
async def change_person(request: Asking, person_id: PersonID, data: JSONBody[PersonChange]) -> PersonEntry:
    """Give somebody another role, or disable or enable the account. 409 for the last administrator."""
    accounts = accounts_of(request)
    person = await accounts.find(person_id)
    if data.role is not None:
        person = await accounts.set_role(person, data.role)
    if data.disabled is not None:
        person = await (accounts.disable(person) if data.disabled else accounts.enable(person))
    return PersonEntry.of(person)


@post("/api/people/{person_id:int}/reset", tags=["People"], summary="Make a reset link", guards=BY_ADMINISTRATORS)
async def make_reset_link(request: Asking, person_id: PersonID) -> ResetAnswer:
    """Make a link by which somebody sets a new password."""
    accounts = accounts_of(request)
    return ResetAnswer(await accounts.reset_link(await accounts.find(person_id)))


@post("/api/people/invitations", tags=["People"], summary="Invite somebody", guards=BY_ADMINISTRATORS)
async def invite(request: Asking, data: JSONBody[InvitationRequest]) -> InvitationAnswer:
    """Make an invitation by which somebody makes an account with a role."""
    return InvitationAnswer(await accounts_of(request).invite(data.role))


PEOPLE_HANDLERS = (list_people, add_person, change_person, make_reset_link, invite)
