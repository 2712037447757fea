"""Lists of ideas: pages of all of them, or of those of a context, a part of speech, a language."""

from typing import Final

from abhidhan.dictionary.model.field_selection import ALL, FieldParams, select_idea_fields
from abhidhan.dictionary.service import lookup_lists
from abhidhan.dictionary.service.lookup_lists import LanguageParam, find_language_id, read_idea_fields
from abhidhan.dictionary.store import idea_lists
from abhidhan.dictionary.store.idea_lists import IdeaFilter
from abhidhan.dictionary.store.ideas import gather_ideas
from abhidhan.platform.database.reader import Reader
from abhidhan.records.ideas import Idea
from abhidhan.records.lookup_lists import ListName
from abhidhan.records.paging import Page

MOST_TOTALS: Final = 1000
"""Of how many lists the number of their ideas is kept at hand until something changes."""


def list_page(  # noqa: PLR0913, PLR0917  # each is a parameter of the address
    reader: Reader, context: str, pos: str, language: LanguageParam, limit: int, offset: int, fields: FieldParams = ALL
) -> Page[Idea]:
    """List one page of ideas by their IDs: all, or those below a context, of a part of speech, of a language.

    Raises InputError.
    """
    selection = read_idea_fields(reader, fields)
    context_id = lookup_lists.find_item_id(reader, ListName.CONTEXTS, "context", context)
    chosen = IdeaFilter(
        lookup_lists.with_those_below(reader, ListName.CONTEXTS, context_id) if context_id else (),
        lookup_lists.find_pos_id(reader, "pos", pos),
        find_language_id(reader, language),
    )
    total = _total(reader, chosen)
    idea_ids = idea_lists.list_ideas(reader, chosen, limit, offset) if offset < total else []
    found = gather_ideas(reader, idea_ids, selection)
    return Page([select_idea_fields(idea, selection) for idea in found], total)


def _total(reader: Reader, chosen: IdeaFilter) -> int:
    totals = reader.kept(_no_totals)
    total = totals.get(chosen)
    if total is None:
        total = idea_lists.count_ideas(reader, chosen)
        if len(totals) < MOST_TOTALS:
            totals[chosen] = total
    return total


def _no_totals(_: Reader, _before: dict[IdeaFilter, int] | None) -> dict[IdeaFilter, int]:
    return {}
