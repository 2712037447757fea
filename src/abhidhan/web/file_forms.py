"""Forms with a file, read part by part as they come in, and never more of them than is needed."""

from dataclasses import dataclass, field
from typing import Final, NamedTuple
from urllib.parse import parse_qsl

from litestar.exceptions import HTTPException
from multipart import (
    MultipartError,
    MultipartSegment,
    PushMultipartParser,
    parse_options_header,
)

from abhidhan.errors import InputError, Problem, Sentence, sentence
from abhidhan.web.upload_bodies import UploadBody

MOST_FORM_BYTES: Final = 32 * 1024 * 1024
MOST_PARTS: Final = 100
MOST_FIELD_BYTES: Final = 4096
MOST_PLAIN_FORM_BYTES: Final = 64 * 1024

MULTIPART: Final = "multipart/form-data"
PLAIN_FORM: Final = "application/x-www-form-urlencoded"


class FileField(NamedTuple):
    """The field of a form that holds its file: how large that may be, and what is said of a form that may not be."""

    name: str
    most_bytes: int
    broken: Sentence
    much_too_large: Sentence


@dataclass(frozen=True, slots=True)
class SentForm:
    """What came of a form.

    `problems` are those of fields that could not be read at all. `too_big` tells that the file was; then, `complete`
    is false where reading was given up: fields may have followed.
    """

    fields: dict[str, str] = field(default_factory=dict)
    file: bytes | None = None
    problems: tuple[Problem, ...] = ()
    too_big: bool = False
    complete: bool = True


class FormReader:
    """Read the parts of a form with a file, and keep no more of them than is needed."""

    def __init__(self, file: FileField, names: frozenset[str] | None, most: int = MOST_FIELD_BYTES) -> None:
        """Keep the fields of some names (None: all), none longer than `most` bytes."""
        self._file_field = file
        self._names = names
        self._most = most
        self._fields: dict[str, str] = {}
        self._problems: dict[str, Problem] = {}
        self._file: bytes | None = None
        self._name = ""
        self._part = bytearray()
        self.too_big = False

    def take(self, event: MultipartSegment | bytes | bytearray | None) -> None:
        """Take what the parser has found: the beginning of a part, a piece of it, or (None) its end."""
        if event is None:
            self._end()
        elif isinstance(event, bytes | bytearray):
            self._more(event)
        else:
            self._name, self._part = event.name, bytearray()

    def sent(self, *, complete: bool) -> SentForm:
        """Return what came."""
        file = None if self.too_big else self._file
        return SentForm(self._fields, file, tuple(self._problems.values()), self.too_big, complete)

    @property
    def fields(self) -> dict[str, str]:
        """The fields that came, but for the file."""
        return self._fields

    @property
    def has_file(self) -> bool:
        """Whether a file came: a browser sends an empty part where none was chosen."""
        return bool(self._file or self.too_big)

    def _keeps(self, name: str) -> bool:
        return self._names is None or name in self._names

    def _more(self, piece: bytes | bytearray) -> None:
        if self._name == self._file_field.name:
            if len(self._part) + len(piece) > self._file_field.most_bytes:
                self.too_big = True
                self._part = bytearray()
            else:
                self._part += piece
        elif self._keeps(self._name) and len(self._part) <= self._most:
            self._part += piece

    def _end(self) -> None:
        if self._name == self._file_field.name:
            self._file = bytes(self._part)
        elif self._keeps(self._name):
            self._field(bytes(self._part))
        self._name, self._part = "", bytearray()

    def _field(self, content: bytes) -> None:
        self._problems.pop(self._name, None)
        if len(content) > self._most:
            self._problems[self._name] = Problem(self._name, sentence("`%(name)s` is much too long.", name=self._name))
            return
        try:
            self._fields[self._name] = content.decode()
        except UnicodeDecodeError:
            self._problems[self._name] = Problem(
                self._name, sentence("`%(name)s` must be UTF-8 text.", name=self._name)
            )


async def read_file_form(body: UploadBody, content_type: str, file: FileField, names: frozenset[str]) -> SentForm:
    """Read a form with a file. Raises InputError for one that is damaged, HTTPException (415) for another type."""
    kind, options = parse_options_header(content_type)
    if kind == MULTIPART:
        return await _read_multipart(body, options.get("boundary", ""), file, names)
    if kind in {PLAIN_FORM, ""}:
        return await _read_plain_form(body, file)
    raise HTTPException(status_code=415, detail=f"Send the {file.name} as {MULTIPART}.")


async def _read_multipart(body: UploadBody, boundary: str, file: FileField, names: frozenset[str]) -> SentForm:
    form = FormReader(file, names)
    size = 0
    try:
        parser = PushMultipartParser(boundary, max_segment_count=MOST_PARTS)
        async for piece in body.pieces():
            size += len(piece)
            if size > MOST_FORM_BYTES:
                raise InputError.of(file.name, file.much_too_large)
            for event in parser.parse(piece) if piece and not parser.closed else ():
                form.take(event)
            if form.too_big:
                return form.sent(complete=False)
        parser.close()
    except MultipartError:
        raise InputError.of(file.name, file.broken) from None
    return form.sent(complete=True)


async def _read_plain_form(body: UploadBody, file: FileField) -> SentForm:
    """Read a form that cannot carry a file, so that the answer can say what is missing."""
    content = bytearray()
    async for piece in body.pieces():
        content += piece
        if len(content) > MOST_PLAIN_FORM_BYTES:
            raise InputError.of(file.name, file.broken)
    try:
        fields = dict(parse_qsl(content.decode(), keep_blank_values=True, errors="strict", max_num_fields=MOST_PARTS))
    except ValueError:
        raise InputError.of(file.name, file.broken) from None
    return SentForm(fields)
