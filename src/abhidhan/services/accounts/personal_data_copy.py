"""The document that holds all that is kept about a person, and the ZIP file around it."""

import zipfile
from collections.abc import AsyncIterator, Callable, Sequence
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple, TypeVar

import msgspec

from abhidhan.domain.drafts import decode_submission
from abhidhan.domain.history import NOT_SHOWN, Change, RecordName, decode_changes
from abhidhan.domain.lists import ListName
from abhidhan.domain.mails import Topic
from abhidhan.domain.people import Person
from abhidhan.storage import personal_data as stored
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.hidden_entries import read_hidden
from abhidhan.storage.mail_addresses import find_address
from abhidhan.storage.mails import choices_of, undelivered_of
from abhidhan.storage.own_lists import lists_of
from abhidhan.storage.personal_data import HistoryRow
from abhidhan.storage.photos import PhotoRow
from abhidhan.storage.recordings import RecordingRow
from abhidhan.storage.submissions import SubmissionRow

RowType = TypeVar("RowType", SubmissionRow, PhotoRow, RecordingRow, HistoryRow)

FORM: Final = 1
"""Names the form of a copy: it is raised when a key changes its meaning or goes away."""


class _Page(NamedTuple):
    """Some members of a list, and the ID of the last."""

    members: list[dict[str, Any]]
    last: int


def read_page(
    reader: Reader,
    *,
    read: Callable[[Reader, int, int], list[RowType]],
    write: Callable[[Reader, list[RowType]], list[dict[str, Any]]],
    person_id: int,
    after: int,
) -> _Page:
    """Read some rows of a section, and write them as its members."""
    rows = read(reader, person_id, after)
    return _Page(write(reader, rows), rows[-1].id if rows else after)


def describe_person(reader: Reader, *, person: Person, now: int) -> dict[str, Any]:
    """Describe the account itself: its sessions, addresses, links, tokens and mails."""
    return {
        "form": FORM,
        "made": _moment(now),
        "account": _account(reader, person),
        "sessions": [
            {
                "created": _moment(row.created),
                "seen": _moment(row.seen),
                "expires": _moment(row.expires),
                "agent": row.agent,
            }
            for row in stored.sessions_of(reader, person.id)
        ],
        "known_addresses": [
            {"address": "hashed", "seen": _moment(seen)} for seen in stored.addresses_of(reader, person.id)
        ],
        "links": [
            {"kind": row.kind, "role": row.role, "created": _moment(row.created), "expires": _moment(row.expires)}
            for row in stored.tickets_of(reader, person.id)
        ],
        "tokens": [
            {
                "name": row.name,
                "scopes": row.scopes.split(),
                "created": _moment(row.created),
                "expires": _moment(row.expires),
                "used": _moment(row.used),
            }
            for row in stored.tokens_of(reader, person.id)
        ],
        "mails": _mails_to(reader, person.id),
        "own_lists": _lists_of(reader, person.id),
    }


def _account(reader: Reader, person: Person) -> dict[str, Any]:
    return {
        "id": person.id,
        "username": person.username,
        "email": person.email,
        "email_confirmed": find_address(reader, person.id).is_confirmed,
        "role": str(person.role),
        "created": _moment(person.created),
    }


def _lists_of(reader: Reader, person_id: int) -> Any:  # noqa: ANN401 (JSON as it is kept)
    """Return the lists of words that the account keeps; null where it keeps none."""
    row = lists_of(reader, person_id)
    return None if row is None else msgspec.json.decode(row.lists)


def _mails_to(reader: Reader, person_id: int) -> list[dict[str, Any]]:
    """Describe which mails somebody has agreed to, and of which decisions none has told yet."""
    untold = {Topic.DECISIONS: [f"{each.kind}:{each.record_id}" for each in undelivered_of(reader, person_id)]}
    return [
        {
            "topic": str(topic),
            "often": str(choice.often),
            "language": choice.language,
            "agreed": _moment(choice.agreed),
            "untold": untold.get(topic, []),
        }
        for topic, choice in choices_of(reader, person_id).items()
    ]


def as_submissions(reader: Reader, rows: Sequence[SubmissionRow]) -> list[dict[str, Any]]:
    """Write submissions as members of the document."""
    results = {row.id: RecordName.parse(row.result) for row in rows if row.result}
    texts = stored.texts_of(reader, results.values())
    return [
        {
            "id": row.id,
            "kind": row.kind,
            "data": msgspec.to_builtins(decode_submission(row.payload).data),
            "status": row.status,
            "reason": row.reason,
            "submitted": _moment(row.submitted),
            "decided": _moment(row.decided),
            "result": row.result,
            "text": texts.get(results[row.id]) if row.id in results else None,
            "licence": row.licence,
        }
        for row in rows
    ]


def as_photos(_: Reader, rows: Sequence[PhotoRow]) -> list[dict[str, Any]]:
    """Write photos as members of the document."""
    return [
        {
            "id": row.id,
            "idea_id": row.idea_id,
            "word_submission_id": row.submission_id,
            "credit": row.credit,
            "status": row.status,
            "reason": row.reason,
            "submitted": _moment(row.submitted),
            "decided": _moment(row.decided),
            "width": row.width,
            "height": row.height,
            "size": row.size,
            "file": None if row.purged else _file_of(row),
            "licence": row.licence,
        }
        for row in rows
    ]


def as_files(_: Reader, rows: Sequence[PhotoRow]) -> list[dict[str, Any]]:
    """Name the files of photos, as the package holds them."""
    return [{"id": row.id, "extension": row.extension, "file": _file_of(row)} for row in rows]


def as_recordings(_: Reader, rows: Sequence[RecordingRow]) -> list[dict[str, Any]]:
    """Write recordings as members of the document."""
    return [
        {
            "id": row.id,
            "word_id": row.word_id,
            "phrase_id": row.phrase_id,
            "idea_id": row.idea_id,
            "spoken": row.spoken,
            "speaker": row.speaker,
            "place": row.place,
            "status": row.status,
            "reason": row.reason,
            "submitted": _moment(row.submitted),
            "decided": _moment(row.decided),
            "milliseconds": row.milliseconds,
            "size": row.size,
            "file": None if row.purged else _sound_of(row),
            "licence": row.licence,
        }
        for row in rows
    ]


def as_sounds(_: Reader, rows: Sequence[RecordingRow]) -> list[dict[str, Any]]:
    """Name the files of recordings, as the package holds them."""
    return [{"id": row.id, "file": _sound_of(row)} for row in rows]


def _file_of(row: PhotoRow) -> str:
    return f"photos/{row.id}.{row.extension}"


def _sound_of(row: RecordingRow) -> str:
    return f"recordings/{row.id}.{row.extension}"


def as_changes(reader: Reader, rows: Sequence[HistoryRow]) -> list[dict[str, Any]]:
    """Write changes of the dictionary as members of the document; of hidden ones, the reason in place of the states."""
    actions = {item.id: item.value for item in reader.catalogue.items_of(ListName.HISTORY_ACTIONS)}
    hidden = {entry.entry_id: entry.reason for entry in read_hidden(reader)}
    return [
        {
            "id": row.id,
            "at": _moment(row.at),
            "action": actions.get(row.action_id),
            "hidden": hidden.get(row.id),
            "records": [
                _as_change(change, are_states_shown=row.id not in hidden)
                for change in decode_changes(row.before, row.after)
            ],
        }
        for row in rows
    ]


def _as_change(change: Change, *, are_states_shown: bool) -> dict[str, Any]:
    record = {"record": str(change.name)}
    if change.name.kind in NOT_SHOWN or not are_states_shown:
        # What one has sent oneself stands in lists of its own.
        return record
    return record | {
        "before": msgspec.to_builtins(change.before),
        "after": msgspec.to_builtins(change.after),
    }


def _moment(seconds: int | None) -> str | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


async def listed(pages: AsyncIterator[list[dict[str, Any]]]) -> AsyncIterator[bytes]:
    """Write the members of a list as JSON, piece by piece."""
    between = b""
    async for members in pages:
        yield between + msgspec.json.encode(members)[1:-1]
        between = b","


class ZipSink:
    """Takes the bytes of a ZIP file as they are made, and gives them away."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._written: list[bytes] = []

    def write(self, content: bytes, /) -> int:
        """Take some bytes."""
        self._written.append(bytes(content))
        return len(content)

    def flush(self) -> None:
        """Do nothing: there is nothing behind."""

    def close(self) -> None:
        """Do nothing: what is written is taken by whoever sends it."""

    def taken(self) -> bytes:
        """Hand over what has been written since."""
        written, self._written = self._written, []
        return b"".join(written)


async def filed(
    package: zipfile.ZipFile, sink: ZipSink, name: str, pieces: AsyncIterator[bytes]
) -> AsyncIterator[bytes]:
    """Write a file into a package, and give what that makes of bytes."""
    with package.open(zipfile.ZipInfo(name, datetime.now(UTC).timetuple()[:6]), "w", force_zip64=True) as member:
        async for piece in pieces:
            member.write(piece)
            yield sink.taken()
    yield sink.taken()
