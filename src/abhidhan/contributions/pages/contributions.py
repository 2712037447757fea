"""Pages to submit a word, a proverb or an example, and to withdraw a submission."""

from collections.abc import Callable
from typing import Annotated

import msgspec
from litestar import Response, get, post
from litestar.params import QueryParameter

from abhidhan.contributions.pages.word_submission import (
    NamedContext,
    SimilarWord,
    SubmittedForm,
    add_languages,
    has_unseen_words,
    list_contexts,
    open_word_form,
    parse_word,
    select_existing_word,
    submit_word_with_photo,
)
from abhidhan.contributions.service.submissions import Submissions, WordPhotoSubmissions
from abhidhan.dictionary.api.parameters import DictionaryDep
from abhidhan.dictionary.service.dictionary import Dictionary
from abhidhan.dictionary.service.views.ideas import IdeaView, read_idea
from abhidhan.editing.pages.record_fields import parse_texts
from abhidhan.media.pages.upload_review import respond_early
from abhidhan.media.service.photos import Photos
from abhidhan.people.pages.staff import NO_STORE_HEADERS, StaffContext, authenticate_sender, handle_staff_form
from abhidhan.platform.http.authentication import find_signed_in
from abhidhan.platform.http.errors import get_status
from abhidhan.platform.http.forms import (
    SECOND_STEP_FIELD,
    Form,
    read_form,
    read_number_field,
    require_login,
    select_form_languages,
)
from abhidhan.platform.http.parameters import PathID
from abhidhan.platform.http.preferences import INTERFACE_LANGUAGES, get_interface
from abhidhan.platform.http.rendering import PageRequest, Pages, PagesDep, redirect_to
from abhidhan.platform.http.services import get_service
from abhidhan.records.errors import AbhidhanError, SignInRequiredError
from abhidhan.records.languages import Language
from abhidhan.records.lookup_lists import ListItem, ListName
from abhidhan.records.photos import MAX_PHOTO_BYTES
from abhidhan.records.submission_payloads import (
    ExampleData,
    ExampleSubmission,
    ProverbData,
    ProverbSubmission,
    UserSubmission,
    WordData,
    WordSubmission,
)

QueryText = Annotated[str, QueryParameter(max_length=500)]


class FormChoices(msgspec.Struct, frozen=True):
    """The choices of a form; `own` are the user's languages."""

    languages: tuple[Language, ...]
    own: tuple[Language, ...]
    parts_of_speech: tuple[ListItem, ...]
    categories: tuple[ListItem, ...]
    contexts: list[NamedContext]
    shown: IdeaView | None


async def read_choices(request: PageRequest, dictionary: Dictionary, idea: str) -> FormChoices:
    """Return the choices of a form, and the idea that it concerns."""
    catalogue = await dictionary.catalogue()
    return FormChoices(
        catalogue.languages,
        select_form_languages(request, catalogue),
        catalogue.assignable_parts_of_speech,
        catalogue.list_items(ListName.PHRASE_CATEGORIES),
        list_contexts(catalogue, get_interface(request.scope, request.query_params.get("interface")).language),
        await dictionary.read(read_idea, idea),
    )


async def _show_form_page(  # noqa: PLR0913 (parts of the page)
    request: PageRequest,
    dictionary: Dictionary,
    pages: PagesDep,
    template: str,
    form: Form,
    *,
    error: AbhidhanError | None = None,
    similar_words: tuple[SimilarWord, ...] = (),
) -> Response[str]:
    choices = await read_choices(request, dictionary, form.value("idea_id"))
    # If the session has ended, the user signs in by the same form.
    signing_in = isinstance(error, SignInRequiredError) or bool(form.value("username") or form.value(SECOND_STEP_FIELD))
    values = {
        "form": form.with_error(error) if error else form,
        "choices": choices,
        "signing_in": signing_in,
        "licence": get_service(request, Submissions).licence,
        "alike": similar_words,
        "most_bytes": MAX_PHOTO_BYTES,
    }
    return pages.show(request, template, values, status=get_status(error) if error else 200, headers=NO_STORE_HEADERS)


# --- a word -------------------------------------------------------------------------------------------------------


@get("/account/submit/word", include_in_schema=False)
async def show_word_form(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, word: QueryText = "", idea: QueryText = ""
) -> Response[str]:
    """Show the form to submit a word, with similar existing words."""
    signed_in = await require_login(request)
    if isinstance(signed_in, Response):
        return signed_in
    form = Form({"word": word, "idea_id": idea})
    similar_words = await _find_similar_words(request, dictionary, form)
    return await _show_form_page(request, dictionary, pages, "submit-word.html", form, similar_words=similar_words)


@get("/account/submit/word/similar", include_in_schema=False)
async def show_similar_words(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, word: QueryText = "", language: QueryText = "as"
) -> Response[str]:
    """Return the list of similar existing words as a fragment of the form."""
    if await find_signed_in(request) is None:
        return Response("", status_code=401, media_type="text/plain", headers=NO_STORE_HEADERS)
    form = Form({"word": word, "language": language})
    values = {"form": form, "alike": await _find_similar_words(request, dictionary, form)}
    return pages.show(request, "similar-words.html", values, headers=NO_STORE_HEADERS)


async def _find_similar_words(request: PageRequest, dictionary: Dictionary, form: Form) -> tuple[SimilarWord, ...]:
    """Return the existing words similar to the one in a form."""
    if not form.value("word"):
        return ()
    submission = WordSubmission(WordData(language=form.value("language") or "as", word=form.value("word")))
    similar = await get_service(request, Submissions).find_similar(submission)
    return add_languages(similar, await dictionary.catalogue())


@post("/account/submit/word", include_in_schema=False)
async def submit_word(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep
) -> Response[str] | Response[bytes]:
    """Submit a word with its photo, after the sender has seen the similar words."""
    async with open_word_form(request) as sent:
        page = await _submit_word(request, dictionary, pages, sent)
    return page if sent.body is None or sent.body.is_finished else respond_early(page, sent.body)


async def _submit_word(
    request: PageRequest, dictionary: Dictionary, pages: PagesDep, sent: SubmittedForm
) -> Response[str]:
    form = sent.form
    template = "submit-word.html"
    similar_words: tuple[SimilarWord, ...] = ()
    try:
        sender = await authenticate_sender(request, form)
        similar_words = await _find_similar_words(request, dictionary, form)
        submission = parse_word(
            select_existing_word(form, similar_words), await dictionary.catalogue(), INTERFACE_LANGUAGES
        )
        if has_unseen_words(similar_words, form):
            page = await _show_form_page(request, dictionary, pages, template, form, similar_words=similar_words)
            return sender.set_session_cookie(request, page)
        await submit_word_with_photo(request, sender.person, submission, sent)
    except AbhidhanError as error:
        return await _show_form_page(
            request, dictionary, pages, template, form, error=error, similar_words=similar_words
        )
    return sender.set_session_cookie(request, redirect_to("/account?done=sent", headers=NO_STORE_HEADERS))


# --- a proverb ----------------------------------------------------------------------------------------------------


@get("/account/submit/proverb", include_in_schema=False)
async def show_proverb_form(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, text: QueryText = ""
) -> Response[str]:
    """Show the form to submit a proverb."""
    signed_in = await require_login(request)
    if isinstance(signed_in, Response):
        return signed_in
    return await _show_form_page(request, dictionary, pages, "submit-proverb.html", Form({"text": text}))


def parse_proverb(form: Form) -> ProverbSubmission:
    """Parse a proverb from its form. Raises InputError."""
    return ProverbSubmission(
        ProverbData(
            text=form.value("text"),
            category=read_number_field(form, "category") or 0,
            language=form.value("language"),
            meaning=form.value("meaning") or None,
            meanings=parse_texts("meanings", form),
        )
    )


@post("/account/submit/proverb", include_in_schema=False)
async def submit_proverb(request: PageRequest, dictionary: DictionaryDep, pages: PagesDep) -> Response[str]:
    """Submit a proverb."""
    return await _submit_form(request, dictionary, pages, "submit-proverb.html", parse_proverb)


async def _submit_form(
    request: PageRequest, dictionary: Dictionary, pages: Pages, template: str, parse: Callable[[Form], UserSubmission]
) -> Response[str]:
    """Submit the data of a form; on an error, show the form again with the message."""
    form = await read_form(request)
    try:
        sender = await authenticate_sender(request, form)
        submissions = get_service(request, Submissions)
        await submissions.submit(sender.person, parse(form), licence_seen=form.value("licence"))
    except AbhidhanError as error:
        return await _show_form_page(request, dictionary, pages, template, form, error=error)
    return sender.set_session_cookie(request, redirect_to("/account?done=sent", headers=NO_STORE_HEADERS))


# --- an example ---------------------------------------------------------------------------------------------------


@get("/account/submit/example", include_in_schema=False)
async def show_example_form(
    request: PageRequest,
    dictionary: DictionaryDep,
    pages: PagesDep,
    idea: QueryText = "",
    language: QueryText = "",
) -> Response[str]:
    """Show the form to submit an example of a sense, in the language of the page that linked to it."""
    signed_in = await require_login(request)
    if isinstance(signed_in, Response):
        return signed_in
    form = Form({"idea_id": idea, "language": language})
    return await _show_form_page(request, dictionary, pages, "submit-example.html", form)


def parse_example(form: Form) -> ExampleSubmission:
    """Parse an example from its form. Raises InputError."""
    return ExampleSubmission(
        ExampleData(
            idea_id=read_number_field(form, "idea_id") or 0,
            language=form.value("language"),
            text=form.value("text"),
            translation=form.value("translation") or None,
        )
    )


@post("/account/submit/example", include_in_schema=False)
async def submit_example(request: PageRequest, dictionary: DictionaryDep, pages: PagesDep) -> Response[str]:
    """Submit an example."""
    return await _submit_form(request, dictionary, pages, "submit-example.html", parse_example)


# --- withdrawing -------------------------------------------------------------------------------------------------


@post("/account/submissions/{submission_id:int}/withdraw", include_in_schema=False)
async def withdraw(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, submission_id: PathID
) -> Response[str]:
    """Withdraw the user's own submission."""

    async def process_form(staff: StaffContext, _form: Form) -> Response[str]:
        word_photos = WordPhotoSubmissions(staff.service(Submissions), get_service(request, Photos))
        await word_photos.withdraw(staff.person, submission_id)
        return redirect_to("/account?done=sent-back", headers=NO_STORE_HEADERS)

    return await handle_staff_form(request, dictionary, pages, None, process_form)


CONTRIBUTION_HANDLERS = (
    show_word_form,
    show_similar_words,
    submit_word,
    show_proverb_form,
    submit_proverb,
    show_example_form,
    submit_example,
    withdraw,
)
