"""The form that submits a word, with or without a photo, and its warning about similar words."""

from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager
from typing import Final

import msgspec
from multipart import MultipartError, PushMultipartParser, parse_options_header

from abhidhan.contributions.service.submission_views import Similar
from abhidhan.contributions.service.submissions import Submissions, WordsWithPhotos
from abhidhan.media.service.photos import Photos
from abhidhan.media.service.uploads import UploadLimiter
from abhidhan.platform.http.authentication import check_site, find_session
from abhidhan.platform.http.forms import MAX_FIELDS, MAX_FORM_BYTES, NUL, UNREADABLE_FORM, Form, number_in, read_form
from abhidhan.platform.http.multipart import MAX_FILE_FORM_BYTES, MULTIPART, PHOTO_FORM, FormReader
from abhidhan.platform.http.preferences import translations_of
from abhidhan.platform.http.rendering import PageRequest
from abhidhan.platform.http.request_bodies import UploadBody, upload_body
from abhidhan.platform.http.services import service_of
from abhidhan.records.catalogue import Catalogue
from abhidhan.records.errors import InputError, quoted, sentence
from abhidhan.records.languages import Language
from abhidhan.records.lookup_lists import ListItem, ListName
from abhidhan.records.people import Person
from abhidhan.records.submission_payloads import (
    DefinitionData,
    ExampleText,
    IdeaData,
    TranslationData,
    WordData,
    WordSubmission,
)
from abhidhan.records.uploads import UploadedFile

DEFINITION: Final = "definition_"
TRANSLATION: Final = "translation_"
CONTEXTS: Final = ("context_1", "context_2")
"""Form fields of one context each, because browsers complete only whole fields."""

SEEN: Final = "seen"
"""Name of the form field with the IDs of the similar words that the sender has been shown."""

SENSE_OF: Final = "sense_of"
"""Name of the form field with the ID of an existing word to which the submission adds a sense."""

WARNING_MATCHES: Final = frozenset({"exact", "loose", "phonetic"})
"""Matches that may be the same word, which the sender has to see before submitting; others are only listed."""


class Context(msgspec.Struct, frozen=True):
    """A context with its name in an interface language."""

    id: int
    name: str


def contexts_in(catalogue: Catalogue, language: str) -> list[Context]:
    """Return the contexts with their names in an interface language, sorted by name."""
    say = translations_of(language).gettext
    named = [Context(item.id, say(item.value)) for item in catalogue.items_of(ListName.CONTEXTS)]
    return sorted(named, key=lambda context: context.name)


def context_ids(names: Iterable[str], catalogue: Catalogue, languages: Iterable[str]) -> tuple[int, ...]:
    """Return the IDs of contexts by their English or translated names, case-insensitively. Raises InputError."""
    items = catalogue.items_of(ListName.CONTEXTS)
    ids_by_name = {name.casefold(): item.id for item in items for name in _names_of(item, languages)}
    ids = []
    for name in filter(None, (typed.strip() for typed in names)):
        if name.casefold() not in ids_by_name:
            raise InputError.of("contexts", sentence("There is no topic with the name %(name)s.", name=quoted(name)))
        ids.append(ids_by_name[name.casefold()])
    return tuple(dict.fromkeys(ids))


def _names_of(item: ListItem, languages: Iterable[str]) -> Iterator[str]:
    yield item.value
    for language in languages:
        yield translations_of(language).gettext(item.value)


def word_of(form: Form, catalogue: Catalogue, languages: Iterable[str]) -> WordSubmission:
    """Parse a word from its form: for an existing idea, or with a new one.

    Raises InputError, also if a new idea has neither a translation nor a definition.
    """
    idea_id = number_in(form, "idea_id")
    meaning, translations = meaning_of(form, catalogue, languages), tuple(_translations(form))
    if not idea_id and not (meaning.definitions or translations):
        raise InputError.of(
            "meaning",
            sentence("Give a translation or a definition in at least one language."),
        )
    return WordSubmission(
        WordData(
            language=form.value("language"),
            word=form.value("word"),
            idea_id=idea_id,
            meaning=None if idea_id else meaning,
            roman=form.value("roman") or None,
            origin=form.value("origin") or None,
            reference=form.value("reference") or None,
            translations=translations,
        )
    )


def meaning_of(form: Form, catalogue: Catalogue, languages: Iterable[str]) -> IdeaData:
    """Parse a new idea from the form of a word. Raises InputError."""
    example = ExampleText(form.value("language"), form.value("example"), form.value("example_translation") or None)
    return IdeaData(
        number_in(form, "pos") or 0,
        contexts=context_ids((form.value(name) for name in CONTEXTS), catalogue, languages),
        definitions=tuple(DefinitionData(code, text) for code, text in _texts(form, DEFINITION)),
        examples=(example,) if example.text else (),
    )


def _translations(form: Form) -> Iterator[TranslationData]:
    """Parse the comma-separated translations, without the word itself."""
    headword = (form.value("language"), form.value("word"))
    for code, text in _texts(form, TRANSLATION):
        for word in dict.fromkeys(part.strip() for part in text.split(",")):
            if word and (code, word) != headword:
                yield TranslationData(code, word)


def _texts(form: Form, beginning: str) -> Iterator[tuple[str, str]]:
    return (
        (name.removeprefix(beginning), text)
        for name, text in form.fields.items()
        if name.startswith(beginning) and text
    )


class SimilarWord(msgspec.Struct, frozen=True):
    """A similar existing word with its language."""

    similar: Similar
    language: Language

    @property
    def may_be_the_same(self) -> bool:
        """Whether it may be the same word, not only a similar one."""
        return self.similar.match in WARNING_MATCHES


def with_languages(similar: Iterable[Similar], catalogue: Catalogue) -> tuple[SimilarWord, ...]:
    """Add the languages to similar words."""
    return tuple(SimilarWord(word, catalogue.language(word.language_id)) for word in similar)


def has_unseen(alike: Iterable[SimilarWord], form: Form) -> bool:
    """Return whether the sender has not yet seen all words that may be the same."""
    seen = set(form.value(SEEN).split(","))
    return any(str(similar_word.similar.id) not in seen for similar_word in alike if similar_word.may_be_the_same)


def as_sense_of(form: Form, alike: Iterable[SimilarWord]) -> Form:
    """Replace the word of a form by the existing word that the sender chose to add a sense to, if any."""
    chosen = next(
        (similar_word for similar_word in alike if str(similar_word.similar.id) == form.value(SENSE_OF)), None
    )
    if chosen is None:
        return form
    return Form({**form.fields, "word": chosen.similar.text, "language": chosen.language.code})


ANONYMOUS_ID: Final = 0
"""ID that all clients without a session share in the limit of concurrent uploads per account."""


class SubmittedForm(msgspec.Struct):
    """A submitted form: its fields, and the photo if one was chosen. `body` may be only partly received."""

    form: Form
    photo: UploadedFile | None = None
    body: UploadBody | None = None


@asynccontextmanager
async def open_word_form(request: PageRequest) -> AsyncIterator[SubmittedForm]:
    """Read the form, and hold an upload slot while its photo is processed.

    Raises ForbiddenError for a form of another site, InputError for a malformed one.
    """
    kind, options = parse_options_header(request.headers.get("content-type", ""))
    if kind != MULTIPART:
        yield SubmittedForm(await read_form(request))
        return
    check_site(request)
    signed_in = await find_session(request)
    async with service_of(request, UploadLimiter).slot(signed_in.person.id if signed_in else ANONYMOUS_ID):
        yield await _read(upload_body(request, PHOTO_FORM.field), options.get("boundary", ""))


async def _read(body: UploadBody, boundary: str) -> SubmittedForm:
    """Read all parts. Too large a photo is discarded, but reading continues, as fields may follow it."""
    reader = FormReader(PHOTO_FORM._replace(names=None), MAX_FORM_BYTES)
    size = 0
    try:
        parser = PushMultipartParser(boundary, max_segment_count=MAX_FIELDS)
        async for piece in body.pieces():
            size += len(piece)
            if size > MAX_FILE_FORM_BYTES:
                reader.too_big = True
                break
            for event in parser.parse(piece) if piece and not parser.closed else ():
                reader.feed(event)
        else:
            parser.close()
    except MultipartError:
        raise InputError.of("", UNREADABLE_FORM) from None
    sent = reader.result(complete=True)
    if sent.problems and not reader.has_file:
        raise InputError(*sent.problems)
    return SubmittedForm(_form_of(reader), sent if reader.has_file else None, body)


def _form_of(reader: FormReader) -> Form:
    texts = [*reader.fields, *reader.fields.values()]
    if any(NUL in text for text in texts) or sum(map(len, texts)) > MAX_FORM_BYTES:
        raise InputError.of("", UNREADABLE_FORM)
    return Form({name: value.replace("\r\n", "\n").strip() for name, value in reader.fields.items()})


async def send_word(request: PageRequest, person: Person, word: WordSubmission, sent: SubmittedForm) -> None:
    """Submit a word, with its photo if one was chosen. Raises the errors of submitting them."""
    submissions, licence = service_of(request, Submissions), sent.form.value("licence")
    if sent.photo is not None:
        both = WordsWithPhotos(submissions, service_of(request, Photos))
        await both.submit(person, word, sent.photo, licence)
        return
    if sent.form.value("photoCredit"):
        raise InputError.of(
            "photo",
            sentence("Choose the photo again, or clear the photographer’s name to send the word without a photo."),
        )
    await submissions.submit(person, word, licence_seen=licence)
