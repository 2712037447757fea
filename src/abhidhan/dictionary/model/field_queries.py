"""Queries with fields (`pos:noun`, `lang:as`) and patterns with wildcards (`*` and `?`).

Signs attached to `?` must match: `?া` is any letter with আ-কাৰ, and `ক্?` any conjunct that begins with ক
(`assamese/letters.py`). `*` has no such limits: `ক*` also matches কাল, like every list of words that begin with ক.

A pattern is compared with the exact key of a word, and with its loose key, for which the pattern is folded like a word:
`সূৰ্য্য*` matches সূৰ্যমুখী.
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
    """Pattern folded like the keys it is compared with."""

    text: str

    @property
    def prefix(self) -> str:
        """Text before the first wildcard."""
        return re.split(r"[*?]", self.text, maxsplit=1)[0]

    @property
    def shortest(self) -> int:
        """Minimum length of a matching key."""
        return len(self.text.replace(ANY, ""))

    @property
    def like(self) -> str:
        """SQL `LIKE` pattern, escaped by `/`, that matches all keys this pattern matches, and few others."""
        return re.sub(r"[%_/]", r"/\g<0>", self.text).replace(ANY, "%").replace(ONE, "_%")

    def fits(self, key: str, letters: Mapping[int, Span]) -> bool:
        """Return whether a key matches, tracking all reachable positions sign by sign, without backtracking.

        `letters` maps each position to the span of its letter; it is needed only for `?`.
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
        """Advance by one letter, which has already begun after a virama, and may end before a mark."""
        begins_within = self.text[number - 1 : number] in JOINERS
        ends_within = is_mark(self.text[number + 1 : number + 2] or " ")
        found: set[int] = set()
        for place in reached:
            first, last = letters.get(place, NO_LETTER)
            if place == first or (begins_within and first >= 0):
                found.update(range(place + 1, last + 1) if ends_within else (last,))
        return found


class Pattern(NamedTuple):
    """Parsed pattern, for exact keys and for the loose keys of each folding."""

    exact: KeyPattern
    loose: Mapping[str, KeyPattern]

    @property
    def says_nothing(self) -> bool:
        """Return whether the pattern matches all words."""
        return any(not each.text.strip(ANY) for each in (self.exact, *self.loose.values()))

    def matches(self, exact: str, loose: str, language: str) -> bool:
        """Return whether a word of a language (BCP 47) matches by either of its keys."""
        folding = language if language in OWN_FOLDING else ""
        letters = aksharas(exact) if ONE in self.exact.text else []
        if self.exact.fits(exact, places_in_exact(letters)):
            return True
        folded = self.loose[folding]
        if (folded, loose) == (self.exact, exact):
            return False
        return folded.fits(loose, places_in_loose(letters, loose, folding) if letters else {})


def read_pattern(text: str) -> Pattern:
    """Parse a pattern, folded like the keys it is compared with."""
    folded = {folding: KeyPattern(_with_single_any(loose_key(text, folding))) for folding in ("", *sorted(OWN_FOLDING))}
    return Pattern(KeyPattern(_with_single_any(exact_key(text))), folded)


def _with_single_any(folded: str) -> str:
    return re.sub(r"\*+", ANY, folded)


class FieldName(StrEnum):
    """Fields of search queries. Other names are plain text, such as `foo:bar`."""

    POS = "pos"
    CONTEXT = "context"
    LANGUAGE = "lang"
    HAS = "has"


class Field(NamedTuple):
    """Field of a query with its value, which is empty if nothing follows the colon."""

    name: FieldName
    value: str


class FieldQuery(NamedTuple):
    """Query, split into its words without the fields, and its fields in their order."""

    words: str
    fields: tuple[Field, ...]

    def values(self, name: FieldName) -> tuple[str, ...]:
        """List the distinct values of one field."""
        return tuple(dict.fromkeys(field.value for field in self.fields if field.name is name))


class Having(StrEnum):
    """Values of the field `has`."""

    PHOTO = "photo"
    AUDIO = "audio"


QUOTES: Final[Mapping[str, str]] = {'"': '"', "“": "”", "„": "“”", "«": "»"}
"""Opening quotes of a value with spaces, and their closing quotes, including typographic ones."""

_FIELD: Final = re.compile(rf"(?:^|(?<=\s))(?P<name>{'|'.join(FieldName)}):", re.IGNORECASE)
"""A field must follow a space or begin the query, so that no part of a word or a quoted text is one."""

_UP_TO_A_SPACE: Final = re.compile(r"\S*")


def read_fields(text: str) -> FieldQuery:
    """Split a query into fields and words, the latter with single spaces between them.

    A value ends at the next space, a quoted one at the closing quote, or at the end of the query without one.
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
    """Parse the value that begins at a position; return also its end."""
    closing = QUOTES.get(text[start : start + 1])
    if closing is None:
        found = _UP_TO_A_SPACE.match(text, start)
        end = found.end() if found else start
        return text[start:end], end
    end = min((place for each in closing if (place := text.find(each, start + 1)) >= 0), default=len(text))
    return " ".join(text[start + 1 : end].split()), end + 1


# --- wildcards --------------------------------------------------------------------------------------------------------


class Signs(StrEnum):
    """Extent to which `*` and `?` in a query are wildcards: nowhere, everywhere, or as typed on a page."""

    NOWHERE = "nowhere"
    EVERYWHERE = "everywhere"
    AS_TYPED = "as typed"


def is_pattern(words: str, wildcards: Signs) -> bool:
    """Return whether the words of a query have wildcards.

    On a page, these are `*`, and `?` before a letter. Any other `?` is punctuation: "পানী?" looks up পানী.
    """
    if wildcards is Signs.AS_TYPED:
        pairs = pairwise(words)
        return ANY in words or any(sign == ONE and unicodedata.category(after)[0] in "LMN" for sign, after in pairs)
    return wildcards is Signs.EVERYWHERE and not SIGNS.isdisjoint(words)


def without_final_marks(text: str) -> str:
    """Strip trailing question marks, which are punctuation on pages."""
    return text.rstrip(ONE + " ")
