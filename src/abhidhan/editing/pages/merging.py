"""Pages that merge two equivalent ideas, or delete an idea; both can be undone."""

from typing import Annotated, Final

from litestar import Response, get, post
from litestar.params import QueryParameter

from abhidhan.dictionary.api.parameters import DictionaryDep
from abhidhan.dictionary.service.dictionary import Dictionary
from abhidhan.dictionary.service.views.ideas import IdeaView, find_ideas, read_idea
from abhidhan.editing.service.editing import Editing
from abhidhan.people.pages.staff import NO_STORE_HEADERS, StaffContext, handle_staff_form, require_staff
from abhidhan.platform.http.forms import Form, read_number_field
from abhidhan.platform.http.parameters import MAX_TEXT_LENGTH, PathID
from abhidhan.platform.http.rendering import PageRequest, PagesDep, redirect_to
from abhidhan.records.errors import AbhidhanError, ConflictError, InputError, NotFoundError, sentence
from abhidhan.records.history import RecordRef
from abhidhan.records.people import Permission

MAX_MATCHES: Final = 10

TextParam = Annotated[str, QueryParameter(max_length=MAX_TEXT_LENGTH)]


async def _require_idea(dictionary: Dictionary, idea_id: int) -> IdeaView:
    """Return an idea. Raises NotFoundError."""
    view = await dictionary.read(read_idea, str(idea_id))
    if view is None:
        raise NotFoundError(sentence("There is no idea with the ID %(idea_id)s.", idea_id=idea_id))
    return view


# --- merging ------------------------------------------------------------------------------------------------------


@get("/edit/idea/{idea_id:int}/merge", include_in_schema=False)
async def show_merge_form(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, idea_id: PathID, q: TextParam = ""
) -> Response[str]:
    """Show the search for an idea to merge into this one."""
    staff = await require_staff(request, dictionary, pages, Permission.EDIT)
    if isinstance(staff, Response):
        return staff
    return await _show_merge_page(staff, idea_id, Form({"q": q}))


async def _show_merge_page(
    staff: StaffContext, idea_id: int, form: Form, error: AbhidhanError | None = None
) -> Response[str]:
    view = await _require_idea(staff.dictionary, idea_id)
    query = form.value("q") or (view.idea.words[0].word if view.idea.words else "")
    values = {
        "form": Form({**form.fields, "q": query}).with_error(error) if error else Form({**form.fields, "q": query}),
        "idea_id": idea_id,
        "shown": view,
        "found": await staff.dictionary.read_in_thread(find_ideas, query, idea_id, MAX_MATCHES) if query else (),
    }
    return staff.show("edit-merge.html", values, error)


@post("/edit/idea/{idea_id:int}/merge", include_in_schema=False)
async def merge_ideas(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, idea_id: PathID
) -> Response[str]:
    """Merge another idea into this one."""

    async def process_form(staff: StaffContext, form: Form) -> Response[str]:
        try:
            await staff.service(Editing).merge(staff.person, idea_id, read_number_field(form, "other_id") or 0)
        except (ConflictError, InputError, NotFoundError) as error:
            return await _show_merge_page(staff, idea_id, form, error)
        return redirect_to(f"/edit/idea/{idea_id}?done=merged", headers=NO_STORE_HEADERS)

    return await handle_staff_form(request, dictionary, pages, Permission.EDIT, process_form)


# --- deleting -----------------------------------------------------------------------------------------------------


@get("/edit/idea/{idea_id:int}/delete", include_in_schema=False)
async def show_delete_form(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, idea_id: PathID
) -> Response[str]:
    """Show the dependent records of an idea before it is deleted."""
    staff = await require_staff(request, dictionary, pages, Permission.EDIT)
    if isinstance(staff, Response):
        return staff
    return await _show_delete_page(staff, idea_id, Form())


async def _show_delete_page(
    staff: StaffContext, idea_id: int, form: Form, error: AbhidhanError | None = None
) -> Response[str]:
    values = {
        "form": form.with_error(error) if error else form,
        "idea_id": idea_id,
        "shown": await _require_idea(staff.dictionary, idea_id),
    }
    return staff.show("edit-idea-delete.html", values, error)


@post("/edit/idea/{idea_id:int}/delete", include_in_schema=False)
async def delete_idea(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, idea_id: PathID
) -> Response[str]:
    """Delete an idea, and redirect to the page that offers to undo it."""

    async def process_form(staff: StaffContext, form: Form) -> Response[str]:
        ref = RecordRef("idea", str(idea_id))
        try:
            if form.value("sure") != "yes":
                raise InputError.of("sure", sentence("Tick the box to confirm."))
            result = await staff.service(Editing).delete(staff.person, ref)
        except (ConflictError, InputError) as error:
            return await _show_delete_page(staff, idea_id, form, error)
        return redirect_to(f"/edit/history/{result.version}?of={ref}", headers=NO_STORE_HEADERS)

    return await handle_staff_form(request, dictionary, pages, Permission.EDIT, process_form)


MERGING_HANDLERS = (show_merge_form, merge_ideas, show_delete_form, delete_idea)
