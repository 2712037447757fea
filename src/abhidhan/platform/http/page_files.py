"""Find the templates and static files of all packages."""

from pathlib import Path
from typing import Final, Literal

PACKAGE: Final = Path(__file__).parents[2]


def page_folders(kind: Literal["templates", "static"]) -> list[Path]:
    """List the folders of one kind in all packages. No two of them have a file of the same name."""
    return sorted(PACKAGE.glob(f"*/*/{kind}"))
