"""Mails on their way: what is due is taken, written and handed over, until the mail server has accepted it.

Whoever takes a mail is noted in the database, so that of all workers, on however many machines, one sends it. A worker
that dies between the acceptance and its note sends it again, later; none is lost.
"""

import time
from collections.abc import Callable, Iterable, Mapping
from enum import Enum, auto
from functools import partial
from typing import Final, NamedTuple

import structlog

from abhidhan.contributions.service.submission_views import MOST_WORDS, Submission, name_of, show, subjects_of
from abhidhan.dictionary.store.ideas import gather_idea
from abhidhan.dictionary.store.senses import spellings
from abhidhan.media.store.photos import PHOTOS, PhotoRow
from abhidhan.media.store.recordings import RECORDINGS
from abhidhan.people.model.mail_templates import (
    MOST_TOLD,
    SUBJECTS,
    Decided,
    Voice,
    ask_address,
    tell_decisions,
    with_way_out,
)
from abhidhan.people.model.mails import (
    CONFIRM_SECONDS,
    GIVEN_UP_AFTER,
    LEASE_SECONDS,
    Purpose,
    Topic,
    address_token,
    pause_after,
    stop_token,
)
from abhidhan.people.store import mails as stored
from abhidhan.people.store.mail_addresses import refuses_mails
from abhidhan.people.store.mails import DECIDED, Claim, Undelivered
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import Reader
from abhidhan.platform.runtime.metrics import MAILS
from abhidhan.platform.runtime.smtp import Mailer, NotTakenError
from abhidhan.platform.runtime.task_scope import PeriodicTask, run_to_end
from abhidhan.records.errors import NotFoundError, UnavailableError, sentence
from abhidhan.records.history import RecordName
from abhidhan.records.submissions import Status

STOP: Final = "/account/mails/stop?token="
CONFIRM: Final = "/account/mails/confirm?token="
REFUSE: Final = "/account/mails/refuse?token="


WordAddress = Callable[[str], str]
"""Writes the address of a word's page."""


class MailSite(NamedTuple):
    """What mails are written with: the address of the site, its languages, and how the address of a word is written."""

    base: str
    voice_of: Callable[[str], Voice]
    word_address: WordAddress


class Letter(NamedTuple):
    """A mail: to whom, about what, its text, and the address by which such mails are stopped."""

    recipient: str
    subject: str
    text: str
    stop: str


class Content(NamedTuple):
    """What a mail would tell: decisions up to the ID `told`, and the mail itself; None: there is nothing to send."""

    told: int
    letter: Letter | None


def write(reader: Reader, claimed: Claim, site: MailSite, now: int) -> Content:
    """Write a mail that is due, unless it goes to nobody any more."""
    if claimed.choice.topic is Topic.CONFIRMATION:
        return Content(0, _question(reader, claimed, site, now))
    return _decisions(reader, claimed, site)


def _decisions(reader: Reader, claimed: Claim, site: MailSite) -> Content:
    """Write the mail about the decisions that a person has not been told of."""
    choice = claimed.choice
    backlog = stored.backlog_of(reader, choice.person_id, MOST_TOLD)
    decided = decided_of(reader, backlog.first, site.word_address)
    left = backlog.total - len(backlog.first)
    recipient = _recipient(reader, claimed)
    if recipient is None or not (decided or left):
        return Content(backlog.last, None)
    voice = site.voice_of(choice.language)
    stop = f"{site.base}{STOP}{stop_token(choice)}"
    text = with_way_out(tell_decisions(decided, left, voice, site.base), voice, stop)
    return Content(backlog.last, Letter(recipient, _subject(Topic.DECISIONS, voice), text, stop))


def _question(reader: Reader, claimed: Claim, site: MailSite, now: int) -> Letter | None:
    """Write the question whether an address is right, with the link that refuses all mails to it."""
    recipient = _recipient(reader, claimed)
    if recipient is None:
        return None
    voice = site.voice_of(claimed.choice.language)
    known = claimed.address._replace(secret=claimed.choice.secret)
    confirm = f"{site.base}{CONFIRM}{address_token(known, Purpose.CONFIRM, now + CONFIRM_SECONDS)}"
    refuse = f"{site.base}{REFUSE}{address_token(known, Purpose.REFUSE)}"
    text = ask_address(voice, site.base, confirm, refuse)
    return Letter(recipient, _subject(Topic.CONFIRMATION, voice), text, refuse)


def _recipient(reader: Reader, claimed: Claim) -> str | None:
    """Return to which address a mail goes: a confirmed one or, with the question about it, one that is not."""
    choice, address = claimed.choice, claimed.address
    asks = choice.topic is Topic.CONFIRMATION
    if claimed.is_disabled or not choice.is_wanted or address.email is None or address.is_confirmed is asks:
        return None
    return None if refuses_mails(reader, address.email) else address.email


def _subject(topic: Topic, voice: Voice) -> str:
    return f"Abhidhan: {voice.say(SUBJECTS[topic])}"


def decided_of(reader: Reader, undelivered: Iterable[Undelivered], word_address: WordAddress) -> list[Decided]:
    """Read what was decided, as it stands now; what is gone or waits again is left out."""
    read = (READ[each.kind](reader, each.record_id, word_address) for each in undelivered)
    return [each for each in read if each is not None]


def _submission(reader: Reader, number: int, word_address: WordAddress) -> Decided | None:
    try:
        found = show(reader, number)
    except NotFoundError:
        return None
    if found.status not in DECIDED:
        return None
    word = _word_of(reader, found.result) if found.status is Status.APPROVED else None
    return Decided(str(found.kind), _name(reader, found), found.status, found.reason, word and word_address(word))


def _name(reader: Reader, found: Submission) -> str:
    """Return by which text a submission is known: its sender's own goes to the sender alone, at a confirmed address."""
    return name_of(found, subjects_of(reader, submissions=[found]).get(found.submission_id, ""))


def _word_of(reader: Reader, result: str | None) -> str | None:
    """Return the word that came of a submission; None where something else did."""
    name = RecordName.parse(result) if result else None
    return spellings(reader, [name.number]).get(name.number) if name and name.kind == "word" else None


def _photo(reader: Reader, number: int, word_address: WordAddress) -> Decided | None:
    row = PHOTOS.find(reader, number)
    if row is None or row.status not in DECIDED:
        return None
    status = Status(row.status)
    words = _words_of(reader, row)
    address = word_address(words[0]) if words and row.idea_id and status is Status.APPROVED else None
    return Decided("photo", ", ".join(words), status, row.reason, address)


def _words_of(reader: Reader, row: PhotoRow) -> list[str]:
    """Return what a photo shows: the words of its idea or, while that does not exist, the word that it came with."""
    idea = gather_idea(reader, row.idea_id) if row.idea_id else None
    if idea is not None:
        return [word.word for word in idea.words[:MOST_WORDS]]
    if row.submission_id is None:
        return []
    try:
        return [_name(reader, show(reader, row.submission_id))]
    except NotFoundError:
        return []


def _recording(reader: Reader, number: int, word_address: WordAddress) -> Decided | None:
    row = RECORDINGS.find(reader, number)
    if row is None or row.status not in DECIDED:
        return None
    status = Status(row.status)
    address = word_address(row.spoken) if row.word_id and status is Status.APPROVED else None
    return Decided("recording", row.spoken, status, row.reason, address)


READ: Final[Mapping[str, Callable[[Reader, int, WordAddress], Decided | None]]] = {
    "submission": _submission,
    "photo": _photo,
    "recording": _recording,
}
"""How the records of each kind are read of whose decisions people are told (`people/store/mails.py`)."""


FIRST_LOOK: Final = 10.0
BETWEEN_LOOKS: Final = 30.0
"""Seconds between two looks whether a mail is due: each is a search in an index."""

ONE_CLICK: Final = {"List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}

SENT: Final = MAILS.labels("sent")
PUT_OFF: Final = MAILS.labels("put off")
GIVEN_UP: Final = MAILS.labels("given up")

_log = structlog.get_logger("abhidhan.mails")


class Outcome(Enum):
    """What came of a mail: it needs nothing more, it waits for another try, or the mail server cannot be reached."""

    SETTLED = auto()
    REFUSED = auto()
    UNREACHABLE = auto()


class MailDelivery:
    """Sends the mails that are due. Without a mail server they wait, until they are given up."""

    def __init__(
        self, database: Database, mailer: Mailer | None, site: MailSite, *, clock: Callable[[], float] = time.time
    ) -> None:
        """Put the parts together. `clock` tells the seconds since 1970."""
        self._database = database
        self._mailer = mailer
        self._site = site
        self._clock = clock

    def periodic_tasks(self) -> list[PeriodicTask]:
        """Return the task that sends mails; a mail that is being sent when it is cancelled is sent to the end."""
        return [PeriodicTask("mail delivery", self.deliver, BETWEEN_LOOKS, first_delay_seconds=FIRST_LOOK)]

    async def deliver(self) -> int:
        """Deliver what is due, while the mail server can be reached; return how many mails were settled."""
        settled = 0
        while await self._database.read(partial(stored.is_any_due, now=self._now())):
            outcome = await run_to_end(self._deliver_next())
            if outcome in {None, Outcome.UNREACHABLE}:
                break
            settled += outcome is Outcome.SETTLED
        return settled

    async def _deliver_next(self) -> Outcome | None:
        """Deliver the mail that is due next; None when another worker has claimed it."""
        job = partial(stored.claim, now=self._now(), until=self._now() + LEASE_SECONDS)
        claimed = await self._database.write_aside(job)
        return None if claimed is None else await self._delivered(claimed)

    async def _delivered(self, claimed: Claim) -> Outcome:
        """Deliver one mail, and note what came of it."""
        try:
            job = partial(write, claimed=claimed, site=self._site, now=self._now())
            content = await self._database.read(job, long=True)
            if content.letter is not None:
                await self._send(content.letter)
                SENT.inc()
        except NotTakenError as error:
            await self._put_off(claimed, str(error))
        except UnavailableError as error:
            await self._put_off(claimed, str(error))
            return Outcome.UNREACHABLE
        except Exception as error:  # noqa: BLE001  # whatever is wrong with one mail, others are sent
            await self._put_off(claimed, type(error).__name__)
        else:
            await self._settle(claimed, content.told)
            return Outcome.SETTLED
        return Outcome.REFUSED

    async def _send(self, letter: Letter) -> None:
        """Hand a mail over, with the two ways to stop such mails: a header for programs (RFC 8058), a link for people.

        Raises UnavailableError.
        """
        if self._mailer is None:
            raise UnavailableError(sentence("This server sends no e-mail."), 0)
        is_secure = letter.stop.startswith("https://")
        headers = {"List-Unsubscribe": f"<{letter.stop}>", **(ONE_CLICK if is_secure else {})}
        await self._mailer.send(letter.recipient, letter.subject, letter.text, headers)

    async def _put_off(self, claimed: Claim, reason: str) -> None:
        """Try again later, or give up what is too old. Neither addresses nor words of the mail go into the log."""
        about = {"person_id": claimed.choice.person_id, "topic": str(claimed.choice.topic), "reason": reason}
        now = self._now()
        job = partial(stored.put_off, claimed=claimed, until=now + pause_after(claimed.tries + 1))
        if now - claimed.due > GIVEN_UP_AFTER:
            _log.error("a mail is given up", **about)
            GIVEN_UP.inc()
            job = partial(stored.give_up, claimed=claimed, now=now, until=now + pause_after(claimed.tries + 1))
        else:
            _log.warning("a mail could not be sent", **about)
            PUT_OFF.inc()
        await self._database.write(job, public=False)

    async def _settle(self, claimed: Claim, told: int) -> None:
        job = partial(stored.settle, claimed=claimed, told=told)
        await self._database.write(job, public=False)

    def _now(self) -> int:
        return int(self._clock())
