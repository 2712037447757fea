"""The codes of integrity checks: E for errors that break responses, W for warnings.

E101  a meaning refers to a word or an idea that does not exist
E102  the database file is damaged
E103  a number names a language that does not exist
E201  a stored key differs from the one that the current rules compute: run `abhidhan check --mend`
E202  the keys were computed by other rules than the current ones: run `abhidhan reindex`
E203  the idea cache has wrong data for an idea: run `abhidhan check --mend`
E204  the index of similar spellings has a wrong entry: run `abhidhan check --mend`
E205  the index of words in definitions has a wrong entry: run `abhidhan check --mend`
E206  the index of parts of speech has a wrong entry: run `abhidhan check --mend`
E207  the sound index of phrases has a wrong entry: run `abhidhan check --mend`
E208  the number of phrases that share a sound is wrong: run `abhidhan check --mend`
E209  an inflected form has no headword or a wrong key: run `abhidhan check --mend`
E210  a meaning has a different language from its word: run `abhidhan check --mend`
E211  the index of similar photos and recordings has a wrong entry: run `abhidhan check --mend`
E213  the index of words for Latin input has a wrong entry: run `abhidhan check --mend`
E214  the index of words in phrases has a wrong entry: run `abhidhan check --mend`
E215  the completions offered while a user types are wrong: run `abhidhan check --mend`
E216  the recordings of a word or phrase are not the approved ones: run `abhidhan check --mend`
E217  the stored frequency of a word is wrong: run `abhidhan check --mend`
E218  the filter of sounds lacks the sound of a word: run `abhidhan check --mend`
E219  the other readings of a word in Latin letters are wrong: run `abhidhan check --mend`
E301  the stored number of a language's words is wrong: run `abhidhan check --mend`
W101  an idea has no word
W102  a word has no meaning
W201  two words of a language differ only in letter case, apostrophes or the like
W203  ideas are missing from the idea cache, which makes look-up slower: run `abhidhan check --mend`
W213  the index of words for Latin input is incomplete, which makes look-up slower: run `abhidhan check --mend`
W215  the completions are incomplete, which makes suggestions slower: run `abhidhan check --mend`
W218  the filter of sounds is incomplete, which makes look-up slower: run `abhidhan check --mend`
W301  a text has an unassigned, private-use or replacement character
W302  a word is not written in the script of its language
W401  the hypernyms of an idea form a circle
W402  a relation has no inverse
W501  an import is unfinished: unless it is running now, run it again
W601  other accounts of this machine can read the file: run `abhidhan check --mend`
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

import msgspec

from assamese.normalization import Script, detect_script

EXPLANATIONS: Final[Mapping[str, str]] = MappingProxyType(
    dict(re.findall(r"^([EW]\d{3})  (.+)$", __doc__, re.MULTILINE))
)

UNKNOWN_UNICODE_CATEGORIES: Final = frozenset({"Cn", "Co", "Cs"})
REPLACEMENT_CHARACTER: Final = "\ufffd"
DETECTABLE_SCRIPTS: Final = MappingProxyType(
    {"Beng": Script.EASTERN_NAGARI, "Latn": Script.LATIN, "Deva": Script.DEVANAGARI}
)
"""Scripts that can be detected; words of languages in other scripts are not checked."""


class IntegrityFinding(msgspec.Struct, frozen=True):
    """A problem that a check found in a record."""

    code: str
    record: str
    detail: str

    def __str__(self) -> str:
        """Format the finding like a linter message."""
        return f"{self.record}: {self.code} {EXPLANATIONS[self.code]} ({self.detail})"


def list_unknown_characters(text: str) -> list[str]:
    """Return the unassigned, private and replacement characters of a text, as U+ numbers."""
    return [
        f"U+{ord(letter):04X}"
        for letter in dict.fromkeys(text)
        if letter == REPLACEMENT_CHARACTER or unicodedata.category(letter) in UNKNOWN_UNICODE_CATEGORIES
    ]


def is_in_script(text: str, script: str) -> bool:
    """Return whether a word is written in a script (ISO 15924). True without letters, and for undetectable scripts."""
    expected, actual = DETECTABLE_SCRIPTS.get(script), detect_script(text)
    return expected is None or actual in {expected, Script.OTHER}


def find_cycles(pairs: Iterable[tuple[int, int]]) -> list[tuple[int, ...]]:
    """Return cycles in a graph of (from, to) edges: at least one for each group of nodes that lead to each other.

    No two have a node in common.
    """
    successors_by_node: dict[int, list[int]] = {}
    for start, end in pairs:
        successors_by_node.setdefault(start, []).append(end)
    visited: set[int] = set()
    cycles: list[tuple[int, ...]] = []
    in_cycles: set[int] = set()
    for start in successors_by_node:
        if start not in visited:
            for cycle in _iter_cycles(start, successors_by_node, visited):
                if in_cycles.isdisjoint(cycle):
                    cycles.append(cycle)
                    in_cycles.update(cycle)
    return cycles


def _iter_cycles(
    start: int, successors_by_node: Mapping[int, list[int]], visited: set[int]
) -> Iterator[tuple[int, ...]]:
    """Yield a cycle for each edge that leads back in a depth-first search; add the nodes to `visited`."""
    path = [start]
    positions = {start: 0}
    stack = [(start, iter(successors_by_node.get(start, ())))]
    while stack:
        node, successors = stack[-1]
        successor = next(successors, None)
        if successor is None:
            stack.pop()
            path.pop()
            del positions[node]
            visited.add(node)
        elif successor in positions:
            yield tuple(path[positions[successor] :])
        elif successor not in visited:
            positions[successor] = len(path)
            path.append(successor)
            stack.append((successor, iter(successors_by_node.get(successor, ()))))
