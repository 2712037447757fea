"""/api/editing: direct edits by editors; and the public history of words and ideas."""

from typing import Annotated

import msgspec
from litestar import delete, get, patch, post
from litestar.params import JSONBody, Parameter

from abhidhan.domain.drafts import (
    CardChanges,
    CardData,
    IdeaChanges,
    IdeaData,
    PhraseChanges,
    ProverbData,
    SenseChanges,
    WordChanges,
    WordData,
)
from abhidhan.domain.history import RecordName, RelationState
from abhidhan.domain.lists import Named
from abhidhan.domain.people import Permission
from abhidhan.services import lists
from abhidhan.services.editing import Edited, ShownChange, ShownRevision
from abhidhan.web.arguments import GREATEST_LIMIT, LimitUpTo1000, one_address_each
from abhidhan.web.moments import Timestamp, timestamp
from abhidhan.web.sessions import Asking, editing_of, needs

LARGEST_BODY = 512 * 1024
BY_EDITORS = [needs(Permission.EDIT)]

RecordID = Annotated[int, Parameter(description="The ID of the record.", ge=1, le=2**31 - 1)]
Offset = Annotated[int, Parameter(ge=0, description="How many to pass over.")]
Version = Annotated[int, msgspec.Meta(ge=0, description="The version that was read before the change.")]


class IdeaEdit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A change of an idea of a version."""

    version: Version
    changes: IdeaChanges


class WordEdit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A change of a word of a version."""

    version: Version
    changes: WordChanges


class SenseEdit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A change of a meaning of a word, of a version."""

    version: Version
    changes: SenseChanges


class PhraseEdit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A change of a proverb of a version."""

    version: Version
    changes: PhraseChanges


class CardEdit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A change of a flashcard of a version."""

    version: Version
    changes: CardChanges


class Merge(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The idea into which another one is merged."""

    into: int


class RelationData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A relation to another idea: its type (an ID of RIC), and the other idea."""

    type_id: int
    other_id: int


class ListValue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A value of a lookup list."""

    value: str


class RevisionEntry(msgspec.Struct, frozen=True):
    """An entry of the history: who did what when, and every record before and after."""

    id: int
    at: Timestamp
    action: Named | None
    person: str | None
    contributor: str | None
    changes: tuple[ShownChange, ...]

    @classmethod
    def of(cls, revision: ShownRevision) -> "RevisionEntry":
        """Write the time as callers read it."""
        return cls(**(msgspec.structs.asdict(revision) | {"at": timestamp(revision.at)}))


class HistoryAnswer(msgspec.Struct, frozen=True):
    """The history of a record, the newest entry first."""

    data: tuple[RevisionEntry, ...]
    count: int


# --- reading and changing -----------------------------------------------------------------------------------------


async def _read(request: Asking, kind: str, record_id: int) -> Edited:
    return await editing_of(request).editing.read(request.user.person, RecordName(kind, str(record_id)))


async def _change(
    request: Asking, kind: str, record_id: int, edit: IdeaEdit | WordEdit | SenseEdit | PhraseEdit | CardEdit
) -> Edited:
    name = RecordName(kind, str(record_id))
    return await editing_of(request).editing.change(request.user.person, name, edit.version, edit.changes)


async def _delete(request: Asking, kind: str, record_id: int) -> Edited:
    return await editing_of(request).editing.delete(request.user.person, RecordName(kind, str(record_id)))


@get("/api/editing/ideas/{record_id:int}", tags=["Editing"], summary="Read an idea to edit it", guards=BY_EDITORS)
async def read_idea(request: Asking, record_id: RecordID) -> Edited:
    """Read what an idea holds, with the version that a change must name."""
    return await _read(request, "idea", record_id)


@get("/api/editing/words/{record_id:int}", tags=["Editing"], summary="Read a word to edit it", guards=BY_EDITORS)
async def read_word(request: Asking, record_id: RecordID) -> Edited:
    """Read what a word holds, with the version that a change must name."""
    return await _read(request, "word", record_id)


@get("/api/editing/senses/{record_id:int}", tags=["Editing"], summary="Read a meaning to edit it", guards=BY_EDITORS)
async def read_sense(request: Asking, record_id: RecordID) -> Edited:
    """Read the link of a word to an idea, with the version that a change must name."""
    return await _read(request, "sense", record_id)


@get("/api/editing/proverbs/{record_id:int}", tags=["Editing"], summary="Read a proverb to edit it", guards=BY_EDITORS)
async def read_proverb(request: Asking, record_id: RecordID) -> Edited:
    """Read what a proverb holds, with the version that a change must name."""
    return await _read(request, "phrase", record_id)


@get("/api/editing/cards/{record_id:int}", tags=["Editing"], summary="Read a flashcard to edit it", guards=BY_EDITORS)
async def read_card(request: Asking, record_id: RecordID) -> Edited:
    """Read what a flashcard holds, with the version that a change must name."""
    return await _read(request, "card", record_id)


@patch(
    "/api/editing/ideas/{record_id:int}",
    tags=["Editing"],
    summary="Change an idea",
    guards=BY_EDITORS,
    request_max_body_size=LARGEST_BODY,
)
async def change_idea(request: Asking, record_id: RecordID, data: JSONBody[IdeaEdit]) -> Edited:
    """Change an idea. 409 with both states when somebody else was quicker."""
    return await _change(request, "idea", record_id, data)


@patch(
    "/api/editing/words/{record_id:int}",
    tags=["Editing"],
    summary="Change a word",
    guards=BY_EDITORS,
    request_max_body_size=LARGEST_BODY,
)
async def change_word(request: Asking, record_id: RecordID, data: JSONBody[WordEdit]) -> Edited:
    """Change a word. 409 with both states when somebody else was quicker."""
    return await _change(request, "word", record_id, data)


@patch(
    "/api/editing/senses/{record_id:int}",
    tags=["Editing"],
    summary="Change a meaning of a word",
    guards=BY_EDITORS,
    request_max_body_size=LARGEST_BODY,
)
async def change_sense(request: Asking, record_id: RecordID, data: JSONBody[SenseEdit]) -> Edited:
    """Change the reference, the note or the place of a meaning. 409 with both states when somebody was quicker."""
    return await _change(request, "sense", record_id, data)


@patch(
    "/api/editing/proverbs/{record_id:int}",
    tags=["Editing"],
    summary="Change a proverb",
    guards=BY_EDITORS,
    request_max_body_size=LARGEST_BODY,
)
async def change_proverb(request: Asking, record_id: RecordID, data: JSONBody[PhraseEdit]) -> Edited:
    """Change a proverb. 409 with both states when somebody else was quicker."""
    return await _change(request, "phrase", record_id, data)


@patch(
    "/api/editing/cards/{record_id:int}",
    tags=["Editing"],
    summary="Change a flashcard",
    guards=BY_EDITORS,
    request_max_body_size=LARGEST_BODY,
)
async def change_card(request: Asking, record_id: RecordID, data: JSONBody[CardEdit]) -> Edited:
    """Change a flashcard. 409 with both states when somebody else was quicker."""
    return await _change(request, "card", record_id, data)


@delete(
    "/api/editing/ideas/{record_id:int}",
    tags=["Editing"],
    summary="Delete an idea",
    status_code=200,
    guards=BY_EDITORS,
)
async def delete_idea(request: Asking, record_id: RecordID) -> Edited:
    """Delete an idea, and the words that mean nothing else."""
    return await _delete(request, "idea", record_id)


@delete(
    "/api/editing/words/{record_id:int}",
    tags=["Editing"],
    summary="Delete a word",
    status_code=200,
    guards=BY_EDITORS,
)
async def delete_word(request: Asking, record_id: RecordID) -> Edited:
    """Delete a word with all its meanings; the ideas stay."""
    return await _delete(request, "word", record_id)


@delete(
    "/api/editing/senses/{record_id:int}",
    tags=["Editing"],
    summary="Take a meaning from a word",
    status_code=200,
    guards=BY_EDITORS,
)
async def delete_sense(request: Asking, record_id: RecordID) -> Edited:
    """Take a meaning from a word; a word without any is not kept."""
    return await _delete(request, "sense", record_id)


@delete(
    "/api/editing/proverbs/{record_id:int}",
    tags=["Editing"],
    summary="Delete a proverb",
    status_code=200,
    guards=BY_EDITORS,
)
async def delete_proverb(request: Asking, record_id: RecordID) -> Edited:
    """Delete a proverb."""
    return await _delete(request, "phrase", record_id)


@delete(
    "/api/editing/cards/{record_id:int}",
    tags=["Editing"],
    summary="Delete a flashcard",
    status_code=200,
    guards=BY_EDITORS,
)
async def delete_card(request: Asking, record_id: RecordID) -> Edited:
    """Delete a flashcard."""
    return await _delete(request, "card", record_id)


# --- adding -------------------------------------------------------------------------------------------------------


@post(
    "/api/editing/ideas",
    tags=["Editing"],
    summary="Make an idea",
    guards=BY_EDITORS,
    request_max_body_size=LARGEST_BODY,
)
async def add_idea(request: Asking, data: JSONBody[IdeaData]) -> Edited:
    """Make an idea that has no word yet."""
    return await editing_of(request).editing.add_idea(request.user.person, data)


@post(
    "/api/editing/words",
    tags=["Editing"],
    summary="Add a word",
    guards=BY_EDITORS,
    request_max_body_size=LARGEST_BODY,
)
async def add_word(request: Asking, data: JSONBody[WordData]) -> Edited:
    """Add a word to an idea, or with a new meaning."""
    return await editing_of(request).editing.add_word(request.user.person, data)


@post(
    "/api/editing/proverbs",
    tags=["Editing"],
    summary="Add a proverb",
    guards=BY_EDITORS,
    request_max_body_size=LARGEST_BODY,
)
async def add_proverb(request: Asking, data: JSONBody[ProverbData]) -> Edited:
    """Add a proverb or idiom."""
    return await editing_of(request).editing.add_proverb(request.user.person, data)


@post(
    "/api/editing/cards",
    tags=["Editing"],
    summary="Add a flashcard",
    guards=BY_EDITORS,
    request_max_body_size=LARGEST_BODY,
)
async def add_card(request: Asking, data: JSONBody[CardData]) -> Edited:
    """Add a flashcard to a set."""
    return await editing_of(request).editing.add_card(request.user.person, data)


ListName = Annotated[str, Parameter(description="POS, GEN, CTX, VRT, RIC or FJCAT.")]


@post("/api/editing/lists/{name:str}", tags=["Editing"], summary="Add a value to a list", guards=BY_EDITORS)
async def add_list_value(request: Asking, name: ListName, data: JSONBody[ListValue]) -> Edited:
    """Add a value to a lookup list."""
    editing = editing_of(request).editing
    return await editing.add_list_value(request.user.person, lists.list_named(name), data.value)


@patch(
    "/api/editing/lists/{name:str}/{record_id:int}",
    tags=["Editing"],
    summary="Rename a value of a list",
    guards=BY_EDITORS,
)
async def rename_list_value(request: Asking, name: ListName, record_id: RecordID, data: JSONBody[ListValue]) -> Edited:
    """Give a value of a lookup list another name."""
    editing = editing_of(request).editing
    return await editing.rename_list_value(request.user.person, lists.list_named(name), record_id, data.value)


# --- relations, merging, undoing ----------------------------------------------------------------------------------


@post("/api/editing/ideas/{record_id:int}/relations", tags=["Editing"], summary="Relate two ideas", guards=BY_EDITORS)
async def relate(request: Asking, record_id: RecordID, data: JSONBody[RelationData]) -> Edited:
    """Relate an idea to another; the other is related to it by the inverse."""
    relation = RelationState(record_id, data.type_id, data.other_id)
    return await editing_of(request).editing.relate(request.user.person, relation)


@delete(
    "/api/editing/ideas/{record_id:int}/relations/{type_id:int}/{other_id:int}",
    tags=["Editing"],
    summary="Take a relation away",
    status_code=200,
    guards=BY_EDITORS,
)
async def unrelate(request: Asking, record_id: RecordID, type_id: RecordID, other_id: RecordID) -> Edited:
    """Take a relation and its inverse away."""
    relation = RelationState(record_id, type_id, other_id)
    return await editing_of(request).editing.unrelate(request.user.person, relation)


@post(
    "/api/editing/ideas/{record_id:int}/merge",
    tags=["Editing"],
    summary="Merge an idea into another",
    status_code=200,
    guards=BY_EDITORS,
)
async def merge_ideas(request: Asking, record_id: RecordID, data: JSONBody[Merge]) -> Edited:
    """Merge an idea into another, which then has the words, definitions, photos and relations of both."""
    return await editing_of(request).editing.merge(request.user.person, data.into, record_id)


@post(
    "/api/editing/history/{record_id:int}/undo",
    tags=["Editing"],
    summary="Take a change back",
    status_code=200,
    guards=BY_EDITORS,
)
async def undo(request: Asking, record_id: RecordID) -> Edited:
    """Take back the change that an entry of the history tells of. 409 when a newer change stands on it."""
    return await editing_of(request).editing.undo(request.user.person, record_id)


# --- the public history -------------------------------------------------------------------------------------------


@get(
    "/api/words/{record_id:int}/history",
    guards=[one_address_each],
    tags=["Words"],
    summary="Read the history of a word",
)
async def word_history(
    request: Asking, record_id: RecordID, limit: LimitUpTo1000 = 50, offset: Offset = 0
) -> HistoryAnswer:
    """Read who changed a word, when and how; the newest change first."""
    return await _history(request, RecordName("word", str(record_id)), limit, offset)


@get(
    "/api/ideas/{record_id:int}/history",
    guards=[one_address_each],
    tags=["Words"],
    summary="Read the history of an idea",
)
async def idea_history(
    request: Asking, record_id: RecordID, limit: LimitUpTo1000 = 50, offset: Offset = 0
) -> HistoryAnswer:
    """Read who changed an idea, when and how; the newest change first."""
    return await _history(request, RecordName("idea", str(record_id)), limit, offset)


async def _history(request: Asking, name: RecordName, limit: int, offset: int) -> HistoryAnswer:
    found = await editing_of(request).editing.history_of(name, min(limit, GREATEST_LIMIT), offset)
    return HistoryAnswer(tuple(map(RevisionEntry.of, found)), len(found))


EDITING_HANDLERS = (
    read_idea,
    read_word,
    read_sense,
    read_proverb,
    read_card,
    change_idea,
    change_word,
    change_sense,
    change_proverb,
    change_card,
    delete_idea,
    delete_word,
    delete_sense,
    delete_proverb,
    delete_card,
    add_idea,
    add_word,
    add_proverb,
    add_card,
    add_list_value,
    rename_list_value,
    relate,
    unrelate,
    merge_ideas,
    undo,
    word_history,
    idea_history,
)
