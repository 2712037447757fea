"""Corrections: anybody chooses what is wrong with a word or its meaning, and says what would be right."""

from typing import Annotated, Final

from litestar import Response, get, post
from litestar.params import QueryParameter

from abhidhan.contributions.pages.correction_forms import Subject, context_fields, correction_of, fields_of, subject_of
from abhidhan.contributions.pages.word_submission import contexts_in
from abhidhan.contributions.service.submissions import Submissions
from abhidhan.dictionary.api.parameters import GivenDictionary
from abhidhan.dictionary.service.browse import look_up_one
from abhidhan.dictionary.service.dictionary import Dictionary
from abhidhan.people.pages.staff import NOT_KEPT
from abhidhan.platform.http.authentication import find_signed_in, visit_of
from abhidhan.platform.http.errors import status_of
from abhidhan.platform.http.forms import Form, number_in, own_languages, read_form
from abhidhan.platform.http.preferences import LANGUAGES, interface_of
from abhidhan.platform.http.rendering import GivenPages, PageRequest, Pages, lead_to
from abhidhan.platform.http.services import service_of
from abhidhan.records.errors import AbhidhanError, InputError, NotFoundError, sentence
from abhidhan.records.submission_payloads import ReportData

CORRECTION: Final = "/account/submit/correction"

Given = Annotated[str, QueryParameter(max_length=500)]


async def read_subject(request: PageRequest, dictionary: Dictionary, word_id: int) -> Subject | None:
    """Read a word with all that can be corrected; None when there is no such word."""
    try:
        word = await dictionary.read(look_up_one, word_id)
    except NotFoundError:
        return None
    catalogue = await dictionary.catalogue()
    return subject_of(word, catalogue, own_languages(request, catalogue))


@get(CORRECTION, include_in_schema=False)
async def show_correction_form(  # noqa: PLR0913 (each is one parameter of the address, or what it is answered from)
    *,
    request: PageRequest,
    dictionary: GivenDictionary,
    pages: GivenPages,
    word: Given = "",
    name: Given = "",
    fact: Given = "",
    done: Given = "",
) -> Response[str]:
    """Show the facts of a word, to choose what is wrong; or the form to say what would be right."""
    form = Form({"word_id": word, "name": name, "fact": fact, "done": done})
    return await _correction_page(request, dictionary, pages, form)


async def _correction_page(
    request: PageRequest, dictionary: Dictionary, pages: Pages, form: Form, error: AbhidhanError | None = None
) -> Response[str]:
    try:
        word_id = number_in(form, "word_id") or 0
    except InputError:
        word_id = 0
    subject = await read_subject(request, dictionary, word_id)
    fact = subject.fact(form.value("fact")) if subject else None
    catalogue = await dictionary.catalogue()
    interface = interface_of(request.scope, request.query_params.get("interface"))
    if fact is not None and "was" not in form.fields:
        form = Form({**form.fields, **fields_of(fact, interface.translations.gettext)})
    values = {
        "form": form.refused(error) if error else form,
        "subject": subject,
        "fact": fact,
        "parts_of_speech": catalogue.assignable_parts_of_speech,
        "contexts": contexts_in(catalogue, interface.language),
        "context_fields": context_fields(fact) if fact else (),
        "licence": service_of(request, Submissions).licence,
    }
    status = status_of(error) if error else 200
    return pages.show(request, "submit-report.html", values, status=status, headers=NOT_KEPT)


@post(CORRECTION, include_in_schema=False)
async def submit_correction(request: PageRequest, dictionary: GivenDictionary, pages: GivenPages) -> Response[str]:
    """Let a correction, or a report in one's own words, wait for an editor. Nobody needs an account for it."""
    form = await read_form(request)
    signed_in = await find_signed_in(request)
    person, submissions = signed_in.person if signed_in else None, service_of(request, Submissions)
    visit, licence = visit_of(request), form.value("licence")
    try:
        word_id = number_in(form, "word_id") or 0
        if form.value("fact"):
            subject = await read_subject(request, dictionary, word_id)
            fact = subject.fact(form.value("fact")) if subject else None
            if subject is None or fact is None or fact.value != form.value("was"):
                raise InputError.of("fact", sentence("What you correct has been changed meanwhile: choose once more."))
            proposal = correction_of(subject, fact, form, await dictionary.catalogue(), tuple(LANGUAGES))
            await submissions.suggest(person, proposal, visit, licence)
        else:
            await submissions.report(person, ReportData(word_id, form.value("text")), visit, licence)
    except AbhidhanError as error:
        return await _correction_page(request, dictionary, pages, form, error)
    return lead_to(f"{CORRECTION}?done=sent", headers=NOT_KEPT)


CORRECTION_HANDLERS = (show_correction_form, submit_correction)
