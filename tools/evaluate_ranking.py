"""Measure whether the right word comes first, in the starter dictionary and among 20,000 more Assamese words.

Run: python -m tools.evaluate_ranking [DATA] [--half tuning|telling|both] [--failures N] [--row BEGINNING]

DATA is the folder of the shared data; without it only the starter is asked, for words chosen without counts.

Of `dic.php` the first item of an answer counts, and of that the first entry. Where no entry of it is a word of the
language that is expected (nothing was found, or only words of another language that are spelled so: the contract then
offers words as `suggestions`), the first suggestion counts too. Of `/api/suggest` the first ten count. No language is
asked for.
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
"""Among so many suggestions the word must be."""

SHARES: Final = ("starter", "larger", "added")
"""The columns: words of the starter, in the starter and in the larger dictionary, and words that the larger adds."""


class Answer(NamedTuple):
    """What was answered to a question: whether the word came first, and if not, how it was lost."""

    question: Question
    is_right: bool
    lost: str = ""
    instead: str = ""


def ask(reader: Reader, question: Question) -> Answer:
    """Ask one question of the dictionary."""
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
    """Say whether the word that is expected comes first in an item of an answer, and if not, how it was lost."""
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
    """Say where the word is instead, by which class the item was found, and what stands first there."""
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
    """Ask many questions."""
    return [ask(reader, question) for question in questions]


def share_right(answers: Sequence[Answer]) -> float:
    """Return the share of questions whose answer was right."""
    return sum(answer.is_right for answer in answers) / len(answers) if answers else 0.0


def of_row(answers: Iterable[Answer], row: str, half: str | None = None) -> list[Answer]:
    """Choose the answers of a row, and of one half if it is named."""
    return [each for each in answers if each.question.row == row and half in {None, each.question.half}]


def measure(data: Path | None, questions: Sequence[Question]) -> Answers:
    """Ask the starter and the larger dictionary."""
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
