"""What nobody has checked: ideas whose source has a notice, and that no speaker has confirmed yet."""

from abhidhan.services.dictionary.idea_lists import IdeaPage
from abhidhan.storage.confirmations import unchecked_ideas
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.ideas import gather_ideas


def list_unchecked(reader: Reader, limit: int, offset: int) -> IdeaPage:
    """List one page of the unchecked ideas: those of the commonest Assamese words first, ties by ID."""
    idea_ids, total = unchecked_ideas(reader, limit, offset)
    return IdeaPage(tuple(gather_ideas(reader, idea_ids)), total)
