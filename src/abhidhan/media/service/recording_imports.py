"""Import of recordings from a folder with a list: they are processed like uploads, and stored for review."""

import asyncio
import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from abhidhan.formats.recording_lists import ListedRecording, find_list, read_list, unlisted
from abhidhan.media.service.recording_manifest import ReadyRecording, Told, file_within, make_ready, refusal_of
from abhidhan.media.service.recordings import Recordings
from abhidhan.media.store import recordings
from abhidhan.media.store.recordings import NewRecording
from abhidhan.platform.database.compiled_queries import chunks
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import Reader
from abhidhan.platform.sandbox.object_store import new_key
from abhidhan.records.errors import ConflictError, InputError
from abhidhan.records.import_records import Fault
from abhidhan.records.people import Permission, Person, require
from abhidhan.records.recordings import ProcessedRecording
from abhidhan.records.submissions import Status, mark_of_key
from abhidhan.records.uploads import SentFile

AT_ONCE: Final = 8
"""Number of files that are held in memory and decoded concurrently."""

OnProgress = Callable[[int, int], None]
"""Callback with the number of finished rows and the total."""


class RecordingImport(msgspec.Struct, frozen=True):
    """Options of an import: a folder or list, the defaults for all rows, and how to store the recordings.

    `person` is the owner, who may withdraw the recordings; None only in a dry run. With `approve`, this user also
    approves them.
    """

    path: Path
    person: Person | None
    told: Told = Told()
    encoding: str | None = None
    dry_run: bool = False
    approve: bool = False


class RecordingReport(msgspec.Struct):
    """Result of an import, or of a dry run: numbers of rows by outcome.

    `before` counts rows of an earlier import, and repeated rows. `left_out` are files without a row.
    """

    rows: int = 0
    new: int = 0
    before: int = 0
    approved: int = 0
    milliseconds: int = 0
    clipped: int = 0
    faults: list[Fault] = []
    left_out: list[str] = []


class RecordingList(NamedTuple):
    """A list of recordings: its name, the folder of its files, and its rows."""

    name: str
    folder: Path
    rows: Sequence[ListedRecording | Fault]


class _Marked(NamedTuple):
    """A recording with its idempotency key, and the recording that an earlier import has stored under it."""

    ready: ReadyRecording
    once: str
    before: recordings.SentBefore | None


async def import_recordings(
    database: Database,
    recordings: Recordings,
    wanted: RecordingImport,
    on_progress: OnProgress = lambda _done, _of: None,
) -> RecordingReport:
    """Import the recordings of a list. Repeating an import changes nothing, but completes an interrupted one.

    Raises InputError for an unreadable list, ForbiddenError, UnavailableError.
    """
    file = find_list(wanted.path)
    rows = list(read_list(file, wanted.encoding))
    report = await import_listed(database, recordings, wanted, RecordingList(file.name, file.parent, rows), on_progress)
    report.left_out = unlisted(file.parent, set(_files_of(rows, file.parent)))
    return report


async def import_listed(
    database: Database,
    recordings: Recordings,
    wanted: RecordingImport,
    listed: RecordingList,
    on_progress: OnProgress = lambda _done, _of: None,
) -> RecordingReport:
    """Import the recordings of parsed rows. Raises the same errors as `import_recordings`."""
    if wanted.person is not None:
        require(wanted.person, Permission.REVIEW if wanted.approve else Permission.SUBMIT_RECORDING)
    work = _Work(database, recordings, wanted, listed)
    for some in chunks(listed.rows, AT_ONCE):
        await work.take(some)
        on_progress(work.report.rows, len(listed.rows))
    return work.report


def _files_of(rows: Iterable[ListedRecording | Fault], folder: Path) -> Iterator[Path]:
    for row in rows:
        if isinstance(row, ListedRecording) and row.file:
            try:
                yield file_within(folder, row.file)
            except InputError:
                continue


class _Work:
    """An import in progress, which takes rows in batches and collects the report."""

    def __init__(
        self, database: Database, recordings: Recordings, wanted: RecordingImport, listed: RecordingList
    ) -> None:
        self._database = database
        self._recordings = recordings
        self._wanted = wanted
        self._list = listed
        self._seen: set[str] = set()
        self.report = RecordingReport()

    async def take(self, rows: Iterable[ListedRecording | Fault]) -> None:
        """Import a batch of rows: resolve them, decode new ones concurrently, and store them in the list's order."""
        marked = [each for row in rows if (each := await self._marked(row))]
        fresh = [each for each in marked if each.before is None and each.once not in self._seen]
        decoded = await asyncio.gather(*(self._decoded(each.ready) for each in fresh))
        processed = dict(zip((each.once for each in fresh), decoded, strict=True))
        for each in marked:
            await self._keep(each, processed)

    async def _marked(self, row: ListedRecording | Fault) -> _Marked | None:
        self.report.rows += 1
        if isinstance(row, Fault):
            self.report.faults.append(row)
            return None
        try:
            return await self._database.read(partial(self._look_up, row=row), long=True)
        except InputError as error:
            self._note(row.line, row.file, error)
            return None

    def _look_up(self, reader: Reader, row: ListedRecording) -> _Marked:
        ready = make_ready(reader, row, self._list.folder, self._wanted.told)
        once = mark_of(self._wanted.person, ready)
        return _Marked(ready, once, recordings.sent_before(reader, once))

    async def _decoded(self, ready: ReadyRecording) -> ProcessedRecording | InputError:
        try:
            return await self._recordings.processed(SentFile(file=ready.content))
        except InputError as error:
            return error

    async def _keep(self, each: _Marked, processed: dict[str, ProcessedRecording | InputError]) -> None:
        """Store a new recording, and count the outcome.

        A conflict with concurrent changes, such as a deleted word, is reported for the row.
        """
        try:
            if each.before is None and each.once not in self._seen:
                await self._keep_new(each, processed[each.once])
                return
            self.report.before += 1
            if each.before is not None and each.before.status is Status.PENDING:
                await self._approve(each.before.id)
        except ConflictError as error:
            self._note(each.ready.line, each.ready.file, InputError.of("file", error.said))

    async def _keep_new(self, each: _Marked, decoded: ProcessedRecording | InputError) -> None:
        if isinstance(decoded, InputError):
            self._note(each.ready.line, each.ready.file, decoded)
            return
        self._seen.add(each.once)
        stored = None
        if self._wanted.person is not None and not self._wanted.dry_run:
            stored = await self._recordings.store(_new(self._wanted.person, each), decoded, quotas=None)
        self.report.new += 1
        self.report.milliseconds += decoded.milliseconds
        self.report.clipped += decoded.clipped
        if stored is not None:
            await self._approve(stored.submission_id)

    async def _approve(self, recording_id: int) -> None:
        if self._wanted.approve and self._wanted.person is not None and not self._wanted.dry_run:
            await self._recordings.approve(self._wanted.person, recording_id)
            self.report.approved += 1

    def _note(self, line: int, file: str, error: InputError) -> None:
        self.report.faults.append(Fault(self._list.name, line, refusal_of(file, error)))


def mark_of(person: Person | None, ready: ReadyRecording) -> str:
    """Return the idempotency key of an imported recording, by its owner, its bytes, and its subject."""
    subject = ready.subject
    named = (subject.word_id, subject.phrase_id, subject.idea_id, subject.spoken if subject.idea_id else "")
    # The speaker is not part of the key: a second list may give another name for the same recording.
    digest = hashlib.sha256(ready.content).hexdigest()
    return mark_of_key(person.id if person else 0, f"import {named} {digest}")


def _new(person: Person, each: _Marked) -> NewRecording:
    ready = each.ready
    return NewRecording(ready.subject, person.id, ready.speaker, ready.place, new_key(), each.once, ready.licence)
