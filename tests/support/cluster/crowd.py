"""All clients of a cluster together, the machine's own pauses, and the evidence that they gather."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from tests.support.cluster.assembled import CONTRIBUTOR, EDITORS, Cluster
from tests.support.cluster.checking import Allowed, Evidence, Pauses
from tests.support.cluster.clients import Asker, Client, Contributor, Editor, Reader
from tests.support.cluster.history import History, Window
from tests.support.cluster.more_clients import (
    AS_DIGITS,
    BEGINNING,
    Completer,
    Downloader,
    PageReader,
    SignedIn,
    Speller,
)
from tests.support.cluster.processes import wait_until
from tests.support.contributing import PASSWORD

STAYS: Final = (
    "/api/dic.php?w=%E0%A6%AA%E0%A6%BE%E0%A6%A8%E0%A7%80&l=as&fields=word,roman,pos",
    "/api/search?q=elephant&fields=word",
    "/api/languages?fields=code",
    "/api/check-fj.php?fj=%E0%A6%95%E0%A6%B2%E0%A6%BE",
)
TICK: Final = 0.02
LATE: Final = 0.1
"""A thread that wakes so many seconds too late was kept from it by the machine."""


class Metronome(threading.Thread):
    """Notes when the machine did not let it wake."""

    def __init__(self) -> None:
        """Begin with no pauses."""
        super().__init__(name="metronome", daemon=True)
        self._enough = threading.Event()
        self._pauses: list[tuple[float, float]] = []

    def run(self) -> None:
        """Tick."""
        while not self._enough.is_set():
            wanted = time.monotonic() + TICK
            time.sleep(TICK)
            now = time.monotonic()
            if now - wanted > LATE:
                self._pauses.append((wanted, now))

    def finish(self) -> Pauses:
        """Tick no more, and tell of the pauses."""
        self._enough.set()
        self.join()
        return Pauses(self._pauses)


class Crowd:
    """The clients of a cluster, which go on whatever happens to it."""

    def __init__(self, cluster: Cluster, history: History) -> None:
        """Make the clients, and let those sign in who write."""
        self.history = history
        self._cluster = cluster
        self._metronome = Metronome()
        at = (cluster.address, history)
        editors = [Editor("counted", *at, cluster.words["counted"]), Speller("spelled", *at, cluster.words["spelled"])]
        contributor, signed_in = Contributor("sent", *at), SignedIn("signed in", *at, EDITORS[0])
        for client, name in zip((*editors, contributor, signed_in), (*EDITORS, CONTRIBUTOR, EDITORS[0]), strict=True):
            client.sign_in(name, PASSWORD)
        look_up = "/api/dic.php?w=zxcounted&l=en"
        keeping = Reader("reader by cache", *at, "counted", look_up)
        keeping.kept = True
        self.clients: list[Client] = [
            *editors,
            contributor,
            signed_in,
            keeping,
            Reader("reader", *at, "counted", look_up),
            PageReader("reader of pages", *at, "counted", "/dic/zxcounted"),
            Completer("reader of spellings", *at, "spelled", f"/api/suggest?q={BEGINNING}&lang=en"),
            Asker("asker", *at, STAYS),
            Downloader("downloader", *at),
        ]

    def until_each_has_asked(self, times: int) -> None:
        """Wait until each client has asked so many times more."""
        before = [client.steps for client in self.clients]

        def have_all() -> bool:
            return all(
                client.failure is not None or client.steps >= steps + times
                for client, steps in zip(self.clients, before, strict=True)
            )

        wait_until(have_all, f"each client has asked {times} times")

    @contextmanager
    def while_away(self, fault: str) -> Iterator[None]:
        """Note the time in which something is wrong: until the whole cluster is seen to be well again."""
        began = self.history.clock()
        yield
        wait_until(self._cluster.is_well, f"the cluster is well again after: {fault}")
        self.history.windows.append(Window(fault, began, self.history.clock()))

    @contextmanager
    def asking(self) -> Iterator[None]:
        """Let all ask."""
        for thread in (self._metronome, *self.clients):
            thread.start()
        try:
            yield
        finally:
            for client in self.clients:
                client.finish()

    def evidence(self, lag: float, allowed: Allowed) -> Evidence:
        """Gather all that is known when nobody asks any more; what the primary holds is what is there."""
        ask = self._cluster.primary.ask
        registers = {str(key): int(str(text).removeprefix(BEGINNING).translate(AS_DIGITS)) for key, text in ask(_KEPT)}
        sent = [int(str(text).rpartition(" ")[2].rstrip('"}')) for (text,) in ask(_SENT)]
        return Evidence(
            operations=self.history.operations,
            windows=self.history.windows,
            registers=registers,
            collections={"sent": sent},
            lag=lag,
            pauses=self._metronome.finish(),
            allowed=allowed,
        )


_KEPT: Final = (
    "SELECT CASE WHEN w.text LIKE 'qzqz%' THEN 'spelled' ELSE 'counted' END,"
    " CASE WHEN w.text LIKE 'qzqz%' THEN w.text ELSE coalesce(w.origin, '0') END"
    " FROM word w WHERE w.text LIKE 'qzqz%' OR w.text = 'zxcounted'"
)
_SENT: Final = "SELECT substring(payload from '\"text\": *\"sent ([0-9]+)\"') FROM submission WHERE kind = 'proverb'"
