"""Page of unchecked ideas, most frequent first: speakers confirm them with one click, or correct them."""

from typing import Annotated, Final

from litestar import Response, get, post
from litestar.params import QueryParameter

from abhidhan.contributions.service.submission_review import list_unchecked
from abhidhan.dictionary.api.parameters import GivenDictionary
from abhidhan.editing.service.editing import Editing
from abhidhan.people.pages.staff import NOT_KEPT, StaffContext, handle_staff_form, staff_or_redirect
from abhidhan.platform.http.forms import Form, number_in
from abhidhan.platform.http.parameters import PathID
from abhidhan.platform.http.rendering import GivenPages, PageRequest, lead_to
from abhidhan.records.errors import AbhidhanError, NotFoundError
from abhidhan.records.ideas import Idea
from abhidhan.records.paging import Page
from abhidhan.records.people import Permission

UNCHECKED: Final = "/review/unchecked"
ON_A_PAGE: Final = 20
LATEST_START: Final = 100_000

Given = Annotated[str, QueryParameter(max_length=100)]
Start = Annotated[int, QueryParameter(ge=0, le=LATEST_START)]


@get(UNCHECKED, include_in_schema=False)
async def show_unchecked(
    request: PageRequest, dictionary: GivenDictionary, pages: GivenPages, done: Given = "", start: Start = 0
) -> Response[str]:
    """List the unchecked ideas to signed-in users; reviewers can confirm them."""
    staff = await staff_or_redirect(request, dictionary, pages)
    return staff if isinstance(staff, Response) else await _page(staff, start, done=done)


async def _page(
    staff: StaffContext, start: int, *, done: str = "", error: AbhidhanError | None = None
) -> Response[str]:
    start, found = await _read(staff, start)
    catalogue = await staff.dictionary.catalogue()
    values = {
        "ideas": found.items,
        "total": found.total,
        "start": start,
        "many": ON_A_PAGE,
        "done": done,
        "form": Form().refused(error) if error else Form(),
        "languages": catalogue.by_id,
    }
    return staff.show("review-unchecked.html", values, error)


async def _read(staff: StaffContext, start: int) -> tuple[int, Page[Idea]]:
    """Return the page at an offset, or the last page if the list has become shorter."""
    found = await staff.dictionary.read_in_thread(list_unchecked, ON_A_PAGE, start)
    if found.items or not start:
        return start, found
    last = max(0, (found.total - 1) // ON_A_PAGE * ON_A_PAGE)
    return last, await staff.dictionary.read_in_thread(list_unchecked, ON_A_PAGE, last)


@post(f"{UNCHECKED}/{{idea_id:int}}", include_in_schema=False)
async def confirm(
    request: PageRequest, dictionary: GivenDictionary, pages: GivenPages, idea_id: PathID
) -> Response[str]:
    """Confirm an idea, and return to the same position in the list, at the idea after it."""

    async def work(staff: StaffContext, form: Form) -> Response[str]:
        start = min(number_in(form, "start") or 0, LATEST_START)
        following = number_in(form, "next")
        try:
            await staff.service(Editing).confirm(staff.person, idea_id)
        except NotFoundError as error:
            return await _page(staff, start, error=error)
        place = f"#idea-{following}" if following else ""
        return lead_to(f"{UNCHECKED}?done=confirmed{f'&start={start}' if start else ''}{place}", headers=NOT_KEPT)

    return await handle_staff_form(request, dictionary, pages, Permission.REVIEW, work)


UNCHECKED_HANDLERS = (show_unchecked, confirm)
