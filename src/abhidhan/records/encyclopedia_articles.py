"""Articles of an encyclopedia: the titles that are asked for, what a source says of them, how long that is good."""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import accumulate, islice
from typing import Final
from urllib.parse import urlsplit

import msgspec

from abhidhan.records.languages import ASSAMESE, BENGALI, ENGLISH
from assamese.keys import loose_key
from assamese.normalization import APOSTROPHES, Script, nfc, script_of, squeeze

LANGUAGE_CODES: Final = {ENGLISH: "en", ASSAMESE: "as", BENGALI: "bn"}
"""The languages that articles are told in, with their BCP 47 codes."""

LONGEST_TITLE: Final = 255
"""Bytes of UTF-8 that a title of MediaWiki may have."""

MOST_VARIANTS: Final = 40
"""Spellings that one request asks for besides the title itself; MediaWiki answers 50 titles at most."""

LONGEST_VARIANTS: Final = 450
"""Characters that these spellings have together at most: each is up to nine bytes of a request line."""

NOT_IN_TITLES: Final = re.compile(r"[\x00-\x1f\x7f<>\[\]{}|\ufffd\ud800-\udfff]")
INVISIBLE: Final = re.compile("[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
"""Characters that no reader sees and no title has. ZWJ and ZWNJ are not among them: they belong to spelling."""


LONGEST_ADDRESS: Final = 4_000
PLAIN_ADDRESS: Final = re.compile(r"https?://[^\s\\<>\"'\x00-\x1f\x7f]+", re.IGNORECASE)

LONGEST_NAME: Final = 200
"""Characters that a source's name for itself, its licence and a title have at most."""


class Outcome(StrEnum):
    """What came of asking a source for an article."""

    FOUND = "found"
    NO_ARTICLE = "no-article"
    NO_EXTRACT = "no-extract"
    UNREACHABLE = "unreachable"


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """What a source says of a title.

    `source` and `licence` are those of the text. `url` is the article's own address, None without an article.
    `retry_after` (seconds) and `reason` are for a source that cannot be reached.
    """

    outcome: Outcome
    source: str = ""
    licence: str | None = None
    title: str = ""
    extract: str = ""
    url: str | None = None
    disambiguation: bool = False
    retry_after: int = 0
    reason: str = ""


class Article(msgspec.Struct, frozen=True, kw_only=True):
    """An article, or the knowledge that there is none, as the cache keeps it.

    `key` is the title that was asked for, made clean. Times are seconds since 1970: when the source said so, and from
    when on it should be asked again.
    """

    language_id: int
    key: str
    outcome: Outcome
    title: str
    extract: str
    url: str | None
    source: str
    licence: str | None
    disambiguation: bool
    retrieved: int
    renew_after: int

    def is_fresh(self, now: float) -> bool:
        """Return whether it need not be asked for again yet."""
        return now < self.renew_after


class Lifetimes(msgspec.Struct, frozen=True):
    """For how many seconds an article that was found is fresh, and the knowledge that there is none."""

    found: int
    missing: int


class SourceChoice(msgspec.Struct, frozen=True, kw_only=True):
    """Where articles in one language come from: kinds of sources in the order they are tried, and their addresses.

    `wiki` is the address of an api.php; `zim` the path of a file, empty when there is none.
    """

    language_id: int
    order: tuple[str, ...]
    wiki: str
    zim: str


class EncyclopediaChoices(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that an operator can choose about articles. Times are seconds, `length` characters."""

    sources: tuple[SourceChoice, ...]
    contact: str
    lifetimes: Lifetimes
    connect_seconds: float
    total_seconds: float
    length: int


def clean_title(text: str) -> str:
    """Write a title as encyclopedias do: NFC, spaces for underscores, a capital at the beginning, no fragment.

    Empty when no article can have such a title (MediaWiki's rules: forbidden characters, over 255 bytes).
    """
    plain = INVISIBLE.sub("", nfc(text)).partition("#")[0]
    title = squeeze(plain.replace("_", " ")).lstrip(": ")
    if NOT_IN_TITLES.search(title) or len(title.encode(errors="replace")) > LONGEST_TITLE:
        return ""
    return _with_capital(title)


def _with_capital(title: str) -> str:
    capital = title[:1].upper()
    # ß and the like become two letters in capitals; MediaWiki leaves them alone.
    return capital + title[1:] if len(capital) == 1 else title


def is_address_of(url: str | None, host: str) -> bool:
    """Return whether an address can be passed on: a plain one of the web, on the host that was asked, and nowhere else.

    A wiki that was taken over, or a file that somebody made, may call anything the address of its article.
    """
    if not url or len(url) > LONGEST_ADDRESS or not PLAIN_ADDRESS.fullmatch(url):
        return False
    try:
        parts = urlsplit(url)
        return parts.hostname == host.lower() and parts.username is None
    except ValueError:
        return False


def settle(replies: Sequence[Reply]) -> Reply | None:
    """Choose among the replies of the sources, in their order, the one that is the answer.

    The first article found; else, when every source could say so, that there is none or that it has no extract.
    None while a source that could not be reached may have the article.
    """
    order = (Outcome.FOUND, Outcome.UNREACHABLE, Outcome.NO_EXTRACT, Outcome.NO_ARTICLE)
    best = min(replies, key=lambda reply: order.index(reply.outcome), default=None)
    return None if best is None or best.outcome is Outcome.UNREACHABLE else best


def lifetime(replies: Sequence[Reply], lifetimes: Lifetimes) -> int:
    """Return for how many seconds the settled answer is fresh.

    An article that is only the second choice, because a source before it could not be reached, is asked for again as
    soon as a missing one.
    """
    outcomes = {reply.outcome for reply in replies}
    if Outcome.FOUND in outcomes and Outcome.UNREACHABLE not in outcomes:
        return lifetimes.found
    return lifetimes.missing


# --- spelling variants ----------------------------------------------------------------------------------------------

_DOUBLED: Final = ("ৰ্য্য", "ৰ্ম্ম", "ৰ্ব্ব", "ৰ্ত্ত", "ৰ্দ্দ", "ৰ্জ্জ", "ৰ্চ্চ", "ৰ্ক্ক", "ৰ্গ্গ", "ৰ্ণ্ণ", "ৰ্ল্ল")
"""Old spellings with the consonant doubled after ৰ্; the reformed spelling has it once."""

_ONE_APOSTROPHE: Final = dict.fromkeys(map(ord, APOSTROPHES), "’")

_INSTEAD: Final[dict[Script, tuple[tuple[str, str], ...]]] = {
    Script.EASTERN_NAGARI: (
        ("র", "ৰ"),
        ("ৰ", "র"),
        ("ব", "ৱ"),
        ("ৱ", "ব"),
        ("ৎ", "ত"),
        ("ৎ", "ত্"),
        ("ত্", "ৎ"),
        ("ত", "ৎ"),
        ("ং", "ঙ"),
        ("ঙ্গ", "ঙ"),
        ("ঙ", "ঙ্গ"),
        ("ঙ", "ং"),
        ("ঁ", ""),
        *((double, double[:-2]) for double in _DOUBLED),
        *((double[:-2], double) for double in _DOUBLED),
    )
}
"""Letters that are written for one another, by script: all of a title's at once."""

_EVERYWHERE: Final = (*(("’", other) for other in ("'", "‘", "ʼ", "")), ("-", " "), (" ", "-"), ("-", ""), (" ", ""))
"""What is written for one another in every script."""

_LEFT_OUT: Final[dict[Script, tuple[tuple[str, re.Pattern[str]], ...]]] = {
    Script.EASTERN_NAGARI: (
        ("’", re.compile("(?<=[ক-হৰৱ়])(?![া-ৗ়্’])")),
        ("'", re.compile("(?<=[ক-হৰৱ়])(?![া-ৗ়্’])")),
        ("ঁ", re.compile("(?<=[অ-ৌৰৱ়])(?![া-ৗ়্ঁ])")),
        ("্", re.compile("(?<=[ক-হৰৱ়])$")),
        ("-", re.compile("(?<=[অ-ৗৰৱ়])(?=[অ-হৰৱ])")),
    )
}
"""Marks that writers leave out, by script, and the places where they may belong; tried at one place at a time."""

_CONSIDERED: Final = 400
"""Spellings that are made at most; many of them turn out to be the same, or other words."""


def spelling_variants(title: str, language: str) -> tuple[str, ...]:
    """List other spellings that the article of a clean title may stand under in `language` (BCP 47), likeliest first.

    They all have the loose key of the title; at most MOST_VARIANTS of them, fewer of a long title.
    """
    wanted = loose_key(title, language)
    spellings = dict.fromkeys(islice(_spellings(title, script_of(title)), _CONSIDERED)) if wanted else {}
    variants = dict.fromkeys(map(clean_title, spellings))
    return within_limits(
        [variant for variant in variants if variant not in {"", title} and loose_key(variant, language) == wanted]
    )


def within_limits(titles: Sequence[str]) -> tuple[str, ...]:
    """Keep the first of these titles, as many as one request may ask for."""
    sizes = accumulate(map(len, titles))
    return tuple(title for title, size in zip(titles[:MOST_VARIANTS], sizes, strict=False) if size <= LONGEST_VARIANTS)


def _spellings(title: str, script: Script) -> Iterator[str]:
    """Spell a title in other ways, some of them wrong; those with the fewest changes come first."""
    plain = title.translate(_ONE_APOSTROPHE)
    yield from _capitalized(title)
    changed = [plain.replace(old, new) for old, new in (*_INSTEAD.get(script, ()), *_EVERYWHERE) if old in plain]
    bases = tuple(dict.fromkeys((plain, *changed)))
    yield from bases
    for mark, places in _LEFT_OUT.get(script, ()):
        for base in bases:
            yield from (base[: place.start()] + mark + base[place.start() :] for place in places.finditer(base))


def _capitalized(title: str) -> Iterator[str]:
    words = title.split(" ")
    yield title.lower()
    yield " ".join(word[:1].upper() + word[1:].lower() for word in words)
    yield " ".join(word[:1].upper() + word[1:] for word in words)
    yield title.upper()
