"""Pages to submit a word, a proverb or an example, and to withdraw a submission."""

from collections.abc import Callable
from typing import Annotated

import msgspec
from litestar import Response, get, post
from litestar.params import QueryParameter

from abhidhan.contributions.pages.word_submission import (
    Context,
    SimilarWord,
    SubmittedForm,
    as_sense_of,
    contexts_in,
    has_unseen,
    open_word_form,
    send_word,
    with_languages,
    word_of,
)
from abhidhan.contributions.service.submissions import Submissions, WordsWithPhotos
from abhidhan.dictionary.api.parameters import DictionaryDep
from abhidhan.dictionary.service.dictionary import Dictionary
from abhidhan.dictionary.service.views.ideas import IdeaView, read_idea
from abhidhan.editing.pages.record_fields import parse_texts
from abhidhan.media.pages.upload_review import respond_early
from abhidhan.media.service.photos import Photos
from abhidhan.people.pages.staff import NO_STORE_HEADERS, StaffContext, handle_staff_form, sender_of
from abhidhan.platform.http.authentication import find_signed_in
from abhidhan.platform.http.errors import status_of
from abhidhan.platform.http.forms import SECOND_STEP, Form, form_languages, number_in, read_form, require_login
from abhidhan.platform.http.parameters import PathID
from abhidhan.platform.http.preferences import LANGUAGES, interface_of
from abhidhan.platform.http.rendering import PageRequest, Pages, PagesDep, redirect_to
from abhidhan.platform.http.services import service_of
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
    contexts: list[Context]
    shown: IdeaView | None


async def read_choices(request: PageRequest, dictionary: Dictionary, idea: str) -> FormChoices:
    """Return the choices of a form, and the idea that it concerns."""
    catalogue = await dictionary.catalogue()
    return FormChoices(
        catalogue.languages,
        form_languages(request, catalogue),
        catalogue.assignable_parts_of_speech,
        catalogue.items_of(ListName.PHRASE_CATEGORIES),
        contexts_in(catalogue, interface_of(request.scope, request.query_params.get("interface")).language),
        await dictionary.read(read_idea, idea),
    )


async def _form_page(  # noqa: PLR0913 (parts of the page)
    request: PageRequest,
    dictionary: Dictionary,
    pages: PagesDep,
    template: str,
    form: Form,
    *,
    error: AbhidhanError | None = None,
    alike: tuple[SimilarWord, ...] = (),
) -> Response[str]:
    choices = await read_choices(request, dictionary, form.value("idea_id"))
    # If the session has ended, the user signs in by the same form.
    signing_in = isinstance(error, SignInRequiredError) or bool(form.value("username") or form.value(SECOND_STEP))
    values = {
        "form": form.with_error(error) if error else form,
        "choices": choices,
        "signing_in": signing_in,
        "licence": service_of(request, Submissions).licence,
        "alike": alike,
        "most_bytes": MAX_PHOTO_BYTES,
    }
    return pages.show(request, template, values, status=status_of(error) if error else 200, headers=NO_STORE_HEADERS)


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
    alike = await _similar_words(request, dictionary, form)
    return await _form_page(request, dictionary, pages, "submit-word.html", form, alike=alike)


@get("/account/submit/word/similar", include_in_schema=False)
async def show_similar_words(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, word: QueryText = "", language: QueryText = "as"
) -> Response[str]:
    """Return the list of similar existing words as a fragment of the form."""
    if await find_signed_in(request) is None:
        return Response("", status_code=401, media_type="text/plain", headers=NO_STORE_HEADERS)
    form = Form({"word": word, "language": language})
    values = {"form": form, "alike": await _similar_words(request, dictionary, form)}
    return pages.show(request, "similar-words.html", values, headers=NO_STORE_HEADERS)


async def _similar_words(request: PageRequest, dictionary: Dictionary, form: Form) -> tuple[SimilarWord, ...]:
    """Return the existing words similar to the one in a form."""
    if not form.value("word"):
        return ()
    submission = WordSubmission(WordData(language=form.value("language") or "as", word=form.value("word")))
    similar = await service_of(request, Submissions).similar_to(submission)
    return with_languages(similar, await dictionary.catalogue())


@post("/account/submit/word", include_in_schema=False)
async def submit_word(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep
) -> Response[str] | Response[bytes]:
    """Submit a word with its photo, after the sender has seen the similar words."""
    async with open_word_form(request) as sent:
        page = await _submit_word(request, dictionary, pages, sent)
    return page if sent.body is None or sent.body.finished else respond_early(page, sent.body)


async def _submit_word(
    request: PageRequest, dictionary: Dictionary, pages: PagesDep, sent: SubmittedForm
) -> Response[str]:
    form = sent.form
    template = "submit-word.html"
    alike: tuple[SimilarWord, ...] = ()
    try:
        sender = await sender_of(request, form)
        alike = await _similar_words(request, dictionary, form)
        submission = word_of(as_sense_of(form, alike), await dictionary.catalogue(), LANGUAGES)
        if has_unseen(alike, form):
            page = await _form_page(request, dictionary, pages, template, form, alike=alike)
            return sender.set_session_cookie(request, page)
        await send_word(request, sender.person, submission, sent)
    except AbhidhanError as error:
        return await _form_page(request, dictionary, pages, template, form, error=error, alike=alike)
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
    return await _form_page(request, dictionary, pages, "submit-proverb.html", Form({"text": text}))


def proverb_of(form: Form) -> ProverbSubmission:
    """Parse a proverb from its form. Raises InputError."""
    return ProverbSubmission(
        ProverbData(
            text=form.value("text"),
            category=number_in(form, "category") or 0,
            language=form.value("language"),
            meaning=form.value("meaning") or None,
            meanings=parse_texts("meanings", form),
        )
    )


@post("/account/submit/proverb", include_in_schema=False)
async def submit_proverb(request: PageRequest, dictionary: DictionaryDep, pages: PagesDep) -> Response[str]:
    """Submit a proverb."""
    return await _submit_form(request, dictionary, pages, "submit-proverb.html", proverb_of)


async def _submit_form(
    request: PageRequest, dictionary: Dictionary, pages: Pages, template: str, read: Callable[[Form], UserSubmission]
) -> Response[str]:
    """Submit the data of a form; on an error, show the form again with the message."""
    form = await read_form(request)
    try:
        sender = await sender_of(request, form)
        submissions = service_of(request, Submissions)
        await submissions.submit(sender.person, read(form), licence_seen=form.value("licence"))
    except AbhidhanError as error:
        return await _form_page(request, dictionary, pages, template, form, error=error)
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
    return await _form_page(request, dictionary, pages, "submit-example.html", form)


def example_of(form: Form) -> ExampleSubmission:
    """Parse an example from its form. Raises InputError."""
    return ExampleSubmission(
        ExampleData(
            idea_id=number_in(form, "idea_id") or 0,
            language=form.value("language"),
            text=form.value("text"),
            translation=form.value("translation") or None,
        )
    )


@post("/account/submit/example", include_in_schema=False)
async def submit_example(request: PageRequest, dictionary: DictionaryDep, pages: PagesDep) -> Response[str]:
    """Submit an example."""
    return await _submit_form(request, dictionary, pages, "submit-example.html", example_of)


# --- withdrawing -------------------------------------------------------------------------------------------------


@post("/account/submissions/{submission_id:int}/withdraw", include_in_schema=False)
async def withdraw(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, submission_id: PathID
) -> Response[str]:
    """Withdraw the user's own submission."""

    async def work(staff: StaffContext, _form: Form) -> Response[str]:
        both = WordsWithPhotos(staff.service(Submissions), service_of(request, Photos))
        await both.withdraw(staff.person, submission_id)
        return redirect_to("/account?done=sent-back", headers=NO_STORE_HEADERS)

    return await handle_staff_form(request, dictionary, pages, None, work)


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
