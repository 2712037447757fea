"""Queries with fields (`pos:noun`, `lang:as`) and patterns with wildcards (`*` and `?`).

What is written on `?` or joined to it counts: `?া` is any letter with আ-কাৰ, and `ক্?` any conjunct that begins with ক
(`assamese/letters.py`). `*` has no such limits: `ক*` finds কাল too, as every list of words that begin with ক does.

A pattern is compared with the exact key of a word, and with its loose key, where the pattern is folded like a word:
`সূৰ্য্য*` finds সূৰ্যমুখী.
"""

import re
import unicodedata
from collections.abc import Collection, Mapping
from enum import StrEnum
from itertools import pairwise
from typing import Final, NamedTuple

from abhidhan.records.orthography import OWN_FOLDING
from assamese.keys import loose_key
from assamese.letters import JOINERS, Span, aksharas, is_mark, places_in_exact, places_in_loose
from assamese.normalization import exact_key

ANY: Final = "*"
ONE: Final = "?"
SIGNS: Final = frozenset({ANY, ONE})

NO_LETTER: Final[Span] = (-1, -1)


class KeyPattern(NamedTuple):
    """A pattern that is folded like the keys that it is compared with."""

    text: str

    @property
    def prefix(self) -> str:
        """What stands before the first wildcard."""
        return re.split(r"[*?]", self.text, maxsplit=1)[0]

    @property
    def shortest(self) -> int:
        """The least number of characters of a key that fits."""
        return len(self.text.replace(ANY, ""))

    @property
    def like(self) -> str:
        """A pattern of SQL's `LIKE`, escaped by `/`, that every key fits which fits this one, and few others."""
        return re.sub(r"[%_/]", r"/\g<0>", self.text).replace(ANY, "%").replace(ONE, "_%")

    def fits(self, key: str, letters: Mapping[int, Span]) -> bool:
        """Compare it with a key, sign by sign, at all places that the signs before lead to: nothing is tried twice.

        `letters` tells for each place which letter it is in; they matter where there is a `?`.
        """
        reached: Collection[int] = {0}
        for number, sign in enumerate(self.text):
            if sign == ANY:
                reached = range(min(reached), len(key) + 1)
            elif sign == ONE:
                reached = self._one_letter_on(reached, letters, number)
            else:
                reached = {place + 1 for place in reached if key.startswith(sign, place)}
            if not reached:
                return False
        return len(key) in reached

    def _one_letter_on(self, reached: Collection[int], letters: Mapping[int, Span], number: int) -> set[int]:
        """Go on by one letter. After a virama it has begun already, and it may end before a mark."""
        begins_within = self.text[number - 1 : number] in JOINERS
        ends_within = is_mark(self.text[number + 1 : number + 2] or " ")
        found: set[int] = set()
        for place in reached:
            first, last = letters.get(place, NO_LETTER)
            if place == first or (begins_within and first >= 0):
                found.update(range(place + 1, last + 1) if ends_within else (last,))
        return found


class Pattern(NamedTuple):
    """A pattern as it is typed: for exact keys, and for the loose keys of each way to fold letters."""

    exact: KeyPattern
    loose: Mapping[str, KeyPattern]

    @property
    def says_nothing(self) -> bool:
        """Whether every word is like it."""
        return any(not each.text.strip(ANY) for each in (self.exact, *self.loose.values()))

    def matches(self, exact: str, loose: str, language: str) -> bool:
        """Return whether a word of a language (BCP 47) is like it, by either of its keys."""
        folding = language if language in OWN_FOLDING else ""
        letters = aksharas(exact) if ONE in self.exact.text else []
        if self.exact.fits(exact, places_in_exact(letters)):
            return True
        folded = self.loose[folding]
        if (folded, loose) == (self.exact, exact):
            return False
        return folded.fits(loose, places_in_loose(letters, loose, folding) if letters else {})


def read_pattern(text: str) -> Pattern:
    """Read a pattern, folded as the keys are with which it will be compared."""
    folded = {folding: KeyPattern(_with_single_any(loose_key(text, folding))) for folding in ("", *sorted(OWN_FOLDING))}
    return Pattern(KeyPattern(_with_single_any(exact_key(text))), folded)


def _with_single_any(folded: str) -> str:
    return re.sub(r"\*+", ANY, folded)


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
