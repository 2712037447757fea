"""The codes of integrity checks: E for errors that break responses, W for warnings.

E101  a meaning leads to a word or an idea that is not there
E102  the database file is damaged
E103  a number stands for a language that does not exist
E201  a stored key is not what the rules of today make: run `abhidhan check --mend`
E202  the keys were made by other rules than today's: run `abhidhan reindex`
E203  the idea cache holds something else of an idea than belongs to it: run `abhidhan check --mend`
E204  a word is not suggested for spellings near to it, or for others: run `abhidhan check --mend`
E205  an idea is not found by the words of its definitions, or by others: run `abhidhan check --mend`
E206  a word is not listed under the parts of speech of its ideas, or under others: run `abhidhan check --mend`
E207  a phrase is not found by the pieces of its sound, or by others: run `abhidhan check --mend`
E208  the count of the phrases with a piece of sound is wrong: run `abhidhan check --mend`
E209  an inflected form leads to no word, or its key is not its own: run `abhidhan check --mend`
E210  a meaning stands under another language than its word: run `abhidhan check --mend`
E211  a photo or recording is not compared by the pieces of its likeness, or by others: run `abhidhan check --mend`
E213  a word is not offered for Latin letters that it may be typed with: run `abhidhan check --mend`
E214  a phrase is not found by its words or those of its meaning, or by others: run `abhidhan check --mend`
E215  a word is not offered while somebody types as it should be, or another is: run `abhidhan check --mend`
E216  a word or phrase shows other recordings than those that are approved: run `abhidhan check --mend`
E217  a word is kept as more or less common than it is: run `abhidhan check --mend`
E218  a word is not found by its sound: run `abhidhan check --mend`
E219  a word is not offered beside one in Latin letters by which it may be meant: run `abhidhan check --mend`
E301  the count of a language's words is wrong: run `abhidhan check --mend`
W101  an idea has no word
W102  a word has no meaning
W201  two words of a language differ only in letter case, apostrophes or the like
W203  ideas are missing from the idea cache, so looking them up is slower: run `abhidhan check --mend`
W213  words are looked for that Latin letters cannot be typed for, which is slower: run `abhidhan check --mend`
W215  words to offer while somebody types are looked for anew each time, which is slower: run `abhidhan check --mend`
W218  sounds are looked for that no word has, which is slower: run `abhidhan check --mend`
W301  a text has a character that is no letter of any script: unknown, private or a replacement
W302  a word is not written in the script of its language
W401  ideas are each other's hypernyms in a circle
W402  a relation has no inverse
W501  an import has not come to its end: unless it runs just now, run the same import again
W601  other accounts of this machine may read it: run `abhidhan check --mend`
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

import msgspec

from assamese.normalization import Script, script_of

EXPLANATIONS: Final[Mapping[str, str]] = MappingProxyType(
    dict(re.findall(r"^([EW]\d{3})  (.+)$", __doc__, re.MULTILINE))
)

UNKNOWN_CATEGORIES: Final = frozenset({"Cn", "Co", "Cs"})
REPLACEMENT: Final = "\ufffd"
SCRIPTS: Final = MappingProxyType({"Beng": Script.EASTERN_NAGARI, "Latn": Script.LATIN, "Deva": Script.DEVANAGARI})
"""Scripts that can be detected; words of languages in other scripts are not checked."""


class Finding(msgspec.Struct, frozen=True):
    """A problem of a record, with its code."""

    code: str
    record: str
    detail: str

    def __str__(self) -> str:
        """Format the finding like a linter message."""
        return f"{self.record}: {self.code} {EXPLANATIONS[self.code]} ({self.detail})"


def unknown_characters(text: str) -> list[str]:
    """Return the unassigned, private and replacement characters of a text, as U+ numbers."""
    return [
        f"U+{ord(letter):04X}"
        for letter in dict.fromkeys(text)
        if letter == REPLACEMENT or unicodedata.category(letter) in UNKNOWN_CATEGORIES
    ]


def is_in_script(text: str, script: str) -> bool:
    """Return whether a word is in the script (ISO 15924) of its language or has no letters; True for other scripts."""
    wanted, found = SCRIPTS.get(script), script_of(text)
    return wanted is None or found in {wanted, Script.OTHER}


def circles(pairs: Iterable[tuple[int, int]]) -> list[tuple[int, ...]]:
    """Return the cycles of a graph of (from, to) edges, one for each set of records that lead to each other."""
    leads: dict[int, list[int]] = {}
    for start, end in pairs:
        leads.setdefault(start, []).append(end)
    done: set[int] = set()
    found = []
    for start in leads:
        circle = _circle_from(start, leads, done)
        if circle:
            found.append(circle)
    return found


def _circle_from(start: int, leads: Mapping[int, list[int]], done: set[int]) -> tuple[int, ...] | None:
    path: list[int] = []
    places: dict[int, int] = {}
    waiting = [(start, iter(leads.get(start, ())))] if start not in done else []
    if waiting:
        places[start] = 0
        path.append(start)
    circle: tuple[int, ...] | None = None
    while waiting:
        node, others = waiting[-1]
        other = next(others, None)
        if other is None:
            waiting.pop()
            path.pop()
            del places[node]
            done.add(node)
        elif other in places:
            circle = circle or tuple(path[places[other] :])
        elif other not in done:
            places[other] = len(path)
            path.append(other)
            waiting.append((other, iter(leads.get(other, ()))))
    return circle
