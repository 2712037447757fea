"""Split a query into its fields (`pos:noun`, `lang:as`) and its words, and tell whether the words are a pattern."""

import re
import unicodedata
from collections.abc import Mapping
from enum import StrEnum
from itertools import pairwise
from typing import Final, NamedTuple

from abhidhan.dictionary.model.wildcards import ANY, ONE, SIGNS


class FieldName(StrEnum):
    """The fields by which words are searched. Only these names count: `foo:bar` is a text like any other."""

    POS = "pos"
    CONTEXT = "context"
    LANGUAGE = "lang"
    HAS = "has"


class Field(NamedTuple):
    """A field of a query, and the value asked for; the value is blank where nothing stands behind the colon."""

    name: FieldName
    value: str


class FieldQuery(NamedTuple):
    """A query: its words, as they stand without the fields, and its fields in their order."""

    words: str
    fields: tuple[Field, ...]

    def values(self, name: FieldName) -> tuple[str, ...]:
        """List what is asked of one field, each value once."""
        return tuple(dict.fromkeys(field.value for field in self.fields if field.name is name))


class Having(StrEnum):
    """What a word may have."""

    PHOTO = "photo"
    AUDIO = "audio"


QUOTES: Final[Mapping[str, str]] = {'"': '"', "“": "”", "„": "“”", "«": "»"}
"""What opens a value with spaces in it, and what may close it: also the quotes that phones and keyboards make."""

_FIELD: Final = re.compile(rf"(?:^|(?<=\s))(?P<name>{'|'.join(FieldName)}):", re.IGNORECASE)
"""A field begins a query or stands behind a space, so that nothing within a word or a quoted text is one."""

_UP_TO_A_SPACE: Final = re.compile(r"\S*")


def read_fields(text: str) -> FieldQuery:
    """Take the fields out of a query. What is left are its words, with single spaces between them.

    A value ends at the next space, one in quotes where these are closed, or with the query where they are not.
    """
    words: list[str] = []
    fields: list[Field] = []
    place = 0
    while found := _FIELD.search(text, place):
        words.append(text[place : found.start()])
        value, place = _read_value(text, found.end())
        fields.append(Field(FieldName(found["name"].lower()), value))
    words.append(text[place:])
    return FieldQuery(" ".join(" ".join(words).split()), tuple(fields))


def _read_value(text: str, start: int) -> tuple[str, int]:
    """Read the value that begins at a place; return also where it ends."""
    closing = QUOTES.get(text[start : start + 1])
    if closing is None:
        found = _UP_TO_A_SPACE.match(text, start)
        end = found.end() if found else start
        return text[start:end], end
    end = min((place for each in closing if (place := text.find(each, start + 1)) >= 0), default=len(text))
    return " ".join(text[start + 1 : end].split()), end + 1


# --- wildcards --------------------------------------------------------------------------------------------------------


class Signs(StrEnum):
    """Where `*` and `?` in a query are wildcards: nowhere, everywhere, or as somebody means who types on a page."""

    NOWHERE = "nowhere"
    EVERYWHERE = "everywhere"
    AS_TYPED = "as typed"


def is_pattern(words: str, wildcards: Signs) -> bool:
    """Return whether the words of a query have wildcards.

    On a page these are `*`, and `?` before a letter. Any other `?` is punctuation there: "পানী?" asks for পানী.
    """
    if wildcards is Signs.AS_TYPED:
        pairs = pairwise(words)
        return ANY in words or any(sign == ONE and unicodedata.category(after)[0] in "LMN" for sign, after in pairs)
    return wildcards is Signs.EVERYWHERE and not SIGNS.isdisjoint(words)


def without_final_marks(text: str) -> str:
    """Leave out the question marks that end a text: on pages they are punctuation."""
    return text.rstrip(ONE + " ")
