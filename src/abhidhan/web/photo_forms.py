"""Forms with a photo, read part by part as they come in, and never more of them than is needed."""

from typing import Final
from urllib.parse import parse_qsl

from litestar.exceptions import HTTPException
from multipart import (
    MultipartError,
    MultipartSegment,
    PushMultipartParser,
    parse_options_header,
)

from abhidhan.domain.photo_limits import MOST_BYTES
from abhidhan.domain.photo_refusals import Refusal
from abhidhan.errors import InputError, Problem, sentence
from abhidhan.services.contributions.photo_views import SentPhoto
from abhidhan.web.upload_bodies import PHOTO, UploadBody

MOST_FORM_BYTES: Final = 32 * 1024 * 1024
MOST_PARTS: Final = 100
MOST_FIELD_BYTES: Final = 4096
MOST_PLAIN_FORM_BYTES: Final = 64 * 1024

MULTIPART: Final = "multipart/form-data"
PLAIN_FORM: Final = "application/x-www-form-urlencoded"
FIELDS: Final = frozenset({"ideaID", "submissionID", "photoCredit", "licence"})
BROKEN_FORM: Final = sentence(
    "The form is damaged or incomplete: send multipart/form-data with ideaID, photoCredit and photo."
)


class FormReader:
    """Read the parts of a form with a photo, and keep no more of them than is needed."""

    def __init__(self, names: frozenset[str] | None = FIELDS, most: int = MOST_FIELD_BYTES) -> None:
        """Keep the fields of some names (None: all), none longer than `most` bytes."""
        self._names = names
        self._most = most
        self._fields: dict[str, str] = {}
        self._problems: dict[str, Problem] = {}
        self._photo: bytes | None = None
        self._name = ""
        self._part = bytearray()
        self.refusal: Refusal | None = None

    def take(self, event: MultipartSegment | bytes | bytearray | None) -> None:
        """Take what the parser has found: the beginning of a part, a piece of it, or (None) its end."""
        if event is None:
            self._end()
        elif isinstance(event, bytes | bytearray):
            self._more(event)
        else:
            self._name, self._part = event.name, bytearray()

    def sent(self, *, complete: bool) -> SentPhoto:
        """Return what came."""
        return SentPhoto(
            idea_id=self._fields.get("ideaID"),
            credit=self._fields.get("photoCredit"),
            photo=None if self.refusal else self._photo,
            refusal=self.refusal,
            problems=tuple(self._problems.values()),
            complete=complete,
            licence=self._fields.get("licence"),
            submission_id=self._fields.get("submissionID"),
        )

    @property
    def fields(self) -> dict[str, str]:
        """The fields that came, but for the photo."""
        return self._fields

    @property
    def has_photo(self) -> bool:
        """Whether a photo came: a browser sends an empty part where none was chosen."""
        return bool(self._photo or self.refusal)

    def _keeps(self, name: str) -> bool:
        return self._names is None or name in self._names

    def _more(self, piece: bytes | bytearray) -> None:
        if self._name == PHOTO:
            if len(self._part) + len(piece) > MOST_BYTES:
                self.refusal = Refusal.TOO_BIG
                self._part = bytearray()
            else:
                self._part += piece
        elif self._keeps(self._name) and len(self._part) <= self._most:
            self._part += piece

    def _end(self) -> None:
        if self._name == PHOTO:
            self._photo = bytes(self._part)
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


async def read_photo_form(body: UploadBody, content_type: str) -> SentPhoto:
    """Read a form with a photo. Raises InputError for one that is damaged, HTTPException (415) for another type."""
    kind, options = parse_options_header(content_type)
    if kind == MULTIPART:
        return await _read_multipart(body, options.get("boundary", ""))
    if kind in {PLAIN_FORM, ""}:
        return await _read_plain_form(body)
    raise HTTPException(status_code=415, detail=f"Send the photo as {MULTIPART}.")


async def _read_multipart(body: UploadBody, boundary: str) -> SentPhoto:
    form = FormReader()
    size = 0
    try:
        parser = PushMultipartParser(boundary, max_segment_count=MOST_PARTS)
        async for piece in body.pieces():
            size += len(piece)
            if size > MOST_FORM_BYTES:
                raise InputError.of(PHOTO, sentence("The form is much too large: a photo has at most 3 MB."))
            for event in parser.parse(piece) if piece and not parser.closed else ():
                form.take(event)
            if form.refusal:
                return form.sent(complete=False)
        parser.close()
    except MultipartError:
        raise InputError.of(PHOTO, BROKEN_FORM) from None
    return form.sent(complete=True)


async def _read_plain_form(body: UploadBody) -> SentPhoto:
    """Read a form that cannot carry a file, so that the answer can say what is missing."""
    content = bytearray()
    async for piece in body.pieces():
        content += piece
        if len(content) > MOST_PLAIN_FORM_BYTES:
            raise InputError.of(PHOTO, BROKEN_FORM)
    try:
        fields = dict(parse_qsl(content.decode(), keep_blank_values=True, errors="strict", max_num_fields=MOST_PARTS))
    except ValueError:
        raise InputError.of(PHOTO, BROKEN_FORM) from None
    return SentPhoto(fields.get("ideaID"), fields.get("photoCredit"), None, submission_id=fields.get("submissionID"))
