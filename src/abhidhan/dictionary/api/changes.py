"""/api/changes."""

from typing import Annotated

import msgspec
from litestar import get
from litestar.params import QueryParameter

from abhidhan.dictionary.api.parameters import GivenDictionary
from abhidhan.dictionary.service import changes
from abhidhan.platform.http.parameters import GONE, GREATEST_LIMIT, LONGEST_TEXT, LimitUpTo1000
from abhidhan.records.change_feed import PATTERN, Became, Followed, FollowedChanges
from abhidhan.records.timestamps import Timestamp, timestamp


class ChangeAnswer(msgspec.Struct, frozen=True):
    """A record that has changed or was deleted, and when; a new record has changed, too."""

    kind: Followed
    id: int
    change: Became
    at: Timestamp


class ChangesAnswer(msgspec.Struct, frozen=True):
    """What has changed, the oldest first. `next` is the `since` that continues; `more`: whether to ask at once."""

    data: tuple[ChangeAnswer, ...]
    count: int
    more: bool
    next: str

    @classmethod
    def of(cls, found: FollowedChanges) -> "ChangesAnswer":
        """Write the times as callers read them."""
        data = tuple(ChangeAnswer(one.kind, one.id, one.became, timestamp(one.at)) for one in found.records)
        return cls(data, len(data), found.more, found.next)


@get("/api/changes", tags=["Browsing"], summary="Follow what changes", responses=GONE)
async def list_changes(
    dictionary: GivenDictionary,
    since: Annotated[
        str | None,
        QueryParameter(
            max_length=LONGEST_TEXT,
            description="The `next` of an earlier answer. Left out: nothing is listed, and `next` is the token of now.",
            schema_extra={"pattern": PATTERN},
        ),
    ] = None,
    limit: LimitUpTo1000 = 100,
) -> ChangesAnswer:
    """List the words, ideas, phrases and cards that were changed or deleted since a token, the oldest change first.

    For copies of the dictionary: take a token, then a full copy, then follow. Changes are kept for a year; 410 for a
    token from which following cannot go on. An idea has changed when anything that its answer shows has; a word
    when it has itself, or has gained or lost a meaning: what it shows of its ideas changes with them.
    """
    most = min(limit, GREATEST_LIMIT)
    return ChangesAnswer.of(await dictionary.read_list(most, changes.list_changes, since, most))
