"""The walks of CONTRIBUTING.md are followed to the letter, each in a copy of the tree."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.support.walks import MAX_STEPS, ROOT, WalkThrough, apply_step, copy_tree, read_walk

DOCUMENT: Final = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
HEADINGS: Final = (
    "an API endpoint",
    "a match strategy",
    "an export format",
    "a language",
    "a page",
    "a field of a word",
)
FOLLOWED: Final = tuple(heading for heading in HEADINGS if heading != "a language")
"""`test_adding_a_language.py` follows the walk that has no edits of the tree."""


def run_tests(walk: WalkThrough, tree: Path) -> str:
    """Run the tests that a walk names in a tree, and return what failed; an empty text where nothing did."""
    sources = (tree / "src", tree / "packages/assamese/src", tree)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, sources)), "PYTHONUTF8": "1"}
    environment.pop("PYTEST_ADDOPTS", None)
    for name in [name for name in environment if name.startswith("PYTEST_XDIST")]:
        del environment[name]
    options = ("-n0", "-q", "-x", "-p", "no:cacheprovider", "-m", "not nightly and not thorough")
    command = [sys.executable, "-m", "pytest", *options, *walk.tests]
    ended = subprocess.run(  # noqa: S603  # the tests of the walk
        command, cwd=tree, env=environment, capture_output=True, text=True, check=False, timeout=300
    )
    return ended.stdout + ended.stderr if ended.returncode else ""


def test_a_walk_has_few_steps_and_names_files_that_exist(subtests: pytest.Subtests) -> None:
    for heading in HEADINGS:
        with subtests.test(heading):
            walk = read_walk(DOCUMENT, heading)

            assert len(walk.steps) <= MAX_STEPS
            assert [path for path in sorted(walk.named_files()) if not (ROOT / path).exists()] == []
            assert walk.named_files() or walk.files()


@pytest.mark.thorough
@pytest.mark.parametrize("heading", FOLLOWED)
def test_the_tests_that_a_walk_names_pass_in_a_tree_that_has_its_steps(heading: str, tmp_path: Path) -> None:
    walk = read_walk(DOCUMENT, heading)
    copy_tree(tmp_path)
    for step in walk.steps:
        apply_step(step, tmp_path)

    assert run_tests(walk, tmp_path) == ""


def test_the_walk_of_a_language_names_its_test() -> None:
    assert "tests/docs/test_adding_a_language.py" in read_walk(DOCUMENT, "a language").tests


def test_a_step_whose_lines_are_missing_from_the_file_is_rejected(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("one\n", encoding="utf-8")

    with pytest.raises(ValueError, match=r"a\.py has no such lines"):
        apply_step("```diff\n--- a.py\n two\n+three\n```\n", tmp_path)
