"""What a mail says that is due, and whether it goes out at all."""

from collections.abc import Callable
from typing import Final, NamedTuple

from abhidhan.contributions.service.decision_notices import WordAddress, decided_of
from abhidhan.people.model.mail_addresses import CONFIRM_SECONDS, Purpose, address_token
from abhidhan.people.model.mail_subscriptions import Topic, stop_token
from abhidhan.people.model.mail_templates import MOST_TOLD, SUBJECTS, Voice, ask_address, tell_decisions, with_way_out
from abhidhan.people.store import mails as stored
from abhidhan.people.store.mail_addresses import refuses_mails
from abhidhan.people.store.mails import Claim
from abhidhan.platform.database.reader import Reader

STOP: Final = "/account/mails/stop?token="
CONFIRM: Final = "/account/mails/confirm?token="
REFUSE: Final = "/account/mails/refuse?token="


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
