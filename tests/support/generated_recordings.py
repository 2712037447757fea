"""Generated recordings for tests: a synthetic voice that resembles a spoken word, in each format."""

import io
from typing import Final

import numpy as np
import soundfile
from numpy.typing import NDArray

AudioSamples = NDArray[np.float64]
SUBTYPES: Final = {"WAV": "PCM_16", "FLAC": "PCM_16", "OGG": "VORBIS", "MP3": "MPEG_LAYER_III"}
EXTENSIONS: Final = {"WAV": "wav", "FLAC": "flac", "OGG": "ogg", "MP3": "mp3"}


def make_voice(  # noqa: PLR0913  # each is one property of a recording
    *,
    rate: int = 16_000,
    seconds: float = 0.6,
    pitch: float = 120.0,
    vowels: float = 5.0,
    level: float = 0.2,
    silence: float = 0.5,
    noise: float = 0.0003,
    seed: int = 1,
) -> AudioSamples:
    """Generate a sound whose harmonics vary like those of a voice, with silence and noise around it.

    `vowels` determines how they vary: different numbers give different words.
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


def encode_recording(
    kind: str = "WAV", samples: AudioSamples | None = None, *, rate: int = 16_000, subtype: str | None = None
) -> bytes:
    """Encode a recording as a file of a format; without samples, that of a voice."""
    made = io.BytesIO()
    sound: NDArray[np.generic] = make_voice(rate=rate) if samples is None else samples
    if subtype is None:
        # The formats round numbers in different ways, so these are samples of 16 bits in each.
        sound = (np.clip(sound, -1, 1) * 32_767).round().astype(np.int16)
    soundfile.write(made, sound, rate, format=kind, subtype=subtype or SUBTYPES[kind])
    return made.getvalue()


VOWEL_FORMANTS: Final = {
    "a": (750.0, 1200.0, 2500.0),
    "i": (300.0, 2250.0, 3000.0),
    "u": (330.0, 850.0, 2400.0),
    "e": (480.0, 1900.0, 2600.0),
    "o": (500.0, 950.0, 2450.0),
}
"""The first three formants of vowels in Hz, for a male voice."""

FORMANT_BANDWIDTHS: Final = (80.0, 110.0, 160.0)
"""The bandwidth of each formant in Hz."""


def synthesize_vowels(  # noqa: PLR0913  # each is one property of a speaker
    vowels: str = "pania",
    *,
    pitch: float = 115.0,
    tempo: float = 1.0,
    tract: float = 1.0,
    level: float = 0.3,
    noise: float = 0.0005,
    rate: int = 16_000,
    seed: int = 1,
) -> AudioSamples:
    """Synthesise vowels with a stop between each two: pulses with falling pitch, filtered by formants.

    `tract` scales all formants, as a shorter vocal tract does. The `seed` determines the breath and the jitter.
    """
    random = np.random.default_rng(seed)
    sounds = [each for each in vowels if each in VOWEL_FORMANTS]
    pieces = [np.zeros(round(0.4 * rate))]
    for place, vowel in enumerate(sounds):
        falling = pitch * (1.15 - 0.3 * place / max(1, len(sounds) - 1))
        pieces += [_make_burst(random, rate), _synthesize_vowel(vowel, falling, tempo, tract, rate, random)]
    whole = np.concatenate([*pieces, np.zeros(round(0.4 * rate))])
    said: AudioSamples = level * whole / np.abs(whole).max() + random.normal(0, noise, len(whole))
    return said


def _synthesize_vowel(  # noqa: PLR0913, PLR0917  # each is one property of a speaker
    vowel: str, pitch: float, tempo: float, tract: float, rate: int, random: np.random.Generator
) -> AudioSamples:
    size = round(rate * 0.17 / tempo)
    period = rate / (pitch * np.linspace(1.05, 0.95, size) * random.normal(1, 0.01, size))
    phase = np.cumsum(1 / period)
    pulses = np.diff(np.floor(phase), prepend=0.0) + random.normal(0, 0.01, size)
    spectrum, frequencies = np.fft.rfft(pulses, 2 * size), np.fft.rfftfreq(2 * size, 1 / rate)
    for formant, width in zip(VOWEL_FORMANTS[vowel], FORMANT_BANDWIDTHS, strict=True):
        centre = formant * tract
        pole = 1j * frequencies
        spectrum = spectrum * centre**2 / ((pole + width) ** 2 + centre**2)
    filtered = np.fft.irfft(spectrum, 2 * size)[:size]
    # The radiation of the lips, and the rise and fall of a syllable.
    return np.diff(filtered, prepend=0.0) * np.sin(np.pi * np.linspace(0.03, 0.97, size)) ** 0.6


def _make_burst(random: np.random.Generator, rate: int) -> AudioSamples:
    """Generate a stop: silence, then a burst of noise."""
    closed, puff = np.zeros(round(0.05 * rate)), random.normal(0, 0.02, round(0.012 * rate))
    return np.concatenate([closed, puff * np.linspace(1, 0, len(puff))])
