"""Photos: submitted, shown to moderators, decided on, served, and thrown away; and their files held to their rows."""

import asyncio
import secrets
import time
from collections.abc import Callable, Coroutine, Iterable
from functools import partial
from typing import Any, Final, TypeVar

import msgspec
import structlog

from abhidhan.domain.licences import DEFAULT_LICENCE
from abhidhan.domain.people import Permission, Person, require
from abhidhan.domain.photos import MEDIA_TYPES, THUMBNAIL, PhotoName, ProcessedPhoto
from abhidhan.domain.submissions import Quotas, Status, Step, clean_reason, mark_of_key
from abhidhan.errors import (
    AbhidhanError,
    ForbiddenError,
    NotFoundError,
    UnavailableError,
    sentence,
)
from abhidhan.media.files import FOLDERS, PhotoFiles, StoredFile, file_name, key_of, new_key, thumbnail_name
from abhidhan.media.processing import Processor
from abhidhan.services.contributions.photo_checks import CheckedPhoto, PhotoChecks
from abhidhan.services.contributions.photo_steps import decide_photo, mark_lost, store_photo
from abhidhan.services.contributions.photo_views import (
    OpenedPhoto,
    PhotoPage,
    PhotoSubmission,
    SentPhoto,
    list_photos,
    list_photos_of_ideas,
    show_photo,
)
from abhidhan.storage import photos as stored
from abhidhan.storage.engine.database import Database, Writer
from abhidhan.storage.photos import Decision, NewPhoto, PhotoRow

T = TypeVar("T")

DAY: Final = 86_400
PURGED_AT_ONCE: Final = 100
PURGED_EVERY: Final = 3600
"""Seconds between two rounds of throwing away bytes that are kept no longer."""

GRACE_SECONDS: Final = 3600
"""A file without a row may belong to a photo that is being submitted: so long it is left alone."""

SWEPT_AT_ONCE: Final = 5_000
FOLDERS_SWEPT_AT_ONCE: Final = 32
"""Files and folders that one round of sweeping looks at, or the files of one folder if it has more: of a million, each
of 256 folders has 4,000, and all have been looked at after some days. An object store is asked once for each folder."""

_log = structlog.get_logger("abhidhan.photos")


class Checked(msgspec.Struct, frozen=True):
    """What a check of files against rows has found: files that no photo has, and photos whose file is lost."""

    files: int
    orphans: tuple[str, ...]
    lost: tuple[int, ...]
    mended: bool


class Photos:
    """Everything that is done with photos. Each method is one job."""

    def __init__(  # noqa: PLR0913  # each is one independent part, named where it is given
        self,
        database: Database,
        files: PhotoFiles,
        processor: Processor[ProcessedPhoto],
        *,
        rejected_days: int = 30,
        quotas: Quotas = Quotas(),  # noqa: B008  # frozen
        licence: str = DEFAULT_LICENCE,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Put the parts together. What is sent is under `licence`; the bytes of rejected photos go after a while."""
        self._database = database
        self._files = files
        self._processor = processor
        self._checks = PhotoChecks(database, processor, licence)
        self._rejected_seconds = rejected_days * DAY
        self._quotas = quotas
        self.licence = licence
        self._clock = clock
        self._kept: set[asyncio.Task[Any]] = set()
        # Workers begin at different folders, and a server that is started often does not see the same ones each time.
        self._swept = secrets.randbelow(FOLDERS)

    def now(self) -> int:
        """Return the time in whole seconds since 1970."""
        return int(self._clock())

    # --- submitting -----------------------------------------------------------------------------------------------

    async def submit(self, person: Person, sent: SentPhoto) -> PhotoSubmission:
        """Check a photo and all that came with it, and keep it for review.

        Raises InputError with everything that is wrong, ForbiddenError, UnavailableError, QuotaError when too many of
        the person's wait, ReusedKeyError when the client's key came with another request; nothing is kept then.
        """
        require(person, Permission.SUBMIT_PHOTO)
        subject, checked = await self._checks.everything(person, sent)
        shown = str(subject.idea_id) if subject.idea_id else f"word:{subject.submission_id}"
        mark = self._mark(person, sent, shown.encode(), checked.credit.encode())
        new = NewPhoto(subject.idea_id, person.id, checked.credit, new_key(), mark, self.licence, subject.submission_id)
        job = partial(store_photo, new=new, processed=checked.processed, now=self.now(), quotas=self.quotas_of(person))
        return await self.show(await self.keep(new.key, checked.processed, job))

    def _mark(self, person: Person, sent: SentPhoto, *said: bytes) -> str | None:
        if not sent.idempotency_key:
            return None
        return mark_of_key(person.id, sent.idempotency_key, *said, sent.photo or b"")

    def quotas_of(self, person: Person) -> Quotas | None:
        """Return how much of a person's may wait. Who decides on what others send has no queue of their own."""
        return None if person.may(Permission.REVIEW) else self._quotas

    async def checked(self, sent: SentPhoto) -> CheckedPhoto:
        """Check a photo, but not what it shows. Raises InputError with everything that is wrong, UnavailableError."""
        return await self._checks.photo(sent)

    async def keep(self, key: str, processed: ProcessedPhoto, job: Callable[[Writer], tuple[int, bool]]) -> int:
        """Keep the files of a photo, and do the job that stores its row: it tells an ID, and whether the row is new."""
        # Once files are being written, the job is finished even if the client hangs up: else a row could lose them.
        return await self._to_its_end(self._keep(key, processed, job))

    async def _keep(self, key: str, processed: ProcessedPhoto, job: Callable[[Writer], tuple[int, bool]]) -> int:
        """Write the files first and the row last: what there is a row of, there are files of."""
        await self._files.keep(key, processed)
        try:
            stored_id, fresh = await self._database.write(job, public=False)
        except BaseException:
            await self._files.forget_if_possible(key, processed.extension)
            raise
        if not fresh:
            await self._files.forget_if_possible(key, processed.extension)
        return stored_id

    async def _to_its_end(self, work: Coroutine[object, object, T]) -> T:
        task = asyncio.ensure_future(work)
        self._kept.add(task)
        task.add_done_callback(self._kept.discard)
        return await asyncio.shield(task)

    # --- looking --------------------------------------------------------------------------------------------------

    async def show(self, photo_id: int, *, with_alike: bool = False) -> PhotoSubmission:
        """Show one submitted photo, if wanted with those that are like it. Raises NotFoundError."""
        return await self._database.read(partial(show_photo, photo_id=photo_id, with_alike=with_alike), long=True)

    async def show_to(self, person: Person, photo_id: int) -> PhotoSubmission:
        """Show one submitted photo to its submitter or a moderator. Raises NotFoundError, ForbiddenError."""
        row = await self._row(photo_id)
        if row.person_id != person.id:
            require(person, Permission.REVIEW)
        return await self.show(photo_id, with_alike=person.may(Permission.REVIEW))

    async def list_for(self, person: Person, status: Status | None, limit: int, offset: int) -> PhotoPage:
        """List submitted photos: moderators see all, others their own."""
        owner = None if person.may(Permission.REVIEW) else person.id
        job = partial(list_photos, status=status, person_id=owner, limit=limit, offset=offset)
        return await self._database.read(job, long=True)

    async def list_queue(self, person: Person, limit: int) -> PhotoPage:
        """List the photos that wait by themselves; those that came with a word wait with it. Raises ForbiddenError."""
        require(person, Permission.REVIEW)
        return await self._database.read(partial(list_photos_of_ideas, limit=limit), long=True)

    async def list_all(self, status: Status | None, limit: int, offset: int = 0) -> PhotoPage:
        """List submitted photos of everybody, for whoever has the machine itself."""
        job = partial(list_photos, status=status, person_id=None, limit=limit, offset=offset)
        return await self._database.read(job, long=True)

    async def open(self, name: PhotoName, person: Person | None) -> OpenedPhoto:
        """Open the bytes of a photo: approved ones for anybody, others for their submitter and moderators.

        Raises NotFoundError, also where somebody may not know that there is such a photo; UnavailableError.
        """
        row = await self._database.read(partial(stored.find_photo, photo_id=name.photo_id))
        extension = THUMBNAIL.extension if name.thumbnail else row.extension if row else ""
        public = row is not None and row.status == Status.APPROVED
        if row is None or row.purged or name.extension != extension or not (public or _may_see(person, row)):
            raise NotFoundError(sentence("There is no such photo."))
        opened = await self._files.open(thumbnail_name(row.key) if name.thumbnail else file_name(row.key, extension))
        if opened is None:
            _log.error("the file of a photo is lost", photo=row.id)
            raise NotFoundError(sentence("There is no such photo."))
        tag = f'"{row.sha256[:24]}{"-thumb" if name.thumbnail else ""}"'
        return OpenedPhoto(*opened, MEDIA_TYPES[extension], tag, public)

    # --- deciding -------------------------------------------------------------------------------------------------

    async def approve(self, person: Person, photo_id: int) -> PhotoSubmission:
        """Let the world see a photo. Raises ForbiddenError, NotFoundError, ConflictError when it is decided already."""
        require(person, Permission.REVIEW)
        return await self._decide(person, photo_id, Step.APPROVE, None)

    async def reject(self, person: Person, photo_id: int, reason: str) -> PhotoSubmission:
        """Refuse a photo, for a reason that its submitter reads. Raises as `approve` does, and InputError."""
        require(person, Permission.REVIEW)
        return await self._decide(person, photo_id, Step.REJECT, clean_reason(reason))

    async def withdraw(self, person: Person, photo_id: int) -> PhotoSubmission:
        """Take one's own photo back; its bytes are thrown away at once. Raises as `approve` does."""
        row = await self._row(photo_id)
        if row.person_id != person.id:
            raise ForbiddenError(sentence("Only the person who submitted a photo can withdraw it."))
        await self._decide(person, photo_id, Step.WITHDRAW, None)
        await self._throw_away([row])
        return await self.show(photo_id)

    async def _decide(self, person: Person, photo_id: int, step: Step, reason: str | None) -> PhotoSubmission:
        decision = Decision(Status.PENDING, reason, person.id, self.now())
        job = partial(decide_photo, photo_id=photo_id, step=step, decision=decision)
        await self._database.write(job, public=step is Step.APPROVE)
        return await self.show(photo_id, with_alike=person.may(Permission.REVIEW))

    async def _row(self, photo_id: int) -> PhotoRow:
        row = await self._database.read(partial(stored.find_photo, photo_id=photo_id))
        if row is None:
            raise NotFoundError(sentence("There is no photo with the ID %(photo_id)s.", photo_id=photo_id))
        return row

    # --- keeping house --------------------------------------------------------------------------------------------

    async def purge(self) -> int:
        """Throw away the bytes of photos withdrawn, or rejected long enough ago; return how many."""
        decided = self.now() - self._rejected_seconds
        job = partial(stored.purgeable_photos, decided=decided, limit=PURGED_AT_ONCE)
        return await self._throw_away(await self._database.read(job, long=True))

    async def sweep(self) -> int:
        """Remove files of ours that no row names, folder by folder, as many as one round looks at; return how many.

        A crash between writing the files of a photo and its row leaves them. Young files are left alone: their row
        may be about to be written.
        """
        seen = gone = 0
        for _ in range(FOLDERS_SWEPT_AT_ONCE):
            files = await self._files.list_folder(self._swept)
            # Rows are read after files are listed: a file that was old by then has had its row for long.
            orphans = await self._orphans_among(files)
            await self._files.remove(orphans)
            self._swept = (self._swept + 1) % FOLDERS
            seen, gone = seen + len(files), gone + len(orphans)
            if seen >= SWEPT_AT_ONCE:
                break
        return gone

    async def _orphans_among(self, files: Iterable[StoredFile]) -> list[str]:
        old = self.now() - GRACE_SECONDS
        names = [file.name for file in files if file.written < old]
        keys = {name: key for name in names if (key := key_of(name))}
        if not keys:
            return []
        job = partial(stored.known_keys, keys=sorted(set(keys.values())))
        known = await self._database.read(job, long=True)
        return [name for name, key in keys.items() if key not in known]

    async def keep_house(self) -> None:
        """Purge and sweep now and then, until cancelled."""
        while True:
            for work in (self.purge, self.sweep):
                try:
                    await work()
                except AbhidhanError as error:
                    _log.warning("photos that are kept no longer could not be thrown away", reason=str(error))
            await asyncio.sleep(PURGED_EVERY)

    async def check(self, *, mend: bool = False) -> Checked:
        """Hold files and rows to each other. To mend is to remove orphaned files and reject photos that are lost."""
        rows = await self._database.read(stored.kept_photos, long=True)
        # Files are listed after rows are read: the file of a photo submitted meanwhile is an orphan, but a young one.
        files = await self._files.list()
        present = {file.name for file in files}
        own = {name for row in rows for name in _names_of(row)}
        old = self.now() - GRACE_SECONDS
        orphans = sorted(file.name for file in files if file.name not in own and file.written < old)
        lost = [row for row in rows if not present.issuperset(_names_of(row))]
        if mend:
            await self._files.remove(orphans)
            for row in lost:
                await self._files.forget(row.key, row.extension)
            await self._database.write(partial(mark_lost, rows=lost, now=self.now()))
        return Checked(len(files), tuple(orphans), tuple(row.id for row in lost), mend)

    async def _throw_away(self, rows: Iterable[PhotoRow]) -> int:
        gone = []
        for row in rows:
            try:
                await self._files.forget(row.key, row.extension)
            except UnavailableError:
                continue
            gone.append(row.id)
        if gone:
            await self._database.write(partial(stored.note_purged, photo_ids=gone, now=self.now()), public=False)
        return len(gone)

    async def close(self) -> None:
        """Finish what has been begun."""
        await asyncio.gather(*self._kept, return_exceptions=True)
        self._processor.close()


def _may_see(person: Person | None, row: PhotoRow) -> bool:
    return person is not None and (row.person_id == person.id or person.may(Permission.REVIEW))


def _names_of(row: PhotoRow) -> tuple[str, str]:
    return file_name(row.key, row.extension), thumbnail_name(row.key)
