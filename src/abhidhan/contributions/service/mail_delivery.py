"""Delivery of e-mails: lease a due e-mail, write it, and send it to the mail server, with retries.

Leases are stored in the database, so that only one worker on any machine sends a mail. Delivery is at least once: if
a worker dies between the server's acceptance and the update of the outbox, the mail is sent again.
"""

import time
from collections.abc import Callable, Iterable, Mapping
from enum import Enum, auto
from functools import partial
from typing import Final, NamedTuple

import structlog

from abhidhan.contributions.service.submission_views import MAX_WORDS_IN_NAME, Submission, name_of, show, subjects_of
from abhidhan.dictionary.store.ideas import load_idea
from abhidhan.dictionary.store.senses import spellings
from abhidhan.media.store.photos import PHOTOS, PhotoRow
from abhidhan.media.store.recordings import RECORDINGS
from abhidhan.people.model.mail_templates import (
    MAX_LISTED_DECISIONS,
    SUBJECTS,
    DecisionNotice,
    MailTranslator,
    confirmation_text,
    decisions_text,
    with_unsubscribe_link,
)
from abhidhan.people.model.mails import (
    CONFIRM_SECONDS,
    GIVE_UP_SECONDS,
    LEASE_SECONDS,
    MailTopic,
    Purpose,
    address_token,
    retry_delay,
    stop_token,
)
from abhidhan.people.store import mails as stored
from abhidhan.people.store.mail_addresses import refuses_mails
from abhidhan.people.store.mails import DECIDED_STATUSES, Claim, Undelivered
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.platform.runtime.metrics import MAILS
from abhidhan.platform.runtime.smtp import Mailer, MessageRejectedError
from abhidhan.platform.runtime.task_scope import PeriodicTask, run_to_end
from abhidhan.records.errors import NotFoundError, UnavailableError, sentence
from abhidhan.records.history import RecordRef
from abhidhan.records.submissions import Status

STOP: Final = "/account/mails/stop?token="
CONFIRM: Final = "/account/mails/confirm?token="
REFUSE: Final = "/account/mails/refuse?token="


WordAddress = Callable[[str], str]
"""Function that returns the URL of a word's page."""


class MailSite(NamedTuple):
    """The base URL of the site, and functions that return the translator of a language and the URL of a word."""

    base: str
    translator_of: Callable[[str], MailTranslator]
    word_address: WordAddress


class Letter(NamedTuple):
    """A mail to send."""

    recipient: str
    subject: str
    text: str
    stop: str


class MailContent(NamedTuple):
    """A mail about the decisions up to the ID `last_id`; `mail` is None if there is nothing to send."""

    last_id: int
    letter: Letter | None


def write_mail(reader: ReadConnection, claimed: Claim, site: MailSite, now: int) -> MailContent:
    """Write a due e-mail; `mail` of the result is None if there is no recipient or nothing to report."""
    if claimed.choice.topic is MailTopic.CONFIRMATION:
        return MailContent(0, _confirmation_mail(reader, claimed, site, now))
    return _decisions_mail(reader, claimed, site)


def _decisions_mail(reader: ReadConnection, claimed: Claim, site: MailSite) -> MailContent:
    """Write the e-mail about a user's undelivered decisions."""
    choice = claimed.choice
    backlog = stored.backlog_of(reader, choice.person_id, MAX_LISTED_DECISIONS)
    notices = decision_notices(reader, backlog.first, site.word_address)
    remaining = backlog.total - len(backlog.first)
    recipient = _recipient(reader, claimed)
    if recipient is None or not (notices or remaining):
        return MailContent(backlog.last, None)
    translator = site.translator_of(choice.language)
    stop = f"{site.base}{STOP}{stop_token(choice)}"
    text = with_unsubscribe_link(decisions_text(notices, remaining, translator, site.base), translator, stop)
    return MailContent(backlog.last, Letter(recipient, _subject(MailTopic.DECISIONS, translator), text, stop))


def _confirmation_mail(reader: ReadConnection, claimed: Claim, site: MailSite, now: int) -> Letter | None:
    """Write the confirmation e-mail of an address, with a link that refuses all e-mails."""
    recipient = _recipient(reader, claimed)
    if recipient is None:
        return None
    translator = site.translator_of(claimed.choice.language)
    address = claimed.address._replace(secret=claimed.choice.secret)
    confirm = f"{site.base}{CONFIRM}{address_token(address, Purpose.CONFIRM, now + CONFIRM_SECONDS)}"
    refuse = f"{site.base}{REFUSE}{address_token(address, Purpose.REFUSE)}"
    text = confirmation_text(translator, site.base, confirm, refuse)
    return Letter(recipient, _subject(MailTopic.CONFIRMATION, translator), text, refuse)


def _recipient(reader: ReadConnection, claimed: Claim) -> str | None:
    """Return the confirmed address or, for a confirmation e-mail, the unconfirmed one; None if no mail may be sent."""
    choice, address = claimed.choice, claimed.address
    asks = choice.topic is MailTopic.CONFIRMATION
    if claimed.is_disabled or not choice.is_wanted or address.email is None or address.is_confirmed is asks:
        return None
    return None if refuses_mails(reader, address.email) else address.email


def _subject(topic: MailTopic, translator: MailTranslator) -> str:
    return f"Abhidhan: {translator.translate(SUBJECTS[topic])}"


def decision_notices(
    reader: ReadConnection, undelivered: Iterable[Undelivered], word_address: WordAddress
) -> list[DecisionNotice]:
    """Return the current decisions, without records that were deleted or are pending again."""
    read = (NOTICE_READERS[notice.kind](reader, notice.record_id, word_address) for notice in undelivered)
    return [notice for notice in read if notice is not None]


def _submission_notice(reader: ReadConnection, number: int, word_address: WordAddress) -> DecisionNotice | None:
    try:
        submission = show(reader, number)
    except NotFoundError:
        return None
    if submission.status not in DECIDED_STATUSES:
        return None
    word = _word_of(reader, submission.result) if submission.status is Status.APPROVED else None
    return DecisionNotice(
        str(submission.kind),
        _name(reader, submission),
        submission.status,
        submission.reason,
        word and word_address(word),
    )


def _name(reader: ReadConnection, submission: Submission) -> str:
    """Return the display name of a submission. It may be the sender's text, and is mailed only to the sender."""
    return name_of(submission, subjects_of(reader, submissions=[submission]).get(submission.submission_id, ""))


def _word_of(reader: ReadConnection, result: str | None) -> str | None:
    """Return the spelling of the word that resulted from a submission; None if the result is not a word."""
    name = RecordRef.parse(result) if result else None
    return spellings(reader, [name.number]).get(name.number) if name and name.kind == "word" else None


def _photo_notice(reader: ReadConnection, number: int, word_address: WordAddress) -> DecisionNotice | None:
    row = PHOTOS.find(reader, number)
    if row is None or row.status not in DECIDED_STATUSES:
        return None
    status = Status(row.status)
    words = _words_of(reader, row)
    address = word_address(words[0]) if words and row.idea_id and status is Status.APPROVED else None
    return DecisionNotice("photo", ", ".join(words), status, row.reason, address)


def _words_of(reader: ReadConnection, row: PhotoRow) -> list[str]:
    """Return the words that a photo shows: those of its idea, or else the word submitted with it."""
    idea = load_idea(reader, row.idea_id) if row.idea_id else None
    if idea is not None:
        return [word.word for word in idea.words[:MAX_WORDS_IN_NAME]]
    if row.submission_id is None:
        return []
    try:
        return [_name(reader, show(reader, row.submission_id))]
    except NotFoundError:
        return []


def _recording_notice(reader: ReadConnection, number: int, word_address: WordAddress) -> DecisionNotice | None:
    row = RECORDINGS.find(reader, number)
    if row is None or row.status not in DECIDED_STATUSES:
        return None
    status = Status(row.status)
    address = word_address(row.spoken) if row.word_id and status is Status.APPROVED else None
    return DecisionNotice("recording", row.spoken, status, row.reason, address)


NOTICE_READERS: Final[Mapping[str, Callable[[ReadConnection, int, WordAddress], DecisionNotice | None]]] = {
    "submission": _submission_notice,
    "photo": _photo_notice,
    "recording": _recording_notice,
}
"""Functions that load a decision notice, by kind of record; the kinds are those of SENDER_TABLES."""


FIRST_CHECK_DELAY_SECONDS: Final = 10.0
CHECK_INTERVAL_SECONDS: Final = 30.0
"""Interval between checks for due e-mails, in seconds; each check is an index lookup."""

ONE_CLICK: Final = {"List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}

SENT: Final = MAILS.labels("sent")
PUT_OFF: Final = MAILS.labels("put off")
GIVEN_UP: Final = MAILS.labels("given up")

_log = structlog.get_logger("abhidhan.mails")


class DeliveryOutcome(Enum):
    """Outcome of a delivery: settled, refused (it is retried later), or the mail server could not be reached."""

    SETTLED = auto()
    REFUSED = auto()
    UNREACHABLE = auto()


class MailDelivery:
    """Sends due e-mails. Without a mail server, they are retried until they expire."""

    def __init__(
        self, database: Database, mailer: Mailer | None, site: MailSite, *, clock: Callable[[], float] = time.time
    ) -> None:
        """Initialise with a database; without a mail server, `mailer` is None. `clock` returns seconds since 1970."""
        self._database = database
        self._mailer = mailer
        self._site = site
        self._clock = clock

    def periodic_tasks(self) -> list[PeriodicTask]:
        """Return the task that sends e-mails; cancelling it waits for the e-mail that is being sent."""
        return [
            PeriodicTask(
                "mail delivery", self.deliver, CHECK_INTERVAL_SECONDS, first_delay_seconds=FIRST_CHECK_DELAY_SECONDS
            )
        ]

    async def deliver(self) -> int:
        """Deliver due e-mails while the mail server is reachable; return the number of settled e-mails."""
        settled = 0
        while await self._database.read(partial(stored.is_any_due, now=self._now())):
            outcome = await run_to_end(self._deliver_next())
            if outcome in {None, DeliveryOutcome.UNREACHABLE}:
                break
            settled += outcome is DeliveryOutcome.SETTLED
        return settled

    async def _deliver_next(self) -> DeliveryOutcome | None:
        """Lease and deliver the next due e-mail; None if another worker has leased it."""
        job = partial(stored.claim, now=self._now(), until=self._now() + LEASE_SECONDS)
        claimed = await self._database.write_concurrently(job)
        return None if claimed is None else await self._deliver_claim(claimed)

    async def _deliver_claim(self, claimed: Claim) -> DeliveryOutcome:
        """Deliver a leased e-mail, and store the outcome."""
        try:
            job = partial(write_mail, claimed=claimed, site=self._site, now=self._now())
            content = await self._database.read(job, long=True)
            if content.letter is not None:
                await self._send(content.letter)
                SENT.inc()
        except MessageRejectedError as error:
            await self._put_off(claimed, str(error))
        except UnavailableError as error:
            await self._put_off(claimed, str(error))
            return DeliveryOutcome.UNREACHABLE
        except Exception as error:  # noqa: BLE001  # an error in one mail must not stop the others
            await self._put_off(claimed, type(error).__name__)
        else:
            await self._settle(claimed, content.last_id)
            return DeliveryOutcome.SETTLED
        return DeliveryOutcome.REFUSED

    async def _send(self, letter: Letter) -> None:
        """Send an e-mail, with the header for one-click unsubscription if the link is https (RFC 8058).

        Raises UnavailableError.
        """
        if self._mailer is None:
            raise UnavailableError(sentence("This server does not send e-mail."), 0)
        is_secure = letter.stop.startswith("https://")
        headers = {"List-Unsubscribe": f"<{letter.stop}>", **(ONE_CLICK if is_secure else {})}
        await self._mailer.send(letter.recipient, letter.subject, letter.text, headers)

    async def _put_off(self, claimed: Claim, reason: str) -> None:
        """Schedule a retry, or drop decisions that are too old. Logs neither addresses nor texts of the e-mail."""
        about = {"person_id": claimed.choice.person_id, "topic": str(claimed.choice.topic), "reason": reason}
        now = self._now()
        job = partial(stored.postpone, claimed=claimed, until=now + retry_delay(claimed.tries + 1))
        if now - claimed.due > GIVE_UP_SECONDS:
            _log.error("an e-mail is no longer retried", **about)
            GIVEN_UP.inc()
            job = partial(stored.give_up, claimed=claimed, now=now, until=now + retry_delay(claimed.tries + 1))
        else:
            _log.warning("an e-mail could not be sent", **about)
            PUT_OFF.inc()
        await self._database.write(job, public=False)

    async def _settle(self, claimed: Claim, last_id: int) -> None:
        job = partial(stored.settle, claimed=claimed, last_id=last_id)
        await self._database.write(job, public=False)

    def _now(self) -> int:
        return int(self._clock())
