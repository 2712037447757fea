"""The form that submits a word, with or without a photo, and its warning about similar words."""

from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager
from typing import Final

import msgspec
from multipart import MultipartError, PushMultipartParser, parse_options_header

from abhidhan.contributions.service.submission_views import Similar
from abhidhan.contributions.service.submissions import Submissions, WordPhotoSubmissions
from abhidhan.media.service.photos import Photos
from abhidhan.media.service.uploads import UploadLimiter
from abhidhan.platform.http.authentication import check_site, find_session_user
from abhidhan.platform.http.forms import (
    MAX_FIELDS,
    MAX_FORM_BYTES,
    NUL,
    UNREADABLE_FORM_MESSAGE,
    Form,
    read_form,
    read_number_field,
)
from abhidhan.platform.http.multipart import MAX_FILE_FORM_BYTES, MULTIPART_TYPE, PHOTO_FORM, FormReader
from abhidhan.platform.http.preferences import load_translations
from abhidhan.platform.http.rendering import PageRequest
from abhidhan.platform.http.request_bodies import UploadBody, open_upload_body
from abhidhan.platform.http.services import get_service
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

DEFINITION_PREFIX: Final = "definition_"
TRANSLATION_PREFIX: Final = "translation_"
CONTEXT_FIELDS: Final = ("context_1", "context_2")
"""Names of the form's context fields: one context each, because browsers complete only a field's whole value."""

SEEN_FIELD: Final = "seen"
"""Name of the form field with the IDs of the similar words that the sender has been shown."""

SENSE_OF_FIELD: Final = "sense_of"
"""Name of the form field with the ID of an existing word to which the submission adds a sense."""

WARNING_MATCHES: Final = frozenset({"exact", "loose", "phonetic"})
"""Matches that may be the same word, which the sender has to see before submitting; others are only listed."""


class NamedContext(msgspec.Struct, frozen=True):
    """A context with its name in an interface language."""

    id: int
    name: str


def list_contexts(catalogue: Catalogue, language: str) -> list[NamedContext]:
    """Return the contexts with their names in an interface language, sorted by name."""
    translate = load_translations(language).gettext
    named = [NamedContext(item.id, translate(item.value)) for item in catalogue.list_items(ListName.CONTEXTS)]
    return sorted(named, key=lambda context: context.name)


def find_context_ids(names: Iterable[str], catalogue: Catalogue, languages: Iterable[str]) -> tuple[int, ...]:
    """Return the IDs of contexts by their English or translated names, case-insensitively. Raises InputError."""
    items = catalogue.list_items(ListName.CONTEXTS)
    ids_by_name = {name.casefold(): item.id for item in items for name in _iter_names(item, languages)}
    ids = []
    for name in filter(None, (typed.strip() for typed in names)):
        if name.casefold() not in ids_by_name:
            raise InputError.of("contexts", sentence("There is no topic with the name %(name)s.", name=quoted(name)))
        ids.append(ids_by_name[name.casefold()])
    return tuple(dict.fromkeys(ids))


def _iter_names(item: ListItem, languages: Iterable[str]) -> Iterator[str]:
    yield item.value
    for language in languages:
        yield load_translations(language).gettext(item.value)


def parse_word(form: Form, catalogue: Catalogue, languages: Iterable[str]) -> WordSubmission:
    """Parse a word from its form: for an existing idea, or with a new one.

    Raises InputError, also if a new idea has neither a translation nor a definition.
    """
    idea_id = read_number_field(form, "idea_id")
    meaning, translations = parse_meaning(form, catalogue, languages), tuple(_parse_translations(form))
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


def parse_meaning(form: Form, catalogue: Catalogue, languages: Iterable[str]) -> IdeaData:
    """Parse a new idea from the form of a word. Raises InputError."""
    example = ExampleText(form.value("language"), form.value("example"), form.value("example_translation") or None)
    return IdeaData(
        read_number_field(form, "pos") or 0,
        contexts=find_context_ids((form.value(name) for name in CONTEXT_FIELDS), catalogue, languages),
        definitions=tuple(DefinitionData(code, text) for code, text in _iter_texts(form, DEFINITION_PREFIX)),
        examples=(example,) if example.text else (),
    )


def _parse_translations(form: Form) -> Iterator[TranslationData]:
    """Parse the comma-separated translations, without the word itself."""
    headword = (form.value("language"), form.value("word"))
    for code, text in _iter_texts(form, TRANSLATION_PREFIX):
        for word in dict.fromkeys(part.strip() for part in text.split(",")):
            if word and (code, word) != headword:
                yield TranslationData(code, word)


def _iter_texts(form: Form, prefix: str) -> Iterator[tuple[str, str]]:
    return ((name.removeprefix(prefix), text) for name, text in form.fields.items() if name.startswith(prefix) and text)


class SimilarWord(msgspec.Struct, frozen=True):
    """A similar existing word with its language."""

    similar: Similar
    language: Language

    @property
    def may_be_the_same(self) -> bool:
        """True if it may be the same word, not only a similar one."""
        return self.similar.match in WARNING_MATCHES


def add_languages(similar: Iterable[Similar], catalogue: Catalogue) -> tuple[SimilarWord, ...]:
    """Add the languages to similar words."""
    return tuple(SimilarWord(word, catalogue.language(word.language_id)) for word in similar)


def has_unseen_words(similar_words: Iterable[SimilarWord], form: Form) -> bool:
    """Return whether the sender has not yet seen all words that may be the same."""
    seen_ids = set(form.value(SEEN_FIELD).split(","))
    return any(
        str(similar_word.similar.id) not in seen_ids for similar_word in similar_words if similar_word.may_be_the_same
    )


def select_existing_word(form: Form, similar_words: Iterable[SimilarWord]) -> Form:
    """Replace the word of a form by the existing word that the sender chose to add a sense to, if any."""
    chosen = next(
        (similar_word for similar_word in similar_words if str(similar_word.similar.id) == form.value(SENSE_OF_FIELD)),
        None,
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
    if kind != MULTIPART_TYPE:
        yield SubmittedForm(await read_form(request))
        return
    check_site(request)
    signed_in = await find_session_user(request)
    async with get_service(request, UploadLimiter).slot(signed_in.person.id if signed_in else ANONYMOUS_ID):
        yield await _read_form_parts(open_upload_body(request, PHOTO_FORM.file_field), options.get("boundary", ""))


async def _read_form_parts(body: UploadBody, boundary: str) -> SubmittedForm:
    """Read all parts. Too large a photo is discarded, but reading continues, as fields may follow it."""
    reader = FormReader(PHOTO_FORM._replace(field_names=None), MAX_FORM_BYTES)
    size = 0
    try:
        parser = PushMultipartParser(boundary, max_segment_count=MAX_FIELDS)
        async for piece in body.iter_chunks():
            size += len(piece)
            if size > MAX_FILE_FORM_BYTES:
                reader.is_too_big = True
                break
            for event in parser.parse(piece) if piece and not parser.closed else ():
                reader.feed(event)
        else:
            parser.close()
    except MultipartError:
        raise InputError.of("", UNREADABLE_FORM_MESSAGE) from None
    sent = reader.build_result(is_complete=True)
    if sent.problems and not reader.has_file:
        raise InputError(*sent.problems)
    return SubmittedForm(_build_form(reader), sent if reader.has_file else None, body)


def _build_form(reader: FormReader) -> Form:
    texts = [*reader.fields, *reader.fields.values()]
    if any(NUL in text for text in texts) or sum(map(len, texts)) > MAX_FORM_BYTES:
        raise InputError.of("", UNREADABLE_FORM_MESSAGE)
    return Form({name: value.replace("\r\n", "\n").strip() for name, value in reader.fields.items()})


async def submit_word_with_photo(
    request: PageRequest, person: Person, word: WordSubmission, sent: SubmittedForm
) -> None:
    """Submit a word, with its photo if one was chosen. Raises the errors of submitting them."""
    submissions, licence = get_service(request, Submissions), sent.form.value("licence")
    if sent.photo is not None:
        word_photos = WordPhotoSubmissions(submissions, get_service(request, Photos))
        await word_photos.submit(person, word, sent.photo, licence)
        return
    if sent.form.value("photoCredit"):
        raise InputError.of(
            "photo",
            sentence("Choose the photo again, or clear the photographer’s name to send the word without a photo."),
        )
    await submissions.submit(person, word, licence_seen=licence)
