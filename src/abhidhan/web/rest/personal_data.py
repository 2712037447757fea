"""/api/account and /api/people: a copy of one's own data, and the deletion of accounts."""

from typing import Annotated

import msgspec
from litestar import Response, delete, get
from litestar.params import JSONBody, QueryParameter

from abhidhan.domain.people import LONGEST_PASSWORD, Permission
from abhidhan.domain.personal_data import LONGEST_NAME, Leaving
from abhidhan.web.arguments import record_id
from abhidhan.web.personal_data import ExportForm, export_answer, personal_data_of
from abhidhan.web.sessions import SignedInRequest, accounts_of, needs, no_cookie, visit_of

SMALL_BODY = 64 * 1024

FormOfCopy = Annotated[
    ExportForm,
    QueryParameter(description="json: one document. zip: the same as `account.json`, and the photos themselves."),
]
NameThatStays = Annotated[
    str | None,
    QueryParameter(
        description="The name under which contributions stay; left out, they stay without a name.",
        max_length=4 * LONGEST_NAME,
    ),
]
KeepWaiting = Annotated[
    bool, QueryParameter(description="Leave pending contributions in the review queue instead of withdrawing them.")
]
AllCredits = Annotated[
    bool, QueryParameter(description="Use the name in the credit line of every photo, whatever it says now.")
]
RemoveRecordings = Annotated[
    bool, QueryParameter(description="Delete every recording of the person too, approved ones included.")
]


class AccountRemoval(msgspec.Struct, frozen=True):
    """Your password, and how you leave.

    `name` is the name under which contributions stay; null: without a name. `keep_waiting` lets what waits for an
    editor wait on, else it is withdrawn. `all_credits` gives the name to every photo, whatever its credit line says.
    `remove_recordings` deletes every recording of your voice, approved ones too; else those stay, like words.
    """

    password: Annotated[str, msgspec.Meta(max_length=4 * LONGEST_PASSWORD)]
    name: Annotated[str, msgspec.Meta(max_length=4 * LONGEST_NAME)] | None = None
    keep_waiting: bool = False
    all_credits: bool = False
    remove_recordings: bool = False


@get(
    "/api/account/export",
    tags=["Accounts"],
    summary="Download your data",
    guards=[needs()],
    media_type="application/json",
)
async def export_account(request: SignedInRequest, form: FormOfCopy = ExportForm.JSON) -> Response[bytes]:
    """Download your data, as a file. 429 after five in a row."""
    return await export_answer(request, request.user.person, form)


@delete(
    "/api/account",
    tags=["Accounts"],
    summary="Delete your own account",
    status_code=204,
    guards=[needs()],
    request_max_body_size=SMALL_BODY,
)
async def remove_account(request: SignedInRequest, data: JSONBody[AccountRemoval]) -> Response[None]:
    """Delete your account. What you contributed stays, under a name you choose or without one."""
    leaving = Leaving(data.name, data.keep_waiting, data.all_credits, data.remove_recordings)
    await personal_data_of(request).remove_own(request.user, data.password, leaving, visit_of(request))
    return Response(None, cookies=[no_cookie(request)])


@delete(
    "/api/people/{person_id:int}",
    tags=["People"],
    summary="Delete an account",
    status_code=204,
    guards=[needs(Permission.MANAGE_PEOPLE)],
)
async def remove_person(  # noqa: PLR0913  # each is one parameter of the address
    *,
    request: SignedInRequest,
    person_id: Annotated[int, record_id("The ID of a person.")],
    name: NameThatStays = None,
    keep_waiting: KeepWaiting = False,
    all_credits: AllCredits = False,
    remove_recordings: RemoveRecordings = False,
) -> None:
    """Delete an account. What the person contributed stays, under a name or without one."""
    person = await accounts_of(request).find(person_id)
    leaving = Leaving(name, keep_waiting, all_credits, remove_recordings)
    await personal_data_of(request).remove(person, leaving, request.user.person)


PERSONAL_DATA_HANDLERS = (export_account, remove_account, remove_person)
