"""Train the transliteration model: python -m tools.train_transliteration DATA MODEL.

DATA is a folder with the sets named in docs/model-card.md. The result is reproducible from them. Takes about nine
minutes on one core.
"""

from __future__ import annotations

import math
import struct
import sys
import time
from array import array
from collections import Counter
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from assamese.joint_ngram import FIRST_UNIT, JointUnit, Transducer
from assamese.letters import split_written_units
from assamese.transliteration_model import MAGIC, FeatureWeights, ModelHeader, Transliterator, word_checksum
from tools.transliteration import corpus
from tools.transliteration.alignment import align, learn_units
from tools.transliteration.backoff import Estimate, estimate, load_packed, pack
from tools.transliteration.corpus import DataSplit, RomanSpelling, SoundIndex, split_of
from tools.transliteration.habits import respell_units
from tools.transliteration.loanwords import build_loan_data, is_loan, select_loanwords
from tools.transliteration.ranking import TrainingExample, fit_weights

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    Units = tuple[JointUnit, ...]
    Readings = list[tuple[Units, float]]
    """Spellings of a word, each with its probability relative to the likeliest one."""

OBSERVED_ORDER: Final = 7
TYPED_ORDER: Final = 6
LETTERS_ORDER: Final = 7
LOANS_ORDER: Final = 6
MIN_OBSERVED_COUNTS: Final = {5: 2, 6: 2, 7: 2}
MIN_TYPED_COUNTS: Final = {3: 2, 4: 2, 5: 3, 6: 3}
MIN_LOAN_COUNTS: Final = {4: 2, 5: 2, 6: 2}
MIN_LETTER_COUNTS: Final = {5: 2, 6: 2, 7: 2}
MIN_WRITERS: Final = 2
"""Minimum number of simulated writers who spell a listed word."""
EXTRA_WRITERS_PER_TENFOLD: Final = 1.5
"""Number of additional writers for every tenfold frequency of the word in newspapers."""
SPELLINGS_PER_COLLECTED_WORD: Final = 2
READING_BEAM: Final = 5
MAX_READINGS: Final = 5
"""Number of spellings of a listed word to respell: the likeliest one alone would lack vowels that others write."""
MIN_ENGLISH_LETTERS: Final = 5
"""Minimum length of listed English words: shorter ones are often typed Assamese words (core কৰে, car কাৰ)."""
OBSERVED_PRIOR: Final = 0.5
"""Prior of spellings in the style of the collected pairs, in nats."""
MIN_FREQUENCY_WEIGHT: Final = 0.25
"""Minimum weight of frequency. Fitting on distinct words gives 0.15, too little for real text, where frequent words
dominate."""

_RARE: Final = 2
_FREQUENT: Final = 20
_ENGLISH_LETTERS: Final = frozenset("cqvz")
_ENGLISH_UNITS: Final = frozenset({JointUnit("a", ""), JointUnit("e", ""), JointUnit("a", "ে"), JointUnit("e", "া")})
_MAX_TUNING_PAIRS: Final = 2500
_MAX_RETYPED_PAIRS: Final = 1200
_MAX_LISTED_LENGTH: Final = 18
_OLD_PAIR_WEIGHT: Final = 2.0
_FREQUENT_PAIR_WEIGHT: Final = 4.0  # Frequent words are typed more than once each.


class TrainingSources(NamedTuple):
    """The training data."""

    collected: list[RomanSpelling]
    names: list[RomanSpelling]
    bengali: list[RomanSpelling]
    web_words: frozenset[str]
    word_counts: dict[str, int]
    common: frozenset[str]
    english: frozenset[str]
    dictionary: frozenset[str]


class TrainingBasis(NamedTuple):
    """Results that all builds share: weights of alignment units, and aligned spellings of loan and listed words.

    `loans` is the training data of the loanword model: `names`, and similar words among the pairs.
    Each listed word has its number of writers.
    """

    weights: dict[JointUnit, float]
    names: list[Units]
    bengali: list[Units]
    loans: list[Units]
    listed: list[tuple[Readings, int]]


class TrainingPairs(NamedTuple):
    """Aligned pairs: the collected ones, and simulated spellings of the same and other words."""

    observed: list[Units]
    typed: list[Units]


def main(data: Path, model: Path) -> None:
    """Train and write the model."""
    sources = TrainingSources(
        corpus.read_collected_pairs(data),
        corpus.read_name_pairs(data),
        corpus.read_bengali_pairs(data),
        corpus.read_web_words(data),
        corpus.read_word_counts(data),
        corpus.read_common_words(data),
        corpus.read_english_words(data),
        corpus.read_dictionary_words(data),
    )
    print_progress(f"{len(sources.collected)} pairs, {len(sources.web_words)} words of the web")
    basis = learn_basis(sources)
    fitting = build_model(sources, basis, {DataSplit.TRAIN}, FeatureWeights())
    weights = fit(Transliterator(fitting), sources, corpus.read_scholarly_pairs(data) + corpus.read_old_pairs(data))
    print_progress(f"weights {weights}")
    content = build_model(sources, basis, {DataSplit.TRAIN, DataSplit.TUNE}, weights)
    model.write_bytes(content)
    print_progress(f"{len(content)} bytes")


def learn_basis(sources: TrainingSources) -> TrainingBasis:
    """Learn the weights of alignment units and the spellings of the listed words from the training part."""
    pairs = [pair for pair in sources.collected if split_of(pair.native) == DataSplit.TRAIN]
    weights = learn_units(pairs)
    aligned = [units for pair in pairs if (units := align(pair, weights))]
    print_progress(f"{len(weights)} units make up {len(aligned)} of {len(pairs)} pairs")
    names = select_loanwords((pair for pair in sources.names if split_of(pair.native) == DataSplit.TRAIN), weights)
    neighbours = [units for pair in sources.bengali if (units := align(pair, weights)) and is_loan(pair, units)]
    loans = build_loan_data(sources.collected, names, sources.bengali, sources.english, weights)
    print_progress(f"{len(names)} loanwords and names, {len(neighbours)} of the neighbours, {len(loans)} in all")
    assamese = [units for units in aligned if not is_english(units)]
    read = spell_words(assamese, sources.web_words | sources.common | sources.word_counts.keys())
    writers = {word: count_writers(sources.word_counts.get(word, 0)) for word in read}
    return TrainingBasis(weights, names, neighbours, loans, [(ways, writers[word]) for word, ways in read.items()])


def count_writers(count: int) -> int:
    """Return the number of writers of a word by its count in newspapers: frequent words are typed more often."""
    return MIN_WRITERS + round(EXTRA_WRITERS_PER_TENFOLD * math.log10(count + 1))


def build_model(
    sources: TrainingSources, basis: TrainingBasis, splits: set[DataSplit], weights: FeatureWeights
) -> bytes:
    """Train a model on the pairs of the given parts; return the content of its file."""
    material = learn_pairs(sources, basis, splits)
    pairs = select_units(material)
    numbers = {pair: number for number, pair in enumerate(pairs, start=FIRST_UNIT)}
    observed = number_units(material.observed, numbers)
    typed = number_units(material.typed, numbers)
    words = {spelling.native for spelling in sources.collected if split_of(spelling.native) in splits}
    words |= sources.web_words | sources.common | sources.word_counts.keys()
    of_loans = Counter(unit for units in basis.loans for unit in units)
    loan_pairs = sorted(unit for unit, count in of_loans.items() if count >= _RARE)
    loan_numbers = {pair: number for number, pair in enumerate(loan_pairs, start=FIRST_UNIT)}
    letters = sorted({letter for word in words for letter in split_written_units(word)})
    letter_numbers = {letter: number for number, letter in enumerate(letters, start=FIRST_UNIT)}
    spelled = [tuple(letter_numbers[letter] for letter in split_written_units(word)) for word in sorted(words)]
    tables = [
        pack(print_size("typed", estimate(typed, TYPED_ORDER, MIN_TYPED_COUNTS))),
        pack(print_size("observed", estimate(observed, OBSERVED_ORDER, MIN_OBSERVED_COUNTS))),
        pack(print_size("letters", estimate(spelled, LETTERS_ORDER, MIN_LETTER_COUNTS))),
        pack(print_size("loans", estimate(number_units(basis.loans, loan_numbers), LOANS_ORDER, MIN_LOAN_COUNTS))),
        pack_checksums(sources.web_words),
        pack_checksums(sources.common),
        pack_checksums(word for word in sources.english if len(word) >= MIN_ENGLISH_LETTERS),
    ]
    header = ModelHeader(
        pairs=[(pair.source, pair.target) for pair in pairs],
        loan_pairs=[(pair.source, pair.target) for pair in loan_pairs],
        letters=letters,
        orders=(TYPED_ORDER, OBSERVED_ORDER, LETTERS_ORDER, LOANS_ORDER),
        sizes=tuple(map(len, tables)),  # type: ignore[arg-type]  # seven tables, seven sizes
        observed_prior=OBSERVED_PRIOR,
        weights=weights,
    )
    encoded = msgspec.json.encode(header)
    return b"".join((MAGIC, struct.pack("<I", len(encoded)), encoded, *tables))


def learn_pairs(sources: TrainingSources, basis: TrainingBasis, splits: set[DataSplit]) -> TrainingPairs:
    """Align the pairs of the given parts, and simulate spellings of their words and of the listed words."""
    pairs = [pair for pair in sources.collected if split_of(pair.native) in splits]
    collected = [units for pair in pairs if (units := align(pair, basis.weights))]
    assamese = [units for units in collected if not is_english(units)]
    random = Random(7)  # noqa: S311 (a reproducible choice of spellings, nothing secret)
    retyped = [
        respell_units(units, random)
        for ways, writers in basis.listed
        for units in random.choices([way for way, _ in ways], [share for _, share in ways], k=writers)
    ]
    retyped += [respell_units(units, random) for units in assamese for _ in range(SPELLINGS_PER_COLLECTED_WORD)]
    loans = basis.names * 2 + basis.bengali
    return TrainingPairs(collected + basis.names, collected + retyped + loans)


def is_english(units: Units) -> bool:
    """Return whether a pair is spelled as in English, not by the Assamese pronunciation."""
    return any(unit in _ENGLISH_UNITS or _ENGLISH_LETTERS & set(unit.source) for unit in units)


def spell_words(pairs: list[Units], words: Iterable[str]) -> dict[str, Readings]:
    """Return aligned Roman spellings of words, by a model of the pairs; words that it cannot spell are left out."""
    counts = Counter(unit for units in pairs for unit in units)
    frequent_units = sorted(unit for unit, count in counts.items() if count >= _RARE)
    numbers = {unit: number for number, unit in enumerate(frequent_units, start=FIRST_UNIT)}
    model = load_packed(estimate(number_units(pairs, numbers), TYPED_ORDER, MIN_OBSERVED_COUNTS))
    transducer = Transducer([JointUnit(unit.target, unit.source) for unit in frequent_units], model, READING_BEAM)
    short = [word for word in sorted(words) if len(word) <= _MAX_LISTED_LENGTH]
    best = {
        word: hypotheses
        for word in short
        if (hypotheses := transducer.find_best(split_written_units(word), MAX_READINGS))
    }
    print_progress(f"{len(best)} of {len(short)} listed words read")
    return {
        word: [
            (
                tuple(frequent_units[number - FIRST_UNIT] for number in way.units),
                math.exp(way.score - hypotheses[0].score),
            )
            for way in hypotheses
        ]
        for word, hypotheses in best.items()
    }


def select_units(material: TrainingPairs) -> list[JointUnit]:
    """Return the units that are frequent enough for the model, sorted."""
    observed = Counter(unit for units in material.observed for unit in units)
    typed = Counter(unit for units in material.typed for unit in units)
    return sorted(unit for unit, count in typed.items() if observed[unit] >= _RARE or count >= _FREQUENT)


def number_units(material: Iterable[Units], numbers: dict[JointUnit, int]) -> list[tuple[int, ...]]:
    """Convert sequences of units to their numbers; sequences with a unit that has no number are left out."""
    return [tuple(map(numbers.__getitem__, units)) for units in material if all(map(numbers.__contains__, units))]


def print_size(name: str, model: Estimate) -> Estimate:
    """Print the size of a model, and return the model."""
    print_progress(f"{name}: {[len(table) for table in model.probabilities]} n-grams")
    return model


def pack_checksums(words: Iterable[str]) -> bytes:
    """Return the sorted checksums of words, in the format of `WordSet`."""
    values = array("I", sorted({word_checksum(word) for word in words}))
    if sys.byteorder == "big":
        values.byteswap()
    return values.tobytes()


def fit(model: Transliterator, sources: TrainingSources, old: Sequence[RomanSpelling]) -> FeatureWeights:
    """Fit the ranking weights on held-out pairs, on these pairs respelled, and on romanizations."""
    tune = [pair for pair in sources.collected if split_of(pair.native) == DataSplit.TUNE]
    examples = [(pair, 1.0) for pair in tune[:_MAX_TUNING_PAIRS]]
    examples += [(pair, 1.0) for pair in retype_pairs(tune[:_MAX_RETYPED_PAIRS])]
    examples += [(pair, _OLD_PAIR_WEIGHT) for pair in old]
    frequent = sources.common | sources.dictionary
    dictionary = SoundIndex(sources.dictionary)
    choices: list[TrainingExample] = []
    for pair, weight in examples:
        candidates = model.search_with_words(pair.roman, dictionary.find_by_sound(pair.roman))
        targets = [candidate.target for candidate in candidates]
        if pair.native in targets:
            views = [model.compute_features(candidate, sources.dictionary.__contains__) for candidate in candidates]
            counts = weight * (_FREQUENT_PAIR_WEIGHT if pair.native in frequent else 1.0)
            choices.append(TrainingExample(views, targets.index(pair.native), counts))
    print_progress(f"{len(choices)} of {len(examples)} choices to learn from")
    fitted = FeatureWeights(
        *(round(weight, 3) for weight in fit_weights(choices, msgspec.structs.astuple(FeatureWeights())))
    )
    return msgspec.structs.replace(fitted, frequency=max(fitted.frequency, MIN_FREQUENCY_WEIGHT))


def retype_pairs(pairs: Sequence[RomanSpelling]) -> list[RomanSpelling]:
    """Return simulated respellings of pairs, without those spelled as in English."""
    weights = learn_units(pairs)
    random = Random(5)  # noqa: S311 (a reproducible choice of spellings, nothing secret)
    aligned = [(pair.native, align(pair, weights)) for pair in pairs]
    return [
        RomanSpelling("".join(unit.source for unit in respell_units(units, random)), native)
        for native, units in aligned
        if units and not is_english(units)
    ]


def print_progress(text: str) -> None:
    """Print a line with the processor time since the start."""
    print(f"{time.process_time():6.0f} s  {text}", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
