"""The form in which people send a word with a photo: a photo that is refused loses nothing of the word."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import msgspec
from multipart import MultipartError, PushMultipartParser, parse_options_header

from abhidhan.contributions.service.submissions import Submissions
from abhidhan.contributions.service.words_with_photos import WordsWithPhotos
from abhidhan.media.service.photos import Photos
from abhidhan.media.service.upload_gate import Gate
from abhidhan.platform.http.authentication import check_site, find_session
from abhidhan.platform.http.forms import LARGEST_FORM, MOST_FIELDS, NOT_A_FORM, NUL, Form, read_form
from abhidhan.platform.http.multipart import MOST_FORM_BYTES, MULTIPART, PHOTO_FORM, FormReader
from abhidhan.platform.http.rendering import PageRequest
from abhidhan.platform.http.request_bodies import UploadBody, body_of
from abhidhan.platform.http.services import service_of
from abhidhan.records.errors import InputError, sentence
from abhidhan.records.people import Person
from abhidhan.records.submission_payloads import WordSubmission
from abhidhan.records.uploads import SentFile

NOBODY: Final = 0
"""Whoever sends a form after the session has ended shares one account's places at the gate with all others."""


class SentForm(msgspec.Struct):
    """What was sent: the fields, and the photo if one was chosen; `body` may still be coming in."""

    form: Form
    photo: SentFile | None = None
    body: UploadBody | None = None


@asynccontextmanager
async def reading_word_form(request: PageRequest) -> AsyncIterator[SentForm]:
    """Read the form, and hold a place among the uploads as long as its photo is worked on.

    Raises ForbiddenError for another site's form, InputError for one that cannot be read.
    """
    kind, options = parse_options_header(request.headers.get("content-type", ""))
    if kind != MULTIPART:
        yield SentForm(await read_form(request))
        return
    check_site(request)
    signed_in = await find_session(request)
    async with service_of(request, Gate).passing(signed_in.person.id if signed_in else NOBODY):
        yield await _read(body_of(request, PHOTO_FORM.field), options.get("boundary", ""))


async def _read(body: UploadBody, boundary: str) -> SentForm:
    """Read all parts. A photo that is too large is read on, and thrown away: fields may follow it."""
    reader = FormReader(PHOTO_FORM._replace(names=None), LARGEST_FORM)
    size = 0
    try:
        parser = PushMultipartParser(boundary, max_segment_count=MOST_FIELDS)
        async for piece in body.pieces():
            size += len(piece)
            if size > MOST_FORM_BYTES:
                reader.too_big = True
                break
            for event in parser.parse(piece) if piece and not parser.closed else ():
                reader.take(event)
        else:
            parser.close()
    except MultipartError:
        raise InputError.of("", NOT_A_FORM) from None
    sent = reader.sent(complete=True)
    if sent.problems and not reader.has_file:
        raise InputError(*sent.problems)
    return SentForm(_form_of(reader), sent if reader.has_file else None, body)


def _form_of(reader: FormReader) -> Form:
    texts = [*reader.fields, *reader.fields.values()]
    if any(NUL in text for text in texts) or sum(map(len, texts)) > LARGEST_FORM:
        raise InputError.of("", NOT_A_FORM)
    return Form({name: value.replace("\r\n", "\n").strip() for name, value in reader.fields.items()})


async def send_word(request: PageRequest, person: Person, word: WordSubmission, sent: SentForm) -> None:
    """Let a word wait for an editor, with its photo if one was chosen. Raises what submitting them raises."""
    submissions, licence = service_of(request, Submissions), sent.form.value("licence")
    if sent.photo is not None:
        both = WordsWithPhotos(submissions, service_of(request, Photos))
        await both.submit(person, word, sent.photo, licence)
        return
    if sent.form.value("photoCredit"):
        raise InputError.of(
            "photo", sentence("Choose the photo again, or leave out who made it to send the word without a photo.")
        )
    await submissions.submit(person, word, licence_seen=licence)
