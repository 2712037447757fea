"""The deletion of an account, in one transaction."""

from abhidhan.app.store import account_removal as stored
from abhidhan.app.store.account_recordings import forget_in_recordings, leave_recordings
from abhidhan.editing.store.history import Entry, write_entry
from abhidhan.people.service.administration import keep_an_administrator
from abhidhan.people.service.mails import leave_refusal
from abhidhan.platform.database.database import Writer
from abhidhan.records.client_identity import try_key
from abhidhan.records.errors import NotFoundError, sentence
from abhidhan.records.history import Action, RecordName
from abhidhan.records.people import Person, username_key
from abhidhan.records.personal_data import Leaving, Redaction


def remove_account(  # noqa: PLR0913  # who leaves, how, and who says so when
    connection: Writer, *, person_id: int, name: str, leaving: Leaving, by: int | None, now: int
) -> None:
    """Delete an account; what it contributed stays or goes as its owner chose. Raises NotFoundError, ConflictError."""
    person = stored.read_account(connection, person_id)
    if person is None:
        raise NotFoundError(sentence("This account no longer exists."))
    keep_an_administrator(connection, person)
    former_id = stored.add_former(connection, person, name, now)
    redaction = Redaction(person.username, person.email, name, all_credits=leaving.all_credits)
    kept = stored.kept_statuses(keep_waiting=leaving.keep_waiting)
    submissions = stored.leave_submissions(connection, person.id, former_id, kept, redaction)
    photos = stored.leave_photos(connection, person.id, former_id, kept, redaction, now)
    heard = () if leaving.remove_recordings else kept
    recordings = leave_recordings(connection, person.id, former_id, heard, redaction, now)
    staying, gone = (submissions[each] | photos[each] | recordings[each] for each in (0, 1))
    stored.leave_senses(connection, person, staying, redaction, now)
    stored.leave_history(connection, person, staying, gone, redaction)
    stored.forget_mentions(connection, person, redaction, now)
    forget_in_recordings(connection, person.email, redaction, now)
    leave_refusal(connection, person.id, now)
    stored.remove_account(connection, person.id, former_id, _tries_of(person))
    entry = Entry(Action.ACCOUNT_DELETED, by or former_id, now, RecordName("person", str(former_id)))
    write_entry(connection, entry, [])


def _tries_of(person: Person) -> list[str]:
    """Name what is counted about somebody from anywhere; what is counted by address is forgotten in two days."""
    names = [name for name in (person.username, person.email) if name]
    keys = [try_key(kind, username_key(name)) for kind in ("account", "reset") for name in names]
    return [*keys, try_key("export", str(person.id))]
