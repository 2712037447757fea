"""Frames and sounds of words in Indic letters, which rule out most Roman texts without generating their readings."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Final, Self

from abhidhan.dictionary.model.query import MAX_ROMAN_READINGS
from abhidhan.dictionary.model.sound_frames import number_of_sound, numbers_of_word, numbers_typed
from abhidhan.dictionary.store.acceleration import pages
from abhidhan.dictionary.store.acceleration.number_pages import NumberPages
from abhidhan.dictionary.store.acceleration.pages import Numbers, has_number
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.schema import sound_frame
from assamese.keys import roman_sound_keys
from assamese.normalization import Script, script_of

PAGING: Final = pages.sorted_paging(form=2)


class Frames:
    """Numbers of the frames and sounds of stored words, in sorted pages."""

    __slots__ = ("pages",)

    def __init__(self, pages: Sequence[Numbers]) -> None:
        """Initialise with all pages."""
        self.pages = pages

    @classmethod
    def of_pages(cls, before: Self | None, changed: Mapping[int, Numbers]) -> Self:
        """Replace the changed pages in the previous ones, or in empty ones."""
        return cls(pages.replace_pages(before.pages if before is not None else None, changed))

    def may_lead_to_words(self, text: str) -> bool:
        """Return whether Roman letters may be read as the sound of a stored word; False is certain."""
        numbers = numbers_typed(text)
        return numbers is None or any(has_number(self.pages, number) for number in numbers)

    def filter_readable(self, texts: Iterable[str]) -> Iterator[str]:
        """Yield the texts for which `may_match` is true; for very many texts, this takes three quarters of the time."""
        all_numbers = frozenset(chain.from_iterable(self.pages))
        for text in texts:
            numbers = numbers_typed(text)
            if numbers is None or not all_numbers.isdisjoint(numbers):
                yield text

    def existing_keys(self, sound_keys: Iterable[str]) -> list[str]:
        """Return the sound keys that stored words in Indic letters have, in their order."""
        numbers = ((key, number_of_sound(key)) for key in sound_keys)
        return [key for key, number in numbers if has_number(self.pages, number)]


SOUND_FRAMES: Final = NumberPages(sound_frame, PAGING, numbers_of_word, Frames.of_pages)


def may_be_read(reader: ReadConnection, text: str) -> bool:
    """Return whether Roman letters may be the sound of a stored word; True for other scripts, or if unknown."""
    frames = SOUND_FRAMES.current(reader) if script_of(text) is Script.LATIN else None
    return frames is None or frames.may_lead_to_words(text)


def known_sounds(reader: ReadConnection, text: str) -> list[str] | None:
    """List the sounds of stored words as which Roman letters may be read, likeliest first; None if unknown."""
    frames = SOUND_FRAMES.current(reader)
    return None if frames is None else sounds_of(frames, text)


def sounds_of(frames: Frames, text: str) -> list[str]:
    """List the sounds of stored words as which Roman letters may be read, likeliest first."""
    # One in six English words has a stored frame, and one in ten a stored reading.
    return _existing_readings(frames, text) if frames.may_lead_to_words(text) else []


def sounds_of_plain(frames: Frames, plain: Iterable[str]) -> dict[str, list[str]]:
    """Return the sounds of stored words as which plain words may be read, by word; words without any are left out."""
    return {key: sounds for key in frames.filter_readable(plain) if (sounds := _existing_readings(frames, key))}


def _existing_readings(frames: Frames, text: str) -> list[str]:
    return frames.existing_keys(roman_sound_keys(text, MAX_ROMAN_READINGS))
