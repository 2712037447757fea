"""Changes to words, ideas, phrases and cards, for clients that maintain a copy of the dictionary."""

from abhidhan.dictionary.store import changes
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.change_feed import ChangePage, end_of, follow, is_at, read_token, write_token
from abhidhan.records.errors import GoneError, sentence

EXTRA_RUNS: int = 2
"""Number of runs read beyond the limit: the one at the token, and one that shows whether more follow."""


def list_changes(reader: ReadConnection, since: str | None, limit: int) -> ChangePage:
    """List the changes since a token; without a token, return only the current one.

    Raises InputError for an invalid token, GoneError for one that is too old or unknown.
    """
    if since is None:
        return ChangePage((), write_token(end_of(changes.newest_run(reader))), more=False)
    position = read_token(since)
    runs = changes.runs_from(reader, position, limit + EXTRA_RUNS)
    if not runs or not is_at(runs[0], position):
        raise GoneError(
            sentence(
                "This token is too old: changes are kept for one year, or a backup has been restored since. Start "
                "again: call /api/changes without `since` for a new token, download a full copy "
                "(/api/wordsalpha.php lists all words), and follow changes from that token."
            )
        )
    return follow(runs, position, limit)
