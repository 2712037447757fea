"""Import of recordings from a folder with a list of its files: each is processed like an upload, for review."""

import asyncio
import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from abhidhan.formats.recording_lists import ListedRecording, find_list, find_unlisted_files, read_list
from abhidhan.media.service.recording_manifest import (
    RecordingDefaults,
    ResolvedRecording,
    format_problems,
    resolve_file,
    resolve_row,
)
from abhidhan.media.service.recordings import Recordings
from abhidhan.media.store import recordings
from abhidhan.media.store.recordings import NewRecording
from abhidhan.platform.database.compiled_queries import chunks
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.platform.sandbox.object_store import create_key
from abhidhan.records.errors import ConflictError, InputError
from abhidhan.records.import_records import RecordError
from abhidhan.records.people import Permission, Person, require_permission
from abhidhan.records.recordings import ProcessedRecording
from abhidhan.records.submissions import Status, build_key_mark
from abhidhan.records.uploads import UploadedFile

BATCH_SIZE: Final = 8
"""Number of files that are in memory at a time, and decoded concurrently."""

OnProgress = Callable[[int, int], None]
"""Callback that receives the number of finished rows and the total."""


class RecordingImport(msgspec.Struct, frozen=True):
    """Options of an import: a folder or list, the defaults for all rows, and how to store the recordings.

    `person` is the owner, who may withdraw the recordings; None only in a dry run. With `approve`, this user also
    approves them.
    """

    path: Path
    person: Person | None
    defaults: RecordingDefaults = RecordingDefaults()
    encoding: str | None = None
    dry_run: bool = False
    approve: bool = False


class RecordingReport(msgspec.Struct):
    """Result of an import, or of a dry run: numbers of rows by outcome.

    `already_imported` counts rows of an earlier import, and repeated rows. `unlisted_files` are files without a row.
    """

    rows: int = 0
    new: int = 0
    already_imported: int = 0
    approved: int = 0
    milliseconds: int = 0
    clipped: int = 0
    errors: list[RecordError] = []
    unlisted_files: list[str] = []


class RecordingList(NamedTuple):
    """A list of recordings: its name, the folder of its files, and its rows."""

    name: str
    folder: Path
    rows: Sequence[ListedRecording | RecordError]


class _KeyedRecording(NamedTuple):
    """A resolved row with its idempotency key, and the recording that an earlier import has stored under this key."""

    resolved: ResolvedRecording
    key: str
    earlier: recordings.ImportedRecording | None


async def import_recordings(
    database: Database,
    recordings: Recordings,
    options: RecordingImport,
    on_progress: OnProgress = lambda _done, _of: None,
) -> RecordingReport:
    """Import the recordings of a list. Repeating an import changes nothing, but completes an interrupted one.

    Raises InputError for an unreadable list, ForbiddenError, UnavailableError.
    """
    file = find_list(options.path)
    rows = list(read_list(file, options.encoding))
    report = await import_list(database, recordings, options, RecordingList(file.name, file.parent, rows), on_progress)
    report.unlisted_files = find_unlisted_files(file.parent, set(_iter_listed_files(rows, file.parent)))
    return report


async def import_list(
    database: Database,
    recordings: Recordings,
    options: RecordingImport,
    recording_list: RecordingList,
    on_progress: OnProgress = lambda _done, _of: None,
) -> RecordingReport:
    """Import the recordings of parsed rows. Raises the same errors as `import_recordings`."""
    if options.person is not None:
        require_permission(options.person, Permission.REVIEW if options.approve else Permission.SUBMIT_RECORDING)
    running_import = _RunningImport(database, recordings, options, recording_list)
    for batch in chunks(recording_list.rows, BATCH_SIZE):
        await running_import.import_batch(batch)
        on_progress(running_import.report.rows, len(recording_list.rows))
    return running_import.report


def _iter_listed_files(rows: Iterable[ListedRecording | RecordError], folder: Path) -> Iterator[Path]:
    for row in rows:
        if isinstance(row, ListedRecording) and row.file:
            try:
                yield resolve_file(folder, row.file)
            except InputError:
                continue


class _RunningImport:
    """An import in progress: it processes rows in batches and collects the report."""

    def __init__(
        self, database: Database, recordings: Recordings, options: RecordingImport, recording_list: RecordingList
    ) -> None:
        self._database = database
        self._recordings = recordings
        self._options = options
        self._list = recording_list
        self._seen_keys: set[str] = set()
        self.report = RecordingReport()

    async def import_batch(self, rows: Iterable[ListedRecording | RecordError]) -> None:
        """Import a batch of rows: resolve them, decode new ones concurrently, and store them in the list's order."""
        resolved = [recording for row in rows if (recording := await self._resolve(row))]
        new_recordings = [
            recording for recording in resolved if recording.earlier is None and recording.key not in self._seen_keys
        ]
        decoded = await asyncio.gather(*(self._decode(recording.resolved) for recording in new_recordings))
        processed = dict(zip((recording.key for recording in new_recordings), decoded, strict=True))
        for recording in resolved:
            await self._store_and_count(recording, processed)

    async def _resolve(self, row: ListedRecording | RecordError) -> _KeyedRecording | None:
        self.report.rows += 1
        if isinstance(row, RecordError):
            self.report.errors.append(row)
            return None
        try:
            return await self._database.read(partial(self._resolve_row, row=row), long=True)
        except InputError as error:
            self._report_error(row.line, row.file, error)
            return None

    def _resolve_row(self, connection: ReadConnection, row: ListedRecording) -> _KeyedRecording:
        resolved = resolve_row(connection, row, self._list.folder, self._options.defaults)
        key = build_import_mark(self._options.person, resolved)
        return _KeyedRecording(resolved, key, recordings.find_imported(connection, key))

    async def _decode(self, resolved: ResolvedRecording) -> ProcessedRecording | InputError:
        try:
            return await self._recordings.process(UploadedFile(file=resolved.content))
        except InputError as error:
            return error

    async def _store_and_count(
        self, recording: _KeyedRecording, processed: dict[str, ProcessedRecording | InputError]
    ) -> None:
        """Store a new recording, and count the outcome.

        A conflict with concurrent changes, such as a deleted word, is reported for the row.
        """
        try:
            if recording.earlier is None and recording.key not in self._seen_keys:
                await self._store_new(recording, processed[recording.key])
                return
            self.report.already_imported += 1
            if recording.earlier is not None and recording.earlier.status is Status.PENDING:
                await self._approve(recording.earlier.id)
        except ConflictError as error:
            self._report_error(recording.resolved.line, recording.resolved.file, InputError.of("file", error.message))

    async def _store_new(self, recording: _KeyedRecording, decoded: ProcessedRecording | InputError) -> None:
        if isinstance(decoded, InputError):
            self._report_error(recording.resolved.line, recording.resolved.file, decoded)
            return
        self._seen_keys.add(recording.key)
        stored = None
        if self._options.person is not None and not self._options.dry_run:
            stored = await self._recordings.store(
                _build_new_recording(self._options.person, recording), decoded, quotas=None
            )
        self.report.new += 1
        self.report.milliseconds += decoded.milliseconds
        self.report.clipped += decoded.clipped
        if stored is not None:
            await self._approve(stored.submission_id)

    async def _approve(self, recording_id: int) -> None:
        if self._options.approve and self._options.person is not None and not self._options.dry_run:
            await self._recordings.approve(self._options.person, recording_id)
            self.report.approved += 1

    def _report_error(self, line: int, file: str, error: InputError) -> None:
        self.report.errors.append(RecordError(self._list.name, line, format_problems(file, error)))


def build_import_mark(person: Person | None, resolved: ResolvedRecording) -> str:
    """Build the idempotency key of an imported recording from its owner, its bytes, and the word or text spoken."""
    subject = resolved.subject
    target_key = (subject.word_id, subject.phrase_id, subject.idea_id, subject.spoken if subject.idea_id else "")
    # The speaker is not part of the key: a second list may give another name for the same recording.
    digest = hashlib.sha256(resolved.content).hexdigest()
    return build_key_mark(person.id if person else 0, f"import {target_key} {digest}")


def _build_new_recording(person: Person, recording: _KeyedRecording) -> NewRecording:
    resolved = recording.resolved
    return NewRecording(
        resolved.subject, person.id, resolved.speaker, resolved.place, create_key(), recording.key, resolved.licence
    )
