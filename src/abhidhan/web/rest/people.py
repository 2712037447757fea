"""/api/people: what administrators do with accounts."""

from typing import Annotated

import msgspec
from litestar import delete, get, patch, post
from litestar.params import JSONBody

from abhidhan.domain.people import Permission, Person, Role
from abhidhan.domain.tickets import INVITATION_DAYS, Invitation
from abhidhan.services.accounts.people import NewAccount
from abhidhan.web.arguments import GREATEST_LIMIT, LimitUpTo1000, Offset, record_id
from abhidhan.web.rest.session import NewName, NewPassword
from abhidhan.web.sessions import SignedInRequest, accounts_of, needs
from abhidhan.web.timestamps import Timestamp, timestamp

BY_ADMINISTRATORS = [needs(Permission.MANAGE_PEOPLE)]
SMALL_BODY = 64 * 1024

PersonID = Annotated[int, record_id("The ID of a person.")]
InvitationID = Annotated[int, record_id("The ID of an invitation.")]


class PersonEntry(msgspec.Struct, frozen=True):
    """A person with an account; `disabled` is when signing in was blocked, if it was."""

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
    """An account that an administrator creates for someone."""

    username: NewName
    password: NewPassword
    role: Role = Role.CONTRIBUTOR
    email: str | None = None


class PersonChange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What to change about a person; fields left out stay as they are."""

    role: Role | None = None
    disabled: bool | None = None


class InvitationRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The role of those who are invited, how many `people` the invitation is for, and the `days` for which it works."""

    role: Role = Role.CONTRIBUTOR
    people: int = 1
    days: int = INVITATION_DAYS


class InvitationAnswer(msgspec.Struct, frozen=True):
    """The token of an invitation."""

    invitation: str


class InvitationEntry(msgspec.Struct, frozen=True):
    """An open invitation, which `people` can still use. Without an `issuer`, it was created by a command."""

    id: int
    role: Role
    issuer: str | None
    created: Timestamp
    expires: Timestamp
    people: int

    @classmethod
    def of(cls, each: Invitation) -> "InvitationEntry":
        """Write times as callers read them."""
        return cls(each.id, each.role, each.issuer, timestamp(each.created), timestamp(each.expires), each.people)


class InvitationsAnswer(msgspec.Struct, frozen=True):
    """The open invitations, newest first."""

    data: tuple[InvitationEntry, ...]
    count: int


class ResetAnswer(msgspec.Struct, frozen=True):
    """The link with which a person can set a new password: it works once, for an hour."""

    link: str


@get("/api/people", tags=["People"], summary="List people", guards=BY_ADMINISTRATORS)
async def list_people(request: SignedInRequest, limit: LimitUpTo1000 = 50, offset: Offset = 0) -> PeopleAnswer:
    """List everyone with an account, by name."""
    page = await accounts_of(request).list_people(min(limit, GREATEST_LIMIT), offset)
    return PeopleAnswer(tuple(map(PersonEntry.of, page.people)), page.total)


@post(
    "/api/people",
    tags=["People"],
    summary="Create an account for someone",
    guards=BY_ADMINISTRATORS,
    request_max_body_size=SMALL_BODY,
)
async def add_person(request: SignedInRequest, data: JSONBody[NewPersonRequest]) -> PersonEntry:
    """Create an account with a role for someone."""
    new = NewAccount(data.username, data.password, data.email)
    return PersonEntry.of(await accounts_of(request).add(new, data.role, request.user.person))


@patch("/api/people/{person_id:int}", tags=["People"], summary="Change a person", guards=BY_ADMINISTRATORS)
async def change_person(request: SignedInRequest, person_id: PersonID, data: JSONBody[PersonChange]) -> PersonEntry:
    """Change someone's role, or disable or enable their account. 409 for the last administrator."""
    accounts, by = accounts_of(request), request.user.person
    person = await accounts.find(person_id)
    if data.role is not None:
        person = await accounts.set_role(person, data.role, by)
    if data.disabled is not None:
        person = await (accounts.disable(person, by) if data.disabled else accounts.enable(person, by))
    return PersonEntry.of(person)


@post("/api/people/{person_id:int}/reset", tags=["People"], summary="Make a reset link", guards=BY_ADMINISTRATORS)
async def make_reset_link(request: SignedInRequest, person_id: PersonID) -> ResetAnswer:
    """Create a link with which someone can set a new password."""
    accounts = accounts_of(request)
    return ResetAnswer(await accounts.reset_link(await accounts.find(person_id), request.user.person))


@post("/api/people/invitations", tags=["People"], summary="Invite someone", guards=BY_ADMINISTRATORS)
async def invite(request: SignedInRequest, data: JSONBody[InvitationRequest]) -> InvitationAnswer:
    """Create an invitation to create an account with a role. It stops working if you may no longer manage people."""
    accounts, issuer = accounts_of(request), request.user.person
    return InvitationAnswer(await accounts.invite(data.role, issuer, people=data.people, days=data.days))


@get("/api/people/invitations", tags=["People"], summary="List invitations", guards=BY_ADMINISTRATORS)
async def list_invitations(request: SignedInRequest) -> InvitationsAnswer:
    """List the open invitations, without their tokens."""
    found = await accounts_of(request).list_invitations()
    return InvitationsAnswer(tuple(map(InvitationEntry.of, found)), len(found))


@delete(
    "/api/people/invitations/{invitation_id:int}",
    tags=["People"],
    summary="Revoke an invitation",
    status_code=204,
    guards=BY_ADMINISTRATORS,
)
async def revoke_invitation(request: SignedInRequest, invitation_id: InvitationID) -> None:
    """Revoke an invitation."""
    await accounts_of(request).revoke_invitation(invitation_id, request.user.person)


@delete(
    "/api/people/{person_id:int}/two-factor",
    tags=["People"],
    summary="Turn off someone's codes",
    status_code=204,
    guards=BY_ADMINISTRATORS,
)
async def reset_two_factor(request: SignedInRequest, person_id: PersonID) -> None:
    """Turn off codes for someone who lost their phone, and sign them out everywhere. 409 for your own account."""
    accounts = accounts_of(request)
    await accounts.reset_two_factor(await accounts.find(person_id), request.user.person)


PEOPLE_HANDLERS = (
    list_people,
    add_person,
    change_person,
    make_reset_link,
    invite,
    list_invitations,
    revoke_invitation,
    reset_two_factor,
)
