"""/api/account/lists: one's own lists, kept across devices."""

from typing import Annotated, Final

import msgspec
from litestar import Response, delete, get, put
from litestar.params import JSONBody

from abhidhan.people.model.saved_lists import MOST_LISTS, OwnList
from abhidhan.people.service.saved_lists import KeptLists, OwnLists, Sent, tag_of
from abhidhan.platform.http.authentication import SignedInRequest, needs
from abhidhan.platform.http.parameters import CHANGED_MEANWHILE
from abhidhan.platform.http.services import service_of
from abhidhan.records.api_tokens import Scope

LARGEST_BODY: Final = 2 * 1024 * 1024
"""Maximum size of a body in bytes: more than all lists that are kept, with all their marks."""

OWNERS: Final = needs(scopes=(Scope.CONTRIBUTE,))


class ListsAnswer(msgspec.Struct, frozen=True):
    """Your lists. `is_kept` is false while your account keeps none; `owner` is your name."""

    is_kept: bool
    owner: str
    lists: tuple[OwnList, ...]


class ListsRequest(msgspec.Struct, frozen=True):
    """What a device holds. `owner` is the name of the account that it has kept its lists with, if it has."""

    lists: Annotated[tuple[OwnList, ...], msgspec.Meta(max_length=4 * MOST_LISTS)]
    owner: Annotated[str, msgspec.Meta(max_length=200)] = ""


@get("/api/account/lists", tags=["Accounts"], summary="Read your lists", guards=[OWNERS])
async def show_lists(request: SignedInRequest) -> Response[ListsAnswer]:
    """Read the lists that your account keeps; `ETag` names what they are now."""
    return _answer(request, await service_of(request, OwnLists).of(request.user.person))


@put(
    "/api/account/lists",
    tags=["Accounts"],
    summary="Keep your lists",
    guards=[OWNERS],
    responses=CHANGED_MEANWHILE,
    request_max_body_size=LARGEST_BODY,
)
async def keep_lists(request: SignedInRequest, data: JSONBody[ListsRequest]) -> Response[ListsAnswer]:
    """Put what a device holds together with what is kept, and get all of it: of each part the latest change counts.

    Nothing is lost by sending old or partial lists, nor twice. What was taken out is sent without a place. With
    `If-Match: *` only if the account keeps lists already, with an ETag only if they are as they were: else 412.
    409 for lists of another `owner`.
    """
    sent = Sent(data.lists, data.owner, request.headers.get("if-match"))
    return _answer(request, await service_of(request, OwnLists).put_together(request.user.person, sent))


@delete("/api/account/lists", tags=["Accounts"], summary="Keep no lists", status_code=204, guards=[OWNERS])
async def forget_lists(request: SignedInRequest) -> None:
    """Delete what your account keeps of your lists. Devices have theirs all the same."""
    await service_of(request, OwnLists).forget(request.user.person)


def _answer(request: SignedInRequest, kept: KeptLists) -> Response[ListsAnswer]:
    answer = ListsAnswer(kept.version > 0, request.user.person.username, kept.lists)
    return Response(answer, headers={"ETag": tag_of(kept.version)})


OWN_LIST_HANDLERS = (show_lists, keep_lists, forget_lists)
