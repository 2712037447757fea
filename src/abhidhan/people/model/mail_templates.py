"""What mails say: plain text, in the language that a person has chosen."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

import msgspec

from abhidhan.people.model.mails import CONFIRM_DAYS, Topic
from abhidhan.records.errors import Sentence, sentence
from abhidhan.records.submissions import AUTOMATIC_REASONS, DONE, Status, Step

MOST_TOLD: Final = 50
"""So many decisions a mail tells; of more it tells how many there are."""

LONGEST_NAME: Final = 200
LONGEST_REASON: Final = 1_000

ACCOUNT: Final = "/account"

KINDS: Final[Mapping[str, Sentence]] = {
    "word": sentence("Word"),
    "correction": sentence("Correction"),
    "proverb": sentence("Proverb"),
    "example": sentence("Example"),
    "card": sentence("Flashcard"),
    "report": sentence("Report of an error"),
    "record": sentence("From a file"),
    "missing": sentence("Missing word"),
    "photo": sentence("Photo"),
    "recording": sentence("Recording"),
}
"""What kinds of contributions are called."""

STATES: Final[Mapping[Status, Sentence]] = {
    Status.APPROVED: DONE[Step.APPROVE],
    Status.REJECTED: DONE[Step.REJECT],
}
SUBJECTS: Final[Mapping[Topic, Sentence]] = {
    Topic.DECISIONS: sentence("What was decided about your contributions"),
    Topic.CONFIRMATION: sentence("Is this your address?"),
}
DECIDED: Final = sentence("This was decided about what you have sent:")
ALL_SENT: Final = sentence("All that you have sent:")
NOT_YOU: Final = sentence(
    "If it was not you, do nothing, and no mails will come. So that nobody can have this address asked again:"
)
WHY: Final = sentence("You get these mails because you agreed to them on your account page. This link stops them:")

_UNSEEN: Final = re.compile("[\\x00-\\x1f\\x7f-\\x9f\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ud800-\\udfff]")
"""Characters that would act upon a mail, instead of standing in it."""

_OF_ADDRESSES: Final = re.compile(r"(?<=\S)(?:\.(?=\w[^\s.])|@(?=\w))|(?<=[^\W\d]):(?=\S)")
"""What mail programs know addresses by: the dot of a host, the colon behind `https` and `mailto`, the @ of e-mail."""


class Voice(NamedTuple):
    """How a language says a sentence, and writes a number."""

    say: Callable[[Sentence], str]
    number: Callable[[int], str]


class Decided(msgspec.Struct, frozen=True):
    """What was decided about a contribution of a kind: by what it is known, why, and the address of what came of it."""

    kind: str
    name: str
    status: Status
    reason: str | None = None
    address: str | None = None


def tell_decisions(decided: Sequence[Decided], left: int, voice: Voice, base: str) -> str:
    """Write a mail about decisions, and how many are left besides. `base` is the address of the site."""
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
    """Write below a mail why it comes, and the address that stops such mails."""
    return f"{text}\n\n-- \n{voice.say(WHY)}\n{stop}\n"


def one_line(text: str, most: int) -> str:
    """Write what people have written so that it stays one line of a mail, and not too long a one."""
    seen = _UNSEEN.sub("\ufffd", " ".join(text.split()))
    return seen if len(seen) <= most else f"{seen[: most - 1]}…"


def ask_address(voice: Voice, base: str, confirm: str, refuse: str) -> str:
    """Write the question whether an address is right. Whoever had it sent has written nothing of it."""
    asked = sentence(
        "Somebody, probably you, has agreed to get mails at this address from the dictionary at %(site)s.", site=base
    )
    how = sentence(
        "If it was you, open this page within %(count)s days and press the button there. Until then no mails come.",
        count=voice.number(CONFIRM_DAYS),
    )
    return f"{voice.say(asked)}\n\n{voice.say(how)}\n{confirm}\n\n{voice.say(NOT_YOU)}\n{refuse}\n"


def without_links(text: str) -> str:
    """Write a text so that mail programs make no link of it: it may hold the address of a page or of a person."""
    return _OF_ADDRESSES.sub(r"[\g<0>]", text)


def _kind(kind: str, voice: Voice) -> str:
    return voice.say(KINDS[kind]) if kind in KINDS else kind
