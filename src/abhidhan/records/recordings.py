"""Recordings: limits of uploads, processed files, what a speaker says of one, addresses, and how answers show them."""

import re
from collections.abc import Sequence
from typing import Final

import msgspec

from abhidhan.records.errors import InputError, sentence
from abhidhan.records.ids import GREATEST_ID

MAX_RECORDING_BYTES: Final = 5 * 1_048_576
"""The largest recording that may be sent (docs/api.md)."""

MAX_RECORDING_SECONDS: Final = 15
"""The longest recording, once the silence at its ends is cut off."""

MAX_UNTRIMMED_SECONDS: Final = 30
"""The longest recording before that. A FLAC of 5 MB may hold hours of silence: no more of it is decoded than this."""

MIN_RECORDING_SECONDS: Final = 0.1
"""The shortest sound that can be a word: a vowel alone takes about so long."""

MIN_SAMPLE_RATE: Final = 8_000
"""Samples per second of a telephone line. Below that, স and ফ cannot be told apart."""

MAX_SAMPLE_RATE: Final = 192_000
MOST_CHANNELS: Final = 8
MP3_RATES: Final = (8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000)
"""Rates that MP3 has (ISO/IEC 11172-3 and 13818-3); a recording of another rate is brought to the last one."""

DECODING_MEMORY: Final = 256 * 1_048_576
"""Bytes that decoding and encoding may take: 30 s at 192,000 samples, and their spectrum. Measured, with some room."""


class Audio(msgspec.Struct, frozen=True):
    """An approved recording: where its bytes are, who speaks and where people speak so, its licence, how long it is.

    `speaker`, `place` and `licence` are null where they were not told.
    """

    url: str
    speaker: str | None
    place: str | None
    licence: str | None
    milliseconds: int


_DECODER: Final = msgspec.json.Decoder(tuple[Audio, ...])


NO_AUDIO: Final = None
"""What is stored of a word or phrase that nobody has said yet."""


def read_audio(stored: str | None) -> tuple[Audio, ...]:
    """Read what is stored; NULL stands for none."""
    return _DECODER.decode(stored) if stored else ()


def write_audio(recordings: Sequence[Audio]) -> str | None:
    """Write recordings as they are stored."""
    return msgspec.json.encode(recordings).decode() if recordings else None


LONGEST_SPEAKER: Final = 100
LONGEST_PLACE: Final = 100
EXTENSION: Final = "mp3"
SUFFIX: Final = f".{EXTENSION}"
MEDIA_TYPE: Final = "audio/mpeg"
"""What recordings are kept as. Every browser since 2010 plays MP3; iPhones play Ogg only since 2024."""


class ProcessedRecording(msgspec.Struct, frozen=True):
    """A recording made ready to be kept: trimmed, levelled and encoded anew, without metadata.

    `sha256` is that of its samples as they came, `likeness` a perceptual hash of 64 bits. `clipped` says that the
    microphone was overdriven, `milliseconds` how long it is.
    """

    milliseconds: int
    clipped: bool
    body: bytes
    sha256: str
    likeness: int

    @property
    def files(self) -> dict[str, bytes]:
        """Its only file, by what follows the key in its name."""
        return {SUFFIX: self.body}


_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_FILE_NAME: Final = re.compile(r"([1-9][0-9]{0,9})\.mp3", re.ASCII)


def clean_speaker(speaker: str | None) -> str | None:
    """Clean the name that a speaker wants to be told; None for none. Raises InputError for `speaker`."""
    return _clean("speaker", speaker, LONGEST_SPEAKER)


def clean_place(place: str | None) -> str | None:
    """Clean the place whose speech it is; None for none. Raises InputError for `place`."""
    return _clean("place", place, LONGEST_PLACE)


def _clean(parameter: str, text: str | None, longest: int) -> str | None:
    # An import only here: the process that decodes starts faster without the tables of letters.
    from assamese.normalization import nfc, squeeze  # noqa: PLC0415

    clean = nfc(squeeze(text or ""))
    if _CONTROL.search(clean):
        raise InputError.of(
            parameter, sentence("`%(parameter)s` must not contain control characters.", parameter=parameter)
        )
    if len(clean) > longest:
        raise InputError.of(
            parameter,
            sentence("`%(parameter)s` must have at most %(most)s characters.", parameter=parameter, most=longest),
        )
    return clean or None


def recording_address(recording_id: int) -> str:
    """Return the address of a recording's bytes."""
    return f"/recordings/{recording_id}.{EXTENSION}"


def read_recording_name(name: str) -> int | None:
    """Read the last part of the address of a recording's bytes; None when it names none."""
    found = _FILE_NAME.fullmatch(name)
    return int(found[1]) if found and int(found[1]) <= GREATEST_ID else None
