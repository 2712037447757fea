"""Sources of articles, as the settings name them: wikis and ZIM files."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, Protocol

import structlog

from abhidhan.encyclopedia.model.wiki_rate_limit import Manners
from abhidhan.encyclopedia.service.mediawiki import MediaWiki
from abhidhan.encyclopedia.service.zim import ZimFile
from abhidhan.records.encyclopedia_articles import EncyclopediaChoices, Outcome, Reply, SourceChoice
from abhidhan.records.errors import RetryAfter, SettingError


class ArticleSource(Protocol):
    """A place where articles come from."""

    @property
    def name(self) -> str:
        """What people call it."""
        ...

    @property
    def licence(self) -> str | None:
        """Under which licence its texts stand, as far as it is known."""
        ...

    @property
    def address(self) -> str | None:
        """The address of a wiki, which is to be asked politely; None for a file of this machine."""
        ...

    async def find(self, titles: Sequence[str]) -> Reply:
        """Find the article of the first of these titles (clean ones, at least one) that has one. Never raises."""
        ...

    async def close(self) -> None:
        """Let go of connections and files."""
        ...


_log = structlog.get_logger("abhidhan.encyclopedia")

Sources = Mapping[int, Sequence[ArticleSource]]
"""Where articles come from, by the ID of their language, in the order that they are tried."""

PACE_WITHOUT_CONTACT: Final = 1_200
PACE_WITH_CONTACT: Final = 100
"""Milliseconds between two requests: over all wikis while nobody could be written to, else of each wiki. They
count from the last answer; the fifth of a second beyond the one that is promised is for requests of two processes to
two wikis, one of which may be held up on its way."""


def manners(choices: EncyclopediaChoices) -> Manners:
    """Return how wikis are asked: slowly while nobody there could write to the operator."""
    longest_turn = int((2 * choices.total_seconds + 5) * 1000)
    if choices.contact:
        return Manners(pace=PACE_WITH_CONTACT, over_all=False, longest_turn=longest_turn)
    return Manners(pace=PACE_WITHOUT_CONTACT, over_all=True, longest_turn=longest_turn)


def check_file(choice: SourceChoice) -> None:
    """Open the file that was chosen, once, while one sentence can still be told. Raises SettingError."""
    if choice.zim and "zim" in choice.order:
        ZimFile(Path(choice.zim))


def advise(choices: EncyclopediaChoices) -> None:
    """Log once, at the start, what a contact is good for, if there is none."""
    if not choices.contact and any("wiki" in choice.order for choice in choices.sources):
        _log.warning(
            "no contact is set: at most one request a second goes out to wikis. "
            "ABHIDHAN_WIKI_CONTACT takes an e-mail address or the address of a page"
        )


def open_sources(choice: SourceChoice, choices: EncyclopediaChoices) -> tuple[ArticleSource, ...]:
    """Open the sources of one language, in the order that they are tried."""
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
        # The start has looked at it: a worker that takes the place of another goes on without what was spoilt since.
        _log.error("a ZIM file cannot be used", reason=str(error))
        return UnusableSource(Path(choice.zim).stem)


class UnusableSource:
    """A source that cannot be asked: its articles are out of reach, and others are not."""

    address: None = None
    licence: None = None

    def __init__(self, name: str) -> None:
        """Take its name."""
        self.name = name

    async def find(self, titles: Sequence[str]) -> Reply:
        """Find nothing."""
        del titles
        return Reply(outcome=Outcome.UNREACHABLE, source=self.name, retry_after=RetryAfter.NOT_SET_UP)

    async def close(self) -> None:
        """Have nothing to let go of."""
