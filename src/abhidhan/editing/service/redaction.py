"""Redaction of history entries by the operator: the entries remain, with a reason in place of the changes."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from abhidhan.dictionary.store.index import OpenTransaction
from abhidhan.editing.model import Sought, check_reason, has, sought
from abhidhan.editing.store import history
from abhidhan.editing.store.history import HiddenEntry, KeptStates, kept_states
from abhidhan.platform.database.database import Writer
from abhidhan.platform.database.reader import Reader
from abhidhan.records.errors import InputError, NotFoundError, sentence
from abhidhan.records.history import NOT_SHOWN, AnyState, Change, decode_changes
from abhidhan.records.submissions import Status
from abhidhan.submissions import store as stored_submissions


class Hiding(NamedTuple):
    """The newly hidden entries, and the records that still contain the text, such as `word:12`."""

    entries: list[int]
    still_with_it: tuple[str, ...] = ()


def hide_text(writer: Writer, text: str, reason: str, now: int) -> Hiding:
    """Hide all entries with a text in a state before or after, or in a decided submission.

    Raises InputError.
    """
    check_reason(reason)
    if not text.strip():
        raise InputError.of("holding", "--holding needs the text to hide.")
    wanted = sought(text)
    newest: dict[str, bool] = {}
    found = []
    for states in _that_may_have(kept_states(OpenTransaction(writer)), wanted):
        changes = [each for each in _shown(states) if _has(each.before, wanted) or _has(each.after, wanted)]
        if changes:
            found.append(states.entry_id)
            newest |= {str(each.name): _has(each.after, wanted) for each in changes}
    waiting, decided = _submissions_with(writer, wanted)
    found += history.entry_ids_about(writer, "submission", decided)
    hidden = history.hide_entries(writer, sorted({*found}), reason.strip(), now)
    still = (record for record, has_it in newest.items() if has_it)
    return Hiding(hidden, (*still, *(f"submission:{each}" for each in waiting)))


def hide_entries(writer: Writer, entry_ids: Sequence[int], reason: str, now: int) -> Hiding:
    """Hide entries by ID. Raises InputError, NotFoundError if one of them does not exist."""
    check_reason(reason)
    known = history.known_entries(writer, entry_ids)
    for entry_id in entry_ids:
        if entry_id not in known:
            raise NotFoundError(
                sentence("There is no entry in the history with the ID %(entry_id)s.", entry_id=entry_id)
            )
    return Hiding(history.hide_entries(writer, sorted(known), reason.strip(), now))


def unhide(writer: Writer, entry_ids: Sequence[int]) -> int:
    """Show hidden entries again; return their number."""
    return history.unhide_entries(writer, entry_ids)


def read_hidden(reader: Reader) -> list[HiddenEntry]:
    """List the hidden entries, oldest first."""
    return history.read_hidden_entries(reader)


def _submissions_with(writer: Writer, text: Sought) -> tuple[list[str], list[str]]:
    """Return the IDs of the submissions that contain a text: the pending and the decided ones."""
    waiting: list[str] = []
    decided: list[str] = []
    for row in stored_submissions.with_text(writer, text.encoded.decode()):
        if has(msgspec.json.decode(row.payload), text) or has(msgspec.json.decode(row.seen or "null"), text):
            (waiting if row.status == Status.PENDING else decided).append(str(row.id))
    return waiting, decided


def _that_may_have(entries: Iterable[KeptStates], text: Sought) -> Iterable[KeptStates]:
    """Filter entries by a search in their JSON: decoding all of them takes ten times as long."""
    encoded = text.encoded.decode()
    return (each for each in entries if encoded in each.before or encoded in (each.after or ""))


def _shown(states: KeptStates) -> Iterator[Change]:
    """Yield the changes of an entry that are shown to readers."""
    return (each for each in decode_changes(states.before, states.after) if each.name.kind not in NOT_SHOWN)


def _has(state: AnyState | None, text: Sought) -> bool:
    return state is not None and has(msgspec.structs.asdict(state), text)
