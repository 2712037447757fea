"""Recordings: what one made ready to be kept is like, what a speaker says of it, and the address of its bytes."""

import re
from typing import Final

import msgspec

from abhidhan.records.errors import InputError, sentence
from abhidhan.records.ids import GREATEST_ID

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


_NOT_TEXT: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
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
    if _NOT_TEXT.search(clean):
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
