"""Personal data: the name for the contributions of a deleted account, and its redaction from texts."""

import re
import unicodedata
from collections.abc import Collection
from typing import Any, Final

import msgspec

from abhidhan.records.errors import InputError, sentence
from abhidhan.records.people import has_single_script, is_name_word, username_key
from abhidhan.records.submission_payloads import Kind
from abhidhan.records.throttling import Throttle
from assamese.normalization import visible_length

EXPORT_THROTTLE: Final = Throttle(
    free_attempts=5, first_delay_seconds=600, max_delay_seconds=3600, reset_after_seconds=86_400
)
"""Throttle for exports of a user's own data, which read everything that the user has ever sent."""

MIN_NAME_LENGTH: Final = 2
MAX_NAME_LENGTH: Final = 60

ANONYMOUS: Final = ""
"""The stored name of an anonymised user; pages show it in their own language."""

REDACTION_MARK: Final = "[…]"
"""Replaces a redacted name or address in a text."""

REMARK_KEYS: Final = frozenset({"reference", "note"})
PROSE_KEYS: Final = frozenset({"comment", "reason"}) | REMARK_KEYS
"""JSON keys of texts in which users may mention each other, unlike words, definitions and proverbs."""

_WORD_CHARACTER: Final = r"[\w\u0300-\u036f\u0900-\u0dff\u200c\u200d]"
"""Characters of a word; `\\w` of `re` does not include the vowel signs of Indic scripts."""


class DeletionChoices(msgspec.Struct, frozen=True):
    """The user's choices for deleting an account. `name` is for contributions; None makes them anonymous.

    `keep_waiting` keeps pending submissions, which are withdrawn otherwise. `all_credits` sets the name in the credit
    of every photo and recording, whatever it says. `remove_recordings` deletes all recordings, including approved ones:
    a voice is personal, unlike a contributed word.
    """

    name: str | None = None
    keep_waiting: bool = False
    all_credits: bool = False
    remove_recordings: bool = False


def clean_name(name: str, parameter: str = "name") -> str:
    """Validate and clean the name for contributions. Raises InputError.

    The rules are those of usernames, but the name may have several words.
    """
    words = unicodedata.normalize("NFC", name).split()
    clean = " ".join(words)
    if not MIN_NAME_LENGTH <= len(clean) <= MAX_NAME_LENGTH:
        detail = sentence(
            "`%(parameter)s` must have from %(least)s to %(most)s characters.",
            parameter=parameter,
            least=MIN_NAME_LENGTH,
            most=MAX_NAME_LENGTH,
        )
    elif visible_length(clean) < MIN_NAME_LENGTH or not all(map(is_name_word, words)):
        detail = sentence(
            "`%(parameter)s` may contain letters, digits and spaces, with . _ - between them; "
            "each word must begin with a letter or digit.",
            parameter=parameter,
        )
    elif not has_single_script(clean):
        detail = sentence("`%(parameter)s` must use the letters of one script only.", parameter=parameter)
    else:
        return clean
    raise InputError.of(parameter, detail)


def contribution_name(choices: DeletionChoices) -> str:
    """Return the name for contributions in its stored form. Raises InputError."""
    return ANONYMOUS if choices.name is None else clean_name(choices.name)


class Redactor:
    """Redacts a user's name and e-mail address in texts, and replaces credits by the chosen name."""

    def __init__(self, username: str, email: str | None, name: str, *, all_credits: bool = False) -> None:
        """Initialise with the username and address to redact, and the name that replaces them."""
        self.name = name
        self._key = username_key(username)
        self._all_credits = all_credits
        self._keeps_username = username_key(name) == self._key
        self._email = re.compile(re.escape(email), re.IGNORECASE) if email else None
        self._username = re.compile(f"(?<!{_WORD_CHARACTER}){re.escape(username)}(?!{_WORD_CHARACTER})", re.IGNORECASE)

    def redact_credit(self, line: str) -> str:
        """Redact the credit line of a photo."""
        return self.name if self._all_credits or self._is_username(line) else self.redact_prose(line)

    def redact_speaker(self, name: str | None) -> str | None:
        """Redact the name of a recording's speaker. Returns None if the contributions become anonymous."""
        return name and (self.redact_credit(name) or None)

    def redact_prose(self, text: str) -> str:
        """Redact the name and the address in a text."""
        without = self.redact_email(text)
        return without if self._keeps_username else self._username.sub(self.name or REDACTION_MARK, without)

    def redact_remark(self, text: str | None) -> str | None:
        """Redact a reference or note; one that consists of the name becomes the new name, or None if anonymous."""
        return text if text is None else ((self.name or None) if self._is_username(text) else self.redact_prose(text))

    def redact_email(self, text: str) -> str:
        """Redact the address in a text."""
        return self._email.sub(REDACTION_MARK, text) if self._email else text

    def redact_json(self, text: str | None, deleted_refs: Collection[str] = ()) -> str | None:
        """Redact JSON of the history or of a submission, and drop the records in `deleted_refs`."""
        if not text or not (deleted_refs or self._may_need_redaction(text)):
            return text
        value = msgspec.json.decode(text)
        if deleted_refs and isinstance(value, dict):
            value = {name: state for name, state in value.items() if name not in deleted_refs}
        return msgspec.json.encode(self._redact_value(value, "")).decode()

    def redact_payload(self, text: str, kind: Kind) -> str:
        """Redact the payload of a submission. Unlike other payloads, a report has prose in `text`."""
        if not self._may_need_redaction(text):
            return text
        if kind is not Kind.REPORT:
            return self.redact_json(text) or text
        value = msgspec.json.decode(text)
        value["data"]["text"] = self.redact_prose(value["data"]["text"])
        return msgspec.json.encode(value).decode()

    def _may_need_redaction(self, text: str) -> bool:
        """Return whether a text may need redaction."""
        mention = self._username.search(text) or (self._email and self._email.search(text))
        return bool(mention) or '"credit"' in text or '"speaker"' in text or self._key in username_key(text)

    def _redact_value(self, value: Any, key: str) -> Any:  # noqa: ANN401  # any JSON
        match value:
            case dict():
                return {name: self._redact_value(each, name) for name, each in value.items()}
            case list():
                return [self._redact_value(each, key) for each in value]
            case str():
                return self._redact_string(value, key)
            case _:
                return value

    def _redact_string(self, text: str, key: str) -> str | None:
        if key == "credit":
            return self.redact_credit(text)
        if key == "speaker":
            return self.redact_speaker(text)
        if key in REMARK_KEYS:
            return self.redact_remark(text)
        return self.redact_prose(text) if key in PROSE_KEYS else self.redact_email(text)

    def _is_username(self, text: str) -> bool:
        return username_key(text.strip()) == self._key
