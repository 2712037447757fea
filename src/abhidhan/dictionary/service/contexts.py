"""Contexts: the tree of subjects, the ideas of a subject, and pages of ideas."""

from typing import Final

import msgspec

from abhidhan.dictionary.model.field_selection import (
    ALL_FIELDS,
    IDEA_KEYS,
    FieldParams,
    FieldSelection,
    select_idea_fields,
)
from abhidhan.dictionary.service import lookup_lists
from abhidhan.dictionary.service.lookup_lists import LanguageParam, find_language_id, resolve_idea_fields
from abhidhan.dictionary.store import contexts
from abhidhan.dictionary.store.contexts import IdeaFilter
from abhidhan.dictionary.store.ideas import load_ideas
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.errors import NotFoundError, quoted, sentence
from abhidhan.records.ideas import Idea
from abhidhan.records.languages import Language
from abhidhan.records.lookup_lists import ListItem, ListName
from abhidhan.records.paging import Page
from abhidhan.records.sources import Source

IDEA_FIELDS_WITHOUT_WORDS: Final = FieldSelection(frozenset(IDEA_KEYS) - {"words"})
"""Fields loaded for the ideas of a context; words are loaded later, in the user's languages."""

Spelling = tuple[str, Language]
"""The spelling of a word, and its language."""


class ContextBranch(msgspec.Struct, frozen=True):
    """Context with its subcontexts; contexts without ideas in them or below them are left out."""

    item: ListItem
    below: tuple["ContextBranch", ...]


class ContextSummary(msgspec.Struct, frozen=True):
    """Context in the directory, with the number of ideas in it or below it, and its direct subcontexts."""

    item: ListItem
    ideas: int
    below: tuple["ContextSummary", ...] = ()


class ContextNode(msgspec.Struct, frozen=True):
    """One context in the tree, with the path to it and its subtree."""

    item: ListItem
    path: tuple[ListItem, ...]
    below: tuple[ContextBranch, ...]

    @property
    def ids(self) -> list[int]:
        """IDs of the context and of all contexts below it."""
        return [self.item.id, *_collect_ids(self.below)]


class ContextIdeas(ContextNode, frozen=True):
    """One context with a page of its ideas, without words, and the start of the next page."""

    ideas: tuple[Idea, ...]
    next: int | None


class IdeaHeading(msgspec.Struct, frozen=True):
    """Heading of an idea: its glyph and its source."""

    glyph: str | None
    source: Source | None


def read_tree(connection: ReadConnection) -> tuple[ContextBranch, ...]:
    """Return the tree of contexts that have at least one idea in or below them."""
    return _build_branches(
        connection.catalogue.list_items(ListName.CONTEXTS), None, contexts.find_used_contexts(connection)
    )


def list_main_contexts(tree: tuple[ContextBranch, ...]) -> tuple[ContextBranch, ...]:
    """Return the main contexts: those below the root if the tree has a single root."""
    return tree[0].below if len(tree) == 1 and tree[0].below else tree


def read_topics(connection: ReadConnection) -> tuple[ContextSummary, ...]:
    """Return the main contexts and their direct subcontexts, each with its number of ideas."""

    def summarize(branch: ContextBranch, below: tuple[ContextSummary, ...] = ()) -> ContextSummary:
        return ContextSummary(branch.item, _count_ideas(connection, IdeaFilter(tuple(_collect_ids((branch,))))), below)

    return tuple(
        summarize(main, tuple(summarize(subcontext) for subcontext in main.below))
        for main in list_main_contexts(read_tree(connection))
    )


def read_context(connection: ReadConnection, name: str) -> ContextNode:
    """Find a context in the tree by name, ignoring case. Raises NotFoundError."""
    item = connection.catalogue.find_item(ListName.CONTEXTS, name)
    if item is None:
        raise NotFoundError(sentence("There is no context with the name %(name)s.", name=quoted(name)))
    items = connection.catalogue.list_items(ListName.CONTEXTS)
    return ContextNode(
        item, find_ancestors(items, item), _build_branches(items, item.id, contexts.find_used_contexts(connection))
    )


def read_context_ideas(connection: ReadConnection, name: str, start: int, limit: int) -> ContextIdeas:
    """Find a context by name, ignoring case, with ideas of it and its subcontexts. Raises NotFoundError."""
    context = read_context(connection, name)
    idea_ids = contexts.list_ideas_in_contexts(connection, context.ids, start, limit + 1)
    ideas = load_ideas(connection, idea_ids[:limit], IDEA_FIELDS_WITHOUT_WORDS)
    next_id = idea_ids[limit] if len(idea_ids) > limit else None
    return ContextIdeas(context.item, context.path, context.below, tuple(ideas), next_id)


def read_headings(connection: ReadConnection, idea_ids: list[int]) -> dict[int, IdeaHeading]:
    """Return the heading of each idea by ID."""
    sources = connection.catalogue.sources
    rows = contexts.load_headings(connection, idea_ids)
    return {idea_id: IdeaHeading(glyph, sources.get(source_id or 0)) for idea_id, (glyph, source_id) in rows.items()}


def read_words(connection: ReadConnection, idea_ids: list[int]) -> dict[int, list[Spelling]]:
    """Return the words of each idea, by language, then in their order."""
    words_by_idea: dict[int, list[Spelling]] = {}
    for idea_id, language_id, text in contexts.list_words_of_ideas(connection, idea_ids):
        words_by_idea.setdefault(idea_id, []).append((text, connection.catalogue.language(language_id)))
    return words_by_idea


def _build_branches(
    items: tuple[ListItem, ...], parent_id: int | None, used_ids: frozenset[int]
) -> tuple[ContextBranch, ...]:
    branches = (
        ContextBranch(item, _build_branches(items, item.id, used_ids)) for item in items if item.parent_id == parent_id
    )
    return tuple(branch for branch in branches if branch.below or branch.item.id in used_ids)


def _collect_ids(branches: tuple[ContextBranch, ...]) -> list[int]:
    return [number for branch in branches for number in (branch.item.id, *_collect_ids(branch.below))]


def find_ancestors(items: tuple[ListItem, ...], item: ListItem) -> tuple[ListItem, ...]:
    """List the ancestors of a context, from the root down."""
    by_id = {ancestor.id: ancestor for ancestor in items}
    path: list[ListItem] = []
    while (parent := by_id.get(item.parent_id or 0)) is not None and parent not in path:
        path.insert(0, parent)
        item = parent
    return tuple(path)


MAX_CACHED_TOTALS: Final = 1000
"""Maximum number of cached totals; the cache is cleared whenever the data change."""


def list_page(  # noqa: PLR0913, PLR0917  # each is a query parameter
    connection: ReadConnection,
    context: str,
    pos: str,
    language: LanguageParam,
    limit: int,
    offset: int,
    fields: FieldParams = ALL_FIELDS,
) -> Page[Idea]:
    """List one page of ideas in ID order, optionally filtered by context, part of speech and language.

    Raises InputError.
    """
    selection = resolve_idea_fields(connection, fields)
    context_id = lookup_lists.find_item_id(connection, ListName.CONTEXTS, "context", context)
    idea_filter = IdeaFilter(
        lookup_lists.list_subtree_ids(connection, ListName.CONTEXTS, context_id) if context_id else (),
        lookup_lists.find_pos_id(connection, "pos", pos),
        find_language_id(connection, language),
    )
    total = _count_ideas(connection, idea_filter)
    idea_ids = contexts.list_ideas(connection, idea_filter, limit, offset) if offset < total else []
    ideas = load_ideas(connection, idea_ids, selection)
    return Page([select_idea_fields(idea, selection) for idea in ideas], total)


def _count_ideas(connection: ReadConnection, idea_filter: IdeaFilter) -> int:
    totals = connection.cached(_empty_totals)
    total = totals.get(idea_filter)
    if total is None:
        total = contexts.count_ideas(connection, idea_filter)
        if len(totals) < MAX_CACHED_TOTALS:
            totals[idea_filter] = total
    return total


def _empty_totals(_: ReadConnection, _previous: dict[IdeaFilter, int] | None) -> dict[IdeaFilter, int]:
    return {}
