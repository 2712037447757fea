"""A person's own data: the name under which contributions stay, and what is taken out of texts when somebody leaves."""

import re
import unicodedata
from collections.abc import Collection
from typing import Any, Final

import msgspec

from abhidhan.records.errors import InputError, sentence
from abhidhan.records.people import is_of_one_script, is_word_of_name, username_key
from abhidhan.records.submission_payloads import Kind
from abhidhan.records.throttling import Slowdown
from assamese.normalization import visible_length

EXPORT: Final = Slowdown(free=5, first=600, longest=3600, forgotten=86_400)
"""Copies of one's own data: each reads all that somebody has ever sent."""

SHORTEST_NAME: Final = 2
LONGEST_NAME: Final = 60

ANONYMOUS: Final = ""
"""What is stored as the name of whoever wants none: pages say it in their own language."""

HIDDEN: Final = "[…]"
"""Stands in a text for a name or an address that was taken out."""

REMARKS: Final = frozenset({"reference", "note"})
PROSE: Final = frozenset({"comment", "reason"}) | REMARKS
"""Keys of what people write to and about each other. Words, definitions and proverbs are the dictionary's own."""

_LETTER: Final = r"[\w\u0300-\u036f\u0900-\u0dff\u200c\u200d]"
"""What belongs to a word; to `re`, the vowel signs of Indic scripts do not."""


class Leaving(msgspec.Struct, frozen=True):
    """How somebody leaves: under which name contributions stay (None: without one), and what becomes of the rest.

    `keep_waiting` lets what waits for an editor wait on; else it is withdrawn. `all_credits` gives the name to every
    photo and recording, whatever it says of who made it. `remove_recordings` deletes every recording, approved ones
    too: a voice is its speaker's own, unlike a word that somebody has told.
    """

    name: str | None = None
    keep_waiting: bool = False
    all_credits: bool = False
    remove_recordings: bool = False


def clean_name(name: str, parameter: str = "name") -> str:
    """Clean a name under which contributions stay. Raises InputError.

    The rules are those of the names of accounts, but several words may stand in it.
    """
    words = unicodedata.normalize("NFC", name).split()
    clean = " ".join(words)
    if not SHORTEST_NAME <= len(clean) <= LONGEST_NAME:
        detail = sentence(
            "`%(parameter)s` must have from %(least)s to %(most)s characters.",
            parameter=parameter,
            least=SHORTEST_NAME,
            most=LONGEST_NAME,
        )
    elif visible_length(clean) < SHORTEST_NAME or not all(map(is_word_of_name, words)):
        detail = sentence(
            "`%(parameter)s` may contain letters, digits and spaces, with . _ - between them; "
            "each word must begin with a letter or digit.",
            parameter=parameter,
        )
    elif not is_of_one_script(clean):
        detail = sentence("`%(parameter)s` must use the letters of one script only.", parameter=parameter)
    else:
        return clean
    raise InputError.of(parameter, detail)


def name_of(leaving: Leaving) -> str:
    """Return under which name contributions stay, as it is stored. Raises InputError."""
    return ANONYMOUS if leaving.name is None else clean_name(leaving.name)


class Redaction:
    """Takes a person's name and e-mail address out of texts, and puts the chosen name where a credit stands."""

    def __init__(self, username: str, email: str | None, name: str, *, all_credits: bool = False) -> None:
        """Take what shall be found no more, and the name that stays."""
        self.name = name
        self._key = username_key(username)
        self._all_credits = all_credits
        self._kept = username_key(name) == self._key
        self._email = re.compile(re.escape(email), re.IGNORECASE) if email else None
        self._username = re.compile(f"(?<!{_LETTER}){re.escape(username)}(?!{_LETTER})", re.IGNORECASE)

    def credit(self, line: str) -> str:
        """Write the credit line of a photo anew."""
        return self.name if self._all_credits or self._is_name(line) else self.prose(line)

    def speaker(self, name: str | None) -> str | None:
        """Write the name of a recording's speaker anew; where no name stays, there is none."""
        return name and (self.credit(name) or None)

    def prose(self, text: str) -> str:
        """Take the name and the address out of what somebody wrote."""
        without = self.without_email(text)
        return without if self._kept else self._username.sub(self.name or HIDDEN, without)

    def remark(self, text: str | None) -> str | None:
        """Write a reference or note anew; one that was the name alone goes where no name stays."""
        return text if text is None else ((self.name or None) if self._is_name(text) else self.prose(text))

    def without_email(self, text: str) -> str:
        """Take the address out of a text."""
        return self._email.sub(HIDDEN, text) if self._email else text

    def json(self, text: str | None, gone: Collection[str] = ()) -> str | None:
        """Write JSON anew that history or a submission keeps, without the records that are gone."""
        if not text or not (gone or self._concerns(text)):
            return text
        value = msgspec.json.decode(text)
        if gone and isinstance(value, dict):
            value = {name: state for name, state in value.items() if name not in gone}
        return msgspec.json.encode(self._walked(value, "")).decode()

    def payload(self, text: str, kind: Kind) -> str:
        """Write anew what somebody submitted. What a report tells is prose."""
        if not self._concerns(text):
            return text
        if kind is not Kind.REPORT:
            return self.json(text) or text
        value = msgspec.json.decode(text)
        value["data"]["text"] = self.prose(value["data"]["text"])
        return msgspec.json.encode(value).decode()

    def _concerns(self, text: str) -> bool:
        """Return whether anything of a text may have to be written anew."""
        found = self._username.search(text) or (self._email and self._email.search(text))
        return bool(found) or '"credit"' in text or '"speaker"' in text or self._key in username_key(text)

    def _walked(self, value: Any, key: str) -> Any:  # noqa: ANN401  # any JSON
        match value:
            case dict():
                return {name: self._walked(each, name) for name, each in value.items()}
            case list():
                return [self._walked(each, key) for each in value]
            case str():
                return self._string(value, key)
            case _:
                return value

    def _string(self, text: str, key: str) -> str | None:
        if key == "credit":
            return self.credit(text)
        if key == "speaker":
            return self.speaker(text)
        if key in REMARKS:
            return self.remark(text)
        return self.prose(text) if key in PROSE else self.without_email(text)

    def _is_name(self, text: str) -> bool:
        return username_key(text.strip()) == self._key
