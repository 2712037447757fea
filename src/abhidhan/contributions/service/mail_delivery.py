"""Mails on their way: what is due is taken, written and handed over, until the mail server has accepted it.

Whoever takes a mail is noted in the database, so that of all workers, on however many machines, one sends it. A worker
that dies between the acceptance and its note sends it again, later; none is lost.
"""

import time
from collections.abc import Callable
from enum import Enum, auto
from functools import partial
from typing import Final

import structlog

from abhidhan.contributions.service.mail_rendering import Letter, MailSite, write
from abhidhan.people.model.mail_subscriptions import GIVEN_UP_AFTER, LEASE_SECONDS, pause_after
from abhidhan.people.store import mails as stored
from abhidhan.people.store.mails import Claim
from abhidhan.platform.database.database import Database
from abhidhan.platform.runtime.metrics import MAILS
from abhidhan.platform.runtime.smtp import Mailer, NotTakenError
from abhidhan.platform.runtime.task_scope import PeriodicTask, run_to_end
from abhidhan.records.errors import UnavailableError, sentence

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
