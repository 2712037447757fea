"""Pictures: ideas that have a photo or a glyph, all of them or those of a context, a page at a time."""

from collections.abc import Callable
from functools import partial
from typing import Final

import msgspec

from abhidhan.dictionary.service.contexts import WITHOUT_WORDS, Branch, ContextPlace, read_place, read_tree
from abhidhan.dictionary.service.views.listings import ListedIdea, headwords_first, listed_ideas
from abhidhan.dictionary.store import contexts, pictures
from abhidhan.dictionary.store.ideas import gather_ideas
from abhidhan.platform.database.compiled_queries import chunks
from abhidhan.platform.database.reader import Reader
from abhidhan.records.language_preferences import ReadersLanguages, languages_of
from abhidhan.records.languages import Language

PICTURES_ON_A_PAGE: Final = 48
LOOKED_AT: Final = 8_000
"""A page looks at so many ideas at most: most of a large dictionary have no picture."""

AT_ONCE: Final = 1_000


class PicturesPage(msgspec.Struct, frozen=True):
    """Ideas with a picture; of a context (`place`) or of all, with the contexts below; `next`: where to go on."""

    place: ContextPlace | None
    below: tuple[Branch, ...]
    ideas: tuple[ListedIdea, ...]
    languages: dict[int, Language]
    next: int | None


def read_pictures_page(reader: Reader, name: str, start: int, readers: ReadersLanguages) -> PicturesPage:
    """Read a page of the pictures of a context, or without a name of all. Raises NotFoundError."""
    mine = languages_of(readers, reader.catalogue)
    place = read_place(reader, name) if name else None
    stretch = partial(contexts.ideas, reader, place.ids) if place else partial(pictures.ideas_from, reader)
    idea_ids, following = find_pictured(reader, stretch, start)
    ideas = gather_ideas(reader, idea_ids, WITHOUT_WORDS)
    return PicturesPage(
        place,
        place.below if place else _main_branches(read_tree(reader)),
        listed_ideas(reader, ideas, mine, headwords_first(readers, mine)),
        reader.catalogue.by_id,
        following,
    )


def _main_branches(tree: tuple[Branch, ...]) -> tuple[Branch, ...]:
    """List the main contexts: a tree that has one root begins below it."""
    return tree[0].below if len(tree) == 1 and tree[0].below else tree


def find_pictured(
    reader: Reader, stretch: Callable[[int, int], list[int]], start: int, limit: int = PICTURES_ON_A_PAGE
) -> tuple[list[int], int | None]:
    """Find the next ideas with a picture among those that `stretch` lists from an ID on, and where to go on."""
    found: list[int] = []
    idea_ids = stretch(start, LOOKED_AT)
    for some in chunks(idea_ids, AT_ONCE):
        pictured = pictures.with_pictures(reader, some)
        found += [each for each in some if each in pictured]
        if len(found) > limit:
            return found[:limit], found[limit]
    return found, idea_ids[-1] + 1 if len(idea_ids) == LOOKED_AT else None
