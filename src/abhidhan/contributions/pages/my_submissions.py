"""The account page, with the user's submissions and settings."""

from typing import Annotated, Final

import msgspec
from litestar import Response, get
from litestar.params import QueryParameter

from abhidhan.contributions.service.submission_texts import sent_submission
from abhidhan.contributions.service.submissions import Submissions
from abhidhan.dictionary.api.parameters import DictionaryDep
from abhidhan.media.service.photos import Photos
from abhidhan.media.service.recordings import Recordings
from abhidhan.people.pages.staff import staff_or_redirect
from abhidhan.people.service.mails import Mails
from abhidhan.people.service.saved_lists import SavedLists
from abhidhan.people.service.tokens import Tokens
from abhidhan.platform.http.rendering import PageRequest, PagesDep
from abhidhan.platform.http.services import service_of
from abhidhan.records.people import Person, Role

MAX_SUBMISSIONS: Final = 50
QueryText = Annotated[str, QueryParameter(max_length=2000)]


@get("/account", include_in_schema=False)
async def show_account(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, done: QueryText = ""
) -> Response[str]:
    """Show the user's own submissions and settings."""
    staff = await staff_or_redirect(request, dictionary, pages)
    if isinstance(staff, Response):
        return staff
    # With the role of a reader, editors see only their own submissions here, too.
    as_reader = msgspec.structs.replace(staff.person, role=Role.READER)
    photos = await service_of(request, Photos).list_for(as_reader, None, MAX_SUBMISSIONS, 0)
    recordings = await service_of(request, Recordings).list_for(as_reader, None, MAX_SUBMISSIONS, 0)
    submissions = service_of(request, Submissions)
    sent = (await submissions.list_for(as_reader, None, MAX_SUBMISSIONS, 0)).items
    subjects = await submissions.subjects_of(sent)
    catalogue = await dictionary.catalogue()
    values = {
        "person": staff.person,
        "photos": photos.items,
        "recordings": recordings.items,
        "languages": catalogue.by_id,
        "sent": [
            sent_submission(submission, subjects.get(submission.submission_id, ""), catalogue) for submission in sent
        ],
        "mails": await _mails(request, staff.person),
        "tokens": await service_of(request, Tokens).list_for(staff.person.id),
        "kept_lists": (await service_of(request, SavedLists).of(staff.person)).version > 0,
        "done": done,
    }
    return staff.show("account.html", values)


async def _mails(request: PageRequest, person: Person) -> dict[str, object]:
    """Return the user's e-mail preferences, and the status of the address."""
    mails = service_of(request, Mails)
    preferences, address_status = await mails.preferences_of(person), await mails.addresses.status(person)
    return {"possible": mails.is_possible, "wanted": preferences, "standing": address_status}
