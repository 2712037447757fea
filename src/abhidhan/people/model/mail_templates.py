"""Plain text of the e-mails, in the language that the user has chosen."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

import msgspec

from abhidhan.people.model.mails import CONFIRM_DAYS, Topic
from abhidhan.records.errors import Sentence, sentence
from abhidhan.records.submissions import AUTOMATIC_REASONS, DONE, Status, Step

MOST_TOLD: Final = 50
"""Maximum number of decisions listed in an e-mail; the others are only counted."""

LONGEST_NAME: Final = 200
LONGEST_REASON: Final = 1_000

ACCOUNT: Final = "/account"

KINDS: Final[Mapping[str, Sentence]] = {
    "word": sentence("Word"),
    "correction": sentence("Correction"),
    "proverb": sentence("Proverb"),
    "example": sentence("Example"),
    "card": sentence("Flashcard"),
    "report": sentence("Error report"),
    "record": sentence("From a file"),
    "missing": sentence("Missing word"),
    "photo": sentence("Photo"),
    "recording": sentence("Recording"),
}
"""Names of the kinds of contributions."""

STATES: Final[Mapping[Status, Sentence]] = {
    Status.APPROVED: DONE[Step.APPROVE],
    Status.REJECTED: DONE[Step.REJECT],
}
SUBJECTS: Final[Mapping[Topic, Sentence]] = {
    Topic.DECISIONS: sentence("Decisions about your contributions"),
    Topic.CONFIRMATION: sentence("Is this your address?"),
}
DECIDED: Final = sentence("Decisions about your contributions:")
ALL_SENT: Final = sentence("Everything you have sent:")
NOT_YOU: Final = sentence(
    "If this was not you, ignore this e-mail and you will not receive any more. To block further requests to this "
    "address:"
)
WHY: Final = sentence("You get these e-mails because you subscribed on your account page. Unsubscribe:")

_UNSEEN: Final = re.compile("[\\x00-\\x1f\\x7f-\\x9f\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ud800-\\udfff]")
"""Control characters, direction marks, line separators and lone surrogates, which could change the layout of a mail."""

_OF_ADDRESSES: Final = re.compile(r"(?<=\S)(?:\.(?=\w[^\s.])|@(?=\w))|(?<=[^\W\d]):(?=\S)")
"""Characters by which mail programs detect links: the dot in a host name, the colon after a scheme, the @."""


class Voice(NamedTuple):
    """Functions that translate messages and format numbers in one language."""

    say: Callable[[Sentence], str]
    number: Callable[[int], str]


class Decided(msgspec.Struct, frozen=True):
    """A decision about a contribution: its name, the reason, and the URL of the resulting page."""

    kind: str
    name: str
    status: Status
    reason: str | None = None
    address: str | None = None


def tell_decisions(decided: Sequence[Decided], left: int, voice: Voice, base: str) -> str:
    """Return the text of a mail about decisions. `left` counts those not listed; `base` is the URL of the site."""
    lines = [line for each in decided for line in _decision(each, voice)]
    if left:
        lines.append(f"- {voice.say(sentence('and %(count)s more', count=voice.number(left)))}")
    return "\n".join((voice.say(DECIDED), "", *lines, "", voice.say(ALL_SENT), base + ACCOUNT))


def _decision(decided: Decided, voice: Voice) -> Iterable[str]:
    name = without_links(one_line(decided.name, LONGEST_NAME))
    known = f" “{name}”" if name else ""
    yield f"- {_kind(decided.kind, voice)}{known}: {voice.say(STATES[decided.status])}"
    if decided.reason:
        ours = AUTOMATIC_REASONS.get(decided.reason)
        reason = voice.say(ours) if ours else one_line(decided.reason, LONGEST_REASON)
        yield f"  {voice.say(sentence('Reason: %(reason)s', reason=reason))}"
    if decided.address:
        yield f"  {decided.address}"


def with_way_out(text: str, voice: Voice, stop: str) -> str:
    """Append the reason for the mail and the URL that unsubscribes from such mails."""
    return f"{text}\n\n-- \n{voice.say(WHY)}\n{stop}\n"


def one_line(text: str, most: int) -> str:
    """Put text written by users on one line, replace unsafe characters, and shorten it to `most` characters."""
    seen = _UNSEEN.sub("\ufffd", " ".join(text.split()))
    return seen if len(seen) <= most else f"{seen[: most - 1]}…"


def ask_address(voice: Voice, base: str, confirm: str, refuse: str) -> str:
    """Return the mail that asks the owner of an address to confirm it. It contains no text written by users."""
    asked = sentence(
        "Someone, probably you, agreed to receive e-mails at this address from the dictionary at %(site)s.", site=base
    )
    how = sentence(
        "If this was you, open this page within %(count)s days and press the button. Until then you will receive "
        "no e-mails.",
        count=voice.number(CONFIRM_DAYS),
    )
    return f"{voice.say(asked)}\n\n{voice.say(how)}\n{confirm}\n\n{voice.say(NOT_YOU)}\n{refuse}\n"


def without_links(text: str) -> str:
    """Bracket dots, colons and @ so that mail programs do not turn URLs and addresses in a text into links."""
    return _OF_ADDRESSES.sub(r"[\g<0>]", text)


def _kind(kind: str, voice: Voice) -> str:
    return voice.say(KINDS[kind]) if kind in KINDS else kind
