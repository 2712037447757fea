"""Measure the size of the code: `python -m tools.measure_code [REVISION]` (default: the working tree).

Counts the lines and files in Git by folder. The features of the program, and the functions entered by an edit of one
field, are measured only for the working tree.
"""

import asyncio
import re
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from types import FrameType

ROOT = Path(__file__).parents[1]
SOURCES = ("src", "packages", "tests", "tools", "bench")
SOURCE_FOLDERS = (str(ROOT / "src"), str(ROOT / "packages"))
MAX_FOLDER_DEPTH = 3
"""Depth of the folders to list, such as src/abhidhan/app."""


def main() -> None:
    """Print the table."""
    revision = sys.argv[1] if len(sys.argv) > 1 else None
    print("| folder | files | lines |\n|---|---|---|")
    for folder, (files, lines) in sorted(_count_by_folder(revision).items()):
        print(f"| {folder} | {files:,} | {lines:,} |")
    if revision is None:
        for name, value in _count_features():
            print(f"{name}: {value:,}")
        functions, statements = asyncio.run(_measure_edit())
        print(f"edit of one pronunciation: {functions:,} functions entered, {statements:,} statements")
        print(f"processor time of importing the server: {_import_seconds():.2f} s")


def _count_by_folder(revision: str | None) -> dict[str, tuple[int, int]]:
    """Return the numbers of Python files and lines by folder, and in total for each top folder."""
    files: Counter[str] = Counter()
    lines: Counter[str] = Counter()
    for path, text in _iter_texts(revision):
        for folder in ("/".join(path.parts[:-1][:MAX_FOLDER_DEPTH]), f"**{path.parts[0]}**"):
            files[folder] += 1
            lines[folder] += text.count(b"\n")
    return {folder: (files[folder], lines[folder]) for folder in files}


def _iter_texts(revision: str | None) -> Iterator[tuple[PurePosixPath, bytes]]:
    if revision is None:
        names = _git("ls-files", "--", *SOURCES).decode().splitlines()
    else:
        names = _git("ls-tree", "-r", "--name-only", revision, "--", *SOURCES).decode().splitlines()
    for name in names:
        if name.endswith(".py"):
            text = (ROOT / name).read_bytes() if revision is None else _git("show", f"{revision}:{name}")
            yield PurePosixPath(name), text


def _git(*arguments: str) -> bytes:
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout  # noqa: S603, S607


def _count_features() -> Iterator[tuple[str, int]]:
    """Yield each kind of feature with its number: handlers, tables, settings, messages, formats, dependencies."""
    from abhidhan.app.asgi import API_HANDLERS  # noqa: PLC0415  # only for the working tree
    from abhidhan.app.page_handlers import PAGE_HANDLERS  # noqa: PLC0415
    from abhidhan.formats.registry import EXPORTERS, IMPORTERS  # noqa: PLC0415
    from abhidhan.records.settings import Settings  # noqa: PLC0415
    from abhidhan.schema import metadata  # noqa: PLC0415

    catalogue = ROOT / "src/abhidhan/platform/http/locale/as/LC_MESSAGES/messages.po"
    yield "handlers", len(API_HANDLERS) + len(PAGE_HANDLERS)
    yield "tables", len(metadata.tables)
    yield "settings", len(Settings.model_fields)
    yield "messages", len(re.findall(r'^msgid (?!""$)', catalogue.read_text(), re.MULTILINE))
    yield "formats written", len(EXPORTERS)
    yield "formats read", len(IMPORTERS)
    locked = (ROOT / "requirements/run.lock").read_text()
    yield "packages of every server", len(re.findall(r"^\S+==", locked, re.MULTILINE))


async def _measure_edit() -> tuple[int, int]:
    """Edit the pronunciation of a word; return the numbers of entered functions and of SQL statements."""
    from sqlalchemy import event  # noqa: PLC0415  # only for the working tree

    from abhidhan.app.database import SUBSCRIBERS  # noqa: PLC0415
    from abhidhan.editing.service.editing import Editing  # noqa: PLC0415
    from abhidhan.editing.store.history import subscribe  # noqa: PLC0415
    from abhidhan.platform.database.database import Database  # noqa: PLC0415
    from abhidhan.records.history import RecordRef  # noqa: PLC0415
    from abhidhan.records.submission_payloads import WordChanges  # noqa: PLC0415
    from tests.support.arbitrary_edits import EDITOR  # noqa: PLC0415
    from tests.support.databases import SqliteDatabases, load_sample  # noqa: PLC0415

    entered: set[object] = set()
    statements: list[str] = []

    def record_call(frame: FrameType, event_name: str, _: object) -> None:
        if event_name == "call" and frame.f_code.co_filename.startswith(SOURCE_FOLDERS):
            entered.add(frame.f_code)

    subscribe(SUBSCRIBERS)
    # Set before the database starts its threads, so that they inherit it.
    threading.setprofile(record_call)
    sys.setprofile(record_call)
    with tempfile.TemporaryDirectory() as folder, Database(SqliteDatabases(Path(folder)).copy(load_sample)) as database:
        event.listen(database.engine, "before_cursor_execute", lambda *given: statements.append(given[2]))
        editing, name = Editing(database), RecordRef("word", "1")
        for ipa in ("warm", "measured"):
            version = (await editing.read(EDITOR, name)).version
            entered.clear()
            statements.clear()
            await editing.change(EDITOR, name, version, WordChanges(ipa=ipa))
        # Closing the database is not part of the edit.
        functions = len(entered)
    sys.setprofile(None)
    threading.setprofile(None)
    return functions, len(statements)


def _import_seconds() -> float:
    """Return the processor time of importing the compiled modules of the server, in seconds."""
    # Without the garbage collector, as in a worker.
    modules = "abhidhan.app.server, abhidhan.app.asgi"
    code = f"import gc, time; gc.disable(); import {modules}; print(time.process_time())"
    command = [sys.executable, "-c", code]
    runs = (subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE) for _ in range(3))  # noqa: S603
    return min(float(run.stdout) for run in runs)


if __name__ == "__main__":
    main()
