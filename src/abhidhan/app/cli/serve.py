"""`abhidhan serve`: run the HTTP server."""

from typing import Annotated

import typer

from abhidhan.app.cli.common import load_command_settings


def register(program: typer.Typer) -> None:
    """Add the command."""
    program.command()(serve)


def serve(
    host: Annotated[str | None, typer.Option(help="The network address to listen on.", show_default=False)] = None,
    port: Annotated[int | None, typer.Option(help="The port to listen on.", show_default=False)] = None,
    workers: Annotated[
        int | None, typer.Option(help="The number of processes that handle requests.", show_default=False)
    ] = None,
) -> None:
    """Serve the dictionary over HTTP until Ctrl+C. Creates the database if there is none.

    Options left out here come from the settings:
    ABHIDHAN_HOST (127.0.0.1), ABHIDHAN_PORT (8080), ABHIDHAN_WORKERS (1).
    """
    from abhidhan.app.server import serve as run_server

    run_server(load_command_settings(host=host, port=port, workers=workers))
