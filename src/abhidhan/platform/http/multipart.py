"""Streaming parser of upload forms, which discards unknown fields and everything beyond the size limits."""

from dataclasses import dataclass
from typing import Final, NamedTuple
from urllib.parse import parse_qsl

from litestar.exceptions import HTTPException
from litestar.openapi.spec import OpenAPIMediaType, Operation, RequestBody, Schema
from multipart import (
    MultipartError,
    MultipartSegment,
    PushMultipartParser,
    parse_options_header,
)

from abhidhan.platform.http.request_bodies import UploadBody
from abhidhan.records import photos, recordings
from abhidhan.records.errors import InputError, Problem, Sentence, sentence
from abhidhan.records.uploads import PHOTO, RECORDING, UploadedFile

MAX_FILE_FORM_BYTES: Final = 32 * 1024 * 1024
MAX_PARTS: Final = 100
MAX_FIELD_BYTES: Final = 4096
MAX_PLAIN_FORM_BYTES: Final = 64 * 1024

MULTIPART: Final = "multipart/form-data"
PLAIN_FORM: Final = "application/x-www-form-urlencoded"


class FileForm(NamedTuple):
    """Definition of an upload form: the file's field, its maximum size, and the names of the other fields (None: any).

    `malformed_message` and `too_large_message` are the error messages for a form that cannot be read.
    """

    field: str
    max_bytes: int
    names: frozenset[str] | None
    malformed_message: Sentence
    too_large_message: Sentence


PHOTO_FORM: Final = FileForm(
    PHOTO,
    photos.MAX_PHOTO_BYTES,
    frozenset({"ideaID", "submissionID", "photoCredit", "licence"}),
    sentence("The form is damaged or incomplete: send multipart/form-data with ideaID, photoCredit and photo."),
    sentence("The form is far too large: photos can be at most 3 MB."),
)
RECORDING_FORM: Final = FileForm(
    RECORDING,
    recordings.MAX_RECORDING_BYTES,
    frozenset({"wordID", "phraseID", "ideaID", "example", "speaker", "place", "consent", "licence"}),
    sentence("The form is damaged or incomplete: send multipart/form-data with wordID, consent and recording."),
    sentence("The form is far too large: recordings can be at most 5 MB."),
)


def form_operation(schema: Schema) -> type[Operation]:
    """Return the OpenAPI operation of an upload form, whose body the framework does not parse."""

    @dataclass
    class FormOperation(Operation):
        def __post_init__(self) -> None:
            self.request_body = RequestBody(required=True, content={MULTIPART: OpenAPIMediaType(schema=schema)})

    return FormOperation


class FormReader:
    """Collects the parts of an upload form, and enforces the limits of their sizes."""

    def __init__(self, form: FileForm, max_field_bytes: int = MAX_FIELD_BYTES) -> None:
        """`max_field_bytes` is the maximum size of a field in bytes."""
        self._form = form
        self._max_field_bytes = max_field_bytes
        self._fields: dict[str, str] = {}
        self._problems: dict[str, Problem] = {}
        self._file: bytes | None = None
        self._name = ""
        self._part = bytearray()
        self.too_big = False

    def feed(self, event: MultipartSegment | bytes | bytearray | None) -> None:
        """Handle an event of the parser: the start of a part, a piece of it, or its end (None)."""
        if event is None:
            self._end_part()
        elif isinstance(event, bytes | bytearray):
            self._add_piece(event)
        else:
            self._name, self._part = event.name, bytearray()

    def result(self, *, complete: bool) -> UploadedFile:
        """Return the form; `is_complete` is False if reading stopped early."""
        file = None if self.too_big else self._file
        return UploadedFile(self._fields, file, self.too_big, tuple(self._problems.values()), complete)

    @property
    def fields(self) -> dict[str, str]:
        """The collected fields, without the file."""
        return self._fields

    @property
    def has_file(self) -> bool:
        """True if there is a file; browsers send an empty part if none was chosen."""
        return bool(self._file or self.too_big)

    def _accepts(self, name: str) -> bool:
        return self._form.names is None or name in self._form.names

    def _add_piece(self, piece: bytes | bytearray) -> None:
        if self._name == self._form.field:
            if len(self._part) + len(piece) > self._form.max_bytes:
                self.too_big = True
                self._part = bytearray()
            else:
                self._part += piece
        elif self._accepts(self._name) and len(self._part) <= self._max_field_bytes:
            self._part += piece

    def _end_part(self) -> None:
        if self._name == self._form.field:
            self._file = bytes(self._part)
        elif self._accepts(self._name):
            self._add_field(bytes(self._part))
        self._name, self._part = "", bytearray()

    def _add_field(self, content: bytes) -> None:
        self._problems.pop(self._name, None)
        if len(content) > self._max_field_bytes:
            self._problems[self._name] = Problem(self._name, sentence("`%(name)s` is too long.", name=self._name))
            return
        try:
            self._fields[self._name] = content.decode()
        except UnicodeDecodeError:
            self._problems[self._name] = Problem(
                self._name, sentence("`%(name)s` must be UTF-8 text.", name=self._name)
            )


async def read_file_form(body: UploadBody, content_type: str, form: FileForm) -> UploadedFile:
    """Read a form with a file. Raises InputError if it is malformed, HTTPException (415) for another type."""
    kind, options = parse_options_header(content_type)
    if kind == MULTIPART:
        return await _read_multipart(body, options.get("boundary", ""), form)
    if kind in {PLAIN_FORM, ""}:
        return await _read_plain_form(body, form)
    raise HTTPException(status_code=415, detail=f"Send the {form.field} as {MULTIPART}.")


async def _read_multipart(body: UploadBody, boundary: str, form: FileForm) -> UploadedFile:
    reader = FormReader(form)
    size = 0
    try:
        parser = PushMultipartParser(boundary, max_segment_count=MAX_PARTS)
        async for piece in body.pieces():
            size += len(piece)
            if size > MAX_FILE_FORM_BYTES:
                raise InputError.of(form.field, form.too_large_message)
            for event in parser.parse(piece) if piece and not parser.closed else ():
                reader.feed(event)
            if reader.too_big:
                return reader.result(complete=False)
        parser.close()
    except MultipartError:
        raise InputError.of(form.field, form.malformed_message) from None
    return reader.result(complete=True)


async def _read_plain_form(body: UploadBody, form: FileForm) -> UploadedFile:
    """Read a form that cannot contain a file, so that the response can name the missing fields."""
    content = bytearray()
    async for piece in body.pieces():
        content += piece
        if len(content) > MAX_PLAIN_FORM_BYTES:
            raise InputError.of(form.field, form.malformed_message)
    try:
        fields = dict(parse_qsl(content.decode(), keep_blank_values=True, errors="strict", max_num_fields=MAX_PARTS))
    except ValueError:
        raise InputError.of(form.field, form.malformed_message) from None
    return UploadedFile(fields)
