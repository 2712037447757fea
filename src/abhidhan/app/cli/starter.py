"""`abhidhan starter`: update the starter dictionary of an installation."""

import time

import typer

from abhidhan.app.cli.common import DryRunOption, ReportOption, check_output_file, interruptible, load_command_settings
from abhidhan.records.errors import pluralize

commands = typer.Typer(
    name="starter",
    help="Update the starter dictionary to the one of this version.",
    no_args_is_help=True,
)


def register(program: typer.Typer) -> None:
    """Add the commands."""
    program.add_typer(commands)


@commands.callback()
def _group() -> None:
    """Group the commands; Typer would make a single subcommand the command itself."""


@commands.command()
def update(*, dry_run: DryRunOption = False, report: ReportOption = None) -> None:
    """Update the starter dictionary, and keep all edits."""
    import msgspec

    from abhidhan.app.cli import import_errors
    from abhidhan.app.cli.file_imports import show_phase_progress
    from abhidhan.app.cli.import_report import show_report
    from abhidhan.app.database import open_dictionary
    from abhidhan.exchange.service.starter_updating import load_bundled_starter, update_starter

    settings = load_command_settings()
    if report is not None:
        check_output_file(report, settings)
    advice = "The dictionary has not changed." if dry_run else "Run the same command again to finish the update."
    with (
        interruptible(f"Stopped. {advice}"),
        open_dictionary(settings) as database,
        import_errors.open_error_report(report, ()) as write,
        show_phase_progress() as phases,
    ):
        request = msgspec.structs.replace(
            load_bundled_starter(),
            on_phase=phases.start_phase,
            on_progress=lambda done: phases.show_result(pluralize(done.counts.get("word", 0), "new word")),
            on_reject=write,
            on_report=write,
        )
        done = update_starter(database, request, now=int(time.time()), dry_run=dry_run)
    show_report(done, dry_run=dry_run, report_file=report, can_replace=False)
