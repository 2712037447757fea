"""Put the commit into wheels and sdists, so that `abhidhan --version` tells builds of one version apart."""

import shutil
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CommitHook(BuildHookInterface):
    """Add the file `commit.txt`. A build from an sdist has it already; without Git there is none."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the commit of the checkout; an editable installation reads it from there."""
        git = shutil.which("git")
        if version == "editable" or git is None or not (Path(self.root) / ".git").exists():
            return
        command = [git, "-C", self.root, "rev-parse", "HEAD"]
        completed = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
        if completed.returncode == 0:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            self._file.write_text(completed.stdout, encoding="ascii")
            target = "abhidhan/commit.txt" if self.target_name == "wheel" else "src/abhidhan/commit.txt"
            build_data["force_include"][str(self._file)] = target

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Delete the file again."""
        del version, build_data, artifact_path
        self._file.unlink(missing_ok=True)

    @property
    def _file(self) -> Path:
        return Path(self.directory) / "commit.txt"
