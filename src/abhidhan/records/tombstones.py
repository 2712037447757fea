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
from abhidhan.records.kinds.card import CARD_FIELDS, CARD_SET_FIELDS
from abhidhan.records.kinds.fields import list_columns
from abhidhan.records.kinds.idea import IDEA_ROW_FIELDS
from abhidhan.records.kinds.phrase import PHRASE_FIELDS
from abhidhan.records.kinds.word import REMARK_FIELDS, WORD_DETAIL_FIELDS

LOCAL_SOURCE_ID: Final = 0
"""The source ID used for records that were created in this dictionary, which have no source."""

TRACKED_COLUMNS: Final = {
    IdeaState: ("idea", list_columns(IDEA_ROW_FIELDS)),
    WordState: ("word", list_columns(WORD_DETAIL_FIELDS)),
    SenseState: ("sense", (*list_columns(REMARK_FIELDS), "rank", "position")),
    PhraseState: ("phrase", list_columns(PHRASE_FIELDS)),
    CardState: ("card", list_columns(CARD_FIELDS)),
    CardSetState: ("card_set", list_columns(CARD_SET_FIELDS)),
}
"""The table of each kind of record, and those of its columns that imports can set."""

Tombstone = tuple[object, ...]
"""A removed record or part as a tuple that begins with its kind, such as ("sense", idea ID, word ID)."""


class Tombstones:
    """The removals and edits that are still in effect, collected from the history in order."""

    def __init__(self) -> None:
        """Start without any removals or edits."""
        self._removed_parts: set[Tombstone] = set()
        self._added_parts: set[Tombstone] = set()
        self._original_values: dict[tuple[str, int, str], object] = {}
        self._local_records: set[tuple[str, int]] = set()
        self._deleted_spellings: dict[int, tuple[int, str]] = {}
        self._corrected_spellings: set[tuple[int, str]] = set()
        self.current_value_names: dict[tuple[str, str], str] = {}
        """The current name of a list value, by the list and its original name in lower case."""

    def apply(self, changes: Iterable[Change]) -> None:
        """Apply the changes of one history entry."""
        for change in changes:
            before, after = _removable_parts(change, change.before), _removable_parts(change, change.after)
            self._removed_parts |= before - after
            self._removed_parts -= after
            self._added_parts |= after - before
            self._added_parts -= before - after
            self._apply_fields(change)
            if isinstance(change.before, WordState):
                self._apply_spelling(change, change.before)
            if isinstance(change.before, ListItemState) and isinstance(change.after, ListItemState):
                self._apply_rename(change.before, change.after)

    def apply_merges(self, changes: Iterable[Change]) -> None:
        """Apply the merges of an import: user edits of a merged idea count for the idea that it was merged into."""
        states = [(change.ref.number, change.before, change.after) for change in changes]
        merged_ideas = {
            (before.source_id, before.external_key): number
            for number, before, after in states
            if isinstance(before, IdeaState) and after is None
        }
        for target, before, after in states:
            if isinstance(before, IdeaState) and isinstance(after, IdeaState):
                for name in merged_ideas.keys() & {*after.aliases}:
                    self._move_edits(merged_ideas[name], target, after)

    def _move_edits(self, merged_id: int, target_id: int, state: IdeaState) -> None:
        """Count edits of a merged idea as edits of the idea that it was merged into."""
        parts = {"definition", "example", "context"}
        self._added_parts |= {
            (one[0], target_id, *one[2:]) for one in self._added_parts if one[0] in parts and one[1] == merged_id
        }
        for name in list_columns(IDEA_ROW_FIELDS):
            if ("idea", merged_id, name) in self._original_values and getattr(state, name) is not None:
                self._original_values.setdefault(
                    ("idea", target_id, name), self._original_values["idea", merged_id, name]
                )

    @property
    def is_empty(self) -> bool:
        """True if no record or part was removed, and no spelling was corrected."""
        return not self._removed_parts and not self._corrected_spellings

    def is_idea_deleted(self, source_id: int, key: str) -> bool:
        """Return whether the idea with this key was deleted."""
        return ("idea", source_id, key) in self._removed_parts

    def is_phrase_deleted(self, source_id: int, key: str) -> bool:
        """Return whether the proverb with this key was deleted."""
        return ("phrase", source_id, key) in self._removed_parts

    def is_card_deleted(self, set_id: int, clue: str) -> bool:
        """Return whether the flashcard with this clue was deleted."""
        return ("card", set_id, clue) in self._removed_parts

    def iter_removed_relations(self) -> Iterator[RelationState]:
        """Yield the removed relations in one direction; their inverses were removed with them."""
        for kind, *ends in self._removed_parts:
            if kind == "relation":
                yield RelationState(*cast("list[int]", ends))

    def is_field_emptied(self, table: str, record_id: int, column: str) -> bool:
        """Return whether a user has emptied a field of a record."""
        return ("field", table, record_id, column) in self._removed_parts

    def is_field_edited(self, table: str, record_id: int, column: str) -> bool:
        """Return whether a user has changed this field or created its record, so that imports must not overwrite it."""
        return (table, record_id) in self._local_records or (table, record_id, column) in self._original_values

    def is_sense_reordered(self, sense_id: int, column: str) -> bool:
        """Return whether a user has changed the `rank` or `position` of a sense."""
        return ("sense", sense_id, column) in self._original_values

    def is_part_added(self, part: str, idea_id: int, *content: object) -> bool:
        """Return whether a user has added a definition, an example or a context to an idea."""
        return (part, idea_id, *content) in self._added_parts

    def iter_edited_fields(self) -> Iterator[tuple[str, int, str]]:
        """Yield the fields whose value differs from the original one, as table, ID and column."""
        yield from self._original_values

    def iter_edited_parts(self) -> Iterator[tuple[str, int, int]]:
        """Yield the parts of ideas that users have added or removed.

        Each is a kind (definition, example, context, sense, relation), the ID of the idea, and a detail: for a
        definition the ID of its language, for a sense that of its word.
        """
        kinds = {"definition", "example", "context", "sense", "relation"}
        for kind, idea_id, detail, *_ in (part for part in self._removed_parts | self._added_parts if part[0] in kinds):
            yield cast("tuple[str, int, int]", (kind, idea_id, detail))

    @property
    def corrected_words(self) -> frozenset[tuple[int, str]]:
        """The words (language ID, text) whose spelling was changed."""
        return frozenset(self._corrected_spellings)

    def find_deleted_word_language(self, word_id: int) -> int | None:
        """Return the language ID of a deleted word, or None."""
        spelled = self._deleted_spellings.get(word_id)
        return spelled[0] if spelled else None

    @cached_property
    def edited_definitions(self) -> frozenset[tuple[object, object]]:
        """The ideas and languages in which a user has replaced a definition."""
        groups = (
            {(idea_id, more[0]) for kind, idea_id, *more in parts if kind == "definition"}
            for parts in (self._removed_parts, self._added_parts)
        )
        return frozenset(set.intersection(*groups))

    def drop_removed_parts(self, idea_id: int, idea: NewIdea, word_ids: dict[tuple[int, str], int]) -> NewIdea:
        """Return an idea of a file without the parts that users have removed from the existing idea.

        `word_ids` are the IDs of existing words, by language ID and text.
        """
        return msgspec.structs.replace(
            idea,
            words=tuple(one for one in idea.words if not self._is_word_removed(idea_id, one, word_ids)),
            definitions=tuple(
                one for one in idea.definitions if ("definition", idea_id, *one) not in self._removed_parts
            ),
            examples=tuple(one for one in idea.examples if ("example", idea_id, *one[:2]) not in self._removed_parts),
            contexts=tuple(one for one in idea.contexts if ("context", idea_id, one) not in self._removed_parts),
        )

    def _is_word_removed(self, idea_id: int, word: NewWord, word_ids: dict[tuple[int, str], int]) -> bool:
        spelling = (word.language_id, word.text)
        if spelling in word_ids:
            return ("sense", idea_id, word_ids[spelling]) in self._removed_parts
        return spelling in self._corrected_spellings or any(
            self._deleted_spellings.get(word_id) == spelling for word_id in self._unlinked_words(idea_id)
        )

    def _unlinked_words(self, idea_id: int) -> Iterable[int]:
        # Only deleted words are looked up this way: few spellings are stored.
        return [word_id for word_id in self._deleted_spellings if ("sense", idea_id, word_id) in self._removed_parts]

    def _apply_fields(self, change: Change) -> None:
        """Record the fields whose value differs from the original one."""
        state = change.after or change.before
        if type(state) not in TRACKED_COLUMNS:
            return
        table, names = TRACKED_COLUMNS[type(state)]  # type: ignore[index]  # it was asked just now
        number = change.ref.number
        if change.before is None and getattr(state, "source_id", None) is None:
            self._local_records.add((table, number))
        if change.before is None or change.after is None:
            return
        for name in names:
            before, after = getattr(change.before, name), getattr(change.after, name)
            if before != after and self._original_values.setdefault((table, number, name), before) == after:
                del self._original_values[table, number, name]

    def _apply_rename(self, before: ListItemState, after: ListItemState) -> None:
        """Record the current name of a list value."""
        of_list = (
            name for name, now in self.current_value_names.items() if (name[0], now) == (before.list, before.value)
        )
        first = next(of_list, (before.list, before.value.casefold()))
        self.current_value_names[first] = after.value

    def _apply_spelling(self, change: Change, before: WordState) -> None:
        spelling = (before.language_id, before.text)
        if change.after is None:
            self._deleted_spellings[change.ref.number] = spelling
        elif isinstance(change.after, WordState) and spelling != (change.after.language_id, change.after.text):
            self._corrected_spellings.add(spelling)
            self._corrected_spellings.discard((change.after.language_id, change.after.text))


def _removable_parts(change: Change, state: object) -> set[Tombstone]:
    """Return the parts of a state that a user could remove."""
    number = change.ref.number
    parts: set[Tombstone] = set()
    match state:
        case IdeaState():
            parts = _idea_parts(number, state)
        case PhraseState():
            parts = {("phrase", *_record_key("phrase", number, state.source_id, state.external_key, state.added))}
        case RelationState():
            parts = {("relation", state.idea_id, state.type_id, state.other_id)}
        case SenseState():
            parts = {("sense", state.idea_id, state.word_id)}
        case CardState():
            parts = {("card", state.card_set_id, state.clue)}
        case _:
            pass
    if change.before is not None and change.after is not None and type(state) in TRACKED_COLUMNS:
        table, names = TRACKED_COLUMNS[type(state)]  # type: ignore[index]  # it was asked just now
        parts |= {("field", table, number, name) for name in names if getattr(state, name) not in {None, ()}}
    return parts


def _idea_parts(number: int, state: IdeaState) -> set[Tombstone]:
    return {
        ("idea", *_record_key("idea", number, state.source_id, state.external_key, state.created)),
        *(("definition", number, *one) for one in state.definitions),
        *(("example", number, *one[:2]) for one in state.examples),
        *(("example", number, *one) for one in state.examples),
        *(("context", number, one) for one in state.contexts),
    }


def _record_key(kind: str, number: int, source_id: int | None, key: str | None, created: int) -> tuple[int, str]:
    if source_id is None or key is None:
        return LOCAL_SOURCE_ID, f"{kind}-{number}-{created}"
    return source_id, key
