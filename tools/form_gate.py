"""Regression test of the look-up of Assamese word forms against recorded answers.

Run: python -m tools.form_gate                  compare with `eval/forms.tsv`; the exit status is 1 for a fault
     python -m tools.form_gate record           record the current answers, and empty `eval/accepted.tsv`
     python -m tools.form_gate draw IDEAS ...   draw a new sample from files of the starter dictionary, and record it

`eval/forms.tsv` has 5,000 forms from Assamese sentences of the starter dictionary, each with the first headword of a
look-up and its match. For 500 of them, `right` has the headwords given by a reader of the sentence, separated by |, or
- for none. An answer may change to a right one. Any other change needs a row in `eval/accepted.tsv`: the form, its new
headword (empty: none), and the reason.
"""

import argparse
import csv
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Final, NamedTuple, TypeVar

from abhidhan.dictionary.model.cascade import Match
from abhidhan.dictionary.service.lookup import look_up
from abhidhan.formats.jsonl import read_jsonl
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.import_records import LocatedRecord
from abhidhan.records.kinds import IdeaRecord
from abhidhan.records.languages import ALL_LANGUAGES
from assamese.normalization import Script, detect_script, split_words
from tools.evaluate import EVAL_FOLDER, open_whole_starter

FORMS_FILE: Final = EVAL_FOLDER / "forms.tsv"
ACCEPTED_FILE: Final = EVAL_FOLDER / "accepted.tsv"

SAMPLE_SIZE: Final = 5_000
SEED: Final = 20

MAX_ACCEPTED: Final = 50
"""Maximum number of accepted changes; more are not a side effect of one issue."""

ASSAMESE_CODE: Final = "as"
NO_HEADWORD: Final = "-"


class FormAnswer(NamedTuple):
    """The first headword of a look-up ("" if there is no entry), and the match."""

    headword: str
    match: str


class RecordedForm(NamedTuple):
    """A row of `eval/forms.tsv`: a form, its recorded answer, and its reading ("" for most)."""

    form: str
    headword: str = ""
    match: str = ""
    right: str = ""


class AcceptedChange(NamedTuple):
    """A row of `eval/accepted.tsv`: a form, its new first headword, and the reason."""

    form: str
    headword: str
    reason: str


Answers = Mapping[str, FormAnswer]
"""Answers by form."""

Row = TypeVar("Row", RecordedForm, AcceptedChange)


# --- forms ------------------------------------------------------------------------------------------------------------


def draw_forms(ideas: Iterable[IdeaRecord], size: int = SAMPLE_SIZE) -> list[str]:
    """Draw a sorted sample of the word forms of Assamese sentences."""
    forms = {word for idea in ideas for text in iter_sentences(idea) for word in split_words(text) if _is_form(word)}
    return sorted(Random(SEED).sample(sorted(forms), size))  # noqa: S311 (a reproducible choice, nothing secret)


def iter_sentences(idea: IdeaRecord) -> Iterator[str]:
    """Yield the Assamese examples and definitions of an idea."""
    yield from (example.text for example in idea.examples if example.language == ASSAMESE_CODE)
    yield from (definition.text for definition in idea.definitions if definition.language == ASSAMESE_CODE)


def _is_form(word: str) -> bool:
    return detect_script(word) is Script.EASTERN_NAGARI and not any(map(str.isdigit, word))


def read_ideas(files: Iterable[Path]) -> Iterator[IdeaRecord]:
    """Read the ideas of files of the starter dictionary."""
    for file in files:
        with file.open("rb") as stream:
            for parsed in read_jsonl(stream, file.name):
                if isinstance(parsed, LocatedRecord) and isinstance(parsed.record, IdeaRecord):
                    yield parsed.record


# --- answers ----------------------------------------------------------------------------------------------------------


def look_up_forms(database: Database, forms: Iterable[RecordedForm]) -> dict[str, FormAnswer]:
    """Look up each form separately, so that no answer depends on other forms."""
    return database.read_now(lambda reader: {form.form: _answer(reader, form.form) for form in forms})


def _answer(connection: ReadConnection, text: str) -> FormAnswer:
    item, *_ = look_up(connection, text, ALL_LANGUAGES)
    return FormAnswer(item.entries[0].word if item.entries else "", item.match.value)


# --- comparison -------------------------------------------------------------------------------------------------------


def is_right(form: RecordedForm, headword: str) -> bool:
    """Return whether a headword ("" for no entry) is the one given by a reader for the form."""
    return (headword or NO_HEADWORD) in form.right.split("|")


def find_changes(forms: Iterable[RecordedForm], answers: Answers) -> dict[tuple[str, str], RecordedForm]:
    """Return the forms whose answer is neither the recorded nor a right one, by form and new headword."""
    return {
        (form.form, headword): form
        for form in forms
        for headword, match in (answers[form.form],)
        if (headword, match) != (form.headword, form.match) and not is_right(form, headword)
    }


def find_faults(forms: Iterable[RecordedForm], answers: Answers, accepted: Sequence[AcceptedChange]) -> list[str]:
    """Describe each change that is not accepted, and each invalid row of `accepted`."""
    changed = find_changes(forms, answers)
    rows = Counter((row.form, row.headword) for row in accepted)
    return [
        *(_describe(form, answers[form.form]) for key, form in changed.items() if key not in rows),
        *(f"accepted without a reason: {row.form}" for row in accepted if not row.reason.strip()),
        *(
            f"accepted, but not changed so: {form} -> {word or NO_HEADWORD}"
            for form, word in rows
            if (form, word) not in changed
        ),
        *(f"accepted more than once: {form}" for (form, _), times in rows.items() if times > 1),
        *([f"accepted: {len(accepted)} rows, of at most {MAX_ACCEPTED}"] if len(accepted) > MAX_ACCEPTED else ()),
    ]


def _describe(form: RecordedForm, answer: FormAnswer) -> str:
    right = f"; right: {form.right}" if form.right else ""
    return f"changed: {form.form}: {_format_answer(form.headword, form.match)} -> {_format_answer(*answer)}{right}"


def _format_answer(headword: str, match: str) -> str:
    return f"{headword or NO_HEADWORD} ({match})"


def format_summary(forms: Sequence[RecordedForm], answers: Answers) -> str:
    """Return a line with the number of changes, and of right answers among the forms that have a reading."""
    changed = sum(answers[form.form] != (form.headword, form.match) for form in forms)
    read = [form for form in forms if form.right]
    before = count_right((form, FormAnswer(form.headword, form.match)) for form in read)
    now = count_right((form, answers[form.form]) for form in read)
    return f"{len(forms)} forms, {changed} changed; {len(read)} read, right before: {before}, now: {now}"


def count_right(answered: Iterable[tuple[RecordedForm, FormAnswer]]) -> int:
    """Count right answers. For a form without a headword, a compound is right, too."""
    return sum(
        is_right(form, headword) or (match == Match.COMPOUND and is_right(form, ""))
        for form, (headword, match) in answered
    )


# --- files ------------------------------------------------------------------------------------------------------------


def read_forms() -> list[RecordedForm]:
    """Read the recorded forms."""
    return _read_table(FORMS_FILE, RecordedForm)


def read_accepted() -> list[AcceptedChange]:
    """Read the accepted changes."""
    return _read_table(ACCEPTED_FILE, AcceptedChange)


def _read_table(file: Path, row: type[Row]) -> list[Row]:
    with file.open(encoding="utf-8", newline="") as stream:
        return [row(**cells) for cells in csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE)]


def _write_table(file: Path, row: type[Row], rows: Iterable[Row]) -> None:
    lines = ("\t".join(cells) + "\n" for cells in (row._fields, *map(tuple[str, ...], rows)))
    file.write_text("".join(lines), encoding="utf-8")


# --- commands ---------------------------------------------------------------------------------------------------------


def compare() -> bool:
    """Print the faults; return whether there are none."""
    forms = read_forms()
    with open_whole_starter() as database:
        answers = look_up_forms(database, forms)
    problems = find_faults(forms, answers, read_accepted())
    print(*problems, format_summary(forms, answers), sep="\n")
    return not problems


def record(forms: Sequence[RecordedForm]) -> None:
    """Record the current answers, and empty the accepted differences."""
    with open_whole_starter() as database:
        answers = look_up_forms(database, forms)
    _write_table(FORMS_FILE, RecordedForm, [RecordedForm(form.form, *answers[form.form], form.right) for form in forms])
    _write_table(ACCEPTED_FILE, AcceptedChange, ())


def draw(files: Iterable[Path]) -> list[RecordedForm]:
    """Draw a new sample of forms; forms of the previous sample keep their readings."""
    readings = {form.form: form.right for form in read_forms()} if FORMS_FILE.exists() else {}
    return [RecordedForm(text, right=readings.get(text, "")) for text in draw_forms(read_ideas(files))]


def main() -> int:
    """Run the command given by the arguments; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", nargs="?", choices=("compare", "record", "draw"), default="compare")
    parser.add_argument("files", nargs="*", type=Path, metavar="IDEAS")
    options = parser.parse_args()
    if options.command == "compare":
        return 0 if compare() else 1
    record(draw(options.files) if options.command == "draw" else read_forms())
    return 0


if __name__ == "__main__":
    sys.exit(main())
