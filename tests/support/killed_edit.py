"""An edit in a process that is killed at a chosen moment: `python -m tests.support.killed_edit DATABASE_URL`.

It reads moments from its standard input, one per line, and forks for each, so that imports run once. For each, it
writes the exit status of the fork. Moment 0 is before the first subscriber of the history, moment N after the Nth; the
last moment is after the edit was acknowledged.
"""

import os
import signal
import sys
from functools import partial

import msgspec
from sqlalchemy import Connection

from abhidhan.app.database import SUBSCRIBERS
from abhidhan.editing.store.history import Subscriber, subscribe
from abhidhan.editing.store.records.change_recorder import ChangeRecorder
from abhidhan.platform.database.database import Database
from abhidhan.records.history import ChangeSet, RecordingState, RecordRef, WordState
from abhidhan.records.submissions import Status
from tests.support.edits import edit_record

WORD = RecordRef("word", "1")
RECORDING = RecordRef("recording", "1")
SPELLING = "মাজৰ"
ACKNOWLEDGED = len(SUBSCRIBERS) + 1


def main(url: str) -> None:
    """Run an edit for each line of the standard input."""
    for line in sys.stdin:
        if (child := os.fork()) == 0:
            edit_and_kill(url, int(line))
        _, status = os.waitpid(child, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()


def edit_and_kill(url: str, moment: int) -> None:
    """Respell a word and approve its recording, in one entry of the history; kill the process at the moment."""
    steps = (lambda *_: None, *SUBSCRIBERS)
    subscribe([partial(call, step, dies=place == moment) for place, step in enumerate(steps)])
    edit_record(Database(url), respell_and_approve)
    kill_self()


def respell_and_approve(ledger: ChangeRecorder) -> RecordRef:
    """Change two records, so that every subscriber of the history writes rows."""
    word, recording = ledger.get_current(WORD), ledger.get_current(RECORDING)
    assert isinstance(word, WordState)
    assert isinstance(recording, RecordingState)
    ledger.apply(WORD, msgspec.structs.replace(word, text=SPELLING))
    ledger.apply(RECORDING, msgspec.structs.replace(recording, status=str(Status.APPROVED)))
    return WORD


def call(subscriber: Subscriber, connection: Connection, change_set: ChangeSet, *, dies: bool) -> None:
    """Call a subscriber; with `dies`, kill the process afterwards."""
    subscriber(connection, change_set)
    if dies:
        kill_self()


def kill_self() -> None:
    """End without cleaning up, as in a power failure."""
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    main(sys.argv[1])
