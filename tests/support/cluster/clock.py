"""A clock for one process that can be set while it runs, as somebody sets that of a machine: Debian's libfaketime."""

from pathlib import Path
from typing import Final

LIBRARIES: Final = "usr/lib/*/faketime/libfaketime.so.1"


class Clock:
    """What a process believes the time to be. Clocks that only go on, by which it waits, are left alone."""

    def __init__(self, file: Path) -> None:
        """Take the file that tells how far the clock is from the right time."""
        self._file = file
        self.set(0)

    def set(self, seconds: int) -> None:
        """Set it so many seconds ahead or, below zero, back."""
        beside = self._file.with_suffix(".new")
        beside.write_text(f"{seconds:+d}\n")
        beside.rename(self._file)

    def environment(self) -> dict[str, str]:
        """Return the variables under which a program goes by this clock; none where the library is not installed."""
        library = library_of_clocks()
        if library is None:
            return {}
        return {
            "LD_PRELOAD": str(library),
            "FAKETIME_TIMESTAMP_FILE": str(self._file),
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }


def library_of_clocks() -> Path | None:
    """Return where Debian has the library."""
    return next(iter(Path("/").glob(LIBRARIES)), None)
