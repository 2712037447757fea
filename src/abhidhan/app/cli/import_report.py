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
from abhidhan.exchange.service.import_for_review import OmissionReason, ReviewImportResult
from abhidhan.exchange.service.importing import ImportReport, LostField
from abhidhan.formats.tables.columns import FIELDS, Column, ColumnGuess
from abhidhan.records.errors import pluralize, quoted

MAX_SHOWN = 20
"""Maximum number of unknown names that are shown."""

MAX_EXAMPLE_LENGTH = 80
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


def show_report(report: ImportReport, *, dry_run: bool, file: Path | None, can_replace: bool = True) -> None:
    """Print the new, rejected and omitted records of an import.

    `can_replace` is True if the command has the option `--on-conflict replace`.
    """
    console = Console(highlight=False)
    loaded = report.loaded
    table = Table(show_header=False, title="Would be new" if dry_run else "New", title_justify="left")
    for name, label in KINDS.items():
        if loaded.counts.get(name):
            table.add_row(label, f"{loaded.counts[name]:,}")
    if table.row_count:
        console.print(table)
    if loaded.brought or loaded.same:
        more = "would add" if dry_run else "added"
        console.print(
            f"Existing ideas and phrases: {pluralize(loaded.brought, 'record')} {more} something new, "
            f"{pluralize(loaded.same, 'was', 'were')} the same.",
            soft_wrap=True,
        )
    for language in report.languages:
        console.print(f"New language: {language.code} {language.name}", markup=False)
    for line in (*_unknown(report, file), *map(lost_line, report.lost)):
        console.print(line, markup=False, soft_wrap=True)
    import_errors.show_faults(loaded.faults, loaded.rejected, file)
    if file is not None and count_lost_values(report):
        typer.echo(f"{file} lists every value that is not kept.", err=True)
    for line in (
        *_updated(report, file, dry_run=dry_run, can_replace=can_replace),
        *_finished(report, dry_run=dry_run),
        *_omitted(report.reviewed),
    ):
        console.print(line, markup=False, soft_wrap=True)
    console.print(_last_line(report, dry_run=dry_run), soft_wrap=True)


def _unknown(report: ImportReport, file: Path | None) -> Iterator[str]:
    """Yield lines about unknown names in the files, such as parts of speech that the dictionary lacks."""
    names = sorted(report.unknown.items())
    for (kind, name), times in names[:MAX_SHOWN]:
        unknown = f"Unknown {kind} {quoted(name)}, {pluralize(times, 'time')}"
        yield f"{unknown}: left out. Map it with --map '{kind}:{name}=…'."
    if more := names[MAX_SHOWN:]:
        total = pluralize(sum(times for _, times in more), "time")
        yield (
            f"... and {pluralize(len(more), 'more unknown name')}, {total}: left out. "
            f"{file or '--report FILE'} lists them."
        )


def lost_line(field: LostField) -> str:
    """Format the number of values of a field that the import cannot store, with an example."""
    example = field.example
    text = " ".join(example.value.split())
    example_text = quoted(text if len(text) <= MAX_EXAMPLE_LENGTH else f"{text[: MAX_EXAMPLE_LENGTH - 1]}…")
    such_as = f": {example_text}" if field.times == 1 else f", such as {example_text}"
    return f"Not kept: {example.field}, {pluralize(field.times, 'value')}{such_as} ({example.file}:{example.line})."


def count_lost_values(report: ImportReport) -> int:
    """Count the values that are not stored. Unknown languages do not count: their records are rejected."""
    left_out = (times for (kind, _), times in report.unknown.items() if kind != "language")
    return sum(field.times for field in report.lost) + sum(left_out)


def _updated(report: ImportReport, file: Path | None, *, dry_run: bool, can_replace: bool) -> Iterator[str]:
    """Yield lines about existing records that were kept, withheld, missing from the file, or removed."""
    updated, withheld = report.updated, report.loaded.withheld
    lists = f": {file or '--report FILE'} lists them."
    if updated.kept:
        singular, plural = "value that differs from the file was", "values that differ from the file were"
        yield f"{pluralize(updated.kept, singular, plural)} edited here, and kept{lists}"
    if withheld:
        singular, plural = "record of the file was", "records of the file were"
        back = f": --on-conflict replace restores {'it' if withheld == 1 else 'them'}." if can_replace else lists
        yield f"{pluralize(withheld, singular, plural)} deleted or corrected here since, and not changed{back}"
    if updated.held:
        singular, plural = (
            "record was not removed, because user data depends on it",
            ("records were not removed, because user data depends on them"),
        )
        yield f"{pluralize(updated.held, singular, plural)}{lists}"
    if remaining := updated.absent - updated.removed - updated.held:
        yield f"{remaining:,} of {pluralize(updated.there, 'record')} of these sources are not in the file, and stay."
    if updated.refused:
        why = "records of the file were rejected" if report.loaded.rejected else "it would be more than a tenth"
        yield f"Nothing was removed, because {why}: {'correct them' if report.loaded.rejected else 'use --yes'}."
    if updated.entry is not None and not dry_run:
        yield f"To restore the replaced and removed records: abhidhan history restore {updated.entry}"


def _finished(report: ImportReport, *, dry_run: bool) -> Iterator[str]:
    for past_import in report.finished:
        sources = f" of {', '.join(past_import.sources)}" if past_import.sources else ""
        ends = "would be finished" if dry_run else "is finished"
        day = datetime.fromtimestamp(past_import.at, tz=UTC)
        yield f"The import{sources} interrupted on {day:%Y-%m-%d} {ends} now."


OMISSION_MESSAGES = {
    OmissionReason.THERE: ("record is already there in full.", "records are already there in full.", ""),
    OmissionReason.NO_WORD: (
        "set of inflected forms belongs to a missing word",
        "sets of inflected forms belong to missing words",
        ": run the same import again once their words are approved.",
    ),
    OmissionReason.FREQUENCY: (
        "frequency cannot be reviewed",
        "frequencies cannot be reviewed",
        ": import them without --review.",
    ),
    OmissionReason.OWN_LIST: (
        "value belongs to a list on which the program depends",
        "values belong to lists on which the program depends",
        ": import them without --review.",
    ),
}
"""Messages about records that are not sent for review: singular, plural, and a suffix."""


def _omitted(reviewed: ReviewImportResult | None) -> Iterator[str]:
    for reason, forms in OMISSION_MESSAGES.items():
        count = reviewed.left_out.get(reason, 0) if reviewed else 0
        if count:
            singular, plural, suffix = forms
            yield pluralize(count, singular, plural) + suffix


def _last_line(report: ImportReport, *, dry_run: bool) -> str:
    loaded, reviewed, count = report.loaded, report.reviewed, count_lost_values(report)
    not_kept = f"; {pluralize(count, 'value')} not kept" if count else ""
    if report.refused:
        return f"Nothing was imported, because {loaded.rejected:,} would be rejected: fix them, or leave out --strict."
    if reviewed is not None:
        wait = ("would wait", "would wait") if dry_run else ("waits", "wait")
        parts = [pluralize(reviewed.pending, f"record {wait[0]} for review now", f"records {wait[1]} for review now")]
        if reviewed.before:
            parts.append(pluralize(reviewed.before, "was sent before", "were sent before"))
        if reviewed.left:
            remaining = pluralize(reviewed.left, "is left", "are left")
            parts.append(f"{remaining}: run the same import again once these have been reviewed")
        return f"{'; '.join(parts)}; {loaded.rejected:,} rejected{not_kept}."
    done = "would be imported" if dry_run else "imported"
    if not loaded.changed:
        done = "Nothing new"
    else:
        ideas, words = (pluralize(loaded.counts.get(name, 0), name) for name in ("idea", "word"))
        done = f"{ideas} and {words} {done}"
    return f"{done}; {loaded.rejected:,} rejected{not_kept}."


MAX_SAMPLE_LENGTH = 40
"""Maximum length of a table cell in the output."""

IGNORED = "ignored"

HOW_TO_CHANGE = (
    "Is a column read wrongly? Copy these lines into a file, such as mapping.toml, change them, and add "
    "--mapping mapping.toml. A column may be {fields} or ignore; a colon and a code give its language."
)


def show_guesses(guesses: Iterable[ColumnGuess]) -> None:
    """Print the detected meaning of each table column, and a mapping file with which to change it."""
    console = Console(highlight=False)
    for guess in guesses:
        console.print(_table(guess))
        console.print(HOW_TO_CHANGE.format(fields=", ".join(dict.fromkeys(FIELDS.values()))), markup=False)
        # Not through the console, which would wrap these lines, which users copy.
        typer.echo(mapping_file(guess))


def mapping_file(guess: ColumnGuess) -> str:
    """Return a mapping file with the detected meaning of each column."""
    lines = [f"{_toml_string(name)} = {_toml_string(_format_column(column))}" for name, column in guess.columns if name]
    return "\n".join(["", "[columns]", *lines, ""])


def _table(guess: ColumnGuess) -> Table:
    table = Table("Column", "read as", "first row", title=escape(guess.file), title_justify="left")
    for index, (name, column) in enumerate(guess.columns):
        sample = guess.first[index] if index < len(guess.first) else ""
        meaning = IGNORED if column is None else _format_column(column)
        table.add_row(escape(name), meaning, escape(_shorten(sample)))
    return table


def _format_column(column: Column | None) -> str:
    if column is None:
        return "ignore"
    return f"{column.field}:{column.language}" if column.language else column.field


def _shorten(cell: str) -> str:
    return cell if len(cell) <= MAX_SAMPLE_LENGTH else f"{cell[: MAX_SAMPLE_LENGTH - 1]}…"


def _toml_string(text: str) -> str:
    """Format a TOML string, which for these texts equals a JSON string."""
    return json.dumps(text, ensure_ascii=False)
