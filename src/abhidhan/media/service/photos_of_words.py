"""Photos that were sent with a word: they are decided on together with it, in the same entry of the history."""

from typing import Final, NamedTuple

import msgspec

from abhidhan.editing.service.editing import Editor
from abhidhan.editing.store.records import contributions
from abhidhan.media.store.photos import PHOTOS
from abhidhan.records.errors import ConflictError, sentence
from abhidhan.records.history import PhotoState, RecordName
from abhidhan.records.submissions import PHOTO_LEFT_OUT, Status


class Looked(NamedTuple):
    """The photos of a word that its editor has looked at, and those of them that are left out."""

    at: frozenset[int] = frozenset()
    without: frozenset[int] = frozenset()


NO_PHOTO: Final = Looked()


def approve_photos(editor: Editor, submission_id: int, idea_id: int | None, looked: Looked) -> None:
    """Let the photos that came with a word show its idea; those that the editor leaves out are rejected.

    Raises ConflictError when one waits that the editor has not looked at: it may have come after the word was shown.
    """
    waiting = contributions.photos_of_submission(editor.edit, submission_id)
    unseen = [photo_id for photo_id in waiting if int(photo_id) not in looked.at]
    if unseen:
        raise ConflictError(
            sentence(
                "Nobody has looked at photos that came with this word yet: %(photos)s. Look at them, and decide again.",
                photos=", ".join(unseen),
            )
        )
    for photo_id, state in waiting.items():
        if idea_id is None or int(photo_id) in looked.without:
            after = msgspec.structs.replace(state, status=str(Status.REJECTED), reason=str(PHOTO_LEFT_OUT))
        else:
            after = msgspec.structs.replace(state, status=str(Status.APPROVED), idea_id=idea_id)
        _put(editor, photo_id, after)


def close_photos(editor: Editor, submission_id: int, status: Status, reason: str | None) -> None:
    """Reject or withdraw the photos that came with a word, as the word is."""
    for photo_id, state in contributions.photos_of_submission(editor.edit, submission_id).items():
        _put(editor, photo_id, msgspec.structs.replace(state, status=str(status), reason=reason))


def _put(editor: Editor, photo_id: str, after: PhotoState) -> None:
    editor.ledger.put(RecordName("photo", photo_id), after)
    decided = {"decided": editor.now, "decided_by": editor.person.id}
    PHOTOS.change(editor.edit.connection, int(photo_id), decided)
