"""Frames of sound keys, without the sounds that Roman letters leave open, and keys with one typing error.

A word in Roman letters has thousands of readings, but few frames (five on average for an English word). If no stored
word has one of these frames, none has one of the readings, so they need not be generated. Otherwise, only the readings
that are sounds of stored words are looked up; the hashes of these sounds are stored too.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain, product
from math import prod
from typing import Final
from zlib import crc32

from assamese.keys import Readings, build_group_table, look_up_positions, split_roman_groups
from assamese.normalization import Script, detect_script

OPTIONAL_VOWELS: Final = "aou"
"""Vowels that Roman letters may or may not represent. `e` and `i` are nearly always written.

If they were left out too, four times as many of 5,000 English words would match a frame of the starter dictionary by
chance (1,186; with `i` alone 571, compared with 289).
"""

MAX_FRAMES: Final = 256
"""Maximum number of frames; a text with more counts as matching, since its readings take less time than its frames."""

HASH_CACHE_SIZE: Final = 64
"""Size of the cache of hashes, which a search needs several times for its text."""

_SOUND_SEED: Final = crc32(b"=")
_DROP_VOWELS: Final = str.maketrans("", "", OPTIONAL_VOWELS)
_REPEATED_SOUND: Final = re.compile(r"(?i:([a-z])\1\1*)")
_LATIN: Final = "\x00-\u024f\u0300-\u036f\u1e00-\u1eff"
_SURELY_LATIN: Final = re.compile(f"[{_LATIN}]*[A-Za-z][{_LATIN}]*")


def make_frame(sound_key: str) -> str:
    """Return the frame of a sound key, without the optional vowels and repeated sounds.

    Of adjacent plain and aspirated sounds the aspirated one is kept, as in sound keys.
    """
    return _merge_runs(sound_key.translate(_DROP_VOWELS))


def _merge_runs(frames: str) -> str:
    return _REPEATED_SOUND.sub(_merge_run, frames)


def _merge_run(run: re.Match[str]) -> str:
    return run[1] if run[0].islower() else run[1].upper()


def hash_frame_and_sound(text: str, sound_key: str) -> tuple[int, ...]:
    """Return the hashes of the frame and the sound of a stored word; empty if no Roman letters are read as it.

    Readings of Roman letters are the ASCII sounds of words in other scripts.
    """
    if not sound_key.isascii() or not sound_key or _SURELY_LATIN.fullmatch(text) or detect_script(text) is Script.LATIN:
        return ()
    return _hash_frame(make_frame(sound_key)), hash_sound(sound_key)


def hash_frames(sound_keys: Iterable[str]) -> frozenset[int]:
    """Return the hashes of the frames of sound keys."""
    return frozenset(_hash_frame(make_frame(sound_key)) for sound_key in sound_keys)


def _hash_frame(frame: str) -> int:
    return crc32(frame.encode())


def hash_sound(sound_key: str) -> int:
    """Return the hash of a whole sound key, which differs from the hash of an equal frame."""
    return crc32(sound_key.encode(), _SOUND_SEED)


@lru_cache(maxsize=HASH_CACHE_SIZE)
def hash_roman_frames(text: str) -> tuple[int, ...] | None:
    """Return the hashes of all frames of a text in Roman letters; None if there are more than `MAX_FRAMES`.

    These are the frames of all readings, likely or not, so every key that `roman_sound_keys` lists has one of them; so
    does a word with ঙ্গ, a single sound, for which `ngg` is typed.
    """
    groups = split_roman_groups(text)
    if not groups:
        return ()
    choices = look_up_positions(groups, _FRAME_PARTS)
    if prod(map(len, choices)) > MAX_FRAMES:
        return None
    frames = _merge_runs("\n".join(map("".join, product(*choices))))
    if "Ng" in frames:
        frames += "\n" + _merge_runs(frames.replace("Ng", "N"))
    # Like `_hash_frame`, in one pass.
    return tuple(map(crc32, {*frames.encode().split(b"\n")}))


def _list_frame_parts(readings: Readings, begins: bool, ends: bool) -> tuple[str, ...]:  # noqa: FBT001  # called by `build_group_table`
    """List the possible frame parts of a group: each of its sounds, also without a `b` that can be lost after `u`."""
    sounds = [sound for sound, _ in readings]
    sounds_with_b = [sound for sound in sounds if "b" in sound[1 if begins else 0 : -1 if ends else None]]
    return tuple(
        dict.fromkeys(
            make_frame(sound)
            for sound in (*sounds, *(sound_without_b.replace("b", "") for sound_without_b in sounds_with_b))
        )
    )


_FRAME_PARTS: Final = build_group_table(_list_frame_parts)


MAX_SLIP_KEY_BYTES: Final = 40
"""Maximum size, in bytes, of a key for which keys with a typing error are made; words are not longer."""


def make_slip_keys(keys: Iterable[str], letters: str) -> frozenset[str]:
    """Return the keys that differ from one of `keys` by one typing error, without `keys` themselves."""
    short_keys = [key for key in keys if len(key.encode()) <= MAX_SLIP_KEY_BYTES]
    return frozenset(chain(*(_iter_single_edits(key, letters) for key in short_keys))).difference(short_keys, ("",))


def _iter_single_edits(key: str, letters: str) -> Iterator[str]:
    for position in range(len(key) + 1):
        start, end = key[:position], key[position:]
        yield start + end[1:]
        yield start + end[1:2] + end[:1] + end[2:]
        for letter in letters:
            yield start + letter + end
            yield start + letter + end[1:]
