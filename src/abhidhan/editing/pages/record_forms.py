"""Pages on which editors change or delete a word, a proverb, a flashcard, a set or a list value."""

from typing import Annotated, Final

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath, QueryParameter

from abhidhan.dictionary.api.parameters import DictionaryDep
from abhidhan.editing.pages.differences import FieldDifference, compare_states
from abhidhan.editing.pages.record_fields import (
    FORMS_BY_PATH,
    PATH_BY_KIND,
    build_choices,
    build_form_fields,
    find_record_form,
    parse_changes,
    parse_version,
)
from abhidhan.editing.pages.record_history import HISTORY_HANDLERS, list_latest_history
from abhidhan.editing.service.editing import Editing
from abhidhan.editing.service.editor import Edited
from abhidhan.people.pages.staff import NO_STORE_HEADERS, StaffContext, handle_staff_form, require_staff
from abhidhan.platform.http.forms import Form
from abhidhan.platform.http.rendering import PageRequest, PagesDep, redirect_to
from abhidhan.records.catalogue import Catalogue
from abhidhan.records.errors import AbhidhanError, ConflictError, InputError, NotFoundError, sentence
from abhidhan.records.kinds.fields import list_field_names
from abhidhan.records.people import Permission

DoneParam = Annotated[str, QueryParameter(max_length=20)]
RECORD_PATHS: Final = [f"/edit/{name}/{{record_id:str}}" for name in FORMS_BY_PATH]


class ConflictView(msgspec.Struct, frozen=True):
    """A version conflict: the current version, and the differences from it to the submitted state."""

    version: int
    differences: list[FieldDifference]


def find_conflict(error: AbhidhanError | None, catalogue: Catalogue) -> ConflictView | None:
    """Return the version conflict that an error reports; None for other errors."""
    if not isinstance(error, ConflictError):
        return None
    current, proposed = error.current, error.proposed
    if not (isinstance(current, Edited) and isinstance(proposed, Edited)):
        return None
    return ConflictView(current.version, compare_states(current.state, proposed.state, catalogue))


def build_rejected_form(form: Form, error: AbhidhanError, conflict: ConflictView | None) -> Form:
    """Return the submitted form with its error; after a conflict, with the current version, so that it can be saved."""
    if conflict is None:
        return form.with_error(error)
    return Form({**form.fields, "version": str(conflict.version)})


@get(RECORD_PATHS, include_in_schema=False)
async def show_record(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, record_id: FromPath[str], done: DoneParam = ""
) -> Response[str]:
    """Show the form of a record, with its history."""
    staff = await require_staff(request, dictionary, pages, Permission.EDIT)
    if isinstance(staff, Response):
        return staff
    return await show_record_page(staff, record_id, Form({"done": done}))


async def show_record_page(
    staff: StaffContext,
    record_id: str,
    form: Form,
    *,
    error: AbhidhanError | None = None,
) -> Response[str]:
    """Return the form of a record: with the stored values or, after an error, with the submitted ones."""
    record, name = find_record_form(staff.request, record_id)
    read = await staff.service(Editing).read(staff.person, name)
    state = read.state
    if state is None:
        raise NotFoundError(sentence("There is no such record."))
    catalogue = await staff.dictionary.catalogue()
    conflict = find_conflict(error, catalogue)
    if error is None or "version" not in form.fields:
        form = Form({**form.fields, **build_form_fields(record, state, catalogue), "version": str(read.version)})
    if error is not None:
        form = build_rejected_form(form, error, conflict)
    values = {
        "form": form,
        "kind": record.kind,
        "names": list_field_names(record.fields),
        "record_id": record_id,
        "address": f"{PATH_BY_KIND[record.kind]}/{record_id}",
        "stored": state,
        "title": next(iter(build_form_fields(record, state, catalogue).values())),
        "language": catalogue.language(getattr(state, "language_id", 1)),
        "choices": build_choices(catalogue),
        "clash": conflict,
        "history": await list_latest_history(staff, catalogue, name),
        **await record.load_context(staff.dictionary, name.number, state),
    }
    return staff.show(record.template, values, error)


@post(RECORD_PATHS, include_in_schema=False)
async def save_record(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, record_id: FromPath[str]
) -> Response[str]:
    """Change a record; if it has changed since the form was opened, show both states."""

    async def process_form(staff: StaffContext, form: Form) -> Response[str]:
        record, name = find_record_form(request, record_id)
        try:
            await staff.service(Editing).change(staff.person, name, parse_version(form), parse_changes(record, form))
        except (ConflictError, InputError) as error:
            return await show_record_page(staff, record_id, form, error=error)
        return redirect_to(f"{request.url.path}?done=saved", headers=NO_STORE_HEADERS)

    return await handle_staff_form(request, dictionary, pages, Permission.EDIT, process_form)


DELETE_PATHS: Final = [f"/edit/{name}/{{record_id:str}}/delete" for name in FORMS_BY_PATH if name != "value"]


@post(DELETE_PATHS, include_in_schema=False)
async def delete_record(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, record_id: FromPath[str]
) -> Response[str]:
    """Delete a record, and redirect to the page that offers to undo it."""

    async def process_form(staff: StaffContext, form: Form) -> Response[str]:
        _, name = find_record_form(request, record_id)
        if form.value("sure") != "yes":
            error = InputError.of("sure", sentence("Tick the box to confirm."))
            return await show_record_page(staff, record_id, Form(), error=error)
        result = await staff.service(Editing).delete(staff.person, name)
        return redirect_to(f"/edit/history/{result.version}?of={name}", headers=NO_STORE_HEADERS)

    return await handle_staff_form(request, dictionary, pages, Permission.EDIT, process_form)


RECORD_HANDLERS = (show_record, save_record, delete_record, *HISTORY_HANDLERS)
