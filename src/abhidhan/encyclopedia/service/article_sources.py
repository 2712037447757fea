"""The configured sources of articles: wikis and ZIM files."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, Protocol

import structlog

from abhidhan.encyclopedia.model.wiki_rate_limit import RequestPolicy
from abhidhan.encyclopedia.service.mediawiki import MediaWiki
from abhidhan.encyclopedia.service.zim import ZimFile
from abhidhan.records.encyclopedia_articles import (
    ArticleOutcome,
    ArticleReply,
    ArticleSourceSettings,
    EncyclopediaSettings,
)
from abhidhan.records.errors import RetryAfter, SettingError


class ArticleSource(Protocol):
    """A source of articles."""

    @property
    def name(self) -> str:
        """The display name."""
        ...

    @property
    def licence(self) -> str | None:
        """The licence of its texts, if known."""
        ...

    @property
    def address(self) -> str | None:
        """The address of a wiki, whose requests are rate-limited; None for a local file."""
        ...

    async def find(self, titles: Sequence[str]) -> ArticleReply:
        """Find the first of the titles (cleaned, at least one) that has an article. Never raises."""
        ...

    async def close(self) -> None:
        """Close connections and files."""
        ...


_log = structlog.get_logger("abhidhan.encyclopedia")

SourcesByLanguage = Mapping[int, Sequence[ArticleSource]]
"""The sources of each language ID, in the order in which they are tried."""

INTERVAL_WITHOUT_CONTACT_MILLISECONDS: Final = 1_200
INTERVAL_WITH_CONTACT_MILLISECONDS: Final = 100
"""Milliseconds from a response to the next request. With a contact, the interval applies to each wiki separately.

Without one, it applies to all wikis together. It exceeds the promised second by 200 ms, since requests of two processes
may be delayed differently on the network.
"""


def build_request_policy(settings: EncyclopediaSettings) -> RequestPolicy:
    """Return the request policy, with a longer interval if the operator has set no contact."""
    max_turn = int((2 * settings.total_seconds + 5) * 1000)
    if settings.contact:
        return RequestPolicy(
            interval_milliseconds=INTERVAL_WITH_CONTACT_MILLISECONDS,
            is_interval_shared=False,
            max_turn_milliseconds=max_turn,
        )
    return RequestPolicy(
        interval_milliseconds=INTERVAL_WITHOUT_CONTACT_MILLISECONDS,
        is_interval_shared=True,
        max_turn_milliseconds=max_turn,
    )


def check_zim_file(source_settings: ArticleSourceSettings) -> None:
    """Open the ZIM file of a source once, so that the server does not start with a bad one. Raises SettingError."""
    if source_settings.zim and "zim" in source_settings.source_kinds:
        ZimFile(Path(source_settings.zim))


def warn_without_contact(settings: EncyclopediaSettings) -> None:
    """Log a hint at the start if no contact is set."""
    if not settings.contact and any("wiki" in choice.source_kinds for choice in settings.sources):
        _log.warning(
            "no contact is set: at most one request a second is sent to wikis. Set ABHIDHAN_WIKI_CONTACT to an "
            "e-mail address or a URL"
        )


def open_sources(source_settings: ArticleSourceSettings, settings: EncyclopediaSettings) -> tuple[ArticleSource, ...]:
    """Open the sources of one language, in the order in which they are tried."""
    sources = (
        _open_wiki(source_settings, settings) if kind == "wiki" else _open_zim(source_settings)
        for kind in dict.fromkeys(source_settings.source_kinds)
    )
    return tuple(source for source in sources if source is not None)


def _open_wiki(source_settings: ArticleSourceSettings, settings: EncyclopediaSettings) -> ArticleSource:
    return MediaWiki(
        source_settings.wiki,
        contact=settings.contact,
        connect_seconds=settings.connect_seconds,
        total_seconds=settings.total_seconds,
    )


def _open_zim(source_settings: ArticleSourceSettings) -> ArticleSource | None:
    if not source_settings.zim:
        return None
    try:
        return ZimFile(Path(source_settings.zim))
    except SettingError as error:
        # The file was checked at the start: if it has been damaged since, a restarted worker runs without it.
        _log.error("a ZIM file cannot be used", reason=str(error))
        return UnusableSource(Path(source_settings.zim).stem)


class UnusableSource:
    """Placeholder for a source that cannot be opened; it is always unreachable, while other sources still work."""

    address: None = None
    licence: None = None

    def __init__(self, name: str) -> None:
        """Initialise with the display name."""
        self.name = name

    async def find(self, titles: Sequence[str]) -> ArticleReply:
        """Report the source as unreachable."""
        del titles
        return ArticleReply(outcome=ArticleOutcome.UNREACHABLE, source=self.name, retry_after=RetryAfter.NOT_SET_UP)

    async def close(self) -> None:
        """Do nothing."""
