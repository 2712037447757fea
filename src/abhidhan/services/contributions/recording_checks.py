"""What is checked of a recording before it is kept: what it says, who speaks, that they agree, and the sound itself."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, NamedTuple

from abhidhan.domain.ids import read_number
from abhidhan.domain.licences import agreed
from abhidhan.domain.recording_refusals import RefusedRecordingError, SoundRefusal
from abhidhan.domain.recordings import ProcessedRecording, clean_place, clean_speaker
from abhidhan.errors import InputError, Sentence, sentence
from abhidhan.media.processing import Processor
from abhidhan.services.contributions.photo_checks import noting
from abhidhan.services.contributions.recording_views import SentRecording
from abhidhan.storage import recordings as stored
from abhidhan.storage.engine.database import Database
from abhidhan.storage.recordings import Subject

CONSENT: Final = "yes"
WHAT_IS_SAID: Final = sentence(
    "Say what the recording says: give `wordID`, `phraseID`, or `ideaID` with `example`, and only one of them."
)
NO_CONSENT: Final = sentence(
    "`%(parameter)s` is missing: send `yes` if the speaker agrees that everyone may hear and share the recording.",
    parameter="consent",
)
NO_SUCH: Final[Mapping[str, Callable[[int], Sentence]]] = {
    "wordID": lambda number: sentence("There is no word with the ID %(word_id)s.", word_id=number),
    "phraseID": lambda number: sentence("There is no phrase with the ID %(phrase_id)s.", phrase_id=number),
    "ideaID": lambda number: sentence("The idea %(idea_id)s has no such example.", idea_id=number),
}


class CheckedRecording(NamedTuple):
    """A recording in which nothing is wrong."""

    subject: Subject
    speaker: str | None
    place: str | None
    processed: ProcessedRecording


class RecordingChecks:
    """The checks of a recording; they find everything that is wrong and say it at once."""

    def __init__(self, database: Database, processor: Processor[ProcessedRecording], licence: str) -> None:
        """Look up in a database what is said, decode sounds in `processor`; what is sent is under `licence`."""
        self._database = database
        self._processor = processor
        self._licence = licence

    async def everything(self, sent: SentRecording) -> CheckedRecording:
        """Check a recording and all that came with it. Raises InputError with everything that is wrong."""
        problems = list(sent.problems)
        subject = await noting(problems, self._subject(sent))
        speaker = await noting(problems, _clean(clean_speaker, sent.speaker))
        place = await noting(problems, _clean(clean_place, sent.place))
        if sent.to_be_checked("consent", sent.consent):
            await noting(problems, _consent(sent.consent))
        await noting(problems, _clean(partial(agreed, self._licence), sent.licence))
        processed = await noting(problems, self._processed(sent))
        if problems or subject is None or processed is None:
            raise InputError(*dict.fromkeys(problems))
        return CheckedRecording(subject, speaker, place, processed)

    async def _subject(self, sent: SentRecording) -> Subject | None:
        given = {"wordID": sent.word_id, "phraseID": sent.phrase_id, "ideaID": sent.idea_id}
        named = {name: text for name, text in given.items() if text and text.strip()}
        if any(problem.parameter in {*given, "example"} for problem in sent.problems) or (
            not named and not sent.complete
        ):
            return None
        if len(named) != 1 or (bool(sent.example) != ("ideaID" in named) and sent.complete):
            raise InputError.of("wordID", WHAT_IS_SAID)
        [(name, text)] = named.items()
        number = _number(name, text)
        jobs = {
            "wordID": partial(stored.find_word, word_id=number),
            "phraseID": partial(stored.find_phrase, phrase_id=number),
            "ideaID": partial(stored.find_example, idea_id=number, text=_plain(sent.example)),
        }
        found = await self._database.read(jobs[name])
        if found is None:
            raise InputError.of(name, NO_SUCH[name](number))
        return found

    async def _processed(self, sent: SentRecording) -> ProcessedRecording:
        if sent.refusal or not sent.recording:
            raise RefusedRecordingError(sent.refusal or SoundRefusal.MISSING)
        return await self._processor.process(sent.recording)


def _number(parameter: str, text: str) -> int:
    number = read_number(text.strip())
    if not number:
        raise InputError.of(
            parameter, sentence("`%(parameter)s` must be the number of a record, such as 88.", parameter=parameter)
        )
    return number


def _plain(example: str | None) -> str:
    """Write an example as it is kept: forms send line ends of their own, and no text has NUL."""
    return (example or "").replace("\r\n", "\n").replace("\0", "").strip()


async def _clean(clean: Callable[[str | None], str | None], text: str | None) -> str | None:
    return clean(text)


async def _consent(consent: str | None) -> None:
    if (consent or "").strip() != CONSENT:
        raise InputError.of("consent", NO_CONSENT)
