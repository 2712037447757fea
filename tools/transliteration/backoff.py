"""Back-off n-gram models: interpolated Kneser-Ney estimates, pruned and packed into a hash table."""

from __future__ import annotations

import math
from array import array
from collections import Counter, defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from assamese.joint_ngram import (
    BACKOFF_STEPS,
    EMPTY_KEY,
    END_UNIT,
    MAX_BACKOFF,
    NO_CONTINUATION,
    PROBABILITY_STEPS,
    START_UNIT,
    NgramModel,
    chain_key,
    slot_and_fingerprint,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    Ngram = tuple[int, ...]
    Table = dict[Ngram, float]

SLOTS_PER_NGRAM: Final = 1.25
"""Table slots per n-gram: more slots mean fewer steps per search."""

_UNSEEN_PROBABILITY: Final = 1e-7
_UNKNOWN_PROBABILITY: Final = math.exp(-16.0)
_MIN_MASS: Final = 1e-4
_DISCOUNTED_COUNTS: Final = 3
_MAX_BYTE: Final = 255
_LOWEST_BACKOFF_BYTE: Final = 254


class Estimate(NamedTuple):
    """Probabilities of n-grams by order (from 1), and the back-off weights of their contexts."""

    probabilities: list[Table]
    backoffs: Table


def estimate(sequences: Sequence[Sequence[int]], order: int, min_counts: Mapping[int, int]) -> Estimate:
    """Estimate a model of the sequences, without n-grams rarer than `min_counts` for their order."""
    counts = _count_ngrams(sequences, order)
    probabilities = _interpolate(_count_continuations(counts))
    pruned = _prune(probabilities, counts, min_counts)
    return Estimate(pruned, _compute_backoffs(pruned))


def pack(model: Estimate) -> bytes:
    """Return the hash table for `NgramModel`. Raises ValueError if two n-grams have the same key."""
    total = sum(map(len, model.probabilities))
    slots = array("I", bytes(4 * (int(total * SLOTS_PER_NGRAM) + 1)))
    keys: set[int] = set()
    for table in model.probabilities:
        for ngram in sorted(table):
            key = EMPTY_KEY
            for unit in reversed(ngram):
                key = chain_key(key, unit)
            keys.add(key)
            _insert_slot(slots, key, _encode_slot(table[ngram], model.backoffs.get(ngram)))
    if len(keys) != total:
        raise ValueError("Two n-grams have the same key.")
    return slots.tobytes()


def load_packed(model: Estimate) -> NgramModel:
    """Pack the model, and load it as if from a file."""
    return NgramModel(len(model.probabilities), pack(model))


def _insert_slot(slots: array[int], key: int, value: int) -> None:
    index, fingerprint = slot_and_fingerprint(key, len(slots))
    while slots[index]:
        index = (index + 1) % len(slots)
    slots[index] = fingerprint << 16 | value


def _encode_slot(probability: float, backoff: float | None) -> int:
    steps = min(_MAX_BYTE, max(1, round(-math.log(probability) * PROBABILITY_STEPS)))
    if backoff is None:
        return steps << 8 | NO_CONTINUATION
    return steps << 8 | min(_LOWEST_BACKOFF_BYTE, max(0, MAX_BACKOFF - round(backoff * BACKOFF_STEPS)))


def _count_ngrams(sequences: Iterable[Sequence[int]], order: int) -> list[Counter[Ngram]]:
    counts: list[Counter[Ngram]] = [Counter() for _ in range(order)]
    for sequence in sequences:
        units = (START_UNIT, *sequence, END_UNIT)
        for size in range(1, order + 1):
            counts[size - 1].update(units[at : at + size] for at in range(len(units) - size + 1))
    del counts[0][(START_UNIT,)]
    return counts


def _count_continuations(counts: list[Counter[Ngram]]) -> list[Mapping[Ngram, int]]:
    """Return the number of distinct units before each n-gram or, for the highest order, its count."""
    adjusted: list[Mapping[Ngram, int]] = []
    for shorter, longer in pairwise(counts):
        before = Counter(ngram[1:] for ngram in longer)
        before.update({ngram: count for ngram, count in shorter.items() if ngram[0] == START_UNIT})
        adjusted.append(before)
    return [*adjusted, counts[-1]]


def _interpolate(counts: list[Mapping[Ngram, int]]) -> list[Table]:
    tables: list[Table] = []
    for table in counts:
        discounts = _compute_discounts(table)
        totals: defaultdict[Ngram, float] = defaultdict(float)
        spared: defaultdict[Ngram, float] = defaultdict(float)
        for ngram, count in table.items():
            totals[ngram[:-1]] += count
            spared[ngram[:-1]] += discounts[min(count, _DISCOUNTED_COUNTS)]
        tables.append(
            {
                ngram: (
                    count
                    - discounts[min(count, _DISCOUNTED_COUNTS)]
                    + spared[ngram[:-1]]
                    * (tables[-1].get(ngram[1:], _UNSEEN_PROBABILITY) if tables else 1.0 / len(table))
                )
                / totals[ngram[:-1]]
                for ngram, count in table.items()
            }
        )
    return tables


def _compute_discounts(table: Mapping[Ngram, int]) -> tuple[float, ...]:
    """Return the discounts for counts of 0, 1, 2, and 3 or more (Chen and Goodman's modified Kneser-Ney)."""
    of_counts = Counter(count for count in table.values() if count <= _DISCOUNTED_COUNTS + 1)
    once, twice, thrice, four = (max(1, of_counts[count]) for count in (1, 2, 3, 4))
    share = once / (once + 2 * twice)
    raw = (1 - 2 * share * twice / once, 2 - 3 * share * thrice / twice, 3 - 4 * share * four / thrice)
    return (0.0, *(min(max(discount, 0.05), count - 0.1) for count, discount in enumerate(raw, start=1)))


def _prune(tables: list[Table], counts: list[Counter[Ngram]], min_counts: Mapping[int, int]) -> list[Table]:
    """Remove rare n-grams, except prefixes and suffixes of remaining ones."""
    needed: set[Ngram] = {(START_UNIT,)}
    pruned: list[Table] = []
    for order in range(len(tables), 0, -1):
        min_count = min_counts.get(order, 1)
        table = {
            ngram: probability
            for ngram, probability in tables[order - 1].items()
            if counts[order - 1][ngram] >= min_count or ngram in needed
        }
        needed |= {part for ngram in table for part in (ngram[1:], ngram[:-1]) if part}
        pruned.append(table)
    pruned[-1][START_UNIT,] = _UNKNOWN_PROBABILITY
    return pruned[::-1]


def _compute_backoffs(tables: list[Table]) -> Table:
    """Return the back-off weights that make the probabilities after each context sum to one."""
    backoffs: Table = {}
    for table in tables[1:]:
        seen_mass: defaultdict[Ngram, float] = defaultdict(float)
        replaced: defaultdict[Ngram, float] = defaultdict(float)
        for ngram, probability in table.items():
            seen_mass[ngram[:-1]] += probability
            replaced[ngram[:-1]] += math.exp(_log_probability(ngram[1:], tables, backoffs))
        for context, mass in seen_mass.items():
            weight = max(1 - mass, _MIN_MASS) / max(1 - replaced[context], _MIN_MASS)
            backoffs[context] = math.log(weight)
    return backoffs


def _log_probability(ngram: Ngram, tables: list[Table], backoffs: Table) -> float:
    total = 0.0
    while ngram:
        probability = tables[len(ngram) - 1].get(ngram)
        if probability is not None:
            return total + math.log(probability)
        total += backoffs.get(ngram[:-1], 0.0)
        ngram = ngram[1:]
    return total + math.log(_UNKNOWN_PROBABILITY)
