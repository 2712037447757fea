"""One's own lists as an account keeps them across devices: put together so that nothing that was kept is lost.

Every part of a list (its name, its place, whether it was removed, each word) carries the moment of its last change,
and of two values the later one counts. So it does not matter in which order, or how often, devices are put together.
`static/own-lists.js` does the same in the browser.
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
"""So many lists, words in one, and words in all of them together, a person has at most."""

MOST_MARKS: Final = 20_000
"""So many marks of words that were taken out are kept, the latest ones."""

MOST_REMOVED: Final = 200
"""Of so many lists that were removed it is remembered, the latest ones."""

DAYS_OF_MARKS: Final = 400
"""So long it is remembered that a word was taken out: a device that was away longer brings it back."""

MILLISECONDS_OF_A_DAY: Final = 86_400_000
LISTS: Final = "lists"

Moment = Annotated[int, msgspec.Meta(ge=0, le=10**14)]
"""When something was changed, in milliseconds since 1970, by the device's clock; later than the change before it."""

Place = Annotated[float, msgspec.Meta(ge=-1_000_000_000, le=1_000_000_000)]
"""Where something stands among others, which may be between any two."""


class OwnWord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A word that is in a list, or (without a place) was taken out of it."""

    id: ID
    at: Moment
    place: Place | None = None


class OwnList(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A list. Without a name it has the one that the interface gives to the list of the stars (`mine`)."""

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
        """The words that are in the list, in its order."""
        there = [(word.place, word.id) for word in self.words if word.place is not None]
        return [word_id for _, word_id in sorted(there)]

    @property
    def is_shown(self) -> bool:
        """Say whether it is seen: a list that was removed is back where a word came to it from another device."""
        return not self.is_removed or any(word.place is not None for word in self.words)


Lists = tuple[OwnList, ...]


def merged(*devices: Iterable[OwnList]) -> Lists:
    """Put together what devices hold: of each part the value that was given last. The lists stand by their IDs."""
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
    """Choose of each word what was done last; of two things at the same moment that it is there."""
    found: dict[int, OwnWord] = {}
    for word in words:
        before = found.get(word.id)
        if before is None or _rank(word) > _rank(before):
            found[word.id] = word
    return tuple(found[word_id] for word_id in sorted(found))


def _rank(word: OwnWord) -> tuple[int, bool, float]:
    return word.at, word.place is not None, word.place or 0.0


def check_room(lists: Sequence[OwnList]) -> None:
    """Make sure that there are not too many lists and words: what is not kept must be told. Raises InputError."""
    shown = [each for each in lists if each.is_shown]
    counts = [len(each.shown) for each in shown]
    if len(shown) > MOST_LISTS:
        raise InputError.of(LISTS, sentence("An account keeps at most %(most)s lists.", most=MOST_LISTS))
    if max(counts, default=0) > MOST_WORDS:
        raise InputError.of(LISTS, sentence("A list has at most %(most)s words.", most=MOST_WORDS))
    if sum(counts) > MOST_OF_ALL:
        raise InputError.of(LISTS, sentence("All lists together have at most %(most)s words.", most=MOST_OF_ALL))


def without_old_marks(lists: Sequence[OwnList], now: int) -> Lists:
    """Forget what was taken out long ago, and lists of which nothing else is left. `now` is in seconds since 1970."""
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
    """Forget the lists that were removed before MOST_REMOVED others: whoever sends ever new ones has no more kept."""
    removed = sorted((each for each in lists if not each.is_shown), key=lambda each: (each.removed, each.id))
    forgotten = {each.id for each in removed[:-MOST_REMOVED]}
    return tuple(each for each in lists if each.id not in forgotten)
