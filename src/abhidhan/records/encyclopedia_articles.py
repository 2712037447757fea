"""Encyclopedia articles: titles and their spelling variants, replies of sources, and cache lifetimes."""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import accumulate, islice
from typing import Final
from urllib.parse import urlsplit

import msgspec

from abhidhan.records.languages import ASSAMESE, BENGALI, ENGLISH
from assamese.keys import loose_key
from assamese.normalization import APOSTROPHES, Script, collapse_whitespace, detect_script, nfc

LANGUAGE_CODES: Final = {ENGLISH: "en", ASSAMESE: "as", BENGALI: "bn"}
"""The languages of articles, with their BCP 47 codes."""

MAX_TITLE_BYTES: Final = 255
"""Maximum length of a MediaWiki title in bytes of UTF-8."""

MAX_VARIANTS: Final = 40
"""Maximum number of spelling variants in one request besides the title; MediaWiki accepts at most 50 titles."""

MAX_VARIANTS_LENGTH: Final = 450
"""Maximum total length of the variants in characters; each character takes up to nine bytes of the request line."""

INVALID_TITLE_CHARACTERS: Final = re.compile(r"[\x00-\x1f\x7f<>\[\]{}|\ufffd\ud800-\udfff]")
INVISIBLE_CHARACTERS: Final = re.compile("[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
"""Invisible characters that do not occur in titles. ZWJ and ZWNJ are part of the spelling and not included."""


MAX_URL_LENGTH: Final = 4_000
WEB_URL: Final = re.compile(r"https?://[^\s\\<>\"'\x00-\x1f\x7f]+", re.IGNORECASE)

MAX_NAME_LENGTH: Final = 200
"""Maximum length in characters of a source's own name, of its licence and of a title."""


class ArticleOutcome(StrEnum):
    """The result of requesting an article from a source."""

    FOUND = "found"
    NO_ARTICLE = "no-article"
    NO_EXTRACT = "no-extract"
    UNREACHABLE = "unreachable"


class ArticleReply(msgspec.Struct, frozen=True, kw_only=True):
    """The reply of a source for a title.

    `source` and `licence` are those of the text. `url` is the URL of the article, or None if there is no article.
    `retry_after` (seconds) and `reason` are set if the source is unreachable.
    """

    outcome: ArticleOutcome
    source: str = ""
    licence: str | None = None
    title: str = ""
    extract: str = ""
    url: str | None = None
    disambiguation: bool = False
    retry_after: int = 0
    reason: str = ""


class Article(msgspec.Struct, frozen=True, kw_only=True):
    """An entry of the article cache: an article, or the fact that there is none for a title.

    `key` is the cleaned title of the request. Times are seconds since 1970: `retrieved` is the time of the source's
    reply, `renew_after` the time after which the article should be fetched again.
    """

    language_id: int
    key: str
    outcome: ArticleOutcome
    title: str
    extract: str
    url: str | None
    source: str
    licence: str | None
    disambiguation: bool
    retrieved: int
    renew_after: int

    def is_fresh(self, now: float) -> bool:
        """Return whether the entry need not be renewed yet."""
        return now < self.renew_after


class CacheLifetimes(msgspec.Struct, frozen=True):
    """Cache lifetimes in seconds of articles that were found and of titles without an article."""

    found: int
    missing: int


class ArticleSourceSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The article sources of one language: their kinds (wiki, zim) in order of preference, and their addresses.

    `wiki` is the URL of an api.php; `zim` is the path of a ZIM file, or "".
    """

    language_id: int
    source_kinds: tuple[str, ...]
    wiki: str
    zim: str


class EncyclopediaSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The operator's settings for articles. Times are in seconds, `max_extract_length` in characters."""

    sources: tuple[ArticleSourceSettings, ...]
    contact: str
    lifetimes: CacheLifetimes
    connect_seconds: float
    total_seconds: float
    max_extract_length: int


def clean_title(text: str) -> str:
    """Normalize a title as encyclopedias do: NFC, spaces for underscores, an initial capital, no fragment.

    Returns "" if no article can have such a title (MediaWiki's rules: forbidden characters, over 255 bytes).
    """
    plain = INVISIBLE_CHARACTERS.sub("", nfc(text)).partition("#")[0]
    title = collapse_whitespace(plain.replace("_", " ")).lstrip(": ")
    if INVALID_TITLE_CHARACTERS.search(title) or len(title.encode(errors="replace")) > MAX_TITLE_BYTES:
        return ""
    return _capitalize_first(title)


def _capitalize_first(title: str) -> str:
    capital = title[:1].upper()
    # ß and similar letters become two capitals; MediaWiki does not change them.
    return capital + title[1:] if len(capital) == 1 else title


def is_url_on_host(url: str | None, host: str) -> bool:
    """Return whether a URL is a plain HTTP(S) URL on the given host, so that it is safe to show as a link.

    A compromised wiki or a crafted file may give any text as the URL of its article.
    """
    if not url or len(url) > MAX_URL_LENGTH or not WEB_URL.fullmatch(url):
        return False
    try:
        parts = urlsplit(url)
        return parts.hostname == host.lower() and parts.username is None
    except ValueError:
        return False


def choose_reply(replies: Sequence[ArticleReply]) -> ArticleReply | None:
    """Choose the reply to use from those of all sources, which are in order of preference.

    This is the first article found or, if all sources were reachable, the reply that there is no extract or no article.
    Returns None if an unreachable source may have the article.
    """
    order = (ArticleOutcome.FOUND, ArticleOutcome.UNREACHABLE, ArticleOutcome.NO_EXTRACT, ArticleOutcome.NO_ARTICLE)
    best = min(replies, key=lambda reply: order.index(reply.outcome), default=None)
    return None if best is None or best.outcome is ArticleOutcome.UNREACHABLE else best


def choose_lifetime(replies: Sequence[ArticleReply], lifetimes: CacheLifetimes) -> int:
    """Return the cache lifetime of the chosen reply, in seconds.

    If any source was unreachable, this is the shorter lifetime of a missing article.
    """
    outcomes = {reply.outcome for reply in replies}
    if ArticleOutcome.FOUND in outcomes and ArticleOutcome.UNREACHABLE not in outcomes:
        return lifetimes.found
    return lifetimes.missing


# --- spelling variants ----------------------------------------------------------------------------------------------

_DOUBLED_CONSONANTS: Final = ("ৰ্য্য", "ৰ্ম্ম", "ৰ্ব্ব", "ৰ্ত্ত", "ৰ্দ্দ", "ৰ্জ্জ", "ৰ্চ্চ", "ৰ্ক্ক", "ৰ্গ্গ", "ৰ্ণ্ণ", "ৰ্ল্ল")
"""Consonants that old spellings double after ৰ্; the reformed spelling has a single consonant."""

_APOSTROPHE_TABLE: Final = dict.fromkeys(map(ord, APOSTROPHES), "’")

_REPLACEMENTS: Final[dict[Script, tuple[tuple[str, str], ...]]] = {
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
        *((double, double[:-2]) for double in _DOUBLED_CONSONANTS),
        *((double[:-2], double) for double in _DOUBLED_CONSONANTS),
    )
}
"""Interchangeable letters by script; all occurrences in a title are replaced together."""

_COMMON_REPLACEMENTS: Final = (
    *(("’", other) for other in ("'", "‘", "ʼ", "")),
    ("-", " "),
    (" ", "-"),
    ("-", ""),
    (" ", ""),
)
"""Interchangeable characters in every script."""

_OMITTED_MARKS: Final[dict[Script, tuple[tuple[str, re.Pattern[str]], ...]]] = {
    Script.EASTERN_NAGARI: (
        ("’", re.compile("(?<=[ক-হৰৱ়])(?![া-ৗ়্’])")),
        ("'", re.compile("(?<=[ক-হৰৱ়])(?![া-ৗ়্’])")),
        ("ঁ", re.compile("(?<=[অ-ৌৰৱ়])(?![া-ৗ়্ঁ])")),
        ("্", re.compile("(?<=[ক-হৰৱ়])$")),
        ("-", re.compile("(?<=[অ-ৗৰৱ়])(?=[অ-হৰৱ])")),
    )
}
"""Marks that are often omitted, by script, with their possible positions; tried at one position at a time."""

_MAX_CANDIDATES: Final = 400
"""Maximum number of generated spellings; many of them are duplicates or other words."""


def list_spelling_variants(title: str, language: str) -> tuple[str, ...]:
    """Return other spellings that the article of a clean title may have in `language` (BCP 47), likeliest first.

    All of them have the same loose key as the title. There are at most `MAX_VARIANTS`, fewer for a long title.
    """
    key = loose_key(title, language)
    spellings = dict.fromkeys(islice(_iter_spellings(title, detect_script(title)), _MAX_CANDIDATES)) if key else {}
    variants = dict.fromkeys(map(clean_title, spellings))
    return limit_titles(
        [variant for variant in variants if variant not in {"", title} and loose_key(variant, language) == key]
    )


def limit_titles(titles: Sequence[str]) -> tuple[str, ...]:
    """Return as many of the first titles as fit into one request."""
    sizes = accumulate(map(len, titles))
    return tuple(
        title for title, size in zip(titles[:MAX_VARIANTS], sizes, strict=False) if size <= MAX_VARIANTS_LENGTH
    )


def _iter_spellings(title: str, script: Script) -> Iterator[str]:
    """Yield possible spellings of a title, some of them wrong, those with the fewest changes first."""
    plain = title.translate(_APOSTROPHE_TABLE)
    yield from _iter_capitalizations(title)
    changed = [
        plain.replace(old, new) for old, new in (*_REPLACEMENTS.get(script, ()), *_COMMON_REPLACEMENTS) if old in plain
    ]
    bases = tuple(dict.fromkeys((plain, *changed)))
    yield from bases
    for mark, pattern in _OMITTED_MARKS.get(script, ()):
        for base in bases:
            yield from (base[: match.start()] + mark + base[match.start() :] for match in pattern.finditer(base))


def _iter_capitalizations(title: str) -> Iterator[str]:
    words = title.split(" ")
    yield title.lower()
    yield " ".join(word[:1].upper() + word[1:].lower() for word in words)
    yield " ".join(word[:1].upper() + word[1:] for word in words)
    yield title.upper()
