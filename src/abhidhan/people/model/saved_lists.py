"""Saved lists that an account synchronises across devices without losing changes.

Every part of a list (name, position, removal, each word) has the time of its last change, and the later value wins.
Merging is therefore independent of the order and number of synchronisations.
`static/own-lists.js` has the same rules.
"""

from collections.abc import Iterable, Sequence
from typing import Annotated, Final

import msgspec

from abhidhan.dictionary.model.list_links import LONGEST_NAME
from abhidhan.records.errors import InputError, sentence
from abhidhan.records.ids import ID

MOST_LISTS: Final = 100
MOST_WORDS: Final = 2_000
MOST_OF_ALL: Final = 20_000
"""Maximum number of lists per user, of words per list, and of words in all lists together."""

MOST_MARKS: Final = 20_000
"""Maximum number of tombstones of removed words; the oldest are dropped."""

MOST_REMOVED: Final = 200
"""Maximum number of tombstones of removed lists; the oldest are dropped."""

DAYS_OF_MARKS: Final = 400
"""Lifetime of tombstones in days: a device that was offline for longer brings a removed word back."""

MILLISECONDS_OF_A_DAY: Final = 86_400_000
LISTS: Final = "lists"

Moment = Annotated[int, msgspec.Meta(ge=0, le=10**14)]
"""Time of a change in milliseconds since 1970, by the device's clock; always later than the previous change."""

Place = Annotated[float, msgspec.Meta(ge=-1_000_000_000, le=1_000_000_000)]
"""Sort position: a float, so that there is room between any two."""


class OwnWord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A word of a list; without a place, the tombstone of a removed word."""

    id: ID
    at: Moment
    place: Place | None = None


class OwnList(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A saved list. If the name is empty, the interface shows its own name for the list of starred words (`mine`)."""

    id: Annotated[str, msgspec.Meta(pattern="^[a-z0-9]{1,32}$")]
    name: Annotated[str, msgspec.Meta(max_length=LONGEST_NAME)] = ""
    named: Moment = 0
    place: Place = 0
    placed: Moment = 0
    is_removed: bool = False
    removed: Moment = 0
    words: Annotated[tuple[OwnWord, ...], msgspec.Meta(max_length=MOST_WORDS + MOST_MARKS)] = ()

    @property
    def shown(self) -> list[int]:
        """The IDs of the words in the list, in order."""
        there = [(word.place, word.id) for word in self.words if word.place is not None]
        return [word_id for _, word_id in sorted(there)]

    @property
    def is_shown(self) -> bool:
        """Return whether the list is visible: a removed list is, if another device has added a word to it."""
        return not self.is_removed or any(word.place is not None for word in self.words)


Lists = tuple[OwnList, ...]


def merged(*devices: Iterable[OwnList]) -> Lists:
    """Merge the lists of several devices: of each part, the latest value wins. Sorted by list ID."""
    found: dict[str, OwnList] = {}
    for each in (own for device in devices for own in device):
        before = found.get(each.id)
        found[each.id] = _together(each if before is None else before, each)
    return tuple(found[list_id] for list_id in sorted(found))


def _together(one: OwnList, other: OwnList) -> OwnList:
    named = max(one, other, key=lambda each: (each.named, each.name))
    placed = max(one, other, key=lambda each: (each.placed, each.place))
    removed = max(one, other, key=lambda each: (each.removed, each.is_removed))
    return OwnList(
        one.id, named.name, named.named, placed.place, placed.placed, removed.is_removed, removed.removed,
        _latest((*one.words, *other.words)),
    )  # fmt: skip


def _latest(words: Iterable[OwnWord]) -> tuple[OwnWord, ...]:
    """Keep the latest change of each word; at equal times, adding wins over removing."""
    found: dict[int, OwnWord] = {}
    for word in words:
        before = found.get(word.id)
        if before is None or _rank(word) > _rank(before):
            found[word.id] = word
    return tuple(found[word_id] for word_id in sorted(found))


def _rank(word: OwnWord) -> tuple[int, bool, float]:
    return word.at, word.place is not None, word.place or 0.0


def check_room(lists: Sequence[OwnList]) -> None:
    """Check the limits of lists and words, so that none is dropped silently. Raises InputError."""
    shown = [each for each in lists if each.is_shown]
    counts = [len(each.shown) for each in shown]
    if len(shown) > MOST_LISTS:
        raise InputError.of(LISTS, sentence("An account can store at most %(most)s lists.", most=MOST_LISTS))
    if max(counts, default=0) > MOST_WORDS:
        raise InputError.of(LISTS, sentence("A list can have at most %(most)s words.", most=MOST_WORDS))
    if sum(counts) > MOST_OF_ALL:
        raise InputError.of(LISTS, sentence("All lists together can have at most %(most)s words.", most=MOST_OF_ALL))


def without_old_marks(lists: Sequence[OwnList], now: int) -> Lists:
    """Drop old tombstones, and removed lists that have nothing else. `now` is in seconds since 1970."""
    since = now * 1000 - DAYS_OF_MARKS * MILLISECONDS_OF_A_DAY
    marks = sorted((word.at for each in lists for word in each.words if word.place is None), reverse=True)
    since = max(since, marks[MOST_MARKS]) if len(marks) > MOST_MARKS else since
    kept = (
        msgspec.structs.replace(
            each, words=tuple(word for word in each.words if word.place is not None or word.at > since)
        )
        for each in lists
    )
    return _without_old_lists([each for each in kept if each.words or each.is_shown or each.removed > since])


def _without_old_lists(lists: Sequence[OwnList]) -> Lists:
    """Drop all but the latest MOST_REMOVED tombstones of lists, which limits the storage of each user."""
    removed = sorted((each for each in lists if not each.is_shown), key=lambda each: (each.removed, each.id))
    forgotten = {each.id for each in removed[:-MOST_REMOVED]}
    return tuple(each for each in lists if each.id not in forgotten)
