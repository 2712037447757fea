"""Users' removals and edits, collected from the history, so that importing an older file does not revert them."""

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Final, cast

import msgspec

from abhidhan.records.history import (
    CardSetState,
    CardState,
    Change,
    IdeaState,
    ListItemState,
    PhraseState,
    RelationState,
    SenseState,
    WordState,
)
from abhidhan.records.import_records import NewIdea, NewWord
from abhidhan.records.kinds.card import CARD, CARD_SET
from abhidhan.records.kinds.fields import columns
from abhidhan.records.kinds.idea import IDEA_ROW
from abhidhan.records.kinds.phrase import PHRASE
from abhidhan.records.kinds.word import DETAILS, REMARKS

LOCAL_SOURCE_ID: Final = 0
"""The source ID used for records that were created in this dictionary, which have no source."""

FIELDS: Final = {
    IdeaState: ("idea", columns(IDEA_ROW)),
    WordState: ("word", columns(DETAILS)),
    SenseState: ("sense", (*columns(REMARKS), "rank", "position")),
    PhraseState: ("phrase", columns(PHRASE)),
    CardState: ("card", columns(CARD)),
    CardSetState: ("card_set", columns(CARD_SET)),
}
"""The table of each kind of record, and those of its columns that imports can set."""

Tombstone = tuple[object, ...]
"""A removed record or part as a tuple that begins with its kind, such as ("sense", idea ID, word ID)."""


class Tombstones:
    """The removals and edits that are still in effect, collected from the history in order."""

    def __init__(self) -> None:
        """Start without any removals or edits."""
        self._gone: set[Tombstone] = set()
        self._added: set[Tombstone] = set()
        self._originals: dict[tuple[str, int, str], object] = {}
        self._made_here: set[tuple[str, int]] = set()
        self._spelled: dict[int, tuple[int, str]] = {}
        self._corrected: set[tuple[int, str]] = set()
        self.renamed: dict[tuple[str, str], str] = {}
        """The current name of a list value, by the list and its original name in lower case."""

    def apply(self, changes: Iterable[Change]) -> None:
        """Apply the changes of one history entry."""
        for change in changes:
            before, after = _removable(change, change.before), _removable(change, change.after)
            self._gone |= before - after
            self._gone -= after
            self._added |= after - before
            self._added -= before - after
            self._apply_fields(change)
            if isinstance(change.before, WordState):
                self._apply_spelling(change, change.before)
            if isinstance(change.before, ListItemState) and isinstance(change.after, ListItemState):
                self._apply_rename(change.before, change.after)

    def apply_merges(self, changes: Iterable[Change]) -> None:
        """Apply the merges of an import: user edits of a merged idea count for the idea that it was merged into."""
        states = [(change.ref.number, change.before, change.after) for change in changes]
        gone = {
            (before.source_id, before.external_key): number
            for number, before, after in states
            if isinstance(before, IdeaState) and after is None
        }
        for target, before, after in states:
            if isinstance(before, IdeaState) and isinstance(after, IdeaState):
                for name in gone.keys() & {*after.aliases}:
                    self._move(gone[name], target, after)

    def _move(self, merged: int, target: int, state: IdeaState) -> None:
        """Count edits of a merged idea as edits of the idea that it was merged into."""
        parts = {"definition", "example", "context"}
        self._added |= {(one[0], target, *one[2:]) for one in self._added if one[0] in parts and one[1] == merged}
        for name in columns(IDEA_ROW):
            if ("idea", merged, name) in self._originals and getattr(state, name) is not None:
                self._originals.setdefault(("idea", target, name), self._originals["idea", merged, name])

    @property
    def is_empty(self) -> bool:
        """Whether no record or part was removed, and no spelling was corrected."""
        return not self._gone and not self._corrected

    def has_idea(self, source_id: int, key: str) -> bool:
        """Return whether the idea with this key was deleted."""
        return ("idea", source_id, key) in self._gone

    def has_phrase(self, source_id: int, key: str) -> bool:
        """Return whether the proverb with this key was deleted."""
        return ("phrase", source_id, key) in self._gone

    def has_card(self, set_id: int, clue: str) -> bool:
        """Return whether the flashcard with this clue was deleted."""
        return ("card", set_id, clue) in self._gone

    def relations(self) -> Iterator[RelationState]:
        """Yield the removed relations in one direction; their inverses were removed with them."""
        for kind, *ends in self._gone:
            if kind == "relation":
                yield RelationState(*cast("list[int]", ends))

    def has_emptied(self, table: str, record_id: int, column: str) -> bool:
        """Return whether a user has emptied a field of a record."""
        return ("field", table, record_id, column) in self._gone

    def has_changed(self, table: str, record_id: int, column: str) -> bool:
        """Return whether a user has changed this field or created its record, so that imports must not overwrite it."""
        return (table, record_id) in self._made_here or (table, record_id, column) in self._originals

    def has_ordered(self, sense_id: int, column: str) -> bool:
        """Return whether a user has changed the `rank` or `position` of a sense."""
        return ("sense", sense_id, column) in self._originals

    def has_added(self, part: str, idea_id: int, *what: object) -> bool:
        """Return whether a user has added a definition, an example or a context to an idea."""
        return (part, idea_id, *what) in self._added

    def edited_fields(self) -> Iterator[tuple[str, int, str]]:
        """Yield the fields whose value differs from the original one, as table, ID and column."""
        yield from self._originals

    def edited_parts(self) -> Iterator[tuple[str, int, int]]:
        """Yield the parts of ideas that users have added or removed.

        Each is a kind (definition, example, context, sense, relation), the ID of the idea, and a detail: for a
        definition the ID of its language, for a sense that of its word.
        """
        kinds = {"definition", "example", "context", "sense", "relation"}
        for kind, idea_id, detail, *_ in (part for part in self._gone | self._added if part[0] in kinds):
            yield cast("tuple[str, int, int]", (kind, idea_id, detail))

    @property
    def corrected_words(self) -> frozenset[tuple[int, str]]:
        """The words (language ID, text) whose spelling was changed."""
        return frozenset(self._corrected)

    def language_of_gone_word(self, word_id: int) -> int | None:
        """Return the language ID of a deleted word, or None."""
        spelled = self._spelled.get(word_id)
        return spelled[0] if spelled else None

    @cached_property
    def edited_definitions(self) -> frozenset[tuple[object, object]]:
        """The ideas and languages in which a user has replaced a definition."""
        groups = (
            {(idea_id, more[0]) for kind, idea_id, *more in parts if kind == "definition"}
            for parts in (self._gone, self._added)
        )
        return frozenset(set.intersection(*groups))

    def without_removed_parts(self, idea_id: int, idea: NewIdea, word_ids: dict[tuple[int, str], int]) -> NewIdea:
        """Return an idea of a file without the parts that users have removed from the existing idea.

        `word_ids` are the IDs of existing words, by language ID and text.
        """
        return msgspec.structs.replace(
            idea,
            words=tuple(one for one in idea.words if not self._has_word(idea_id, one, word_ids)),
            definitions=tuple(one for one in idea.definitions if ("definition", idea_id, *one) not in self._gone),
            examples=tuple(one for one in idea.examples if ("example", idea_id, *one[:2]) not in self._gone),
            contexts=tuple(one for one in idea.contexts if ("context", idea_id, one) not in self._gone),
        )

    def _has_word(self, idea_id: int, word: NewWord, word_ids: dict[tuple[int, str], int]) -> bool:
        spelling = (word.language_id, word.text)
        if spelling in word_ids:
            return ("sense", idea_id, word_ids[spelling]) in self._gone
        return spelling in self._corrected or any(
            self._spelled.get(word_id) == spelling for word_id in self._unlinked_words(idea_id)
        )

    def _unlinked_words(self, idea_id: int) -> Iterable[int]:
        # Only deleted words are looked up this way: few spellings are stored.
        return [word_id for word_id in self._spelled if ("sense", idea_id, word_id) in self._gone]

    def _apply_fields(self, change: Change) -> None:
        """Record the fields whose value differs from the original one."""
        state = change.after or change.before
        if type(state) not in FIELDS:
            return
        table, names = FIELDS[type(state)]  # type: ignore[index]  # it was asked just now
        number = change.ref.number
        if change.before is None and getattr(state, "source_id", None) is None:
            self._made_here.add((table, number))
        if change.before is None or change.after is None:
            return
        for name in names:
            before, after = getattr(change.before, name), getattr(change.after, name)
            if before != after and self._originals.setdefault((table, number, name), before) == after:
                del self._originals[table, number, name]

    def _apply_rename(self, before: ListItemState, after: ListItemState) -> None:
        """Record the current name of a list value."""
        of_list = (name for name, now in self.renamed.items() if (name[0], now) == (before.list, before.value))
        first = next(of_list, (before.list, before.value.casefold()))
        self.renamed[first] = after.value

    def _apply_spelling(self, change: Change, before: WordState) -> None:
        spelling = (before.language_id, before.text)
        if change.after is None:
            self._spelled[change.ref.number] = spelling
        elif isinstance(change.after, WordState) and spelling != (change.after.language_id, change.after.text):
            self._corrected.add(spelling)
            self._corrected.discard((change.after.language_id, change.after.text))


def _removable(change: Change, state: object) -> set[Tombstone]:
    """Return the parts of a state that a user could remove."""
    number = change.ref.number
    parts: set[Tombstone] = set()
    match state:
        case IdeaState():
            parts = _of_idea(number, state)
        case PhraseState():
            parts = {("phrase", *_name("phrase", number, state.source_id, state.external_key, state.added))}
        case RelationState():
            parts = {("relation", state.idea_id, state.type_id, state.other_id)}
        case SenseState():
            parts = {("sense", state.idea_id, state.word_id)}
        case CardState():
            parts = {("card", state.card_set_id, state.clue)}
        case _:
            pass
    if change.before is not None and change.after is not None and type(state) in FIELDS:
        table, names = FIELDS[type(state)]  # type: ignore[index]  # it was asked just now
        parts |= {("field", table, number, name) for name in names if getattr(state, name) not in {None, ()}}
    return parts


def _of_idea(number: int, state: IdeaState) -> set[Tombstone]:
    return {
        ("idea", *_name("idea", number, state.source_id, state.external_key, state.created)),
        *(("definition", number, *one) for one in state.definitions),
        *(("example", number, *one[:2]) for one in state.examples),
        *(("example", number, *one) for one in state.examples),
        *(("context", number, one) for one in state.contexts),
    }


def _name(kind: str, number: int, source_id: int | None, key: str | None, created: int) -> tuple[int, str]:
    if source_id is None or key is None:
        return LOCAL_SOURCE_ID, f"{kind}-{number}-{created}"
    return source_id, key
