"""Names that clients, operators and browsers hold stay when names of the code change.

After an intended change, write them and read the difference:
`make golden`.
"""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import typer
from litestar.di import Provide

from abhidhan.app.api_handlers import COMPAT_HANDLERS, REST_HANDLERS
from abhidhan.app.cli import program
from abhidhan.app.documentation import openapi

SOURCE: Final = Path(__file__).parents[2] / "src/abhidhan"
FILE: Final = Path(__file__).parent / "wire-names.json"
COOKIE: Final = re.compile(r'_COOKIE: Final = "([^"]+)"')
METRIC: Final = re.compile(r'"(abhidhan_[a-z_]+)"')
STORED: Final = re.compile(r'["`](abhidhan[.-][a-z.-]+)')


def test_names_of_commands_metrics_cookies_storage_and_schemas_stay() -> None:
    names = {
        "commands": dict(sorted(find_commands(typer.main.get_command(program), "abhidhan"))),
        "cookies": find_all(COOKIE, "*.py"),
        "metrics": find_all(METRIC, "*.py"),
        "schemas": find_schemas(),
        "storage": find_all(STORED, "*.js"),
    }
    if "ABHIDHAN_WRITE_GOLDEN" in os.environ:
        FILE.write_text(json.dumps(names, indent=1) + "\n", encoding="utf-8")

    assert names == json.loads(FILE.read_text(encoding="utf-8"))


def find_commands(command: Any, name: str) -> Iterator[tuple[str, list[str]]]:  # noqa: ANN401  # of click or of typer
    """Yield each command with its options and arguments."""
    for child_name, child in getattr(command, "commands", {}).items():
        yield from find_commands(child, f"{name} {child_name}")
    yield (
        name,
        sorted(option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)),
    )


def find_all(pattern: re.Pattern[str], files: str) -> list[str]:
    """Return the names that match in source files, sorted."""
    return sorted({name for file in SOURCE.rglob(files) for name in pattern.findall(file.read_text(encoding="utf-8"))})


def find_schemas() -> list[str]:
    """Return the names of the components in the OpenAPI document."""
    dependencies = {"dictionary": Provide(lambda: None, sync_to_thread=False)}
    document = openapi.describe_handlers((*COMPAT_HANDLERS, *REST_HANDLERS), version="0", dependencies=dependencies)
    return sorted(document.components.schemas or ())
