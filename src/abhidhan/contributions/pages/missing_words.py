"""Pages to report a missing word and, for editors, to list frequent searches without results."""

from typing import Annotated, Final

from litestar import Response, get, post
from litestar.params import QueryParameter

from abhidhan.contributions.service.submissions import Submissions
from abhidhan.dictionary.api.parameters import DictionaryDep
from abhidhan.dictionary.service.browse import LANGUAGE_BY_SCRIPT
from abhidhan.dictionary.service.dictionary import Dictionary
from abhidhan.dictionary.service.missing_words import list_missing
from abhidhan.people.pages.staff import NO_STORE_HEADERS, StaffContext, handle_staff_form, require_staff
from abhidhan.platform.http.authentication import client_info
from abhidhan.platform.http.errors import get_status
from abhidhan.platform.http.forms import Form, read_form
from abhidhan.platform.http.rendering import PageRequest, Pages, PagesDep, redirect_to
from abhidhan.platform.http.services import get_service
from abhidhan.records.errors import AbhidhanError
from abhidhan.records.languages import ASSAMESE
from abhidhan.records.people import Permission
from abhidhan.records.submission_payloads import MissingData
from assamese.normalization import detect_script

MISSING_PATH: Final = "/account/submit/missing"
LIST_PATH: Final = "/review/missing"
WORDS_PER_PAGE: Final = 100

QueryText = Annotated[str, QueryParameter(max_length=500)]
StartParam = Annotated[int, QueryParameter(ge=0, le=10_000_000)]


@get(MISSING_PATH, include_in_schema=False)
async def show_missing_form(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, word: QueryText = "", done: QueryText = ""
) -> Response[str]:
    """Show the form to report a missing word. Needs no account."""
    return await _show_missing_page(request, dictionary, pages, Form({"word": word, "done": done}))


async def _show_missing_page(
    request: PageRequest, dictionary: Dictionary, pages: Pages, form: Form, error: AbhidhanError | None = None
) -> Response[str]:
    catalogue = await dictionary.catalogue()
    language = catalogue.language(LANGUAGE_BY_SCRIPT.get(detect_script(form.value("word")), ASSAMESE))
    values = {
        "form": form.with_error(error) if error else form,
        "languages": catalogue.languages,
        "guessed": language.code,
    }
    status = get_status(error) if error else 200
    return pages.show(request, "submit-missing.html", values, status=status, headers=NO_STORE_HEADERS)


@post(MISSING_PATH, include_in_schema=False)
async def submit_missing(request: PageRequest, dictionary: DictionaryDep, pages: PagesDep) -> Response[str]:
    """Submit the report of a missing word, or count it if the word is already reported."""
    form = await read_form(request)
    try:
        missing = MissingData(form.value("language"), form.value("word"))
        await get_service(request, Submissions).report_missing(missing, client_info(request))
    except AbhidhanError as error:
        return await _show_missing_page(request, dictionary, pages, form, error)
    return redirect_to(f"{MISSING_PATH}?done=sent", headers=NO_STORE_HEADERS)


@get(LIST_PATH, include_in_schema=False)
async def show_missing(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, start: StartParam = 0, done: QueryText = ""
) -> Response[str]:
    """List searches without results, most frequent first."""
    staff = await require_staff(request, dictionary, pages, Permission.REVIEW)
    if isinstance(staff, Response):
        return staff
    values = {
        "found": await dictionary.read_in_thread(list_missing, WORDS_PER_PAGE, start),
        "counted": dictionary.missing_words is not None,
        "start": start,
        "many": WORDS_PER_PAGE,
        "done": done,
    }
    return staff.show("review-missing.html", values)


@post(LIST_PATH, include_in_schema=False)
async def exclude_word(request: PageRequest, dictionary: DictionaryDep, pages: PagesDep) -> Response[str]:
    """Remove a word from the list of searches without results."""

    async def process_form(staff: StaffContext, form: Form) -> Response[str]:
        await staff.service(Submissions).review.exclude_missing_word(staff.person, form.value("word"))
        return redirect_to(f"{LIST_PATH}?done=left-out", headers=NO_STORE_HEADERS)

    return await handle_staff_form(request, dictionary, pages, Permission.REVIEW, process_form)


MISSING_HANDLERS = (show_missing_form, submit_missing, show_missing, exclude_word)
