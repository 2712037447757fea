"""Recordings: limits of uploads, processed files, the speaker and place, URLs, and their form in responses."""

import re
from collections.abc import Sequence
from typing import Final

import msgspec

from abhidhan.records.errors import InputError, sentence
from abhidhan.records.ids import MAX_ID

MAX_RECORDING_BYTES: Final = 5 * 1_048_576
"""Maximum size of an uploaded recording (docs/api.md)."""

MAX_RECORDING_SECONDS: Final = 15
"""Maximum length of a recording after the silence at its ends is trimmed."""

MAX_UNTRIMMED_SECONDS: Final = 30
"""Maximum length before trimming. A FLAC of 5 MB may contain hours of silence; decoding stops after this time."""

MIN_RECORDING_SECONDS: Final = 0.1
"""Minimum length of a word, about that of a single vowel."""

MIN_SAMPLE_RATE: Final = 8_000
"""Minimum samples per second, those of a telephone line. Below that, স and ফ are indistinguishable."""

MAX_SAMPLE_RATE: Final = 192_000
MAX_CHANNELS: Final = 8
MP3_SAMPLE_RATES: Final = (8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000)
"""Sample rates of MP3 (ISO/IEC 11172-3 and 13818-3); recordings of other rates are resampled to the last one."""

DECODING_MEMORY_BYTES: Final = 256 * 1_048_576
"""Memory in bytes for decoding and encoding 30 s at 192,000 samples per second: measured, with a margin."""


class Audio(msgspec.Struct, frozen=True):
    """An approved recording: its URL, the speaker, the place of this pronunciation, licence and length.

    `speaker`, `place` and `licence` are null if they were not given.
    """

    url: str
    speaker: str | None
    place: str | None
    licence: str | None
    milliseconds: int


_DECODER: Final = msgspec.json.Decoder(tuple[Audio, ...])


NO_AUDIO: Final = None
"""The stored value for a word or phrase without recordings."""


def decode_audio(stored: str | None) -> tuple[Audio, ...]:
    """Decode stored recordings; return an empty tuple for NULL."""
    return _DECODER.decode(stored) if stored else ()


def encode_audio(recordings: Sequence[Audio]) -> str | None:
    """Encode recordings for storage; return None without recordings."""
    return msgspec.json.encode(recordings).decode() if recordings else None


MAX_SPEAKER_LENGTH: Final = 100
MAX_PLACE_LENGTH: Final = 100
RECORDING_EXTENSION: Final = "mp3"
RECORDING_SUFFIX: Final = f".{RECORDING_EXTENSION}"
RECORDING_MEDIA_TYPE: Final = "audio/mpeg"
"""The media type of stored recordings. Every browser since 2010 plays MP3; iPhones play Ogg only since 2024."""


class ProcessedRecording(msgspec.Struct, frozen=True):
    """A recording processed for storage: trimmed, levelled and re-encoded without metadata.

    `sha256` is that of the original samples, `likeness` a perceptual hash of 64 bits. `clipped` is whether the
    microphone was overdriven, `milliseconds` the length.
    """

    milliseconds: int
    clipped: bool
    body: bytes
    sha256: str
    likeness: int

    @property
    def files(self) -> dict[str, bytes]:
        """The content of its only file, by the suffix after the key in the file name."""
        return {RECORDING_SUFFIX: self.body}


_CONTROL_CHARACTERS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_FILE_NAME_PATTERN: Final = re.compile(r"([1-9][0-9]{0,9})\.mp3", re.ASCII)


def clean_speaker(speaker: str | None) -> str | None:
    """Validate and clean the speaker's name; return None for a blank one. Raises InputError for `speaker`."""
    return _clean_line("speaker", speaker, MAX_SPEAKER_LENGTH)


def clean_place(place: str | None) -> str | None:
    """Validate and clean the place of a pronunciation; return None for a blank one. Raises InputError for `place`."""
    return _clean_line("place", place, MAX_PLACE_LENGTH)


def _clean_line(parameter: str, text: str | None, max_length: int) -> str | None:
    # Imported here so that the process that decodes recordings starts faster, without the letter tables.
    from assamese.normalization import collapse_whitespace, nfc  # noqa: PLC0415

    clean = nfc(collapse_whitespace(text or ""))
    if _CONTROL_CHARACTERS.search(clean):
        raise InputError.of(
            parameter, sentence("`%(parameter)s` must not contain control characters.", parameter=parameter)
        )
    if len(clean) > max_length:
        raise InputError.of(
            parameter,
            sentence("`%(parameter)s` must have at most %(most)s characters.", parameter=parameter, most=max_length),
        )
    return clean or None


def recording_path(recording_id: int) -> str:
    """Return the URL path of a recording."""
    return f"/recordings/{recording_id}.{RECORDING_EXTENSION}"


def parse_recording_name(name: str) -> int | None:
    """Parse the file name in a recording URL to its ID; return None if it is invalid."""
    match = _FILE_NAME_PATTERN.fullmatch(name)
    return int(match[1]) if match and int(match[1]) <= MAX_ID else None
