"""What is checked of a photo before it is kept: what it shows, its credit, its licence, and the image itself."""

from collections.abc import Awaitable
from functools import partial
from typing import NamedTuple, TypeVar

from abhidhan.domain.licences import agreed
from abhidhan.domain.people import Person
from abhidhan.domain.photo_refusals import Refusal, RefusedPhotoError
from abhidhan.domain.photos import ProcessedPhoto, clean_credit, read_idea_id, read_submission_id
from abhidhan.errors import InputError, Problem, sentence
from abhidhan.media.processing import Processor
from abhidhan.services.contributions.photo_steps import check_word_waits
from abhidhan.services.contributions.photo_views import SentPhoto
from abhidhan.storage import photos as stored
from abhidhan.storage import submissions
from abhidhan.storage.engine.database import Database

T = TypeVar("T")


class Subject(NamedTuple):
    """What a photo shows: an idea, or a word that waits for an editor, by its submission."""

    idea_id: int | None
    submission_id: int | None = None


class CheckedPhoto(NamedTuple):
    """A photo in which nothing is wrong."""

    credit: str
    processed: ProcessedPhoto


class PhotoChecks:
    """The checks of a photo; each finds everything that is wrong and says it at once."""

    def __init__(self, database: Database, processor: Processor[ProcessedPhoto], licence: str) -> None:
        """Look ideas up in a database, decode images in `processor`; what is sent is under `licence`."""
        self._database = database
        self._processor = processor
        self._licence = licence

    async def everything(self, person: Person, sent: SentPhoto) -> tuple[Subject, CheckedPhoto]:
        """Check a photo and what it shows. Raises InputError with everything that is wrong."""
        problems = list(sent.problems)
        subject = None
        if sent.submission_id or sent.to_be_checked("ideaID", sent.idea_id):
            subject = await noting(problems, self._subject(person, sent))
        photo = await noting(problems, self.photo(sent))
        if problems or subject is None or photo is None:
            raise InputError(*dict.fromkeys(problems))
        return subject, photo

    async def photo(self, sent: SentPhoto) -> CheckedPhoto:
        """Check a photo, but not what it shows. Raises InputError with everything that is wrong."""
        problems = list(sent.problems)
        credit = None
        if sent.to_be_checked("photoCredit", sent.credit):
            credit = await noting(problems, _credit(sent.credit))
        await noting(problems, _agreement(self._licence, sent.licence))
        processed = await noting(problems, self._processed(sent))
        if problems or credit is None or processed is None:
            raise InputError(*problems)
        return CheckedPhoto(credit, processed)

    async def _subject(self, person: Person, sent: SentPhoto) -> Subject:
        if not sent.submission_id:
            return Subject(await self._idea_id(sent.idea_id))
        if sent.idea_id:
            raise InputError.of(
                "submissionID", sentence("Give either `ideaID` or `submissionID`: a photo shows one thing.")
            )
        submission_id = read_submission_id(sent.submission_id)
        job = partial(submissions.find_submission, submission_id=submission_id)
        check_word_waits(await self._database.read(job), person.id)
        return Subject(None, submission_id)

    async def _idea_id(self, text: str | None) -> int:
        if text is None or not text.strip():
            raise InputError.of(
                "ideaID",
                sentence(
                    "`%(parameter)s` is missing: give the number of the idea that the photo shows.", parameter="ideaID"
                ),
            )
        idea_id = read_idea_id(text)
        if not await self._database.read(partial(stored.finds_idea, idea_id=idea_id)):
            raise InputError.of("ideaID", sentence("There is no idea with the ID %(idea_id)s.", idea_id=idea_id))
        return idea_id

    async def _processed(self, sent: SentPhoto) -> ProcessedPhoto:
        if sent.refusal or not sent.photo:
            raise RefusedPhotoError(sent.refusal or Refusal.MISSING)
        return await self._processor.process(sent.photo)


async def noting(problems: list[Problem], check: Awaitable[T]) -> T | None:
    """Make one check, and note what it finds wrong."""
    try:
        return await check
    except InputError as error:
        problems.extend(error.problems)
        return None


async def _credit(text: str | None) -> str:
    if text is None:
        raise InputError.of(
            "photoCredit",
            sentence(
                "`%(parameter)s` is missing: say who made the photo, in at least 2 characters.", parameter="photoCredit"
            ),
        )
    return clean_credit(text)


async def _agreement(licence: str, seen: str | None) -> str:
    return agreed(licence, seen)
