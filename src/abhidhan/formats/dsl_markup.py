"""The markup of DSL: tags, signs that are text behind a backslash, and the parts of headwords."""

import re
from collections.abc import Iterator
from itertools import product
from typing import Final, NamedTuple

TAGS: Final = frozenset(
    {
        *("b", "i", "u", "c", "m", "*", "trn", "trn1", "!trn", "trs", "!trs", "ex", "com", "lang", "s", "video", "url"),
        *(
            "p",
            "'",
            "t",
            "ref",
            "sub",
            "sup",
            "preview",
            "br",
            "table",
            "tr",
            "th",
            "td",
            *(f"m{n}" for n in range(10)),
        ),
    }
)
"""The tags of the format; anything else in brackets is text."""

ENDS_MARGIN: Final = "m"
DEEPEST: Final = 64
"""Tags that may stand open at once; further ones are passed over."""

MOST_OPTIONAL: Final = 3
"""Optional parts of a headword of which every choice is a spelling; of more, all of them and none."""

_TOKEN: Final = re.compile(r"\\(.)|\[(/?)([a-z!*'][a-z0-9]{0,9})((?:[ \t][^\]\n]{0,200})?)\]|(<<|>>)|(~)", re.DOTALL)
_NAME: Final = re.compile(r'name="([^"]{1,60})"')
_HEADWORD: Final = re.compile(r"\\(.)|([{}()])", re.DOTALL)
_COMMENT: Final = re.compile(r"(?<!\\)\{\{.*?\}\}")


class Piece(NamedTuple):
    """A text within a line, the tags around it, and the name of its language, if a tag tells it."""

    text: str
    zones: frozenset[str]
    language: str = ""


class Opened:
    """The tags that stand open, from line to line of a card."""

    def __init__(self) -> None:
        """Begin outside all tags."""
        self._names: list[str] = []
        self._languages: list[str] = []

    def take(self, name: str, given: str, *, closes: bool) -> None:
        """Open or close a tag; one that closes nothing is passed over."""
        if closes:
            self._close(name)
        elif name != "br" and len(self._names) < DEEPEST:
            told = _NAME.search(given)
            self._names.append(name)
            self._languages.append(told[1] if told else "")

    def _close(self, name: str) -> None:
        for place in range(len(self._names) - 1, -1, -1):
            if self._names[place] == name or (name == ENDS_MARGIN and self._names[place].startswith("m")):
                del self._names[place], self._languages[place]
                return

    def piece(self, text: str) -> Piece:
        """Return a text that stands here."""
        return Piece(text, frozenset(self._names), next(filter(None, reversed(self._languages)), ""))


def pieces_of(line: str, headword: str, opened: Opened) -> Iterator[Piece]:
    """Part a line of a card by its tags; a tilde stands for the headword."""
    text, place = "", 0
    for found in _TOKEN.finditer(line):
        text += line[place : found.start()]
        place = found.end()
        literal, slash, name, given, arrows, tilde = found.groups()
        if literal is not None:
            text += literal
        elif tilde:
            text = text.removesuffix("^") + (_swapped(headword) if text.endswith("^") else headword)
        elif name is not None and name not in TAGS:
            text += found[0]
        else:
            if text:
                yield opened.piece(text)
            text = ""
            opened.take(name or "ref", given or "", closes=arrows == ">>" or bool(slash))
    text += line[place:]
    if text:
        yield opened.piece(text)


def spellings_of(line: str) -> list[str]:
    """Read a line with a headword: its spellings, with and without what is optional (in brackets).

    What stands in braces is only shown, and no part of the word.
    """
    parts: list[tuple[str, bool]] = [("", False)]
    place, hidden, optional = 0, 0, 0
    for found in _HEADWORD.finditer(line):
        parts = _with(parts, line[place : found.start()], hidden=hidden, optional=optional)
        place = found.end()
        literal, sign = found.groups()
        if literal is not None:
            parts = _with(parts, literal, hidden=hidden, optional=optional)
        hidden = max(0, hidden + (sign == "{") - (sign == "}"))
        if not hidden:
            optional = max(0, optional + (sign == "(") - (sign == ")"))
    parts = _with(parts, line[place:], hidden=hidden, optional=optional)
    return list(dict.fromkeys(filter(None, (" ".join(each.split()) for each in _chosen(parts)))))


def without_comments(line: str) -> str:
    """Take off comments that begin and end on a line."""
    return _COMMENT.sub("", line)


def _with(parts: list[tuple[str, bool]], text: str, *, hidden: int, optional: int) -> list[tuple[str, bool]]:
    if hidden or not text:
        return parts
    last, is_optional = parts[-1]
    if is_optional == bool(optional):
        parts[-1] = (last + text, is_optional)
    else:
        parts.append((text, bool(optional)))
    return parts


def _chosen(parts: list[tuple[str, bool]]) -> Iterator[str]:
    """Yield the texts that optional parts make, first the one with all of them."""
    count = sum(is_optional for _, is_optional in parts)
    choices = (
        product((True, False), repeat=count)
        if count <= MOST_OPTIONAL
        else ((is_in,) * count for is_in in (True, False))
    )
    for choice in choices:
        taken = iter(choice)
        yield "".join(text for text, is_optional in parts if not is_optional or next(taken))


def _swapped(headword: str) -> str:
    return headword[:1].swapcase() + headword[1:]
