"""Report how many Assamese words of the starter dictionary an independent source confirms, and list the others.

Usage: check_starter.py DATA [IDEAS.jsonl ...]
       check_starter.py --readings

DATA is a folder with the sets cldr, iecor, gatitos and wiktionary_concepts (translations by English word) and,
optionally, hunspell_as, tesseract_asm_words, wikipron, unimorph_asm and assamese_counts (words only). A word is
*confirmed* if a source other than its own gives it for one of the idea's English words, *attested* if it is only in a
word list, and *inflected* if a list has a form of it, or of each of its parts (মনত পৰা).

With --readings, which needs no DATA, the command fails unless the starter agrees with tools/readings: the order of
Assamese words in every idea with several, the order of senses of every frequent headword, and the origins of words. It
prints how often a second, blind reading agreed.
"""

import argparse
import csv
import re
import sys
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

import msgspec

from abhidhan.records.kinds import IdeaRecord, Record, WordRecord
from assamese.inflection import propose_stems
from assamese.keys import exact_key, loose_key
from assamese.word_frequency import look_up_band

STARTER = Path(__file__).parents[1] / "src" / "abhidhan" / "data"
IDEAS = sorted(STARTER.glob("ideas_*.jsonl"))
READINGS = Path(__file__).parent / "readings"

MIN_COMMON_BAND = 38
"""Minimum frequency band of headwords whose order of senses is decided by readings: about a thousand."""

SECOND_READING_COUNTS = {"order": 105, "order of the commonest": 386, "pos": 300, "origins": 269}
"""Number of decisions of each kind that were read a second time, blind. second_readings.tsv lists the differences."""

TRANSLATION_SEPARATOR = re.compile(r"[|,;/]")
JOINERS = dict.fromkeys(map(ord, "\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH NO-BREAK SPACE}"))
LETTER_CORRECTIONS = str.maketrans(
    {"\N{BENGALI LETTER RA}": "ৰ", "'": "’", "‘": "’", "\N{MODIFIER LETTER APOSTROPHE}": "’", "\N{NO-BREAK SPACE}": " "}
)

Pairs = Iterator[tuple[str, str]]


class Verdict(StrEnum):
    """Degree of confirmation of a word."""

    CONFIRMED = "confirmed"
    ATTESTED = "attested"
    INFLECTED = "inflected"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class WordFinding:
    """An Assamese word of an idea: its verdict, the sources that confirm it, and the words of other sources."""

    idea: str
    english: str
    word: str
    verdict: Verdict
    sources: tuple[str, ...]
    other_words: tuple[str, ...]


def normalize_word(text: str) -> str:
    """Normalise a word for comparison: NFC, without joiners, with Assamese ৰ and one apostrophe, in lower case."""
    text = unicodedata.normalize("NFC", text).translate(JOINERS).translate(LETTER_CORRECTIONS)
    return " ".join(text.split()).lower()


def normalize_english(text: str) -> str:
    """Normalise an English headword for comparison, without articles and the "to " of verbs."""
    return re.sub(r"^(to|a|an|the) ", "", normalize_word(text))


def read_table(file: Path) -> Iterator[dict[str, str]]:
    """Yield the rows of a tab-separated table with a header line."""
    with file.open(encoding="utf-8", newline="") as lines:
        yield from csv.DictReader(lines, delimiter="\t")


def read_column_pairs(file: Path) -> Pairs:
    """Yield (English, Assamese) from a table with the columns `en` and `as`."""
    for row in read_table(file):
        yield row.get("en") or "", row.get("as") or ""


def read_line_pairs(file: Path) -> Pairs:
    """Yield (English, Assamese) from a tab-separated file without a header."""
    for line in file.read_text("utf-8").splitlines():
        english, _, assamese = line.partition("\t")
        yield english, assamese


def read_cldr_pairs(folder: Path) -> Pairs:
    """Yield (English, Assamese) names of emoji, languages and regions."""
    yield from read_column_pairs(folder / "DERIVED_emoji_aligned.tsv")
    for kind in ("languages", "territories"):
        names = {code: read_names(folder / "localenames" / code / f"{kind}.json", code, kind) for code in ("en", "as")}
        for code, name in names["as"].items():
            yield names["en"].get(code, ""), name


def read_names(file: Path, language: str, kind: str) -> dict[str, str]:
    """Return the names in a file of CLDR's localenames, by code."""
    tree = msgspec.json.decode(file.read_bytes())
    names: dict[str, str] = tree["main"][language]["localeDisplayNames"][kind]
    return names


TRANSLATIONS: dict[str, Callable[[Path], Pairs]] = {
    "cldr": read_cldr_pairs,
    "iecor": lambda folder: read_column_pairs(folder / "DERIVED_aligned.tsv"),
    "gatitos": lambda folder: read_line_pairs(folder / "en_as.tsv"),
    "wiktionary_concepts": lambda folder: read_column_pairs(folder / "DERIVED_aligned.tsv"),
}

WORD_LISTS = {
    "hunspell_as": "*.dic",
    "tesseract_asm_words": "*.txt",
    "wikipron": "*as*.tsv",
    "unimorph_asm": "asm*",
    "assamese_counts": "words.tsv",
}

ASSAMESE_WORD = re.compile("[\u0980-\u09ff][\u0980-\u09ff’]*")
PART_SEPARATOR = re.compile("[ -]")


def read_translations(data: Path) -> dict[str, dict[str, set[str]]]:
    """Return the Assamese words of the sources, by source and English word."""
    translations: dict[str, dict[str, set[str]]] = {}
    for source, pairs in TRANSLATIONS.items():
        if (data / source).is_dir():
            words: dict[str, set[str]] = defaultdict(set)
            for english, assamese in pairs(data / source):
                words[normalize_english(english)] |= {
                    normalize_word(word) for word in TRANSLATION_SEPARATOR.split(assamese)
                } - {""}
            translations[source] = words
    return translations


class WordLists(NamedTuple):
    """The words of the word lists, and the loose keys of these words and of their possible lemmas."""

    words: frozenset[str]
    lemmas: frozenset[str]

    def find_verdict(self, word: str) -> Verdict:
        """Return the verdict of the word lists on a normalised word; never `CONFIRMED`."""
        if word in self.words:
            return Verdict.ATTESTED
        parts = [part for part in PART_SEPARATOR.split(word) if part]
        return Verdict.INFLECTED if all(loose_key(part, "as") in self.lemmas for part in parts) else Verdict.UNKNOWN


def read_word_lists(data: Path) -> WordLists:
    """Read all words of the word lists."""
    words: set[str] = set()
    for source, pattern in WORD_LISTS.items():
        for file in (data / source).glob(pattern):
            for line in file.read_text("utf-8", errors="replace").splitlines():
                words |= {normalize_word(cell) for cell in line.split("\t")}
    forms = [word for word in words if ASSAMESE_WORD.fullmatch(word)]
    lemmas = {stem.key for form in forms for stem in propose_stems(form, "as")} | {
        loose_key(form, "as") for form in forms
    }
    return WordLists(frozenset(words), frozenset(lemmas))


def read_ideas(files: Iterable[Path]) -> Iterator[IdeaRecord]:
    """Yield the ideas of JSON Lines files."""
    decoder = msgspec.json.Decoder(Record)
    for file in files:
        for line in file.read_bytes().splitlines():
            record = decoder.decode(line)
            if isinstance(record, IdeaRecord):
                yield record


def check_idea(
    idea: IdeaRecord, translations: dict[str, dict[str, set[str]]], word_lists: WordLists
) -> Iterator[WordFinding]:
    """Yield a finding for each Assamese word of an idea. The source of an idea does not count as confirmation."""
    english = [word.text for word in idea.words if word.language == "en"]
    words_by_source: dict[str, set[str]] = {}
    for source, words in translations.items():
        if source != idea.source:
            words_by_source[source] = set().union(*(words.get(normalize_english(text), set()) for text in english))
    for word in idea.words:
        if word.language == "as":
            key = normalize_word(word.text)
            sources = tuple(source for source, words in words_by_source.items() if key in words)
            verdict = Verdict.CONFIRMED if sources else word_lists.find_verdict(key)
            other_words = tuple(sorted(set().union(*words_by_source.values()))) if words_by_source else ()
            yield WordFinding(f"{idea.source}:{idea.key}", ", ".join(english), word.text, verdict, sources, other_words)


def format_summary(findings: Sequence[WordFinding]) -> str:
    """Return a line with the number of words and the share of each verdict."""
    counts = {verdict: sum(finding.verdict is verdict for finding in findings) for verdict in Verdict}
    shares = ", ".join(f"{name} {count} ({count / max(len(findings), 1):.0%})" for name, count in counts.items())
    return f"{len(findings)} Assamese words: {shares}"


def format_idea_count(findings: Sequence[WordFinding]) -> str:
    """Return a line with the number of ideas that have at least one confirmed Assamese word."""
    ideas = {finding.idea for finding in findings}
    confirmed = {finding.idea for finding in findings if finding.verdict is Verdict.CONFIRMED}
    share = len(confirmed) / max(len(ideas), 1)
    return f"{len(ideas)} ideas with an Assamese word: {len(confirmed)} confirmed ({share:.0%})"


def format_report(findings: Sequence[WordFinding]) -> Iterator[str]:
    """Yield the lines of the report: a summary for each source of ideas, then the unconfirmed words."""
    for source in sorted({finding.idea.partition(":")[0] for finding in findings}):
        source_findings = [finding for finding in findings if finding.idea.startswith(f"{source}:")]
        yield f"{source}: {format_summary(source_findings)}; {format_idea_count(source_findings)}"
    for finding in findings:
        if finding.verdict is not Verdict.CONFIRMED:
            elsewhere = f" (elsewhere: {', '.join(finding.other_words)})" if finding.other_words else ""
            yield f"{finding.verdict}\t{finding.idea}\t{finding.english}\t{finding.word}{elsewhere}"


def iter_assamese_words(ideas: Iterable[IdeaRecord]) -> Iterator[tuple[IdeaRecord, WordRecord]]:
    """Yield each Assamese word with its idea, in the order of loading a new dictionary."""
    return ((idea, word) for idea in ideas for word in idea.words if word.language == "as")


def collect_word_orders(ideas: Sequence[IdeaRecord]) -> dict[str, str]:
    """Return, by idea, the Assamese words of each idea that has at least two, joined by "|"."""
    words: dict[str, list[str]] = defaultdict(list)
    for idea, word in iter_assamese_words(ideas):
        words[f"{idea.source}:{idea.key}"].append(word.text)
    return {key: "|".join(texts) for key, texts in words.items() if len(texts) > 1}


def collect_sense_orders(ideas: Sequence[IdeaRecord]) -> dict[str, str]:
    """Return the ideas of each frequent headword, joined by "|", in the order of their stored positions."""
    senses: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for idea, word in iter_assamese_words(ideas):
        positions = senses[word.text]
        next_position = max((position for position, _ in positions), default=0) + 1
        positions.append((word.position or next_position, f"{idea.source}:{idea.key}"))
    common = {
        word: entries for word, entries in senses.items() if look_up_band(exact_key(word), "as") >= MIN_COMMON_BAND
    }
    return {
        word: "|".join(key for _, key in sorted(entries, key=lambda each: each[0])) for word, entries in common.items()
    }


def collect_origins(ideas: Sequence[IdeaRecord]) -> dict[str, str]:
    """Return the origin of each Assamese word; different origins of one word, which are an error, are joined by "|"."""
    origins_by_word: dict[str, set[str]] = defaultdict(set)
    for _, word in iter_assamese_words(ideas):
        if word.origin:
            origins_by_word[word.text].add(word.origin)
    return {word: "|".join(sorted(texts)) for word, texts in origins_by_word.items()}


class DecisionTable(NamedTuple):
    """A table of decisions: its file, its key and decision columns, and a function that returns the starter's state."""

    file: str
    key_column: str
    decision_column: str
    collect: Callable[[Sequence[IdeaRecord]], dict[str, str]]


DECISION_TABLES = (
    DecisionTable("word_order.tsv", "key", "words", collect_word_orders),
    DecisionTable("main_senses.tsv", "word", "ideas", collect_sense_orders),
    DecisionTable("origins.tsv", "word", "origin", collect_origins),
)


def compare_readings(ideas: Sequence[IdeaRecord], folder: Path) -> Iterator[str]:
    """Yield a line for each decision on which the starter and the readings differ."""
    for file, name, decision, stored in DECISION_TABLES:
        decided = {row[name]: row[decision] for row in read_table(folder / file) if row[decision]}
        current = stored(ideas)
        for key in sorted(decided.keys() | current.keys()):
            if decided.get(key) != current.get(key):
                yield f"{file}\t{key}\tread: {decided.get(key, 'never')}\tstored: {current.get(key, 'nothing')}"


def format_agreement(folder: Path) -> Iterator[str]:
    """Yield a line for each kind of decision with the share of second readings that agreed with the first."""
    different = Counter(row["kind"] for row in read_table(folder / "second_readings.tsv"))
    for kind, total in SECOND_READING_COUNTS.items():
        alike = total - different[kind]
        yield f"{kind}: of {total} read twice {alike} alike ({alike / total:.1%})"


def check_readings(files: Iterable[Path] = IDEAS, folder: Path = READINGS) -> int:
    """Print the agreement and the differences between the starter and its readings; return 1 if they differ."""
    differences = list(compare_readings(list(read_ideas(files)), folder))
    for line in (*format_agreement(folder), *differences):
        sys.stdout.write(line + "\n")
    return 1 if differences else 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the report or, with `--readings`, check the readings."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("data", type=Path, nargs="?")
    parser.add_argument("ideas", type=Path, nargs="*", default=IDEAS)
    parser.add_argument("--readings", action="store_true", help="check the starter against its readings, without DATA")
    options = parser.parse_args(arguments)
    if options.readings:
        return check_readings()
    if options.data is None:
        parser.error("DATA is missing")
    translations, word_lists = read_translations(options.data), read_word_lists(options.data)
    findings = [finding for idea in read_ideas(options.ideas) for finding in check_idea(idea, translations, word_lists)]
    for line in format_report(findings):
        sys.stdout.write(line + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
