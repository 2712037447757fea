"""Roman letters with marks, as scholars write Assamese, made into those that people type: śabda is xabda."""

import re
import unicodedata
from functools import lru_cache
from typing import Final

import msgspec

from assamese.tables import read_table

REMEMBERED: Final = 64  # texts that are kept at hand: each word found is compared with the same one


class Marked(msgspec.Struct, frozen=True):
    """The table of letters with marks: those of every scheme, and those that only a text in IPA has otherwise.

    `unwritten` are sounds of a text in IPA that no letter is typed for, as a regular expression.
    """

    letters: dict[str, str]
    only_ipa: str
    unwritten: str
    ipa: dict[str, str]


_TABLE: Final = read_table("marked", Marked)


def _reading(letters: dict[str, str]) -> tuple[re.Pattern[str], dict[str, str]]:
    """Make the expression that finds letters with marks, and what is typed for each."""
    typed = {unicodedata.normalize("NFD", letter): plain for letter, plain in letters.items()}
    return re.compile("|".join(map(re.escape, sorted(typed, key=len, reverse=True)))), typed


_LETTERS: Final = _reading(_TABLE.letters)
_IPA: Final = _reading({**_TABLE.letters, **_TABLE.ipa})
_OTHER_MARKS: Final = re.compile("[\u0300-\u036f]+")
_ONLY_IPA: Final = frozenset(_TABLE.only_ipa)
_UNWRITTEN: Final = re.compile(_TABLE.unwritten)


@lru_cache(maxsize=REMEMBERED)
def as_typed(text: str) -> str:
    """Write the letters with marks of ISO 15919, ALA-LC, IPA and Xobdo's scheme as people type them.

    Other letters stay as they are, without the marks that the table has not.
    """
    if text.isascii():
        return text
    plain = unicodedata.normalize("NFD", text.lower())
    letters, typed = _LETTERS
    if _ONLY_IPA & {*plain}:
        letters, typed = _IPA
        plain = _UNWRITTEN.sub("", plain)
    return unicodedata.normalize("NFC", _OTHER_MARKS.sub("", letters.sub(lambda letter: typed[letter[0]], plain)))
