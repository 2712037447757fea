"""Plain text of the e-mails, in the language that the user has chosen."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

import msgspec

from abhidhan.people.model.mails import CONFIRMATION_DAYS, MailTopic
from abhidhan.records.errors import Sentence, sentence
from abhidhan.records.submissions import AUTOMATIC_REASONS, MAX_REASON_LENGTH, STEP_PARTICIPLES, ReviewStep, Status

MAX_LISTED_DECISIONS: Final = 50
"""Maximum number of decisions listed in an e-mail; the others are only counted."""

MAX_NAME_LENGTH: Final = 200

ACCOUNT_PATH: Final = "/account"

KIND_NAMES: Final[Mapping[str, Sentence]] = {
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

STATUS_NAMES: Final[Mapping[Status, Sentence]] = {
    Status.APPROVED: STEP_PARTICIPLES[ReviewStep.APPROVE],
    Status.REJECTED: STEP_PARTICIPLES[ReviewStep.REJECT],
}
MAIL_SUBJECTS: Final[Mapping[MailTopic, Sentence]] = {
    MailTopic.DECISIONS: sentence("Decisions about your contributions"),
    MailTopic.CONFIRMATION: sentence("Is this your address?"),
}
DECISIONS_HEADING: Final = sentence("Decisions about your contributions:")
ALL_SUBMISSIONS_HEADING: Final = sentence("Everything you have sent:")
NOT_YOU_NOTE: Final = sentence(
    "If this was not you, ignore this e-mail and you will not receive any more. To block further requests to this "
    "address:"
)
UNSUBSCRIBE_NOTE: Final = sentence("You get these e-mails because you subscribed on your account page. Unsubscribe:")

_UNSAFE_CHARACTERS: Final = re.compile(
    "[\\x00-\\x1f\\x7f-\\x9f\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ud800-\\udfff]"
)
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
    url: str | None = None


def format_decisions(
    notices: Sequence[DecisionNotice], remaining: int, translator: MailTranslator, base_url: str
) -> str:
    """Format the text of an e-mail about decisions; `remaining` is the number of decisions that are not listed."""
    lines = [line for notice in notices for line in _format_decision(notice, translator)]
    if remaining:
        lines.append(
            f"- {translator.translate(sentence('and %(count)s more', count=translator.format_number(remaining)))}"
        )
    return "\n".join(
        (
            translator.translate(DECISIONS_HEADING),
            "",
            *lines,
            "",
            translator.translate(ALL_SUBMISSIONS_HEADING),
            base_url + ACCOUNT_PATH,
        )
    )


def _format_decision(notice: DecisionNotice, translator: MailTranslator) -> Iterable[str]:
    name = break_links(clean_line(notice.name, MAX_NAME_LENGTH))
    quoted_name = f" “{name}”" if name else ""
    status = translator.translate(STATUS_NAMES[notice.status])
    yield f"- {_translate_kind(notice.kind, translator)}{quoted_name}: {status}"
    if notice.reason:
        automatic_reason = AUTOMATIC_REASONS.get(notice.reason)
        reason = (
            translator.translate(automatic_reason) if automatic_reason else clean_line(notice.reason, MAX_REASON_LENGTH)
        )
        yield f"  {translator.translate(sentence('Reason: %(reason)s', reason=reason))}"
    if notice.url:
        yield f"  {notice.url}"


def append_unsubscribe_link(text: str, translator: MailTranslator, unsubscribe_url: str) -> str:
    """Append a note why the user gets the e-mail, and the URL that unsubscribes."""
    return f"{text}\n\n-- \n{translator.translate(UNSUBSCRIBE_NOTE)}\n{unsubscribe_url}\n"


def clean_line(text: str, max_length: int) -> str:
    """Join the lines of a user's text, replace unsafe characters, and shorten it to `max_length` characters."""
    visible = _UNSAFE_CHARACTERS.sub("\ufffd", " ".join(text.split()))
    return visible if len(visible) <= max_length else f"{visible[: max_length - 1]}…"


def format_confirmation(translator: MailTranslator, base_url: str, confirm_url: str, refuse_url: str) -> str:
    """Format the e-mail that asks the owner of an address to confirm it. It contains no text written by users."""
    explanation = sentence(
        "Someone, probably you, agreed to receive e-mails at this address from the dictionary at %(site)s.",
        site=base_url,
    )
    confirm_note = sentence(
        "If this was you, open this page within %(count)s days and press the button. Until then you will receive "
        "no e-mails.",
        count=translator.format_number(CONFIRMATION_DAYS),
    )
    instructions = (
        f"{translator.translate(confirm_note)}\n{confirm_url}\n\n{translator.translate(NOT_YOU_NOTE)}\n{refuse_url}"
    )
    return f"{translator.translate(explanation)}\n\n{instructions}\n"


def break_links(text: str) -> str:
    """Put dots, colons and @ in brackets, so that mail programs do not turn URLs and addresses in a text into links."""
    return _LINK_CHARACTERS.sub(r"[\g<0>]", text)


def _translate_kind(kind: str, translator: MailTranslator) -> str:
    return translator.translate(KIND_NAMES[kind]) if kind in KIND_NAMES else kind
