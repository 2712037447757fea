"""What a history of a cluster proves: pure functions from operations to the violations that they find.

The model is small on purpose. A *register* holds a number that one client raises by one, so a number tells how new
what was read is. A *collection* holds the numbers that one client put into it. All times come from one clock of one
machine, and the rules use only what a client can know: a write counts from the moment its writer was told of it, and a
read may tell of any moment between its beginning and its end.

No rule depends on how fast the machine is. That a read is not older than the lag allowed is what the program holds
itself: it leaves out a replica of which it cannot tell that it is fresh enough. A slow machine makes reads longer, and
makes the program leave the replica out; neither makes an answer older. Only the moment between the program's look at
the replica and its read is the machine's: whoever is given no processor there reads later than it looked. Such pauses
are measured (`Pauses`), by a thread that wants to wake often and notes when it could not, and do not count.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from tests.support.cluster.history import Action, Operation, Outcome, Window

Finder = Callable[["Evidence"], list[str]]


@dataclass(frozen=True)
class Pauses:
    """Times in which the machine let a thread wait that wanted to go on: (began, ended), in order."""

    times: Sequence[tuple[float, float]] = ()

    def within(self, began: float, ended: float) -> float:
        """Return how many seconds of a stretch were such."""
        return sum(max(0.0, min(ended, until) - max(began, since)) for since, until in self.times)


@dataclass(frozen=True)
class Allowed:
    """What operations may come to while something is wrong, by the name of the fault."""

    refused: Mapping[str, frozenset[Action]] = field(default_factory=dict)
    broken: Mapping[str, frozenset[Action]] = field(default_factory=dict)


@dataclass(frozen=True)
class Evidence:
    """All that is known at the end: what was done, what is there, and what was allowed."""

    operations: Sequence[Operation]
    windows: Sequence[Window] = ()
    registers: Mapping[str, int] = field(default_factory=dict)
    collections: Mapping[str, Sequence[int]] = field(default_factory=dict)
    lag: float = 1.0
    pauses: Pauses = Pauses()
    allowed: Allowed = Allowed()


def violations(evidence: Evidence) -> list[str]:
    """List all that must not be, each in a sentence; nothing where the cluster has kept its promises."""
    return [each for find in FINDERS for each in find(evidence)]


def lost_writes(evidence: Evidence) -> list[str]:
    """List writes of which the writer was told, and which are not there at the end."""
    found = []
    for key, writes in _by_key(evidence, Action.SET):
        known = max((write.number or 0 for write in writes if write.outcome is Outcome.DONE), default=0)
        there = evidence.registers.get(key, 0)
        if there < known:
            found.append(f"lost: {key} is {there} at the end, and {known} was acknowledged")
    for key, writes in _by_key(evidence, Action.ADD):
        there_now = set(evidence.collections.get(key, ()))
        missing = {write.number for write in writes if write.outcome is Outcome.DONE} - there_now
        found += [f"lost: {key} has no {number}, which was acknowledged" for number in sorted(_numbers(missing))]
    return found


def invented_writes(evidence: Evidence) -> list[str]:
    """List what is there at the end though nobody wrote it, or more often than it was written."""
    found = []
    for key, there in evidence.registers.items():
        tried = max((write.number or 0 for write in _writes(evidence, key)), default=0)
        if there > tried:
            found.append(f"invented: {key} is {there} at the end, and only {tried} was written")
    for key, numbers in evidence.collections.items():
        written = {write.number for write in _writes(evidence, key)}
        for number, times in sorted(Counter(numbers).items()):
            if number not in written:
                found.append(f"invented: {key} has {number}, which nobody wrote")
            elif times > 1:
                found.append(f"doubled: {key} has {number} {times} times")
    return found


def stale_reads(evidence: Evidence) -> list[str]:
    """List reads that tell less than was acknowledged longer ago than the lag allowed; of one's own writes, at all."""
    found = []
    acknowledged = {key: _acknowledged(writes) for key, writes in _by_key(evidence, Action.SET)}
    for read in _reads(evidence):
        newer = _next_after(acknowledged.get(read.key, []), read.number or 0)
        if newer is None or read.kept:
            continue
        number, since = newer
        age = read.began - since - evidence.pauses.within(since, read.ended)
        if age > (0.0 if read.own else evidence.lag):
            found.append(
                f"stale: {read.client} read {read.number} of {read.key} {age:.2f} s after {number} was acknowledged"
                f" (at {read.began:.2f})"
            )
    return found


def early_reads(evidence: Evidence) -> list[str]:
    """List reads of numbers that nobody had begun to write when they ended."""
    found = []
    begun = {
        key: {write.number: write.began for write in reversed(all_of)} for key, all_of in _by_key(evidence, Action.SET)
    }
    for read in _reads(evidence):
        since = 0.0 if read.number == 0 else begun.get(read.key, {}).get(read.number)
        if since is None or since > read.ended:
            found.append(f"invented: {read.client} read {read.number} of {read.key}, which nobody had written")
    return found


def wrong_answers(evidence: Evidence) -> list[str]:
    """List answers that are not true of any moment."""
    return [
        f"wrong: {each.client} asked for {each.key} and got {each.told} (at {each.began:.2f})"
        for each in evidence.operations
        if each.outcome is Outcome.WRONG
    ]


def errors_at_other_times(evidence: Evidence) -> list[str]:
    """List refusals and broken answers while nothing was wrong with the cluster that excuses them."""
    found = []
    for each in evidence.operations:
        if each.outcome not in {Outcome.REFUSED, Outcome.BROKEN}:
            continue
        excuses = evidence.allowed.refused if each.outcome is Outcome.REFUSED else evidence.allowed.broken
        faults = {window.fault for window in evidence.windows if window.meets(each)}
        if not any(each.action in excuses.get(fault, frozenset()) for fault in faults):
            while_what = f"while away: {', '.join(sorted(faults))}" if faults else "while all was well"
            found.append(
                f"error: {each.client} ({each.action} {each.key}) was {each.outcome}: {each.told}, {while_what}"
                f" (at {each.began:.2f})"
            )
    return found


FINDERS: tuple[Finder, ...] = (
    lost_writes,
    invented_writes,
    stale_reads,
    early_reads,
    wrong_answers,
    errors_at_other_times,
)


def _by_key(evidence: Evidence, action: Action) -> Iterable[tuple[str, list[Operation]]]:
    chosen = sorted((each for each in evidence.operations if each.action is action), key=lambda each: each.key)
    return [(key, list(of_key)) for key, of_key in groupby(chosen, key=lambda each: each.key)]


def _writes(evidence: Evidence, key: str) -> list[Operation]:
    return [each for each in evidence.operations if each.key == key and each.action in {Action.SET, Action.ADD}]


def _reads(evidence: Evidence) -> list[Operation]:
    return [each for each in evidence.operations if each.action is Action.READ and each.outcome is Outcome.DONE]


def _acknowledged(writes: Sequence[Operation]) -> list[tuple[int, float]]:
    """Return the numbers of a register of which its writer was told, in their order, and when."""
    return sorted((write.number or 0, write.ended) for write in writes if write.outcome is Outcome.DONE)


def _next_after(acknowledged: list[tuple[int, float]], number: int) -> tuple[int, float] | None:
    """Return the first number after one, and since when it was known: one client writes them one after the other."""
    place = bisect_right(acknowledged, (number, float("inf")))
    return acknowledged[place] if place < len(acknowledged) else None


def _numbers(some: Iterable[int | None]) -> list[int]:
    return [number for number in some if number is not None]
