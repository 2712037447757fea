"""Redaction of history entries by the operator: the entries remain, with a reason in place of the changes."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from abhidhan.dictionary.store.index import TransactionRows
from abhidhan.editing.model import SearchText, check_reason, contains_text, make_search_text
from abhidhan.editing.store import history
from abhidhan.editing.store.history import HiddenEntry, StoredStates, iter_stored_states
from abhidhan.platform.database.database import WriteConnection
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.errors import InputError, NotFoundError, sentence
from abhidhan.records.history import PRIVATE_KINDS, Change, RecordState, decode_changes
from abhidhan.records.submissions import Status
from abhidhan.submissions import store as stored_submissions


class RedactionResult(NamedTuple):
    """The newly hidden entries, and the records that still contain the text, such as `word:12`."""

    entries: list[int]
    remaining_records: tuple[str, ...] = ()


def hide_text(writer: WriteConnection, text: str, reason: str, now: int) -> RedactionResult:
    """Hide all entries with a text in one of their states, or about a decided submission that contains the text.

    Raises InputError.
    """
    check_reason(reason)
    if not text.strip():
        raise InputError.of("holding", "--holding needs the text to hide.")
    pattern = make_search_text(text)
    newest: dict[str, bool] = {}
    entry_ids = []
    for states in _filter_candidates(iter_stored_states(TransactionRows(writer)), pattern):
        changes = [
            item
            for item in _iter_visible_changes(states)
            if _state_contains(item.before, pattern) or _state_contains(item.after, pattern)
        ]
        if changes:
            entry_ids.append(states.entry_id)
            newest |= {str(item.ref): _state_contains(item.after, pattern) for item in changes}
    pending_ids, decided_ids = _find_submissions(writer, pattern)
    entry_ids += history.list_entry_ids(writer, "submission", decided_ids)
    hidden = history.hide_entries(writer, sorted({*entry_ids}), reason.strip(), now)
    remaining = (record for record, has_text in newest.items() if has_text)
    return RedactionResult(hidden, (*remaining, *(f"submission:{item}" for item in pending_ids)))


def hide_entries(writer: WriteConnection, entry_ids: Sequence[int], reason: str, now: int) -> RedactionResult:
    """Hide entries by ID. Raises InputError, NotFoundError if one of them does not exist."""
    check_reason(reason)
    existing_ids = history.filter_existing_ids(writer, entry_ids)
    for entry_id in entry_ids:
        if entry_id not in existing_ids:
            raise NotFoundError(
                sentence("There is no entry in the history with the ID %(entry_id)s.", entry_id=entry_id)
            )
    return RedactionResult(history.hide_entries(writer, sorted(existing_ids), reason.strip(), now))


def unhide_entries(writer: WriteConnection, entry_ids: Sequence[int]) -> int:
    """Show hidden entries again; return their number."""
    return history.unhide_entries(writer, entry_ids)


def list_hidden_entries(connection: ReadConnection) -> list[HiddenEntry]:
    """List the hidden entries, oldest first."""
    return history.read_hidden_entries(connection)


def _find_submissions(writer: WriteConnection, text: SearchText) -> tuple[list[str], list[str]]:
    """Return the IDs of the submissions that contain a text: the pending and the decided ones."""
    pending_ids: list[str] = []
    decided_ids: list[str] = []
    for row in stored_submissions.iter_submissions_with_text(writer, text.encoded.decode()):
        if contains_text(msgspec.json.decode(row.payload), text) or contains_text(
            msgspec.json.decode(row.seen or "null"), text
        ):
            (pending_ids if row.status == Status.PENDING else decided_ids).append(str(row.id))
    return pending_ids, decided_ids


def _filter_candidates(entries: Iterable[StoredStates], text: SearchText) -> Iterable[StoredStates]:
    """Filter entries by a search in their JSON: decoding all of them takes ten times as long."""
    encoded = text.encoded.decode()
    return (entry for entry in entries if encoded in entry.before or encoded in (entry.after or ""))


def _iter_visible_changes(states: StoredStates) -> Iterator[Change]:
    """Yield the changes of an entry that are shown to readers."""
    return (change for change in decode_changes(states.before, states.after) if change.ref.kind not in PRIVATE_KINDS)


def _state_contains(state: RecordState | None, text: SearchText) -> bool:
    return state is not None and contains_text(msgspec.structs.asdict(state), text)
