"""Data in by way of review: records of files that wait for an editor, and are imported when one approves them."""

import hashlib
from collections.abc import Iterable
from functools import partial
from itertools import islice

import msgspec

from abhidhan.domain.catalogue import Catalogue
from abhidhan.domain.drafts import Kind, RecordData, RecordSubmission, encode_submission
from abhidhan.domain.history import Action, Change, RecordName, SubmissionState
from abhidhan.domain.incoming import Fault, Names, Placed, new_idea, new_phrase
from abhidhan.domain.records import IdeaRecord, LanguageRecord, PhraseRecord, Record, SourceRecord
from abhidhan.domain.submissions import Status
from abhidhan.errors import InputError
from abhidhan.services.editing.editor import Editor
from abhidhan.services.naming import codes_of
from abhidhan.storage.database import Database, Writer
from abhidhan.storage.editing.named import records_of, with_known_relations
from abhidhan.storage.history import Entry, write_entry
from abhidhan.storage.loading import Loading, load_within
from abhidhan.storage.locks import importing
from abhidhan.storage.submissions import MARK_FOR_GOOD, NewSubmission, add_submission

MOST_AT_ONCE = 1000
"""How many records one import lets wait: more than editors decide in weeks."""

AT_ONCE = 100
"""How many of them are stored in one transaction."""

NOT_REVIEWED = "Only ideas and proverbs wait for review; lists, forms and flashcards are imported without --review."


class Reviewed(msgspec.Struct, frozen=True):
    """What an import into review did: how many records wait now, were sent before, and are left for another time."""

    waiting: int
    before: int
    left: int
    faults: tuple[Fault, ...]
    rejected: int


def put_into_review(
    database: Database, records: Iterable[Placed | Fault], *, now: int, most: int = MOST_AT_ONCE
) -> Reviewed:
    """Let the records of files wait for an editor, at most so many; those that were sent before are passed over.

    Raises ConflictError while another import runs.
    """
    queue = _Queue(database.read_now(lambda reader: reader.catalogue))
    waiting = before = 0
    stream = iter(records)
    with importing(database, wait=False):
        while waiting < most:
            some = list(islice(queue.submissions(stream), min(AT_ONCE, most - waiting)))
            if not some:
                break
            fresh = database.write_now(partial(_store, submissions=some, now=now), public=False)
            waiting += fresh
            before += len(some) - fresh
        left = sum(1 for _ in queue.submissions(stream))
    return Reviewed(waiting, before, left, tuple(queue.faults), queue.rejected)


class _Queue:
    """Makes submissions of the records of a stream, each with the sources and languages that it needs."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._names = Names(catalogue)
        self._sources: dict[str, SourceRecord] = {}
        self._languages: dict[str, LanguageRecord] = {}
        self.faults: list[Fault] = []
        self.rejected = 0

    def submissions(self, stream: Iterable[Placed | Fault]) -> Iterable[RecordSubmission]:
        for one in stream:
            if isinstance(one, Fault):
                self._reject(one)
                continue
            try:
                submission = self._submission(one.record)
            except InputError as error:
                self._reject(Fault(one.file, one.line, str(error)))
                continue
            if submission is not None:
                yield submission

    def _submission(self, record: Record) -> RecordSubmission | None:
        match record:
            case SourceRecord():
                self._sources[record.code] = record
                self._names.sources.setdefault(record.code, 0)
            case LanguageRecord():
                self._languages[record.code] = record
                self._names.languages.setdefault(record.code, 0)
            case IdeaRecord():
                new_idea(record, self._names)
                return self._with(record, {record.source, *(word.source or "" for word in record.words)})
            case PhraseRecord():
                new_phrase(record, self._names)
                return self._with(record, {record.source})
            case _:
                raise InputError.of("record", NOT_REVIEWED)
        return None

    def _with(self, record: IdeaRecord | PhraseRecord, sources: set[str]) -> RecordSubmission:
        return RecordSubmission(
            RecordData(
                record,
                tuple(self._sources[code] for code in sorted(sources) if code in self._sources),
                tuple(self._languages[code] for code in sorted(set(codes_of(record))) if code in self._languages),
            )
        )

    def _reject(self, fault: Fault) -> None:
        self.rejected += 1
        if len(self.faults) < MOST_AT_ONCE:
            self.faults.append(fault)


def _store(connection: Writer, *, submissions: list[RecordSubmission], now: int) -> int:
    """Store submissions, and tell how many of them are new."""
    new = 0
    for submission in submissions:
        payload = encode_submission(submission)
        mark = MARK_FOR_GOOD + hashlib.sha256(payload.encode()).hexdigest()
        submission_id, fresh = add_submission(connection, NewSubmission(Kind.RECORD, payload, None, mark), now)
        if fresh:
            name = RecordName("submission", str(submission_id))
            waits = Change(name, None, SubmissionState(str(Status.PENDING)))
            write_entry(connection, Entry(Action.SUBMITTED, None, now, name), [waits])
            new += 1
    return new


def place_record(editor: Editor, data: RecordData) -> RecordName:
    """Import a record as its file would have been, noting what changes; name the idea or proverb. Raises InputError.

    Of its relations those to ideas that are there by now.
    """
    before = {name: editor.ledger.current(name) for name in records_of(editor.edit, data.record)}
    record = with_known_relations(editor.edit, data.record)
    placed = [Placed("submission", 1, one) for one in (*data.sources, *data.languages, record)]
    loaded = load_within(editor.edit.connection, placed, Loading(editor.now))
    if loaded.faults:
        raise InputError.of("data", " ".join(fault.detail for fault in loaded.faults))
    found = records_of(editor.edit, record)
    for name in found:
        editor.ledger.note(name, before.get(name))
    return found[0]
