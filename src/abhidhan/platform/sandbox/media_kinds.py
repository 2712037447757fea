"""Crafts: what is done with each kind of file that people send, as the server sees it.

The work itself is done in another process (`decoder.py`), by `images.py` and `sounds.py`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

import msgspec

from abhidhan.platform.sandbox.image_headers import first_look
from abhidhan.records.photos import ProcessedPhoto, photo_memory
from abhidhan.records.recordings import DECODING_MEMORY, ProcessedRecording
from abhidhan.records.uploads import PHOTO, RECORDING, Refusal, RefusedFileError, refusal_of

Processed = TypeVar("Processed")


@dataclass(frozen=True, slots=True)
class Craft(Generic[Processed]):
    """How one kind of file is processed.

    `memory_for` returns how many bytes a file may take, or raises RefusedFileError where its first bytes tell enough.
    """

    kind: str
    result: type[Processed]
    memory_for: Callable[[bytes], int]

    def read(self, result: bytes) -> Processed:
        """Read what the process answers. Raises RefusedFileError with its refusal."""
        # A crash of a decoder, which leaves no result, is the fault of the file that led to it.
        answer: Processed | Refusal = Refusal.BROKEN
        if result:
            answer = msgspec.msgpack.decode(result, type=self.result | Refusal)
        if isinstance(answer, Refusal):
            raise RefusedFileError(self.kind, answer)
        return answer


def _memory_for_photo(sent: bytes) -> int:
    outline = first_look(sent)
    # How many frames there are is not known yet.
    if outline and (refusal := refusal_of(msgspec.structs.replace(outline, frames=1))):
        raise RefusedFileError(PHOTO, refusal)
    return photo_memory(outline)


PHOTOS: Final = Craft(PHOTO, ProcessedPhoto, _memory_for_photo)
RECORDINGS: Final = Craft(RECORDING, ProcessedRecording, lambda _: DECODING_MEMORY)
