"""Build the packages of a version into `dist/`, try them in a fresh environment, and tag the commit: `make release`."""

import json
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import tomllib
import urllib.request
from http.client import HTTPException
from pathlib import Path
from typing import Final
from urllib.error import HTTPError

import click

ROOT: Final = Path(__file__).parents[1]
PROJECTS: Final = (ROOT, ROOT / "packages/assamese", ROOT / "packages/abhidhan-mcp")
START_TIMEOUT_SECONDS: Final = 300
STOP_TIMEOUT_SECONDS: Final = 60


@click.command()
@click.option("--offline", is_flag=True, help="Use the dependencies of this environment instead of downloading them.")
def main(*, offline: bool) -> None:
    """Build and try the packages of the version in pyproject.toml, and tag the commit."""
    version = check_versions()
    commit = check_repository(version)
    build_packages(version)
    with tempfile.TemporaryDirectory(prefix="abhidhan-release-") as folder:
        commands = install_packages(Path(folder) / "environment", offline=offline)
        try_packages(version, commit, commands, Path(folder) / "home")
    _run("git", "tag", "--annotate", f"v{version}", commit, "--message", f"Abhidhan {version}")
    print(f"Tagged v{version}. CONTRIBUTING.md, “Releasing”, describes how to publish dist/.")


def check_versions() -> str:
    """Return the version, which all packages must have. Raises ClickException."""
    program = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    engine = tomllib.loads((ROOT / "packages/assamese/pyproject.toml").read_text(encoding="utf-8"))["project"]
    client = re.search(
        r'__version__ = "(.+)"', (ROOT / "packages/abhidhan-mcp/src/abhidhan_mcp/__init__.py").read_text("utf-8")
    )
    version = str(program["version"])
    if not (
        engine["version"] == version
        and f"assamese=={version}" in program["dependencies"]
        and client is not None
        and client[1] == version
        and f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    ):
        raise click.ClickException(f"Not all packages have the version {version} of pyproject.toml.")
    return version


def check_repository(version: str) -> str:
    """Return the commit, which must be ready for its tag. Raises ClickException."""
    if _run("git", "status", "--porcelain"):
        raise click.ClickException("There are changes that are not committed.")
    if _run("git", "tag", "--list", f"v{version}"):
        raise click.ClickException(f"The tag v{version} exists already: raise the version.")
    if not re.search(
        rf"^## {re.escape(version)} – \d{{4}}-\d\d-\d\d$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE
    ):
        raise click.ClickException(f"CHANGELOG.md has no heading `## {version} – YYYY-MM-DD`.")
    return _run("git", "rev-parse", "HEAD").strip()


def build_packages(version: str) -> None:
    """Build a wheel and an sdist of each package into `dist/`."""
    shutil.rmtree(ROOT / "dist", ignore_errors=True)
    for project in PROJECTS:
        _run(sys.executable, "-m", "hatchling", "build", "--directory", str(ROOT / "dist"), folder=project)
    built = sorted(file.name for file in (ROOT / "dist").iterdir())
    names = ("abhidhan", "abhidhan_mcp", "assamese")
    if built != sorted(name + end for name in names for end in (f"-{version}-py3-none-any.whl", f"-{version}.tar.gz")):
        raise click.ClickException(f"dist/ does not contain the expected files, but {', '.join(built)}.")


def install_packages(environment: Path, *, offline: bool) -> Path:
    """Install the wheels in a fresh environment, and return the folder of its commands."""
    _run(sys.executable, "-m", "venv", "--without-pip", str(environment))
    options: list[str] = []
    if offline:
        options += ["--no-index", "--no-deps", "--ignore-installed"]
        [site_packages] = environment.glob("lib/python3*/site-packages")
        (site_packages / "dependencies.pth").write_text(f"{Path(click.__file__).parents[1]}\n", encoding="utf-8")
    python = str(environment / "bin/python")
    wheels = sorted(str(file) for file in (ROOT / "dist").glob("*.whl"))
    _run(sys.executable, "-m", "pip", "--python", python, "install", "--quiet", *options, *wheels)
    return environment / "bin"


def try_packages(version: str, commit: str, commands: Path, home: Path) -> None:
    """Start the installed server, look up a word, and stop the server. Raises ClickException."""
    reported = _run(str(commands / "abhidhan"), "--version").strip()
    if reported != f"abhidhan {version} (commit {commit[:12]})":
        raise click.ClickException(f"The installed command reports another version: {reported}.")
    _run(str(commands / "abhidhan-mcp"), "--help")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    home.mkdir()
    environment = {"ABHIDHAN_HOME": str(home), "ABHIDHAN_PORT": str(port), "PATH": "/usr/bin:/bin"}
    server = subprocess.Popen([commands / "abhidhan", "serve"], cwd="/", env=environment)  # noqa: S603
    try:
        answer = _request(f"http://127.0.0.1:{port}/api/dic.php?w=water&l=en", server)
    finally:
        server.send_signal(signal.SIGTERM)
        try:
            status = server.wait(STOP_TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired:
            server.kill()
            raise
    match = json.loads(answer)["querywords"][0]["match"]
    if match != "exact" or status:
        raise click.ClickException(f"The installed server ended with {status}, after it answered: {answer[:500]}")


def _request(url: str, server: subprocess.Popen[bytes]) -> str:
    deadline = time.monotonic() + START_TIMEOUT_SECONDS
    while server.poll() is None and time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(url, timeout=10) as response:  # noqa: S310
                return str(response.read().decode())
        except HTTPError as error:
            raise click.ClickException(f"{url} was answered with {error.code}: {error.read().decode()}") from error
        except (OSError, HTTPException):
            time.sleep(0.2)
    raise click.ClickException("The installed server did not start.")


def _run(*command: str, folder: Path = ROOT) -> str:
    completed = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)  # noqa: S603
    if completed.returncode:
        raise click.ClickException(f"{' '.join(command)} failed:\n{completed.stdout}{completed.stderr}")
    return completed.stdout


if __name__ == "__main__":
    main()
