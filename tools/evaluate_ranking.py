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
from tools.evaluate import open_small_starter
from tools.ranking import queries
from tools.ranking.dictionaries import open_larger
from tools.ranking.material import HALVES, load_material
from tools.ranking.queries import Question, make_questions

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from abhidhan.dictionary.model.cascade import QueryWord
    from abhidhan.platform.database.reader import ReadConnection
    from abhidhan.records.words import Word

MAX_SUGGESTIONS: Final = 10
"""Number of suggestions among which the word must be."""

COLUMNS: Final = ("starter", "larger", "added")
"""Columns: starter words in the starter, the same words in the larger dictionary, and words only in the larger one."""


class RankedAnswer(NamedTuple):
    """The result of a question: whether the word was ranked first and, if not, the kind of failure."""

    question: Question
    is_right: bool
    failure: str = ""
    first_answers: str = ""


def ask(connection: ReadConnection, question: Question) -> RankedAnswer:
    """Query the dictionary with a question."""
    if question.row == queries.SUGGEST:
        return _ask_suggest(connection, question)
    items = look_up(connection, question.text)
    return judge(question, items[0]) if items else RankedAnswer(question, is_right=False, failure="no item")


def _ask_suggest(connection: ReadConnection, question: Question) -> RankedAnswer:
    offered = suggest(connection, question.text, ALL_LANGUAGES_PARAM, MAX_SUGGESTIONS)
    if exact_key(question.expected) in map(exact_key, offered):
        return RankedAnswer(question, is_right=True)
    scripts = "all of Latin letters" if all(word.isascii() for word in offered) else "some of other letters"
    return RankedAnswer(
        question, is_right=False, failure=f"not among ten, {scripts}", first_answers=", ".join(offered[:3])
    )


def judge(question: Question, item: QueryWord) -> RankedAnswer:
    """Check whether the expected word is first in an item of an answer; if not, name the kind of failure."""
    expected, language = exact_key(question.expected), _language_of(question)
    first = [exact_key(word.word) for word in item.entries[:1]]
    if not any(word.language_id == language for word in item.entries):
        first += [exact_key(suggestion.word) for suggestion in item.suggestions[:1]]
    if expected in first:
        return RankedAnswer(question, is_right=True)
    return RankedAnswer(
        question,
        is_right=False,
        failure=_describe_failure(expected, item, language),
        first_answers=_first_answers(item),
    )


def _language_of(question: Question) -> int:
    return ENGLISH if question.row == queries.ENGLISH else ASSAMESE


def _describe_failure(expected: str, item: QueryWord, language: int) -> str:
    """Describe a failure: the position of the word, the match of the item, and the kind of its first result."""
    if any(exact_key(word.word) == expected for word in item.entries):
        where = "behind"
    elif any(exact_key(suggestion.word) == expected for suggestion in item.suggestions):
        where = "only suggested"
    else:
        where = "not found"
    return f"{where}; {item.match}; first is {_describe_first_result(item, language)}"


def _describe_first_result(item: QueryWord, language: int) -> str:
    if item.entries:
        return _describe_word_kind(item.entries[0], language)
    return "another suggestion" if item.suggestions else "nothing"


def _describe_word_kind(word: Word, language: int) -> str:
    if word.language_id != language:
        return "of another language"
    is_bare = not any(meaning.definitions or meaning.translations for meaning in word.meanings)
    return "a bare word" if is_bare else "a word with a meaning"


def _first_answers(item: QueryWord) -> str:
    words = [*(word.word for word in item.entries), *(suggestion.word for suggestion in item.suggestions)]
    return ", ".join(words[:3])


# --- figures ----------------------------------------------------------------------------------------------------------

Answers = dict[str, list[RankedAnswer]]
"""Answers by column."""


def ask_all(connection: ReadConnection, questions: Iterable[Question]) -> list[RankedAnswer]:
    """Query the dictionary with many questions."""
    return [ask(connection, question) for question in questions]


def compute_right_share(answers: Sequence[RankedAnswer]) -> float:
    """Return the share of right answers."""
    return sum(answer.is_right for answer in answers) / len(answers) if answers else 0.0


def filter_answers(answers: Iterable[RankedAnswer], row: str, half: str | None = None) -> list[RankedAnswer]:
    """Return the answers of a row; with `half`, only those of that half."""
    return [answer for answer in answers if answer.question.row == row and half in {None, answer.question.half}]


def measure(data: Path | None, questions: Sequence[Question]) -> Answers:
    """Query the starter and the larger dictionary; return the answers by column."""
    of_starter = [question for question in questions if question.is_starter]
    of_added = [question for question in questions if not question.is_starter]
    with open_small_starter() as database:
        in_starter = database.read_now(lambda reader: ask_all(reader, of_starter))
    if data is None:
        return {"starter": in_starter, "larger": [], "added": []}
    with open_larger(data) as database:
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
    questions = [
        question
        for question in make_questions(load_material(options.data))
        if _is_selected(question, options.row, halves)
    ]
    answers = measure(options.data, questions)
    for half in halves:
        _print_table(half, answers)
    print(f"\n  {len(questions)} queries, {time.process_time() - started:.0f} s of processor time")
    if options.failures:
        _print_failures(answers, options.failures)


def _is_selected(question: Question, row: str, halves: Sequence[str]) -> bool:
    return question.half in halves and question.row.startswith(row)


def _print_table(half: str, answers: Answers) -> None:
    print(f"\nThe right word first ({half} half)")
    print(f"  {'':<46}{'starter':>9}{'larger':>9}{'queries':>9}{'added':>9}{'queries':>9}")
    for row in queries.ROWS:
        by_column = {column: filter_answers(answers[column], row, half) for column in COLUMNS}
        shares = {
            column: f"{compute_right_share(of_column):.1%}" if of_column else "-"
            for column, of_column in by_column.items()
        }
        counts = (
            f"{shares['larger']:>9}{len(by_column['starter']):>9}{shares['added']:>9}{len(by_column['added']) or '':>9}"
        )
        if by_column["starter"]:
            print(f"  {row:<46}{shares['starter']:>9}{counts}")


def _print_failures(answers: Answers, limit: int) -> None:
    for row in queries.ROWS:
        for column in COLUMNS:
            row_answers = filter_answers(answers[column], row)
            failures = [answer for answer in row_answers if not answer.is_right]
            if failures:
                print(f"\n{row}, {column}: {len(failures)} of {len(row_answers)} lost")
                _print_failure_groups(row_answers, failures, limit)


def _print_failure_groups(answers: Sequence[RankedAnswer], failures: Sequence[RankedAnswer], limit: int) -> None:
    counts = Counter(answer.question.kind for answer in answers)
    failure_counts = Counter(answer.question.kind for answer in failures)
    print(
        "  by kind: " + ", ".join(f"{kind} {failure_counts[kind]} of {count}" for kind, count in sorted(counts.items()))
    )
    groups: dict[str, list[RankedAnswer]] = defaultdict(list)
    for answer in failures:
        groups[answer.failure].append(answer)
    for how, group in sorted(groups.items(), key=lambda item: (-len(item[1]), item[0])):
        print(f"  {len(group):>5}  {how}")
        for answer in group[:limit]:
            question = answer.question
            print(f"           {question.text} -> {answer.first_answers or '-'}; expected {question.expected}")


if __name__ == "__main__":
    main()
