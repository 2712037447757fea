"""/api/review/unchecked: ideas that no speaker has checked yet, and their confirmation."""

from collections.abc import Sequence

import msgspec
from litestar import Response, get, post

from abhidhan.contributions.service import submission_review
from abhidhan.dictionary.api.parameters import DictionaryDep
from abhidhan.editing.service.editing import Editing
from abhidhan.platform.http.authentication import SignedInRequest, require_access
from abhidhan.platform.http.parameters import (
    MAX_LIMIT,
    LimitUpTo1000,
    PagedOffset,
    PathID,
    build_link_header,
    build_next_page_address,
    check_offset,
)
from abhidhan.platform.http.services import get_service
from abhidhan.records.api_tokens import Scope
from abhidhan.records.ideas import Confirmation, Idea
from abhidhan.records.people import Permission
from abhidhan.records.timestamps import Timestamp, format_timestamp

UNCHECKED_PATH = "/api/review/unchecked"


class UncheckedAnswer(msgspec.Struct, frozen=True):
    """A page of unchecked ideas, and their total number. `next` is the URL of the next page; null on the last one."""

    data: Sequence[Idea]
    total: int
    limit: int
    offset: int
    next: str | None


class ConfirmationAnswer(msgspec.Struct, frozen=True):
    """The confirmation of an idea. `person` is null if the account was deleted without keeping its name."""

    idea_id: int
    person: str | None
    confirmed: Timestamp

    @classmethod
    def of(cls, confirmation: Confirmation) -> "ConfirmationAnswer":
        """Return the API representation of a confirmation."""
        return cls(confirmation.idea_id, confirmation.person or None, format_timestamp(confirmation.confirmed))


@get(
    UNCHECKED_PATH,
    tags=["Contributing"],
    summary="List unchecked ideas",
    guards=[require_access(scopes=(Scope.CONTRIBUTE, Scope.REVIEW))],
)
async def list_unchecked(
    dictionary: DictionaryDep, limit: LimitUpTo1000 = 20, offset: PagedOffset = 0
) -> Response[UncheckedAnswer]:
    """List the ideas whose source has a notice and that no speaker has confirmed.

    Sorted by the frequency of their most frequent Assamese word, then by ID.
    """
    check_offset(offset)
    size = min(limit, MAX_LIMIT)
    page = await dictionary.read_in_thread(submission_review.list_unchecked, size, offset)
    following = build_next_page_address(UNCHECKED_PATH, page.total, size, offset, {})
    return Response(
        UncheckedAnswer(page.items, page.total, size, offset, following), headers=build_link_header(following)
    )


@post(
    f"{UNCHECKED_PATH}/{{idea_id:int}}",
    tags=["Contributing"],
    summary="Confirm that an idea is correct",
    status_code=200,
    guards=[require_access(Permission.REVIEW)],
)
async def confirm_idea(request: SignedInRequest, idea_id: PathID) -> ConfirmationAnswer:
    """Confirm that the words, definitions and examples of an idea are correct.

    The pages of its words then show who checked it and when. If the idea is already confirmed, the existing
    confirmation is returned. Editors can undo a confirmation like any other change.
    """
    return ConfirmationAnswer.of(await get_service(request, Editing).confirm(request.user.person, idea_id))


UNCHECKED_HANDLERS = (list_unchecked, confirm_idea)
