"""/api/changes."""

from typing import Annotated

import msgspec
from litestar import get
from litestar.params import QueryParameter

from abhidhan.dictionary.api.parameters import DictionaryDep
from abhidhan.dictionary.service import changes
from abhidhan.platform.http.parameters import GONE_RESPONSE, MAX_LIMIT, MAX_TEXT_LENGTH, LimitUpTo1000
from abhidhan.records.change_feed import TOKEN_PATTERN, Became, ChangePage, Followed
from abhidhan.records.timestamps import Timestamp, format_timestamp


class ChangeAnswer(msgspec.Struct, frozen=True):
    """A record that was added, changed or deleted, and when; a new record counts as changed."""

    kind: Followed
    id: int
    change: Became
    at: Timestamp


class ChangesAnswer(msgspec.Struct, frozen=True):
    """Changes, oldest first. `next` is the `since` of the next request; `more` means that it can follow immediately."""

    data: tuple[ChangeAnswer, ...]
    count: int
    more: bool
    next: str

    @classmethod
    def of(cls, change_page: ChangePage) -> "ChangesAnswer":
        """Convert changes to the response, with formatted times."""
        data = tuple(
            ChangeAnswer(record.kind, record.id, record.became, format_timestamp(record.at))
            for record in change_page.records
        )
        return cls(data, len(data), change_page.more, change_page.next)


@get("/api/changes", tags=["Browsing"], summary="List changes", responses=GONE_RESPONSE)
async def list_changes(
    dictionary: DictionaryDep,
    since: Annotated[
        str | None,
        QueryParameter(
            max_length=MAX_TEXT_LENGTH,
            description=(
                "The `next` of an earlier response. If omitted, nothing is listed, and `next` is the current token."
            ),
            schema_extra={"pattern": TOKEN_PATTERN},
        ),
    ] = None,
    limit: LimitUpTo1000 = 100,
) -> ChangesAnswer:
    """List the words, ideas, phrases and cards that were changed or deleted since a token, oldest change first.

    To maintain a copy of the dictionary, get a token, then a full copy, then follow the changes. Changes are kept for a
    year; an older or unknown token gets 410. An idea counts as changed if anything in its response has changed. A word
    counts as changed if it was edited itself or has gained or lost a meaning; changes to its ideas are reported for the
    ideas.
    """
    size = min(limit, MAX_LIMIT)
    return ChangesAnswer.of(await dictionary.read_list(size, changes.list_changes, since, size))
