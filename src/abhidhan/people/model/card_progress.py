"""Flashcard progress that an account synchronises across devices, together with the saved lists.

If a card was answered more than once, the latest answer wins. `static/card-progress.js` has the same rule.
"""

from collections.abc import Iterable
from typing import Annotated, Final

import msgspec

from abhidhan.people.model.saved_lists import Moment
from abhidhan.records.ids import ID

MOST_CARDS: Final = 10_000
"""Maximum number of cards stored per account: those answered most recently."""


class CardProgress(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Progress with a flashcard: its Leitner box and due date, in days since 1970 (0 after a reset).

    `set` is the ID of its set, or `list` for a word of a saved list; `id` is then the ID of the word.
    """

    set: Annotated[str, msgspec.Meta(pattern="^([1-9][0-9]{0,9}|list)$")]
    id: ID
    box: Annotated[int, msgspec.Meta(ge=0, le=5)]
    due: Annotated[int, msgspec.Meta(ge=0, le=100_000)]
    at: Moment = 0


Progress = tuple[CardProgress, ...]


def merged_progress(*devices: Iterable[CardProgress]) -> Progress:
    """Merge the progress of several devices: the latest answer to each card wins. Sorted by set and card ID."""
    found: dict[tuple[str, int], CardProgress] = {}
    for each in (card for device in devices for card in device):
        before = found.get((each.set, each.id))
        if before is None or (each.at, each.due) > (before.at, before.due):
            found[each.set, each.id] = each
    latest = sorted(found.values(), key=lambda each: (-each.at, -each.due, each.set, each.id))[:MOST_CARDS]
    return tuple(sorted(latest, key=lambda each: (each.set, each.id)))
