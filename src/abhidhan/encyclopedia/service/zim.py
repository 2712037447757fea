"""Articles from a ZIM file, a local file with a whole encyclopedia (needs the optional package libzim)."""

import asyncio
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, Protocol, cast
from urllib.parse import quote, urlsplit

import structlog

from abhidhan.encyclopedia.model.article_extracts import clean_extract, is_disambiguation, parse_introduction
from abhidhan.records.encyclopedia_articles import MAX_NAME_LENGTH, ArticleOutcome, ArticleReply, is_url_on_host
from abhidhan.records.errors import SettingError

MAX_PARSED_BYTES: Final = 4 * 1024 * 1024
"""Number of bytes of a page that are parsed; an introduction is at its beginning."""

MAX_PAGE_BYTES: Final = 32 * 1024 * 1024
"""Maximum size of a page in bytes. libzim unpacks a whole page, and a hostile file may claim any size."""

DAMAGE_ERRORS: Final = (RuntimeError, LookupError, ValueError, OverflowError, MemoryError, OSError)
"""Exceptions by which libzim reports damage; none of thousands of damaged files raised any other."""

MAX_REDIRECTS: Final = 10
MAX_METADATA_BYTES: Final = 4_096
"""Number of bytes of a metadata value that are read."""

ARTICLE_FOLDERS: Final = ("", "A/")
"""Path prefixes of articles: none in new files, `A/` in files from before 2021."""


class _Item(Protocol):
    """The part of libzim's Item that is used here."""

    content: memoryview
    mimetype: str
    size: int


class _Entry(Protocol):
    """The part of libzim's Entry that is used here: a page, or a redirect to another entry."""

    path: str
    title: str
    is_redirect: bool

    def get_redirect_entry(self) -> "_Entry": ...
    def get_item(self) -> _Item: ...


class _Archive(Protocol):
    """The part of libzim's Archive that is used here; libzim has no types."""

    metadata_keys: Sequence[str]

    def get_metadata(self, name: str) -> bytes: ...
    def has_entry_by_path(self, path: str) -> bool: ...
    def get_entry_by_path(self, path: str) -> _Entry: ...
    def has_entry_by_title(self, title: str) -> bool: ...
    def get_entry_by_title(self, title: str) -> _Entry: ...


_log = structlog.get_logger("abhidhan.encyclopedia")

_WIKIPEDIA_LICENCE: Final = "CC BY-SA 4.0"


class ZimFile:
    """A ZIM file, read in a thread of its own, so that a slow disk does not block the event loop."""

    address: None = None

    def __init__(self, file: Path) -> None:
        """Open the file. Raises SettingError if it cannot be opened, or if libzim is not installed."""
        self._file = file
        self._archive = _open_archive(file)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="zim")
        self._has_reported_damage = False
        try:
            self._source = self._read_metadata("Source")
            self._name = " ".join(
                filter(None, (self._read_metadata("Title") or file.stem, self._read_metadata("Date")))
            )
            self._licence = self._read_metadata("License") or (
                _WIKIPEDIA_LICENCE if "wikipedia" in self._source else None
            )
        except DAMAGE_ERRORS as error:
            raise SettingError(f"{file} is damaged: {error}. Download it again.") from error

    @property
    def name(self) -> str:
        """The title and date from the file's metadata."""
        return self._name

    @property
    def licence(self) -> str | None:
        """The licence from the file's metadata."""
        return self._licence

    async def find(self, titles: Sequence[str]) -> ArticleReply:
        """Find the first of the titles that has an article."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._find_article, titles)

    async def close(self) -> None:
        """Stop the thread; the file is closed with the last reference to it."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _find_article(self, titles: Sequence[str]) -> ArticleReply:
        try:
            for entry in self._iter_entries(titles):
                if entry.get_item().mimetype.startswith("text/html"):
                    return self._build_reply(entry)
        except DAMAGE_ERRORS as error:
            self._report_damage(error)
            return ArticleReply(outcome=ArticleOutcome.UNREACHABLE, source=self.name, reason=f"damaged file: {error}")
        return ArticleReply(outcome=ArticleOutcome.NO_ARTICLE, source=self.name, licence=self.licence)

    def _report_damage(self, error: Exception) -> None:
        """Log once that the file is damaged."""
        if not self._has_reported_damage:
            self._has_reported_damage = True
            _log.error("a ZIM file is damaged: download it again", file=str(self._file), reason=str(error))

    def _iter_entries(self, titles: Sequence[str]) -> Iterator[_Entry]:
        for title in titles:
            for path in (folder + form for folder in ARTICLE_FOLDERS for form in (title.replace(" ", "_"), title)):
                if self._archive.has_entry_by_path(path):
                    yield from self._follow_redirects(self._archive.get_entry_by_path(path))
            if self._archive.has_entry_by_title(title):
                yield from self._follow_redirects(self._archive.get_entry_by_title(title))

    def _follow_redirects(self, entry: _Entry) -> Iterator[_Entry]:
        for _ in range(MAX_REDIRECTS):
            if not entry.is_redirect:
                yield entry
                return
            entry = entry.get_redirect_entry()

    def _build_reply(self, entry: _Entry) -> ArticleReply:
        item = entry.get_item()
        page = bytes(item.content[:MAX_PARSED_BYTES]).decode(errors="replace") if item.size <= MAX_PAGE_BYTES else ""
        introduction = parse_introduction(page)
        extract = clean_extract(introduction.text)
        title = entry.title.replace("_", " ")[:MAX_NAME_LENGTH]
        return ArticleReply(
            outcome=ArticleOutcome.FOUND if extract else ArticleOutcome.NO_EXTRACT,
            source=self.name,
            licence=self.licence,
            title=title,
            extract=extract,
            url=self._find_url(entry, introduction.url),
            disambiguation=introduction.disambiguation or is_disambiguation(title, extract),
        )

    def _find_url(self, entry: _Entry, canonical: str | None) -> str | None:
        """Return the article's URL in the original wiki; None if the file's metadata do not name the wiki."""
        wiki_url = self._source if "://" in self._source else f"https://{self._source}"
        host = urlsplit(wiki_url).hostname or ""
        if "." not in host or not is_url_on_host(wiki_url, host):
            return None
        if canonical and is_url_on_host(canonical, host):
            return canonical
        path = entry.path.removeprefix("A/").replace(" ", "_")
        return f"{wiki_url.rstrip('/')}/wiki/{quote(path)}"

    def _read_metadata(self, name: str) -> str:
        if name not in self._archive.metadata_keys:
            return ""
        return self._archive.get_metadata(name)[:MAX_METADATA_BYTES].decode(errors="replace").strip()[:MAX_NAME_LENGTH]


def _open_archive(file: Path) -> _Archive:
    try:
        from libzim.reader import Archive  # type: ignore[import-untyped]  # noqa: PLC0415  # optional: under the GPL
    except ImportError as error:
        raise SettingError(
            "ZIM files need the optional package `zim`: docs/installing.md says how to install it. "
            "Or leave ABHIDHAN_ZIM_... out."
        ) from error
    try:
        return cast("_Archive", Archive(file))
    except DAMAGE_ERRORS as error:
        raise SettingError(f"{file} cannot be opened as a ZIM file: {error}.") from error
