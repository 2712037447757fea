"""/api/account/lists: the user's saved lists, synchronised across devices."""

from typing import Annotated, Final

import msgspec
from litestar import Response, delete, get, put
from litestar.params import JSONBody

from abhidhan.people.model.card_progress import MAX_CARDS, CardProgress
from abhidhan.people.model.saved_lists import MAX_LISTS, OwnList
from abhidhan.people.service.saved_lists import ListsUpdate, SavedLists, StoredLists, format_etag
from abhidhan.platform.http.authentication import SignedInRequest, require_access
from abhidhan.platform.http.parameters import PRECONDITION_FAILED_RESPONSE
from abhidhan.platform.http.services import get_service
from abhidhan.records.api_tokens import Scope

MAX_BODY_BYTES: Final = 2 * 1024 * 1024
"""Maximum size of a request body in bytes: enough for the maximum of lists, words and tombstones."""

LISTS_GUARD: Final = require_access(scopes=(Scope.CONTRIBUTE,))


class ListsAnswer(msgspec.Struct, frozen=True):
    """Your lists and your flashcard progress. `is_kept` is false if your account stores none.

    `owner` is your name.
    """

    is_kept: bool
    owner: str
    lists: tuple[OwnList, ...]
    cards: tuple[CardProgress, ...]


class ListsRequest(msgspec.Struct, frozen=True):
    """The lists of a device. `owner` is the name of the account with which it last synchronised, if any."""

    lists: Annotated[tuple[OwnList, ...], msgspec.Meta(max_length=4 * MAX_LISTS)]
    owner: Annotated[str, msgspec.Meta(max_length=200)] = ""
    cards: Annotated[tuple[CardProgress, ...], msgspec.Meta(max_length=MAX_CARDS)] = ()


@get("/api/account/lists", tags=["Accounts"], summary="Read your lists", guards=[LISTS_GUARD])
async def show_lists(request: SignedInRequest) -> Response[ListsAnswer]:
    """Return the lists stored in your account. The `ETag` header identifies their version."""
    return _build_response(request, await get_service(request, SavedLists).load(request.user.person))


@put(
    "/api/account/lists",
    tags=["Accounts"],
    summary="Store your lists",
    guards=[LISTS_GUARD],
    responses=PRECONDITION_FAILED_RESPONSE,
    request_max_body_size=MAX_BODY_BYTES,
)
async def keep_lists(request: SignedInRequest, data: JSONBody[ListsRequest]) -> Response[ListsAnswer]:
    """Merge the lists of a device with the stored ones and return the result: the latest change of each part wins.

    Sending old or partial lists, or sending them twice, loses nothing. Send removed words without a `place`.
    The latest answer to each flashcard in `cards` wins. With `If-Match: *`, the request succeeds only if the account
    already stores lists; with an ETag, only if they have not changed since; otherwise it returns 412.
    Lists of another `owner` return 409.
    """
    sent = ListsUpdate(data.lists, data.owner, request.headers.get("if-match"), data.cards)
    return _build_response(request, await get_service(request, SavedLists).merge(request.user.person, sent))


@delete(
    "/api/account/lists", tags=["Accounts"], summary="Delete your stored lists", status_code=204, guards=[LISTS_GUARD]
)
async def forget_lists(request: SignedInRequest) -> None:
    """Delete the lists stored in your account. The copies on your devices remain."""
    await get_service(request, SavedLists).delete(request.user.person)


def _build_response(request: SignedInRequest, stored: StoredLists) -> Response[ListsAnswer]:
    answer = ListsAnswer(stored.version > 0, request.user.person.username, stored.lists, stored.cards)
    return Response(answer, headers={"ETag": format_etag(stored.version)})


SAVED_LIST_HANDLERS = (show_lists, keep_lists, forget_lists)
