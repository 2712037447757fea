"""A copy of one's own data as addresses and pages answer it: a file to keep, never kept on the way."""

from collections.abc import AsyncIterator
from enum import StrEnum
from typing import Final, NamedTuple

from litestar import Response

from abhidhan.domain.people import Person
from abhidhan.services.accounts.personal_data import PersonalData
from abhidhan.web.edge.streaming import SILENT, Pieces
from abhidhan.web.sessions import Connection

PERSONAL_DATA: Final = "personal_data"
"""The key of the personal data service in the application's state."""


class ExportForm(StrEnum):
    """The form of a copy: one JSON document, or a ZIP file with the photos beside it."""

    JSON = "json"
    ZIP = "zip"


class _File(NamedTuple):
    name: str
    media_type: str


_FILES: Final = {
    ExportForm.JSON: _File("abhidhan-account.json", "application/json"),
    ExportForm.ZIP: _File("abhidhan-account.zip", "application/zip"),
}


def personal_data_of(connection: Connection) -> PersonalData:
    """Find what exports and deletes accounts, of the application that answers."""
    found: PersonalData = connection.app.state[PERSONAL_DATA]
    return found


async def export_answer(connection: Connection, person: Person, form: ExportForm) -> Response[bytes]:
    """Answer with a copy of all that is kept about somebody, as it is made. Raises TooManyRequestsError."""
    file = _FILES[form]
    headers = {"Cache-Control": "no-store", "Content-Disposition": f'attachment; filename="{file.name}"'}
    return Pieces(await _pieces(connection, person, form), None, headers=headers, media_type=file.media_type)


async def _pieces(connection: Connection, person: Person, form: ExportForm) -> AsyncIterator[bytes]:
    if connection.scope.get(SILENT):
        return _nothing()
    personal_data = personal_data_of(connection)
    return await (personal_data.export(person) if form is ExportForm.JSON else personal_data.export_with_photos(person))


async def _nothing() -> AsyncIterator[bytes]:
    """Make no copy for whoever wants to see the headers only."""
    yield b""
