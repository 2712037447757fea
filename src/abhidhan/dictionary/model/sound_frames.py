"""Keys near a typed one: its frame, without what Roman letters leave open, and keys one slip away.

A word in Roman letters has thousands of readings, but few frames (five, of an English word, in the mean). Where no
stored word has one of these, no stored word has one of the readings, and none of them need be made. Where one has, only
those readings are looked for that are the sound of a stored word, which is known too.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain, product
from math import prod
from typing import Final
from zlib import crc32

from assamese.keys import Readings, at_places, by_group, roman_groups
from assamese.normalization import Script, script_of

LEFT_OPEN: Final = "aou"
"""Vowels that Roman letters may stand for or not. `e` and `i` are nearly always written: left out too, four times as
many of 5,000 English words had a frame of the starter dictionary for no reason (1,186; with `i` alone 571, so 289)."""

MOST_FRAMES: Final = 256
"""A text with more frames is taken to have one that is there: it costs more to look than to read it."""

REMEMBERED: Final = 64
"""Texts whose numbers are kept at hand: a search asks for those of its own several times."""

_WHOLE: Final = crc32(b"=")
_NOT_FRAMED: Final = str.maketrans("", "", LEFT_OPEN)
_RUN: Final = re.compile(r"(?i:([a-z])\1\1*)")
_LATIN: Final = "\x00-\u024f\u0300-\u036f\u1e00-\u1eff"
_SURELY_LATIN: Final = re.compile(f"[{_LATIN}]*[A-Za-z][{_LATIN}]*")


def frame_of(sound_key: str) -> str:
    """Return the frame of a sound key: without the vowels that are left open, what stands side by side then once.

    Of plain and aspirated sounds side by side the aspirated one stays, as it does in a sound key.
    """
    return _settled(sound_key.translate(_NOT_FRAMED))


def _settled(frames: str) -> str:
    return _RUN.sub(_one_of, frames)


def _one_of(run: re.Match[str]) -> str:
    return run[1] if run[0].islower() else run[1].upper()


def numbers_of_word(text: str, sound_key: str) -> tuple[int, ...]:
    """Return the numbers of a stored word's frame and of its sound; none where no Roman letters are read as that.

    They are read as ASCII sounds, and for words that are in Roman letters themselves they are not typed.
    """
    if not sound_key.isascii() or not sound_key or _SURELY_LATIN.fullmatch(text) or script_of(text) is Script.LATIN:
        return ()
    return _number_of_frame(frame_of(sound_key)), number_of_sound(sound_key)


def numbers_of(sound_keys: Iterable[str]) -> frozenset[int]:
    """Return the numbers of the frames of some sound keys."""
    return frozenset(_number_of_frame(frame_of(sound_key)) for sound_key in sound_keys)


def _number_of_frame(frame: str) -> int:
    return crc32(frame.encode())


def number_of_sound(sound_key: str) -> int:
    """Return the number of a whole sound key, another than that of a frame that is spelled so."""
    return crc32(sound_key.encode(), _WHOLE)


@lru_cache(maxsize=REMEMBERED)
def numbers_typed(text: str) -> tuple[int, ...] | None:
    """Return the numbers of all frames that `text` in Roman letters may have; None where they are too many.

    Whatever `roman_sound_keys` lists has one of them: they are those of all readings, likely or not. So has the word
    with ঙ্গ, one sound, that somebody types `ngg` for.
    """
    groups = roman_groups(text)
    if not groups:
        return ()
    choices = at_places(groups, _CHOICES)
    if prod(map(len, choices)) > MOST_FRAMES:
        return None
    frames = _settled("\n".join(map("".join, product(*choices))))
    if "Ng" in frames:
        frames += "\n" + _settled(frames.replace("Ng", "N"))
    # As `_number_of_frame` makes them, all at once.
    return tuple(map(crc32, {*frames.encode().split(b"\n")}))


def _choices(readings: Readings, begins: bool, ends: bool) -> tuple[str, ...]:  # noqa: FBT001  # as `by_group` calls it
    """List what a group may add to a frame: each of its sounds, and it without a `b` that may be lost after `u`."""
    sounds = [sound for sound, _ in readings]
    losing = [sound for sound in sounds if "b" in sound[1 if begins else 0 : -1 if ends else None]]
    return tuple(dict.fromkeys(frame_of(sound) for sound in (*sounds, *(each.replace("b", "") for each in losing))))


_CHOICES: Final = by_group(_choices)


MAX_SLIP_KEY_BYTES: Final = 40
"""Keys of more bytes are not tried with a slip: no word is so long that people type with one."""


def keys_one_slip_away(keys: Iterable[str], letters: str) -> frozenset[str]:
    """List the keys that are one slip from one of some keys, and none of these."""
    tried = [key for key in keys if len(key.encode()) <= MAX_SLIP_KEY_BYTES]
    return frozenset(chain(*(_with_one_slip(key, letters) for key in tried))).difference(tried, ("",))


def _with_one_slip(key: str, letters: str) -> Iterator[str]:
    for place in range(len(key) + 1):
        start, end = key[:place], key[place:]
        yield start + end[1:]
        yield start + end[1:2] + end[:1] + end[2:]
        for letter in letters:
            yield start + letter + end
            yield start + letter + end[1:]
