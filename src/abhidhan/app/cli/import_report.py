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
from abhidhan.formats.tables.columns import FIELD_BY_HEADING, Column, ColumnGuess
from abhidhan.records.errors import pluralize, quoted

MAX_SHOWN_NAMES = 20
"""Maximum number of unknown names that are shown."""

MAX_EXAMPLE_LENGTH = 80
"""Maximum length of an example of a lost value."""

RECORD_KIND_LABELS = {
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


def show_report(report: ImportReport, *, dry_run: bool, report_file: Path | None, can_replace: bool = True) -> None:
    """Print the new, rejected and omitted records of an import.

    `can_replace` is True if the command has the option `--on-conflict replace`.
    """
    console = Console(highlight=False)
    loaded = report.loaded
    table = Table(show_header=False, title="Would be new" if dry_run else "New", title_justify="left")
    for name, label in RECORD_KIND_LABELS.items():
        if loaded.counts.get(name):
            table.add_row(label, f"{loaded.counts[name]:,}")
    if table.row_count:
        console.print(table)
    if loaded.extended or loaded.unchanged:
        more = "would add" if dry_run else "added"
        console.print(
            f"Existing ideas and phrases: {pluralize(loaded.extended, 'record')} {more} something new, "
            f"{pluralize(loaded.unchanged, 'was', 'were')} the same.",
            soft_wrap=True,
        )
    for language in report.new_languages:
        console.print(f"New language: {language.code} {language.name}", markup=False)
    for line in (*_format_unknown_names(report, report_file), *map(format_lost_field, report.lost_fields)):
        console.print(line, markup=False, soft_wrap=True)
    import_errors.show_errors(loaded.errors, loaded.rejected, report_file)
    if report_file is not None and count_lost_values(report):
        typer.echo(f"{report_file} lists every value that is not kept.", err=True)
    for line in (
        *_format_updates(report, report_file, dry_run=dry_run, can_replace=can_replace),
        *_format_finished_imports(report, dry_run=dry_run),
        *_format_omissions(report.reviewed),
    ):
        console.print(line, markup=False, soft_wrap=True)
    console.print(_format_summary(report, dry_run=dry_run), soft_wrap=True)


def _format_unknown_names(report: ImportReport, report_file: Path | None) -> Iterator[str]:
    """Yield lines about unknown names in the files, such as parts of speech that the dictionary lacks."""
    names = sorted(report.unknown_names.items())
    for (kind, name), times in names[:MAX_SHOWN_NAMES]:
        unknown = f"Unknown {kind} {quoted(name)}, {pluralize(times, 'time')}"
        yield f"{unknown}: left out. Map it with --map '{kind}:{name}=…'."
    if more := names[MAX_SHOWN_NAMES:]:
        total = pluralize(sum(times for _, times in more), "time")
        yield (
            f"... and {pluralize(len(more), 'more unknown name')}, {total}: left out. "
            f"{report_file or '--report FILE'} lists them."
        )


def format_lost_field(field: LostField) -> str:
    """Format the number of values of a field that the import cannot store, with an example."""
    example = field.example
    text = " ".join(example.value.split())
    example_text = quoted(text if len(text) <= MAX_EXAMPLE_LENGTH else f"{text[: MAX_EXAMPLE_LENGTH - 1]}…")
    such_as = f": {example_text}" if field.count == 1 else f", such as {example_text}"
    return f"Not kept: {example.field}, {pluralize(field.count, 'value')}{such_as} ({example.file}:{example.line})."


def count_lost_values(report: ImportReport) -> int:
    """Count the values that are not stored. Unknown languages do not count: their records are rejected."""
    left_out = (times for (kind, _), times in report.unknown_names.items() if kind != "language")
    return sum(field.count for field in report.lost_fields) + sum(left_out)


def _format_updates(
    report: ImportReport, report_file: Path | None, *, dry_run: bool, can_replace: bool
) -> Iterator[str]:
    """Yield lines about existing records that were kept, withheld, missing from the file, or removed."""
    updated, withheld = report.update_counts, report.loaded.withheld
    lists = f": {report_file or '--report FILE'} lists them."
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


def _format_finished_imports(report: ImportReport, *, dry_run: bool) -> Iterator[str]:
    for past_import in report.finished_imports:
        sources = f" of {', '.join(past_import.sources)}" if past_import.sources else ""
        ends = "would be finished" if dry_run else "is finished"
        day = datetime.fromtimestamp(past_import.at, tz=UTC)
        yield f"The import{sources} interrupted on {day:%Y-%m-%d} {ends} now."


OMISSION_MESSAGES = {
    OmissionReason.ALREADY_STORED: ("record is already there in full.", "records are already there in full.", ""),
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
    OmissionReason.FIXED_LIST: (
        "value belongs to a list on which the program depends",
        "values belong to lists on which the program depends",
        ": import them without --review.",
    ),
}
"""Messages about records that are not sent for review: singular, plural, and a suffix."""


def _format_omissions(reviewed: ReviewImportResult | None) -> Iterator[str]:
    for reason, forms in OMISSION_MESSAGES.items():
        count = reviewed.omitted.get(reason, 0) if reviewed else 0
        if count:
            singular, plural, suffix = forms
            yield pluralize(count, singular, plural) + suffix


def _format_summary(report: ImportReport, *, dry_run: bool) -> str:
    loaded, reviewed, count = report.loaded, report.reviewed, count_lost_values(report)
    not_kept = f"; {pluralize(count, 'value')} not kept" if count else ""
    if report.refused:
        return f"Nothing was imported, because {loaded.rejected:,} would be rejected: fix them, or leave out --strict."
    if reviewed is not None:
        wait = ("would wait", "would wait") if dry_run else ("waits", "wait")
        parts = [pluralize(reviewed.pending, f"record {wait[0]} for review now", f"records {wait[1]} for review now")]
        if reviewed.already_submitted:
            parts.append(pluralize(reviewed.already_submitted, "was sent before", "were sent before"))
        if reviewed.over_limit:
            remaining = pluralize(reviewed.over_limit, "is left", "are left")
            parts.append(f"{remaining}: run the same import again once these have been reviewed")
        return f"{'; '.join(parts)}; {loaded.rejected:,} rejected{not_kept}."
    done = "would be imported" if dry_run else "imported"
    if not loaded.has_changes:
        done = "Nothing new"
    else:
        ideas, words = (pluralize(loaded.counts.get(name, 0), name) for name in ("idea", "word"))
        done = f"{ideas} and {words} {done}"
    return f"{done}; {loaded.rejected:,} rejected{not_kept}."


MAX_SAMPLE_LENGTH = 40
"""Maximum length of a table cell in the output."""

IGNORED_LABEL = "ignored"

MAPPING_ADVICE = (
    "Is a column read wrongly? Copy these lines into a file, such as mapping.toml, change them, and add "
    "--mapping mapping.toml. A column may be {fields} or ignore; a colon and a code give its language."
)


def show_column_guesses(guesses: Iterable[ColumnGuess]) -> None:
    """Print the detected meaning of each table column, and a mapping file with which to change it."""
    console = Console(highlight=False)
    for guess in guesses:
        console.print(_build_guess_table(guess))
        console.print(MAPPING_ADVICE.format(fields=", ".join(dict.fromkeys(FIELD_BY_HEADING.values()))), markup=False)
        # Not through the console, which would wrap these lines, which users copy.
        typer.echo(format_mapping_file(guess))


def format_mapping_file(guess: ColumnGuess) -> str:
    """Return a mapping file with the detected meaning of each column; TOML allows each name only once."""
    columns = {name: _format_column(column) for name, column in guess.columns if name}
    lines = [f"{_toml_string(name)} = {_toml_string(text)}" for name, text in columns.items()]
    return "\n".join(["", "[columns]", *lines, ""])


def _build_guess_table(guess: ColumnGuess) -> Table:
    table = Table("Column", "read as", "first row", title=escape(guess.file), title_justify="left")
    for index, (name, column) in enumerate(guess.columns):
        sample = guess.first_row[index] if index < len(guess.first_row) else ""
        meaning = IGNORED_LABEL if column is None else _format_column(column)
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
