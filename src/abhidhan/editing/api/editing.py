"""/api/editing: ideas, words, meanings, proverbs, flashcards and list values, edited directly by editors."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final, Generic, Literal, TypeVar, cast

import msgspec
from litestar import delete, get, patch, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import JSONBody, Parameter

from abhidhan.dictionary.service import lookup_lists
from abhidhan.editing.service.editing import Editing
from abhidhan.editing.service.editor import Edited
from abhidhan.platform.http.authentication import SignedInRequest, require_access
from abhidhan.platform.http.parameters import NON_BLANK_TEXT_PATTERN, PathID
from abhidhan.platform.http.services import get_service
from abhidhan.records.errors import InputError, sentence
from abhidhan.records.history import RecordRef, RecordState
from abhidhan.records.ids import Count
from abhidhan.records.input_validation import build_changes
from abhidhan.records.kinds.catalogue import READ_ONLY_LISTS
from abhidhan.records.kinds.fields import MAX_WORD_LENGTH
from abhidhan.records.lookup_lists import ListName
from abhidhan.records.people import Permission
from abhidhan.records.submission_payloads import (
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

if TYPE_CHECKING:
    from abhidhan.records.kinds.fields import State

C = TypeVar("C")

MAX_BODY_BYTES: Final = 512 * 1024
"""Maximum size of a request body in bytes."""
EDITOR_GUARDS: Final = [require_access(Permission.EDIT)]
"""Guards of the editors' endpoints."""

RouteDecorator = Callable[..., Callable[[Callable[..., Any]], HTTPRouteHandler]]
"""Factory of a route decorator, called with a path and a summary."""

EDITOR_OPTIONS: Final[dict[str, Any]] = {"tags": ["Editing"], "guards": EDITOR_GUARDS}
read_route: Final[RouteDecorator] = partial(get, **EDITOR_OPTIONS)
add_route: Final[RouteDecorator] = partial(post, **EDITOR_OPTIONS, request_max_body_size=MAX_BODY_BYTES)
change_route: Final[RouteDecorator] = partial(patch, **EDITOR_OPTIONS, request_max_body_size=MAX_BODY_BYTES)
delete_route: Final[RouteDecorator] = partial(delete, **EDITOR_OPTIONS, status_code=200)
"""Route decorators with the options that all endpoints share."""

Version = Annotated[Count, msgspec.Meta(description="The version that was read before making the change.")]


class Edit(msgspec.Struct, Generic[C], frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A change of a record. You can send the response of a read request back, with its `changes` edited."""

    version: Version
    record: Annotated[str, msgspec.Meta(description="Optional: the `record` that was read.")] | None = None
    state: Annotated[dict[str, Any], msgspec.Meta(description="Optional; has no effect.")] | None = None
    changes: C


class Editable(msgspec.Struct, Generic[C], frozen=True):
    """A record and its version. To change it, edit `changes` and send the whole object back."""

    record: str
    version: int
    state: RecordState | None
    changes: C


class SenseMove(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A move of a word among the idea's words of the same language, or of a meaning among those of the word."""

    order: Annotated[
        Literal["words", "meanings"],
        msgspec.Meta(description="The order to change: of the words, or of the meanings."),
    ]
    steps: Annotated[
        int,
        msgspec.Meta(
            description=("The number of places towards the end; negative numbers move towards the beginning.")
        ),
    ]


# --- reading and changing -----------------------------------------------------------------------------------------


async def _read_record(request: SignedInRequest, kind: str, record_id: int) -> Editable[Any]:
    read = await get_service(request, Editing).read(request.user.person, RecordRef(kind, str(record_id)))
    return Editable(read.record, read.version, read.state, build_changes(cast("State", read.state)))


async def _change_record(request: SignedInRequest, kind: str, record_id: int, edit: Edit[Any]) -> Edited:
    ref = RecordRef(kind, str(record_id))
    if edit.record not in {None, str(ref)}:
        pattern = "`%(parameter)s` must be %(name)s, the record of this URL."
        raise InputError.of("record", sentence(pattern, parameter="record", name=str(ref)))
    return await get_service(request, Editing).change(request.user.person, ref, edit.version, edit.changes)


async def _delete_record(request: SignedInRequest, kind: str, record_id: int) -> Edited:
    return await get_service(request, Editing).delete(request.user.person, RecordRef(kind, str(record_id)))


@read_route("/api/editing/ideas/{record_id:int}", summary="Read an idea to edit it")
async def read_idea(request: SignedInRequest, record_id: PathID) -> Editable[IdeaChanges]:
    """Return an idea, with the version that a change must specify."""
    return await _read_record(request, "idea", record_id)


@read_route("/api/editing/words/{record_id:int}", summary="Read a word to edit it")
async def read_word(request: SignedInRequest, record_id: PathID) -> Editable[WordChanges]:
    """Return a word, with the version that a change must specify."""
    return await _read_record(request, "word", record_id)


@read_route("/api/editing/senses/{record_id:int}", summary="Read a meaning to edit it")
async def read_sense(request: SignedInRequest, record_id: PathID) -> Editable[SenseChanges]:
    """Return the link of a word to an idea, with the version that a change must specify."""
    return await _read_record(request, "sense", record_id)


@read_route("/api/editing/proverbs/{record_id:int}", summary="Read a proverb to edit it")
async def read_proverb(request: SignedInRequest, record_id: PathID) -> Editable[PhraseChanges]:
    """Return a proverb, with the version that a change must specify."""
    return await _read_record(request, "phrase", record_id)


@read_route("/api/editing/cards/{record_id:int}", summary="Read a flashcard to edit it")
async def read_card(request: SignedInRequest, record_id: PathID) -> Editable[CardChanges]:
    """Return a flashcard, with the version that a change must specify."""
    return await _read_record(request, "card", record_id)


@change_route("/api/editing/ideas/{record_id:int}", summary="Change an idea")
async def change_idea(request: SignedInRequest, record_id: PathID, data: JSONBody[Edit[IdeaChanges]]) -> Edited:
    """Change an idea. Returns 409 with both states if it has changed since that version."""
    return await _change_record(request, "idea", record_id, data)


@change_route("/api/editing/words/{record_id:int}", summary="Change a word")
async def change_word(request: SignedInRequest, record_id: PathID, data: JSONBody[Edit[WordChanges]]) -> Edited:
    """Change a word. Returns 409 with both states if it has changed since that version."""
    return await _change_record(request, "word", record_id, data)


@change_route("/api/editing/senses/{record_id:int}", summary="Change a meaning of a word")
async def change_sense(request: SignedInRequest, record_id: PathID, data: JSONBody[Edit[SenseChanges]]) -> Edited:
    """Change the reference, note or position of a meaning.

    Returns 409 with both states if it has changed since that version.
    """
    return await _change_record(request, "sense", record_id, data)


@change_route("/api/editing/proverbs/{record_id:int}", summary="Change a proverb")
async def change_proverb(request: SignedInRequest, record_id: PathID, data: JSONBody[Edit[PhraseChanges]]) -> Edited:
    """Change a proverb. Returns 409 with both states if it has changed since that version."""
    return await _change_record(request, "phrase", record_id, data)


@change_route("/api/editing/cards/{record_id:int}", summary="Change a flashcard")
async def change_card(request: SignedInRequest, record_id: PathID, data: JSONBody[Edit[CardChanges]]) -> Edited:
    """Change a flashcard. Returns 409 with both states if it has changed since that version."""
    return await _change_record(request, "card", record_id, data)


@delete_route("/api/editing/ideas/{record_id:int}", summary="Delete an idea")
async def delete_idea(request: SignedInRequest, record_id: PathID) -> Edited:
    """Delete an idea, and the words that have no other meaning."""
    return await _delete_record(request, "idea", record_id)


@delete_route("/api/editing/words/{record_id:int}", summary="Delete a word")
async def delete_word(request: SignedInRequest, record_id: PathID) -> Edited:
    """Delete a word with all its meanings. The ideas remain."""
    return await _delete_record(request, "word", record_id)


@delete_route("/api/editing/senses/{record_id:int}", summary="Remove a meaning from a word")
async def delete_sense(request: SignedInRequest, record_id: PathID) -> Edited:
    """Remove a meaning from a word. If it was the last one, the word is deleted."""
    return await _delete_record(request, "sense", record_id)


@delete_route("/api/editing/proverbs/{record_id:int}", summary="Delete a proverb")
async def delete_proverb(request: SignedInRequest, record_id: PathID) -> Edited:
    """Delete a proverb."""
    return await _delete_record(request, "phrase", record_id)


@delete_route("/api/editing/cards/{record_id:int}", summary="Delete a flashcard")
async def delete_card(request: SignedInRequest, record_id: PathID) -> Edited:
    """Delete a flashcard."""
    return await _delete_record(request, "card", record_id)


# --- adding -------------------------------------------------------------------------------------------------------


@add_route("/api/editing/ideas", summary="Add an idea")
async def add_idea(request: SignedInRequest, data: JSONBody[IdeaData]) -> Edited:
    """Add an idea without words."""
    return await get_service(request, Editing).add_idea(request.user.person, data)


@add_route("/api/editing/words", summary="Add a word")
async def add_word(request: SignedInRequest, data: JSONBody[WordData]) -> Edited:
    """Add a word to an existing idea, or together with a new one."""
    return await get_service(request, Editing).add_word(request.user.person, data)


@add_route("/api/editing/senses/{record_id:int}/move", summary="Move a word or a meaning", status_code=200)
async def move_sense(request: SignedInRequest, record_id: PathID, data: JSONBody[SenseMove]) -> Edited:
    """Move a word within the list of its idea (returns the idea), or a meaning within the list of its word."""
    editing, person = get_service(request, Editing), request.user.person
    move = editing.move_meaning if data.order == "meanings" else editing.move_word
    return await move(person, record_id, data.steps)


@add_route("/api/editing/proverbs", summary="Add a proverb")
async def add_proverb(request: SignedInRequest, data: JSONBody[ProverbData]) -> Edited:
    """Add a proverb or idiom."""
    return await get_service(request, Editing).add_proverb(request.user.person, data)


@add_route("/api/editing/cards", summary="Add a flashcard")
async def add_card(request: SignedInRequest, data: JSONBody[CardData]) -> Edited:
    """Add a flashcard to a set."""
    return await get_service(request, Editing).add_card(request.user.person, data)


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
    move_sense,
    add_proverb,
    add_card,
)


EditableList = Annotated[
    str,
    Parameter(
        description="POS, GEN, CTX, VRT, RIC or FJCAT.",
        schema_extra={"enum": [str(each) for each in ListName if each not in READ_ONLY_LISTS]},
    ),
]


class ListValue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A value of a lookup list."""

    value: Annotated[
        str, msgspec.Meta(extra_json_schema={"pattern": NON_BLANK_TEXT_PATTERN, "maxLength": MAX_WORD_LENGTH})
    ]


@post("/api/editing/lists/{name:str}", tags=["Editing"], summary="Add a value to a list", guards=EDITOR_GUARDS)
async def add_list_value(request: SignedInRequest, name: EditableList, data: JSONBody[ListValue]) -> Edited:
    """Add a value to a lookup list."""
    editing = get_service(request, Editing)
    return await editing.add_list_value(request.user.person, lookup_lists.find_list(name, "name"), data.value)


@patch(
    "/api/editing/lists/{name:str}/{record_id:int}",
    tags=["Editing"],
    summary="Rename a value of a list",
    guards=EDITOR_GUARDS,
)
async def rename_list_value(
    request: SignedInRequest, name: EditableList, record_id: PathID, data: JSONBody[ListValue]
) -> Edited:
    """Rename a value of a lookup list."""
    editing = get_service(request, Editing)
    return await editing.rename_list_value(
        request.user.person, lookup_lists.find_list(name, "name"), record_id, data.value
    )


LIST_HANDLERS = (add_list_value, rename_list_value)
