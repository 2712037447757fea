"""Pages for administrators: users, their roles, disabling accounts, and one-time links."""

from typing import Annotated, Final

from litestar import Response, get, post
from litestar.params import FromPath, QueryParameter

from abhidhan.dictionary.api.parameters import DictionaryDep
from abhidhan.people.model.one_time_links import (
    INVITATION_DAYS,
    MAX_INVITATION_DAYS,
    MAX_INVITATION_USES,
    RESET_SECONDS,
)
from abhidhan.people.pages.staff import NO_STORE_HEADERS, StaffContext, handle_staff_form, require_staff
from abhidhan.people.service.accounts import Accounts
from abhidhan.platform.http.forms import Form, read_number_field
from abhidhan.platform.http.parameters import PathID
from abhidhan.platform.http.rendering import PageRequest, Pages, PagesDep, redirect_to
from abhidhan.platform.http.services import get_service
from abhidhan.platform.http.urls import build_absolute_url
from abhidhan.records.errors import AbhidhanError, InputError, sentence
from abhidhan.records.people import Permission, Person, Role, SignUp, parse_role

PEOPLE_PER_PAGE: Final = 50
PEOPLE_PATH: Final = "/account/people"
SIGN_UP_PATH: Final = "/account/sign-up"

QueryText = Annotated[str, QueryParameter(max_length=100)]
Start = Annotated[int, QueryParameter(ge=0, le=10_000_000)]


@get(PEOPLE_PATH, include_in_schema=False)
async def show_people(  # noqa: PLR0913 (query parameters and injected dependencies)
    *,
    request: PageRequest,
    dictionary: DictionaryDep,
    pages: PagesDep,
    q: QueryText = "",
    start: Start = 0,
    done: QueryText = "",
) -> Response[str]:
    """List all users, or those whose names start with `q`."""
    staff = await require_staff(request, dictionary, pages, Permission.MANAGE_PEOPLE)
    if isinstance(staff, Response):
        return staff
    return await _render_list(staff, Form({"q": q, "done": done}), start=start)


async def _render_list(  # noqa: PLR0913  # each is a part of the page
    staff: StaffContext,
    form: Form,
    *,
    start: int = 0,
    error: AbhidhanError | None = None,
    link: str = "",
    link_seconds: int = RESET_SECONDS,
) -> Response[str]:
    accounts = staff.service(Accounts)
    page = await accounts.administration.list_people(PEOPLE_PER_PAGE, start, form.value("q"))
    values = {
        "form": form.with_error(error) if error else form,
        "found": page,
        "start": start,
        "many": PEOPLE_PER_PAGE,
        "roles": list(Role),
        "invites": accounts.context.rules.sign_up is SignUp.INVITATION,
        "invitations": await accounts.administration.list_invitations(),
        "link": link,
        "expires": accounts.context.now() + link_seconds,
        "days": INVITATION_DAYS,
        "most_people": MAX_INVITATION_USES,
        "most_days": MAX_INVITATION_DAYS,
    }
    return staff.show("people.html", values, error)


@post(f"{PEOPLE_PATH}/invitations", include_in_schema=False)
async def invite(request: PageRequest, dictionary: DictionaryDep, pages: PagesDep) -> Response[str]:
    """Create an invitation, and show its link once."""

    async def create_invitation(staff: StaffContext, form: Form) -> Response[str]:
        try:
            role = parse_role(form.value("role"))
            people, days = read_number_field(form, "people"), read_number_field(form, "days")
            people, days = 1 if people is None else people, INVITATION_DAYS if days is None else days
            token = await get_service(request, Accounts).administration.create_invitation(
                role, staff.person, people=people, days=days
            )
        except AbhidhanError as error:
            return await _render_list(staff, form, error=error)
        link = f"{pages.get_base_url(request)}{SIGN_UP_PATH}?invitation={token}"
        result_form = Form({"made": "invitation", "people": str(people), "days": str(days)})
        return await _render_list(staff, result_form, link=link, link_seconds=days * 86_400)

    return await handle_staff_form(request, dictionary, pages, Permission.MANAGE_PEOPLE, create_invitation)


@post(f"{PEOPLE_PATH}/invitations/{{invitation_id:int}}/revoke", include_in_schema=False)
async def revoke_invitation(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, invitation_id: FromPath[int]
) -> Response[str]:
    """Revoke an invitation."""

    async def revoke(staff: StaffContext, form: Form) -> Response[str]:
        try:
            await get_service(request, Accounts).administration.revoke_invitation(invitation_id, staff.person)
        except AbhidhanError as error:
            return await _render_list(staff, form, error=error)
        return redirect_to(f"{PEOPLE_PATH}?done=revoked", headers=NO_STORE_HEADERS)

    return await handle_staff_form(request, dictionary, pages, Permission.MANAGE_PEOPLE, revoke)


@post(PEOPLE_PATH, include_in_schema=False)
async def add_person(request: PageRequest, dictionary: DictionaryDep, pages: PagesDep) -> Response[str]:
    """Create an account for someone, and show the link that sets its password once."""

    async def create_account(staff: StaffContext, form: Form) -> Response[str]:
        try:
            role = parse_role(form.value("role"))
            new_person, link = await get_service(request, Accounts).administration.create_account_with_link(
                form.value("new_name"), form.value("email"), role, staff.person
            )
        except AbhidhanError as error:
            return await _render_list(staff, form, error=error)
        result_form = Form({"made": "account", "made_name": new_person.username})
        return await _render_list(staff, result_form, link=_absolute_link(request, pages, link))

    return await handle_staff_form(request, dictionary, pages, Permission.MANAGE_PEOPLE, create_account)


def _absolute_link(request: PageRequest, pages: Pages, link: str) -> str:
    """Prefix a relative link with the site's base URL, for servers without a base URL in the settings."""
    return build_absolute_url(pages.get_base_url(request), link) if link.startswith("/") else link


@get(f"{PEOPLE_PATH}/{{person_id:int}}", include_in_schema=False)
async def show_person(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, person_id: PathID, done: QueryText = ""
) -> Response[str]:
    """Show a user and the actions of administrators."""
    staff = await require_staff(request, dictionary, pages, Permission.MANAGE_PEOPLE)
    if isinstance(staff, Response):
        return staff
    target = await get_service(request, Accounts).administration.find(person_id)
    return await render_person_page(staff, target, Form({"done": done}))


async def render_person_page(
    staff: StaffContext,
    target: Person,
    form: Form,
    *,
    error: AbhidhanError | None = None,
    link: str = "",
) -> Response[str]:
    """Render the page of a user, with the values and errors of a submitted form."""
    values = {
        "form": form.with_error(error) if error else form,
        "shown": target,
        "own": target.id == staff.person.id,
        "has_codes": await staff.service(Accounts).administration.has_two_factor(target),
        "roles": list(Role),
        "link": link,
        "expires": staff.service(Accounts).context.now() + RESET_SECONDS,
    }
    return staff.show("person.html", values, error)


@post(f"{PEOPLE_PATH}/{{person_id:int}}/{{step:str}}", include_in_schema=False)
async def change_person(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, person_id: PathID, step: FromPath[str]
) -> Response[str]:
    """Change a user's role, disable or enable the account, or create a reset link."""

    async def apply_form(staff: StaffContext, form: Form) -> Response[str]:
        accounts = get_service(request, Accounts)
        target = await accounts.administration.find(person_id)
        if step == "reset":
            link = _absolute_link(request, pages, await accounts.administration.create_reset_link(target, staff.person))
            return await render_person_page(staff, target, Form(), link=link)
        try:
            await _apply_step(accounts, target, step, form, staff.person)
        except AbhidhanError as error:
            return await render_person_page(staff, target, form, error=error)
        return redirect_to(f"{PEOPLE_PATH}/{person_id}?done={step}", headers=NO_STORE_HEADERS)

    return await handle_staff_form(request, dictionary, pages, Permission.MANAGE_PEOPLE, apply_form)


async def _apply_step(accounts: Accounts, target: Person, step: str, form: Form, by: Person) -> None:
    """Apply one action to a user. Raises InputError, ConflictError."""
    match step:
        case "role":
            await accounts.administration.set_role(target, parse_role(form.value("role")), by)
        case "disable":
            await accounts.administration.disable(target, by)
        case "enable":
            await accounts.administration.enable(target, by)
        case "two-factor":
            await accounts.administration.reset_two_factor(target, by)
        case _:
            raise InputError.of("step", sentence("There is no such action for an account."))


PEOPLE_HANDLERS = (show_people, invite, revoke_invitation, add_person, show_person, change_person)
