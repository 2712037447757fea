"""What nobody has checked: ideas whose source has a notice, and that no speaker has confirmed yet."""

from abhidhan.domain.ideas import Idea
from abhidhan.domain.pages import Page
from abhidhan.storage.confirmations import unchecked_ideas
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.ideas import gather_ideas


def list_unchecked(reader: Reader, limit: int, offset: int) -> Page[Idea]:
    """List one page of the unchecked ideas: those of the commonest Assamese words first, ties by ID."""
    found = unchecked_ideas(reader, limit, offset)
    return Page(gather_ideas(reader, found.items), found.total)
