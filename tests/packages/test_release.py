"""`make release` builds the packages, tries them in a fresh environment, and tags the commit."""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Final
from zipfile import ZipFile

import pytest

ROOT: Final = Path(__file__).parents[2]
VERSION: Final = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]

# Without `make check`, and without installing the tools for tests once more.
RELEASE: Final = (
    *("make", "release", "RELEASE_CHECKS=", "RELEASE_OPTIONS=--offline", f"BIN={Path(sys.executable).parent}"),
    "--old-file=.venv/installed-dev",
)

pytestmark = pytest.mark.thorough


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """Clone the checkout, with its uncommitted changes, as a commit that has the version in its changelog."""
    folder = tmp_path / "clone"
    run("git", "clone", "--quiet", "--no-tags", str(ROOT), str(folder), folder=tmp_path)
    for name in run("git", "ls-files", "--modified", "--others", "--exclude-standard", folder=ROOT).splitlines():
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    changelog = folder / "CHANGELOG.md"
    text = changelog.read_text(encoding="utf-8")
    if f"## {VERSION} – " not in text:
        changelog.write_text(text.replace("## Unreleased", f"## {VERSION} – 2026-12-01", 1), encoding="utf-8")
    run("git", "add", "--all", folder=folder)
    run(
        "git",
        "-c",
        "user.name=A",
        "-c",
        "user.email=a@b.example",
        "commit",
        "--quiet",
        "--allow-empty",
        "-m",
        "Release",
        folder=folder,
    )
    return folder


def test_a_release_is_built_tried_and_tagged(clone: Path) -> None:
    run(*RELEASE, folder=clone)

    assert run("git", "tag", "--points-at", "HEAD", folder=clone).split() == [f"v{VERSION}"]
    assert {file.name for file in (clone / "dist").iterdir()} == {
        f"{name}-{VERSION}{end}"
        for name in ("abhidhan", "abhidhan_mcp", "assamese")
        for end in ("-py3-none-any.whl", ".tar.gz")
    }


@pytest.mark.nightly
@pytest.mark.parametrize("tool", ["pipx", "uvx"])
def test_the_wheels_run_without_an_installation(clone: Path, tmp_path: Path, tool: str) -> None:
    dist = clone / "dist"
    for project in (clone, clone / "packages/assamese"):
        run(sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(dist), folder=project)
    wheel = str(dist / f"abhidhan-{VERSION}-py3-none-any.whl")
    options = {
        "pipx": ("run", f"--pip-args=--find-links={dist}", "--spec", wheel),
        "uvx": ("--find-links", str(dist), "--from", wheel),
    }

    # Both download the dependencies.
    environment = {**os.environ, "HOME": str(tmp_path), "UV_CACHE_DIR": str(tmp_path / "cache")}
    command = [str(Path(sys.executable).parent / tool), *options[tool], "abhidhan", "--version"]
    reported = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout  # noqa: S603

    assert reported.startswith(f"abhidhan {VERSION} (commit ")


def test_a_wheel_is_built_where_git_is_missing_as_in_the_container(clone: Path) -> None:
    command = (sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", "dist")
    subprocess.run(command, cwd=clone, env={"PATH": "/nowhere"}, capture_output=True, check=True)  # noqa: S603

    [wheel] = (clone / "dist").glob("*.whl")
    with ZipFile(wheel) as files:
        assert "abhidhan/commit.txt" not in files.namelist()
        assert "abhidhan/__main__.py" in files.namelist()


@pytest.mark.parametrize(
    ("path", "old", "new", "message"),
    [
        ("README.md", "# Abhidhan", "# Changed", "There are changes that are not committed."),
        ("CITATION.cff", f"version: {VERSION}", "version: 0.9.0", f"Not all packages have the version {VERSION}"),
    ],
)
def test_a_release_needs_a_clean_checkout_and_one_version(
    clone: Path, path: str, old: str, new: str, message: str
) -> None:
    file = clone / path
    file.write_text(file.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")

    completed = subprocess.run(RELEASE, cwd=clone, capture_output=True, text=True, check=False)  # noqa: S603

    assert completed.returncode != 0
    assert message in completed.stderr


def run(*command: str, folder: Path) -> str:
    """Run a command that has to succeed, and return its output."""
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(folder), "GIT_AUTHOR_NAME": "A", "GIT_COMMITTER_NAME": "A"}
    environment |= {"GIT_AUTHOR_EMAIL": "a@b.example", "GIT_COMMITTER_EMAIL": "a@b.example"}
    completed = subprocess.run(  # noqa: S603
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert completed.returncode == 0, completed.stdout + completed.stderr
    return completed.stdout
