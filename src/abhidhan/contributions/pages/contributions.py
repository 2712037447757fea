"""Contributions: sending a word or a proverb, and taking back what one has sent."""

from collections.abc import Callable
from typing import Annotated

import msgspec
from litestar import Response, get, post
from litestar.params import QueryParameter

from abhidhan.contributions.pages.word_submission import (
    Context,
    SentForm,
    WordLike,
    as_sense_of,
    contexts_in,
    reading_word_form,
    send_word,
    unseen,
    word_of,
    words_like,
)
from abhidhan.contributions.service.submissions import Submissions, WordsWithPhotos
from abhidhan.dictionary.api.parameters import GivenDictionary
from abhidhan.dictionary.service.dictionary import Dictionary
from abhidhan.dictionary.service.views.ideas import ShownIdea, read_idea
from abhidhan.editing.pages.record_fields import typed_texts
from abhidhan.media.pages.upload_review import reading_on
from abhidhan.media.service.photos import Photos
from abhidhan.people.pages.staff import NOT_KEPT, StaffContext, handle_staff_form, sender_of
from abhidhan.platform.http.authentication import find_signed_in
from abhidhan.platform.http.errors import status_of
from abhidhan.platform.http.forms import SECOND_STEP, Form, number_in, own_languages, read_form, signed_in_or_led
from abhidhan.platform.http.parameters import PathID
from abhidhan.platform.http.preferences import LANGUAGES, interface_of
from abhidhan.platform.http.rendering import GivenPages, PageRequest, Pages, lead_to
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
    Submitted,
    WordData,
    WordSubmission,
)

Given = Annotated[str, QueryParameter(max_length=500)]


class Choices(msgspec.Struct, frozen=True):
    """What a form lets one choose from; `own` are the languages of whoever fills it in."""

    languages: tuple[Language, ...]
    own: tuple[Language, ...]
    parts_of_speech: tuple[ListItem, ...]
    categories: tuple[ListItem, ...]
    contexts: list[Context]
    shown: ShownIdea | None


async def read_choices(request: PageRequest, dictionary: Dictionary, idea: str) -> Choices:
    """Read the languages and lists of a form, and the idea that it is about."""
    catalogue = await dictionary.catalogue()
    return Choices(
        catalogue.languages,
        own_languages(request, catalogue),
        catalogue.assignable_parts_of_speech,
        catalogue.items_of(ListName.PHRASE_CATEGORIES),
        contexts_in(catalogue, interface_of(request.scope, request.query_params.get("interface")).language),
        await dictionary.read(read_idea, idea),
    )


async def _form_page(  # noqa: PLR0913 (each is one part of the page)
    request: PageRequest,
    dictionary: Dictionary,
    pages: GivenPages,
    template: str,
    form: Form,
    *,
    error: AbhidhanError | None = None,
    alike: tuple[WordLike, ...] = (),
) -> Response[str]:
    choices = await read_choices(request, dictionary, form.value("idea_id"))
    # Whose session has ended signs in by the same form.
    signing_in = isinstance(error, SignInRequiredError) or bool(form.value("username") or form.value(SECOND_STEP))
    values = {
        "form": form.refused(error) if error else form,
        "choices": choices,
        "signing_in": signing_in,
        "licence": service_of(request, Submissions).licence,
        "alike": alike,
        "most_bytes": MAX_PHOTO_BYTES,
    }
    return pages.show(request, template, values, status=status_of(error) if error else 200, headers=NOT_KEPT)


# --- a word -------------------------------------------------------------------------------------------------------


@get("/account/submit/word", include_in_schema=False)
async def show_word_form(
    request: PageRequest, dictionary: GivenDictionary, pages: GivenPages, word: Given = "", idea: Given = ""
) -> Response[str]:
    """Show the form to send a word, with the words like it that are here already."""
    signed_in = await signed_in_or_led(request)
    if isinstance(signed_in, Response):
        return signed_in
    form = Form({"word": word, "idea_id": idea})
    alike = await _alike(request, dictionary, form)
    return await _form_page(request, dictionary, pages, "submit-word.html", form, alike=alike)


@get("/account/submit/word/similar", include_in_schema=False)
async def show_similar_words(
    request: PageRequest, dictionary: GivenDictionary, pages: GivenPages, word: Given = "", language: Given = "as"
) -> Response[str]:
    """Show, as a piece of the form, the words that are like one that somebody is writing."""
    if await find_signed_in(request) is None:
        return Response("", status_code=401, media_type="text/plain", headers=NOT_KEPT)
    form = Form({"word": word, "language": language})
    values = {"form": form, "alike": await _alike(request, dictionary, form)}
    return pages.show(request, "similar-words.html", values, headers=NOT_KEPT)


async def _alike(request: PageRequest, dictionary: Dictionary, form: Form) -> tuple[WordLike, ...]:
    """Find the words that are here and like the one of a form."""
    if not form.value("word"):
        return ()
    asked = WordSubmission(WordData(language=form.value("language") or "as", word=form.value("word")))
    found = await service_of(request, Submissions).similar_to(asked)
    return words_like(found, await dictionary.catalogue())


@post("/account/submit/word", include_in_schema=False)
async def submit_word(
    request: PageRequest, dictionary: GivenDictionary, pages: GivenPages
) -> Response[str] | Response[bytes]:
    """Let a word wait for an editor, with its photo, once its sender has seen what is like it."""
    async with reading_word_form(request) as sent:
        page = await _submit_word(request, dictionary, pages, sent)
    return page if sent.body is None or sent.body.finished else reading_on(page, sent.body)


async def _submit_word(
    request: PageRequest, dictionary: Dictionary, pages: GivenPages, sent: SentForm
) -> Response[str]:
    form = sent.form
    template = "submit-word.html"
    alike: tuple[WordLike, ...] = ()
    try:
        sender = await sender_of(request, form)
        alike = await _alike(request, dictionary, form)
        given = word_of(as_sense_of(form, alike), await dictionary.catalogue(), LANGUAGES)
        if unseen(alike, form):
            page = await _form_page(request, dictionary, pages, template, form, alike=alike)
            return sender.keep_signed_in(request, page)
        await send_word(request, sender.person, given, sent)
    except AbhidhanError as error:
        return await _form_page(request, dictionary, pages, template, form, error=error, alike=alike)
    return sender.keep_signed_in(request, lead_to("/account?done=sent", headers=NOT_KEPT))


# --- a proverb ----------------------------------------------------------------------------------------------------


@get("/account/submit/proverb", include_in_schema=False)
async def show_proverb_form(
    request: PageRequest, dictionary: GivenDictionary, pages: GivenPages, text: Given = ""
) -> Response[str]:
    """Show the form to send a proverb."""
    signed_in = await signed_in_or_led(request)
    if isinstance(signed_in, Response):
        return signed_in
    return await _form_page(request, dictionary, pages, "submit-proverb.html", Form({"text": text}))


def proverb_of(form: Form) -> ProverbSubmission:
    """Read a proverb from its form."""
    return ProverbSubmission(
        ProverbData(
            text=form.value("text"),
            category=number_in(form, "category") or 0,
            language=form.value("language"),
            meaning=form.value("meaning") or None,
            meanings=typed_texts("meanings", form),
        )
    )


@post("/account/submit/proverb", include_in_schema=False)
async def submit_proverb(request: PageRequest, dictionary: GivenDictionary, pages: GivenPages) -> Response[str]:
    """Let a proverb wait for an editor."""
    return await _submit_form(request, dictionary, pages, "submit-proverb.html", proverb_of)


async def _submit_form(
    request: PageRequest, dictionary: Dictionary, pages: Pages, template: str, read: Callable[[Form], Submitted]
) -> Response[str]:
    """Let what a form tells wait for an editor; when it is refused, show the form again and say why."""
    form = await read_form(request)
    try:
        sender = await sender_of(request, form)
        submissions = service_of(request, Submissions)
        await submissions.submit(sender.person, read(form), licence_seen=form.value("licence"))
    except AbhidhanError as error:
        return await _form_page(request, dictionary, pages, template, form, error=error)
    return sender.keep_signed_in(request, lead_to("/account?done=sent", headers=NOT_KEPT))


# --- an example ---------------------------------------------------------------------------------------------------


@get("/account/submit/example", include_in_schema=False)
async def show_example_form(
    request: PageRequest,
    dictionary: GivenDictionary,
    pages: GivenPages,
    idea: Given = "",
    language: Given = "",
) -> Response[str]:
    """Show the form to send an example of a meaning, in the language of the word whose page led here."""
    signed_in = await signed_in_or_led(request)
    if isinstance(signed_in, Response):
        return signed_in
    form = Form({"idea_id": idea, "language": language})
    return await _form_page(request, dictionary, pages, "submit-example.html", form)


def example_of(form: Form) -> ExampleSubmission:
    """Read an example from its form. Raises InputError."""
    return ExampleSubmission(
        ExampleData(
            idea_id=number_in(form, "idea_id") or 0,
            language=form.value("language"),
            text=form.value("text"),
            translation=form.value("translation") or None,
        )
    )


@post("/account/submit/example", include_in_schema=False)
async def submit_example(request: PageRequest, dictionary: GivenDictionary, pages: GivenPages) -> Response[str]:
    """Let an example wait for an editor."""
    return await _submit_form(request, dictionary, pages, "submit-example.html", example_of)


# --- taking it back ----------------------------------------------------------------------------------------------


@post("/account/submissions/{submission_id:int}/withdraw", include_in_schema=False)
async def withdraw(
    request: PageRequest, dictionary: GivenDictionary, pages: GivenPages, submission_id: PathID
) -> Response[str]:
    """Take one's own submission back."""

    async def work(staff: StaffContext, _form: Form) -> Response[str]:
        both = WordsWithPhotos(staff.service(Submissions), service_of(request, Photos))
        await both.withdraw(staff.person, submission_id)
        return lead_to("/account?done=sent-back", headers=NOT_KEPT)

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
