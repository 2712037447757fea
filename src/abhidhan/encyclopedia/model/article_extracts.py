"""Introductions of articles: parse HTML, clean the text, shorten it to whole sentences, detect disambiguation pages."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser
from typing import Final

import msgspec

from abhidhan.records.encyclopedia_articles import INVISIBLE_CHARACTERS
from assamese.normalization import nfc

ELLIPSIS: Final = "…"

_SENTENCE_END: Final = re.compile(r"[.!?।॥]+[\"'”’»)\]]*(?=\s|$)|(?<=\S)(?=\n)")
_PARAGRAPH_END: Final = "\n"

_ENGLISH_ABBREVIATIONS: Final = (
    "mr mrs ms dr st sr jr prof gen col capt lt sgt rev hon gov pres mt ft no nos vol vols fig pp p ch ca c cf circa "
    "approx est b d r fl lit var sp spp ssp subsp vs etc al ed eds trans dept univ co ltd inc corp bros rs jan feb mar "
    "apr jun jul aug sep sept oct nov dec e.g i.e viz "
)
_INDIC_ABBREVIATIONS: Final = (
    "ড ডঃ ডা ডাঃ শ্ৰী শ্রী মি মিঃ মোঃ মো মহঃ খ্ৰী খ্ৰীঃ খ্রি খ্রিঃ খ্ৰীষ্টপূৰ্ব ইং চন নং প্ৰা প্রা জঃ মৃঃ কিঃমিঃ কি.মি"
)
ABBREVIATIONS: Final = frozenset((*_ENGLISH_ABBREVIATIONS.split(), *_INDIC_ABBREVIATIONS.split()))
"""Words after which a full stop does not end a sentence, in English, Assamese and Bengali encyclopedias."""

_INITIALS: Final = re.compile(r"(?:[^\W\d_]\.)*[^\W\d_]")
_SYLLABLE: Final = re.compile("[\u0985-\u09b9\u09ce\u09dc-\u09e1\u09f0\u09f1][\u0981-\u0983\u09bc\u09be-\u09cd]*")
_OPENING_PUNCTUATION: Final = "(\"'“‘«["

_TEX_FORMULA: Final = re.compile(r"\{\\(?:display|text)style\b")
_HEADING: Final = re.compile(r"={2,6}[^=\n]+={2,6}")
_LEFTOVER_PATTERNS: Final = (
    (re.compile(r"\s*[;,]?\s*\b(?:listen|শুনক|শুনুন)\s*(?=[;,)])"), ""),
    (re.compile(r"([(\[])\s*(?:[;,:]\s*)+"), r"\1"),
    (re.compile(r"\s*(?:[;,:]\s*)+([)\]])"), r"\1"),
    (re.compile(r"([(\[])\s+"), r"\1"),
    (re.compile(r"\s*(?:\(\s*\)|\[\s*\])"), ""),
    (re.compile(r"\s+([)\],;:.])(?=\s|$)"), r"\1"),
)
"""Patterns of what TextExtracts leaves after removing pronunciations, sounds and notes (`Assam (; listen) is`)."""

_DISAMBIGUATION_PHRASE: Final = re.compile(
    r"\b(?:may|can|could)(?: also| commonly| variously)? (?:refer to|mean|stand for)\b"
    r"|\bmost (?:commonly|often) refers to\b"
    r"|বুজাব পাৰে|বুজাবলৈ|বুজায়\s*[:ঃ—-]|বোঝাতে পারে|বোঝানো হতে পারে|বোঝাতে পারেন|নির্দেশ করতে পারে"
)
_DISAMBIGUATION_TITLE: Final = re.compile(
    r"\((?:disambiguation|দ্ব্যৰ্থতা(?: দূৰীকৰণ)?|দ্ব্যৰ্থক|দ্ব্যর্থতা(?: নিরসন)?|দ্ব্যর্থক)\)$", re.IGNORECASE
)
MAX_LEAD_LENGTH: Final = 300
"""Maximum length in characters of a first line that introduces a list of meanings; a longer line is prose."""


def clean_extract(text: str) -> str:
    """Clean the plain text of a source: NFC, one line per paragraph, no formulas, headings or empty brackets."""
    readable = _remove_formulas(INVISIBLE_CHARACTERS.sub("", nfc(text)))
    lines = (" ".join(line.split()) for line in readable.splitlines())
    return _PARAGRAPH_END.join(
        tidy for line in lines if not _HEADING.fullmatch(line) and (tidy := _remove_leftovers(line))
    )


def truncate_at_sentence(text: str, max_length: int) -> str:
    """Shorten clean text to the whole sentences that fit into `max_length` characters.

    If even the first sentence is too long, cut between words and add an ellipsis.
    """
    if len(text) <= max_length:
        return text
    ends = [end for end in _iter_sentence_ends(text, max_length) if end <= max_length]
    return text[: ends[-1]].rstrip() if ends else _truncate_at_word(text, max_length - len(ELLIPSIS)) + ELLIPSIS


def is_disambiguation(title: str, extract: str) -> bool:
    """Detect a disambiguation page by its title or first line, for pages that no template or property marks."""
    lead, _, body = extract.partition(_PARAGRAPH_END)
    introduces_list = lead.endswith((":", "ঃ", "—", "-")) or bool(body)
    return bool(_DISAMBIGUATION_TITLE.search(title)) or (
        len(lead) <= MAX_LEAD_LENGTH and introduces_list and _DISAMBIGUATION_PHRASE.search(lead) is not None
    )


def _remove_formulas(text: str) -> str:
    """Remove TeX formulas, each of which repeats the formula in plain characters before it."""
    while match := _TEX_FORMULA.search(text):
        depth = 0
        end = len(text)
        for index in range(match.start(), len(text)):
            depth += {"{": 1, "}": -1}.get(text[index], 0)
            if depth == 0:
                end = index + 1
                break
        text = text[: match.start()] + text[end:]
    return text


def _remove_leftovers(line: str) -> str:
    for pattern, replacement in _LEFTOVER_PATTERNS:
        line = pattern.sub(replacement, line)
    return " ".join(line.split())


def _iter_sentence_ends(text: str, length: int) -> Iterator[int]:
    for match in _SENTENCE_END.finditer(text, 0, min(len(text), length + 2)):
        if not match[0] or not match[0].startswith(".") or not _is_mid_sentence(text, match.start(), match.end()):
            yield match.end()


def _is_mid_sentence(text: str, stop: int, end: int) -> bool:
    """Return whether a full stop is inside a sentence: after an abbreviation, or before a small letter."""
    before = text[max(0, stop - 40) : stop].split()
    word = before[-1].lstrip(_OPENING_PUNCTUATION) if before else ""
    following = text[end : end + 3].strip()
    return (
        word.casefold() in ABBREVIATIONS
        or _INITIALS.fullmatch(word) is not None
        or _SYLLABLE.fullmatch(word) is not None
        or following[:1].islower()
    )


def _truncate_at_word(text: str, length: int) -> str:
    space = text.rfind(" ", 0, length + 1)
    if space > 0:
        return text[:space].rstrip(" ,;:–—-(")
    while length > 1 and (unicodedata.category(text[length])[0] == "M" or text[length - 1] in "\u09cd\u200d"):
        length -= 1
    return text[:length]


# --- introductions of HTML pages ----------------------------------------------------------------------------------

CHUNK_LENGTH: Final = 16_384
"""Number of characters parsed at a time. Most introductions are short, so most of a page is never parsed."""

SKIPPED_TAGS: Final = frozenset({
    "aside", "audio", "button", "figure", "footer", "h1", "head", "header", "math", "nav", "noscript", "script",
    "style", "svg", "table", "template", "title", "video",
})  # fmt: skip
"""Elements whose text is skipped, because it is not prose: boxes, pictures, formulas, the title."""

SKIPPED_CLASSES: Final = frozenset({
    "ambox", "catlinks", "error", "geo-nondefault", "gallery", "hatnote", "infobox", "metadata", "mw-editsection",
    "mw-empty-elt", "navbox", "nomobile", "noexcerpt", "noprint", "reference", "references", "shortdescription",
    "sidebar", "thumb", "toc",
})  # fmt: skip
BLOCK_TAGS: Final = frozenset({"p", "div", "li", "ul", "ol", "dl", "dd", "dt", "blockquote", "br", "section", "tr"})
HEADING_TAGS: Final = frozenset({"h2", "h3", "h4", "h5", "h6"})
VOID_TAGS: Final = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"}
)
HTML_START: Final = re.compile(r"\s*<(?:!--|!doctype|html|p|div|section|b|span)\b", re.IGNORECASE)
_DISAMBIGUATION_MARKER: Final = re.compile(r"disambig|dmbox", re.IGNORECASE)


class Introduction(msgspec.Struct, frozen=True):
    """The text before a page's first heading, its canonical URL, and whether the page is a disambiguation page."""

    text: str
    url: str | None
    disambiguation: bool


def parse_introduction(html: str) -> Introduction:
    """Parse a page's introduction; text without HTML becomes one paragraph. Never raises."""
    parser = _IntroductionParser()
    for start in range(0, len(html), CHUNK_LENGTH):
        parser.feed(html[start : start + CHUNK_LENGTH])
        if parser.is_finished:
            break
    else:
        parser.close()
    return Introduction("".join(parser.text_parts), parser.url, parser.disambiguation)


class _IntroductionParser(HTMLParser):
    """Parser that collects the text before the first heading below the title."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.text_parts: list[str] = []
        self.url: str | None = None
        self.disambiguation = False
        self.is_finished = False
        self._skipped_tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        """Handle the start of an element: skipped, a block, or the heading that ends the introduction."""
        attributes = dict(attrs)
        classes = (attributes.get("class") or "").split()
        self._read_metadata(tag, attributes, classes)
        if self._skipped_tags:
            if tag == self._skipped_tags[-1]:
                self._skipped_tags.append(tag)
        elif tag in SKIPPED_TAGS or (tag not in VOID_TAGS and SKIPPED_CLASSES.intersection(classes)):
            if tag not in VOID_TAGS:
                self._skipped_tags.append(tag)
        elif tag in HEADING_TAGS:
            self.is_finished = self.is_finished or bool("".join(self.text_parts).strip())
            self._skipped_tags.append(tag)
        elif tag in BLOCK_TAGS and not self.is_finished:
            self.text_parts.append("\n")

    def handle_endtag(self, tag: str) -> None:
        """Handle the end of an element."""
        if self._skipped_tags:
            if tag == self._skipped_tags[-1]:
                self._skipped_tags.pop()
        elif tag in BLOCK_TAGS and not self.is_finished:
            self.text_parts.append("\n")

    def handle_data(self, data: str) -> None:
        """Collect text outside skipped elements."""
        if not self._skipped_tags and not self.is_finished:
            self.text_parts.append(data.replace("\n", " "))

    def _read_metadata(self, tag: str, attributes: dict[str, str | None], classes: Sequence[str]) -> None:
        if tag == "link" and attributes.get("rel") == "canonical":
            self.url = attributes.get("href")
        names = (*classes, attributes.get("id") or "")
        self.disambiguation = self.disambiguation or any(_DISAMBIGUATION_MARKER.search(name) for name in names if name)
