"""What a file would bring back that people have removed here: it stays away, and is told."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from sqlalchemy import bindparam, select

from abhidhan.exchange.store.loading.load_context import Load
from abhidhan.platform.database.compiled_queries import by_size, in_list
from abhidhan.records.import_records import NewIdea, Placed
from abhidhan.schema import word

_KNOWN_WORDS = by_size(
    lambda size: select(word.c.text, word.c.id).where(
        word.c.language_id == bindparam("language_id"), in_list(word.c.text, "text", size)
    )
)


def without_removed(
    load: Load, batch: Sequence[tuple[Placed, NewIdea]], known: Mapping[tuple[int, str], int]
) -> Iterator[tuple[Placed, NewIdea]]:
    """Pass ideas on without what was removed of them, and those not at all that were deleted.

    `known` are the IDs of ideas that are there, by the name that the file has for them.
    """
    if load.removed.is_empty:
        yield from batch
        return
    words = _known_words(load, [given for _, given in batch])
    for placed, given in batch:
        idea_id = known.get((given.source_id, given.key))
        if idea_id is not None:
            left = load.removed.left_of(idea_id, given, words)
            if left != given:
                detail = f"Of the idea {given.key}, something was deleted or corrected here since."
                load.withhold(placed.file, placed.line, detail)
            yield placed, left
        elif load.removed.has_idea(load.source_in_history(given.source_id), given.key):
            load.withhold(placed.file, placed.line, f"The idea {given.key} was deleted here since.")
        else:
            yield placed, given


def _known_words(load: Load, ideas: Sequence[NewIdea]) -> dict[tuple[int, str], int]:
    texts: defaultdict[int, set[str]] = defaultdict(set)
    for given in ideas:
        for one in given.words:
            texts[one.language_id].add(one.text)
    return {
        (language_id, text): word_id
        for language_id, of_language in texts.items()
        for text, word_id in load.bulk.rows_among(_KNOWN_WORDS, "text", sorted(of_language), language_id=language_id)
    }
