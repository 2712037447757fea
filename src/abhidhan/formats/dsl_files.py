"""The files of DSL dictionaries: what stands at their heads, and their cards one after another."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from abhidhan.domain.incoming import Fault
from abhidhan.formats.contents import Content
from abhidhan.formats.dsl_markup import spellings_of, without_comments
from abhidhan.formats.text import Line, encoding_of, read_lines

HEADER: Final = 16 * 1024
"""Bytes of a file at whose beginning its header stands."""

MOST_LINES: Final = 5_000
MOST_LETTERS: Final = 1_000_000
"""How long a card may be."""

MOST_SPELLINGS: Final = 200
"""Headwords of one card; further ones are left out and told."""

MOST_COMMENTED: Final = 1_000
"""Lines that a comment may have. One that is never closed would take the rest of the file with it."""

NO_TEXT: Final = (
    "The headword has no text. Write what it means on the lines below it, each with a tab or space before it."
)
NO_HEADWORD: Final = (
    "The line begins with a tab or space, but no headword stands before it. Write the headword above it."
)
TOO_LONG: Final = f"The card is longer than {MOST_LINES:,} lines or {MOST_LETTERS:,} characters. Part it."
TOO_MANY: Final = f"The card has more than {MOST_SPELLINGS} headwords: the others are left out. Part it."
NOT_CLOSED: Final = (
    f"The comment that opens here with {{{{ is not closed within {MOST_COMMENTED:,} lines. Close it with }}}}."
)

_HEADER: Final = re.compile(r'\s*#([A-Z_]+)\s+"([^"]*)"')
_SUBCARD: Final = re.compile(r"\s+@(?:\s+(.*))?$")


class Card(NamedTuple):
    """A card: the line of its first headword, its headwords, and the lines of its text."""

    line: int
    spellings: tuple[str, ...]
    body: tuple[str, ...]


def read_header(content: Content, encoding: str | None) -> dict[str, str]:
    """Read what a file says of itself (`#INDEX_LANGUAGE "English"`) before its first card."""
    begins = content.stream.read(HEADER)
    content.stream.seek(0)
    try:
        text = begins.decode(encoding or encoding_of(begins), "replace")
    except LookupError:
        return {}
    return {found[1]: found[2] for found in map(_HEADER.match, text.lstrip("\ufeff").splitlines()) if found}


def read_cards(content: Content, encoding: str | None) -> Iterator[Card | Fault]:
    """Read the cards, and those within them; tell what is none."""
    cards = _Cards(content.name)
    for line in _without_comments(content, encoding):
        if isinstance(line, Fault):
            yield line
        else:
            yield from cards.take(line)
    yield from cards.end()


def _without_comments(content: Content, encoding: str | None) -> Iterator[Line | Fault]:
    opened = 0
    for line in read_lines(content, encoding):
        if isinstance(line, Fault):
            yield line
            continue
        text = line.text.lstrip("\ufeff")
        if opened and line.number - opened > MOST_COMMENTED:
            yield Fault(content.name, opened, NOT_CLOSED)
            opened = 0
        if opened:
            _, closed, text = text.partition("}}")
            opened = 0 if closed else opened
        text = without_comments(text)
        before, begins, _ = text.partition("{{")
        if begins and not before.endswith("\\"):
            opened, text = line.number, before
        yield Line(line.number, "" if opened and not text.strip() else text)
    if opened:
        yield Fault(content.name, opened, NOT_CLOSED)


class _Cards:
    """Puts lines together into cards."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._line = 0
        self._spellings: list[str] = []
        self._body: list[str] = []
        self._letters = 0
        self._has_begun = False
        self._is_after_gap = False

    def take(self, line: Line) -> Iterator[Card | Fault]:
        text = line.text
        if not text.strip() or (not self._has_begun and _HEADER.match(text)):
            self._is_after_gap = True
            return
        self._has_begun = True
        if text[0] not in " \t":
            yield from self._take_headword(line)
        elif not self._line:
            yield Fault(self._file, line.number, NO_HEADWORD)
        else:
            self._letters += len(text)
            if len(self._body) <= MOST_LINES and self._letters <= MOST_LETTERS:
                self._body.append(text)

    def _take_headword(self, line: Line) -> Iterator[Card | Fault]:
        if self._body or self._is_after_gap:
            yield from self.end()
        self._is_after_gap = False
        self._line = self._line or line.number
        self._spellings += spellings_of(line.text)[: MOST_SPELLINGS + 1]
        if len(self._spellings) > MOST_SPELLINGS:
            yield Fault(self._file, line.number, TOO_MANY)
            del self._spellings[MOST_SPELLINGS:]

    def end(self) -> Iterator[Card | Fault]:
        """Yield the card that ends here, and those within it."""
        line, spellings, body = self._line, tuple(dict.fromkeys(self._spellings)), self._body
        is_long = len(body) > MOST_LINES or self._letters > MOST_LETTERS
        self._line, self._spellings, self._body, self._letters = 0, [], [], 0
        if not line:
            return
        if is_long:
            yield Fault(self._file, line, TOO_LONG)
        elif not body or not spellings:
            yield Fault(self._file, line, NO_TEXT)
        else:
            yield from _parted(line, spellings, body)


def _parted(line: int, spellings: tuple[str, ...], body: list[str]) -> Iterator[Card]:
    """Part a card from those within it, whose headwords stand behind an @."""
    own: list[str] = []
    inner: tuple[str, ...] = ()
    of_inner: list[str] = []
    for text in body:
        found = _SUBCARD.match(text)
        if found is None:
            (of_inner if inner else own).append(text)
            continue
        if inner and of_inner:
            yield Card(line, inner, tuple(of_inner))
        named = (found[1] or "").replace("~", spellings[0].replace("\\", "\\\\"))
        inner, of_inner = tuple(spellings_of(named)), []
    if inner and of_inner:
        yield Card(line, inner, tuple(of_inner))
    if own:
        yield Card(line, spellings, tuple(own))
