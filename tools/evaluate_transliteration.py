"""Measure the transliteration model: python -m tools.evaluate_transliteration DATA [MODEL].

Prints one line per set and direction. The pairs of the first three sets were not used in training: the split by native
word is fixed (tools.transliteration.corpus.split_of).
"""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from rapidfuzz.distance import Levenshtein

from assamese.transliteration_model import Transliterator, default_transliterator
from tools.train_transliteration import retype_pairs
from tools.transliteration import corpus
from tools.transliteration.alignment import align, closeness, learn_units
from tools.transliteration.corpus import DataSplit, RomanSpelling, split_of
from tools.transliteration.loanwords import MIN_CLOSENESS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

TYPED_WORDS = Path(__file__).resolve().parent.parent / "eval" / "typed_words.tsv"
MAX_ANSWERS = 10
TOP_RANKS = 5


class TransliterationMetrics(NamedTuple):
    """Results of a set: shares in per cent, and the median processor time in milliseconds."""

    questions: int
    first: float
    in_five: float
    reciprocal_rank: float
    character_errors: float
    milliseconds: float

    def __str__(self) -> str:
        """Return the figures as the cells of a table."""
        return (
            f"{self.questions:6}  {self.first:6.1f}  {self.in_five:6.1f}  {self.reciprocal_rank:5.3f}"
            f"  {self.character_errors:5.3f}  {self.milliseconds:5.2f}"
        )


def measure(
    questions: Mapping[str, set[str]], answer: Callable[[str], Sequence[str]], limit: int = MAX_ANSWERS
) -> TransliterationMetrics:
    """Answer each question; return the shares of accepted answers and the median time."""
    ranks: list[int] = []
    times: list[float] = []
    errors = letters = 0
    for question, accepted in questions.items():
        start = time.process_time()
        answers = list(answer(question))[:limit]
        times.append(1000 * (time.process_time() - start))
        ranks.append(next((rank for rank, candidate in enumerate(answers, 1) if candidate in accepted), 0))
        best = answers[0] if answers else ""
        distance, length = min((Levenshtein.distance(best, candidate), len(candidate)) for candidate in accepted)
        errors, letters = errors + distance, letters + length
    size = len(questions)
    return TransliterationMetrics(
        size,
        100 * ranks.count(1) / size,
        100 * sum(1 <= rank <= TOP_RANKS for rank in ranks) / size,
        sum(1 / rank for rank in ranks if rank) / size,
        errors / letters,
        median(times),
    )


def read_evaluation_sets(data: Path) -> dict[str, list[RomanSpelling]]:
    """Return the evaluation sets by name."""
    collected = corpus.read_collected_pairs(data)
    test = [pair for pair in collected if split_of(pair.native) == DataSplit.TEST]
    list_words = corpus.read_web_words(data) | corpus.read_common_words(data)
    return {
        "Aksharantar, test part": test,
        "  of these in no word list": [pair for pair in test if pair.native not in list_words],
        "the same, other habits": retype_pairs(test),
        "names and loanwords": read_loanwords(data, test),
        "typed words (our list)": corpus.read_listed_pairs(TYPED_WORDS),
        "IE-CoR without marks (*)": corpus.read_scholarly_pairs(data),
        "Gurdon 1903 without marks (*)": corpus.read_old_pairs(data),
    }


def read_loanwords(data: Path, aligned_like: list[RomanSpelling]) -> list[RomanSpelling]:
    """Return the loanwords and names outside the training part."""
    weights = learn_units(aligned_like)
    unseen = [pair for pair in corpus.read_name_pairs(data) if split_of(pair.native) != DataSplit.TRAIN]
    return [pair for pair in unseen if (units := align(pair, weights)) and closeness(units, weights) >= MIN_CLOSENESS]


def group_answers(pairs: Sequence[tuple[str, str]]) -> dict[str, set[str]]:
    """Return the accepted answers to each question."""
    accepted: defaultdict[str, set[str]] = defaultdict(set)
    for question, answer in pairs:
        accepted[question].add(answer)
    return dict(accepted)


def main(data: Path, model: Transliterator) -> None:
    """Print the table."""
    dictionary = corpus.SoundIndex(corpus.read_dictionary_words(data))

    def rank_with_dictionary(roman: str) -> tuple[str, ...]:
        candidates = model.search_with_words(roman, dictionary.find_by_sound(roman))
        return model.rank(candidates, MAX_ANSWERS, in_dictionary=dictionary.words.__contains__)

    print(f"{'Roman to Assamese':34}  words   first  in 5    MRR    CER    ms")
    for name, pairs in read_evaluation_sets(data).items():
        questions = group_answers(pairs)
        print(f"{name:34} {measure(questions, lambda word: model.to_assamese(word, MAX_ANSWERS))}", flush=True)
        print(f"{'    with a dictionary':34} {measure(questions, rank_with_dictionary)}", flush=True)
    print(f"\n{'Assamese to Roman (plain)':34}  words   first  in 5    MRR    CER    ms")
    for name, pairs in read_evaluation_sets(data).items():
        back = group_answers([(pair.native, pair.roman) for pair in pairs])
        print(f"{name:34} {measure(back, lambda word: model.to_roman(word, MAX_ANSWERS))}", flush=True)
    print("(*) also used to set the weights of the ranking, never to train the models")


if __name__ == "__main__":
    main(
        Path(sys.argv[1]), Transliterator(Path(sys.argv[2]).read_bytes()) if sys.argv[2:] else default_transliterator()
    )
