"""Pages of personal data: the export, and the deletion of an account."""

from litestar import Response, get, post

from abhidhan.app.personal_data_export import PersonalData
from abhidhan.dictionary.api.parameters import DictionaryDep
from abhidhan.people.pages.people import PEOPLE_PATH, render_person_page
from abhidhan.people.pages.staff import NO_STORE_HEADERS, StaffContext, handle_staff_form
from abhidhan.people.service.accounts import Accounts
from abhidhan.platform.http.authentication import build_expired_cookie, client_info
from abhidhan.platform.http.errors import get_status
from abhidhan.platform.http.forms import Form, read_form, require_login
from abhidhan.platform.http.parameters import PathID
from abhidhan.platform.http.rendering import PageRequest, PagesDep, redirect_to
from abhidhan.platform.http.services import get_service
from abhidhan.platform.http.streaming import OMIT_BODY_KEY, StreamedResponse
from abhidhan.records.errors import AbhidhanError, InputError, sentence
from abhidhan.records.people import Permission, Person
from abhidhan.records.personal_data import DeletionChoices


@get("/account/export", include_in_schema=False)
async def export_account(request: PageRequest, pages: PagesDep) -> Response[bytes] | Response[str]:
    """Return all data stored about the signed-in user as a file. A HEAD request creates no export."""
    signed_in = await require_login(request)
    if isinstance(signed_in, Response):
        return signed_in
    headers = {**NO_STORE_HEADERS, "Content-Disposition": 'attachment; filename="abhidhan-account.json"'}
    if request.scope.get(OMIT_BODY_KEY):
        return Response(b"", headers=headers, media_type="application/json")
    pieces = await get_service(request, PersonalData).export(signed_in.person, pages.get_base_url(request))
    return StreamedResponse(pieces, None, headers=headers, media_type="application/json")


def read_deletion_choice(form: Form, username: str) -> DeletionChoices:
    """Read the choices for the deletion of an account from a form. Raises InputError."""
    names = {"name": username, "other": form.value("name"), "none": None, "": None}
    if form.value("stays") not in names:
        raise InputError.of("stays", sentence("Choose the name under which the contributions should stay."))
    chosen = {name: form.value(name) == "yes" for name in ("keep_waiting", "all_credits", "remove_recordings")}
    return DeletionChoices(names[form.value("stays")], **chosen)


@get("/account/remove", include_in_schema=False)
async def show_removal(request: PageRequest, pages: PagesDep) -> Response[str]:
    """Show the form that deletes the user's account."""
    signed_in = await require_login(request)
    if isinstance(signed_in, Response):
        return signed_in
    values = {"form": Form(), "username": signed_in.person.username}
    return pages.show(request, "remove-account.html", values, headers=NO_STORE_HEADERS)


@post("/account/remove", include_in_schema=False)
async def remove_account(request: PageRequest, pages: PagesDep) -> Response[str]:
    """Delete the signed-in user's account, and redirect to the confirmation page."""
    form = await read_form(request)
    signed_in = await require_login(request)
    if isinstance(signed_in, Response):
        return signed_in
    try:
        choice = read_deletion_choice(form, signed_in.person.username)
        await get_service(request, PersonalData).delete_own_account(
            signed_in, form.value("password"), choice, client_info(request)
        )
    except AbhidhanError as error:
        values = {"form": form.with_error(error), "username": signed_in.person.username}
        return pages.show(request, "remove-account.html", values, status=get_status(error), headers=NO_STORE_HEADERS)
    return redirect_to("/account/removed", headers=NO_STORE_HEADERS, cookies=[build_expired_cookie(request)])


@get("/account/removed", include_in_schema=False)
async def show_removed(request: PageRequest, pages: PagesDep) -> Response[str]:
    """Show the confirmation that the account was deleted."""
    return pages.show(request, "account-removed.html", {}, headers=NO_STORE_HEADERS)


@post(f"{PEOPLE_PATH}/{{person_id:int}}/remove", include_in_schema=False)
async def remove_person(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, person_id: PathID
) -> Response[str]:
    """Delete another user's account, for administrators."""

    async def delete_person(staff: StaffContext, form: Form) -> Response[str]:
        person = await staff.service(Accounts).administration.find(person_id)
        try:
            await _delete_account(staff, person, form)
        except AbhidhanError as error:
            return await render_person_page(staff, person, form, error=error)
        return redirect_to(f"{PEOPLE_PATH}?done=removed", headers=NO_STORE_HEADERS)

    return await handle_staff_form(request, dictionary, pages, Permission.MANAGE_PEOPLE, delete_person)


async def _delete_account(staff: StaffContext, person: Person, form: Form) -> None:
    """Delete an account. Raises InputError, ConflictError."""
    if form.value("sure") != "yes":
        raise InputError.of("sure", sentence("Tick the box to delete the account."))
    await staff.service(PersonalData).delete_account(person, read_deletion_choice(form, person.username), staff.person)


PERSONAL_DATA_HANDLERS = (export_account, show_removal, remove_account, show_removed, remove_person)
