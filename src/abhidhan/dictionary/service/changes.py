"""What has changed of words, ideas, phrases and cards, for whoever keeps a copy of the dictionary."""

from abhidhan.dictionary.store import changes
from abhidhan.platform.database.reader import Reader
from abhidhan.records.change_feed import FollowedChanges, end_of, follow, is_at, read_token, write_token
from abhidhan.records.errors import GoneError, sentence

BESIDES: int = 2
"""How many more runs are read than records told: the one told last, and one that says whether there is more."""


def list_changes(reader: Reader, since: str | None, limit: int) -> FollowedChanges:
    """List what has changed since a token; without one, nothing but the token of now.

    Raises InputError for what is no token, GoneError for one from which following cannot go on.
    """
    if since is None:
        return FollowedChanges((), write_token(end_of(changes.newest_run(reader))), more=False)
    position = read_token(since)
    runs = changes.runs_from(reader, position, limit + BESIDES)
    if not runs or not is_at(runs[0], position):
        raise GoneError(
            sentence(
                "Changes since this token are not known any more: they are kept for a year, and a backup may have been "
                "restored. Begin anew: ask /api/changes without `since` for a token, take a full copy "
                "(/api/wordsalpha.php lists all words), and follow from that token."
            )
        )
    return follow(runs, position, limit)
