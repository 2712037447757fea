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
from abhidhan.records.uploads import PHOTO_FIELD, RECORDING_FIELD, UploadedFile

MAX_FILE_FORM_BYTES: Final = 32 * 1024 * 1024
MAX_PARTS: Final = 100
MAX_FIELD_BYTES: Final = 4096
MAX_PLAIN_FORM_BYTES: Final = 64 * 1024

MULTIPART_TYPE: Final = "multipart/form-data"
URLENCODED_TYPE: Final = "application/x-www-form-urlencoded"


class FileForm(NamedTuple):
    """Definition of an upload form: the file's field, its maximum size, and the names of the other fields (None: any).

    `malformed_message` and `too_large_message` are the error messages for a form that cannot be read.
    """

    file_field: str
    max_bytes: int
    field_names: frozenset[str] | None
    malformed_message: Sentence
    too_large_message: Sentence


PHOTO_FORM: Final = FileForm(
    PHOTO_FIELD,
    photos.MAX_PHOTO_BYTES,
    frozenset({"ideaID", "submissionID", "photoCredit", "licence"}),
    sentence("The form is damaged or incomplete: send multipart/form-data with ideaID, photoCredit and photo."),
    sentence("The form is far too large: photos can be at most 3 MB."),
)
RECORDING_FORM: Final = FileForm(
    RECORDING_FIELD,
    recordings.MAX_RECORDING_BYTES,
    frozenset({"wordID", "phraseID", "ideaID", "example", "speaker", "place", "consent", "licence"}),
    sentence("The form is damaged or incomplete: send multipart/form-data with wordID, consent and recording."),
    sentence("The form is far too large: recordings can be at most 5 MB."),
)


def build_form_operation(schema: Schema) -> type[Operation]:
    """Return the OpenAPI operation of an upload form, whose body the framework does not parse."""

    @dataclass
    class FormOperation(Operation):
        def __post_init__(self) -> None:
            self.request_body = RequestBody(required=True, content={MULTIPART_TYPE: OpenAPIMediaType(schema=schema)})

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
        self._part_name = ""
        self._part_content = bytearray()
        self.is_too_big = False

    def feed(self, event: MultipartSegment | bytes | bytearray | None) -> None:
        """Handle an event of the parser: the start of a part, a piece of it, or its end (None)."""
        if event is None:
            self._end_part()
        elif isinstance(event, bytes | bytearray):
            self._add_chunk(event)
        else:
            self._part_name, self._part_content = event.name, bytearray()

    def build_result(self, *, is_complete: bool) -> UploadedFile:
        """Return the form; `is_complete` is False if reading stopped early."""
        file = None if self.is_too_big else self._file
        return UploadedFile(self._fields, file, self.is_too_big, tuple(self._problems.values()), is_complete)

    @property
    def fields(self) -> dict[str, str]:
        """The collected fields, without the file."""
        return self._fields

    @property
    def has_file(self) -> bool:
        """True if there is a file; browsers send an empty part if none was chosen."""
        return bool(self._file or self.is_too_big)

    def _is_known_field(self, name: str) -> bool:
        return self._form.field_names is None or name in self._form.field_names

    def _add_chunk(self, chunk: bytes | bytearray) -> None:
        if self._part_name == self._form.file_field:
            if len(self._part_content) + len(chunk) > self._form.max_bytes:
                self.is_too_big = True
                self._part_content = bytearray()
            else:
                self._part_content += chunk
        elif self._is_known_field(self._part_name) and len(self._part_content) <= self._max_field_bytes:
            self._part_content += chunk

    def _end_part(self) -> None:
        if self._part_name == self._form.file_field:
            self._file = bytes(self._part_content)
        elif self._is_known_field(self._part_name):
            self._add_field(bytes(self._part_content))
        self._part_name, self._part_content = "", bytearray()

    def _add_field(self, content: bytes) -> None:
        self._problems.pop(self._part_name, None)
        if len(content) > self._max_field_bytes:
            self._problems[self._part_name] = Problem(
                self._part_name, sentence("`%(name)s` is too long.", name=self._part_name)
            )
            return
        try:
            self._fields[self._part_name] = content.decode()
        except UnicodeDecodeError:
            self._problems[self._part_name] = Problem(
                self._part_name, sentence("`%(name)s` must be UTF-8 text.", name=self._part_name)
            )


async def read_file_form(body: UploadBody, content_type: str, form: FileForm) -> UploadedFile:
    """Read a form with a file. Raises InputError if it is malformed, HTTPException (415) for another type."""
    kind, options = parse_options_header(content_type)
    if kind == MULTIPART_TYPE:
        return await _read_multipart(body, options.get("boundary", ""), form)
    if kind in {URLENCODED_TYPE, ""}:
        return await _read_plain_form(body, form)
    raise HTTPException(status_code=415, detail=f"Send the {form.file_field} as {MULTIPART_TYPE}.")


async def _read_multipart(body: UploadBody, boundary: str, form: FileForm) -> UploadedFile:
    reader = FormReader(form)
    size = 0
    try:
        parser = PushMultipartParser(boundary, max_segment_count=MAX_PARTS)
        async for piece in body.iter_chunks():
            size += len(piece)
            if size > MAX_FILE_FORM_BYTES:
                raise InputError.of(form.file_field, form.too_large_message)
            for event in parser.parse(piece) if piece and not parser.closed else ():
                reader.feed(event)
            if reader.is_too_big:
                return reader.build_result(is_complete=False)
        parser.close()
    except MultipartError:
        raise InputError.of(form.file_field, form.malformed_message) from None
    return reader.build_result(is_complete=True)


async def _read_plain_form(body: UploadBody, form: FileForm) -> UploadedFile:
    """Read a form that cannot contain a file, so that the response can name the missing fields."""
    content = bytearray()
    async for piece in body.iter_chunks():
        content += piece
        if len(content) > MAX_PLAIN_FORM_BYTES:
            raise InputError.of(form.file_field, form.malformed_message)
    try:
        fields = dict(parse_qsl(content.decode(), keep_blank_values=True, errors="strict", max_num_fields=MAX_PARTS))
    except ValueError:
        raise InputError.of(form.file_field, form.malformed_message) from None
    return UploadedFile(fields)
