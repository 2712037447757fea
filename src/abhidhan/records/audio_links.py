"""Approved recordings as answers show them, and as they are stored beside the word or phrase that they say."""

from collections.abc import Sequence
from typing import Final

import msgspec


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
