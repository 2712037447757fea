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

from abhidhan.contributions.service.submission_views import (
    MAX_WORDS_IN_NAME,
    Submission,
    format_name,
    get_submission,
    load_subjects,
)
from abhidhan.dictionary.store.ideas import load_idea
from abhidhan.dictionary.store.senses import load_spellings
from abhidhan.media.store.photos import PHOTOS, PhotoRow
from abhidhan.media.store.recordings import RECORDINGS
from abhidhan.people.model.mail_templates import (
    MAIL_SUBJECTS,
    MAX_LISTED_DECISIONS,
    DecisionNotice,
    MailTranslator,
    append_unsubscribe_link,
    format_confirmation,
    format_decisions,
)
from abhidhan.people.model.mails import (
    CONFIRMATION_SECONDS,
    LEASE_SECONDS,
    MAX_DELIVERY_SECONDS,
    LinkPurpose,
    MailTopic,
    build_address_token,
    build_unsubscribe_token,
    retry_delay_seconds,
)
from abhidhan.people.store import mails as stored
from abhidhan.people.store.mail_addresses import has_refused_mails
from abhidhan.people.store.mails import DECIDED_STATUSES, ClaimedMail, UndeliveredDecision
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.platform.runtime.metrics import MAIL_DELIVERIES
from abhidhan.platform.runtime.smtp import Mailer, MessageRejectedError
from abhidhan.platform.runtime.task_scope import PeriodicTask, run_uninterrupted
from abhidhan.records.errors import NotFoundError, UnavailableError, sentence
from abhidhan.records.history import RecordRef
from abhidhan.records.submissions import Status

STOP_PATH: Final = "/account/mails/stop?token="
CONFIRM_PATH: Final = "/account/mails/confirm?token="
REFUSE_PATH: Final = "/account/mails/refuse?token="


WordUrlBuilder = Callable[[str], str]
"""Function that returns the URL of a word's page."""


class MailSite(NamedTuple):
    """The base URL of the site, and functions that return the translator of a language and the URL of a word."""

    base: str
    get_translator: Callable[[str], MailTranslator]
    build_word_url: WordUrlBuilder


class OutgoingMail(NamedTuple):
    """A mail to send."""

    recipient: str
    subject: str
    text: str
    unsubscribe_url: str


class MailContent(NamedTuple):
    """A mail about the decisions up to the ID `last_id`; `mail` is None if there is nothing to send."""

    last_id: int
    mail: OutgoingMail | None


def write_mail(connection: ReadConnection, claim: ClaimedMail, site: MailSite, now: int) -> MailContent:
    """Write a due e-mail; `mail` of the result is None if there is no recipient or nothing to report."""
    if claim.subscription.topic is MailTopic.CONFIRMATION:
        return MailContent(0, _write_confirmation_mail(connection, claim, site, now))
    return _write_decisions_mail(connection, claim, site)


def _write_decisions_mail(connection: ReadConnection, claim: ClaimedMail, site: MailSite) -> MailContent:
    """Write the e-mail about a user's undelivered decisions."""
    choice = claim.subscription
    backlog = stored.load_backlog(connection, choice.person_id, MAX_LISTED_DECISIONS)
    notices = load_decision_notices(connection, backlog.oldest, site.build_word_url)
    remaining = backlog.total - len(backlog.oldest)
    recipient = _find_recipient(connection, claim)
    if recipient is None or not (notices or remaining):
        return MailContent(backlog.last_id, None)
    translator = site.get_translator(choice.language)
    stop = f"{site.base}{STOP_PATH}{build_unsubscribe_token(choice)}"
    text = append_unsubscribe_link(format_decisions(notices, remaining, translator, site.base), translator, stop)
    return MailContent(
        backlog.last_id, OutgoingMail(recipient, _format_subject(MailTopic.DECISIONS, translator), text, stop)
    )


def _write_confirmation_mail(
    connection: ReadConnection, claim: ClaimedMail, site: MailSite, now: int
) -> OutgoingMail | None:
    """Write the confirmation e-mail of an address, with a link that refuses all e-mails."""
    recipient = _find_recipient(connection, claim)
    if recipient is None:
        return None
    translator = site.get_translator(claim.subscription.language)
    address = claim.address._replace(secret=claim.subscription.secret)
    confirm = (
        f"{site.base}{CONFIRM_PATH}{build_address_token(address, LinkPurpose.CONFIRM, now + CONFIRMATION_SECONDS)}"
    )
    refuse = f"{site.base}{REFUSE_PATH}{build_address_token(address, LinkPurpose.REFUSE)}"
    text = format_confirmation(translator, site.base, confirm, refuse)
    return OutgoingMail(recipient, _format_subject(MailTopic.CONFIRMATION, translator), text, refuse)


def _find_recipient(connection: ReadConnection, claim: ClaimedMail) -> str | None:
    """Return the confirmed address or, for a confirmation e-mail, the unconfirmed one; None if no mail may be sent."""
    choice, address = claim.subscription, claim.address
    is_confirmation = choice.topic is MailTopic.CONFIRMATION
    if claim.is_disabled or not choice.is_active or address.email is None or address.is_confirmed is is_confirmation:
        return None
    return None if has_refused_mails(connection, address.email) else address.email


def _format_subject(topic: MailTopic, translator: MailTranslator) -> str:
    return f"Abhidhan: {translator.translate(MAIL_SUBJECTS[topic])}"


def load_decision_notices(
    connection: ReadConnection, undelivered: Iterable[UndeliveredDecision], build_word_url: WordUrlBuilder
) -> list[DecisionNotice]:
    """Return the current decisions, without records that were deleted or are pending again."""
    read = (NOTICE_LOADERS[notice.kind](connection, notice.record_id, build_word_url) for notice in undelivered)
    return [notice for notice in read if notice is not None]


def _load_submission_notice(
    connection: ReadConnection, number: int, build_word_url: WordUrlBuilder
) -> DecisionNotice | None:
    try:
        submission = get_submission(connection, number)
    except NotFoundError:
        return None
    if submission.status not in DECIDED_STATUSES:
        return None
    word = _find_resulting_word(connection, submission.result) if submission.status is Status.APPROVED else None
    return DecisionNotice(
        str(submission.kind),
        _format_submission_name(connection, submission),
        submission.status,
        submission.reason,
        word and build_word_url(word),
    )


def _format_submission_name(connection: ReadConnection, submission: Submission) -> str:
    """Return the display name of a submission. It may be the sender's text, and is mailed only to the sender."""
    return format_name(
        submission, load_subjects(connection, submissions=[submission]).get(submission.submission_id, "")
    )


def _find_resulting_word(connection: ReadConnection, result: str | None) -> str | None:
    """Return the spelling of the word that resulted from a submission; None if the result is not a word."""
    ref = RecordRef.parse(result) if result else None
    return load_spellings(connection, [ref.number]).get(ref.number) if ref and ref.kind == "word" else None


def _load_photo_notice(
    connection: ReadConnection, number: int, build_word_url: WordUrlBuilder
) -> DecisionNotice | None:
    row = PHOTOS.find(connection, number)
    if row is None or row.status not in DECIDED_STATUSES:
        return None
    status = Status(row.status)
    words = _list_photo_words(connection, row)
    address = build_word_url(words[0]) if words and row.idea_id and status is Status.APPROVED else None
    return DecisionNotice("photo", ", ".join(words), status, row.reason, address)


def _list_photo_words(connection: ReadConnection, row: PhotoRow) -> list[str]:
    """Return the words that a photo shows: those of its idea, or else the word submitted with it."""
    idea = load_idea(connection, row.idea_id) if row.idea_id else None
    if idea is not None:
        return [word.word for word in idea.words[:MAX_WORDS_IN_NAME]]
    if row.submission_id is None:
        return []
    try:
        return [_format_submission_name(connection, get_submission(connection, row.submission_id))]
    except NotFoundError:
        return []


def _load_recording_notice(
    connection: ReadConnection, number: int, build_word_url: WordUrlBuilder
) -> DecisionNotice | None:
    row = RECORDINGS.find(connection, number)
    if row is None or row.status not in DECIDED_STATUSES:
        return None
    status = Status(row.status)
    address = build_word_url(row.spoken) if row.word_id and status is Status.APPROVED else None
    return DecisionNotice("recording", row.spoken, status, row.reason, address)


NOTICE_LOADERS: Final[Mapping[str, Callable[[ReadConnection, int, WordUrlBuilder], DecisionNotice | None]]] = {
    "submission": _load_submission_notice,
    "photo": _load_photo_notice,
    "recording": _load_recording_notice,
}
"""Functions that load a decision notice, by kind of record; the kinds are those of CONTRIBUTION_TABLES."""


FIRST_CHECK_DELAY_SECONDS: Final = 10.0
CHECK_INTERVAL_SECONDS: Final = 30.0
"""Interval between checks for due e-mails, in seconds; each check is an index lookup."""

ONE_CLICK_HEADERS: Final = {"List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}

SENT_MAILS: Final = MAIL_DELIVERIES.labels("sent")
POSTPONED_MAILS: Final = MAIL_DELIVERIES.labels("put off")
ABANDONED_MAILS: Final = MAIL_DELIVERIES.labels("given up")

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
        while await self._database.read(partial(stored.has_due_mail, now=self._now())):
            outcome = await run_uninterrupted(self._deliver_next())
            if outcome in {None, DeliveryOutcome.UNREACHABLE}:
                break
            settled += outcome is DeliveryOutcome.SETTLED
        return settled

    async def _deliver_next(self) -> DeliveryOutcome | None:
        """Lease and deliver the next due e-mail; None if another worker has leased it."""
        job = partial(stored.claim_due_mail, now=self._now(), until=self._now() + LEASE_SECONDS)
        claimed = await self._database.write_concurrently(job)
        return None if claimed is None else await self._deliver_claim(claimed)

    async def _deliver_claim(self, claim: ClaimedMail) -> DeliveryOutcome:
        """Deliver a leased e-mail, and store the outcome."""
        try:
            job = partial(write_mail, claim=claim, site=self._site, now=self._now())
            content = await self._database.read(job, long=True)
            if content.mail is not None:
                await self._send(content.mail)
                SENT_MAILS.inc()
        except MessageRejectedError as error:
            await self._postpone(claim, str(error))
        except UnavailableError as error:
            await self._postpone(claim, str(error))
            return DeliveryOutcome.UNREACHABLE
        except Exception as error:  # noqa: BLE001  # an error in one mail must not stop the others
            await self._postpone(claim, type(error).__name__)
        else:
            await self._settle(claim, content.last_id)
            return DeliveryOutcome.SETTLED
        return DeliveryOutcome.REFUSED

    async def _send(self, mail: OutgoingMail) -> None:
        """Send an e-mail, with the header for one-click unsubscription if the link is https (RFC 8058).

        Raises UnavailableError.
        """
        if self._mailer is None:
            raise UnavailableError(sentence("This server does not send e-mail."), 0)
        is_secure = mail.unsubscribe_url.startswith("https://")
        headers = {"List-Unsubscribe": f"<{mail.unsubscribe_url}>", **(ONE_CLICK_HEADERS if is_secure else {})}
        await self._mailer.send(mail.recipient, mail.subject, mail.text, headers)

    async def _postpone(self, claim: ClaimedMail, reason: str) -> None:
        """Schedule a retry, or drop decisions that are too old. Logs neither addresses nor texts of the e-mail."""
        log_fields = {
            "person_id": claim.subscription.person_id,
            "topic": str(claim.subscription.topic),
            "reason": reason,
        }
        now = self._now()
        job = partial(stored.postpone, mail=claim, until=now + retry_delay_seconds(claim.tries + 1))
        if now - claim.due > MAX_DELIVERY_SECONDS:
            _log.error("an e-mail is no longer retried", **log_fields)
            ABANDONED_MAILS.inc()
            job = partial(
                stored.drop_expired_decisions, mail=claim, now=now, until=now + retry_delay_seconds(claim.tries + 1)
            )
        else:
            _log.warning("an e-mail could not be sent", **log_fields)
            POSTPONED_MAILS.inc()
        await self._database.write(job, public=False)

    async def _settle(self, claim: ClaimedMail, last_id: int) -> None:
        job = partial(stored.remove_delivered, mail=claim, last_id=last_id)
        await self._database.write(job, public=False)

    def _now(self) -> int:
        return int(self._clock())
