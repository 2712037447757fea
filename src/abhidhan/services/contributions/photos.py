"""Photos: submitted, shown to moderators, decided on, served, and thrown away; and their files held to their rows."""

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable, Mapping
from functools import partial
from typing import Any, Final, NamedTuple, TypeVar

import msgspec
import structlog

from abhidhan.domain.history import Action, Change, PhotoState, RecordName
from abhidhan.domain.people import Permission, Person, require
from abhidhan.domain.photos import (
    MEDIA_TYPES,
    THUMBNAIL,
    Developed,
    PhotoName,
    Refusal,
    RefusedPhotoError,
    clean_credit,
    photo_address,
    read_idea_id,
    thumbnail_address,
)
from abhidhan.domain.submissions import Quotas, Status, Step, clean_reason, mark_of_key, next_status
from abhidhan.errors import (
    AbhidhanError,
    ForbiddenError,
    InputError,
    NotFoundError,
    Problem,
    UnavailableError,
    sentence,
)
from abhidhan.media.darkroom import Darkroom
from abhidhan.media.files import FOLDERS, PhotoFiles, StoredFile, file_name, key_of, new_key, thumbnail_name
from abhidhan.services.contributions.quotas import allow_photo, earlier
from abhidhan.storage import photos as stored
from abhidhan.storage.engine.database import Database, Reader, Writer
from abhidhan.storage.history import Entry, write_entry
from abhidhan.storage.photos import Alike, Decision, NewPhoto, PhotoRow
from abhidhan.storage.waiting import Waiting, lock_person

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

LOST: Final = "The file of this photo is lost."

ACTIONS: Final[Mapping[Step, Action]] = {
    Step.APPROVE: Action.PHOTO_APPROVED,
    Step.REJECT: Action.PHOTO_REJECTED,
    Step.WITHDRAW: Action.PHOTO_WITHDRAWN,
    Step.LOSE: Action.PHOTO_REJECTED,
}

_log = structlog.get_logger("abhidhan.photos")


class SentPhoto(msgspec.Struct, frozen=True):
    """What came with a submission, field by field as it was sent; None where a field did not come.

    `refusal` tells that the photo was refused while it was read. `problems` are those of fields that could not be
    read at all. `complete` is false when reading was given up before the end: fields may have followed. `once` is the
    client's own key for this submission, by which a repeated request is known.
    """

    idea_id: str | None
    credit: str | None
    photo: bytes | None
    refusal: Refusal | None = None
    problems: tuple[Problem, ...] = ()
    complete: bool = True
    once: str | None = None

    def to_be_checked(self, parameter: str, value: str | None) -> bool:
        """Return whether something can be said of a field: it came, or is known to be missing."""
        return (self.complete or value is not None) and all(each.parameter != parameter for each in self.problems)


class AlikePhoto(msgspec.Struct, frozen=True):
    """Another photo that is the same (`exact`) or looks nearly so: told to moderators, who decide."""

    submission_id: int
    status: Status
    idea_id: int
    exact: bool
    photo_url: str | None


class PhotoSubmission(msgspec.Struct, frozen=True):
    """A submitted photo as its submitter and moderators see it. `submitted` is in seconds since 1970."""

    submission_id: int
    status: Status
    idea_id: int
    credit: str
    reason: str | None
    submitted: int
    photo_url: str | None
    thumbnail_url: str | None
    width: int
    height: int
    duplicates: tuple[AlikePhoto, ...]


class PhotoPage(NamedTuple):
    """One page of submitted photos, and how many there are."""

    photos: tuple[PhotoSubmission, ...]
    total: int


class OpenedPhoto(NamedTuple):
    """The bytes of a photo or thumbnail: how many, and piece by piece, with their type and what may be told of them."""

    size: int
    pieces: AsyncIterator[bytes]
    media_type: str
    tag: str
    public: bool


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
        darkroom: Darkroom,
        *,
        rejected_days: int = 30,
        quotas: Quotas = Quotas(),  # noqa: B008  # frozen
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Put the parts together. The bytes of rejected photos go after `rejected_days`."""
        self._database = database
        self._files = files
        self._darkroom = darkroom
        self._rejected_seconds = rejected_days * DAY
        self._quotas = quotas
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
        idea_id, credit, developed = await self._checked(sent)
        said = (str(idea_id).encode(), credit.encode(), sent.photo or b"")
        mark = mark_of_key(person.id, sent.once, *said) if sent.once else None
        new = NewPhoto(idea_id, person.id, credit, new_key(), mark)
        # Who decides on what others send has no queue before their own door.
        quotas = None if person.may(Permission.REVIEW) else self._quotas
        # Once files are being written, the job is finished even if the client hangs up: else a row could lose them.
        return await self._to_its_end(self._keep(new, developed, quotas))

    async def _checked(self, sent: SentPhoto) -> tuple[int, str, Developed]:
        problems = list(sent.problems)
        idea_id = credit = None
        if sent.to_be_checked("ideaID", sent.idea_id):
            idea_id = await _noting(problems, self._idea_id(sent.idea_id))
        if sent.to_be_checked("photoCredit", sent.credit):
            credit = await _noting(problems, _credit(sent.credit))
        developed = await _noting(problems, self._developed(sent))
        if problems or idea_id is None or credit is None or developed is None:
            raise InputError(*problems)
        return idea_id, credit, developed

    async def _idea_id(self, text: str | None) -> int:
        if text is None or not text.strip():
            raise InputError.of(
                "ideaID",
                sentence(
                    "`%(parameter)s` is missing: give the number of the idea that the photo shows.", parameter="ideaID"
                ),
            )
        idea_id = read_idea_id(text)
        if not await self._database.read(partial(stored.finds_idea, idea_id=idea_id)):
            raise InputError.of("ideaID", sentence("There is no idea with the ID %(idea_id)s.", idea_id=idea_id))
        return idea_id

    async def _developed(self, sent: SentPhoto) -> Developed:
        if sent.refusal or not sent.photo:
            raise RefusedPhotoError(sent.refusal or Refusal.MISSING)
        return await self._darkroom.develop(sent.photo)

    async def _keep(self, new: NewPhoto, developed: Developed, quotas: Quotas | None) -> PhotoSubmission:
        """Write the files first and the row last: what there is a row of, there are files of."""
        await self._files.keep(new.key, developed)
        try:
            job = partial(_stored, new=new, developed=developed, now=self.now(), quotas=quotas)
            photo_id, fresh = await self._database.write(job, public=False)
        except BaseException:
            await self._files.forget_if_possible(new.key, developed.extension)
            raise
        if not fresh:
            await self._files.forget_if_possible(new.key, developed.extension)
        return await self.show(photo_id)

    async def _to_its_end(self, work: Coroutine[object, object, T]) -> T:
        task = asyncio.ensure_future(work)
        self._kept.add(task)
        task.add_done_callback(self._kept.discard)
        return await asyncio.shield(task)

    # --- looking --------------------------------------------------------------------------------------------------

    async def show(self, photo_id: int, *, with_alike: bool = False) -> PhotoSubmission:
        """Show one submitted photo, if wanted with those that are like it. Raises NotFoundError."""
        return await self._database.read(partial(_shown, photo_id=photo_id, with_alike=with_alike), long=True)

    async def show_to(self, person: Person, photo_id: int) -> PhotoSubmission:
        """Show one submitted photo to its submitter or a moderator. Raises NotFoundError, ForbiddenError."""
        row = await self._row(photo_id)
        if row.person_id != person.id:
            require(person, Permission.REVIEW)
        return await self.show(photo_id, with_alike=person.may(Permission.REVIEW))

    async def list_for(self, person: Person, status: Status | None, most: int, skipped: int) -> PhotoPage:
        """List submitted photos: moderators see all, others their own."""
        owner = None if person.may(Permission.REVIEW) else person.id
        job = partial(_listed, status=status, person_id=owner, most=most, skipped=skipped)
        return await self._database.read(job, long=True)

    async def list_all(self, status: Status | None, most: int, skipped: int = 0) -> PhotoPage:
        """List submitted photos of everybody, for whoever has the machine itself."""
        job = partial(_listed, status=status, person_id=None, most=most, skipped=skipped)
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
        job = partial(_decided, photo_id=photo_id, step=step, decision=decision)
        await self._database.write(job, public=step is Step.APPROVE)
        return await self.show(photo_id, with_alike=person.may(Permission.REVIEW))

    async def _row(self, photo_id: int) -> PhotoRow:
        row = await self._database.read(partial(stored.find_photo, photo_id=photo_id))
        if row is None:
            raise NotFoundError(sentence("There is no photo with the ID %(photo_id)s.", photo_id=photo_id))
        return row

    # --- keeping house --------------------------------------------------------------------------------------------

    async def purge(self) -> int:
        """Throw away the bytes of photos withdrawn, or rejected long enough ago; tells how many."""
        decided = self.now() - self._rejected_seconds
        job = partial(stored.purgeable_photos, decided=decided, most=PURGED_AT_ONCE)
        return await self._throw_away(await self._database.read(job, long=True))

    async def sweep(self) -> int:
        """Remove files of ours that no row names, folder by folder, as many as one round looks at; tells how many.

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
            await self._database.write(partial(_mark_lost, rows=lost, now=self.now()))
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
        self._darkroom.close()


# --- the steps --------------------------------------------------------------------------------------------------------


async def _noting(problems: list[Problem], check: Awaitable[T]) -> T | None:
    """Make one check, and note what it finds wrong."""
    try:
        return await check
    except InputError as error:
        problems.extend(error.problems)
        return None


async def _credit(text: str | None) -> str:
    if text is None:
        raise InputError.of(
            "photoCredit",
            sentence(
                "`%(parameter)s` is missing: say who made the photo, in at least 2 characters.", parameter="photoCredit"
            ),
        )
    return clean_credit(text)


def _may_see(person: Person | None, row: PhotoRow) -> bool:
    return person is not None and (row.person_id == person.id or person.may(Permission.REVIEW))


def _names_of(row: PhotoRow) -> tuple[str, str]:
    return file_name(row.key, row.extension), thumbnail_name(row.key)


def _stored(
    connection: Writer, *, new: NewPhoto, developed: Developed, now: int, quotas: Quotas | None
) -> tuple[int, bool]:
    """Store a photo that waits for review, unless this very request has been here before: tells its ID, and which.

    Without a key of the client's, the same pixels of one idea by one person are the same request while they wait.
    """
    lock_person(connection, new.person_id)
    known = (
        earlier(connection, new.once, Waiting.PHOTO) if new.once else stored.find_waiting(connection, new, developed)
    )
    if known is not None:
        return known, False
    if quotas:
        allow_photo(connection, new.person_id, quotas)
    if not stored.idea_exists(connection, new.idea_id):
        raise InputError.of("ideaID", sentence("There is no idea with the ID %(idea_id)s.", idea_id=new.idea_id))
    photo_id = stored.add_photo(connection, new, developed, now)
    name = RecordName("photo", str(photo_id))
    change = Change(name, None, PhotoState(new.idea_id, str(Status.PENDING), new.credit))
    write_entry(connection, Entry(Action.PHOTO_SUBMITTED, new.person_id, now, name), [change])
    return photo_id, True


def _decided(connection: Writer, *, photo_id: int, step: Step, decision: Decision) -> None:
    """Take a step with a photo, and note it; the step says which status the decision gets."""
    row = stored.lock_photo(connection, photo_id)
    if row is None:
        raise NotFoundError(sentence("There is no photo with the ID %(photo_id)s.", photo_id=photo_id))
    status = next_status(Status(row.status), step)
    _change(connection, row, decision._replace(status=status), ACTIONS[step])


def _change(connection: Writer, row: PhotoRow, decision: Decision, action: Action) -> None:
    stored.decide_photo(connection, row.id, decision)
    name = RecordName("photo", str(row.id))
    before = PhotoState(row.idea_id, row.status, row.credit, row.reason)
    after = PhotoState(row.idea_id, str(decision.status), row.credit, decision.reason)
    write_entry(connection, Entry(action, decision.by, decision.at, name), [Change(name, before, after)])


def _mark_lost(connection: Writer, rows: Iterable[PhotoRow], now: int) -> None:
    for row in rows:
        if row.status in {Status.PENDING, Status.APPROVED}:
            lost = next_status(Status(row.status), Step.LOSE)
            _change(connection, row, Decision(lost, LOST, None, now), ACTIONS[Step.LOSE])
        stored.note_purged(connection, [row.id], now)


def _shown(reader: Reader, photo_id: int, *, with_alike: bool) -> PhotoSubmission:
    row = stored.find_photo(reader, photo_id)
    if row is None:
        raise NotFoundError(sentence("There is no photo with the ID %(photo_id)s.", photo_id=photo_id))
    # What is like one's own photo is the moderators' business: it may be another person's that still waits.
    return _as_submission(row, stored.alike_photos(reader, [row])[row.id] if with_alike else [])


def _listed(reader: Reader, *, status: Status | None, person_id: int | None, most: int, skipped: int) -> PhotoPage:
    rows, total = stored.list_photos(reader, status, person_id, most, skipped)
    alike = stored.alike_photos(reader, rows) if rows and person_id is None else {}
    return PhotoPage(tuple(_as_submission(row, alike.get(row.id, [])) for row in rows), total)


def _as_submission(row: PhotoRow, alike: Iterable[Alike]) -> PhotoSubmission:
    return PhotoSubmission(
        submission_id=row.id,
        status=Status(row.status),
        idea_id=row.idea_id,
        credit=row.credit,
        reason=row.reason,
        submitted=row.submitted,
        photo_url=None if row.purged else photo_address(row.id, row.extension),
        thumbnail_url=None if row.purged else thumbnail_address(row.id),
        width=row.width,
        height=row.height,
        duplicates=tuple(
            AlikePhoto(
                other.photo.id,
                Status(other.photo.status),
                other.photo.idea_id,
                other.exact,
                None if other.photo.purged else photo_address(other.photo.id, other.photo.extension),
            )
            for other in alike
        ),
    )
