"""Hiding what entries of the history hold, for the operator: the entries stay, and tell a reason instead."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import msgspec

from abhidhan.domain.forbidden import Sought, check_reason, has, sought
from abhidhan.errors import InputError, NotFoundError, sentence
from abhidhan.storage import hidden_entries
from abhidhan.storage.engine.database import Writer
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.hidden_entries import HiddenEntry, KeptStates


class Hiding(NamedTuple):
    """The entries that were hidden now, and the records that have the text still, as `word:12`."""

    entries: list[int]
    still_with_it: tuple[str, ...] = ()


def hide_text(writer: Writer, text: str, reason: str, now: int) -> Hiding:
    """Hide all entries that have a text in a record before or after. Raises InputError."""
    check_reason(reason)
    if not text.strip():
        raise InputError.of("holding", "--holding needs the text that may not be shown.")
    wanted = sought(text)
    newest: dict[str, bool] = {}
    found = []
    for states in _that_may_have(hidden_entries.kept_states(writer), wanted):
        before, after = _decoded(states.before), _decoded(states.after)
        if has(before, wanted) or has(after, wanted):
            found.append(states.entry_id)
            newest |= {record: has(after.get(record), wanted) for record in (*before, *after)}
    hidden = hidden_entries.hide(writer, found, reason.strip(), now)
    return Hiding(hidden, tuple(record for record, has_it in newest.items() if has_it))


def hide_entries(writer: Writer, entry_ids: Sequence[int], reason: str, now: int) -> Hiding:
    """Hide entries by their IDs. Raises InputError, and NotFoundError if there is none of one of these IDs."""
    check_reason(reason)
    known = hidden_entries.known(writer, entry_ids)
    for entry_id in entry_ids:
        if entry_id not in known:
            raise NotFoundError(
                sentence("There is no entry in the history with the ID %(entry_id)s.", entry_id=entry_id)
            )
    return Hiding(hidden_entries.hide(writer, sorted(known), reason.strip(), now))


def unhide(writer: Writer, entry_ids: Sequence[int]) -> int:
    """Show entries again, and return how many were hidden."""
    return hidden_entries.unhide(writer, entry_ids)


def read_hidden(reader: Reader) -> list[HiddenEntry]:
    """List the hidden entries, the oldest first."""
    return hidden_entries.read_hidden(reader)


def _that_may_have(entries: Iterable[KeptStates], text: Sought) -> Iterable[KeptStates]:
    """Pass over entries in whose JSON the text is nowhere: to decode all of them takes ten times as long."""
    encoded = text.encoded.decode()
    return (each for each in entries if encoded in (each.before or "") or encoded in (each.after or ""))


def _decoded(states: str | None) -> dict[str, Any]:
    return msgspec.json.decode(states, type=dict[str, Any]) if states else {}
