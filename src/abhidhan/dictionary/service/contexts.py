"""Contexts: the tree of subjects, the ideas under one, and pages of ideas."""

from collections.abc import Sequence
from typing import Final

import msgspec

from abhidhan.dictionary.model.field_selection import ALL, IDEA_KEYS, FieldParams, Selection, select_idea_fields
from abhidhan.dictionary.model.guess_scoring import commonness
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
"""What is read of the ideas of a context; which of their words are shown depends on who reads."""

LOOKED_AT: Final = 200
"""Among so many ideas of a context its commonest words are looked for. The first to come are the everyday ones."""

Spelling = tuple[str, Language]
"""A word as it is written, and its language."""


class Branch(msgspec.Struct, frozen=True):
    """A context with those below it; only contexts under which there is an idea are shown."""

    item: ListItem
    below: tuple["Branch", ...]


class ContextPlace(msgspec.Struct, frozen=True):
    """One context in the tree: the way to it, and what lies below it."""

    item: ListItem
    path: tuple[ListItem, ...]
    below: tuple[Branch, ...]

    @property
    def ids(self) -> list[int]:
        """The IDs of the context and of all below it."""
        return [self.item.id, *_ids(self.below)]


class Subject(ContextPlace, frozen=True):
    """One context with a page of its ideas, without words, and where the next begins."""

    ideas: tuple[Idea, ...]
    next: int | None


class Head(msgspec.Struct, frozen=True):
    """What stands at the head of an idea: its glyph, and the source it comes from."""

    glyph: str | None
    source: Source | None


def read_tree(reader: Reader) -> tuple[Branch, ...]:
    """Read the tree of contexts under which there is at least one idea."""
    return _branches(reader.catalogue.items_of(ListName.CONTEXTS), None, contexts.in_use(reader))


def read_place(reader: Reader, name: str) -> ContextPlace:
    """Read where a context stands in the tree, by its name, letter case aside. Raises NotFoundError."""
    item = reader.catalogue.item(ListName.CONTEXTS, name)
    if item is None:
        raise NotFoundError(sentence("There is no context with the name %(name)s.", name=quoted(name)))
    items = reader.catalogue.items_of(ListName.CONTEXTS)
    return ContextPlace(item, _path(items, item), _branches(items, item.id, contexts.in_use(reader)))


def read_subject(reader: Reader, name: str, start: int, limit: int) -> Subject:
    """Read a context by its name, letter case aside, with ideas of it and of those below. Raises NotFoundError."""
    place = read_place(reader, name)
    idea_ids = contexts.ideas_under(reader, place.ids, start, limit + 1)
    ideas = gather_ideas(reader, idea_ids[:limit], WITHOUT_WORDS)
    following = idea_ids[limit] if len(idea_ids) > limit else None
    return Subject(place.item, place.path, place.below, tuple(ideas), following)


def read_common_words(
    reader: Reader, name: str, besides: int, order: Sequence[int], limit: int
) -> tuple[ContextPlace, tuple[Spelling, ...]]:
    """Read the commonest words of a context in the first language of an order that has any, beside those of an idea.

    Only the first ideas of the context are looked at, however many it has. Raises NotFoundError.
    """
    place = read_place(reader, name)
    idea_ids = [each for each in contexts.ideas_under(reader, [place.item.id], 0, LOOKED_AT) if each != besides]
    for language_id in order:
        found = contexts.words_with_frequency(reader, idea_ids, language_id)
        common = {text: commonness(language_id, key, frequency) for text, key, frequency in found}
        words = sorted(common, key=lambda text: (-common[text], len(text), text))[:limit]
        if words:
            return place, tuple((text, reader.catalogue.language(language_id)) for text in words)
    return place, ()


def read_heads(reader: Reader, idea_ids: list[int]) -> dict[int, Head]:
    """Read what stands at the head of each idea."""
    sources = reader.catalogue.sources
    found = contexts.heads(reader, idea_ids)
    return {idea_id: Head(glyph, sources.get(source_id or 0)) for idea_id, (glyph, source_id) in found.items()}


def read_words(reader: Reader, idea_ids: list[int]) -> dict[int, list[Spelling]]:
    """Read the words of each idea, by language and in their order."""
    found: dict[int, list[Spelling]] = {}
    for idea_id, language_id, text in contexts.words(reader, idea_ids):
        found.setdefault(idea_id, []).append((text, reader.catalogue.language(language_id)))
    return found


def _branches(items: tuple[ListItem, ...], parent_id: int | None, used: frozenset[int]) -> tuple[Branch, ...]:
    branches = (Branch(item, _branches(items, item.id, used)) for item in items if item.parent_id == parent_id)
    return tuple(branch for branch in branches if branch.below or branch.item.id in used)


def _ids(branches: tuple[Branch, ...]) -> list[int]:
    return [number for branch in branches for number in (branch.item.id, *_ids(branch.below))]


def _path(items: tuple[ListItem, ...], item: ListItem) -> tuple[ListItem, ...]:
    """List the contexts above one, from the root down."""
    by_id = {each.id: each for each in items}
    path: list[ListItem] = []
    while (above := by_id.get(item.parent_id or 0)) is not None and above not in path:
        path.insert(0, above)
        item = above
    return tuple(path)


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
