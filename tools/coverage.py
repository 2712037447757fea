"""Measure how much of what newspapers write leads to an entry of the starter dictionary that says something.

Run: python -m tools.coverage DATA

DATA is the folder of the shared data, with `assamese_counts`. A form is covered if `dic.php` finds an entry with a
definition or a translation, exactly, loosely or as an inflected form; it counts as often as newspapers use it. Names
count too.
"""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from abhidhan.domain.idea_json import is_bare
from abhidhan.domain.languages import ASSAMESE
from abhidhan.domain.matching.cascade import Match
from abhidhan.services.dictionary.lookup import look_up
from tools.evaluate import whole_starter

if TYPE_CHECKING:
    from collections.abc import Iterable

    from abhidhan.storage.engine.reader import Reader

COMMONEST: Final = (3_000, 20_000)
"""Of so many of the commonest forms the share is told."""

SURE: Final = frozenset({Match.EXACT, Match.LOOSE, Match.INFLECTED})


class Form(NamedTuple):
    """A word form as newspapers write it, and how often they do."""

    text: str
    occurrences: int


def read_forms(data: Path, most: int = COMMONEST[-1]) -> list[Form]:
    """Read the commonest forms, the commonest first."""
    lines = (data / "assamese_counts" / "words.tsv").read_text(encoding="utf-8").splitlines()
    return [Form(text, int(count)) for text, count, *_ in (line.split("\t") for line in lines[:most])]


def is_covered(reader: Reader, text: str) -> bool:
    """Say whether a form leads to an entry that says something."""
    items = look_up(reader, text, ASSAMESE)
    return any(item.match in SURE and not all(map(is_bare, item.entries)) for item in items[:1])


def share_covered(reader: Reader, forms: Iterable[Form]) -> float:
    """Return the share of running words that forms which are covered stand for."""
    counts = [(form.occurrences, is_covered(reader, form.text)) for form in forms]
    return sum(times for times, covered in counts if covered) / (sum(times for times, _ in counts) or 1)


def main() -> None:
    """Print the table, and with `--lacking` the commonest forms that lead nowhere."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument(
        "--lacking", type=int, default=0, metavar="N", help="list the N commonest forms that lead nowhere"
    )
    options = parser.parse_args()
    forms = read_forms(options.data)
    with whole_starter() as database:
        print("\nRunning words of newspapers that lead to an entry of the starter dictionary")
        for most in COMMONEST:
            share = database.read_now(partial(share_covered, forms=forms[:most]))
            print(f"  of the {most:,} commonest forms: {share:.1%}")
        lacking = database.read_now(lambda reader: [form for form in forms if not is_covered(reader, form.text)])
    for form in lacking[: options.lacking]:
        print(f"    {form.text}: {form.occurrences}")


if __name__ == "__main__":
    main()
