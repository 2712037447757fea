"""Import into review: records of files become submissions for editors."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from functools import partial
from itertools import islice
from typing import NamedTuple

import msgspec

from abhidhan.editing.store.history import Entry, write_entry
from abhidhan.exchange.service.name_resolution import codes_of
from abhidhan.exchange.service.pending_list_values import FileValues, mark_of_value, placed_data
from abhidhan.exchange.store.loading.bulk_load import Loading, load_within
from abhidhan.exchange.store.loading.forms import Known, cards_known, forms_known, new_forms
from abhidhan.platform.database.database import Database, Writer
from abhidhan.platform.database.import_lock import importing
from abhidhan.records.errors import InputError
from abhidhan.records.history import Action, Change, RecordName, SubmissionState
from abhidhan.records.import_records import (
    Fault,
    Names,
    Placed,
    check_entry,
    new_card_set,
    new_frequency,
    new_idea,
    new_phrase,
)
from abhidhan.records.kinds import (
    CardSetRecord,
    FormsRecord,
    FrequencyRecord,
    IdeaRecord,
    LanguageRecord,
    ListItemRecord,
    PhraseRecord,
    Record,
    SourceRecord,
)
from abhidhan.records.kinds.catalogue import FIXED_LISTS, ListValueRecord
from abhidhan.records.submission_payloads import Kind, RecordData, RecordSubmission, ReviewedRecord, encode_submission
from abhidhan.records.submissions import Status
from abhidhan.submissions.store import MARK_FOR_GOOD, NewSubmission, add_submission, marks_among

MOST_AT_ONCE = 1000
"""Maximum number of records that one import submits: more than editors review in weeks."""

AT_ONCE = 100
"""Number of submissions stored in one transaction."""


class LeftOut(StrEnum):
    """Reasons for leaving out a valid record."""

    OWN_LIST = "own list"
    """A value of a list on which the program depends, so it cannot be edited."""
    THERE = "there"
    """The dictionary already has all of it, so there is nothing to decide."""
    FREQUENCY = "frequency"
    """A word frequency, which no editor can judge; a corpus is imported whole or not at all."""
    NO_WORD = "no word"
    """Forms of a word that does not exist, or is itself pending."""


class Reviewed(msgspec.Struct, frozen=True):
    """The result of an import into review: pending records, those sent before, and those beyond the limit.

    `left_out` counts the valid records that were not submitted, by reason.
    """

    pending: int
    before: int
    left: int
    faults: tuple[Fault, ...]
    rejected: int
    left_out: dict[LeftOut, int] = msgspec.field(default_factory=dict)


def put_into_review(
    database: Database,
    records: Iterable[Placed | Fault],
    *,
    now: int,
    limit: int = MOST_AT_ONCE,
    on_reject: Callable[[Fault], None] = lambda _: None,
) -> Reviewed:
    """Submit the records of files for review, at most `limit` new ones; skip those that were sent before.

    `on_reject` is called with each invalid record. Raises ConflictError while another import runs.
    """
    queue = _Queue(database, on_reject)
    pending = before = 0
    stream = iter(records)
    with importing(database, wait=False):
        submissions = queue.submissions(stream)
        while pending < limit:
            some = list(islice(submissions, min(AT_ONCE, limit - pending)))
            if not some:
                break
            stored = database.write_now(partial(_store, submissions=some, now=now), public=False)
            pending += stored.pending
            before += stored.before
            queue.left_out[LeftOut.THERE] += stored.there
        left = sum(1 for _ in submissions)
    left_out = {reason: count for reason, count in queue.left_out.items() if count}
    return Reviewed(pending, before, left, tuple(queue.faults), queue.rejected, left_out)


class _Queue:
    """Converter of a record stream to submissions, each with the sources and languages that it needs."""

    def __init__(self, database: Database, on_reject: Callable[[Fault], None]) -> None:
        self._database = database
        self._on_reject = on_reject
        catalogue = database.read_now(lambda reader: reader.catalogue)
        self._names = Names(catalogue)
        self._values = FileValues(catalogue, self._names)
        self._sources: dict[str, SourceRecord] = {}
        self._languages: dict[str, LanguageRecord] = {}
        self.faults: list[Fault] = []
        self.rejected = 0
        self.left_out: Counter[LeftOut] = Counter()

    def submissions(self, stream: Iterable[Placed | Fault]) -> Iterator[RecordSubmission]:
        for one in stream:
            if isinstance(one, Fault):
                self._reject(one)
                continue
            try:
                if isinstance(one.record, ListItemRecord):
                    self._take_value(one, one.record)
                else:
                    yield from self._released()
                    yield from self._submissions(one.record)
            except InputError as error:
                self._reject(Fault.of(one, error))
        yield from self._released()

    def _take_value(self, placed: Placed, record: ListItemRecord) -> None:
        if self._values.knows(record):
            self.left_out[LeftOut.THERE] += 1
        elif record.list in FIXED_LISTS:
            self.left_out[LeftOut.OWN_LIST] += 1
        else:
            self._values.hold(placed, record)

    def _released(self) -> Iterator[RecordSubmission]:
        """Yield the held list values, which must precede the records that use them."""
        for one in self._values.release():
            if isinstance(one, Fault):
                self._reject(one)
            else:
                yield self._with(one, set())

    def _submissions(self, record: Record) -> Iterator[RecordSubmission]:
        match record:
            case SourceRecord():
                check_entry(record)
                self._sources[record.code] = record
                self._names.sources.setdefault(record.code, 0)
            case LanguageRecord():
                check_entry(record)
                self._languages[record.code] = record
                self._names.languages.setdefault(record.code, 0)
            case IdeaRecord():
                new_idea(record, self._names)
                yield self._with(record, {record.source, *(word.source or "" for word in record.words)})
            case PhraseRecord():
                new_phrase(record, self._names)
                yield self._with(record, {record.source})
            case CardSetRecord():
                yield from self._cards(record)
            case FormsRecord():
                yield from self._forms(record)
            case FrequencyRecord():
                new_frequency(record, self._names)
                self.left_out[LeftOut.FREQUENCY] += 1

    def _cards(self, record: CardSetRecord) -> Iterator[RecordSubmission]:
        """Yield a submission per card, each with its set, so that one bad card does not affect the others."""
        new_card_set(record, self._names)
        for card in record.cards:
            alone = msgspec.structs.replace(record, cards=(card,))
            if self._database.read_now(partial(cards_known, record=alone)) is Known.ALL:
                self.left_out[LeftOut.THERE] += 1
            else:
                yield self._with(alone, {record.source})

    def _forms(self, record: FormsRecord) -> Iterator[RecordSubmission]:
        new_forms(record, self._names)
        match self._database.read_now(partial(forms_known, record=record)):
            case Known.NO_WORD:
                self.left_out[LeftOut.NO_WORD] += 1
            case Known.ALL:
                self.left_out[LeftOut.THERE] += 1
            case Known.NOT_ALL:
                # If the word is gone at approval time, the editor gets an error.
                yield self._with(msgspec.structs.replace(record, optional=False), set())

    def _with(self, record: ReviewedRecord, sources: set[str]) -> RecordSubmission:
        return RecordSubmission(
            RecordData(
                record,
                tuple(self._sources[code] for code in sorted(sources) if code in self._sources),
                tuple(self._languages[code] for code in sorted(set(codes_of(record))) if code in self._languages),
            )
        )

    def _reject(self, fault: Fault) -> None:
        self.rejected += 1
        self._on_reject(fault)
        if len(self.faults) < MOST_AT_ONCE:
            self.faults.append(fault)


class _Stored(NamedTuple):
    """The number of submissions that are pending, were sent before, or add nothing new."""

    pending: int
    before: int
    there: int


def _store(connection: Writer, *, submissions: list[RecordSubmission], now: int) -> _Stored:
    """Store the submissions that are new and add something."""
    marked = {_mark(one): one for one in submissions}
    known = marks_among(connection, marked)
    fresh = [one for mark, one in marked.items() if mark not in known]
    bringing = _bringing_something(connection, fresh, now)
    for submission in bringing:
        new = NewSubmission(Kind.RECORD, encode_submission(submission), None, _mark(submission))
        submission_id, _ = add_submission(connection, new, now)
        name = RecordName("submission", str(submission_id))
        waits = Change(name, None, SubmissionState(str(Status.PENDING)))
        write_entry(connection, Entry(Action.SUBMITTED, None, now, name), [waits])
    return _Stored(len(bringing), len(submissions) - len(fresh), len(fresh) - len(bringing))


def _mark(submission: RecordSubmission) -> str:
    record = submission.data.record
    if isinstance(record, ListValueRecord):
        return mark_of_value(record.list, record.value)
    return MARK_FOR_GOOD + hashlib.sha256(encode_submission(submission).encode()).hexdigest()


def _bringing_something(connection: Writer, some: list[RecordSubmission], now: int) -> list[RecordSubmission]:
    """Drop ideas and proverbs that the dictionary already has, by importing them and rolling back.

    An import reports only how many are unchanged, so they are found by bisection.
    """
    same = _count_the_same(connection, some, now)
    if same in {0, len(some)}:
        return [] if same else some
    middle = len(some) // 2
    return [
        *_bringing_something(connection, some[:middle], now),
        *_bringing_something(connection, some[middle:], now),
    ]


def _count_the_same(connection: Writer, some: list[RecordSubmission], now: int) -> int:
    trial = connection.begin_nested()
    try:
        return load_within(connection, [placed for one in some for placed in placed_data(one.data)], Loading(now)).same
    finally:
        trial.rollback()
