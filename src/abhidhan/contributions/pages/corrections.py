"""Pages to correct a word, which need no account: choose a field, and propose another value."""

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, Final, NamedTuple

import msgspec
from litestar import Response, get, post
from litestar.params import QueryParameter

from abhidhan.contributions.pages.word_submission import find_context_ids, list_contexts
from abhidhan.contributions.service.submissions import Submissions
from abhidhan.dictionary.api.parameters import DictionaryDep
from abhidhan.dictionary.service.browse import get_word
from abhidhan.dictionary.service.dictionary import Dictionary
from abhidhan.people.pages.staff import NO_STORE_HEADERS
from abhidhan.platform.http.authentication import client_info, find_signed_in
from abhidhan.platform.http.errors import get_status
from abhidhan.platform.http.forms import Form, read_form, read_number_field, select_form_languages
from abhidhan.platform.http.preferences import INTERFACE_LANGUAGES, get_interface
from abhidhan.platform.http.rendering import PageRequest, Pages, PagesDep, redirect_to
from abhidhan.platform.http.services import get_service
from abhidhan.records.catalogue import Catalogue
from abhidhan.records.errors import AbhidhanError, InputError, NotFoundError, sentence
from abhidhan.records.kinds.field_types import Line, Text
from abhidhan.records.kinds.fields import MAX_CONTEXTS
from abhidhan.records.kinds.word import ALL_WORD_FIELDS
from abhidhan.records.languages import Language
from abhidhan.records.submission_payloads import (
    CorrectionData,
    CorrectionSubmission,
    DefinitionData,
    ExampleText,
    IdeaChanges,
    ReportData,
    SenseChanges,
    WordChanges,
    WordData,
    WordSubmission,
)
from abhidhan.records.words import Meaning, Word

WORD_FIELDS: Final = tuple(
    field for field in ALL_WORD_FIELDS if isinstance(field.kind, Line | Text) and field.name in Word.__struct_fields__
)
"""Correctable fields of a word: the texts shown on its page."""

OFFERED_LANGUAGES: Final = ("as", "en")
"""Languages in which the form asks for a missing definition."""

PROPOSED_FIELD: Final = "proposed"
REMOVED_FIELD: Final = "removed"
"""Name of the form field that asks to remove the translation."""

CONTEXT_SEPARATOR: Final = "; "
"""Separator between the names of contexts in the value of a fact."""


class Fact(NamedTuple):
    """A correctable value: `key` identifies it in the form, `field` and `language` describe it to readers.

    `idea_id` and `number` are those of the sense, 0 for fields of the word itself. `position` is the index among values
    of one kind, or their number for a missing value. `word_id` is the ID of a translation.
    """

    key: str
    field: str
    language: Language | None
    value: str
    idea_id: int = 0
    number: int = 0
    position: int = 0
    word_id: int = 0


class CorrectableWord(msgspec.Struct, frozen=True):
    """The word to correct, its language, and all its correctable values."""

    word: Word
    language: Language
    facts: tuple[Fact, ...]

    def find_fact(self, key: str) -> Fact | None:
        """Return the fact with this key, or None."""
        return next((fact for fact in self.facts if fact.key == key), None)

    def get_meaning(self, fact: Fact) -> Meaning:
        """Return the sense that a fact belongs to."""
        return next(meaning for meaning in self.word.meanings if meaning.idea_id == fact.idea_id)


class FactContext(NamedTuple):
    """Context of a word's facts: its language, all languages by ID, and the user's languages."""

    language: Language
    languages: Mapping[int, Language]
    user_languages: tuple[Language, ...]


def build_correctable_word(word: Word, catalogue: Catalogue, user_languages: tuple[Language, ...]) -> CorrectableWord:
    """Return the correctable values of a word, with translations in the user's languages."""
    context = FactContext(catalogue.language(word.language_id), catalogue.languages_by_id, user_languages)
    return CorrectableWord(word, context.language, tuple(_iter_facts(word, context)))


def _iter_facts(word: Word, context: FactContext) -> Iterator[Fact]:
    for field in WORD_FIELDS:
        # The value is the stored one: a romanization by rule is not stored, so a proposal is the word's first.
        yield Fact(f"word.{field.name}", field.name, None, field.kind.format(getattr(word, field.name)))
    for number, meaning in enumerate(word.meanings, 1):
        for iter_sense_facts in (
            _iter_definitions,
            _iter_translations,
            _iter_examples,
            _iter_grammar,
            _iter_references,
        ):
            yield from (
                fact._replace(idea_id=meaning.idea_id, number=number) for fact in iter_sense_facts(meaning, context)
            )


def _iter_definitions(meaning: Meaning, context: FactContext) -> Iterator[Fact]:
    key = f"idea.{meaning.idea_id}"
    for index, definition in enumerate(meaning.definitions):
        yield Fact(
            f"{key}.{index}", "definition", context.languages[definition.language_id], definition.text, position=index
        )
    defined = {context.languages[definition.language_id].code for definition in meaning.definitions}
    for language in context.languages.values():
        if language.code in OFFERED_LANGUAGES and language.code not in defined:
            yield Fact(f"{key}.{language.code}", "definition", language, "", position=len(meaning.definitions))


def _iter_translations(meaning: Meaning, context: FactContext) -> Iterator[Fact]:
    languages = {language.id: language for language in context.user_languages}
    user_translations = [translation for translation in meaning.translations if translation.language_id in languages]
    for translation in user_translations:
        key = f"translation.{meaning.idea_id}.{translation.id}"
        yield Fact(key, "translations", languages[translation.language_id], translation.word, word_id=translation.id)
    translated = {translation.language_id for translation in user_translations} | {context.language.id}
    for language in context.user_languages:
        if language.id not in translated:
            yield Fact(f"translation.{meaning.idea_id}.{language.code}", "translations", language, "")


def _iter_examples(meaning: Meaning, context: FactContext) -> Iterator[Fact]:
    key = f"example.{meaning.idea_id}"
    for index, example in enumerate(meaning.examples):
        yield Fact(f"{key}.{index}", "example", context.languages[example.language_id], example.text, position=index)
        yield Fact(f"{key}.{index}.translation", "example_translation", None, example.translation or "", position=index)
    yield Fact(f"{key}.new", "example", context.language, "", position=len(meaning.examples))


def _iter_grammar(meaning: Meaning, _context: FactContext) -> Iterator[Fact]:
    yield Fact(f"pos.{meaning.idea_id}", "pos", None, meaning.pos.value if meaning.pos else "")
    yield Fact(
        f"contexts.{meaning.idea_id}", "contexts", None, CONTEXT_SEPARATOR.join(each.value for each in meaning.contexts)
    )


def _iter_references(meaning: Meaning, _context: FactContext) -> Iterator[Fact]:
    yield Fact(f"reference.{meaning.idea_id}", "reference", None, meaning.reference or "")


# --- the forms ----------------------------------------------------------------------------------------------------


def list_context_fields(fact: Fact) -> tuple[str, ...]:
    """Return the names of the fields for the contexts of a sense: one for each, and an empty one."""
    count = len(fact.value.split(CONTEXT_SEPARATOR)) if fact.value else 0
    return tuple(f"context_{number}" for number in range(1, max(2, count, min(count + 1, MAX_CONTEXTS)) + 1))


def build_form_fields(fact: Fact, translate: Callable[[str], str]) -> dict[str, str]:
    """Return the form fields of a fact's current value; `translate` translates the name of a context."""
    if fact.field != "contexts":
        return {PROPOSED_FIELD: fact.value}
    names = [translate(name) for name in fact.value.split(CONTEXT_SEPARATOR)] if fact.value else []
    return dict(zip(list_context_fields(fact), names, strict=False))


# --- building submissions -----------------------------------------------------------------------------------------


def build_correction(
    subject: CorrectableWord, fact: Fact, form: Form, catalogue: Catalogue, languages: tuple[str, ...]
) -> CorrectionSubmission | WordSubmission:
    """Build a correction of a fact, or another word for its idea, from the submitted form.

    `languages` are the interface languages in which contexts may be named. Raises InputError if nothing would change.
    """
    proposed, comment = form.value(PROPOSED_FIELD), form.value("comment") or None
    if fact.field == "contexts":
        chosen_ids = find_context_ids((form.value(name) for name in list_context_fields(fact)), catalogue, languages)
        _check_changed(set(chosen_ids), {context.id for context in subject.get_meaning(fact).contexts})
        return _build_idea_correction(fact, comment, contexts=chosen_ids)
    if fact.field == "translations" and fact.word_id and form.value(REMOVED_FIELD):
        return _build_link_correction(fact, fact.word_id, comment, unlink=True)
    _check_changed(proposed, fact.value)
    if fact.field == "reference":
        return _build_link_correction(fact, subject.word.id, comment, sense=SenseChanges(reference=proposed or None))
    if fact.field == "translations" and not fact.word_id:
        code = fact.language.code if fact.language else ""
        return WordSubmission(WordData(language=code, word=proposed, idea_id=fact.idea_id, reference=comment))
    if fact.field == "translations" or not fact.idea_id:
        name = "word" if fact.field == "translations" else fact.field
        changes = msgspec.convert({name: proposed if name == "word" else proposed or None}, WordChanges)
        return CorrectionSubmission(
            CorrectionData(word_id=fact.word_id or subject.word.id, word=changes, comment=comment)
        )
    return _build_idea_correction(
        fact, comment, **_CHANGE_BUILDERS[fact.field](subject.get_meaning(fact), fact, proposed)
    )


def _check_changed(proposed: object, value: object) -> None:
    if proposed == value:
        raise InputError.of(PROPOSED_FIELD, sentence("That is the current text. Enter the corrected one."))


def _build_link_correction(fact: Fact, word_id: int, comment: str | None, **changes: Any) -> CorrectionSubmission:  # noqa: ANN401
    return CorrectionSubmission(CorrectionData(word_id=word_id, idea_id=fact.idea_id, comment=comment, **changes))


def _build_idea_correction(fact: Fact, comment: str | None, **changes: Any) -> CorrectionSubmission:  # noqa: ANN401  # of IdeaChanges
    return CorrectionSubmission(CorrectionData(idea_id=fact.idea_id, idea=IdeaChanges(**changes), comment=comment))


def _change_definition(meaning: Meaning, fact: Fact, proposed: str) -> dict[str, Any]:
    texts = [DefinitionData(definition.language_id, definition.text) for definition in meaning.definitions]
    new = [DefinitionData(fact.language.id if fact.language else 0, proposed)] if proposed else []
    return {"definitions": (*texts[: fact.position], *new, *texts[fact.position + 1 :])}


def _change_example(meaning: Meaning, fact: Fact, proposed: str) -> dict[str, Any]:
    texts = [ExampleText(example.language_id, example.text, example.translation) for example in meaning.examples]
    now = (
        texts[fact.position]
        if fact.position < len(texts)
        else ExampleText(fact.language.id if fact.language else 0, "")
    )
    if fact.field == "example_translation":
        new = [msgspec.structs.replace(now, translation=proposed or None)]
    else:
        new = [msgspec.structs.replace(now, text=proposed)] if proposed else []
    return {"examples": (*texts[: fact.position], *new, *texts[fact.position + 1 :])}


def _change_pos(_meaning: Meaning, _fact: Fact, proposed: str) -> dict[str, Any]:
    return {"pos": proposed}


_CHANGE_BUILDERS: Final[Mapping[str, Callable[[Meaning, Fact, str], dict[str, Any]]]] = {
    "definition": _change_definition,
    "example": _change_example,
    "example_translation": _change_example,
    "pos": _change_pos,
}


CORRECTION_PATH: Final = "/account/submit/correction"

QueryText = Annotated[str, QueryParameter(max_length=500)]


async def load_correctable_word(request: PageRequest, dictionary: Dictionary, word_id: int) -> CorrectableWord | None:
    """Return a word with its correctable values, or None."""
    try:
        word = await dictionary.read(get_word, word_id)
    except NotFoundError:
        return None
    catalogue = await dictionary.catalogue()
    return build_correctable_word(word, catalogue, select_form_languages(request, catalogue))


@get(CORRECTION_PATH, include_in_schema=False)
async def show_correction_form(  # noqa: PLR0913 (query parameters and injected dependencies)
    *,
    request: PageRequest,
    dictionary: DictionaryDep,
    pages: PagesDep,
    word: QueryText = "",
    name: QueryText = "",
    fact: QueryText = "",
    done: QueryText = "",
) -> Response[str]:
    """List the correctable values of a word or, if one is chosen, show the form for its correction."""
    form = Form({"word_id": word, "name": name, "fact": fact, "done": done})
    return await _show_correction_page(request, dictionary, pages, form)


async def _show_correction_page(
    request: PageRequest, dictionary: Dictionary, pages: Pages, form: Form, error: AbhidhanError | None = None
) -> Response[str]:
    try:
        word_id = read_number_field(form, "word_id") or 0
    except InputError:
        word_id = 0
    subject = await load_correctable_word(request, dictionary, word_id)
    fact = subject.find_fact(form.value("fact")) if subject else None
    catalogue = await dictionary.catalogue()
    interface = get_interface(request.scope, request.query_params.get("interface"))
    if fact is not None and "was" not in form.fields:
        form = Form({**form.fields, **build_form_fields(fact, interface.translations.gettext)})
    values = {
        "form": form.with_error(error) if error else form,
        "subject": subject,
        "fact": fact,
        "parts_of_speech": catalogue.assignable_parts_of_speech,
        "contexts": list_contexts(catalogue, interface.language),
        "context_fields": list_context_fields(fact) if fact else (),
        "licence": get_service(request, Submissions).licence,
    }
    status = get_status(error) if error else 200
    return pages.show(request, "submit-report.html", values, status=status, headers=NO_STORE_HEADERS)


@post(CORRECTION_PATH, include_in_schema=False)
async def submit_correction(request: PageRequest, dictionary: DictionaryDep, pages: PagesDep) -> Response[str]:
    """Submit a correction or a free-text report. Needs no account."""
    form = await read_form(request)
    signed_in = await find_signed_in(request)
    person, submissions = signed_in.person if signed_in else None, get_service(request, Submissions)
    client, licence = client_info(request), form.value("licence")
    try:
        word_id = read_number_field(form, "word_id") or 0
        if form.value("fact"):
            subject = await load_correctable_word(request, dictionary, word_id)
            fact = subject.find_fact(form.value("fact")) if subject else None
            if subject is None or fact is None or fact.value != form.value("was"):
                raise InputError.of("fact", sentence("The entry has changed in the meantime. Please choose again."))
            proposal = build_correction(subject, fact, form, await dictionary.catalogue(), tuple(INTERFACE_LANGUAGES))
            await submissions.propose(person, proposal, client, licence)
        else:
            await submissions.report(person, ReportData(word_id, form.value("text")), client, licence)
    except AbhidhanError as error:
        return await _show_correction_page(request, dictionary, pages, form, error)
    return redirect_to(f"{CORRECTION_PATH}?done=sent", headers=NO_STORE_HEADERS)


CORRECTION_HANDLERS = (show_correction_form, submit_correction)
