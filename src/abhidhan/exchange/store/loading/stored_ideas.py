"""Comparison of a file's ideas with stored ones: removed parts stay removed, missing parts are recorded."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from sqlalchemy import bindparam, select

from abhidhan.exchange.store.loading.differences import Group, Part
from abhidhan.exchange.store.loading.load_context import Load
from abhidhan.exchange.store.loading.words import Spelling, StoredWord
from abhidhan.platform.database.compiled_queries import by_size, in_list
from abhidhan.records.import_records import NewIdea, Placed, Policy
from abhidhan.schema import definition, example, idea_context, sense, word

KNOWN_DEFINITIONS = by_size(
    lambda size: select(definition.c.idea_id, definition.c.language_id, definition.c.text).where(
        in_list(definition.c.idea_id, "idea", size)
    )
)
KNOWN_EXAMPLES = by_size(
    lambda size: select(example.c.idea_id, example.c.language_id, example.c.text, example.c.translation).where(
        in_list(example.c.idea_id, "idea", size)
    )
)
KNOWN_CONTEXTS = by_size(
    lambda size: select(idea_context.c.idea_id, idea_context.c.context_id).where(
        in_list(idea_context.c.idea_id, "idea", size)
    )
)
KNOWN_LINKS = by_size(
    lambda size: select(sense.c.idea_id, sense.c.word_id, sense.c.language_id, sense.c.source_id).where(
        in_list(sense.c.idea_id, "idea", size)
    )
)


_KNOWN_WORDS = by_size(
    lambda size: select(word.c.text, word.c.id).where(
        word.c.language_id == bindparam("language_id"), in_list(word.c.text, "text", size)
    )
)


def without_removed(
    load: Load, batch: Sequence[tuple[Placed, NewIdea]], known: Mapping[tuple[int, str], int]
) -> Iterator[tuple[Placed, NewIdea]]:
    """Yield the ideas without the parts that were removed here, and skip those that were deleted.

    `known` has the IDs of existing ideas by their names in the file.
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
                detail = f"A part of the idea {given.key} was deleted or corrected here since."
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


def compare_parts(load: Load, ideas: Sequence[tuple[int, NewIdea, bool]], words: dict[Spelling, StoredWord]) -> None:
    """Record the parts of stored ideas that the file no longer has: of its own ideas all, of others only its words."""
    if load.differences is None or load.policy is not Policy.UPDATE:
        return
    there: defaultdict[int, dict[Part, Group]] = defaultdict(dict)
    ids = list(dict.fromkeys(idea_id for idea_id, _, _ in ideas))
    own = list(dict.fromkeys(idea_id for idea_id, _, is_own in ideas if is_own))
    for kind, query in (("definition", KNOWN_DEFINITIONS), ("example", KNOWN_EXAMPLES)):
        for idea_id, *values in load.bulk.rows_among(query, "idea", own):
            there[idea_id][Part(kind, tuple(values))] = (kind, values[0])
    for idea_id, context_id in load.bulk.rows_among(KNOWN_CONTEXTS, "idea", own):
        there[idea_id][Part("context", (context_id,))] = ("context",)
    for idea_id, word_id, language_id, source_id in load.bulk.rows_among(KNOWN_LINKS, "idea", ids):
        if load.is_own(source_id):
            there[idea_id][Part("sense", (word_id,))] = ("sense", language_id, source_id)
    for idea_id, given, _ in ideas:
        load.differences.compare(idea_id, there[idea_id], dict(_given_parts(given, words)))


def _given_parts(given: NewIdea, words: dict[Spelling, StoredWord]) -> Iterator[tuple[Part, Group]]:
    for language_id, text in given.definitions:
        yield Part("definition", (language_id, text)), ("definition", language_id)
    for language_id, text, translation in given.examples:
        yield Part("example", (language_id, text, translation)), ("example", language_id)
    for context_id in given.contexts:
        yield Part("context", (context_id,)), ("context",)
    for one in given.words:
        word_id = words[one.language_id, one.text].id
        yield Part("sense", (word_id,)), ("sense", one.language_id, one.source_id or given.source_id)
