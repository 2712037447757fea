"""Measure the morphological analysis of running text, with the words of `eval/running_words`.

Run: python -m tools.evaluate_analysis [--part tuning|held-out|all] [--failures]

The first analysis of each word counts. The lexicon is the starter dictionary and, in a second run, two thirds of it.
The rules were developed on the odd sentences (`tuning`) only.
"""

import argparse
import csv
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple
from zlib import crc32

import msgspec

from assamese.analysis import Analysis, LexiconWord, MemoryLexicon, universal_pos
from assamese.inflected_forms import find_word_kinds
from assamese.keys import exact_key
from assamese.paradigms import Headword
from assamese.sentence_analysis import PUNCTUATION_TAG, Token, analyze
from tools.check_starter import IDEAS, STARTER
from tools.evaluate import EVAL_FOLDER, PARTS

RUNNING_WORDS: Final = EVAL_FOLDER / "running_words"
FOLD_COUNT: Final = 3
"""Number of folds of the starter's words, by checksum; the smaller lexicon lacks one fold."""


class GoldWord(NamedTuple):
    """A word of the annotated sentences, with its correct analysis."""

    form: str
    lemma: str
    pos: str
    features: str


class AnalysisOutcome(NamedTuple):
    """A word and its best analysis."""

    gold: GoldWord
    best: Analysis | None

    @property
    def has_right_lemma(self) -> bool:
        """True if the lemma is right."""
        return self.best is not None and exact_key(self.best.lemma) == exact_key(self.gold.lemma)

    @property
    def has_right_pos(self) -> bool:
        """True if the part of speech is right."""
        return self.best is not None and self.best.pos == self.gold.pos

    @property
    def has_right_features(self) -> bool:
        """True if the features are exactly those annotated."""
        return format_features(self.best) == self.gold.features


class Accuracies(NamedTuple):
    """Shares of words with the right lemma, part of speech and features; features count only words that have any."""

    lemma: float
    pos: float
    features: float


def read_starter_words() -> list[LexiconWord]:
    """Return the Assamese words of the starter dictionary."""
    codes = {
        item["value"]: item.get("code")
        for item in map(msgspec.json.decode, (STARTER / "lists.jsonl").read_bytes().splitlines())
        if item.get("list") == "POS"
    }
    parts: dict[str, list[tuple[str, str | None]]] = defaultdict(list)
    details: dict[str, dict[str, str]] = defaultdict(dict)
    forms: dict[str, set[str]] = defaultdict(set)
    for file in IDEAS:
        for idea in map(msgspec.json.decode, file.read_bytes().splitlines()):
            for word in idea.get("words", ()) if "pos" in idea else ():
                if word["language"] == "as":
                    parts[word["text"]].append((idea["pos"], codes.get(idea["pos"])))
                    details[word["text"]] |= {name: word[name] for name in ("definitive", "plural") if name in word}
                    forms[word["text"]] |= {exact_key(form) for form in word.get("forms", ())}
    return [
        LexiconWord(
            Headword(
                text,
                find_word_kinds(of_word),
                details[text].get("definitive", ""),
                details[text].get("plural", ""),
                frozenset(forms[text]),
            ),
            tuple(dict.fromkeys(universal_pos(value, code) for value, code in of_word)),
        )
        for text, of_word in parts.items()
    ]


def sample_two_thirds(words: Sequence[LexiconWord]) -> list[LexiconWord]:
    """Return two thirds of the words, selected by their checksums."""
    return [word for word in words if crc32(word.headword.text.encode()) % FOLD_COUNT]


def read_gold(part: str) -> dict[int, list[GoldWord]]:
    """Return the annotated sentences of a part by number: odd ones are `tuning`, even ones `held-out`."""
    sentences: dict[int, list[GoldWord]] = defaultdict(list)
    with (RUNNING_WORDS / "annotation_a.tsv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            number = int(row["sentence"])
            if part in {"all", "tuning" if number % 2 else "held-out"}:
                sentences[number].append(GoldWord(row["form"], row["lemma"], row["pos"], row["features"]))
    return sentences


def analyze_sentences(lexicon: MemoryLexicon, part: str) -> Iterator[AnalysisOutcome]:
    """Analyse the sentences; yield the outcome of each word, without punctuation and numbers."""
    sentences = (RUNNING_WORDS / "sentences.txt").read_text(encoding="utf-8").splitlines()
    for number, golds in read_gold(part).items():
        tokens = iter(analyze(sentences[number - 1], lexicon))
        for gold in golds:
            token: Token = next(tokens)
            assert token.form == gold.form, (token, gold)  # noqa: S101  # the annotation is of these sentences
            if gold.pos != PUNCTUATION_TAG and not gold.form.isdecimal():
                yield AnalysisOutcome(gold, next(iter(token.analyses), None))


def measure(lexicon: MemoryLexicon, part: str) -> Accuracies:
    """Analyse the sentences of a part; return the shares of right lemmas, parts of speech and features."""
    return compute_accuracies(list(analyze_sentences(lexicon, part)))


def compute_accuracies(results: Sequence[AnalysisOutcome]) -> Accuracies:
    """Compute the shares of right lemmas, parts of speech and features."""
    featured = [outcome for outcome in results if outcome.gold.features != "_"]
    return Accuracies(
        sum(outcome.has_right_lemma for outcome in results) / len(results),
        sum(outcome.has_right_pos for outcome in results) / len(results),
        sum(outcome.has_right_features for outcome in featured) / len(featured),
    )


def format_features(analysis: Analysis | None) -> str:
    """Format the features of an analysis as in the annotations; None gives an empty string."""
    if analysis is None:
        return ""
    return "|".join(f"{name}={value}" for name, value in sorted(analysis.features.items())) or "_"


def main() -> None:
    """Print the shares."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", choices=PARTS, default="all")
    parser.add_argument("--failures", action="store_true", help="list the words that are analysed wrongly")
    options = parser.parse_args()
    words = read_starter_words()
    for name, chosen in (("whole starter", words), ("starter without a third", sample_two_thirds(words))):
        results = list(analyze_sentences(MemoryLexicon(chosen), options.part))
        accuracies = compute_accuracies(results)
        print(f"analysis of running words ({options.part}), {name}: {len(results)} words")
        print(
            f"  lemma {accuracies.lemma:.1%}, part of speech {accuracies.pos:.1%}, features {accuracies.features:.1%}"
        )
        for outcome in results if options.failures else ():
            if not (outcome.has_right_lemma and outcome.has_right_pos and outcome.has_right_features):
                best = outcome.best
                answer = "nothing" if best is None else f"{best.lemma} {best.pos} {format_features(best)}"
                print(f"    {outcome.gold.form}: {answer}; right {' '.join(outcome.gold[1:])}")


if __name__ == "__main__":
    main()
