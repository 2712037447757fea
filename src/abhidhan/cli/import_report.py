"""The report of an import: what it brought, what it rejected, and what it left out, as lines for the terminal."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.table import Table

from abhidhan.cli import faults
from abhidhan.errors import quoted
from abhidhan.services.exchange.importing import Report
from abhidhan.services.exchange.review import LeftOut, Reviewed

MOST_SHOWN = 20
"""Maximum number of unknown names that are shown."""

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
    "filled": "records filled",
    "replaced": "records replaced",
}
"""The kinds of records that the report counts, in its order, and their names."""


def show_report(report: Report, *, dry_run: bool, errors: Path | None) -> None:
    """Print what an import brought, what it rejected, and what it left out."""
    console = Console(highlight=False)
    loaded = report.loaded
    table = Table(show_header=False, title="Would be new" if dry_run else "New", title_justify="left")
    for name, shown in KINDS.items():
        if loaded.counts.get(name):
            table.add_row(shown, f"{loaded.counts[name]:,}")
    if table.row_count:
        console.print(table)
    if loaded.brought or loaded.same:
        more = "would bring" if dry_run else "brought"
        console.print(
            f"Of existing ideas and phrases: {loaded.brought:,} records {more} something new, "
            f"{loaded.same:,} were the same.",
            soft_wrap=True,
        )
    for language in report.languages:
        console.print(f"New language: {language.code} {language.name}", markup=False)
    for (kind, name), times in sorted(report.unknown.items())[:MOST_SHOWN]:
        said = f"Unknown {kind} {quoted(name)}, {times:,} times: left out. Map it with --map '{kind}:{name}=…'."
        console.print(said, markup=False, soft_wrap=True)
    faults.show_faults(loaded.faults, loaded.rejected, errors)
    for line in (*_compared(report, dry_run=dry_run), *_finished(report, dry_run=dry_run), *_left_out(report.reviewed)):
        console.print(line, markup=False, soft_wrap=True)
    console.print(_last_line(report, dry_run=dry_run), soft_wrap=True)


def _compared(report: Report, *, dry_run: bool) -> Iterator[str]:
    """Say what became of what is here, where a file of records may be older or newer than it."""
    compared, withheld = report.compared, report.loaded.withheld
    if compared and compared.changed:
        yield f"{compared.changed:,} records that were here {'would be' if dry_run else 'are'} other than before."
    if compared and compared.kept:
        yield (
            f"{compared.kept:,} records here differ from the file and {'would be' if dry_run else 'were'} kept as they "
            "are: --on-conflict replace takes what the file says."
        )
    if withheld:
        yield (
            f"{withheld:,} records of the file were deleted or corrected here since, and "
            f"{'would stay' if dry_run else 'stayed'} so: --on-conflict replace brings them back."
        )
    if compared and compared.gone:
        yield f"{compared.gone:,} ideas, proverbs and sets of flashcards {'would be' if dry_run else 'are'} deleted."
    if compared and compared.only_here:
        yield (
            f"{compared.only_here:,} of {compared.here:,} ideas, proverbs and sets of flashcards here are not in the "
            "file: they stay."
        )


def _finished(report: Report, *, dry_run: bool) -> Iterator[str]:
    for one in report.finished:
        named = f" of {', '.join(one.sources)}" if one.sources else ""
        ends = "would be finished" if dry_run else "is finished"
        yield f"The import{named} that was interrupted on {datetime.fromtimestamp(one.at, tz=UTC):%Y-%m-%d} {ends} now."


LEFT_OUT = {
    LeftOut.THERE: "{count:,} records are already there, complete.",
    LeftOut.NO_WORD: "{count:,} sets of inflected forms belong to words that are not there: "
    "run the same import again once their words are approved.",
    LeftOut.FREQUENCY: "{count:,} frequencies cannot be reviewed: import them without --review.",
    LeftOut.OWN_LIST: "{count:,} values belong to lists that the program itself depends on: "
    "import them without --review.",
}
"""Messages about records that do not wait for review."""


def _left_out(reviewed: Reviewed | None) -> Iterator[str]:
    for reason, said in LEFT_OUT.items():
        count = reviewed.left_out.get(reason, 0) if reviewed else 0
        if count:
            yield said.format(count=count)


def _last_line(report: Report, *, dry_run: bool) -> str:
    loaded, reviewed = report.loaded, report.reviewed
    if report.refused:
        return f"Nothing was imported, since {loaded.rejected:,} would be rejected: fix them, or leave out --strict."
    if reviewed is not None:
        waiting = f"{reviewed.pending:,} records {'would wait' if dry_run else 'wait'} for review now"
        before = f"; {reviewed.before:,} were sent before" if reviewed.before else ""
        left = f"; {reviewed.left:,} are left: run the same import again once these have been reviewed" * bool(
            reviewed.left
        )
        return f"{waiting}{before}{left}; {loaded.rejected:,} rejected."
    done = "would be imported" if dry_run else "imported"
    if not loaded.changed:
        done = "Nothing new in the file" if report.compared and report.compared.gone else "Nothing new"
    else:
        done = f"{loaded.counts.get('idea', 0):,} ideas and {loaded.counts.get('word', 0):,} words {done}"
    return f"{done}; {loaded.rejected:,} rejected."
