"""The configured sources of articles: wikis and ZIM files."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, Protocol

import structlog

from abhidhan.encyclopedia.model.wiki_rate_limit import RequestPolicy
from abhidhan.encyclopedia.service.mediawiki import MediaWiki
from abhidhan.encyclopedia.service.zim import ZimFile
from abhidhan.records.encyclopedia_articles import ArticleOutcome, EncyclopediaChoices, Reply, SourceChoice
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

    async def find(self, titles: Sequence[str]) -> Reply:
        """Find the first of the titles (cleaned, at least one) that has an article. Never raises."""
        ...

    async def close(self) -> None:
        """Close connections and files."""
        ...


_log = structlog.get_logger("abhidhan.encyclopedia")

Sources = Mapping[int, Sequence[ArticleSource]]
"""The sources of each language ID, in the order in which they are tried."""

PACE_WITHOUT_CONTACT: Final = 1_200
PACE_WITH_CONTACT: Final = 100
"""Milliseconds from a response to the next request. With a contact, the interval applies to each wiki separately.

Without one, it applies to all wikis together. It exceeds the promised second by 200 ms, since requests of two processes
may be delayed differently on the network.
"""


def request_policy(choices: EncyclopediaChoices) -> RequestPolicy:
    """Return the request policy, with a longer interval if the operator has set no contact."""
    longest_turn = int((2 * choices.total_seconds + 5) * 1000)
    if choices.contact:
        return RequestPolicy(pace=PACE_WITH_CONTACT, over_all=False, max_turn=longest_turn)
    return RequestPolicy(pace=PACE_WITHOUT_CONTACT, over_all=True, max_turn=longest_turn)


def check_file(choice: SourceChoice) -> None:
    """Open the ZIM file of a source once, so that the server does not start with a bad one. Raises SettingError."""
    if choice.zim and "zim" in choice.order:
        ZimFile(Path(choice.zim))


def advise(choices: EncyclopediaChoices) -> None:
    """Log a hint at the start if no contact is set."""
    if not choices.contact and any("wiki" in choice.order for choice in choices.sources):
        _log.warning(
            "no contact is set: at most one request a second is sent to wikis. Set ABHIDHAN_WIKI_CONTACT to an "
            "e-mail address or a URL"
        )


def open_sources(choice: SourceChoice, choices: EncyclopediaChoices) -> tuple[ArticleSource, ...]:
    """Open the sources of one language, in the order in which they are tried."""
    sources = (_wiki(choice, choices) if kind == "wiki" else _zim(choice) for kind in dict.fromkeys(choice.order))
    return tuple(source for source in sources if source is not None)


def _wiki(choice: SourceChoice, choices: EncyclopediaChoices) -> ArticleSource:
    return MediaWiki(
        choice.wiki,
        contact=choices.contact,
        connect_seconds=choices.connect_seconds,
        total_seconds=choices.total_seconds,
    )


def _zim(choice: SourceChoice) -> ArticleSource | None:
    if not choice.zim:
        return None
    try:
        return ZimFile(Path(choice.zim))
    except SettingError as error:
        # The file was checked at the start: if it has been damaged since, a restarted worker runs without it.
        _log.error("a ZIM file cannot be used", reason=str(error))
        return UnusableSource(Path(choice.zim).stem)


class UnusableSource:
    """Placeholder for a source that cannot be opened; it is always unreachable, while other sources still work."""

    address: None = None
    licence: None = None

    def __init__(self, name: str) -> None:
        """Initialise with the display name."""
        self.name = name

    async def find(self, titles: Sequence[str]) -> Reply:
        """Report the source as unreachable."""
        del titles
        return Reply(outcome=ArticleOutcome.UNREACHABLE, source=self.name, retry_after=RetryAfter.NOT_SET_UP)

    async def close(self) -> None:
        """Do nothing."""
