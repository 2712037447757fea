"""Import into review: each record of a file becomes a submission, which an editor approves or rejects."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from functools import partial
from itertools import islice
from typing import NamedTuple

import msgspec

from abhidhan.editing.store.history import HistoryEntry, write_entry
from abhidhan.exchange.service.name_resolution import iter_language_codes
from abhidhan.exchange.service.pending_list_values import FileListValues, build_value_mark, collect_records
from abhidhan.exchange.store.loading.bulk_load import BulkLoadOptions, load_in_transaction
from abhidhan.exchange.store.loading.forms import Presence, check_cards, check_forms, new_forms
from abhidhan.platform.database.database import Database, WriteConnection
from abhidhan.platform.database.import_lock import hold_import_lock
from abhidhan.records.errors import InputError
from abhidhan.records.history import Change, HistoryAction, RecordRef, SubmissionState
from abhidhan.records.import_records import (
    LocatedRecord,
    NameIds,
    RecordError,
    check_catalogue_record,
    convert_card_set,
    convert_frequency,
    convert_idea,
    convert_phrase,
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
from abhidhan.records.kinds.catalogue import READ_ONLY_LISTS, ListValueRecord
from abhidhan.records.submission_payloads import Kind, RecordData, RecordSubmission, ReviewedRecord, encode_submission
from abhidhan.records.submissions import Status
from abhidhan.submissions.store import PERMANENT_MARK_PREFIX, NewSubmission, add_submission, find_existing_marks

MAX_SUBMISSIONS = 1000
"""Maximum number of records that one import submits: more than editors review in weeks."""

SUBMISSIONS_BATCH_SIZE = 100
"""Number of submissions stored in one transaction."""


class OmissionReason(StrEnum):
    """Reasons for leaving out a valid record."""

    FIXED_LIST = "own list"
    """A value of a list that the program depends on, and that editors therefore cannot change."""
    ALREADY_STORED = "there"
    """The dictionary already has all values of the record."""
    FREQUENCY = "frequency"
    """A word frequency, which no editor can judge; a corpus is imported whole or not at all."""
    NO_WORD = "no word"
    """Forms of a word that is not in the dictionary, or whose own submission is still pending."""


class ReviewImportResult(msgspec.Struct, frozen=True):
    """The numbers of records of an import into review.

    `already_submitted` counts those of an earlier import, `over_limit` those beyond the maximum number of submissions,
    and `omitted` the valid records that were not submitted, by reason.
    """

    pending: int
    already_submitted: int
    over_limit: int
    errors: tuple[RecordError, ...]
    rejected: int
    omitted: dict[OmissionReason, int] = msgspec.field(default_factory=dict)


def submit_for_review(
    database: Database,
    records: Iterable[LocatedRecord | RecordError],
    *,
    now: int,
    limit: int = MAX_SUBMISSIONS,
    on_reject: Callable[[RecordError], None] = lambda _: None,
) -> ReviewImportResult:
    """Submit the records of files for review, at most `limit`; skip those that an earlier import has submitted.

    `on_reject` is called with each invalid record. Raises ConflictError while another import runs.
    """
    builder = _SubmissionBuilder(database, on_reject)
    pending = already_submitted = 0
    stream = iter(records)
    with hold_import_lock(database, wait=False):
        submissions = builder.build_submissions(stream)
        while pending < limit:
            batch = list(islice(submissions, min(SUBMISSIONS_BATCH_SIZE, limit - pending)))
            if not batch:
                break
            stored = database.write_now(partial(_store_submissions, submissions=batch, now=now), public=False)
            pending += stored.pending
            already_submitted += stored.already_submitted
            builder.omitted[OmissionReason.ALREADY_STORED] += stored.already_stored
        over_limit = sum(1 for _ in submissions)
    omitted = {reason: count for reason, count in builder.omitted.items() if count}
    return ReviewImportResult(pending, already_submitted, over_limit, tuple(builder.errors), builder.rejected, omitted)


class _SubmissionBuilder:
    """Builder of submissions from records, each with the sources and languages to which the record refers."""

    def __init__(self, database: Database, on_reject: Callable[[RecordError], None]) -> None:
        self._database = database
        self._on_reject = on_reject
        catalogue = database.read_now(lambda reader: reader.catalogue)
        self._names = NameIds(catalogue)
        self._values = FileListValues(catalogue, self._names)
        self._sources: dict[str, SourceRecord] = {}
        self._languages: dict[str, LanguageRecord] = {}
        self.errors: list[RecordError] = []
        self.rejected = 0
        self.omitted: Counter[OmissionReason] = Counter()

    def build_submissions(self, stream: Iterable[LocatedRecord | RecordError]) -> Iterator[RecordSubmission]:
        for item in stream:
            if isinstance(item, RecordError):
                self._reject(item)
                continue
            try:
                if isinstance(item.record, ListItemRecord):
                    self._add_value(item, item.record)
                else:
                    yield from self._release_values()
                    yield from self._convert_record(item.record)
            except InputError as error:
                self._reject(RecordError.of(item, error))
        yield from self._release_values()

    def _add_value(self, located: LocatedRecord, record: ListItemRecord) -> None:
        if self._values.register(record):
            self.omitted[OmissionReason.ALREADY_STORED] += 1
        elif record.list in READ_ONLY_LISTS:
            self.omitted[OmissionReason.FIXED_LIST] += 1
        else:
            self._values.defer(located, record)

    def _release_values(self) -> Iterator[RecordSubmission]:
        """Yield submissions of the deferred list values, which must precede those of the records that use them."""
        for item in self._values.pop_deferred():
            if isinstance(item, RecordError):
                self._reject(item)
            else:
                yield self._build_submission(item, set())

    def _convert_record(self, record: Record) -> Iterator[RecordSubmission]:
        match record:
            case SourceRecord():
                check_catalogue_record(record)
                self._sources[record.code] = record
                self._names.sources.setdefault(record.code, 0)
            case LanguageRecord():
                check_catalogue_record(record)
                self._languages[record.code] = record
                self._names.languages.setdefault(record.code, 0)
            case IdeaRecord():
                convert_idea(record, self._names)
                yield self._build_submission(record, {record.source, *(word.source or "" for word in record.words)})
            case PhraseRecord():
                convert_phrase(record, self._names)
                yield self._build_submission(record, {record.source})
            case CardSetRecord():
                yield from self._convert_cards(record)
            case FormsRecord():
                yield from self._convert_forms(record)
            case FrequencyRecord():
                convert_frequency(record, self._names)
                self.omitted[OmissionReason.FREQUENCY] += 1

    def _convert_cards(self, record: CardSetRecord) -> Iterator[RecordSubmission]:
        """Yield a submission per card, each with its set, so that one bad card does not affect the others."""
        convert_card_set(record, self._names)
        for card in record.cards:
            single_card_set = msgspec.structs.replace(record, cards=(card,))
            if self._database.read_now(partial(check_cards, record=single_card_set)) is Presence.COMPLETE:
                self.omitted[OmissionReason.ALREADY_STORED] += 1
            else:
                yield self._build_submission(single_card_set, {record.source})

    def _convert_forms(self, record: FormsRecord) -> Iterator[RecordSubmission]:
        new_forms(record, self._names)
        match self._database.read_now(partial(check_forms, record=record)):
            case Presence.NO_WORD:
                self.omitted[OmissionReason.NO_WORD] += 1
            case Presence.COMPLETE:
                self.omitted[OmissionReason.ALREADY_STORED] += 1
            case Presence.INCOMPLETE:
                # If the word is gone at approval time, the editor gets an error.
                yield self._build_submission(msgspec.structs.replace(record, optional=False), set())

    def _build_submission(self, record: ReviewedRecord, sources: set[str]) -> RecordSubmission:
        return RecordSubmission(
            RecordData(
                record,
                tuple(self._sources[code] for code in sorted(sources) if code in self._sources),
                tuple(
                    self._languages[code]
                    for code in sorted(set(iter_language_codes(record)))
                    if code in self._languages
                ),
            )
        )

    def _reject(self, fault: RecordError) -> None:
        self.rejected += 1
        self._on_reject(fault)
        if len(self.errors) < MAX_SUBMISSIONS:
            self.errors.append(fault)


class _StoreCounts(NamedTuple):
    """The numbers of submissions that were stored, had been stored before, or would not change the dictionary."""

    pending: int
    already_submitted: int
    already_stored: int


def _store_submissions(connection: WriteConnection, *, submissions: list[RecordSubmission], now: int) -> _StoreCounts:
    """Store the submissions that are not stored yet and would change the dictionary; return the counts."""
    submissions_by_mark = {_build_mark(one): one for one in submissions}
    stored_marks = find_existing_marks(connection, submissions_by_mark)
    unsubmitted = [one for mark, one in submissions_by_mark.items() if mark not in stored_marks]
    to_store = _drop_existing(connection, unsubmitted, now)
    for submission in to_store:
        new = NewSubmission(Kind.RECORD, encode_submission(submission), None, _build_mark(submission))
        submission_id, _ = add_submission(connection, new, now)
        ref = RecordRef("submission", str(submission_id))
        change = Change(ref, None, SubmissionState(str(Status.PENDING)))
        write_entry(connection, HistoryEntry(HistoryAction.SUBMITTED, None, now, ref), [change])
    return _StoreCounts(len(to_store), len(submissions) - len(unsubmitted), len(unsubmitted) - len(to_store))


def _build_mark(submission: RecordSubmission) -> str:
    record = submission.data.record
    if isinstance(record, ListValueRecord):
        return build_value_mark(record.list, record.value)
    return PERMANENT_MARK_PREFIX + hashlib.sha256(encode_submission(submission).encode()).hexdigest()


def _drop_existing(
    connection: WriteConnection, submissions: list[RecordSubmission], now: int
) -> list[RecordSubmission]:
    """Drop ideas and proverbs that the dictionary already has, by importing them and rolling back.

    An import reports only how many are unchanged, so they are found by bisection.
    """
    unchanged = _count_unchanged(connection, submissions, now)
    if unchanged in {0, len(submissions)}:
        return [] if unchanged else submissions
    middle = len(submissions) // 2
    return [
        *_drop_existing(connection, submissions[:middle], now),
        *_drop_existing(connection, submissions[middle:], now),
    ]


def _count_unchanged(connection: WriteConnection, submissions: list[RecordSubmission], now: int) -> int:
    trial = connection.begin_nested()
    try:
        return load_in_transaction(
            connection,
            [located for submission in submissions for located in collect_records(submission.data)],
            BulkLoadOptions(now),
        ).unchanged
    finally:
        trial.rollback()
