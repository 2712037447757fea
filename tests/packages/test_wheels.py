"""Wheels built of this checkout work away from it, and the language engine works without the program."""

import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any, Final

import pytest

from tests.support.databases import create_from_sample
from tests.support.server import command_environment

ROOT: Final = Path(__file__).parents[2]

EVERY_MODULE: Final = """
import importlib, pkgutil, sys
import assamese
from assamese.transliteration_model import default_transliterator
for module in pkgutil.walk_packages(assamese.__path__, "assamese."):
    importlib.import_module(module.name)
print(assamese.__file__, default_transliterator().to_assamese("xobdo", 1)[0], "abhidhan" in sys.modules)
"""


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Create an environment that has the packages of the tests, and neither this checkout nor an installation of it."""
    folder = tmp_path_factory.mktemp("wheels") / "environment"
    run(sys.executable, "-m", "venv", "--without-pip", folder)
    [packages] = folder.glob("lib/python3*/site-packages")
    (packages / "of_the_tests.pth").write_text(f"{Path(pytest.__file__).parents[1]}\n")
    return folder / "bin/python"


def test_the_program_needs_the_engine_of_the_same_checkout() -> None:
    program, engine = project(ROOT), project(ROOT / "packages/assamese")

    assert f"assamese=={engine['version']}" in program["dependencies"]
    assert engine["version"] == program["version"]
    assert {*engine["dependencies"]} <= {*program["dependencies"]}  # those that the lock files pin


@pytest.mark.thorough
def test_the_wheels_work_away_from_the_checkout(python: Path, tmp_path: Path) -> None:
    install(python, ROOT / "packages/assamese", tmp_path)
    place, word, knows_program = run(python, "-I", "-c", EVERY_MODULE).split()

    assert Path(place).is_relative_to(python.parents[1])
    assert (word, knows_program) == ("শব্দ", "False")

    install(python, ROOT, tmp_path)
    home = tmp_path / "home"
    create_from_sample(home)
    command = python.parent / "abhidhan"

    assert project(ROOT)["version"] in run(command, "--version", home=home)
    assert "water" in run(command, "look", "paani", home=home)


def project(folder: Path) -> dict[str, Any]:
    """Read what a project says of itself."""
    described: dict[str, Any] = tomllib.loads((folder / "pyproject.toml").read_text())["project"]
    return described


def install(python: Path, source: Path, folder: Path) -> None:
    """Build the wheel of a project and install it, without a network."""
    options = ("--quiet", "--disable-pip-version-check", "--no-deps", "--no-index")
    wheels = folder / source.name
    run(sys.executable, "-m", "pip", "wheel", *options, "--no-build-isolation", "--wheel-dir", wheels, source)
    run(sys.executable, "-m", "pip", "--python", python, "install", *options, "--no-compile", *wheels.glob("*.whl"))


def run(*words: str | Path, home: Path = Path("/nowhere")) -> str:
    """Run a command away from the checkout, and return what it prints."""
    environment = command_environment(home)
    environment.pop("PYTHONPATH", None)
    ended = subprocess.run(  # noqa: S603  # our own commands
        [*map(str, words)], cwd="/", env=environment, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout
