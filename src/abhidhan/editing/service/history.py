"""The public history of records, and undo."""

from collections.abc import Iterable

import msgspec

from abhidhan.dictionary.service.permalinks import Permalink, build_word_permalink
from abhidhan.dictionary.store import senses
from abhidhan.editing.service.editor import Edited, EditSession, commit_edit
from abhidhan.editing.store import history as stored_history
from abhidhan.editing.store.records import contributions
from abhidhan.people.store import people as stored_people
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.errors import ConflictError, NotFoundError, sentence
from abhidhan.records.history import (
    PRIVATE_KINDS,
    Change,
    HistoryAction,
    ListItemState,
    PhotoState,
    RecordRef,
    RecordState,
    Revision,
    SenseState,
    build_undo,
)
from abhidhan.records.lookup_lists import ListName, Named
from abhidhan.submissions import store as stored_submissions


class ShownChange(msgspec.Struct, frozen=True):
    """A record before and after a change; null before its creation and after its deletion."""

    record: str
    before: RecordState | None
    after: RecordState | None


class RevisionView(msgspec.Struct, frozen=True):
    """A history entry as shown to readers. `person` made or approved the change, `contributor` submitted it.

    `hidden` is the reason for which the changes are not shown.
    """

    id: int
    at: int
    action: Named | None
    person: str | None
    contributor: str | None
    changes: tuple[ShownChange, ...]
    hidden: str | None


def undo(session: EditSession, entry_id: int) -> Edited:
    """Undo the changes of a history entry. Raises NotFoundError, ConflictError."""
    entry = stored_history.find_entry(session.context.connection, entry_id)
    if entry is None:
        raise NotFoundError(sentence("There is no entry in the history with the ID %(entry_id)s.", entry_id=entry_id))
    if entry.hidden is not None:
        raise ConflictError(sentence("This change is hidden, so it cannot be undone: %(reason)s", reason=entry.hidden))
    changes = build_undo(_list_undoable_changes(session, entry), session.recorder.get_current)
    session.recorder.apply_all(changes)
    _store_decisions(session, changes)
    restored = entry.action_id == HistoryAction.WORD_DELETED
    return commit_edit(session, HistoryAction.WORD_RESTORED if restored else HistoryAction.UNDONE, entry.main)


def _list_undoable_changes(session: EditSession, entry: Revision) -> list[Change]:
    """Return the changes of an entry that can be undone; of a purged photo, only the change of its idea."""
    # A photo whose files are gone cannot be pending or approved again, so its status stays. If it is the main record,
    # there is nothing else to undo: the change is passed on whole, and applying it raises the reason.
    photos = [change.ref.number for change in entry.changes if change.ref.kind == "photo" != entry.main.kind]
    purged = contributions.find_purged_photos(session.context, photos)
    changes = [_reduce_to_idea(session, each) if each.ref in purged else each for each in entry.changes]
    fillers = {"list_item": _fill_code, "sense": _fill_rank}
    return [fillers[each.ref.kind](session, each) if each.ref.kind in fillers else each for each in changes]


def _reduce_to_idea(session: EditSession, change: Change) -> Change:
    current = session.recorder.get_current(change.ref)
    if not (isinstance(change.before, PhotoState) and isinstance(current, PhotoState)):
        return change
    return Change(change.ref, msgspec.structs.replace(current, idea_id=change.before.idea_id), current)


def _fill_code(session: EditSession, change: Change) -> Change:
    """Fill in the code and class of a part of speech, which entries from before an upgrade lack."""
    current = session.recorder.get_current(change.ref)
    if not isinstance(current, ListItemState) or current.list != ListName.PARTS_OF_SPEECH:
        return change
    before, after = (
        msgspec.structs.replace(state, short=state.short or current.short, code=state.code or current.code)
        if isinstance(state, ListItemState)
        else state
        for state in (change.before, change.after)
    )
    return Change(change.ref, before, after)


def _fill_rank(session: EditSession, change: Change) -> Change:
    """Fill in the rank of a word under its idea, which entries of older versions and of new links lack."""
    current = session.recorder.get_current(change.ref)
    if not isinstance(current, SenseState):
        return change
    before, after = (
        msgspec.structs.replace(state, rank=current.rank)
        if isinstance(state, SenseState) and state.rank is None
        else state
        for state in (change.before, change.after)
    )
    return Change(change.ref, before, after)


def _store_decisions(session: EditSession, changes: Iterable[Change]) -> None:
    """Record the user and time of decisions on photos whose status has changed."""
    for change in changes:
        before, after = change.before, change.after
        if isinstance(before, PhotoState) and isinstance(after, PhotoState) and before.status != after.status:
            contributions.store_decision(session.context, change.ref.id, after, session.person.id)


def list_history(connection: ReadConnection, ref: RecordRef, limit: int, offset: int) -> tuple[RevisionView, ...]:
    """List the history entries of a record, newest first."""
    entries = stored_history.list_entries(connection, ref, limit, offset)
    submitted = {number for entry in entries for number in _list_submission_ids(entry)}
    contributors = stored_submissions.find_senders(connection, sorted(submitted))
    deciders = [entry.person_id for entry in entries if entry.person_id is not None]
    names = stored_people.load_names(connection, [*deciders, *contributors.values()])
    actions = {item.id: item for item in connection.catalogue.list_items(ListName.HISTORY_ACTIONS)}
    return tuple(
        RevisionView(
            id=entry.id,
            at=entry.at,
            action=Named(entry.action_id, actions[entry.action_id].value) if entry.action_id in actions else None,
            person=names.get(entry.person_id or 0),
            contributor=next(
                (
                    names.get(contributors[submission_id])
                    for submission_id in _list_submission_ids(entry)
                    if submission_id in contributors
                ),
                None,
            ),
            changes=_list_visible_changes(entry),
            hidden=entry.hidden,
        )
        for entry in entries
    )


def _list_visible_changes(entry: Revision) -> tuple[ShownChange, ...]:
    if entry.hidden is not None:
        return ()
    return tuple(
        ShownChange(str(change.ref), change.before, change.after)
        for change in entry.changes
        if change.ref.kind not in PRIVATE_KINDS
    )


def _list_submission_ids(entry: Revision) -> list[int]:
    return [change.ref.number for change in entry.changes if change.ref.kind == "submission"]


def build_sense_permalink(connection: ReadConnection, sense_id: int) -> Permalink:
    """Return the permalink target of a sense; of a deleted sense, that of its word. Raises NotFoundError."""
    link = senses.find_sense(connection, sense_id)
    word_id = link.word_id if link else _find_word_of_deleted_sense(connection, sense_id)
    absent = sentence("There is no meaning with the ID %(sense_id)s.", sense_id=sense_id)
    if word_id is None:
        raise NotFoundError(absent)
    try:
        permalink = build_word_permalink(connection, word_id)
    except NotFoundError:
        raise NotFoundError(absent) from None
    return permalink._replace(idea_id=link.idea_id if link else 0)


def _find_word_of_deleted_sense(connection: ReadConnection, sense_id: int) -> int | None:
    """Return the word of a deleted sense from the history; None if there was no such sense."""
    ref = RecordRef("sense", str(sense_id))
    for revision in stored_history.list_entries(connection, ref, limit=1):
        for change in revision.changes:
            if change.ref == ref and isinstance(change.before, SenseState):
                return change.before.word_id
    return None
