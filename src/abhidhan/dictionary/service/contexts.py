"""Contexts: the tree of subjects, the ideas of a subject, and pages of ideas."""

from typing import Final

import msgspec

from abhidhan.dictionary.model.field_selection import ALL, IDEA_KEYS, FieldParams, Selection, select_idea_fields
from abhidhan.dictionary.service import lookup_lists
from abhidhan.dictionary.service.lookup_lists import LanguageParam, find_language_id, read_idea_fields
from abhidhan.dictionary.store import contexts
from abhidhan.dictionary.store.contexts import IdeaFilter
from abhidhan.dictionary.store.ideas import gather_ideas
from abhidhan.platform.database.reader import Reader
from abhidhan.records.errors import NotFoundError, quoted, sentence
from abhidhan.records.ideas import Idea
from abhidhan.records.languages import Language
from abhidhan.records.lookup_lists import ListItem, ListName
from abhidhan.records.paging import Page
from abhidhan.records.sources import Source

WITHOUT_WORDS: Final = Selection(frozenset(IDEA_KEYS) - {"words"})
"""Fields read for the ideas of a context; the words are chosen later, by the reader's languages."""

Spelling = tuple[str, Language]
"""The spelling of a word, and its language."""


class Branch(msgspec.Struct, frozen=True):
    """Context with its subcontexts; contexts without ideas in them or below them are left out."""

    item: ListItem
    below: tuple["Branch", ...]


class Topic(msgspec.Struct, frozen=True):
    """Context in the directory, with the number of ideas in it or below it, and its direct subcontexts."""

    item: ListItem
    ideas: int
    below: tuple["Topic", ...] = ()


class ContextPlace(msgspec.Struct, frozen=True):
    """One context in the tree, with the path to it and its subtree."""

    item: ListItem
    path: tuple[ListItem, ...]
    below: tuple[Branch, ...]

    @property
    def ids(self) -> list[int]:
        """IDs of the context and of all contexts below it."""
        return [self.item.id, *_ids(self.below)]


class Subject(ContextPlace, frozen=True):
    """One context with a page of its ideas, without words, and the start of the next page."""

    ideas: tuple[Idea, ...]
    next: int | None


class Head(msgspec.Struct, frozen=True):
    """Heading of an idea: its glyph and its source."""

    glyph: str | None
    source: Source | None


def read_tree(reader: Reader) -> tuple[Branch, ...]:
    """Return the tree of contexts that have at least one idea in or below them."""
    return _branches(reader.catalogue.items_of(ListName.CONTEXTS), None, contexts.in_use(reader))


def main_branches(tree: tuple[Branch, ...]) -> tuple[Branch, ...]:
    """Return the main contexts: those below the root if the tree has a single root."""
    return tree[0].below if len(tree) == 1 and tree[0].below else tree


def read_topics(reader: Reader) -> tuple[Topic, ...]:
    """Return the main contexts and their direct subcontexts, each with its number of ideas."""

    def topic(branch: Branch, below: tuple[Topic, ...] = ()) -> Topic:
        return Topic(branch.item, _total(reader, IdeaFilter(tuple(_ids((branch,))))), below)

    return tuple(topic(main, tuple(topic(each) for each in main.below)) for main in main_branches(read_tree(reader)))


def read_place(reader: Reader, name: str) -> ContextPlace:
    """Find a context in the tree by name, ignoring case. Raises NotFoundError."""
    item = reader.catalogue.item(ListName.CONTEXTS, name)
    if item is None:
        raise NotFoundError(sentence("There is no context with the name %(name)s.", name=quoted(name)))
    items = reader.catalogue.items_of(ListName.CONTEXTS)
    return ContextPlace(item, path_to(items, item), _branches(items, item.id, contexts.in_use(reader)))


def read_subject(reader: Reader, name: str, start: int, limit: int) -> Subject:
    """Find a context by name, ignoring case, with ideas of it and its subcontexts. Raises NotFoundError."""
    place = read_place(reader, name)
    idea_ids = contexts.ideas_under(reader, place.ids, start, limit + 1)
    ideas = gather_ideas(reader, idea_ids[:limit], WITHOUT_WORDS)
    following = idea_ids[limit] if len(idea_ids) > limit else None
    return Subject(place.item, place.path, place.below, tuple(ideas), following)


def read_heads(reader: Reader, idea_ids: list[int]) -> dict[int, Head]:
    """Return the heading of each idea by ID."""
    sources = reader.catalogue.sources
    found = contexts.heads(reader, idea_ids)
    return {idea_id: Head(glyph, sources.get(source_id or 0)) for idea_id, (glyph, source_id) in found.items()}


def read_words(reader: Reader, idea_ids: list[int]) -> dict[int, list[Spelling]]:
    """Return the words of each idea, by language, then in their order."""
    found: dict[int, list[Spelling]] = {}
    for idea_id, language_id, text in contexts.words(reader, idea_ids):
        found.setdefault(idea_id, []).append((text, reader.catalogue.language(language_id)))
    return found


def _branches(items: tuple[ListItem, ...], parent_id: int | None, used: frozenset[int]) -> tuple[Branch, ...]:
    branches = (Branch(item, _branches(items, item.id, used)) for item in items if item.parent_id == parent_id)
    return tuple(branch for branch in branches if branch.below or branch.item.id in used)


def _ids(branches: tuple[Branch, ...]) -> list[int]:
    return [number for branch in branches for number in (branch.item.id, *_ids(branch.below))]


def path_to(items: tuple[ListItem, ...], item: ListItem) -> tuple[ListItem, ...]:
    """List the ancestors of a context, from the root down."""
    by_id = {each.id: each for each in items}
    path: list[ListItem] = []
    while (above := by_id.get(item.parent_id or 0)) is not None and above not in path:
        path.insert(0, above)
        item = above
    return tuple(path)


MOST_TOTALS: Final = 1000
"""Maximum number of cached totals; the cache is cleared whenever the data change."""


def list_page(  # noqa: PLR0913, PLR0917  # each is a query parameter
    reader: Reader, context: str, pos: str, language: LanguageParam, limit: int, offset: int, fields: FieldParams = ALL
) -> Page[Idea]:
    """List one page of ideas in ID order, optionally filtered by context, part of speech and language.

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
    idea_ids = contexts.list_ideas(reader, chosen, limit, offset) if offset < total else []
    found = gather_ideas(reader, idea_ids, selection)
    return Page([select_idea_fields(idea, selection) for idea in found], total)


def _total(reader: Reader, chosen: IdeaFilter) -> int:
    totals = reader.kept(_no_totals)
    total = totals.get(chosen)
    if total is None:
        total = contexts.count_ideas(reader, chosen)
        if len(totals) < MOST_TOTALS:
            totals[chosen] = total
    return total


def _no_totals(_: Reader, _before: dict[IdeaFilter, int] | None) -> dict[IdeaFilter, int]:
    return {}
