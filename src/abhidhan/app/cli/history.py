"""`abhidhan history`: hide the contents of history entries, and undo the replacements and removals of an import."""

import time
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import partial
from typing import Annotated

import typer

from abhidhan.app.cli.common import MAX_ID, load_command_settings
from abhidhan.records.errors import InputError, pluralize

commands = typer.Typer(
    name="history",
    help="Hide history entries, and undo imports.",
    no_args_is_help=True,
)

MAX_SHOWN_NAMES = 20

EntriesArgument = Annotated[
    list[int] | None,
    typer.Argument(
        metavar="ENTRY",
        help="The IDs of the entries, as shown by /api/words/{id}/history.",
        min=1,
        max=MAX_ID,
    ),
]


def register(program: typer.Typer) -> None:
    """Add the commands."""
    program.add_typer(commands)


@commands.command()
def hide(
    entries: EntriesArgument = None,
    *,
    reason: Annotated[str, typer.Option(help="The reason, shown to everyone in place of the change.")],
    holding: Annotated[
        str, typer.Option(help="The text; entries that contain it before or after their change are hidden.")
    ] = "",
) -> None:
    """Hide the contents of history entries. Their dates and authors stay visible.

    First delete the text in the dictionary. The deletion is itself an entry with the text, which is hidden too.
    """
    from abhidhan.app.database import open_dictionary
    from abhidhan.editing.service import redaction

    if bool(entries) == bool(holding):
        raise InputError.of("holding", "Give either the IDs of entries, or a text with --holding.")
    job = partial(redaction.hide_entries, entry_ids=entries) if entries else partial(redaction.hide_text, text=holding)
    with open_dictionary(load_command_settings()) as database:
        hidden = database.write_now(partial(job, reason=reason, now=int(time.time())))
    if hidden.entries:
        typer.echo(f"{pluralize(len(hidden.entries), 'entry', 'entries')} hidden: {_format_names(hidden.entries)}")
    else:
        typer.echo("Nothing was hidden: no visible entry contains the text.")
    if hidden.remaining_records:
        typer.echo(
            f"The dictionary still contains this text ({_format_names(hidden.remaining_records)}). Delete it there, "
            "then run this command again.",
            err=True,
        )
        raise typer.Exit(1)


@commands.command()
def unhide(
    entries: Annotated[
        list[int],
        typer.Argument(
            metavar="ENTRY",
            help="The IDs of the entries, as shown by abhidhan history list.",
            min=1,
            max=MAX_ID,
        ),
    ],
) -> None:
    """Show the contents of hidden entries again."""
    from abhidhan.app.database import open_dictionary
    from abhidhan.editing.service import redaction

    with open_dictionary(load_command_settings()) as database:
        count = database.write_now(partial(redaction.unhide_entries, entry_ids=entries))
    typer.echo(f"{pluralize(count, 'entry', 'entries')} shown again.")


@commands.command("list")
def list_hidden() -> None:
    """List the hidden entries. Each has its ID, the day it was hidden, and the reason."""
    from abhidhan.app.database import open_dictionary
    from abhidhan.editing.service import redaction

    with open_dictionary(load_command_settings()) as database:
        hidden = database.read_now(redaction.list_hidden_entries)
    for entry in hidden:
        typer.echo(f"{entry.entry_id}  {datetime.fromtimestamp(entry.at, UTC):%Y-%m-%d}  {entry.reason}")
    if not hidden:
        typer.echo("No history entry is hidden.")


@commands.command()
def restore(
    entry: Annotated[int, typer.Argument(metavar="IMPORT", help="The ID that the import reported.", min=1, max=MAX_ID)],
) -> None:
    """Restore what an import replaced or removed. Its new records stay."""
    from abhidhan.app.database import open_dictionary
    from abhidhan.exchange.service import restoring

    with open_dictionary(load_command_settings()) as database:
        restored = restoring.restore_import(database, entry, now=int(time.time()))
    typer.echo(
        f"{pluralize(restored.records, 'record')} restored; {restored.changed_since:,} changed again since then."
    )


def _format_names(names: Iterable[object]) -> str:
    texts = [str(name) for name in names]
    more = f" and {len(texts) - MAX_SHOWN_NAMES} more" if len(texts) > MAX_SHOWN_NAMES else ""
    return ", ".join(texts[:MAX_SHOWN_NAMES]) + more
