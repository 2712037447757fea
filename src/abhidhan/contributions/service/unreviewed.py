"""What nobody has checked: ideas whose source has a notice, and that no speaker has confirmed yet."""

from abhidhan.dictionary.store.confirmations import unchecked_ideas
from abhidhan.dictionary.store.ideas import gather_ideas
from abhidhan.platform.database.reader import Reader
from abhidhan.records.ideas import Idea
from abhidhan.records.paging import Page


def list_unchecked(reader: Reader, limit: int, offset: int) -> Page[Idea]:
    """List one page of the unchecked ideas: those of the commonest Assamese words first, ties by ID."""
    found = unchecked_ideas(reader, limit, offset)
    return Page(gather_ideas(reader, found.items), found.total)
