"""What clients of a cluster did and were told: operations, each with when it began and ended, and what came of it."""

import json
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Final

BROUGHT: Final = frozenset({502, 504})
"""What a proxy says in place of a server."""

REFUSALS: Final = frozenset({503, 507})
"""What the program says where it cannot do something for now."""


class Action(StrEnum):
    """What a client asks for."""

    SET = "set"
    """Write the next number into a register: 1, 2, 3 ..., by one client of its own."""
    ADD = "add"
    """Put a number into a collection, by one client of its own."""
    READ = "read"
    """Read the number of a register."""
    ASK = "ask"
    """Ask for something that stays as it is."""
    FETCH = "fetch"
    """Fetch a file."""


class Outcome(StrEnum):
    """What came of an operation, as the client knows it."""

    DONE = "done"
    REFUSED = "refused"
    """A 503 or 507 in the form that the API promises. What was asked for may have been done nevertheless."""
    BROKEN = "broken"
    """No answer, or one in another form; what was asked for may have been done."""
    WRONG = "wrong"
    """An answer that is not true of any moment."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One request of a client, and what it was told. Times are seconds of one clock, which nobody sets."""

    client: str
    action: Action
    key: str
    number: int | None
    began: float
    ended: float
    outcome: Outcome = Outcome.DONE
    told: str = ""
    """What came in place of an answer, in a few words."""
    kept: bool = False
    """The answer may come from a cache that the operator allows to be older."""
    own: bool = False
    """Whoever asks has written it."""


@dataclass(frozen=True, slots=True)
class Window:
    """A time in which something was wrong with the cluster, until all of it was seen to be well again."""

    fault: str
    began: float
    ended: float

    def meets(self, operation: Operation) -> bool:
        """Say whether an operation ran in this time, or in a part of it."""
        return operation.began <= self.ended and self.began <= operation.ended


@dataclass
class History:
    """All operations and all times in which something was wrong; many clients write it at once."""

    operations: list[Operation] = field(default_factory=list)
    windows: list[Window] = field(default_factory=list)
    clock: Callable[[], float] = time.monotonic
    _guard: threading.Lock = field(default_factory=threading.Lock)

    def note(self, operation: Operation) -> None:
        """Add an operation."""
        with self._guard:
            self.operations.append(operation)

    def count(self) -> int:
        """Count the operations."""
        with self._guard:
            return len(self.operations)

    def write(self, file: Path) -> None:
        """Write all of it as lines of JSON, for whoever looks for the cause of a violation."""
        every: Iterable[Window | Operation] = (*self.windows, *self.operations)
        file.write_text("".join(json.dumps(asdict(each)) + "\n" for each in every))


@dataclass(frozen=True)
class Answer:
    """An answer as far as it must be judged without knowing what was asked; status 0 is none at all."""

    status: int
    headers: dict[str, str]
    body: bytes


def outcome_of(answer: Answer) -> tuple[Outcome, str]:
    """Judge an answer, and tell in a few words what came in its place if the request was not done."""
    if 200 <= answer.status < 400:  # what the range means
        return Outcome.DONE, ""
    if answer.status == 0:
        return Outcome.BROKEN, answer.body.decode()
    flaw = flaw_of_refusal(answer)
    if answer.status in REFUSALS and not flaw:
        return Outcome.REFUSED, str(answer.status)
    if answer.status in REFUSALS or answer.status in BROUGHT:
        return Outcome.BROKEN, f"{answer.status} {flaw}".strip()
    # Nothing else is ever right: every request of these clients is one that the API allows.
    return Outcome.WRONG, f"{answer.status} {answer.body[:200].decode(errors='replace')}"


def flaw_of_refusal(answer: Answer) -> str:
    """Return what a 503 lacks: when to ask again, and a body that is as all errors are, for programs or for people."""
    if not answer.headers.get("retry-after", "").isdigit():
        return "without Retry-After"
    kind = answer.headers.get("content-type", "").partition(";")[0]
    if kind == "text/html" and b"<h1" in answer.body:
        return ""
    if kind != "application/problem+json":
        return f"as {kind}"
    document = json.loads(answer.body)
    lacking = {"type", "title", "status", "detail"} - document.keys()
    return f"without {', '.join(sorted(lacking))}" if lacking else ""
