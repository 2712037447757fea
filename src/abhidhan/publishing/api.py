"""/api/packs: the changes of a pack since a token, in the format of packs."""

from typing import Annotated

from litestar import get
from litestar.params import PathParameter, QueryParameter

from abhidhan.dictionary.api.parameters import DictionaryDep
from abhidhan.platform.http.parameters import GONE_RESPONSE, MAX_LIMIT, MAX_TEXT_LENGTH, LimitUpTo1000
from abhidhan.publishing.service.pack_records import PackChanges, load_pack_changes
from abhidhan.records.change_feed import TOKEN_PATTERN


@get("/api/packs/{pair:str}/changes", tags=["Browsing"], summary="Update a pack", responses=GONE_RESPONSE)
async def list_pack_changes(
    dictionary: DictionaryDep,
    pair: Annotated[str, PathParameter(max_length=MAX_TEXT_LENGTH, description="The language pair, such as as-en.")],
    since: Annotated[
        str,
        QueryParameter(
            max_length=MAX_TEXT_LENGTH,
            description="`changes` of the pack's manifest, or the `next` of an earlier response.",
            schema_extra={"pattern": TOKEN_PATTERN},
        ),
    ],
    limit: LimitUpTo1000 = 100,
) -> PackChanges:
    """List the changes of a pack since a token: new entries, and the IDs of removed ones.

    Reads up to `limit` changes of `/api/changes` at a time; many of them do not affect the pack. Returns 410 if the
    token
    is too old to continue from: download the pack again (docs/offline.md).
    """
    return await dictionary.read_in_thread(load_pack_changes, pair, since, min(limit, MAX_LIMIT))
