"""What a mail says that is due, and whether it goes out at all."""

from collections.abc import Callable
from typing import Final, NamedTuple

import structlog

from abhidhan.domain.mail_addresses import CONFIRM_SECONDS, Purpose, address_token
from abhidhan.domain.mail_texts import (
    MOST_TOLD,
    SUBJECTS,
    Voice,
    ask_address,
    tell_decisions,
    tell_waiting,
    with_way_out,
)
from abhidhan.domain.mails import TOO_LATE, Often, Topic, may_get, stop_token
from abhidhan.services.contributions.told import WordAddress, decided_of
from abhidhan.storage import mails as stored
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.mail_addresses import refuses_mails
from abhidhan.storage.mails import Backlog, Claim
from abhidhan.storage.submissions import count_waiting

STOP: Final = "/account/mails/stop?token="
CONFIRM: Final = "/account/mails/confirm?token="
REFUSE: Final = "/account/mails/refuse?token="
NONE_WAIT: Final = Backlog([], 0, 0)

_log = structlog.get_logger("abhidhan.mails")


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
    choice = claimed.choice
    backlog = NONE_WAIT
    if choice.topic is Topic.DECISIONS:
        backlog = stored.backlog_of(reader, choice.person_id, MOST_TOLD)
    recipient = _recipient(reader, claimed)
    if recipient is None:
        return Content(backlog.last, None)
    voice = site.voice_of(choice.language)
    subject = f"Abhidhan: {voice.say(SUBJECTS[choice.topic])}"
    if choice.topic is Topic.CONFIRMATION:
        return Content(0, Letter(recipient, subject, *_question(claimed, site, voice, now)))
    text = _decisions(reader, backlog, site, voice) if backlog.total else _digest(reader, claimed, site, voice, now)
    stop = f"{site.base}{STOP}{stop_token(choice)}"
    return Content(backlog.last, Letter(recipient, subject, with_way_out(text, voice, stop), stop) if text else None)


def _recipient(reader: Reader, claimed: Claim) -> str | None:
    """Return to which address a mail goes: a confirmed one or, with the question about it, one that is not."""
    choice, address = claimed.choice, claimed.address
    allowed = not claimed.is_disabled and may_get(choice.topic, claimed.role) and choice.often is not Often.NEVER
    asks = choice.topic is Topic.CONFIRMATION
    if not allowed or address.email is None or address.is_confirmed is asks or refuses_mails(reader, address.email):
        return None
    return address.email


def _question(claimed: Claim, site: MailSite, voice: Voice, now: int) -> tuple[str, str]:
    """Write the question whether an address is right, and the address of the page that refuses such mails."""
    known = claimed.address._replace(secret=claimed.choice.secret)
    confirm = f"{site.base}{CONFIRM}{address_token(known, Purpose.CONFIRM, now + CONFIRM_SECONDS)}"
    refuse = f"{site.base}{REFUSE}{address_token(known, Purpose.REFUSE)}"
    return ask_address(voice, site.base, confirm, refuse), refuse


def _decisions(reader: Reader, backlog: Backlog, site: MailSite, voice: Voice) -> str | None:
    decided = decided_of(reader, backlog.first, site.word_address)
    left = backlog.total - len(backlog.first)
    return tell_decisions(decided, left, voice, site.base) if decided or left else None


def _digest(reader: Reader, claimed: Claim, site: MailSite, voice: Voice, now: int) -> str | None:
    if claimed.choice.topic is not Topic.DIGEST:
        return None
    if now - claimed.due > TOO_LATE:
        _log.warning("a digest is left out", person_id=claimed.choice.person_id, reason="it is late")
        return None
    waiting = count_waiting(reader)
    return tell_waiting(waiting, voice, site.base) if waiting.of(()) or waiting.photos else None
