"""The introduction of an article's HTML page as plain text, and what its markup says of the page."""

import re
from collections.abc import Sequence
from html.parser import HTMLParser
from typing import Final

import msgspec

PIECE: Final = 16_384
"""Characters of a page that are read at a time: most pages need not be read to their end."""

SKIPPED_TAGS: Final = frozenset({
    "aside", "audio", "button", "figure", "footer", "h1", "head", "header", "math", "nav", "noscript", "script",
    "style", "svg", "table", "template", "title", "video",
})  # fmt: skip
"""Elements whose text is no prose of the article: boxes, pictures, formulas, the title."""

SKIPPED_CLASSES: Final = frozenset({
    "ambox", "catlinks", "error", "geo-nondefault", "gallery", "hatnote", "infobox", "metadata", "mw-editsection",
    "mw-empty-elt", "navbox", "nomobile", "noexcerpt", "noprint", "reference", "references", "shortdescription",
    "sidebar", "thumb", "toc",
})  # fmt: skip
BLOCKS: Final = frozenset({"p", "div", "li", "ul", "ol", "dl", "dd", "dt", "blockquote", "br", "section", "tr"})
HEADINGS: Final = frozenset({"h2", "h3", "h4", "h5", "h6"})
VOID: Final = frozenset({"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"})
LOOKS_LIKE_HTML: Final = re.compile(r"\s*<(?:!--|!doctype|html|p|div|section|b|span)\b", re.IGNORECASE)
_DISAMBIGUATION: Final = re.compile(r"disambig|dmbox", re.IGNORECASE)


class Introduction(msgspec.Struct, frozen=True):
    """What stands before a page's first heading, its own address if it gives one, and whether it lists meanings."""

    text: str
    url: str | None
    disambiguation: bool


def read_introduction(html: str) -> Introduction:
    """Read a page's introduction. Any text can be read; what is no HTML is one paragraph."""
    reader = _Reader()
    for start in range(0, len(html), PIECE):
        reader.feed(html[start : start + PIECE])
        if reader.ended:
            break
    else:
        reader.close()
    return Introduction("".join(reader.parts), reader.url, reader.disambiguation)


class _Reader(HTMLParser):
    """Collects the text up to the first heading below the title."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.url: str | None = None
        self.disambiguation = False
        self.ended = False
        self._skipped: list[str] = []

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        """Begin an element: one that is skipped, a block, or the heading that ends the introduction."""
        given = dict(attrs)
        classes = (given.get("class") or "").split()
        self._look_at(tag, given, classes)
        if self._skipped:
            if tag == self._skipped[-1]:
                self._skipped.append(tag)
        elif tag in SKIPPED_TAGS or (tag not in VOID and SKIPPED_CLASSES.intersection(classes)):
            if tag not in VOID:
                self._skipped.append(tag)
        elif tag in HEADINGS:
            self.ended = self.ended or bool("".join(self.parts).strip())
            self._skipped.append(tag)
        elif tag in BLOCKS and not self.ended:
            self.parts.append("\n")

    def handle_endtag(self, tag: str) -> None:
        """End an element."""
        if self._skipped:
            if tag == self._skipped[-1]:
                self._skipped.pop()
        elif tag in BLOCKS and not self.ended:
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        """Take text."""
        if not self._skipped and not self.ended:
            self.parts.append(data.replace("\n", " "))

    def _look_at(self, tag: str, given: dict[str, str | None], classes: Sequence[str]) -> None:
        if tag == "link" and given.get("rel") == "canonical":
            self.url = given.get("href")
        names = (*classes, given.get("id") or "")
        self.disambiguation = self.disambiguation or any(_DISAMBIGUATION.search(name) for name in names if name)
