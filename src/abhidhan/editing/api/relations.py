"""/api/editing/ideas/…: relations between ideas, and merging of ideas."""

from typing import Annotated, Final

import msgspec
from litestar import post
from litestar.params import JSONBody, QueryParameter

from abhidhan.editing.api.editing import EDITOR_GUARDS, Edit, Editable, change_route, delete_route, read_route
from abhidhan.editing.service.editing import Editing
from abhidhan.editing.service.editor import Edited
from abhidhan.platform.http.authentication import SignedInRequest
from abhidhan.platform.http.parameters import PathID
from abhidhan.platform.http.services import get_service
from abhidhan.records.history import RelationState
from abhidhan.records.ids import ID, MAX_ID

VersionParam = Annotated[
    int | None,
    QueryParameter(
        ge=0,
        le=MAX_ID,
        description="The version that was read. If omitted, the relation is deleted in any version.",
    ),
]


class Merge(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The idea into which another one is merged."""

    into: ID


class RelationData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A relation to another idea: its type (an ID of the list RIC), and the ID of the other idea."""

    type_id: ID
    other_id: ID


class RelationChanges(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The editable part of a relation: its type (an ID of the list RIC)."""

    type_id: ID


@post(
    "/api/editing/ideas/{record_id:int}/relations", tags=["Editing"], summary="Relate two ideas", guards=EDITOR_GUARDS
)
async def relate(request: SignedInRequest, record_id: PathID, data: JSONBody[RelationData]) -> Edited:
    """Relate an idea to another. The inverse relation is added to the other idea."""
    relation = RelationState(record_id, data.type_id, data.other_id)
    return await get_service(request, Editing).relate(request.user.person, relation)


RELATION_PATH: Final = "/api/editing/ideas/{record_id:int}/relations/{type_id:int}/{other_id:int}"


@read_route(RELATION_PATH, summary="Read a relation to edit it")
async def read_relation(
    request: SignedInRequest, record_id: PathID, type_id: PathID, other_id: PathID
) -> Editable[RelationChanges]:
    """Return a relation, with the version that a change must specify."""
    relation = RelationState(record_id, type_id, other_id)
    read = await get_service(request, Editing).read_relation(request.user.person, relation)
    return Editable(read.record, read.version, read.state, RelationChanges(type_id))


@change_route(RELATION_PATH, summary="Change a relation")
async def change_relation(
    request: SignedInRequest,
    record_id: PathID,
    type_id: PathID,
    other_id: PathID,
    data: JSONBody[Edit[RelationChanges]],
) -> Edited:
    """Change the type of a relation. Returns 409 with both states if it has changed since that version."""
    relation = RelationState(record_id, type_id, other_id)
    editing = get_service(request, Editing)
    return await editing.change_relation(request.user.person, relation, data.version, data.changes.type_id)


@delete_route(RELATION_PATH, summary="Remove a relation")
async def unrelate(
    request: SignedInRequest, record_id: PathID, type_id: PathID, other_id: PathID, version: VersionParam = None
) -> Edited:
    """Remove a relation and its inverse. Returns 409 if it no longer has the given version."""
    relation = RelationState(record_id, type_id, other_id)
    return await get_service(request, Editing).unrelate(request.user.person, relation, version)


@post(
    "/api/editing/ideas/{record_id:int}/merge",
    tags=["Editing"],
    summary="Merge an idea into another",
    status_code=200,
    guards=EDITOR_GUARDS,
)
async def merge_ideas(request: SignedInRequest, record_id: PathID, data: JSONBody[Merge]) -> Edited:
    """Merge an idea into another, which receives its words, definitions, photos and relations."""
    return await get_service(request, Editing).merge(request.user.person, data.into, record_id)


RELATION_HANDLERS = (relate, read_relation, change_relation, unrelate, merge_ideas)
