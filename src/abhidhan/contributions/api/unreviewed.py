"""/api/review/unchecked: what no speaker has checked yet, and confirming that it is right."""

from collections.abc import Sequence

import msgspec
from litestar import Response, get, post

from abhidhan.contributions.service import submission_review
from abhidhan.dictionary.api.parameters import GivenDictionary
from abhidhan.editing.service.editing import Editing
from abhidhan.platform.http.authentication import SignedInRequest, needs
from abhidhan.platform.http.parameters import (
    GREATEST_LIMIT,
    LimitUpTo1000,
    PagedOffset,
    PathID,
    check_offset,
    link_to,
    next_page,
)
from abhidhan.platform.http.services import service_of
from abhidhan.records.api_tokens import Scope
from abhidhan.records.ideas import Confirmation, Idea
from abhidhan.records.people import Permission
from abhidhan.records.timestamps import Timestamp, timestamp

UNCHECKED = "/api/review/unchecked"


class UncheckedAnswer(msgspec.Struct, frozen=True):
    """A page of unchecked ideas, and how many are left. `next` is the address of the next page, null at the end."""

    data: Sequence[Idea]
    total: int
    limit: int
    offset: int
    next: str | None


class ConfirmationAnswer(msgspec.Struct, frozen=True):
    """The confirmation of an idea: by whom and when. Null for whoever has left without a name."""

    idea_id: int
    person: str | None
    confirmed: Timestamp

    @classmethod
    def of(cls, confirmation: Confirmation) -> "ConfirmationAnswer":
        """Write the time as callers read it."""
        return cls(confirmation.idea_id, confirmation.person or None, timestamp(confirmation.confirmed))


@get(
    UNCHECKED,
    tags=["Contributing"],
    summary="Page through ideas that nobody has checked",
    guards=[needs(scopes=(Scope.CONTRIBUTE, Scope.REVIEW))],
)
async def list_unchecked(
    dictionary: GivenDictionary, limit: LimitUpTo1000 = 20, offset: PagedOffset = 0
) -> Response[UncheckedAnswer]:
    """List the ideas whose source has a notice and that no speaker has confirmed: the commonest first, then by ID.

    How common an idea is goes by the most common of its Assamese words.
    """
    check_offset(offset)
    size = min(limit, GREATEST_LIMIT)
    found = await dictionary.read_in_thread(submission_review.list_unchecked, size, offset)
    following = next_page(UNCHECKED, found.total, size, offset, {})
    return Response(UncheckedAnswer(found.items, found.total, size, offset, following), headers=link_to(following))


@post(
    f"{UNCHECKED}/{{idea_id:int}}",
    tags=["Contributing"],
    summary="Confirm that an idea is right",
    status_code=200,
    guards=[needs(Permission.REVIEW)],
)
async def confirm_idea(request: SignedInRequest, idea_id: PathID) -> ConfirmationAnswer:
    """Confirm that the words, definitions and examples of an idea are right.

    The page of each of its words then tells who has checked it, and when. An idea that is confirmed already keeps its
    first confirmation, which is the answer then. An editor can undo a confirmation, as any other change.
    """
    return ConfirmationAnswer.of(await service_of(request, Editing).confirm(request.user.person, idea_id))


UNCHECKED_HANDLERS = (list_unchecked, confirm_idea)
