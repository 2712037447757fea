"""A Debian machine for commands that are run as root: this one, in a namespace whose changes are discarded.

`/opt`, `/etc`, `/var` and `/usr/local` can be read, and changes in them are discarded. The network is the
namespace's own, so that every port is free and no requests leave it. systemd does not run in it: `systemctl` is a
stand-in (`tests/support/machine/systemctl`) that starts a unit's command as its user, but without sandboxing.
"""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import pytest

STAND_INS_FOLDER: Final = Path(__file__).parent
OVERLAY_FOLDERS: Final = ("opt", "etc", "var", "usr/local")
UNSHARE_COMMAND: Final = ("unshare", "--mount", "--net", "--pid", "--fork", "--mount-proc", "--propagation=private")

TIMEOUT_SECONDS: Final = 180
"""Timeout of a command in seconds on a busy machine; not a measurement."""

SETUP_SCRIPT: Final = """
set -e
layers=$1 stand_ins=$2 python=$3 packages=$4; shift 4
ip link set lo up
mount -t tmpfs tmpfs "$layers"
chmod 0755 "$layers"
for folder in "$@"; do
    mkdir -p "$layers/$folder/upper" "$layers/$folder/work"
    options="lowerdir=/$folder,upperdir=$layers/$folder/upper,workdir=$layers/$folder/work"
    mount -t overlay overlay -o "$options" "/$folder"
done
mkdir -p /opt/stand_ins /opt/python /opt/packages
mount --bind "$stand_ins" /opt/stand_ins
mount --bind "$python" /opt/python
mount --bind "$packages" /opt/packages
echo ready
while :; do sleep 3600 & wait; done
"""


class Machine:
    """The running machine."""

    def __init__(self, process: int, folder: Path) -> None:
        """Set the process that identifies the namespaces, and the working folder of commands."""
        self._process = process
        self._folder = folder

    def run(self, commands: str, **variables: str) -> str:
        """Run commands as root in a shell that ends with the first failure; return their output."""
        ended = subprocess.run(  # noqa: S603  # the commands of our own documents
            self._shell(commands),
            env=self._environment(variables),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=TIMEOUT_SECONDS,
        )
        assert ended.returncode == 0, f"{commands}\n{ended.stdout}"
        return ended.stdout

    def run_interactively(self, commands: str, *answers: str) -> str:
        """Run commands as root at a terminal, and answer each prompt."""
        own, theirs = os.openpty()
        with os.fdopen(own, "rb+", buffering=0) as terminal:
            process = subprocess.Popen(  # noqa: S603  # the commands of our own documents
                self._shell(commands),
                env=self._environment({}),
                stdin=theirs,
                stdout=theirs,
                stderr=theirs,
                start_new_session=True,
            )
            os.close(theirs)
            said = ""
            for each in answers:
                while not said.endswith(": "):
                    said += terminal.read(1).decode("utf-8", "replace")
                terminal.write(f"{each}\n".encode())
                said += "\n"
            with suppress(OSError):  # Linux reports this when the other end is closed
                while more := terminal.read(1024):
                    said += more.decode("utf-8", "replace")
            assert process.wait(TIMEOUT_SECONDS) == 0, said
        return said

    def _shell(self, commands: str) -> list[str]:
        inside = ("nsenter", f"--target={self._process}", "--mount", "--net", "--pid")
        return [*inside, "bash", "-euo", "pipefail", "-c", f"cd {self._folder}\n{commands}"]

    def _environment(self, variables: Mapping[str, str]) -> dict[str, str]:
        return {
            "PATH": "/opt/stand_ins:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            "HOME": str(self._folder),
            "LD_LIBRARY_PATH": "/opt/python/lib",  # The libraries of the Python that runs the tests.
            "LANG": "C.UTF-8",
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "PIP_NO_INDEX": "1",  # the packages are installed already
            "PIP_ROOT_USER_ACTION": "ignore",
            **variables,
        }


@contextmanager
def machine(folder: Path) -> Iterator[Machine]:
    """Set up a machine, or skip the test if that is impossible."""
    _skip_without_rights()
    layers = folder / "layers"
    layers.mkdir()
    with subprocess.Popen(  # noqa: S603  # our own command
        [
            *("setpriv", "--pdeathsig", "KILL", "--"),  # killed tests leave no processes behind
            *UNSHARE_COMMAND,
            "--kill-child",
            *(
                "bash",
                "-c",
                SETUP_SCRIPT,
                "bash",
                str(layers),
                str(STAND_INS_FOLDER),
                sys.base_prefix,
                _packages(),
                *OVERLAY_FOLDERS,
            ),
        ],
        stdout=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n", "no machine could be set up"
            yield Machine(_find_child(process.pid), folder)
        finally:
            process.kill()


def read_code_blocks(document: Path) -> dict[str, list[str]]:
    """Return the code blocks of a document, by the second-level heading above them."""
    chapters: dict[str, list[str]] = {}
    for chapter in document.read_text(encoding="utf-8").split("\n## ")[1:]:
        blocks = chapter.split("\n```")[1::2]
        chapters[chapter.partition("\n")[0]] = [block.removeprefix("sh\n") for block in blocks if block[:3] == "sh\n"]
    return chapters


def _skip_without_rights() -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can follow the installation in a namespace of its own")
    for program in ("unshare", "nsenter", "ip", "setpriv", "useradd", "curl", "git"):
        if shutil.which(program) is None:
            pytest.skip(f"the installation is followed with {program}, which is not installed")
    tried = subprocess.run(  # noqa: S603  # our own command
        [*UNSHARE_COMMAND, "true"],
        capture_output=True,
        text=True,
        check=False,
    )
    if tried.returncode:
        pytest.skip(f"this machine lets nobody make a namespace: {tried.stderr.strip()}")


def _packages() -> str:
    return str(Path(pytest.__file__).parents[1])


def _find_child(process: int) -> int:
    give_up = time.monotonic() + 10
    children = Path(f"/proc/{process}/task/{process}/children")
    while not (found := children.read_text().split()):
        assert time.monotonic() < give_up, "no machine was set up"
    return int(found[0])
