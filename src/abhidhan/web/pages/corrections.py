"""Corrections: anybody chooses what is wrong with a word or its meaning, and says what would be right."""

from collections.abc import Iterator
from typing import Annotated, Final, NamedTuple

import msgspec
from litestar import Response, get, post
from litestar.params import QueryParameter

from abhidhan.domain.drafts import CorrectionData, DefinitionData, IdeaChanges, ReportData, WordChanges
from abhidhan.domain.languages import Language
from abhidhan.domain.records.field_kinds import Line, Text
from abhidhan.domain.records.word import WORD
from abhidhan.domain.words import Meaning, Word
from abhidhan.errors import AbhidhanError, InputError, NotFoundError, sentence
from abhidhan.services.dictionary.facade import Dictionary
from abhidhan.web.arguments import GivenDictionary
from abhidhan.web.edge.errors import status_of
from abhidhan.web.pages.forms import Form, number_in, read_form
from abhidhan.web.pages.rendering import GivenPages, PageRequest, Pages, lead_to
from abhidhan.web.pages.staff import NOT_KEPT
from abhidhan.web.sessions import editing_of, find_signed_in, visit_of

CORRECTION: Final = "/account/submit/correction"
OF_WORD: Final = tuple(
    field for field in WORD if isinstance(field.kind, Line | Text) and field.name in Word.__struct_fields__
)
"""Fields of a word that can be corrected here: the texts that its page shows."""

OFFERED: Final = ("as", "en")
"""Languages in which a definition that is missing is asked for."""

Given = Annotated[str, QueryParameter(max_length=500)]


class Fact(NamedTuple):
    """Something that can be wrong: `key` names it in the form, `field` and `language` tell readers what it is.

    `idea_id` and `number` are those of the meaning, 0 where it is about the word itself.
    """

    key: str
    field: str
    language: Language | None
    value: str
    idea_id: int = 0
    number: int = 0


class Subject(msgspec.Struct, frozen=True):
    """The word that is to be corrected, its language, and all its facts."""

    word: Word
    language: Language
    facts: tuple[Fact, ...]

    def fact(self, key: str) -> Fact | None:
        """Find what is to be corrected by its name in the form."""
        return next((fact for fact in self.facts if fact.key == key), None)


async def read_subject(dictionary: Dictionary, word_id: int) -> Subject | None:
    """Read a word with all that can be corrected; None when there is no such word."""
    try:
        word = await dictionary.word(word_id)
    except NotFoundError:
        return None
    languages = {language.id: language for language in (await dictionary.catalogue()).languages}
    return Subject(word, languages[word.language_id], tuple(_facts(word, languages)))


def _facts(word: Word, languages: dict[int, Language]) -> Iterator[Fact]:
    for field in OF_WORD:
        # A romanization by rule is nobody's: whoever proposes another gives the word its first own one.
        yield Fact(f"word.{field.name}", field.name, None, field.kind.written(getattr(word, field.name)))
    for number, meaning in enumerate(word.meanings, 1):
        yield from _facts_of(meaning, number, languages)


def _facts_of(meaning: Meaning, number: int, languages: dict[int, Language]) -> Iterator[Fact]:
    key = f"idea.{meaning.idea_id}"
    for place, one in enumerate(meaning.definitions):
        yield Fact(f"{key}.{place}", "definition", languages[one.language_id], one.text, meaning.idea_id, number)
    defined = {languages[one.language_id].code for one in meaning.definitions}
    for language in languages.values():
        if language.code in OFFERED and language.code not in defined:
            yield Fact(f"{key}.{language.code}", "definition", language, "", meaning.idea_id, number)


def correction_of(subject: Subject, fact: Fact, proposed: str, comment: str) -> CorrectionData:
    """Make a correction of one fact. Raises InputError when it would change nothing."""
    if proposed == fact.value:
        raise InputError.of("proposed", sentence("This is what stands there already: write what would be right."))
    if not fact.idea_id:
        given = {fact.field: proposed if fact.field == "word" else proposed or None}
        changes = msgspec.convert(given, WordChanges)
        return CorrectionData(word_id=subject.word.id, word=changes, comment=comment or None)
    meaning = next(each for each in subject.word.meanings if each.idea_id == fact.idea_id)
    place = fact.key.rpartition(".")[2]
    texts = [DefinitionData(one.language_id, one.text) for one in meaning.definitions]
    language = fact.language.id if fact.language else 0
    new = [DefinitionData(language, proposed)] if proposed else []
    at = int(place) if place.isdigit() else len(texts)
    changed = IdeaChanges(definitions=(*texts[:at], *new, *texts[at + 1 :]))
    return CorrectionData(idea_id=fact.idea_id, idea=changed, comment=comment or None)


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
    subject = await read_subject(dictionary, word_id)
    fact = subject.fact(form.value("fact")) if subject else None
    if fact is not None and "proposed" not in form.fields:
        form = Form({**form.fields, "proposed": fact.value})
    values = {
        "form": form.refused(error) if error else form,
        "subject": subject,
        "fact": fact,
        "licence": editing_of(request).submissions.licence,
    }
    status = status_of(error) if error else 200
    return pages.show(request, "submit-report.html", values, status=status, headers=NOT_KEPT)


@post(CORRECTION, include_in_schema=False)
async def submit_correction(request: PageRequest, dictionary: GivenDictionary, pages: GivenPages) -> Response[str]:
    """Let a correction, or a report in one's own words, wait for an editor. Nobody needs an account for it."""
    form = await read_form(request)
    signed_in = await find_signed_in(request)
    person, submissions = signed_in.person if signed_in else None, editing_of(request).submissions
    visit, licence = visit_of(request), form.value("licence")
    try:
        word_id = number_in(form, "word_id") or 0
        if form.value("fact"):
            subject = await read_subject(dictionary, word_id)
            fact = subject.fact(form.value("fact")) if subject else None
            if subject is None or fact is None or fact.value != form.value("was"):
                raise InputError.of("fact", sentence("What you correct has been changed meanwhile: choose once more."))
            correction = correction_of(subject, fact, form.value("proposed"), form.value("comment"))
            await submissions.suggest(person, correction, visit, licence)
        else:
            await submissions.report(person, ReportData(word_id, form.value("text")), visit, licence)
    except AbhidhanError as error:
        return await _correction_page(request, dictionary, pages, form, error)
    return lead_to(f"{CORRECTION}?done=sent", headers=NOT_KEPT)


CORRECTION_HANDLERS = (show_correction_form, submit_correction)
