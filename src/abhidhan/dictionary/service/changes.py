"""Changes to words, ideas, phrases and cards, for clients that maintain a copy of the dictionary."""

from abhidhan.dictionary.store import changes
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.change_feed import (
    ChangePage,
    build_page,
    contains_position,
    decode_token,
    encode_token,
    position_after,
)
from abhidhan.records.errors import GoneError, sentence

EXTRA_RUNS: int = 2
"""Number of runs read beyond the limit: the one at the token, and one that shows whether more follow."""


def list_changes(connection: ReadConnection, since: str | None, limit: int) -> ChangePage:
    """List the changes since a token; without a token, return only the current one.

    Raises InputError for an invalid token, GoneError for one that is too old or unknown.
    """
    if since is None:
        return ChangePage((), encode_token(position_after(changes.load_newest_run(connection))), more=False)
    position = decode_token(since)
    runs = changes.load_runs_from(connection, position, limit + EXTRA_RUNS)
    if not runs or not contains_position(runs[0], position):
        raise GoneError(
            sentence(
                "This token is too old: changes are kept for one year, or a backup has been restored since. Start "
                "again: call /api/changes without `since` for a new token, download a full copy "
                "(/api/wordsalpha.php lists all words), and follow changes from that token."
            )
        )
    return build_page(runs, position, limit)
