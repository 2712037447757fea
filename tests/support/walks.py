"""Walk-throughs of documents: the files and edits in their code blocks are applied to a copy of the tree."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[2]
COPIED_FOLDERS: Final = ("src", "packages", "tests", "docs", "tools")
MAX_STEPS: Final = 15

_STEP: Final = re.compile(r"^(\d+)\. (.*?)(?=^\d+\. |\Z)", re.MULTILINE | re.DOTALL)
_NEW_FILE: Final = re.compile(r"New file\s+`([^`]+)`:\n+ *```\w*\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
_EDIT: Final = re.compile(r"^ *```diff\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
_FILE_NAME: Final = re.compile(r"`((?:src|tests|docs|packages|tools)/[\w./-]+\.\w+|[A-Z]+\.md)`")
_ELLIPSIS: Final = "…"
"""The end of a context line whose remaining text may be anything."""


class WalkThrough(NamedTuple):
    """A walk-through: its steps, and the command that the last one runs."""

    steps: tuple[str, ...]
    tests: tuple[str, ...]

    def files(self) -> list[str]:
        """Return the files that the walk-through creates or changes."""
        made = [path for step in self.steps for path, _ in _NEW_FILE.findall(step)]
        changed = [path for step in self.steps for path, _ in _hunks(step)]
        return sorted({*made, *changed})

    def named_files(self) -> set[str]:
        """Return the files mentioned in the walk-through, except those that it creates."""
        made = {path for step in self.steps for path, _ in _NEW_FILE.findall(step)}
        return {path for step in self.steps for path in _FILE_NAME.findall(step)} - made


def read_walk(document: str, heading: str) -> WalkThrough:
    """Read the walk-through under a heading. Raises ValueError if its steps are not numbered from 1."""
    _, found, text = document.partition(f"\n### ... {heading}\n")
    if not found:
        raise ValueError(f"no walk has the heading {heading}")
    text = re.split(r"^##", text, maxsplit=1, flags=re.MULTILINE)[0]
    steps = _STEP.findall(text)
    if [int(number) for number, _ in steps] != list(range(1, len(steps) + 1)):
        raise ValueError(f"the steps of {heading} are not numbered from 1")
    command = re.search(r"`pytest ([^`]+)`", steps[-1][1])
    if command is None:
        raise ValueError(f"the last step of {heading} names no tests")
    return WalkThrough(tuple(step for _, step in steps), tuple(command[1].split()))


def copy_tree(target: Path) -> None:
    """Copy the tree: folders that walk-throughs change are new, files are links to those of the checkout."""
    for folder in COPIED_FOLDERS:
        copytree(ROOT / folder, target / folder, copy_function=os.symlink)
    for path in ROOT.iterdir():
        if not path.name.startswith(".") and not (target / path.name).exists():
            (target / path.name).symlink_to(path)


def apply_step(step: str, tree: Path) -> None:
    """Apply the new files and the edits of a step. Raises ValueError if the tree does not match the step."""
    for path, content in _NEW_FILE.findall(step):
        if (tree / path).exists():
            raise ValueError(f"{path} is there already")
        if not (tree / path).parent.is_dir():
            raise ValueError(f"there is no folder for {path}")
        (tree / path).write_text(_dedent(content), encoding="utf-8")
    for path, hunk in _hunks(step):
        _apply_hunk(tree / path, path, hunk)


def _dedent(block: str) -> str:
    """Remove the indentation of a code block within a list."""
    indent = re.match(r" *", block)
    return re.sub(f"^{indent[0] if indent else ''}", "", block, flags=re.MULTILINE)


def _hunks(step: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the hunks of a step, each with its file. A line with `@@` separates those of one file."""
    for block in _EDIT.findall(step):
        for of_file in re.split(r"^--- ", _dedent(block), flags=re.MULTILINE)[1:]:
            path, _, hunks = of_file.partition("\n")
            for hunk in hunks.split("@@\n"):
                yield path, hunk.splitlines()


def _apply_hunk(file: Path, path: str, hunk: list[str]) -> None:
    """Apply a hunk where its lines occur in the file. Raises ValueError if they do not."""
    lines = file.read_text(encoding="utf-8").splitlines()
    before = [line[1:] for line in hunk if not line.startswith("+")]
    places = [place for place in range(len(lines)) if _matches_lines(before, lines[place : place + len(before)])]
    if not places:
        raise ValueError(f"{path} has no such lines: {before}")
    for place in reversed(places):
        rest = iter(lines[place : place + len(before)])
        changed = []
        for line in hunk:
            kept = line[1:] if line.startswith("+") else next(rest)
            changed += [] if line.startswith("-") else [kept]
        lines[place : place + len(before)] = changed
    file.unlink()  # a link to the file of the checkout
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _matches_lines(before: list[str], lines: list[str]) -> bool:
    return len(before) == len(lines) and all(
        line.startswith(said[:-1]) if said.endswith(_ELLIPSIS) else line == said
        for said, line in zip(before, lines, strict=True)
    )
