"""Page of unchecked ideas, most frequent first: speakers confirm them with one click, or correct them."""

from typing import Annotated, Final

from litestar import Response, get, post
from litestar.params import QueryParameter

from abhidhan.contributions.service.submission_review import list_unchecked
from abhidhan.dictionary.api.parameters import DictionaryDep
from abhidhan.editing.service.editing import Editing
from abhidhan.people.pages.staff import NO_STORE_HEADERS, StaffContext, handle_staff_form, require_staff
from abhidhan.platform.http.forms import Form, read_number_field
from abhidhan.platform.http.parameters import PathID
from abhidhan.platform.http.rendering import PageRequest, PagesDep, redirect_to
from abhidhan.records.errors import AbhidhanError, NotFoundError
from abhidhan.records.ideas import Idea
from abhidhan.records.paging import Page
from abhidhan.records.people import Permission

UNCHECKED_PATH: Final = "/review/unchecked"
PAGE_SIZE: Final = 20
MAX_START: Final = 100_000

QueryText = Annotated[str, QueryParameter(max_length=100)]
StartParam = Annotated[int, QueryParameter(ge=0, le=MAX_START)]


@get(UNCHECKED_PATH, include_in_schema=False)
async def show_unchecked(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, done: QueryText = "", start: StartParam = 0
) -> Response[str]:
    """List the unchecked ideas to signed-in users; reviewers can confirm them."""
    staff = await require_staff(request, dictionary, pages)
    return staff if isinstance(staff, Response) else await _show_page(staff, start, done=done)


async def _show_page(
    staff: StaffContext, start: int, *, done: str = "", error: AbhidhanError | None = None
) -> Response[str]:
    start, unchecked = await _read_page(staff, start)
    catalogue = await staff.dictionary.catalogue()
    values = {
        "ideas": unchecked.items,
        "total": unchecked.total,
        "start": start,
        "many": PAGE_SIZE,
        "done": done,
        "form": Form().with_error(error) if error else Form(),
        "languages": catalogue.languages_by_id,
    }
    return staff.show("review-unchecked.html", values, error)


async def _read_page(staff: StaffContext, start: int) -> tuple[int, Page[Idea]]:
    """Return the page at an offset, or the last page if the list has become shorter."""
    page = await staff.dictionary.read_in_thread(list_unchecked, PAGE_SIZE, start)
    if page.items or not start:
        return start, page
    last = max(0, (page.total - 1) // PAGE_SIZE * PAGE_SIZE)
    return last, await staff.dictionary.read_in_thread(list_unchecked, PAGE_SIZE, last)


@post(f"{UNCHECKED_PATH}/{{idea_id:int}}", include_in_schema=False)
async def confirm(request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, idea_id: PathID) -> Response[str]:
    """Confirm an idea, and return to the same position in the list, at the idea after it."""

    async def process_form(staff: StaffContext, form: Form) -> Response[str]:
        start = min(read_number_field(form, "start") or 0, MAX_START)
        following = read_number_field(form, "next")
        try:
            await staff.service(Editing).confirm(staff.person, idea_id)
        except NotFoundError as error:
            return await _show_page(staff, start, error=error)
        fragment = f"#idea-{following}" if following else ""
        return redirect_to(
            f"{UNCHECKED_PATH}?done=confirmed{f'&start={start}' if start else ''}{fragment}", headers=NO_STORE_HEADERS
        )

    return await handle_staff_form(request, dictionary, pages, Permission.REVIEW, process_form)


UNCHECKED_HANDLERS = (show_unchecked, confirm)
