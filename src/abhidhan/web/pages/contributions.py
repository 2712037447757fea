"""Contributions: sending a word or a proverb, and taking back what one has sent."""

from collections.abc import Callable
from typing import Annotated

import msgspec
from litestar import Response, get, post
from litestar.params import QueryParameter

from abhidhan.domain.drafts import (
    DefinitionData,
    IdeaData,
    ProverbData,
    ProverbSubmission,
    Submitted,
    WordData,
    WordSubmission,
)
from abhidhan.domain.languages import Language
from abhidhan.domain.lists import ListItem, ListName
from abhidhan.errors import AbhidhanError, SignInRequiredError
from abhidhan.services.dictionary.facade import Dictionary
from abhidhan.services.dictionary.views.ideas import ShownIdea
from abhidhan.web.arguments import GivenDictionary, PathID
from abhidhan.web.edge.errors import status_of
from abhidhan.web.pages.forms import SECOND_STEP, Form, number_in, read_form, sender_of, signed_in_or_led
from abhidhan.web.pages.rendering import GivenPages, PageRequest, lead_to
from abhidhan.web.pages.staff import NOT_KEPT, StaffContext, handle_staff_form
from abhidhan.web.sessions import editing_of

Given = Annotated[str, QueryParameter(max_length=500)]


class Choices(msgspec.Struct, frozen=True):
    """What a form lets one choose from."""

    languages: tuple[Language, ...]
    parts_of_speech: tuple[ListItem, ...]
    categories: tuple[ListItem, ...]
    shown: ShownIdea | None


async def read_choices(dictionary: Dictionary, idea: str) -> Choices:
    """Read the languages and lists of a form, and the idea that it is about."""
    catalogue = await dictionary.catalogue()
    return Choices(
        catalogue.languages,
        catalogue.items_of(ListName.PARTS_OF_SPEECH),
        catalogue.items_of(ListName.PHRASE_CATEGORIES),
        await dictionary.shown_idea(idea),
    )


async def _form_page(  # noqa: PLR0913 (each is one part of the page)
    request: PageRequest,
    dictionary: Dictionary,
    pages: GivenPages,
    template: str,
    form: Form,
    *,
    error: AbhidhanError | None = None,
) -> Response[str]:
    choices = await read_choices(dictionary, form.value("idea_id"))
    # Whose session has ended signs in by the same form.
    signing_in = isinstance(error, SignInRequiredError) or bool(form.value("username") or form.value(SECOND_STEP))
    values = {
        "form": form.refused(error) if error else form,
        "choices": choices,
        "signing_in": signing_in,
        "licence": editing_of(request).submissions.licence,
    }
    return pages.show(request, template, values, status=status_of(error) if error else 200, headers=NOT_KEPT)


# --- a word -------------------------------------------------------------------------------------------------------


@get("/account/submit/word", include_in_schema=False)
async def show_word_form(
    request: PageRequest, dictionary: GivenDictionary, pages: GivenPages, word: Given = "", idea: Given = ""
) -> Response[str]:
    """Show the form to send a word."""
    signed_in = await signed_in_or_led(request)
    if isinstance(signed_in, Response):
        return signed_in
    return await _form_page(request, dictionary, pages, "submit-word.html", Form({"word": word, "idea_id": idea}))


def word_of(form: Form) -> WordSubmission:
    """Read a word from its form: one for an idea that is there, or with the meaning that the form tells."""
    idea_id = number_in(form, "idea_id")
    definitions = tuple(
        DefinitionData(code, form.value(f"definition_{code}"))
        for code in ("as", "en")
        if form.value(f"definition_{code}")
    )
    meaning = IdeaData(number_in(form, "pos") or 0, definitions=definitions)
    return WordSubmission(
        WordData(
            language=form.value("language"),
            word=form.value("word"),
            idea_id=idea_id,
            meaning=None if idea_id else meaning,
            roman=form.value("roman") or None,
            origin=form.value("origin") or None,
            reference=form.value("reference") or None,
        )
    )


@post("/account/submit/word", include_in_schema=False)
async def submit_word(request: PageRequest, dictionary: GivenDictionary, pages: GivenPages) -> Response[str]:
    """Let a word wait for an editor."""
    return await _submit(request, dictionary, pages, "submit-word.html", word_of)


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
        )
    )


@post("/account/submit/proverb", include_in_schema=False)
async def submit_proverb(request: PageRequest, dictionary: GivenDictionary, pages: GivenPages) -> Response[str]:
    """Let a proverb wait for an editor."""
    return await _submit(request, dictionary, pages, "submit-proverb.html", proverb_of)


async def _submit(
    request: PageRequest, dictionary: Dictionary, pages: GivenPages, template: str, read: Callable[[Form], Submitted]
) -> Response[str]:
    form = await read_form(request)
    try:
        sender = await sender_of(request, form)
        submissions = editing_of(request).submissions
        await submissions.submit(sender.person, read(form), licence_seen=form.value("licence"))
    except AbhidhanError as error:
        return await _form_page(request, dictionary, pages, template, form, error=error)
    return sender.keep_signed_in(request, lead_to("/account?done=sent", headers=NOT_KEPT))


# --- taking it back ----------------------------------------------------------------------------------------------


@post("/account/submissions/{submission_id:int}/withdraw", include_in_schema=False)
async def withdraw(
    request: PageRequest, dictionary: GivenDictionary, pages: GivenPages, submission_id: PathID
) -> Response[str]:
    """Take one's own submission back."""

    async def work(staff: StaffContext, _form: Form) -> Response[str]:
        await staff.services.submissions.withdraw(staff.person, submission_id)
        return lead_to("/account?done=sent-back", headers=NOT_KEPT)

    return await handle_staff_form(request, dictionary, pages, None, work)


CONTRIBUTION_HANDLERS = (show_word_form, submit_word, show_proverb_form, submit_proverb, withdraw)
