"""What arguments of several commands share, without anything that takes long to import."""

from pathlib import Path
from typing import Annotated, Final

import typer

GREATEST_ID: Final = 2**31 - 1
INVITATION_DAYS: Final = 14
"""As in the domain, whose modules take longer to import than the list of commands may."""

DryRun = Annotated[bool, typer.Option("--dry-run", help="Show what would be done; change nothing.")]
ReportFile = Annotated[
    Path | None,
    typer.Option(
        "--report",
        "--errors",
        help="Write to this file (.csv: as a table) all that is rejected, not kept, changed, kept or removed.",
    ),
]
