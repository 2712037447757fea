"""Recordings that are added to a dictionary and approved without decoding them."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from abhidhan.app.wiring import WriteServices, build_write_services, open_recording_reader
from abhidhan.exchange.service.recording_exports import RecordingOptions, RecordingPlacement
from abhidhan.media.store import recordings
from abhidhan.media.store import recordings as stored
from abhidhan.media.store.recordings import NewRecording, RecordingTarget
from abhidhan.people.service.administration import NewAccount
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.platform.sandbox.object_store import create_key
from abhidhan.records.people import Person, Role
from abhidhan.records.recordings import ProcessedRecording
from abhidhan.records.settings import Settings
from tests.support.contributions import PASSWORD
from tests.support.generated_recordings import encode_recording

FindTarget = Callable[[ReadConnection], RecordingTarget | None]


def query_word(text: str, language_id: int = 2) -> FindTarget:
    """Return a query for a word, found by its key."""
    return lambda reader: next(iter(recordings.find_words_by_key(reader, text, language_id)), None)


def query_proverb(phrase_id: int) -> FindTarget:
    """Return a query for a proverb."""
    return partial(stored.find_phrase, phrase_id=phrase_id)


def query_example(idea_id: int, text: str) -> FindTarget:
    """Return a query for an example of an idea."""
    return partial(stored.find_example, idea_id=idea_id, text=text)


class RecordingStudio:
    """A dictionary with an editor who records words."""

    def __init__(
        self, database: Database, settings: Settings, write_side: WriteServices, runner: asyncio.Runner
    ) -> None:
        """Create the account of the editor."""
        self.database = database
        self.settings = settings
        self.write_side = write_side
        self.runner = runner
        self.body = encode_recording("MP3")
        self.editor: Person = runner.run(
            write_side.accounts.administration.create_account(NewAccount("anil", PASSWORD), Role.EDITOR)
        )

    def add_recording(self, find_target: FindTarget, *, approved: bool = True, **properties: str | None) -> int:
        """Store a recording, and approve it; return its ID. `properties` may be speaker, place and licence."""
        subject = self.database.read_now(find_target)
        assert subject is not None
        all_told: dict[str, str | None] = {"speaker": "Anil", "place": "Jorhat", "licence": "CC-BY-4.0", **properties}
        key = create_key()
        new = NewRecording(subject, self.editor.id, key=key, once=None, **all_told)
        made = ProcessedRecording(700, clipped=False, body=self.body, sha256=key, likeness=int(key[-16:], 16))
        number = self.runner.run(self.write_side.recordings.store(new, made, None)).submission_id
        if approved:
            self.runner.run(self.write_side.recordings.approve(self.editor, number))
        return number

    def withdraw(self, number: int) -> None:
        """Withdraw a recording."""
        self.runner.run(self.write_side.recordings.withdraw(self.editor, number))

    def remove_files(self) -> None:
        """Remove the files of all recordings."""
        for file in self.settings.recording_folder.rglob("*.mp3"):
            file.unlink()

    def recording_options(self, placement: RecordingPlacement | None = None, base_url: str = "") -> RecordingOptions:
        """Return the options for recordings in an export."""
        return RecordingOptions(open_recording_reader(self.settings, self.database), base_url, placement)


@contextmanager
def open_studio(database: Database, home: Path, **settings: Any) -> Iterator[RecordingStudio]:  # noqa: ANN401  # passed on
    """Open a dictionary with its recordings in a folder of `home`, and an editor who records words."""
    chosen = Settings(home=home, **settings)
    write_side = build_write_services(chosen, database)
    with asyncio.Runner() as runner:
        yield RecordingStudio(database, chosen, write_side, runner)
        runner.run(write_side.close())
