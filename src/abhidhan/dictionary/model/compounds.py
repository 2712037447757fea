"""Compounds: two or three headwords that are written as one word, by hyphens or without.

A letter is here a consonant, a vowel or a vowel sign (`letters.letters_in`): চাহ has three, জল two.
"""

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

from rapidfuzz.distance import OSA

from abhidhan.dictionary.model.guess_scoring import FoundKey, closest_first, commonness
from assamese.derivation import SHORT_FIRST_PARTS, SHORT_LAST_PARTS
from assamese.inflection import stems
from assamese.keys import exact_key, loose_key
from assamese.letters import letters_in, written_units
from assamese.sandhi import words_joined
from assamese.spelling_distance import is_near

LEAST_LETTERS: Final = 3
"""Letters of a part. Of misspellings of three-letter words, one in ten would be two shorter words."""

LEAST_BETWEEN_HYPHENS: Final = 2
"""Letters of a part that stands alone between hyphens, or of one in the table of short parts."""

MOST_PARTS: Final = 3

LONGEST: Final = 36
"""Characters of the loose key of what is taken apart: three long words."""

SLIP: Final = 1.0
"""So far, in letters, a headword may be from a text that is a misspelling of it rather than a compound."""

_HYPHENS: Final = re.compile("[-\u2010-\u2013]")

_CUT: Final = re.compile(
    "(?<![\u094d\u09cd])(?=[\u0904-\u0939\u0958-\u0961\u0985-\u09b9\u09ce\u09dc-\u09e1\u09f0\u09f1])"
)
"""Where a part may begin: before a consonant or a vowel that no hasanta joins to what stands before."""


class Split(NamedTuple):
    """One way to take a text apart: the loose keys of its parts, in order, and whether the last has an ending."""

    keys: tuple[str, ...]
    is_inflected: bool
    rank: int = 0
    """Of words that are joined alike by sandhi, how much less likely these are than others."""


def readings(key: str, language: str) -> tuple[str, ...]:
    """List what a text may be, by loose keys: itself, then without the endings of nouns, the fewest taken off first."""
    return (key, *(stem.key for stem in stems(key, language) if not stem.of_verb))


def splits(text: str, language: str) -> tuple[Split, ...]:
    """List the ways in which a text of `language` (BCP 47) may be two or three words of at least three letters each.

    Those without an ending come first. They are proposals: which words there are is for the caller to see. Hyphens
    always part words. Assamese words may also be joined by sandhi, or have a part of two letters that is common in
    compounds.
    """
    pieces = [loose_key(piece, language) for piece in _HYPHENS.split(text)]
    if not all(pieces) or len(pieces) > MOST_PARTS or sum(map(len, pieces)) > LONGEST:
        return ()
    *before, last = pieces
    found: dict[tuple[str, ...], Split] = {}
    for reading in readings(last, language):
        for parts in _parted((*before, reading)):
            found.setdefault(parts, Split(parts, reading != last))
        if language == "as" and not before:
            for joined in words_joined(reading):
                found.setdefault(joined.words, Split(joined.words, reading != last, joined.rank))
    return tuple(found.values())


def _parted(pieces: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Cut pieces further, so that there are two or three parts of all of them together."""
    most = MOST_PARTS + 1 - len(pieces)
    ways = [[cut for parts in range(1, most + 1) for cut in _cuts(piece, parts)] for piece in pieces]
    for chosen in product(*ways):
        parts = tuple(part for cut in chosen for part in cut)
        if 1 < len(parts) <= MOST_PARTS:
            yield parts


@lru_cache(maxsize=64)
def _cuts(piece: str, parts: int) -> tuple[tuple[str, ...], ...]:
    """List the ways to cut a piece into so many parts."""
    if parts == 1:
        return ((piece,),) if letters_in(piece) >= LEAST_BETWEEN_HYPHENS else ()
    places = [match.start() for match in _CUT.finditer(piece) if match.start()]
    if parts == MOST_PARTS:
        cuts = ((piece[:place], *rest) for place in places for rest in _cuts(piece[place:], parts - 1))
        return tuple(cut for cut in cuts if all(letters_in(part) >= LEAST_LETTERS for part in cut))
    halves = ((piece[:place], piece[place:]) for place in places)
    return tuple(
        (first, last)
        for first, last in halves
        if _is_part(first, SHORT_FIRST_PARTS) and _is_part(last, SHORT_LAST_PARTS)
    )


def _is_part(piece: str, short_parts: Container[str]) -> bool:
    return letters_in(piece) >= LEAST_LETTERS or piece in short_parts


def chosen_parts(text: str, ways: Iterable[Split], hits: Sequence[FoundKey]) -> list[FoundKey]:
    """Return the headwords of the likeliest split whose parts are all among some hits of one language, in order.

    That with the fewest parts, without an ending, whose rarest part is the commonest, and then all of them; else the
    most even one.
    """
    of_key: dict[str, list[FoundKey]] = {}
    for hit in hits:
        of_key.setdefault(hit.key, []).append(hit)
    known = [way for way in ways if all(key in of_key for key in way.keys)]
    if not known:
        return []
    best = min(known, key=lambda way: _order(way, of_key))
    of_parts = [_spelled_best(text, of_key[key]) for key in best.keys]
    return list({hit.word_id: hit for of_part in of_parts for hit in of_part}.values())


def _order(way: Split, of_key: Mapping[str, Sequence[FoundKey]]) -> tuple[int, bool, int, float, float, int]:
    common = [max(map(_common, of_key[key])) for key in way.keys]
    lengths = [letters_in(key) for key in way.keys]
    unevenness = max(lengths) - min(lengths)
    return len(way.keys), way.is_inflected, way.rank, -min(common), -sum(common), unevenness


def _common(hit: FoundKey) -> float:
    return commonness(hit.language_id, exact_key(hit.text), hit.frequency)


def _spelled_best(text: str, hits: list[FoundKey]) -> list[FoundKey]:
    """Choose, of the spellings of one part, that which stands in the text, or that in ৎ, or else the closest.

    Only ৎ is changed by sandhi: জগজ্জয়ী is of জগৎ, not of জগত.
    """
    written = [hit for hit in hits if exact_key(hit.text) in exact_key(text)]
    changed = [hit for hit in hits if hit.text.endswith("ৎ")]
    first = closest_first(text, written or changed or hits)[0]
    return [hit for hit in hits if exact_key(hit.text) == exact_key(first.text)]


def is_a_slip(text: str, near: Iterable[FoundKey], language_id: int) -> bool:
    """Say whether a text is rather a headword of a language near to it, misspelled by about one letter."""
    units = written_units(loose_key(text, "as"))
    return any(
        OSA.distance(units, written_units(hit.key), score_cutoff=1) <= 1 or is_near(text, hit.text, SLIP)
        for hit in near
        if hit.language_id == language_id
    )
