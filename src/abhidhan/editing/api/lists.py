"""/api/editing/lists: values of lookup lists, added and renamed by editors."""

from typing import Annotated

import msgspec
from litestar import patch, post
from litestar.params import JSONBody, Parameter

from abhidhan.dictionary.service import lookup_lists
from abhidhan.editing.api.editing import BY_EDITORS
from abhidhan.editing.service.editing import Edited, Editing
from abhidhan.platform.http.authentication import SignedInRequest
from abhidhan.platform.http.parameters import SOME_TEXT, PathID
from abhidhan.platform.http.services import service_of
from abhidhan.records.kinds.catalogue import FIXED_LISTS
from abhidhan.records.kinds.fields import MOST_WORD_LETTERS
from abhidhan.records.lookup_lists import ListName

EditableList = Annotated[
    str,
    Parameter(
        description="POS, GEN, CTX, VRT, RIC or FJCAT.",
        schema_extra={"enum": [str(each) for each in ListName if each not in FIXED_LISTS]},
    ),
]


class ListValue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A value of a lookup list."""

    value: Annotated[str, msgspec.Meta(extra_json_schema={"pattern": SOME_TEXT, "maxLength": MOST_WORD_LETTERS})]


@post("/api/editing/lists/{name:str}", tags=["Editing"], summary="Add a value to a list", guards=BY_EDITORS)
async def add_list_value(request: SignedInRequest, name: EditableList, data: JSONBody[ListValue]) -> Edited:
    """Add a value to a lookup list."""
    editing = service_of(request, Editing)
    return await editing.add_list_value(request.user.person, lookup_lists.list_named(name, "name"), data.value)


@patch(
    "/api/editing/lists/{name:str}/{record_id:int}",
    tags=["Editing"],
    summary="Rename a value of a list",
    guards=BY_EDITORS,
)
async def rename_list_value(
    request: SignedInRequest, name: EditableList, record_id: PathID, data: JSONBody[ListValue]
) -> Edited:
    """Give a value of a lookup list another name."""
    editing = service_of(request, Editing)
    return await editing.rename_list_value(
        request.user.person, lookup_lists.list_named(name, "name"), record_id, data.value
    )


LIST_HANDLERS = (add_list_value, rename_list_value)
