"""The account page, with the user's submissions and settings."""

from typing import Annotated, Final

import msgspec
from litestar import Response, get
from litestar.params import QueryParameter

from abhidhan.contributions.service.submission_texts import build_sent_submission
from abhidhan.contributions.service.submissions import Submissions
from abhidhan.dictionary.api.parameters import DictionaryDep
from abhidhan.media.service.photos import Photos
from abhidhan.media.service.recordings import Recordings
from abhidhan.people.pages.staff import require_staff
from abhidhan.people.service.mails import Mails
from abhidhan.people.service.saved_lists import SavedLists
from abhidhan.people.service.tokens import Tokens
from abhidhan.platform.http.rendering import PageRequest, PagesDep
from abhidhan.platform.http.services import get_service
from abhidhan.records.people import Person, Role

MAX_SUBMISSIONS: Final = 50
QueryText = Annotated[str, QueryParameter(max_length=2000)]


@get("/account", include_in_schema=False)
async def show_account(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, done: QueryText = ""
) -> Response[str]:
    """Show the user's own submissions and settings."""
    staff = await require_staff(request, dictionary, pages)
    if isinstance(staff, Response):
        return staff
    # With the role of a reader, editors see only their own submissions here, too.
    as_reader = msgspec.structs.replace(staff.person, role=Role.READER)
    photos = await get_service(request, Photos).list_for(as_reader, None, MAX_SUBMISSIONS, 0)
    recordings = await get_service(request, Recordings).list_for(as_reader, None, MAX_SUBMISSIONS, 0)
    submissions = get_service(request, Submissions)
    own_submissions = (await submissions.list_for(as_reader, None, MAX_SUBMISSIONS, 0)).items
    subjects = await submissions.load_subjects(own_submissions)
    catalogue = await dictionary.catalogue()
    values = {
        "person": staff.person,
        "photos": photos.items,
        "recordings": recordings.items,
        "languages": catalogue.languages_by_id,
        "sent": [
            build_sent_submission(submission, subjects.get(submission.submission_id, ""), catalogue)
            for submission in own_submissions
        ],
        "mails": await _load_mail_settings(request, staff.person),
        "tokens": await get_service(request, Tokens).list_tokens(staff.person.id),
        "kept_lists": (await get_service(request, SavedLists).load(staff.person)).version > 0,
        "done": done,
    }
    return staff.show("account.html", values)


async def _load_mail_settings(request: PageRequest, person: Person) -> dict[str, object]:
    """Return the user's e-mail preferences, and the status of the address."""
    mails = get_service(request, Mails)
    preferences, address_status = await mails.get_preferences(person), await mails.addresses.status(person)
    return {"possible": mails.is_possible, "wanted": preferences, "standing": address_status}
