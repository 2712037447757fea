"""Compounds: two or three headwords written as one word, with or without hyphens.

A letter is a consonant, a vowel or a vowel sign here (`letters.count_letters`): চাহ has three, জল two.
"""

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

from rapidfuzz.distance import OSA

from abhidhan.dictionary.model.guess_scoring import KeyMatch, commonness, sort_by_cost
from assamese.derivation import SHORT_FIRST_PARTS, SHORT_LAST_PARTS
from assamese.inflection import propose_stems
from assamese.keys import exact_key, loose_key
from assamese.letters import count_letters, split_written_units
from assamese.sandhi import iter_sandhi_splits
from assamese.spelling_distance import is_near

MIN_PART_LETTERS: Final = 3
"""Minimum number of letters of a part; with two, one in ten misspellings of three-letter words would be a compound."""

MIN_SHORT_PART_LETTERS: Final = 2
"""Minimum number of letters of a part that is separated by a hyphen or listed in the table of short parts."""

MAX_PARTS: Final = 3

MAX_KEY_LENGTH: Final = 36
"""Maximum length of the loose key of a text that is split: three long words."""

MAX_SLIP_DISTANCE: Final = 1.0
"""Maximum distance, in letters, at which a text is a misspelled headword rather than a compound."""

_HYPHENS: Final = re.compile("[-\u2010-\u2013]")

_CUT_POSITION: Final = re.compile(
    "(?<![\u094d\u09cd])(?=[\u0904-\u0939\u0958-\u0961\u0985-\u09b9\u09ce\u09dc-\u09e1\u09f0\u09f1])"
)
"""Position where a part may begin: before a consonant or a vowel, unless a hasanta joins it to the preceding letter."""


class CompoundSplit(NamedTuple):
    """Split of a text: the loose keys of its parts, in order, and whether the last one has an ending."""

    keys: tuple[str, ...]
    is_inflected: bool
    rank: int = 0
    """Rank among the splits of a sandhi form; higher is less likely."""


def list_stem_keys(key: str, language: str) -> tuple[str, ...]:
    """List a loose key, then its stems without a noun ending, those with the shortest endings first."""
    return (key, *(stem.key for stem in propose_stems(key, language) if not stem.is_verb_only))


def list_splits(text: str, language: str) -> tuple[CompoundSplit, ...]:
    """List the splits of a text of `language` (BCP 47) into two or three parts of at least three letters each.

    Splits without an ending come first. The caller must check that the parts are words. Hyphens always separate parts.
    Assamese words may also be joined by sandhi, or have a part of two letters that is common in compounds.
    """
    pieces = [loose_key(piece, language) for piece in _HYPHENS.split(text)]
    if not all(pieces) or len(pieces) > MAX_PARTS or sum(map(len, pieces)) > MAX_KEY_LENGTH:
        return ()
    *leading_pieces, last_piece = pieces
    splits_by_keys: dict[tuple[str, ...], CompoundSplit] = {}
    for stem_key in list_stem_keys(last_piece, language):
        for parts in _cut_pieces((*leading_pieces, stem_key)):
            splits_by_keys.setdefault(parts, CompoundSplit(parts, stem_key != last_piece))
        if language == "as" and not leading_pieces:
            for sandhi_split in iter_sandhi_splits(stem_key):
                splits_by_keys.setdefault(
                    sandhi_split.words, CompoundSplit(sandhi_split.words, stem_key != last_piece, sandhi_split.rank)
                )
    return tuple(splits_by_keys.values())


def _cut_pieces(pieces: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Split pieces further, into two or three parts in total."""
    max_parts = MAX_PARTS + 1 - len(pieces)
    cuts_per_piece = [
        [cut for parts in range(1, max_parts + 1) for cut in _list_cuts(piece, parts)] for piece in pieces
    ]
    for cuts in product(*cuts_per_piece):
        parts = tuple(part for cut in cuts for part in cut)
        if 1 < len(parts) <= MAX_PARTS:
            yield parts


@lru_cache(maxsize=64)
def _list_cuts(piece: str, part_count: int) -> tuple[tuple[str, ...], ...]:
    """List the ways to cut a piece into the given number of parts."""
    if part_count == 1:
        return ((piece,),) if count_letters(piece) >= MIN_SHORT_PART_LETTERS else ()
    positions = [match.start() for match in _CUT_POSITION.finditer(piece) if match.start()]
    if part_count == MAX_PARTS:
        cuts = (
            (piece[:position], *others)
            for position in positions
            for others in _list_cuts(piece[position:], part_count - 1)
        )
        return tuple(cut for cut in cuts if all(count_letters(part) >= MIN_PART_LETTERS for part in cut))
    halves = ((piece[:position], piece[position:]) for position in positions)
    return tuple(
        (first, last)
        for first, last in halves
        if _is_long_enough(first, SHORT_FIRST_PARTS) and _is_long_enough(last, SHORT_LAST_PARTS)
    )


def _is_long_enough(piece: str, short_parts: Container[str]) -> bool:
    return count_letters(piece) >= MIN_PART_LETTERS or piece in short_parts


def choose_parts(text: str, candidates: Iterable[CompoundSplit], hits: Sequence[KeyMatch]) -> list[KeyMatch]:
    """Return, in order, the headwords of the likeliest split whose parts are all among the hits.

    Criteria, in order: fewest parts, no ending, rank, commonest rarest part, commonest parts in total, most even
    lengths.
    """
    hits_by_key: dict[str, list[KeyMatch]] = {}
    for hit in hits:
        hits_by_key.setdefault(hit.key, []).append(hit)
    matched = [split for split in candidates if all(key in hits_by_key for key in split.keys)]
    if not matched:
        return []
    best = min(matched, key=lambda split: _split_sort_key(split, hits_by_key))
    hits_of_parts = [_choose_spelling(text, hits_by_key[key]) for key in best.keys]
    return list({hit.word_id: hit for part_hits in hits_of_parts for hit in part_hits}.values())


def _split_sort_key(
    split: CompoundSplit, hits_by_key: Mapping[str, Sequence[KeyMatch]]
) -> tuple[int, bool, int, float, float, int]:
    commonest = [max(map(_hit_commonness, hits_by_key[key])) for key in split.keys]
    lengths = [count_letters(key) for key in split.keys]
    unevenness = max(lengths) - min(lengths)
    return len(split.keys), split.is_inflected, split.rank, -min(commonest), -sum(commonest), unevenness


def _hit_commonness(hit: KeyMatch) -> float:
    return commonness(hit.language_id, exact_key(hit.text), hit.frequency)


def _choose_spelling(text: str, hits: list[KeyMatch]) -> list[KeyMatch]:
    """Choose the spelling of a part that occurs in the text, else one ending in ৎ, else the closest.

    Sandhi changes only ৎ: জগজ্জয়ী contains জগৎ, not জগত.
    """
    verbatim_hits = [hit for hit in hits if exact_key(hit.text) in exact_key(text)]
    khanda_ta_hits = [hit for hit in hits if hit.text.endswith("ৎ")]
    first = sort_by_cost(text, verbatim_hits or khanda_ta_hits or hits)[0]
    return [hit for hit in hits if exact_key(hit.text) == exact_key(first.text)]


def is_misspelling(text: str, near_matches: Iterable[KeyMatch], language_id: int) -> bool:
    """Return whether a text is probably a headword of a language, misspelled by about one letter."""
    units = split_written_units(loose_key(text, "as"))
    return any(
        OSA.distance(units, split_written_units(hit.key), score_cutoff=1) <= 1
        or is_near(text, hit.text, MAX_SLIP_DISTANCE)
        for hit in near_matches
        if hit.language_id == language_id
    )
