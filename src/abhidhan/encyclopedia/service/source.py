"""What the program needs of a place where articles come from."""

from collections.abc import Sequence
from typing import Protocol

from abhidhan.records.encyclopedia_articles import Reply


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
