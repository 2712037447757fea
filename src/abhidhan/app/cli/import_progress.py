"""The progress of an import in the terminal: a line for each phase, with how far it is."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TaskProgressColumn, TextColumn, TimeElapsedColumn

from abhidhan.exchange.model import OnStep, Phase

PHASES = {
    Phase.COPYING: "Making a copy to try it in",
    Phase.CHECKING: "Checking what is packed",
    Phase.READING: "Reading and storing",
    Phase.JOINING: "Storing the last of it and joining ideas",
    Phase.ANSWERS: "Preparing answers",
    Phase.SOUNDS: "Ordering words by their sounds",
    Phase.BEGINNINGS: "Ordering words by their beginnings",
}
"""What the phases are called."""


class ShownPhases:
    """The lines of the phases. The one that has begun last is under way; those before it are done."""

    def __init__(self, progress: Progress) -> None:
        """Show them in a progress display."""
        self._progress = progress
        self._task: TaskID | None = None
        self._said = ""

    def begin(self, phase: Phase, total: int | None) -> OnStep:
        """Begin a line; without a total, it only shows that something goes on."""
        self._end()
        task = self._progress.add_task(PHASES[phase], total=total, said="")
        self._task = task
        self.tell(self._said if phase is Phase.READING else "")
        return lambda count: self._progress.advance(task, count)

    def tell(self, said: str) -> None:
        """Say how much came out of it so far."""
        self._said = said or self._said
        if self._task is not None:
            self._progress.update(self._task, said=said)

    def asking(self, ask: Callable[[int, int], bool]) -> Callable[[int, int], bool]:
        """Let a question be asked below the lines, which go meanwhile."""

        def asked(gone: int, there: int) -> bool:
            self._progress.stop()
            try:
                return ask(gone, there)
            finally:
                self._progress.start()

        return asked

    def _end(self) -> None:
        """Show that what is under way is done."""
        if self._task is not None:
            total = self._progress.tasks[self._task].total or 1
            self._progress.update(self._task, total=total, completed=total)
            self._progress.stop_task(self._task)


@contextmanager
def showing_phases() -> Iterator[ShownPhases]:
    """Show phases where somebody looks on; they go when all is done."""
    console = Console(stderr=True)
    columns = (BarColumn(), TaskProgressColumn(), TimeElapsedColumn(), TextColumn("{task.fields[said]}"))
    with Progress(
        TextColumn("{task.description}"), *columns, console=console, transient=True, disable=not console.is_terminal
    ) as progress:
        yield ShownPhases(progress)
