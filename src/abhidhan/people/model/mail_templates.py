"""Plain text of the e-mails, in the language that the user has chosen."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

import msgspec

from abhidhan.people.model.mails import CONFIRM_DAYS, MailTopic
from abhidhan.records.errors import Sentence, sentence
from abhidhan.records.submissions import AUTOMATIC_REASONS, STEP_PARTICIPLES, ReviewStep, Status

MAX_LISTED_DECISIONS: Final = 50
"""Maximum number of decisions listed in an e-mail; the others are only counted."""

MAX_NAME_LENGTH: Final = 200
MAX_REASON_LENGTH: Final = 1_000

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
    Status.APPROVED: STEP_PARTICIPLES[ReviewStep.APPROVE],
    Status.REJECTED: STEP_PARTICIPLES[ReviewStep.REJECT],
}
SUBJECTS: Final[Mapping[MailTopic, Sentence]] = {
    MailTopic.DECISIONS: sentence("Decisions about your contributions"),
    MailTopic.CONFIRMATION: sentence("Is this your address?"),
}
DECISIONS_HEADING: Final = sentence("Decisions about your contributions:")
ALL_SENT: Final = sentence("Everything you have sent:")
NOT_YOU: Final = sentence(
    "If this was not you, ignore this e-mail and you will not receive any more. To block further requests to this "
    "address:"
)
WHY: Final = sentence("You get these e-mails because you subscribed on your account page. Unsubscribe:")

_UNSAFE: Final = re.compile("[\\x00-\\x1f\\x7f-\\x9f\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ud800-\\udfff]")
"""Control characters, direction marks, line separators and lone surrogates: they could change an e-mail's layout."""

_LINK_CHARACTERS: Final = re.compile(r"(?<=\S)(?:\.(?=\w[^\s.])|@(?=\w))|(?<=[^\W\d]):(?=\S)")
"""Characters by which mail programs detect links: the dot in a host name, the colon after a scheme, the @."""


class MailTranslator(NamedTuple):
    """Functions that translate messages and format numbers in one language."""

    translate: Callable[[Sentence], str]
    format_number: Callable[[int], str]


class DecisionNotice(msgspec.Struct, frozen=True):
    """A decision about a contribution: its name, the reason, and the URL of the resulting page."""

    kind: str
    name: str
    status: Status
    reason: str | None = None
    address: str | None = None


def decisions_text(notices: Sequence[DecisionNotice], remaining: int, translator: MailTranslator, base: str) -> str:
    """Format the text of an e-mail about decisions; `remaining` is the number of decisions that are not listed."""
    lines = [line for notice in notices for line in _decision(notice, translator)]
    if remaining:
        lines.append(
            f"- {translator.translate(sentence('and %(count)s more', count=translator.format_number(remaining)))}"
        )
    return "\n".join(
        (translator.translate(DECISIONS_HEADING), "", *lines, "", translator.translate(ALL_SENT), base + ACCOUNT)
    )


def _decision(notice: DecisionNotice, translator: MailTranslator) -> Iterable[str]:
    name = without_links(one_line(notice.name, MAX_NAME_LENGTH))
    quoted_name = f" “{name}”" if name else ""
    yield f"- {_kind(notice.kind, translator)}{quoted_name}: {translator.translate(STATES[notice.status])}"
    if notice.reason:
        ours = AUTOMATIC_REASONS.get(notice.reason)
        reason = translator.translate(ours) if ours else one_line(notice.reason, MAX_REASON_LENGTH)
        yield f"  {translator.translate(sentence('Reason: %(reason)s', reason=reason))}"
    if notice.address:
        yield f"  {notice.address}"


def with_unsubscribe_link(text: str, translator: MailTranslator, stop: str) -> str:
    """Append a note why the user gets the e-mail, and the URL that unsubscribes."""
    return f"{text}\n\n-- \n{translator.translate(WHY)}\n{stop}\n"


def one_line(text: str, max_length: int) -> str:
    """Join the lines of a user's text, replace unsafe characters, and shorten it to `max_length` characters."""
    seen = _UNSAFE.sub("\ufffd", " ".join(text.split()))
    return seen if len(seen) <= max_length else f"{seen[: max_length - 1]}…"


def confirmation_text(translator: MailTranslator, base: str, confirm: str, refuse: str) -> str:
    """Format the e-mail that asks the owner of an address to confirm it. It contains no text written by users."""
    explanation = sentence(
        "Someone, probably you, agreed to receive e-mails at this address from the dictionary at %(site)s.", site=base
    )
    how = sentence(
        "If this was you, open this page within %(count)s days and press the button. Until then you will receive "
        "no e-mails.",
        count=translator.format_number(CONFIRM_DAYS),
    )
    instructions = f"{translator.translate(how)}\n{confirm}\n\n{translator.translate(NOT_YOU)}\n{refuse}"
    return f"{translator.translate(explanation)}\n\n{instructions}\n"


def without_links(text: str) -> str:
    """Put dots, colons and @ in brackets, so that mail programs do not turn URLs and addresses in a text into links."""
    return _LINK_CHARACTERS.sub(r"[\g<0>]", text)


def _kind(kind: str, translator: MailTranslator) -> str:
    return translator.translate(KINDS[kind]) if kind in KINDS else kind
