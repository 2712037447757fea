"""Printing of an import's report (new, rejected and omitted records), and of the detected table columns."""

import json
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from abhidhan.app.cli import import_errors
from abhidhan.exchange.service.import_for_review import LeftOut, Reviewed
from abhidhan.exchange.service.importing import LostField, Report
from abhidhan.formats.tables.columns import FIELDS, Column, Guess
from abhidhan.records.errors import counted, quoted

MOST_SHOWN = 20
"""Maximum number of unknown names that are shown."""

MOST_LETTERS = 80
"""Maximum length of an example of a lost value."""

KINDS = {
    "idea": "ideas",
    "word": "words",
    "sense": "meanings",
    "definition": "definitions",
    "example": "examples",
    "idea_relation": "relations",
    "idea_context": "contexts",
    "word_form": "forms",
    "phrase": "proverbs and idioms",
    "card_set": "card sets",
    "card": "cards",
    "language": "languages",
    "list_item": "list items",
    "source": "sources",
    "lift_entry": "LIFT entries, headers and ranges, stored unchanged for export",
    "filled": "records filled",
    "replaced": "records replaced",
    "merged": "ideas merged",
    "removed": "records removed",
}
"""The kinds of records in the report, in order, with their labels."""


def show_report(report: Report, *, dry_run: bool, file: Path | None, can_replace: bool = True) -> None:
    """Print the new, rejected and omitted records of an import.

    `can_replace` is True if the command has the option `--on-conflict replace`.
    """
    console = Console(highlight=False)
    loaded = report.loaded
    table = Table(show_header=False, title="Would be new" if dry_run else "New", title_justify="left")
    for name, shown in KINDS.items():
        if loaded.counts.get(name):
            table.add_row(shown, f"{loaded.counts[name]:,}")
    if table.row_count:
        console.print(table)
    if loaded.brought or loaded.same:
        more = "would add" if dry_run else "added"
        console.print(
            f"Existing ideas and phrases: {counted(loaded.brought, 'record')} {more} something new, "
            f"{counted(loaded.same, 'was', 'were')} the same.",
            soft_wrap=True,
        )
    for language in report.languages:
        console.print(f"New language: {language.code} {language.name}", markup=False)
    for line in (*_unknown(report, file), *map(lost_line, report.lost)):
        console.print(line, markup=False, soft_wrap=True)
    import_errors.show_faults(loaded.faults, loaded.rejected, file)
    if file is not None and count_not_kept(report):
        typer.echo(f"{file} lists every value that is not kept.", err=True)
    for line in (
        *_updated(report, file, dry_run=dry_run, can_replace=can_replace),
        *_finished(report, dry_run=dry_run),
        *_left_out(report.reviewed),
    ):
        console.print(line, markup=False, soft_wrap=True)
    console.print(_last_line(report, dry_run=dry_run), soft_wrap=True)


def _unknown(report: Report, file: Path | None) -> Iterator[str]:
    """Yield lines about unknown names."""
    names = sorted(report.unknown.items())
    for (kind, name), times in names[:MOST_SHOWN]:
        yield f"Unknown {kind} {quoted(name)}, {counted(times, 'time')}: left out. Map it with --map '{kind}:{name}=…'."
    if more := names[MOST_SHOWN:]:
        total = counted(sum(times for _, times in more), "time")
        yield (
            f"... and {counted(len(more), 'more unknown name')}, {total}: left out. "
            f"{file or '--report FILE'} lists them."
        )


def lost_line(field: LostField) -> str:
    """Return the line with the number of lost values of a field, and an example."""
    example = field.example
    text = " ".join(example.value.split())
    shown = quoted(text if len(text) <= MOST_LETTERS else f"{text[: MOST_LETTERS - 1]}…")
    such_as = f": {shown}" if field.times == 1 else f", such as {shown}"
    return f"Not kept: {example.field}, {counted(field.times, 'value')}{such_as} ({example.file}:{example.line})."


def count_not_kept(report: Report) -> int:
    """Count the lost and unknown values, without unknown languages, whose records are rejected."""
    left_out = (times for (kind, _), times in report.unknown.items() if kind != "language")
    return sum(field.times for field in report.lost) + sum(left_out)


def _updated(report: Report, file: Path | None, *, dry_run: bool, can_replace: bool) -> Iterator[str]:
    """Yield lines about existing records."""
    updated, withheld = report.updated, report.loaded.withheld
    lists = f": {file or '--report FILE'} lists them."
    if updated.kept:
        one, many = "value that differs from the file was", "values that differ from the file were"
        yield f"{counted(updated.kept, one, many)} edited here, and kept{lists}"
    if withheld:
        one, many = "record of the file was", "records of the file were"
        back = f": --on-conflict replace restores {'it' if withheld == 1 else 'them'}." if can_replace else lists
        yield f"{counted(withheld, one, many)} deleted or corrected here since, and not changed{back}"
    if updated.held:
        one, many = (
            "record was not removed, because user data depends on it",
            ("records were not removed, because user data depends on them"),
        )
        yield f"{counted(updated.held, one, many)}{lists}"
    if left := updated.absent - updated.removed - updated.held:
        yield f"{left:,} of {counted(updated.there, 'record')} of these sources are not in the file, and stay."
    if updated.refused:
        why = "records of the file were rejected" if report.loaded.rejected else "it would be more than a tenth"
        yield f"Nothing was removed, because {why}: {'correct them' if report.loaded.rejected else 'use --yes'}."
    if updated.entry is not None and not dry_run:
        yield f"To restore the replaced and removed records: abhidhan history restore {updated.entry}"


def _finished(report: Report, *, dry_run: bool) -> Iterator[str]:
    for one in report.finished:
        named = f" of {', '.join(one.sources)}" if one.sources else ""
        ends = "would be finished" if dry_run else "is finished"
        yield f"The import{named} interrupted on {datetime.fromtimestamp(one.at, tz=UTC):%Y-%m-%d} {ends} now."


LEFT_OUT = {
    LeftOut.THERE: ("record is already there in full.", "records are already there in full.", ""),
    LeftOut.NO_WORD: (
        "set of inflected forms belongs to a missing word",
        "sets of inflected forms belong to missing words",
        ": run the same import again once their words are approved.",
    ),
    LeftOut.FREQUENCY: (
        "frequency cannot be reviewed",
        "frequencies cannot be reviewed",
        ": import them without --review.",
    ),
    LeftOut.OWN_LIST: (
        "value belongs to a list on which the program depends",
        "values belong to lists on which the program depends",
        ": import them without --review.",
    ),
}
"""Messages about records that are not sent for review: singular, plural, and a suffix."""


def _left_out(reviewed: Reviewed | None) -> Iterator[str]:
    for reason, said in LEFT_OUT.items():
        count = reviewed.left_out.get(reason, 0) if reviewed else 0
        if count:
            one, many, rest = said
            yield counted(count, one, many) + rest


def _last_line(report: Report, *, dry_run: bool) -> str:
    loaded, reviewed, count = report.loaded, report.reviewed, count_not_kept(report)
    not_kept = f"; {counted(count, 'value')} not kept" if count else ""
    if report.refused:
        return f"Nothing was imported, because {loaded.rejected:,} would be rejected: fix them, or leave out --strict."
    if reviewed is not None:
        wait = ("would wait", "would wait") if dry_run else ("waits", "wait")
        parts = [counted(reviewed.pending, f"record {wait[0]} for review now", f"records {wait[1]} for review now")]
        if reviewed.before:
            parts.append(counted(reviewed.before, "was sent before", "were sent before"))
        if reviewed.left:
            left = counted(reviewed.left, "is left", "are left")
            parts.append(f"{left}: run the same import again once these have been reviewed")
        return f"{'; '.join(parts)}; {loaded.rejected:,} rejected{not_kept}."
    done = "would be imported" if dry_run else "imported"
    if not loaded.changed:
        done = "Nothing new"
    else:
        ideas, words = (counted(loaded.counts.get(name, 0), name) for name in ("idea", "word"))
        done = f"{ideas} and {words} {done}"
    return f"{done}; {loaded.rejected:,} rejected{not_kept}."


LONGEST_SAMPLE = 40
"""Maximum length of a table cell in the output."""

PASSED_OVER = "ignored"

HOW_TO_CHANGE = (
    "Is a column read wrongly? Copy these lines into a file, such as mapping.toml, change them, and add "
    "--mapping mapping.toml. A column may be {fields} or ignore; a colon and a code give its language."
)


def show_guesses(guesses: Iterable[Guess]) -> None:
    """Print the detected meanings of table columns, and how to change them."""
    console = Console(highlight=False)
    for guess in guesses:
        console.print(_table(guess))
        console.print(HOW_TO_CHANGE.format(fields=", ".join(dict.fromkeys(FIELDS.values()))), markup=False)
        # Not through the console, which would wrap these lines, which users copy.
        typer.echo(mapping_file(guess))


def mapping_file(guess: Guess) -> str:
    """Return a mapping file with the detected meaning of each column."""
    lines = [f"{_quoted(name)} = {_quoted(_written(column))}" for name, column in guess.columns if name]
    return "\n".join(["", "[columns]", *lines, ""])


def _table(guess: Guess) -> Table:
    table = Table("Column", "read as", "first row", title=escape(guess.file), title_justify="left")
    for place, (name, column) in enumerate(guess.columns):
        sample = guess.first[place] if place < len(guess.first) else ""
        taken = PASSED_OVER if column is None else _written(column)
        table.add_row(escape(name), taken, escape(_shortened(sample)))
    return table


def _written(column: Column | None) -> str:
    if column is None:
        return "ignore"
    return f"{column.field}:{column.language}" if column.language else column.field


def _shortened(cell: str) -> str:
    return cell if len(cell) <= LONGEST_SAMPLE else f"{cell[: LONGEST_SAMPLE - 1]}…"


def _quoted(text: str) -> str:
    """Format a TOML string, which for these texts equals a JSON string."""
    return json.dumps(text, ensure_ascii=False)
