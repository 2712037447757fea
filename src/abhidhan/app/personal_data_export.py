"""Personal data: an export of all data stored about a user, and the deletion of an account."""

import time
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final

import msgspec
import structlog

from abhidhan.app.store import account_removal as stored
from abhidhan.app.store.account_recordings import reassign_recordings, redact_recordings
from abhidhan.app.store.personal_data import BATCH_SIZE, EXPORT_SELECTS, OMITTED_COLUMNS, read_page
from abhidhan.editing.store.history import HistoryEntry, write_entry
from abhidhan.media.service.photos import Photos
from abhidhan.media.service.recordings import Recordings
from abhidhan.media.service.upload_cleanup import PURGE_BATCH_SIZE
from abhidhan.people.service.accounts import Accounts
from abhidhan.people.service.administration import require_other_administrator
from abhidhan.people.service.mails import preserve_refusal_link
from abhidhan.people.store import people as stored_people
from abhidhan.platform.database.database import Database, WriteConnection
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.errors import AbhidhanError, NotFoundError, TooManyRequestsError, sentence
from abhidhan.records.history import PRIVATE_KINDS, HistoryAction, RecordRef
from abhidhan.records.people import AuthenticatedUser, Person, username_key
from abhidhan.records.personal_data import EXPORT_THROTTLE, DeletionChoices, Redactor, contribution_name
from abhidhan.records.photos import photo_path
from abhidhan.records.recordings import recording_path
from abhidhan.records.throttling import ClientInfo, throttle_key

FORMAT_VERSION: Final = 2
"""The version of the export's format, incremented when a key changes its meaning or is removed."""

_log = structlog.get_logger("abhidhan.personal_data")

_NULL: Final = msgspec.Raw(b"null")
_STATES_DECODER: Final = msgspec.json.Decoder(dict[str, msgspec.Raw])


class PersonalData:
    """Service that exports the data stored about a user, and deletes accounts."""

    def __init__(
        self,
        database: Database,
        accounts: Accounts,
        photos: Photos,
        recordings: Recordings,
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """`clock` returns the seconds since 1970."""
        self._database = database
        self._accounts = accounts
        self._photos = photos
        self._recordings = recordings
        self._clock = clock

    # --- export ---------------------------------------------------------------------------------------------------

    async def export(self, person: Person, base_url: str) -> AsyncIterator[bytes]:
        """Export all data stored about a user as one JSON document, in chunks.

        Files are links that start with `base_url`. Raises TooManyRequestsError.
        """
        rules = {throttle_key("export", str(person.id)): EXPORT_THROTTLE}
        job = partial(stored_people.count_attempts, rules=rules, now=self._now())
        if wait := await self._database.write(job, public=False):
            raise TooManyRequestsError(
                sentence("You have requested too many copies of your data. Try again in %(wait)s s.", wait=wait),
                wait,
            )
        return self._encode_document(person.id, base_url)

    async def _encode_document(self, person_id: int, base_url: str) -> AsyncIterator[bytes]:
        omitted = {reason: [str(column) for column in columns] for reason, columns in OMITTED_COLUMNS.items()}
        head = {"form": FORMAT_VERSION, "made": datetime.fromtimestamp(self._now(), UTC), "left_out": omitted}
        yield msgspec.json.encode(head)[:-1]
        for name in EXPORT_SELECTS:
            yield f',"{name}":['.encode()
            async for piece in self._encode_members(name, person_id, base_url):
                yield piece
            yield b"]"
        yield b"}\n"

    async def _encode_members(self, name: str, person_id: int, base_url: str) -> AsyncIterator[bytes]:
        """Yield the members of a list as JSON; only one page of them is in memory at a time."""
        after: int | None = 0
        separator = b""
        while after is not None:
            job = partial(_encode_page, name=name, person_id=person_id, after=after, base_url=base_url)
            members, after = await self._database.read(job, long=True)
            if members:
                yield separator + members
                separator = b","

    # --- deletion -------------------------------------------------------------------------------------------------

    async def delete_own_account(
        self, signed_in: AuthenticatedUser, password: str, choice: DeletionChoices, visit: ClientInfo
    ) -> None:
        """Delete the signed-in user's account.

        Raises InputError, ForbiddenError for a wrong password, ConflictError for the last administrator and for a
        name that is taken.
        """
        name = contribution_name(choice)
        await self._accounts.authentication.check_own_password(signed_in.person, password, visit)
        await self._delete_account(signed_in.person, name, choice, None)

    async def delete_account(self, person: Person, choice: DeletionChoices, actor: Person | None = None) -> None:
        """Delete a user's account. Raises NotFoundError and the errors of `delete_own_account`."""
        await self._delete_account(person, contribution_name(choice), choice, actor)

    async def _delete_account(self, person: Person, name: str, choice: DeletionChoices, actor: Person | None) -> None:
        actor_id = actor.id if actor and actor.id != person.id else None
        job = partial(remove_account, person_id=person.id, name=name, choice=choice, by=actor_id, now=self._now())
        await self._database.write(job)
        # Files that remain are deleted within the hour, by this worker or another.
        with suppress(AbhidhanError):
            while PURGE_BATCH_SIZE in {await self._photos.cleanup.purge(), await self._recordings.cleanup.purge()}:
                _log.info("files of a deleted account were removed")

    def _now(self) -> int:
        return int(self._clock())


def _encode_page(
    connection: ReadConnection, *, name: str, person_id: int, after: int, base_url: str
) -> tuple[bytes, int | None]:
    """Return one page of a list as JSON, and the ID after which the next page starts; None at the end."""
    rows = read_page(connection, name, person_id, after)
    members = [_build_member(name, row, base_url) for row in rows]
    return msgspec.json.encode(members)[1:-1], rows[-1]["id"] if len(rows) == BATCH_SIZE else None


def _build_member(name: str, row: dict[str, Any], base_url: str) -> dict[str, Any]:
    """Convert a row to a member of its list: stored JSON is embedded, and files that still exist become links."""
    match name:
        case "own_lists":
            return row | {"lists": msgspec.Raw(row["lists"]), "cards": msgspec.Raw(row["cards"] or "[]")}
        case "submissions":
            return row | {"payload": msgspec.Raw(row["payload"] or "null")}
        case "photos":
            address = photo_path(row["id"], row["extension"])
            return row | {"file": None if row["purged"] else base_url + address}
        case "recordings":
            return row | {"file": None if row["purged"] else base_url + recording_path(row["id"])}
        case "changes":
            return row | {"before": _visible_states(row["before"]), "after": _visible_states(row["after"])}
        case _:
            return row


def _visible_states(states: str | None) -> dict[str, msgspec.Raw] | None:
    """Return a history entry's states by record; null for submissions, which may contain other users' data."""
    if states is None:
        return None
    return {
        record: _NULL if RecordRef.parse(record).kind in PRIVATE_KINDS else state
        for record, state in _STATES_DECODER.decode(states).items()
    }


def remove_account(  # noqa: PLR0913  # keyword arguments of one job
    connection: WriteConnection, *, person_id: int, name: str, choice: DeletionChoices, by: int | None, now: int
) -> None:
    """Delete an account; keep or delete its contributions as its owner chose. Raises NotFoundError, ConflictError."""
    person = stored.read_account(connection, person_id)
    if person is None:
        raise NotFoundError(sentence("This account no longer exists."))
    require_other_administrator(connection, person)
    former_id = stored.add_former_person(connection, person, name, now)
    redaction = Redactor(person.username, person.email, name, all_credits=choice.all_credits)
    statuses = stored.retained_statuses(keep_waiting=choice.keep_waiting)
    submissions = stored.reassign_submissions(connection, person.id, former_id, statuses, redaction)
    photos = stored.reassign_photos(connection, person.id, former_id, statuses, redaction, now)
    recording_statuses = () if choice.remove_recordings else statuses
    recordings = reassign_recordings(connection, person.id, former_id, recording_statuses, redaction, now)
    kept_records, removed_records = (submissions[each] | photos[each] | recordings[each] for each in (0, 1))
    stored.redact_senses(connection, person, kept_records, redaction, now)
    stored.redact_history(connection, person, kept_records, removed_records, redaction)
    stored.redact_mentions(connection, person, redaction, now)
    redact_recordings(connection, person.email, redaction, now)
    preserve_refusal_link(connection, person.id, now)
    stored.remove_account(connection, person.id, former_id, _attempt_keys(person))
    entry = HistoryEntry(HistoryAction.ACCOUNT_DELETED, by or former_id, now, RecordRef("person", str(former_id)))
    write_entry(connection, entry, [])


def _attempt_keys(person: Person) -> list[str]:
    """Return the keys of the user's attempt counters, except those by address, which expire within two days."""
    names = [name for name in (person.username, person.email) if name]
    keys = [throttle_key(kind, username_key(name)) for kind in ("account", "reset") for name in names]
    return [*keys, throttle_key("export", str(person.id))]
