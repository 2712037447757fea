"""Crafts: what is done with each kind of file that people send, as the server sees it.

The work itself is done in another process (`decoder.py`), by `images.py` and `sounds.py`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final, Generic, TypeVar

import msgspec

from abhidhan.domain.photo_limits import memory_for
from abhidhan.domain.photo_refusals import Refusal, RefusedPhotoError, refusal_of
from abhidhan.domain.photos import ProcessedPhoto
from abhidhan.domain.recording_limits import MEMORY
from abhidhan.domain.recording_refusals import RefusedRecordingError, SoundRefusal
from abhidhan.domain.recordings import ProcessedRecording
from abhidhan.errors import InputError
from abhidhan.media.headers import first_look

Processed = TypeVar("Processed")


@dataclass(frozen=True, slots=True)
class Craft(Generic[Processed]):
    """How one kind of file is processed.

    `memory_for` says how many bytes a file may take, or raises InputError where its first bytes tell enough; `read`
    reads what the process answers, or raises InputError with its refusal.
    """

    name: str
    memory_for: Callable[[bytes], int]
    read: Callable[[bytes], Processed]
    too_slow: Callable[[], InputError]


def _memory_for_photo(sent: bytes) -> int:
    outline = first_look(sent)
    # How many frames there are is not known yet.
    if outline and (refusal := refusal_of(msgspec.structs.replace(outline, frames=1))):
        raise RefusedPhotoError(refusal)
    return memory_for(outline)


def _read_photo(result: bytes) -> ProcessedPhoto:
    # A crash of a decoder, which leaves no result, is the fault of the file that led to it.
    answer = msgspec.msgpack.decode(result, type=ProcessedPhoto | Refusal) if result else Refusal.BROKEN
    if isinstance(answer, Refusal):
        raise RefusedPhotoError(answer)
    return answer


def _read_recording(result: bytes) -> ProcessedRecording:
    answer = msgspec.msgpack.decode(result, type=ProcessedRecording | SoundRefusal) if result else SoundRefusal.BROKEN
    if isinstance(answer, SoundRefusal):
        raise RefusedRecordingError(answer)
    return answer


PHOTOS: Final = Craft(
    name="photos",
    memory_for=_memory_for_photo,
    read=_read_photo,
    too_slow=partial(RefusedPhotoError, Refusal.TOO_SLOW),
)

RECORDINGS: Final = Craft(
    name="recordings",
    memory_for=lambda _: MEMORY,
    read=_read_recording,
    too_slow=partial(RefusedRecordingError, SoundRefusal.TOO_SLOW),
)
