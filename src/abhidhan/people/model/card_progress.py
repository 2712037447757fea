"""Flashcard progress that an account synchronises across devices, together with the saved lists.

If a card was answered more than once, the latest answer wins. `static/card-progress.js` has the same rule.
"""

from collections.abc import Iterable
from typing import Annotated, Final

import msgspec

from abhidhan.people.model.saved_lists import ChangeTime
from abhidhan.records.ids import ID

MAX_CARDS: Final = 10_000
"""Maximum number of cards whose progress an account stores; the most recently answered cards remain."""


class CardProgress(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Progress with a flashcard: its Leitner box and due date, in days since 1970 (0 after a reset).

    `set` is the ID of its set, or `list` for a word of a saved list; `id` is then the ID of the word.
    """

    set: Annotated[str, msgspec.Meta(pattern="^([1-9][0-9]{0,9}|list)$")]
    id: ID
    box: Annotated[int, msgspec.Meta(ge=0, le=5)]
    due: Annotated[int, msgspec.Meta(ge=0, le=100_000)]
    at: ChangeTime = 0


ProgressEntries = tuple[CardProgress, ...]


def merge_progress(*devices: Iterable[CardProgress]) -> ProgressEntries:
    """Merge the progress of several devices, sorted by set and card ID; the latest answer to each card wins."""
    by_card: dict[tuple[str, int], CardProgress] = {}
    for answer in (card for device in devices for card in device):
        before = by_card.get((answer.set, answer.id))
        if before is None or (answer.at, answer.due) > (before.at, before.due):
            by_card[answer.set, answer.id] = answer
    latest = sorted(by_card.values(), key=lambda answer: (-answer.at, -answer.due, answer.set, answer.id))[:MAX_CARDS]
    return tuple(sorted(latest, key=lambda answer: (answer.set, answer.id)))
