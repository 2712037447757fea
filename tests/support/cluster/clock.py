"""A clock of the day for one program that can be set while it runs, as somebody sets that of a machine.

Not libfaketime: with it, `time.sleep` of Python fails (EINVAL) once the clock was set.
"""

import shutil
import struct
import subprocess
from pathlib import Path
from typing import Final

SOURCE: Final = Path(__file__).with_name("clock.c")


class Clock:
    """What a program believes the time to be. Clocks that only go on, by which it waits, are left alone."""

    def __init__(self, file: Path) -> None:
        """Take the file that tells how far the clock is from the right time."""
        self._file = file
        self._library = file.with_suffix(".so")
        file.write_bytes(bytes(8))
        compiler = shutil.which("cc")
        self.can_be_set = compiler is not None
        if compiler is not None:
            command = [compiler, "-shared", "-fPIC", "-O1", "-o", str(self._library), str(SOURCE), "-ldl"]
            subprocess.run(command, check=True)  # noqa: S603  # our own source

    def set(self, seconds: int) -> None:
        """Set it so many seconds ahead or, below zero, back."""
        with self._file.open("r+b") as shared:
            shared.write(struct.pack("=q", seconds))

    def environment(self) -> dict[str, str]:
        """Return the variables under which a program goes by this clock; none without a compiler."""
        return {"LD_PRELOAD": str(self._library), "CLOCK_FILE": str(self._file)} if self.can_be_set else {}
