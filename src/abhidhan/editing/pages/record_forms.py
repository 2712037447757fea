"""Pages on which editors change or delete a word, a proverb, a flashcard, a set or a list value."""

from typing import Annotated, Final

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath, QueryParameter

from abhidhan.dictionary.api.parameters import DictionaryDep
from abhidhan.editing.pages.differences import FieldDifference, compare
from abhidhan.editing.pages.record_fields import (
    ADDRESS_OF_KIND,
    FORMS,
    changes_of,
    choices_of,
    record_form,
    stored_fields,
    version_of,
)
from abhidhan.editing.pages.record_history import HISTORY_HANDLERS, history_of
from abhidhan.editing.service.editing import Editing
from abhidhan.editing.service.editor import Edited
from abhidhan.people.pages.staff import NO_STORE_HEADERS, StaffContext, handle_staff_form, staff_or_redirect
from abhidhan.platform.http.forms import Form
from abhidhan.platform.http.rendering import PageRequest, PagesDep, redirect_to
from abhidhan.records.catalogue import Catalogue
from abhidhan.records.errors import AbhidhanError, ConflictError, InputError, NotFoundError, sentence
from abhidhan.records.kinds.fields import names
from abhidhan.records.people import Permission

DoneParam = Annotated[str, QueryParameter(max_length=20)]
RECORD_PATHS: Final = [f"/edit/{name}/{{record_id:str}}" for name in FORMS]


class ConflictView(msgspec.Struct, frozen=True):
    """A version conflict: the current version, and the differences from it to the submitted state."""

    version: int
    differences: list[FieldDifference]


def conflict_of(error: AbhidhanError | None, catalogue: Catalogue) -> ConflictView | None:
    """Return the version conflict that an error reports; None for other errors."""
    if not isinstance(error, ConflictError):
        return None
    current, proposed = error.current, error.proposed
    if not (isinstance(current, Edited) and isinstance(proposed, Edited)):
        return None
    return ConflictView(current.version, compare(current.state, proposed.state, catalogue))


def refused_form(form: Form, error: AbhidhanError, clash: ConflictView | None) -> Form:
    """Return the submitted form with its error; after a conflict, with the current version, so that it can be saved."""
    if clash is None:
        return form.with_error(error)
    return Form({**form.fields, "version": str(clash.version)})


@get(RECORD_PATHS, include_in_schema=False)
async def show_record(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, record_id: FromPath[str], done: DoneParam = ""
) -> Response[str]:
    """Show the form of a record, with its history."""
    staff = await staff_or_redirect(request, dictionary, pages, Permission.EDIT)
    if isinstance(staff, Response):
        return staff
    return await record_page(staff, record_id, Form({"done": done}))


async def record_page(
    staff: StaffContext,
    record_id: str,
    form: Form,
    *,
    error: AbhidhanError | None = None,
) -> Response[str]:
    """Return the form of a record: with the stored values or, after an error, with the submitted ones."""
    record, name = record_form(staff.request, record_id)
    read = await staff.service(Editing).read(staff.person, name)
    state = read.state
    if state is None:
        raise NotFoundError(sentence("There is no such record."))
    catalogue = await staff.dictionary.catalogue()
    clash = conflict_of(error, catalogue)
    if error is None or "version" not in form.fields:
        form = Form({**form.fields, **stored_fields(record, state, catalogue), "version": str(read.version)})
    if error is not None:
        form = refused_form(form, error, clash)
    values = {
        "form": form,
        "kind": record.kind,
        "names": names(record.fields),
        "record_id": record_id,
        "address": f"{ADDRESS_OF_KIND[record.kind]}/{record_id}",
        "stored": state,
        "title": next(iter(stored_fields(record, state, catalogue).values())),
        "language": catalogue.language(getattr(state, "language_id", 1)),
        "choices": choices_of(catalogue),
        "clash": clash,
        "history": await history_of(staff, catalogue, name),
        **await record.load_context(staff.dictionary, name.number, state),
    }
    return staff.show(record.template, values, error)


@post(RECORD_PATHS, include_in_schema=False)
async def save_record(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, record_id: FromPath[str]
) -> Response[str]:
    """Change a record; if it has changed since the form was opened, show both states."""

    async def work(staff: StaffContext, form: Form) -> Response[str]:
        record, name = record_form(request, record_id)
        try:
            await staff.service(Editing).change(staff.person, name, version_of(form), changes_of(record, form))
        except (ConflictError, InputError) as error:
            return await record_page(staff, record_id, form, error=error)
        return redirect_to(f"{request.url.path}?done=saved", headers=NO_STORE_HEADERS)

    return await handle_staff_form(request, dictionary, pages, Permission.EDIT, work)


DELETE_PATHS: Final = [f"/edit/{name}/{{record_id:str}}/delete" for name in FORMS if name != "value"]


@post(DELETE_PATHS, include_in_schema=False)
async def delete_record(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, record_id: FromPath[str]
) -> Response[str]:
    """Delete a record, and redirect to the page that offers to undo it."""

    async def work(staff: StaffContext, form: Form) -> Response[str]:
        _, name = record_form(request, record_id)
        if form.value("sure") != "yes":
            error = InputError.of("sure", sentence("Tick the box to confirm."))
            return await record_page(staff, record_id, Form(), error=error)
        gone = await staff.service(Editing).delete(staff.person, name)
        return redirect_to(f"/edit/history/{gone.version}?of={name}", headers=NO_STORE_HEADERS)

    return await handle_staff_form(request, dictionary, pages, Permission.EDIT, work)


RECORD_HANDLERS = (show_record, save_record, delete_record, *HISTORY_HANDLERS)
