"""Why a recording cannot be taken, and the sentences that say so."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from abhidhan.domain.recording_limits import MOST_SECONDS
from abhidhan.errors import InputError, sentence


class SoundRefusal(StrEnum):
    """Why a recording cannot be taken."""

    MISSING = "missing"
    TOO_BIG = "too big"
    NOT_A_RECORDING = "not a recording"
    OTHER_FORMAT = "other format"
    BROKEN = "broken"
    UNUSUAL = "unusual"
    TOO_LONG = "too long"
    TOO_SHORT = "too short"
    SILENT = "silent"
    TOO_SLOW = "too slow"


SENTENCES: Final[Mapping[SoundRefusal, str]] = {
    SoundRefusal.MISSING: sentence(
        "`%(parameter)s` is missing: send a WAV, FLAC, Ogg or MP3 file.", parameter="recording"
    ),
    SoundRefusal.TOO_BIG: sentence(
        "`%(parameter)s` is larger than 5 MB (5,242,880 bytes): make it shorter and send it again.",
        parameter="recording",
    ),
    SoundRefusal.NOT_A_RECORDING: sentence(
        "`%(parameter)s` is not a WAV, FLAC, Ogg or MP3 file.", parameter="recording"
    ),
    SoundRefusal.OTHER_FORMAT: sentence(
        "`%(parameter)s` is in a format of telephones or films (M4A, MP4, WebM, AMR): save or export it as WAV or MP3 "
        "and send that.",
        parameter="recording",
    ),
    SoundRefusal.BROKEN: sentence(
        "`%(parameter)s` is damaged or incomplete: it cannot be decoded.", parameter="recording"
    ),
    SoundRefusal.UNUSUAL: sentence(
        "`%(parameter)s` is encoded in an unusual way: save it as WAV (PCM, 16 bits, 44,100 Hz) and send that.",
        parameter="recording",
    ),
    SoundRefusal.TOO_LONG: sentence(
        "`%(parameter)s` is longer than %(most)s seconds: record one word or sentence at a time.",
        parameter="recording",
        most=MOST_SECONDS,
    ),
    SoundRefusal.TOO_SHORT: sentence(
        "`%(parameter)s` is too short to be a word: record it once more.", parameter="recording"
    ),
    SoundRefusal.SILENT: sentence(
        "Nothing can be heard in `%(parameter)s`: check the microphone and record it once more.",
        parameter="recording",
    ),
    SoundRefusal.TOO_SLOW: sentence(
        "`%(parameter)s` takes too long to decode: save it as WAV and send that.", parameter="recording"
    ),
}


class RefusedRecordingError(InputError):
    """A recording that cannot be taken, and why."""

    def __init__(self, refusal: SoundRefusal) -> None:
        """Say the refusal as a sentence about the parameter `recording`."""
        self.refusal = refusal
        super().__init__(InputError.of("recording", SENTENCES[refusal]).problems[0])
