"""What the records of a file have said so far, so that what a later one says otherwise is not lost."""

from typing import Final

import msgspec

from abhidhan.formats.importer_api import joined, key_of
from abhidhan.records.kinds import IdeaRecord, WordRecord
from abhidhan.records.kinds.fields import MOST_TEXT_LETTERS

ONCE_A_WORD: Final = ("roman", "ipa", "asm", "origin")
"""What a word has once here, in however many entries it stands in a file."""


class SeenRecords:
    """Remembers hashes of keys and of details of words, which take little memory."""

    def __init__(self) -> None:
        """Begin with none."""
        self._ideas: dict[int, int] = {}
        self._details: dict[int, int] = {}

    def settled(self, idea: IdeaRecord) -> IdeaRecord:
        """Return an idea under a key of its own, with the details that its words already have otherwise as remarks."""
        noted = msgspec.structs.replace(idea, words=tuple(map(self.noted, idea.words)))
        key, number = noted.key, 1
        while self._ideas.setdefault(hash(key), hash(noted)) != hash(noted):
            number += 1
            key = key_of(noted.key, number)
        return msgspec.structs.replace(noted, key=key)

    def noted(self, word: WordRecord) -> WordRecord:
        """Return a word, with those of its details as remarks that it has otherwise already."""
        remarks = []
        for name in ONCE_A_WORD:
            value = getattr(word, name)
            place = hash((word.language, word.text, name))
            if value is not None and self._details.setdefault(place, hash(value)) != hash(value):
                remarks.append(f"{name}: {value}")
        note = joined(word.note, *remarks)
        return msgspec.structs.replace(word, note=note) if note and len(note) <= MOST_TEXT_LETTERS else word
