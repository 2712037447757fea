"""The recordings of a CLDF data set: a row of its table of media for each, and the file in it, or its address."""

import zipfile
from collections.abc import Mapping, Sequence
from typing import Final

from abhidhan.formats.cldf.writer_tables import SEPARATOR, Table
from abhidhan.formats.writers.export_source import ARCHIVE_DATE
from abhidhan.formats.writers.recordings import Spoken, Voice, Voices
from abhidhan.records.recordings import EXTENSION, MEDIA_TYPE, recording_address

FOLDER: Final = "media"


class Media:
    """The recordings that rows refer to, each written when the first row does."""

    def __init__(self, voices: Voices, made: zipfile.ZipFile, table: Table, languages: Mapping[str, str]) -> None:
        """Write files into an archive, and rows into a table; `languages` are the IDs of languages by their codes."""
        self._voices = voices
        self._made = made
        self._table = table
        self._languages = languages
        self._taken: dict[int, bool] = {}

    def ids(self, kind: str, said: Spoken, voices: Sequence[Voice]) -> str:
        """Write the recordings of a word or an example; return the IDs of those that there are."""
        return SEPARATOR.join(str(voice.id) for voice in voices if self._take(kind, said, voice))

    def _take(self, kind: str, said: Spoken, voice: Voice) -> bool:
        """Write a recording, unless it is there; tell whether it is to be had at all."""
        if voice.id not in self._taken:
            address = self._address(voice.id)
            self._taken[voice.id] = address is not None
            if address is not None:
                self._table.write(self._row(kind, said, voice, address))
        return self._taken[voice.id]

    def _address(self, number: int) -> str | None:
        """Return where the sound is, from the metadata; None where it is lost."""
        if self._voices.base is not None:
            return self._voices.base + recording_address(number)
        body = self._voices.read(number)
        if body is None:
            return None
        name = f"{FOLDER}/{number}.{EXTENSION}"
        # Not compressed: MP3 cannot be made smaller.
        information = zipfile.ZipInfo(name, ARCHIVE_DATE)
        information.external_attr = 0o644 << 16
        self._made.writestr(information, body)
        return name

    def _row(self, kind: str, said: Spoken, voice: Voice, address: str) -> list[str]:
        return [
            str(voice.id),
            said.text,
            kind,
            MEDIA_TYPE,
            address,
            # For files in an archive that an address names; ours are beside the tables.
            "",
            self._languages[said.language],
            voice.speaker or "",
            voice.place or "",
            voice.licence or "",
            str(voice.milliseconds),
        ]
