"""Pages of recordings: the recording form, the moderators' queue, and frequent words without a recording."""

from collections.abc import Mapping
from functools import partial
from typing import Annotated, Final

import msgspec
from litestar import Response, get, post
from litestar.params import QueryParameter

from abhidhan.dictionary.api.parameters import DictionaryDep
from abhidhan.dictionary.service.browse import get_word
from abhidhan.dictionary.service.dictionary import Dictionary
from abhidhan.dictionary.service.phrase_lists import get_phrase
from abhidhan.dictionary.service.views.ideas import read_idea
from abhidhan.dictionary.service.views.word_lists import list_unrecorded_words
from abhidhan.media.api.upload_requests import UploadRequest
from abhidhan.media.pages.upload_review import FILES_PER_PAGE, FileQueue, submit_file
from abhidhan.media.service.recordings import RecordingEntry, Recordings
from abhidhan.people.pages.staff import NO_STORE_HEADERS, StaffContext, require_staff
from abhidhan.platform.http.forms import Form, require_login, select_form_languages
from abhidhan.platform.http.multipart import RECORDING_FORM
from abhidhan.platform.http.rendering import MICROPHONE_HEADERS, PageRequest, Pages, PagesDep, get_language_preferences
from abhidhan.platform.http.services import get_service
from abhidhan.records.errors import NotFoundError, sentence
from abhidhan.records.history import HistoryAction
from abhidhan.records.ids import parse_number
from abhidhan.records.languages import Language
from abhidhan.records.paging import Page
from abhidhan.records.people import Permission
from abhidhan.records.recordings import MAX_RECORDING_BYTES
from abhidhan.records.submissions import Status

MAX_EXAMPLE_LENGTH: Final = 2000


class RecordingText(msgspec.Struct, frozen=True):
    """The text to record: its kind, text and language, and the form fields that identify it."""

    kind: str
    text: str
    language: Language
    fields: Mapping[str, str]


async def find_recording_text(dictionary: Dictionary, form: Form) -> RecordingText | None:
    """Return the text that a form identifies, or None."""
    for name, load_text in (("wordID", _load_word), ("phraseID", _load_proverb), ("ideaID", _load_example)):
        number = parse_number(form.value(name))
        if number:
            try:
                return await load_text(dictionary, number, form)
            except NotFoundError:
                return None
    return None


async def _load_word(dictionary: Dictionary, word_id: int, _form: Form) -> RecordingText:
    word = await dictionary.read(get_word, word_id)
    catalogue = await dictionary.catalogue()
    return RecordingText("word", word.word, catalogue.language(word.language_id), {"wordID": str(word_id)})


async def _load_proverb(dictionary: Dictionary, phrase_id: int, _form: Form) -> RecordingText:
    phrase = await dictionary.read_in_thread(get_phrase, phrase_id)
    catalogue = await dictionary.catalogue()
    return RecordingText("proverb", phrase.phrase, catalogue.language(phrase.language_id), {"phraseID": str(phrase_id)})


async def _load_example(dictionary: Dictionary, idea_id: int, form: Form) -> RecordingText | None:
    idea = await dictionary.read(read_idea, str(idea_id))
    text = form.value("example")
    for example in idea.idea.examples if idea else ():
        if example.text == text:
            language = (await dictionary.catalogue()).language(example.language_id)
            return RecordingText("example", text, language, {"ideaID": str(idea_id), "example": text})
    return None


@get("/account/submit/recording", include_in_schema=False)
async def show_recording_form(  # noqa: PLR0913 (query parameters and injected dependencies)
    *,
    request: PageRequest,
    dictionary: DictionaryDep,
    pages: PagesDep,
    word_id: Annotated[str, QueryParameter(name="wordID", max_length=20)] = "",
    phrase_id: Annotated[str, QueryParameter(name="phraseID", max_length=20)] = "",
    idea_id: Annotated[str, QueryParameter(name="ideaID", max_length=20)] = "",
    example: Annotated[str, QueryParameter(max_length=MAX_EXAMPLE_LENGTH)] = "",
) -> Response[str]:
    """Show the form to record a word, a proverb, or an example of an idea."""
    signed_in = await require_login(request)
    if isinstance(signed_in, Response):
        return signed_in
    form = Form({"wordID": word_id, "phraseID": phrase_id, "ideaID": idea_id, "example": example})
    return await _render_recording_form(request, dictionary, pages, form)


async def _render_recording_form(
    request: PageRequest, dictionary: Dictionary, pages: Pages, form: Form, status: int = 200
) -> Response[str]:
    values = {
        "form": form,
        "said": await find_recording_text(dictionary, form),
        "most_bytes": MAX_RECORDING_BYTES,
        "licence": get_service(request, Recordings).licence,
    }
    return pages.show(request, "record.html", values, status=status, headers={**NO_STORE_HEADERS, **MICROPHONE_HEADERS})


@post("/account/submit/recording", include_in_schema=False)
async def submit_recording(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep
) -> Response[str] | Response[bytes]:
    """Submit a recording; on an error, show the form again with the message."""
    upload = UploadRequest(request, get_service(request, Recordings), RECORDING_FORM)
    show_again = partial(_render_recording_form, request, dictionary, pages)
    return await submit_file(request, upload, sentence("Sign in, and send the recording again."), show_again)


# --- the queue ----------------------------------------------------------------------------------------------------


class PendingRecording(msgspec.Struct, frozen=True):
    """A pending recording, with the language of its text."""

    file: RecordingEntry
    language: Language


async def _load_queue(staff: StaffContext) -> Page[PendingRecording]:
    """Return the first pending recordings with their duplicates."""
    recordings = staff.service(Recordings)
    page = await recordings.list_for(staff.person, Status.PENDING, FILES_PER_PAGE, 0)
    catalogue = await staff.dictionary.catalogue()
    return Page(
        [PendingRecording(recording, catalogue.language(recording.language_id)) for recording in page.items], page.total
    )


RECORDING_QUEUE: Final = FileQueue(
    kind="recording",
    address="/review/recordings",
    template="review-recordings.html",
    undoable_actions=frozenset({HistoryAction.RECORDING_APPROVED, HistoryAction.RECORDING_REJECTED}),
    withdrawal_code="recording-withdrawn",
    service=lambda request: get_service(request, Recordings),
    load_pending=_load_queue,
)


UNRECORDED_WORDS_PATH: Final = "/review/voices"
WORDS_PER_PAGE: Final = 50
MAX_START: Final = 100_000


@get(UNRECORDED_WORDS_PATH, include_in_schema=False)
async def show_unrecorded_words(
    request: PageRequest,
    dictionary: DictionaryDep,
    pages: PagesDep,
    language: Annotated[str, QueryParameter(max_length=40)] = "as",
    start: Annotated[int, QueryParameter(ge=0, le=MAX_START)] = 0,
) -> Response[str]:
    """List the words of a language that have no recording, most frequent first."""
    staff = await require_staff(request, dictionary, pages, Permission.REVIEW)
    if isinstance(staff, Response):
        return staff
    words = await dictionary.read_in_thread(
        list_unrecorded_words, language, WORDS_PER_PAGE, start, get_language_preferences(request)
    )
    languages = select_form_languages(request, await dictionary.catalogue())
    values = {"found": words, "own": languages, "start": start, "many": WORDS_PER_PAGE, "latest": MAX_START}
    return staff.show("review-voices.html", values)


RECORDING_HANDLERS = (
    show_recording_form,
    submit_recording,
    *RECORDING_QUEUE.build_handlers(),
    show_unrecorded_words,
)
