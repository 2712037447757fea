"""Frames and sounds of words in Indic letters, which rule out most Roman texts without generating their readings."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Final, Self

from abhidhan.dictionary.model.query import MAX_ROMAN_READINGS
from abhidhan.dictionary.model.sound_frames import hash_frame_and_sound, hash_roman_frames, hash_sound
from abhidhan.dictionary.store.acceleration import stored_pages
from abhidhan.dictionary.store.acceleration.number_pages import NumberPages
from abhidhan.dictionary.store.acceleration.stored_pages import Numbers, has_number
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.schema import sound_frame
from assamese.keys import roman_sound_keys
from assamese.normalization import Script, detect_script

PAGE_FORMAT: Final = stored_pages.sorted_page_format(version=2)


class SoundFrames:
    """Numbers of the frames and sounds of stored words, in sorted pages."""

    __slots__ = ("pages",)

    def __init__(self, pages: Sequence[Numbers]) -> None:
        """Initialise with all pages."""
        self.pages = pages

    @classmethod
    def from_pages(cls, before: Self | None, changed: Mapping[int, Numbers]) -> Self:
        """Replace the changed pages in the previous ones, or in empty ones."""
        return cls(stored_pages.replace_pages(before.pages if before is not None else None, changed))

    def may_match(self, text: str) -> bool:
        """Return whether Roman letters may be read as the sound of a stored word; False is certain."""
        numbers = hash_roman_frames(text)
        return numbers is None or any(has_number(self.pages, number) for number in numbers)

    def filter_readable(self, texts: Iterable[str]) -> Iterator[str]:
        """Yield the texts for which `may_match` is true; for very many texts, this takes three quarters of the time."""
        all_numbers = frozenset(chain.from_iterable(self.pages))
        for text in texts:
            numbers = hash_roman_frames(text)
            if numbers is None or not all_numbers.isdisjoint(numbers):
                yield text

    def filter_existing_keys(self, sound_keys: Iterable[str]) -> list[str]:
        """Return the sound keys that stored words in Indic letters have, in their order."""
        numbers = ((key, hash_sound(key)) for key in sound_keys)
        return [key for key, number in numbers if has_number(self.pages, number)]


SOUND_FRAMES: Final = NumberPages(sound_frame, PAGE_FORMAT, hash_frame_and_sound, SoundFrames.from_pages)


def may_be_sound_of_word(connection: ReadConnection, text: str) -> bool:
    """Return whether Roman letters may be the sound of a stored word; True for other scripts, or if unknown."""
    frames = SOUND_FRAMES.current(connection) if detect_script(text) is Script.LATIN else None
    return frames is None or frames.may_match(text)


def find_known_sounds(connection: ReadConnection, text: str) -> list[str] | None:
    """List the sounds of stored words as which Roman letters may be read, likeliest first; None if unknown."""
    frames = SOUND_FRAMES.current(connection)
    return None if frames is None else find_sounds(frames, text)


def find_sounds(frames: SoundFrames, text: str) -> list[str]:
    """List the sounds of stored words as which Roman letters may be read, likeliest first."""
    # One in six English words has a stored frame, and one in ten a stored reading.
    return _find_existing_readings(frames, text) if frames.may_match(text) else []


def find_sounds_by_word(frames: SoundFrames, plain: Iterable[str]) -> dict[str, list[str]]:
    """Return the sounds of stored words as which plain words may be read, by word; words without any are left out."""
    return {key: sounds for key in frames.filter_readable(plain) if (sounds := _find_existing_readings(frames, key))}


def _find_existing_readings(frames: SoundFrames, text: str) -> list[str]:
    return frames.filter_existing_keys(roman_sound_keys(text, MAX_ROMAN_READINGS))
