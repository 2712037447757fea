"""Pages on which editors list and add proverbs, sets of flashcards, and values of lookup lists."""

from typing import Annotated

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath, QueryParameter

from abhidhan.dictionary.api.parameters import DictionaryDep
from abhidhan.dictionary.service import cards, lookup_lists
from abhidhan.dictionary.service.proverbs import read_proverbs_to_edit
from abhidhan.editing.pages.record_fields import choices_of, parse_texts
from abhidhan.editing.pages.record_forms import record_page
from abhidhan.editing.service.editing import Editing
from abhidhan.people.pages.staff import NO_STORE_HEADERS, StaffContext, handle_staff_form, staff_or_redirect
from abhidhan.platform.http.forms import Form, number_in
from abhidhan.platform.http.parameters import MAX_PHRASE_LENGTH, PathID
from abhidhan.platform.http.rendering import PageRequest, PagesDep, redirect_to
from abhidhan.records.catalogue import Catalogue
from abhidhan.records.errors import AbhidhanError, ConflictError, InputError, NotFoundError, sentence
from abhidhan.records.kinds.catalogue import FIXED_LISTS
from abhidhan.records.lookup_lists import ListItem, ListName
from abhidhan.records.people import Permission
from abhidhan.records.submission_payloads import CardData, CardSetData, ProverbData

Text = Annotated[str, QueryParameter(max_length=MAX_PHRASE_LENGTH)]


# --- proverbs -----------------------------------------------------------------------------------------------------


@get("/edit/proverbs", include_in_schema=False)
async def show_proverb_stock(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, q: Text = "", start: Text = ""
) -> Response[str]:
    """List proverbs to edit, with a form for adding one."""
    staff = await staff_or_redirect(request, dictionary, pages, Permission.EDIT)
    if isinstance(staff, Response):
        return staff
    return await _proverbs_page(staff, Form({"q": q, "start": start}))


async def _proverbs_page(
    staff: StaffContext,
    form: Form,
    *,
    error: AbhidhanError | None = None,
) -> Response[str]:
    values = {
        "form": form.with_error(error) if error else form,
        "page": await staff.dictionary.read_in_thread(read_proverbs_to_edit, form.value("q"), form.value("start")),
        "choices": choices_of(await staff.dictionary.catalogue()),
    }
    return staff.show("edit-proverbs.html", values, error)


@post("/edit/proverbs", include_in_schema=False)
async def add_proverb(request: PageRequest, dictionary: DictionaryDep, pages: PagesDep) -> Response[str]:
    """Add a proverb."""

    async def work(staff: StaffContext, form: Form) -> Response[str]:
        data = ProverbData(
            text=form.value("text"),
            category=form.value("category"),
            language=form.value("language"),
            meaning=form.value("meaning") or None,
            roman=form.value("roman") or None,
            meanings=parse_texts("meanings", form),
        )
        try:
            made = await staff.service(Editing).add_proverb(staff.person, data)
        except (ConflictError, InputError) as error:
            return await _proverbs_page(staff, form, error=error)
        return redirect_to(f"/edit/proverb/{_number(made.record)}?done=added", headers=NO_STORE_HEADERS)

    return await handle_staff_form(request, dictionary, pages, Permission.EDIT, work)


def _number(record: str) -> str:
    return record.partition(":")[2]


# --- flashcards ---------------------------------------------------------------------------------------------------


@get("/edit/cards", include_in_schema=False)
async def show_sets(request: PageRequest, dictionary: DictionaryDep, pages: PagesDep) -> Response[str]:
    """List the sets of flashcards, with a form for adding one."""
    staff = await staff_or_redirect(request, dictionary, pages, Permission.EDIT)
    if isinstance(staff, Response):
        return staff
    return await _sets_page(staff, Form())


async def _sets_page(
    staff: StaffContext,
    form: Form,
    *,
    error: AbhidhanError | None = None,
) -> Response[str]:
    catalogue = await staff.dictionary.catalogue()
    values = {
        "form": form.with_error(error) if error else form,
        "sets": await staff.dictionary.read(cards.card_sets),
        "languages": catalogue.by_id,
        "choices": choices_of(catalogue),
    }
    return staff.show("edit-cards.html", values, error)


@post("/edit/cards", include_in_schema=False)
async def add_set(request: PageRequest, dictionary: DictionaryDep, pages: PagesDep) -> Response[str]:
    """Add a set of flashcards."""

    async def work(staff: StaffContext, form: Form) -> Response[str]:
        names = ("name", "language", "answer_language")
        data = CardSetData(
            **{name: form.value(name) for name in names},
            description=form.value("description") or None,
            names=parse_texts("names", form),
            descriptions=parse_texts("descriptions", form),
        )
        try:
            made = await staff.service(Editing).add_card_set(staff.person, data)
        except (ConflictError, InputError) as error:
            return await _sets_page(staff, form, error=error)
        return redirect_to(f"/edit/set/{_number(made.record)}?done=added", headers=NO_STORE_HEADERS)

    return await handle_staff_form(request, dictionary, pages, Permission.EDIT, work)


@post("/edit/set/{record_id:str}/cards", include_in_schema=False)
async def add_card(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, record_id: FromPath[str]
) -> Response[str]:
    """Add a flashcard to a set."""

    async def work(staff: StaffContext, form: Form) -> Response[str]:
        try:
            data = CardData(
                number_in(Form({"set": record_id}), "set") or 0,
                form.value("clue"),
                form.value("answer"),
                roman=form.value("roman") or None,
                picture=form.value("picture") or None,
            )
            await staff.service(Editing).add_card(staff.person, data)
        except (ConflictError, InputError) as error:
            return await record_page(staff, record_id, form, error=error)
        return redirect_to(f"/edit/set/{record_id}?done=added#cards", headers=NO_STORE_HEADERS)

    return await handle_staff_form(request, dictionary, pages, Permission.EDIT, work)


@post("/edit/card/{card_id:int}/move", include_in_schema=False)
async def move_card(request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, card_id: PathID) -> Response[str]:
    """Move a flashcard one place up or down in its set."""

    async def work(staff: StaffContext, form: Form) -> Response[str]:
        moved = await staff.service(Editing).move_card(staff.person, card_id, -1 if form.value("way") == "up" else 1)
        return redirect_to(f"/edit/set/{_number(moved.record)}#card-{card_id}", headers=NO_STORE_HEADERS)

    return await handle_staff_form(request, dictionary, pages, Permission.EDIT, work)


# --- lists --------------------------------------------------------------------------------------------------------


class ListStock(msgspec.Struct, frozen=True):
    """A lookup list with its values, and the names of all editable lists."""

    name: str
    items: tuple[ListItem, ...]
    names: tuple[str, ...]


def read_list_stock(catalogue: Catalogue, name: str) -> ListStock:
    """Return an editable lookup list. Raises NotFoundError."""
    names = tuple(str(list_name) for list_name in ListName if list_name not in FIXED_LISTS)
    if name not in names:
        raise NotFoundError(sentence("There is no editable list with this name."))
    return ListStock(name, catalogue.items_of(ListName(name)), names)


@get(["/edit/lists", "/edit/lists/{name:str}"], include_in_schema=False)
async def show_list(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, name: FromPath[str] = "POS"
) -> Response[str]:
    """List the values of a lookup list, with a form for adding one."""
    staff = await staff_or_redirect(request, dictionary, pages, Permission.EDIT)
    if isinstance(staff, Response):
        return staff
    return await _list_page(staff, name, Form())


async def _list_page(
    staff: StaffContext,
    name: str,
    form: Form,
    *,
    error: AbhidhanError | None = None,
) -> Response[str]:
    page = read_list_stock(await staff.dictionary.catalogue(), name)
    values = {"form": form.with_error(error) if error else form, "page": page}
    return staff.show("edit-lists.html", values, error)


@post("/edit/lists/{name:str}", include_in_schema=False)
async def add_value(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, name: FromPath[str]
) -> Response[str]:
    """Add a value to a lookup list."""

    async def work(staff: StaffContext, form: Form) -> Response[str]:
        try:
            list_name = lookup_lists.find_list(name)
            made = await staff.service(Editing).add_list_value(staff.person, list_name, form.value("value"))
        except (ConflictError, InputError) as error:
            return await _list_page(staff, name, form, error=error)
        return redirect_to(f"/edit/value/{_number(made.record)}?done=added", headers=NO_STORE_HEADERS)

    return await handle_staff_form(request, dictionary, pages, Permission.EDIT, work)


EDITOR_LIST_HANDLERS = (
    show_proverb_stock,
    add_proverb,
    show_sets,
    add_set,
    add_card,
    move_card,
    show_list,
    add_value,
)
