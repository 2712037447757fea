"""The order in which a file gives the words of ideas and the meanings of words."""

from collections import defaultdict
from collections.abc import KeysView

Places = dict[int, int]
"""Words or ideas, by their IDs, with their places."""


class GivenOrder:
    """The order of a whole file, as loading it into an empty dictionary would make it."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._words: defaultdict[tuple[int, int], Places] = defaultdict(dict)
        self._meanings: defaultdict[int, Places] = defaultdict(dict)

    def note(self, word_id: int, idea_id: int, language_id: int, *, rank: int | None, position: int | None) -> None:
        """Note that the file links a word of a language to an idea; without a place, it stands last."""
        _place(self._words[idea_id, language_id], word_id, rank)
        _place(self._meanings[word_id], idea_id, position)

    @property
    def word_ids(self) -> KeysView[int]:
        """The words of the file."""
        return self._meanings.keys()

    def words(self) -> list[tuple[tuple[int, int], list[int]]]:
        """List the ideas and languages with their words in order."""
        return [(name, _in_order(placed)) for name, placed in self._words.items()]

    def meanings(self) -> list[tuple[int, list[int]]]:
        """List the words with the ideas that they mean, in order."""
        return [(word_id, _in_order(placed)) for word_id, placed in self._meanings.items()]


def _place(placed: Places, record_id: int, place: int | None) -> None:
    if record_id not in placed:
        placed[record_id] = place or max(placed.values(), default=0) + 1


def _in_order(placed: Places) -> list[int]:
    return sorted(placed, key=placed.__getitem__)
