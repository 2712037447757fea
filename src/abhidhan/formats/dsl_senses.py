"""The text of a DSL card, line by line: its head, and its senses with labels, meanings, notes and examples."""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

import msgspec

from abhidhan.formats.dsl_markup import Opened, Piece, pieces_of

UNSEEN: Final = frozenset({"s", "video", "url", "preview", "!trs"})
"""What is heard or seen beside the text, or is there for machines."""

TRANSLATED: Final = frozenset({"trn", "trn1"})
SAID_OTHERWISE: Final = frozenset({"p", "t", "ex", "com"}) | UNSEEN

_NUMBER: Final = re.compile(r"\s*(?:\d{1,3}|[a-zа-я])[.)](?:\s+|$)")
_CHAPTER: Final = re.compile(r"\s*[IVX]{1,5}[.)]?(?:\s+|$)")
_IPA: Final = re.compile(r"^\s*\[([^\[\]]{1,80})\]|/([^/]{1,80})/")
_REMARK: Final = re.compile(r"\s*(?:\(([^()]*)\))?\s*")
_DASH: Final = re.compile(r"\s+[—–-]\s+")
_ONLY_SIGNS: Final = re.compile(r"[\W_]*")


class Meant(NamedTuple):
    """What a line says a word means, and the name of the language that a tag tells."""

    text: str
    language: str


class Sense(msgspec.Struct):
    """A sense as it is read."""

    labels: list[str] = []
    meant: list[Meant] = []
    notes: list[str] = []
    examples: list[tuple[str, str | None, str]] = []
    """Text, translation, and the name of the language."""


class Read(msgspec.Struct):
    """A card as it is read: what its head says, and its senses."""

    ipa: str | None = None
    labels: list[str] = []
    notes: list[str] = []
    senses: list[Sense] = []


def read_text(headword: str, body: Iterable[str]) -> Read:
    """Read the lines of a card."""
    opened = Opened()
    lines = [list(pieces_of(line.strip(), headword, opened)) for line in body]
    reading = _Reading(headword, uses_tags=any(piece.zones & TRANSLATED for line in lines for piece in line))
    for line in lines:
        reading.take(line)
    return reading.card


class _Reading:
    """Takes a card line by line. Where translations are tagged, other text is no meaning."""

    def __init__(self, headword: str, *, uses_tags: bool) -> None:
        self.card = Read()
        self._headword = headword
        self._uses_tags = uses_tags
        self._is_numbered = False

    def take(self, line: list[Piece]) -> None:
        said = "".join(piece.text for piece in line if not piece.zones & SAID_OTHERWISE)
        number = _NUMBER.match(said)
        if number is not None:
            self._is_numbered = True
            self.card.senses.append(Sense())
        elif _CHAPTER.fullmatch(said):
            self._is_numbered = False
        meant = [piece for piece in line if self._is_meant(piece)]
        text = "".join(piece.text for piece in meant)
        if number is not None and text.startswith(number[0]):
            text = text[number.end() :]
        self._take_meaning(text, next((piece.language for piece in meant if piece.language), ""))
        self._take_labels(line)
        self._take_examples(line)
        self._take_notes(line)

    def _is_meant(self, piece: Piece) -> bool:
        if piece.zones & SAID_OTHERWISE:
            return False
        return bool(piece.zones & TRANSLATED) if self._uses_tags else True

    def _take_meaning(self, text: str, language: str) -> None:
        text = " ".join(self._without_head(text).split()).strip(" ,;:")
        if _ONLY_SIGNS.fullmatch(text) or (_CHAPTER.fullmatch(text) and not self._uses_tags):
            return
        if not self._is_numbered:
            self.card.senses.append(Sense())
        self.card.senses[-1].meant.append(Meant(text, language))

    def _without_head(self, text: str) -> str:
        """Take off what stands before the first sense: the headword again with a remark, the pronunciation."""
        if self.card.senses:
            return text
        if text.strip().startswith(self._headword) and not self._uses_tags:
            remark = text.strip().removeprefix(self._headword)
            found = _REMARK.fullmatch(remark)
            if found is not None:
                self.card.notes += [found[1]] if found[1] else []
                return ""
        found = _IPA.match(text) if self.card.ipa is None else None
        if found is not None:
            self.card.ipa = (found[1] or found[2]).strip()
            return text[found.end() :]
        return text

    def _take_labels(self, line: list[Piece]) -> None:
        labels = [label for piece in line if "p" in piece.zones and (label := piece.text.strip(" <>"))]
        held = self.card.senses[-1].labels if self.card.senses else self.card.labels
        held += labels
        for piece in line:
            if "t" in piece.zones and piece.text.strip(" []/"):
                self.card.ipa = self.card.ipa or piece.text.strip(" []/")

    def _take_examples(self, line: list[Piece]) -> None:
        said = [piece for piece in line if "ex" in piece.zones]
        text = " ".join("".join(piece.text for piece in said).split())
        if text and not self.card.senses:
            self.card.notes.append(text)
        elif text:
            language = next((piece.language for piece in said if piece.language), "")
            example, *translation = _DASH.split(text, maxsplit=1)
            self.card.senses[-1].examples.append((example, next(iter(translation), None), language))

    def _take_notes(self, line: list[Piece]) -> None:
        notes = [note for piece in line if "com" in piece.zones and (note := piece.text.strip(" ()"))]
        held = self.card.senses[-1].notes if self.card.senses else self.card.notes
        held += notes
