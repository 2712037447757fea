"""Recordings made for tests: a synthetic voice that says something like a word, in each format."""

import io
from typing import Final

import numpy as np
import soundfile
from numpy.typing import NDArray

Samples = NDArray[np.float64]
SUBTYPES: Final = {"WAV": "PCM_16", "FLAC": "PCM_16", "OGG": "VORBIS", "MP3": "MPEG_LAYER_III"}
EXTENSIONS: Final = {"WAV": "wav", "FLAC": "flac", "OGG": "ogg", "MP3": "mp3"}


def voice(  # noqa: PLR0913  # each is one property of a recording
    *,
    rate: int = 16_000,
    seconds: float = 0.6,
    pitch: float = 120.0,
    vowels: float = 5.0,
    level: float = 0.2,
    silence: float = 0.5,
    noise: float = 0.0003,
    seed: int = 1,
) -> Samples:
    """Make a sound whose harmonics swell and move as those of a voice do, with silence and noise around it.

    `vowels` says how they move: another number is another word.
    """
    time = np.arange(round(rate * seconds)) / rate
    harmonics = (
        np.sin(2 * np.pi * pitch * k * time + k)
        * np.exp(-(((pitch * k - 700 - 400 * np.sin(vowels * time)) / 500) ** 2))
        for k in range(1, 25)
    )
    spoken = np.sum(list(harmonics), axis=0) * np.sin(np.pi * time / seconds) ** 0.5
    spoken *= level / np.abs(spoken).max()
    quiet = np.zeros(round(rate * silence))
    whole = np.concatenate([quiet, spoken, quiet])
    return whole + np.random.default_rng(seed).normal(0, noise, len(whole))


def recording_bytes(
    kind: str = "WAV", samples: Samples | None = None, *, rate: int = 16_000, subtype: str | None = None
) -> bytes:
    """Write a recording as a file of a kind; that of a voice if none is given."""
    made = io.BytesIO()
    sound: NDArray[np.generic] = voice(rate=rate) if samples is None else samples
    if subtype is None:
        # The formats round numbers in different ways; these are samples of 16 bits in each.
        sound = (np.clip(sound, -1, 1) * 32_767).round().astype(np.int16)
    soundfile.write(made, sound, rate, format=kind, subtype=subtype or SUBTYPES[kind])
    return made.getvalue()
