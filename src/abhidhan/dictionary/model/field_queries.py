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

from abhidhan.records.orthography import FOLDING_LANGUAGES
from assamese.keys import loose_key
from assamese.letters import JOINING_VIRAMAS, Span, is_mark, map_exact_spans, map_loose_spans, split_aksharas
from assamese.normalization import exact_key

ANY_TEXT: Final = "*"
ANY_LETTER: Final = "?"
WILDCARDS: Final = frozenset({ANY_TEXT, ANY_LETTER})

NO_LETTER: Final[Span] = (-1, -1)


class KeyPattern(NamedTuple):
    """Wildcard pattern, folded like the keys with which it is compared."""

    text: str

    @property
    def prefix(self) -> str:
        """Text before the first wildcard."""
        return re.split(r"[*?]", self.text, maxsplit=1)[0]

    @property
    def min_length(self) -> int:
        """Minimum length of a matching key."""
        return len(self.text.replace(ANY_TEXT, ""))

    @property
    def sql_like(self) -> str:
        """SQL `LIKE` pattern, escaped by `/`, that matches all keys this pattern matches, and few others."""
        return re.sub(r"[%_/]", r"/\g<0>", self.text).replace(ANY_TEXT, "%").replace(ANY_LETTER, "_%")

    def matches(self, key: str, letter_spans: Mapping[int, Span]) -> bool:
        """Return whether a key matches; all reachable positions are tracked in parallel, without backtracking.

        `letter_spans` maps each position to the span of its letter; it is needed only for `?`.
        """
        positions: Collection[int] = {0}
        for number, sign in enumerate(self.text):
            if sign == ANY_TEXT:
                positions = range(min(positions), len(key) + 1)
            elif sign == ANY_LETTER:
                positions = self._advance_one_letter(positions, letter_spans, number)
            else:
                positions = {position + 1 for position in positions if key.startswith(sign, position)}
            if not positions:
                return False
        return len(key) in positions

    def _advance_one_letter(self, starts: Collection[int], letter_spans: Mapping[int, Span], number: int) -> set[int]:
        """Return the positions after the letter at `?`, which may begin in a preceding virama or end before a mark."""
        begins_inside = self.text[number - 1 : number] in JOINING_VIRAMAS
        ends_inside = is_mark(self.text[number + 1 : number + 2] or " ")
        positions: set[int] = set()
        for position in starts:
            first, last = letter_spans.get(position, NO_LETTER)
            if position == first or (begins_inside and first >= 0):
                positions.update(range(position + 1, last + 1) if ends_inside else (last,))
        return positions


class WildcardPattern(NamedTuple):
    """Parsed pattern, for exact keys and for the loose keys of each folding."""

    exact: KeyPattern
    loose: Mapping[str, KeyPattern]

    @property
    def matches_all(self) -> bool:
        """Return whether the pattern matches all words."""
        return any(not pattern.text.strip(ANY_TEXT) for pattern in (self.exact, *self.loose.values()))

    def matches(self, exact: str, loose: str, language: str) -> bool:
        """Return whether a word of a language (BCP 47) matches by either of its keys."""
        folding = language if language in FOLDING_LANGUAGES else ""
        letters = split_aksharas(exact) if ANY_LETTER in self.exact.text else []
        if self.exact.matches(exact, map_exact_spans(letters)):
            return True
        folded = self.loose[folding]
        if (folded, loose) == (self.exact, exact):
            return False
        return folded.matches(loose, map_loose_spans(letters, loose, folding) if letters else {})


def parse_pattern(text: str) -> WildcardPattern:
    """Parse a pattern, and fold it like exact keys and like the loose keys of each folding."""
    folded = {
        folding: KeyPattern(_collapse_asterisks(loose_key(text, folding)))
        for folding in ("", *sorted(FOLDING_LANGUAGES))
    }
    return WildcardPattern(KeyPattern(_collapse_asterisks(exact_key(text))), folded)


def _collapse_asterisks(pattern: str) -> str:
    return re.sub(r"\*+", ANY_TEXT, pattern)


class FieldName(StrEnum):
    """Name of a field of search queries. Text with any other name, such as `foo:bar`, is plain text."""

    POS = "pos"
    CONTEXT = "context"
    LANGUAGE = "lang"
    HAS = "has"


class QueryField(NamedTuple):
    """Field of a query and its value, which is empty if nothing follows the colon."""

    name: FieldName
    value: str


class FieldQuery(NamedTuple):
    """Parsed query: the words outside its fields, and its fields in order."""

    words: str
    fields: tuple[QueryField, ...]

    def values(self, name: FieldName) -> tuple[str, ...]:
        """List the distinct values of one field."""
        return tuple(dict.fromkeys(field.value for field in self.fields if field.name is name))


class HasValue(StrEnum):
    """Values of the field `has`."""

    PHOTO = "photo"
    AUDIO = "audio"


CLOSING_QUOTES: Final[Mapping[str, str]] = {'"': '"', "“": "”", "„": "“”", "«": "»"}
"""Closing quotation marks by opening one, for values with spaces; several may close the same mark."""

_FIELD: Final = re.compile(rf"(?:^|(?<=\s))(?P<name>{'|'.join(FieldName)}):", re.IGNORECASE)
"""The name and colon of a field: at the start of the query or after a space, never within a word or quotation."""

_NON_SPACES: Final = re.compile(r"\S*")


def parse_fields(text: str) -> FieldQuery:
    """Split a query into fields and words, the latter with single spaces between them.

    A value ends at the next space, a quoted one at the closing quote, or at the end of the query without one.
    """
    words: list[str] = []
    fields: list[QueryField] = []
    position = 0
    while match := _FIELD.search(text, position):
        words.append(text[position : match.start()])
        value, position = _parse_value(text, match.end())
        fields.append(QueryField(FieldName(match["name"].lower()), value))
    words.append(text[position:])
    return FieldQuery(" ".join(" ".join(words).split()), tuple(fields))


def _parse_value(text: str, start: int) -> tuple[str, int]:
    """Parse the value that begins at a position; return also its end."""
    closing = CLOSING_QUOTES.get(text[start : start + 1])
    if closing is None:
        match = _NON_SPACES.match(text, start)
        end = match.end() if match else start
        return text[start:end], end
    end = min((position for quote in closing if (position := text.find(quote, start + 1)) >= 0), default=len(text))
    return " ".join(text[start + 1 : end].split()), end + 1


# --- wildcards --------------------------------------------------------------------------------------------------------


class WildcardMode(StrEnum):
    """Rule by which `*` and `?` in a query are wildcards: never, always, or unless a `?` is punctuation."""

    NOWHERE = "nowhere"
    EVERYWHERE = "everywhere"
    EXCEPT_PUNCTUATION = "as typed"


def has_wildcards(words: str, mode: WildcardMode) -> bool:
    """Return whether the words of a query contain wildcards.

    With `EXCEPT_PUNCTUATION`, as on pages, a `?` is a wildcard only before a letter: "পানী?" looks up পানী.
    """
    if mode is WildcardMode.EXCEPT_PUNCTUATION:
        pairs = pairwise(words)
        return ANY_TEXT in words or any(
            sign == ANY_LETTER and unicodedata.category(after)[0] in "LMN" for sign, after in pairs
        )
    return mode is WildcardMode.EVERYWHERE and not WILDCARDS.isdisjoint(words)


def strip_question_marks(text: str) -> str:
    """Strip trailing question marks and spaces, which are punctuation on pages."""
    return text.rstrip(ANY_LETTER + " ")
