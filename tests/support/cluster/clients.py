"""Clients of a cluster: each is a thread that asks again and again, and notes what it was told."""

import json
import threading
from collections.abc import Mapping
from itertools import count
from typing import Any, Final

import httpx2

from tests.support.cluster.history import Action, Answer, History, Operation, Outcome, outcome_of
from tests.support.cluster.processes import LONGEST

PAUSE: Final = 0.03
"""Seconds between two requests of a client, so that many of them share two processors."""


class Client(threading.Thread):
    """Somebody who asks through the proxy."""

    def __init__(self, name: str, address: str, history: History) -> None:
        """Take a name, the address of the proxy, and where to note what happens."""
        super().__init__(name=name, daemon=True)
        self.history = history
        self.steps = 0
        self.failure: BaseException | None = None
        self._enough = threading.Event()
        self._http = httpx2.Client(base_url=address, timeout=LONGEST)
        self._numbers = count(1)

    def sign_in(self, username: str, password: str) -> None:
        """Sign in, before the first step."""
        answer = self._http.post("/api/session", json={"username": username, "password": password})
        assert answer.status_code == httpx2.codes.NO_CONTENT, answer.text

    def run(self) -> None:
        """Ask until it is enough."""
        try:
            while not self._enough.is_set():
                self.step()
                self.steps += 1
                self._enough.wait(PAUSE)
        except BaseException as error:
            self.failure = error
            raise
        finally:
            self._http.close()

    def step(self) -> None:
        """Ask once, and note it."""
        raise NotImplementedError

    def finish(self) -> None:
        """Ask no more."""
        self._enough.set()
        self.join(LONGEST)
        assert not self.is_alive(), f"{self.name} still waits for an answer"
        assert self.failure is None, f"{self.name}: {self.failure!r}"

    def uncached(self, path: str) -> str:
        """Return a path for which no proxy has an answer; the program leaves out what it does not know."""
        return f"{path}{'&' if '?' in path else '?'}_={self.name}{next(self._numbers)}"

    def ask(self, method: str, path: str, body: object = None, headers: Mapping[str, str] | None = None) -> Answer:
        """Ask for something; whatever happens is an answer."""
        try:
            found = self._http.request(method, path, json=body, headers=headers)
        except httpx2.TransportError as error:
            return Answer(0, {}, type(error).__name__.encode())
        return Answer(found.status_code, {name.lower(): value for name, value in found.headers.items()}, found.content)

    def note(  # noqa: PLR0913  # the parts of an operation
        self,
        action: Action,
        key: str,
        began: float,
        answer: Answer,
        number: int | None = None,
        *,
        wrong: str = "",
        kept: bool = False,
        own: bool = False,
    ) -> Outcome:
        """Note an operation that ends now; `wrong` says what is not true of an answer that looks well."""
        outcome, told = outcome_of(answer)
        if outcome is Outcome.DONE and wrong:
            outcome, told = Outcome.WRONG, wrong
        ended = self.history.clock()
        self.history.note(Operation(self.name, action, key, number, began, ended, outcome, told, kept=kept, own=own))
        return outcome


class Editor(Client):
    """Raises the number of a word, one change after the other; what is not acknowledged is sent again."""

    fields: tuple[str, ...] = ("origin", "plural")
    """What of the word becomes the number, all in one change."""
    kept_as = "origin"
    """How what a record holds names the first of them."""

    def __init__(self, name: str, address: str, history: History, word: int) -> None:
        """Take the word's ID; its own name is that of the register."""
        super().__init__(name, address, history)
        self._word = word
        self._version: int | None = None
        self._number = 1

    def text_of(self, number: int) -> str:
        """Return what stands for a number."""
        return str(number)

    def step(self) -> None:
        """Write the next number, then read it as others do."""
        if self._version is None:
            self._read_version()
        elif self._set():
            self._number += 1
            self._read_own()

    def _read_version(self) -> None:
        began = self.history.clock()
        answer = self.ask("GET", f"/api/editing/words/{self._word}")
        if self.note(Action.ASK, "a word as it is edited", began, answer) is Outcome.DONE:
            self._version = json.loads(answer.body)["version"]

    def _set(self) -> bool:
        text = self.text_of(self._number)
        changes = {"version": self._version, "changes": dict.fromkeys(self.fields, text)}
        began = self.history.clock()
        answer = self.ask("PATCH", f"/api/editing/words/{self._word}", changes)
        if answer.status == httpx2.codes.CONFLICT:
            current = json.loads(answer.body)["current"]
            if current["state"][self.kept_as] == text:
                # An earlier try was kept though nobody told: now somebody has.
                answer = Answer(200, {}, json.dumps(current).encode())
        if self.note(Action.SET, self.name, began, answer, self._number) is not Outcome.DONE:
            return False
        self._version = json.loads(answer.body)["version"]
        return True

    def _read_own(self) -> None:
        began = self.history.clock()
        answer = self.ask("GET", f"/api/words/{self._word}")
        wrong, number = "", None
        if outcome_of(answer)[0] is Outcome.DONE:
            number, wrong = number_in(json.loads(answer.body), self.fields)
        self.note(Action.READ, self.name, began, answer, number, wrong=wrong, own=True)


class Contributor(Client):
    """Sends one proverb after the other; what is not acknowledged is sent again with the same key."""

    def __init__(self, name: str, address: str, history: History) -> None:
        """Begin with the first; its own name is that of the collection."""
        super().__init__(name, address, history)
        self._number = 1

    def step(self) -> None:
        """Send one, then look whether it is there."""
        proverb = {"kind": "proverb", "data": {"text": f"{self.name} {self._number}", "category": "Other"}}
        began = self.history.clock()
        key = {"Idempotency-Key": f"{self.name}-{self._number}"}
        answer = self.ask("POST", "/api/submissions", proverb, key)
        if self.note(Action.ADD, self.name, began, answer, self._number) is not Outcome.DONE:
            return
        self._number += 1
        own = f"/api/submissions/{json.loads(answer.body)['submission_id']}"
        began = self.history.clock()
        self.note(Action.ASK, "one's own proverb", began, self.ask("GET", own), own=True)


class Reader(Client):
    """Reads the number of a word, by a path whose answer shows it."""

    def __init__(self, name: str, address: str, history: History, key: str, path: str) -> None:
        """Take the register, and the path."""
        super().__init__(name, address, history)
        self.key = key
        self.path = path
        self.kept = False

    def step(self) -> None:
        """Read it."""
        path = self.path if self.kept else self.uncached(self.path)
        began = self.history.clock()
        answer = self.ask("GET", path)
        number, wrong = None, ""
        if outcome_of(answer)[0] is Outcome.DONE:
            number, wrong = self.read(answer.body)
        self.note(Action.READ, self.key, began, answer, number, wrong=wrong, kept=self.kept)

    def read(self, body: bytes) -> tuple[int | None, str]:
        """Return the number in an answer, or what is wrong with it."""
        entries = json.loads(body)["querywords"][0]["entries"]
        return number_in(entries[0], Editor.fields) if entries else (None, "no entry")


class Asker(Client):
    """Asks for what nobody changes, and compares."""

    def __init__(self, name: str, address: str, history: History, paths: tuple[str, ...]) -> None:
        """Take the paths."""
        super().__init__(name, address, history)
        self._paths = paths
        self._known: dict[str, bytes] = {}

    def step(self) -> None:
        """Ask for the next one."""
        path = self._paths[self.steps % len(self._paths)]
        began = self.history.clock()
        answer = self.ask("GET", self.uncached(path))
        wrong = ""
        if outcome_of(answer)[0] is Outcome.DONE and self._known.setdefault(path, answer.body) != answer.body:
            wrong = f"another answer: {answer.body[:200]!r}"
        self.note(Action.ASK, path, began, answer, wrong=wrong)


def number_in(record: Mapping[str, Any], fields: tuple[str, ...]) -> tuple[int | None, str]:
    """Return the number that a record shows; all its fields were changed at once, so all show the same."""
    shown = {record[field] or "0" for field in fields}
    text = shown.pop()
    return (None, f"half a change: {text} beside {shown}") if shown else (int(text), "")
