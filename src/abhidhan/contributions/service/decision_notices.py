"""Decisions as those are told of them whose contributions they are about."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from abhidhan.contributions.service.submission_views import MOST_WORDS, Submission, name_of, show, subjects_of
from abhidhan.dictionary.store.ideas import gather_idea
from abhidhan.dictionary.store.senses import spellings
from abhidhan.media.store.photos import PHOTOS, PhotoRow
from abhidhan.media.store.recordings import RECORDINGS
from abhidhan.people.model.mail_templates import Decided
from abhidhan.people.store.mails import DECIDED, Undelivered
from abhidhan.platform.database.reader import Reader
from abhidhan.records.errors import NotFoundError
from abhidhan.records.history import RecordName
from abhidhan.records.submissions import Status

WordAddress = Callable[[str], str]
"""Writes the address of a word's page."""


def decided_of(reader: Reader, undelivered: Iterable[Undelivered], word_address: WordAddress) -> list[Decided]:
    """Read what was decided, as it stands now; what is gone or waits again is left out."""
    read = (READ[each.kind](reader, each.record_id, word_address) for each in undelivered)
    return [each for each in read if each is not None]


def _submission(reader: Reader, number: int, word_address: WordAddress) -> Decided | None:
    try:
        found = show(reader, number)
    except NotFoundError:
        return None
    if found.status not in DECIDED:
        return None
    word = _word_of(reader, found.result) if found.status is Status.APPROVED else None
    return Decided(str(found.kind), _name(reader, found), found.status, found.reason, word and word_address(word))


def _name(reader: Reader, found: Submission) -> str:
    """Return by which text a submission is known: its sender's own goes to the sender alone, at a confirmed address."""
    return name_of(found, subjects_of(reader, submissions=[found]).get(found.submission_id, ""))


def _word_of(reader: Reader, result: str | None) -> str | None:
    """Return the word that came of a submission; None where something else did."""
    name = RecordName.parse(result) if result else None
    return spellings(reader, [name.number]).get(name.number) if name and name.kind == "word" else None


def _photo(reader: Reader, number: int, word_address: WordAddress) -> Decided | None:
    row = PHOTOS.find(reader, number)
    if row is None or row.status not in DECIDED:
        return None
    status = Status(row.status)
    words = _words_of(reader, row)
    address = word_address(words[0]) if words and row.idea_id and status is Status.APPROVED else None
    return Decided("photo", ", ".join(words), status, row.reason, address)


def _words_of(reader: Reader, row: PhotoRow) -> list[str]:
    """Return what a photo shows: the words of its idea or, while that does not exist, the word that it came with."""
    idea = gather_idea(reader, row.idea_id) if row.idea_id else None
    if idea is not None:
        return [word.word for word in idea.words[:MOST_WORDS]]
    if row.submission_id is None:
        return []
    try:
        return [_name(reader, show(reader, row.submission_id))]
    except NotFoundError:
        return []


def _recording(reader: Reader, number: int, word_address: WordAddress) -> Decided | None:
    row = RECORDINGS.find(reader, number)
    if row is None or row.status not in DECIDED:
        return None
    status = Status(row.status)
    address = word_address(row.spoken) if row.word_id and status is Status.APPROVED else None
    return Decided("recording", row.spoken, status, row.reason, address)


READ: Final[Mapping[str, Callable[[Reader, int, WordAddress], Decided | None]]] = {
    "submission": _submission,
    "photo": _photo,
    "recording": _recording,
}
"""Readers of the records whose decisions are reported by mail, by kind (`people/store/mails.py`)."""
