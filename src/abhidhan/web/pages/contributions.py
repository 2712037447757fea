"""Contributions: sending a word, a proverb or the report of an error, and the queue in which editors decide."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Annotated, Final

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath, QueryParameter

from abhidhan.domain.drafts import (
    DefinitionData,
    IdeaData,
    ProverbData,
    ProverbSubmission,
    ReportData,
    Submitted,
    WordData,
    WordSubmission,
)
from abhidhan.domain.languages import Language
from abhidhan.domain.lists import ListItem, ListName
from abhidhan.domain.people import Permission
from abhidhan.domain.submissions import LONGEST_REASON, Status
from abhidhan.errors import AbhidhanError, InputError, SignInRequiredError
from abhidhan.services.submissions import Submission
from abhidhan.storage.database import Database, Reader
from abhidhan.web.arguments import GivenDatabase
from abhidhan.web.errors import status_of
from abhidhan.web.pages.forms import Form, read_form, sender_of, signed_in_or_led
from abhidhan.web.pages.photos import NOT_KEPT, ShownIdea, read_idea
from abhidhan.web.pages.rendering import Asked, GivenPages, lead_to
from abhidhan.web.sessions import editing_of, find_signed_in, needs, visit_of

WAITING_ON_A_PAGE: Final = 30
MOST_NUMBER: Final = 9

Given = Annotated[str, QueryParameter(max_length=500)]


class Choices(msgspec.Struct, frozen=True):
    """What a form lets one choose from."""

    languages: tuple[Language, ...]
    parts_of_speech: tuple[ListItem, ...]
    categories: tuple[ListItem, ...]
    shown: ShownIdea | None


def read_choices(reader: Reader, idea: str) -> Choices:
    """Read the languages and lists of a form, and the idea that it is about."""
    catalogue = reader.catalogue
    return Choices(
        catalogue.languages,
        catalogue.items_of(ListName.PARTS_OF_SPEECH),
        catalogue.items_of(ListName.PHRASE_CATEGORIES),
        read_idea(reader, idea),
    )


async def _form_page(  # noqa: PLR0913 (each is one part of the page)
    request: Asked,
    database: Database,
    pages: GivenPages,
    template: str,
    form: Form,
    *,
    error: AbhidhanError | None = None,
) -> Response[str]:
    choices = await database.read(partial(read_choices, idea=form.value("idea_id")))
    # Whose session has ended signs in by the same form.
    signing_in = isinstance(error, SignInRequiredError) or bool(form.value("username"))
    values = {"form": form.refused(error) if error else form, "choices": choices, "signing_in": signing_in}
    return pages.show(request, template, values, status=status_of(error) if error else 200, headers=NOT_KEPT)


# --- a word -------------------------------------------------------------------------------------------------------


@get("/account/submit/word", include_in_schema=False)
async def show_word_form(
    request: Asked, database: GivenDatabase, pages: GivenPages, word: Given = "", idea: Given = ""
) -> Response[str]:
    """Show the form to send a word."""
    signed_in = await signed_in_or_led(request)
    if isinstance(signed_in, Response):
        return signed_in
    return await _form_page(request, database, pages, "submit-word.html", Form({"word": word, "idea_id": idea}))


def word_of(form: Form) -> WordSubmission:
    """Read a word from its form: one for an idea that is there, or with the meaning that the form tells."""
    idea_id = _number(form.value("idea_id"))
    definitions = tuple(
        DefinitionData(code, form.value(f"definition_{code}"))
        for code in ("as", "en")
        if form.value(f"definition_{code}")
    )
    meaning = IdeaData(_number(form.value("pos")) or 0, definitions=definitions)
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
async def submit_word(request: Asked, database: GivenDatabase, pages: GivenPages) -> Response[str]:
    """Let a word wait for an editor."""
    return await _submit(request, database, pages, "submit-word.html", word_of)


# --- a proverb ----------------------------------------------------------------------------------------------------


@get("/account/submit/proverb", include_in_schema=False)
async def show_proverb_form(
    request: Asked, database: GivenDatabase, pages: GivenPages, text: Given = ""
) -> Response[str]:
    """Show the form to send a proverb."""
    signed_in = await signed_in_or_led(request)
    if isinstance(signed_in, Response):
        return signed_in
    return await _form_page(request, database, pages, "submit-proverb.html", Form({"text": text}))


def proverb_of(form: Form) -> ProverbSubmission:
    """Read a proverb from its form."""
    return ProverbSubmission(
        ProverbData(
            text=form.value("text"),
            category=_number(form.value("category")) or 0,
            language=form.value("language"),
            meaning=form.value("meaning") or None,
        )
    )


@post("/account/submit/proverb", include_in_schema=False)
async def submit_proverb(request: Asked, database: GivenDatabase, pages: GivenPages) -> Response[str]:
    """Let a proverb wait for an editor."""
    return await _submit(request, database, pages, "submit-proverb.html", proverb_of)


async def _submit(
    request: Asked, database: Database, pages: GivenPages, template: str, read: Callable[[Form], Submitted]
) -> Response[str]:
    form = await read_form(request)
    try:
        sender = await sender_of(request, form)
        await editing_of(request).submissions.submit(sender.person, read(form))
    except AbhidhanError as error:
        return await _form_page(request, database, pages, template, form, error=error)
    return sender.keep_signed_in(request, lead_to("/account?done=sent", headers=NOT_KEPT))


# --- an error, which anybody may report ---------------------------------------------------------------------------


@get("/account/submit/correction", include_in_schema=False)
async def show_report_form(
    request: Asked, database: GivenDatabase, pages: GivenPages, word: Given = "", name: Given = ""
) -> Response[str]:
    """Show the form to tell of an error in a word."""
    form = Form({"word_id": word, "name": name, "done": request.query_params.get("done", "")})
    return await _form_page(request, database, pages, "submit-report.html", form)


@post("/account/submit/correction", include_in_schema=False)
async def submit_report(request: Asked, database: GivenDatabase, pages: GivenPages) -> Response[str]:
    """Let a report wait for an editor."""
    form = await read_form(request)
    signed_in = await find_signed_in(request)
    report = ReportData(_number(form.value("word_id")) or 0, form.value("text"))
    try:
        await editing_of(request).submissions.report(signed_in.person if signed_in else None, report, visit_of(request))
    except AbhidhanError as error:
        return await _form_page(request, database, pages, "submit-report.html", form, error=error)
    return lead_to("/account/submit/correction?done=sent", headers=NOT_KEPT)


# --- the queue ----------------------------------------------------------------------------------------------------


class Waiting(msgspec.Struct, frozen=True):
    """A submission that waits: what it says, field by field, and the idea that it is about."""

    submission: Submission
    fields: tuple[tuple[str, str], ...]
    shown: ShownIdea | None


def fields_of(data: object, before: str = "") -> list[tuple[str, str]]:
    """List what a submission says, as names and texts; what it leaves open is left out."""
    if isinstance(data, dict):
        pairs = [(f"{before} {name}".strip().replace("_", " "), value) for name, value in data.items()]
        return [each for name, value in pairs for each in fields_of(value, name)]
    if isinstance(data, list | tuple):
        return [each for value in data for each in fields_of(value, before)]
    return [(before, str(data))] if data not in {None, ""} else []


@get("/review/submissions", include_in_schema=False)
async def show_queue(request: Asked, database: GivenDatabase, pages: GivenPages, done: Given = "") -> Response[str]:
    """Show the words, proverbs and reports that wait for a decision."""
    signed_in = await signed_in_or_led(request)
    if isinstance(signed_in, Response):
        return signed_in
    return await _queue_page(request, database, pages, done=done)


async def _queue_page(
    request: Asked, database: Database, pages: GivenPages, *, done: str = "", error: AbhidhanError | None = None
) -> Response[str]:
    signed_in = await find_signed_in(request)
    if signed_in is None or not signed_in.person.may(Permission.REVIEW):
        return pages.show(request, "review-denied.html", {}, status=403, headers=NOT_KEPT)
    found = await editing_of(request).submissions.list_for(signed_in.person, Status.PENDING, WAITING_ON_A_PAGE, 0)
    waiting = [await database.read(partial(_waiting, submission=each)) for each in found.submissions]
    values = {
        "waiting": waiting,
        "total": found.total,
        "done": done,
        "problem": str(error) if error else "",
        "longest_reason": LONGEST_REASON,
    }
    status = status_of(error) if error else 200
    return pages.show(request, "review-submissions.html", values, status=status, headers=NOT_KEPT)


def _waiting(reader: Reader, *, submission: Submission) -> Waiting:
    data = submission.data if isinstance(submission.data, dict) else {}
    return Waiting(submission, tuple(fields_of(data)), read_idea(reader, str(data.get("idea_id") or "")))


@post("/review/submissions/{submission_id:int}", include_in_schema=False, guards=[needs(Permission.REVIEW)])
async def decide(
    request: Asked, database: GivenDatabase, pages: GivenPages, submission_id: FromPath[int]
) -> Response[str]:
    """Approve or reject a submission."""
    form = await read_form(request)
    signed_in = await find_signed_in(request)
    if signed_in is None:
        raise SignInRequiredError("Sign in first.")
    submissions, approved = editing_of(request).submissions, form.value("decision") == "approve"
    work: Awaitable[Submission] = (
        submissions.approve(signed_in.person, submission_id)
        if approved
        else submissions.reject(signed_in.person, submission_id, form.value("reason"))
    )
    try:
        await work
    except AbhidhanError as error:
        return await _queue_page(request, database, pages, error=error)
    return lead_to(f"/review/submissions?done={'approved' if approved else 'rejected'}", headers=NOT_KEPT)


@post("/account/submissions/{submission_id:int}/withdraw", include_in_schema=False, guards=[needs()])
async def withdraw(request: Asked, submission_id: FromPath[int]) -> Response[str]:
    """Take one's own submission back."""
    signed_in = await find_signed_in(request)
    if signed_in is None:
        raise SignInRequiredError("Sign in first.")
    await editing_of(request).submissions.withdraw(signed_in.person, submission_id)
    return lead_to("/account?done=sent-back", headers=NOT_KEPT)


def _number(text: str) -> int | None:
    """Read a number of a hidden field or a choice. Raises InputError when it is none."""
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= MOST_NUMBER):
        raise InputError.of("", "A field that must be a number is none.")
    return int(text)


CONTRIBUTION_HANDLERS = (
    show_word_form,
    submit_word,
    show_proverb_form,
    submit_proverb,
    show_report_form,
    submit_report,
    show_queue,
    decide,
    withdraw,
)
