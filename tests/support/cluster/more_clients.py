"""Clients of a cluster for what has its own form: pages, completions, files, and who is signed in."""

import hashlib
import json
import re
from typing import Final

from tests.support.cluster.clients import Client, Editor, Reader
from tests.support.cluster.history import Action, Answer, History, Outcome, outcome_of

BEGINNING: Final = "qzqz"
"""How the spelling begins that changes."""
AS_LETTERS: Final = str.maketrans("0123456789", "bcdfghjklm")
AS_DIGITS: Final = str.maketrans("bcdfghjklm", "0123456789")
ON_PAGE: Final = re.compile(r"<dt>Origin</dt><dd>(?:<[^>]*>)?(\d+)")

SUMS: Final = "/downloads/SHA256SUMS"
FILE: Final = "abhidhan.csv"


class Speller(Editor):
    """Changes how a word is spelled: what is derived from spellings changes with it."""

    fields = ("word",)
    kept_as = "text"

    def text_of(self, number: int) -> str:
        """Return a spelling for a number."""
        return BEGINNING + str(number).translate(AS_LETTERS)

    def _read_own(self) -> None:
        """Leave that to the other editor."""


class Completer(Reader):
    """Asks how a word goes on; there is exactly one at any moment."""

    def read(self, body: bytes) -> tuple[int | None, str]:
        """Return the number that its spelling stands for."""
        found = [each for each in json.loads(body) if each.startswith(BEGINNING)]
        if len(found) != 1:
            return None, f"{len(found)} spellings at once: {found}"
        return int(found[0].removeprefix(BEGINNING).translate(AS_DIGITS)), ""


class PageReader(Reader):
    """Reads the page of a word."""

    def read(self, body: bytes) -> tuple[int | None, str]:
        """Return the number on the page."""
        found = ON_PAGE.search(body.decode())
        return int(found[1]) if found else 0, ""


class SignedIn(Client):
    """Asks who is signed in."""

    def __init__(self, name: str, address: str, history: History, username: str) -> None:
        """Take whose session it is."""
        super().__init__(name, address, history)
        self._username = username

    def step(self) -> None:
        """Ask; to be told that nobody is would be wrong."""
        began = self.history.clock()
        answer = self.ask("GET", "/api/session")
        is_other = outcome_of(answer)[0] is Outcome.DONE and json.loads(answer.body)["username"] != self._username
        self.note(Action.ASK, "who is signed in", began, answer, wrong="somebody else" if is_other else "")


class Downloader(Client):
    """Fetches the sums, a file, and the sums again: the file is one of either."""

    def step(self) -> None:
        """Fetch them. Between the first and the last, newer files may have taken the place of the older ones."""
        began = self.history.clock()
        answers = [self.ask("GET", path) for path in (SUMS, f"/downloads/{FILE}", SUMS)]
        unlike = next((each for each in answers if outcome_of(each)[0] is not Outcome.DONE), None)
        wrong = "" if unlike else self._flaw(answers)
        self.note(Action.FETCH, FILE, began, unlike or answers[1], wrong=wrong)

    def _flaw(self, answers: list[Answer]) -> str:
        before, file, after = answers
        digest = hashlib.sha256(file.body).hexdigest()
        sums = {_sum_in(each.body) for each in (before, after)}
        if digest not in sums:
            return f"a file of {len(file.body)} bytes that is neither of {sums}"
        tag = file.headers.get("etag", "").strip('"')
        return "" if digest.startswith(tag) and tag else f"the tag {tag} of {digest}"


def _sum_in(sums: bytes) -> str:
    return next((line.split()[0] for line in sums.decode().splitlines() if line.endswith(f" {FILE}")), "")
