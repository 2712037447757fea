"""Full disks, read-only disks, and accounts without write permission."""

import os
import resource
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def limit_file_size(size: int) -> Iterator[None]:
    """Limit the size of each file that this process writes, in bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


class SmallDisk:
    """A separate disk mounted at a folder, which can be filled, emptied and made read-only."""

    def __init__(self, folder: Path) -> None:
        """Set the mount point."""
        self.folder = folder
        self._ballast = folder / "ballast"

    def fill(self) -> None:
        """Fill the disk completely; only space already allocated to files remains usable."""
        with self._ballast.open("ab", buffering=0) as ballast:
            for size in (1 << 20, 1 << 12, 1):
                try:
                    while ballast.write(bytes(size)) == size:
                        pass
                except OSError:
                    continue

    def free_space(self) -> None:
        """Remove the file that fills the disk."""
        self._ballast.unlink()

    def make_read_only(self) -> None:
        """Remount the disk read-only."""
        _run("mount", "-o", "remount,ro", str(self.folder))


@contextmanager
def mount_small_disk(folder: Path, mebibytes: int = 24) -> Iterator[SmallDisk]:
    """Mount a small disk in memory at a folder; skip the test without the permission to mount."""
    folder.mkdir(parents=True, exist_ok=True)
    if not _run("mount", "-t", "tmpfs", "-o", f"size={mebibytes}m,mode=0777", "tmpfs", str(folder)):
        pytest.skip("a small disk can only be mounted by root")
    try:
        yield SmallDisk(folder)
    finally:
        _run("umount", "--lazy", str(folder))


def find_permission_prefix() -> list[str]:
    """Return the command prefix with which file permissions apply even to root; an empty list if not needed."""
    if os.geteuid() != 0:
        return []
    setpriv = shutil.which("setpriv")
    if setpriv is None:
        pytest.skip("root can only be told to obey the modes of files by setpriv")
    return [setpriv, "--bounding-set=-all", "--inh-caps=-all", "--ambient-caps=-all"]


def _run(*command: str) -> bool:
    program = shutil.which(command[0])
    if program is None or os.geteuid() != 0:
        return False
    return subprocess.run([program, *command[1:]], capture_output=True, check=False).returncode == 0  # noqa: S603
