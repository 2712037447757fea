"""Pages on which editors list and add proverbs, sets of flashcards, and values of lookup lists."""

from typing import Annotated

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath, QueryParameter

from abhidhan.dictionary.api.parameters import DictionaryDep
from abhidhan.dictionary.service import cards, lookup_lists
from abhidhan.dictionary.service.proverbs import read_proverbs_to_edit
from abhidhan.editing.pages.record_fields import build_choices, parse_texts
from abhidhan.editing.pages.record_forms import show_record_page
from abhidhan.editing.service.editing import Editing
from abhidhan.people.pages.staff import NO_STORE_HEADERS, StaffContext, handle_staff_form, require_staff
from abhidhan.platform.http.forms import Form, read_number_field
from abhidhan.platform.http.parameters import MAX_PHRASE_LENGTH, PathID
from abhidhan.platform.http.rendering import PageRequest, PagesDep, redirect_to
from abhidhan.records.catalogue import Catalogue
from abhidhan.records.errors import AbhidhanError, ConflictError, InputError, NotFoundError, sentence
from abhidhan.records.kinds.catalogue import READ_ONLY_LISTS
from abhidhan.records.lookup_lists import ListItem, ListName
from abhidhan.records.people import Permission
from abhidhan.records.submission_payloads import CardData, CardSetData, ProverbData

TextParam = Annotated[str, QueryParameter(max_length=MAX_PHRASE_LENGTH)]


# --- proverbs -----------------------------------------------------------------------------------------------------


@get("/edit/proverbs", include_in_schema=False)
async def show_proverbs(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, q: TextParam = "", start: TextParam = ""
) -> Response[str]:
    """List proverbs to edit, with a form for adding one."""
    staff = await require_staff(request, dictionary, pages, Permission.EDIT)
    if isinstance(staff, Response):
        return staff
    return await _show_proverbs_page(staff, Form({"q": q, "start": start}))


async def _show_proverbs_page(
    staff: StaffContext,
    form: Form,
    *,
    error: AbhidhanError | None = None,
) -> Response[str]:
    values = {
        "form": form.with_error(error) if error else form,
        "page": await staff.dictionary.read_in_thread(read_proverbs_to_edit, form.value("q"), form.value("start")),
        "choices": build_choices(await staff.dictionary.catalogue()),
    }
    return staff.show("edit-proverbs.html", values, error)


@post("/edit/proverbs", include_in_schema=False)
async def add_proverb(request: PageRequest, dictionary: DictionaryDep, pages: PagesDep) -> Response[str]:
    """Add a proverb."""

    async def process_form(staff: StaffContext, form: Form) -> Response[str]:
        data = ProverbData(
            text=form.value("text"),
            category=form.value("category"),
            language=form.value("language"),
            meaning=form.value("meaning") or None,
            roman=form.value("roman") or None,
            meanings=parse_texts("meanings", form),
        )
        try:
            result = await staff.service(Editing).add_proverb(staff.person, data)
        except (ConflictError, InputError) as error:
            return await _show_proverbs_page(staff, form, error=error)
        return redirect_to(f"/edit/proverb/{_parse_record_id(result.record)}?done=added", headers=NO_STORE_HEADERS)

    return await handle_staff_form(request, dictionary, pages, Permission.EDIT, process_form)


def _parse_record_id(record: str) -> str:
    return record.partition(":")[2]


# --- flashcards ---------------------------------------------------------------------------------------------------


@get("/edit/cards", include_in_schema=False)
async def show_sets(request: PageRequest, dictionary: DictionaryDep, pages: PagesDep) -> Response[str]:
    """List the sets of flashcards, with a form for adding one."""
    staff = await require_staff(request, dictionary, pages, Permission.EDIT)
    if isinstance(staff, Response):
        return staff
    return await _show_sets_page(staff, Form())


async def _show_sets_page(
    staff: StaffContext,
    form: Form,
    *,
    error: AbhidhanError | None = None,
) -> Response[str]:
    catalogue = await staff.dictionary.catalogue()
    values = {
        "form": form.with_error(error) if error else form,
        "sets": await staff.dictionary.read(cards.list_card_sets),
        "languages": catalogue.languages_by_id,
        "choices": build_choices(catalogue),
    }
    return staff.show("edit-cards.html", values, error)


@post("/edit/cards", include_in_schema=False)
async def add_set(request: PageRequest, dictionary: DictionaryDep, pages: PagesDep) -> Response[str]:
    """Add a set of flashcards."""

    async def process_form(staff: StaffContext, form: Form) -> Response[str]:
        names = ("name", "language", "answer_language")
        data = CardSetData(
            **{name: form.value(name) for name in names},
            description=form.value("description") or None,
            names=parse_texts("names", form),
            descriptions=parse_texts("descriptions", form),
        )
        try:
            result = await staff.service(Editing).add_card_set(staff.person, data)
        except (ConflictError, InputError) as error:
            return await _show_sets_page(staff, form, error=error)
        return redirect_to(f"/edit/set/{_parse_record_id(result.record)}?done=added", headers=NO_STORE_HEADERS)

    return await handle_staff_form(request, dictionary, pages, Permission.EDIT, process_form)


@post("/edit/set/{record_id:str}/cards", include_in_schema=False)
async def add_card(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, record_id: FromPath[str]
) -> Response[str]:
    """Add a flashcard to a set."""

    async def process_form(staff: StaffContext, form: Form) -> Response[str]:
        try:
            data = CardData(
                read_number_field(Form({"set": record_id}), "set") or 0,
                form.value("clue"),
                form.value("answer"),
                roman=form.value("roman") or None,
                picture=form.value("picture") or None,
            )
            await staff.service(Editing).add_card(staff.person, data)
        except (ConflictError, InputError) as error:
            return await show_record_page(staff, record_id, form, error=error)
        return redirect_to(f"/edit/set/{record_id}?done=added#cards", headers=NO_STORE_HEADERS)

    return await handle_staff_form(request, dictionary, pages, Permission.EDIT, process_form)


@post("/edit/card/{card_id:int}/move", include_in_schema=False)
async def move_card(request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, card_id: PathID) -> Response[str]:
    """Move a flashcard one place up or down in its set."""

    async def process_form(staff: StaffContext, form: Form) -> Response[str]:
        moved = await staff.service(Editing).move_card(staff.person, card_id, -1 if form.value("way") == "up" else 1)
        return redirect_to(f"/edit/set/{_parse_record_id(moved.record)}#card-{card_id}", headers=NO_STORE_HEADERS)

    return await handle_staff_form(request, dictionary, pages, Permission.EDIT, process_form)


# --- lists --------------------------------------------------------------------------------------------------------


class EditableListPage(msgspec.Struct, frozen=True):
    """A lookup list with its values, and the names of all editable lists."""

    name: str
    items: tuple[ListItem, ...]
    names: tuple[str, ...]


def read_editable_list(catalogue: Catalogue, name: str) -> EditableListPage:
    """Return an editable lookup list. Raises NotFoundError."""
    names = tuple(str(list_name) for list_name in ListName if list_name not in READ_ONLY_LISTS)
    if name not in names:
        raise NotFoundError(sentence("There is no editable list with this name."))
    return EditableListPage(name, catalogue.list_items(ListName(name)), names)


@get(["/edit/lists", "/edit/lists/{name:str}"], include_in_schema=False)
async def show_list(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, name: FromPath[str] = "POS"
) -> Response[str]:
    """List the values of a lookup list, with a form for adding one."""
    staff = await require_staff(request, dictionary, pages, Permission.EDIT)
    if isinstance(staff, Response):
        return staff
    return await _show_list_page(staff, name, Form())


async def _show_list_page(
    staff: StaffContext,
    name: str,
    form: Form,
    *,
    error: AbhidhanError | None = None,
) -> Response[str]:
    page = read_editable_list(await staff.dictionary.catalogue(), name)
    values = {"form": form.with_error(error) if error else form, "page": page}
    return staff.show("edit-lists.html", values, error)


@post("/edit/lists/{name:str}", include_in_schema=False)
async def add_value(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, name: FromPath[str]
) -> Response[str]:
    """Add a value to a lookup list."""

    async def process_form(staff: StaffContext, form: Form) -> Response[str]:
        try:
            list_name = lookup_lists.find_list(name)
            result = await staff.service(Editing).add_list_value(staff.person, list_name, form.value("value"))
        except (ConflictError, InputError) as error:
            return await _show_list_page(staff, name, form, error=error)
        return redirect_to(f"/edit/value/{_parse_record_id(result.record)}?done=added", headers=NO_STORE_HEADERS)

    return await handle_staff_form(request, dictionary, pages, Permission.EDIT, process_form)


EDITOR_LIST_HANDLERS = (
    show_proverbs,
    add_proverb,
    show_sets,
    add_set,
    add_card,
    move_card,
    show_list,
    add_value,
)
