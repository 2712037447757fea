"""The public history of words and ideas, and undo."""

import msgspec
from litestar import get, post

from abhidhan.editing.service.editing import Editing
from abhidhan.editing.service.editor import Edited
from abhidhan.editing.service.history import RevisionView, ShownChange
from abhidhan.platform.http.authentication import SignedInRequest, require_access
from abhidhan.platform.http.parameters import MAX_LIMIT, LimitUpTo1000, Offset, PathID
from abhidhan.platform.http.services import get_service
from abhidhan.records.history import RecordRef
from abhidhan.records.lookup_lists import Named
from abhidhan.records.people import Permission
from abhidhan.records.timestamps import Timestamp, format_timestamp

EDITOR_GUARDS = [require_access(Permission.EDIT)]


class RevisionEntry(msgspec.Struct, frozen=True):
    """A history entry: its author, action and time, and the changed records before and after.

    `hidden` is the reason for which the `changes` are not shown, or null.
    """

    id: int
    at: Timestamp
    action: Named | None
    person: str | None
    contributor: str | None
    changes: tuple[ShownChange, ...]
    hidden: str | None

    @classmethod
    def of(cls, revision: RevisionView) -> "RevisionEntry":
        """Return the API representation of an entry."""
        # Deleted accounts without a name are null.
        names = {"person": revision.person or None, "contributor": revision.contributor or None}
        return cls(**(msgspec.structs.asdict(revision) | names | {"at": format_timestamp(revision.at)}))


class HistoryAnswer(msgspec.Struct, frozen=True):
    """The history of a record, newest entry first."""

    data: tuple[RevisionEntry, ...]
    count: int


@post(
    "/api/editing/history/{record_id:int}/undo",
    tags=["Editing"],
    summary="Undo a change",
    status_code=200,
    guards=EDITOR_GUARDS,
)
async def undo(request: SignedInRequest, record_id: PathID) -> Edited:
    """Undo the changes of a history entry. Returns 409 if a newer change depends on them."""
    return await get_service(request, Editing).undo(request.user.person, record_id)


@get(
    "/api/words/{record_id:int}/history",
    tags=["Words"],
    summary="Read the history of a word",
)
async def word_history(
    request: SignedInRequest, record_id: PathID, limit: LimitUpTo1000 = 50, offset: Offset = 0
) -> HistoryAnswer:
    """List the changes of a word with their authors and times, newest first."""
    return await _list_history(request, RecordRef("word", str(record_id)), limit, offset)


@get(
    "/api/ideas/{record_id:int}/history",
    tags=["Words"],
    summary="Read the history of an idea",
)
async def idea_history(
    request: SignedInRequest, record_id: PathID, limit: LimitUpTo1000 = 50, offset: Offset = 0
) -> HistoryAnswer:
    """List the changes of an idea with their authors and times, newest first."""
    return await _list_history(request, RecordRef("idea", str(record_id)), limit, offset)


async def _list_history(request: SignedInRequest, ref: RecordRef, limit: int, offset: int) -> HistoryAnswer:
    revisions = await get_service(request, Editing).list_history(ref, min(limit, MAX_LIMIT), offset)
    return HistoryAnswer(tuple(map(RevisionEntry.of, revisions)), len(revisions))


HISTORY_HANDLERS = (undo, word_history, idea_history)
