"""Saved lists that an account synchronises across devices without losing changes.

Every part of a list (name, position, removal, each word) has the time of its last change, and the later value wins.
Merging is therefore independent of the order and number of synchronisations.
`static/saved-lists.js` has the same rules.
"""

from collections.abc import Iterable, Sequence
from typing import Annotated, Final

import msgspec

from abhidhan.dictionary.model.list_links import MAX_NAME_LENGTH
from abhidhan.records.errors import InputError, sentence
from abhidhan.records.ids import ID

MAX_LISTS: Final = 100
MAX_WORDS_PER_LIST: Final = 2_000
MAX_WORDS: Final = 20_000
"""Maximum number of lists per user, of words per list, and of words in all lists together."""

MAX_TOMBSTONES: Final = 20_000
"""Maximum number of tombstones of removed words; the oldest are dropped."""

MAX_REMOVED_LISTS: Final = 200
"""Maximum number of tombstones of removed lists; the oldest are dropped."""

TOMBSTONE_DAYS: Final = 400
"""Lifetime of tombstones in days: a device that was offline for longer brings a removed word back."""

MILLISECONDS_PER_DAY: Final = 86_400_000
LISTS_PARAMETER: Final = "lists"

ChangeTime = Annotated[int, msgspec.Meta(ge=0, le=10**14)]
"""Time of a change in milliseconds since 1970 by the device's clock, later than that of any earlier change."""

SortPosition = Annotated[float, msgspec.Meta(ge=-1_000_000_000, le=1_000_000_000)]
"""Sort position: a float, so that an item can be inserted between any two others."""


class OwnWord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A word of a list. Without a `place`, it is the tombstone of a removed word."""

    id: ID
    at: ChangeTime
    place: SortPosition | None = None


class OwnList(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A saved list. If the name is empty, the interface shows its own name for the list of starred words (`mine`)."""

    id: Annotated[str, msgspec.Meta(pattern="^[a-z0-9]{1,32}$")]
    name: Annotated[str, msgspec.Meta(max_length=MAX_NAME_LENGTH)] = ""
    named: ChangeTime = 0
    place: SortPosition = 0
    placed: ChangeTime = 0
    is_removed: bool = False
    removed: ChangeTime = 0
    words: Annotated[tuple[OwnWord, ...], msgspec.Meta(max_length=MAX_WORDS_PER_LIST + MAX_TOMBSTONES)] = ()

    @property
    def word_ids(self) -> list[int]:
        """The IDs of the words in the list, in order."""
        positions = [(word.place, word.id) for word in self.words if word.place is not None]
        return [word_id for _, word_id in sorted(positions)]

    @property
    def is_visible(self) -> bool:
        """Return whether the list is visible: a removed list is, if another device has added a word to it."""
        return not self.is_removed or any(word.place is not None for word in self.words)


Lists = tuple[OwnList, ...]


def merge_lists(*devices: Iterable[OwnList]) -> Lists:
    """Merge the lists of several devices; the latest value of each part wins. The result is sorted by list ID."""
    by_id: dict[str, OwnList] = {}
    for saved_list in (entry for device in devices for entry in device):
        before = by_id.get(saved_list.id)
        by_id[saved_list.id] = _merge_list(saved_list if before is None else before, saved_list)
    return tuple(by_id[list_id] for list_id in sorted(by_id))


def _merge_list(first: OwnList, second: OwnList) -> OwnList:
    named = max(first, second, key=lambda version: (version.named, version.name))
    placed = max(first, second, key=lambda version: (version.placed, version.place))
    removed = max(first, second, key=lambda version: (version.removed, version.is_removed))
    return OwnList(
        first.id, named.name, named.named, placed.place, placed.placed, removed.is_removed, removed.removed,
        _merge_words((*first.words, *second.words)),
    )  # fmt: skip


def _merge_words(words: Iterable[OwnWord]) -> tuple[OwnWord, ...]:
    """Return the latest change of each word; at equal times, adding wins over removing."""
    latest: dict[int, OwnWord] = {}
    for word in words:
        before = latest.get(word.id)
        if before is None or _change_order(word) > _change_order(before):
            latest[word.id] = word
    return tuple(latest[word_id] for word_id in sorted(latest))


def _change_order(word: OwnWord) -> tuple[int, bool, float]:
    return word.at, word.place is not None, word.place or 0.0


def check_limits(lists: Sequence[OwnList]) -> None:
    """Raise InputError if there are too many lists or words; none are dropped silently."""
    visible = [saved_list for saved_list in lists if saved_list.is_visible]
    counts = [len(saved_list.word_ids) for saved_list in visible]
    if len(visible) > MAX_LISTS:
        raise InputError.of(LISTS_PARAMETER, sentence("An account can store at most %(most)s lists.", most=MAX_LISTS))
    if max(counts, default=0) > MAX_WORDS_PER_LIST:
        raise InputError.of(
            LISTS_PARAMETER, sentence("A list can have at most %(most)s words.", most=MAX_WORDS_PER_LIST)
        )
    if sum(counts) > MAX_WORDS:
        raise InputError.of(
            LISTS_PARAMETER, sentence("All lists together can have at most %(most)s words.", most=MAX_WORDS)
        )


def drop_old_tombstones(lists: Sequence[OwnList], now: int) -> Lists:
    """Drop old tombstones, and removed lists without any other content. `now` is in seconds since 1970."""
    since = now * 1000 - TOMBSTONE_DAYS * MILLISECONDS_PER_DAY
    tombstones = sorted(
        (word.at for saved_list in lists for word in saved_list.words if word.place is None), reverse=True
    )
    since = max(since, tombstones[MAX_TOMBSTONES]) if len(tombstones) > MAX_TOMBSTONES else since
    remaining = (
        msgspec.structs.replace(
            saved_list, words=tuple(word for word in saved_list.words if word.place is not None or word.at > since)
        )
        for saved_list in lists
    )
    return _drop_old_lists(
        [
            saved_list
            for saved_list in remaining
            if saved_list.words or saved_list.is_visible or saved_list.removed > since
        ]
    )


def _drop_old_lists(lists: Sequence[OwnList]) -> Lists:
    """Drop all but the latest `MAX_REMOVED_LISTS` tombstones of lists, which limits the storage of each user."""
    removed = sorted(
        (saved_list for saved_list in lists if not saved_list.is_visible),
        key=lambda saved_list: (saved_list.removed, saved_list.id),
    )
    dropped = {saved_list.id for saved_list in removed[:-MAX_REMOVED_LISTS]}
    return tuple(saved_list for saved_list in lists if saved_list.id not in dropped)
