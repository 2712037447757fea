"""The stock: proverbs, sets of flashcards and lists as editors look through them, and add to them."""

from functools import partial
from typing import Annotated, Final

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath, QueryParameter

from abhidhan.domain.drafts import CardData, CardSetData, ProverbData
from abhidhan.domain.languages import ASSAMESE, Language
from abhidhan.domain.lists import ListItem, ListName
from abhidhan.domain.people import Permission
from abhidhan.domain.phrases import SimilarPhrase
from abhidhan.domain.records.list_item import FIXED_LISTS
from abhidhan.errors import AbhidhanError, ConflictError, InputError, NotFoundError, sentence
from abhidhan.services import cards, lists, phrases, proverbs
from abhidhan.services.proverbs import ProverbPage
from abhidhan.storage.database import Reader
from abhidhan.web.arguments import LONGEST_PHRASE, GivenDatabase, PathID
from abhidhan.web.pages.desk import NOT_KEPT, Desk, at_desk, desk_or_led
from abhidhan.web.pages.forms import Form, number_in
from abhidhan.web.pages.records import Choices, choices_of, read_catalogue, record_page
from abhidhan.web.pages.rendering import Asked, GivenPages, lead_to

PROVERBS_ON_A_PAGE: Final = 50
MOST_SIMILAR: Final = 20

Text = Annotated[str, QueryParameter(max_length=LONGEST_PHRASE)]


# --- proverbs -----------------------------------------------------------------------------------------------------


class ProverbStock(msgspec.Struct, frozen=True):
    """Proverbs like a saying, or a page of all, with what a new one is chosen from."""

    language: Language
    similar: tuple[SimilarPhrase, ...]
    leaf: ProverbPage
    choices: Choices


def read_proverb_stock(reader: Reader, query: str, start: str) -> ProverbStock:
    """Read the proverbs that are like a saying, or a page of all."""
    return ProverbStock(
        reader.catalogue.language(ASSAMESE),
        phrases.find_similar(reader, query, ASSAMESE, MOST_SIMILAR) if query else (),
        proverbs.leaf_through(reader, ASSAMESE, 0, start, PROVERBS_ON_A_PAGE),
        choices_of(reader.catalogue),
    )


@get("/edit/proverbs", include_in_schema=False)
async def show_proverb_stock(
    request: Asked, database: GivenDatabase, pages: GivenPages, q: Text = "", start: Text = ""
) -> Response[str]:
    """Show proverbs to choose one to edit, and the form of a new one."""
    desk = await desk_or_led(request, database, pages, Permission.EDIT)
    if isinstance(desk, Response):
        return desk
    return await _proverbs_page(desk, Form({"q": q, "start": start}))


async def _proverbs_page(
    desk: Desk,
    form: Form,
    *,
    error: AbhidhanError | None = None,
) -> Response[str]:
    job = partial(read_proverb_stock, query=form.value("q"), start=form.value("start"))
    values = {"form": form.refused(error) if error else form, "page": await desk.database.read(job, long=True)}
    return desk.show("edit-proverbs.html", values, error)


@post("/edit/proverbs", include_in_schema=False)
async def add_proverb(request: Asked, database: GivenDatabase, pages: GivenPages) -> Response[str]:
    """Add a proverb."""

    async def work(desk: Desk, form: Form) -> Response[str]:
        data = ProverbData(
            text=form.value("text"),
            category=form.value("category"),
            language=form.value("language"),
            meaning=form.value("meaning") or None,
            roman=form.value("roman") or None,
        )
        try:
            made = await desk.editing.editing.add_proverb(desk.person, data)
        except (ConflictError, InputError) as error:
            return await _proverbs_page(desk, form, error=error)
        return lead_to(f"/edit/proverb/{_number(made.record)}?done=added", headers=NOT_KEPT)

    return await at_desk(request, database, pages, Permission.EDIT, work)


def _number(record: str) -> str:
    return record.partition(":")[2]


# --- flashcards ---------------------------------------------------------------------------------------------------


@get("/edit/cards", include_in_schema=False)
async def show_sets(request: Asked, database: GivenDatabase, pages: GivenPages) -> Response[str]:
    """Show the sets of flashcards, and the form of a new one."""
    desk = await desk_or_led(request, database, pages, Permission.EDIT)
    if isinstance(desk, Response):
        return desk
    return await _sets_page(desk, Form())


async def _sets_page(
    desk: Desk,
    form: Form,
    *,
    error: AbhidhanError | None = None,
) -> Response[str]:
    catalogue = await desk.database.read(read_catalogue)
    values = {
        "form": form.refused(error) if error else form,
        "sets": await desk.database.read(cards.card_sets),
        "languages": {language.id: language for language in catalogue.languages},
    }
    return desk.show("edit-cards.html", values, error)


@post("/edit/cards", include_in_schema=False)
async def add_set(request: Asked, database: GivenDatabase, pages: GivenPages) -> Response[str]:
    """Make a set of flashcards."""

    async def work(desk: Desk, form: Form) -> Response[str]:
        names = ("name", "language", "answer_language")
        data = CardSetData(**{name: form.value(name) for name in names}, description=form.value("description") or None)
        try:
            made = await desk.editing.editing.add_card_set(desk.person, data)
        except (ConflictError, InputError) as error:
            return await _sets_page(desk, form, error=error)
        return lead_to(f"/edit/set/{_number(made.record)}?done=added", headers=NOT_KEPT)

    return await at_desk(request, database, pages, Permission.EDIT, work)


@post("/edit/set/{record_id:str}/cards", include_in_schema=False)
async def add_card(
    request: Asked, database: GivenDatabase, pages: GivenPages, record_id: FromPath[str]
) -> Response[str]:
    """Add a flashcard to a set."""

    async def work(desk: Desk, form: Form) -> Response[str]:
        try:
            data = CardData(
                number_in(Form({"set": record_id}), "set") or 0,
                form.value("clue"),
                form.value("answer"),
                roman=form.value("roman") or None,
                picture=form.value("picture") or None,
            )
            await desk.editing.editing.add_card(desk.person, data)
        except (ConflictError, InputError) as error:
            return await record_page(desk, record_id, form, error=error)
        return lead_to(f"/edit/set/{record_id}?done=added#cards", headers=NOT_KEPT)

    return await at_desk(request, database, pages, Permission.EDIT, work)


@post("/edit/card/{card_id:int}/move", include_in_schema=False)
async def move_card(request: Asked, database: GivenDatabase, pages: GivenPages, card_id: PathID) -> Response[str]:
    """Move a flashcard one place up or down in its set."""

    async def work(desk: Desk, form: Form) -> Response[str]:
        moved = await desk.editing.editing.move_card(desk.person, card_id, -1 if form.value("way") == "up" else 1)
        return lead_to(f"/edit/set/{_number(moved.record)}#card-{card_id}", headers=NOT_KEPT)

    return await at_desk(request, database, pages, Permission.EDIT, work)


# --- lists --------------------------------------------------------------------------------------------------------


class ListStock(msgspec.Struct, frozen=True):
    """A lookup list with its values, and the names of all that can be edited."""

    name: str
    items: tuple[ListItem, ...]
    names: tuple[str, ...]


def read_list_stock(reader: Reader, name: str) -> ListStock:
    """Read a lookup list that can be edited. Raises NotFoundError."""
    names = tuple(str(each) for each in ListName if each not in FIXED_LISTS)
    if name not in names:
        raise NotFoundError(sentence("There is no list of this name that can be edited."))
    return ListStock(name, lists.list_items(reader, ListName(name)), names)


@get(["/edit/lists", "/edit/lists/{name:str}"], include_in_schema=False)
async def show_list(
    request: Asked, database: GivenDatabase, pages: GivenPages, name: FromPath[str] = "POS"
) -> Response[str]:
    """Show the values of a lookup list, and the form of a new one."""
    desk = await desk_or_led(request, database, pages, Permission.EDIT)
    if isinstance(desk, Response):
        return desk
    return await _list_page(desk, name, Form())


async def _list_page(
    desk: Desk,
    name: str,
    form: Form,
    *,
    error: AbhidhanError | None = None,
) -> Response[str]:
    page = await desk.database.read(partial(read_list_stock, name=name))
    values = {"form": form.refused(error) if error else form, "page": page}
    return desk.show("edit-lists.html", values, error)


@post("/edit/lists/{name:str}", include_in_schema=False)
async def add_value(request: Asked, database: GivenDatabase, pages: GivenPages, name: FromPath[str]) -> Response[str]:
    """Add a value to a lookup list."""

    async def work(desk: Desk, form: Form) -> Response[str]:
        try:
            list_name = lists.list_named(name)
            made = await desk.editing.editing.add_list_value(desk.person, list_name, form.value("value"))
        except (ConflictError, InputError) as error:
            return await _list_page(desk, name, form, error=error)
        return lead_to(f"/edit/value/{_number(made.record)}?done=added", headers=NOT_KEPT)

    return await at_desk(request, database, pages, Permission.EDIT, work)


STOCK_HANDLERS = (
    show_proverb_stock,
    add_proverb,
    show_sets,
    add_set,
    add_card,
    move_card,
    show_list,
    add_value,
)
