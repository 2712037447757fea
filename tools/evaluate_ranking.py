"""Measure how often the right word is ranked first, in the starter dictionary and with 20,000 more Assamese words.

Run: python -m tools.evaluate_ranking [DATA] [--half tuning|telling|both] [--failures N] [--row BEGINNING]

DATA is the folder of the shared data; without it, only the starter is queried, for words chosen without counts.

An answer of `dic.php` is right if the first entry of its first item is the expected word. If that item has no entry in
the expected language (nothing was found, or only words of another language with this spelling), the first suggestion
counts, too. An answer of `/api/suggest` is right if the word is among the first ten. Queries specify no language.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from abhidhan.dictionary.service.completions import suggest
from abhidhan.dictionary.service.lookup import look_up
from abhidhan.dictionary.service.lookup_lists import ALL_LANGUAGES_PARAM
from abhidhan.records.languages import ASSAMESE, ENGLISH
from assamese.keys import exact_key
from tools.evaluate import starter
from tools.ranking import queries
from tools.ranking.dictionaries import larger
from tools.ranking.material import HALVES, gather
from tools.ranking.queries import Question, make_questions

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from abhidhan.dictionary.model.cascade import QueryWord
    from abhidhan.platform.database.reader import Reader
    from abhidhan.records.words import Word

OFFERED: Final = 10
"""Number of suggestions among which the word must be."""

SHARES: Final = ("starter", "larger", "added")
"""Columns: starter words in the starter and in the larger dictionary, and words that only the larger one has."""


class Answer(NamedTuple):
    """The result of a question: whether the word was ranked first and, if not, the kind of failure."""

    question: Question
    is_right: bool
    lost: str = ""
    instead: str = ""


def ask(reader: Reader, question: Question) -> Answer:
    """Query the dictionary with a question."""
    if question.row == queries.SUGGEST:
        return _ask_suggest(reader, question)
    items = look_up(reader, question.text)
    return judge(question, items[0]) if items else Answer(question, is_right=False, lost="no item")


def _ask_suggest(reader: Reader, question: Question) -> Answer:
    offered = suggest(reader, question.text, ALL_LANGUAGES_PARAM, OFFERED)
    if exact_key(question.expected) in map(exact_key, offered):
        return Answer(question, is_right=True)
    scripts = "all of Latin letters" if all(word.isascii() for word in offered) else "some of other letters"
    return Answer(question, is_right=False, lost=f"not among ten, {scripts}", instead=", ".join(offered[:3]))


def judge(question: Question, item: QueryWord) -> Answer:
    """Return whether the expected word is first in an item of an answer and, if not, the kind of failure."""
    expected, language = exact_key(question.expected), _language_of(question)
    first = [exact_key(word.word) for word in item.entries[:1]]
    if not any(word.language_id == language for word in item.entries):
        first += [exact_key(each.word) for each in item.suggestions[:1]]
    if expected in first:
        return Answer(question, is_right=True)
    return Answer(question, is_right=False, lost=_how_lost(expected, item, language), instead=_instead(item))


def _language_of(question: Question) -> int:
    return ENGLISH if question.row == queries.ENGLISH else ASSAMESE


def _how_lost(expected: str, item: QueryWord, language: int) -> str:
    """Describe a failure: the position of the word, the match of the item, and the kind of its first result."""
    if any(exact_key(word.word) == expected for word in item.entries):
        where = "behind"
    elif any(exact_key(each.word) == expected for each in item.suggestions):
        where = "only suggested"
    else:
        where = "not found"
    return f"{where}; {item.match}; first is {_first_of(item, language)}"


def _first_of(item: QueryWord, language: int) -> str:
    if item.entries:
        return _kind_of(item.entries[0], language)
    return "another suggestion" if item.suggestions else "nothing"


def _kind_of(word: Word, language: int) -> str:
    if word.language_id != language:
        return "of another language"
    is_bare = not any(meaning.definitions or meaning.translations for meaning in word.meanings)
    return "a bare word" if is_bare else "a word with a meaning"


def _instead(item: QueryWord) -> str:
    found = [*(word.word for word in item.entries), *(each.word for each in item.suggestions)]
    return ", ".join(found[:3])


# --- figures ----------------------------------------------------------------------------------------------------------

Answers = dict[str, list[Answer]]
"""Answers by column."""


def ask_all(reader: Reader, questions: Iterable[Question]) -> list[Answer]:
    """Query the dictionary with many questions."""
    return [ask(reader, question) for question in questions]


def share_right(answers: Sequence[Answer]) -> float:
    """Return the share of right answers."""
    return sum(answer.is_right for answer in answers) / len(answers) if answers else 0.0


def of_row(answers: Iterable[Answer], row: str, half: str | None = None) -> list[Answer]:
    """Return the answers of a row, and only of one half if given."""
    return [each for each in answers if each.question.row == row and half in {None, each.question.half}]


def measure(data: Path | None, questions: Sequence[Question]) -> Answers:
    """Query the starter and the larger dictionary; return the answers by column."""
    of_starter = [each for each in questions if each.is_starter]
    of_added = [each for each in questions if not each.is_starter]
    with starter() as database:
        in_starter = database.read_now(lambda reader: ask_all(reader, of_starter))
    if data is None:
        return {"starter": in_starter, "larger": [], "added": []}
    with larger(data) as database:
        in_larger = database.read_now(lambda reader: ask_all(reader, of_starter))
        added = database.read_now(lambda reader: ask_all(reader, of_added))
    return {"starter": in_starter, "larger": in_larger, "added": added}


# --- the report -------------------------------------------------------------------------------------------------------


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, nargs="?", help="the folder of the shared data")
    parser.add_argument("--half", choices=(*HALVES, "both"), default="both")
    parser.add_argument("--row", default="", help="only the rows that begin so")
    parser.add_argument("--failures", type=int, default=0, metavar="N", help="list N failures of each kind")
    options = parser.parse_args()
    started = time.process_time()
    halves = HALVES if options.half == "both" else (options.half,)
    questions = [each for each in make_questions(gather(options.data)) if _is_wanted(each, options.row, halves)]
    answers = measure(options.data, questions)
    for half in halves:
        _print_table(half, answers)
    print(f"\n  {len(questions)} queries, {time.process_time() - started:.0f} s of processor time")
    if options.failures:
        _print_failures(answers, options.failures)


def _is_wanted(question: Question, row: str, halves: Sequence[str]) -> bool:
    return question.half in halves and question.row.startswith(row)


def _print_table(half: str, answers: Answers) -> None:
    print(f"\nThe right word first ({half} half)")
    print(f"  {'':<46}{'starter':>9}{'larger':>9}{'queries':>9}{'added':>9}{'queries':>9}")
    for row in queries.ROWS:
        found = {column: of_row(answers[column], row, half) for column in SHARES}
        shares = {column: f"{share_right(of_column):.1%}" if of_column else "-" for column, of_column in found.items()}
        counts = f"{shares['larger']:>9}{len(found['starter']):>9}{shares['added']:>9}{len(found['added']) or '':>9}"
        if found["starter"]:
            print(f"  {row:<46}{shares['starter']:>9}{counts}")


def _print_failures(answers: Answers, most: int) -> None:
    for row in queries.ROWS:
        for column in SHARES:
            found = of_row(answers[column], row)
            lost = [answer for answer in found if not answer.is_right]
            if lost:
                print(f"\n{row}, {column}: {len(lost)} of {len(found)} lost")
                _print_lost(found, lost, most)


def _print_lost(found: Sequence[Answer], lost: Sequence[Answer], most: int) -> None:
    asked = Counter(answer.question.kind for answer in found)
    missed = Counter(answer.question.kind for answer in lost)
    print("  by kind: " + ", ".join(f"{kind} {missed[kind]} of {count}" for kind, count in sorted(asked.items())))
    groups: dict[str, list[Answer]] = defaultdict(list)
    for answer in lost:
        groups[answer.lost].append(answer)
    for how, group in sorted(groups.items(), key=lambda item: (-len(item[1]), item[0])):
        print(f"  {len(group):>5}  {how}")
        for answer in group[:most]:
            print(f"           {answer.question.text} -> {answer.instead or '-'}; expected {answer.question.expected}")


if __name__ == "__main__":
    main()
