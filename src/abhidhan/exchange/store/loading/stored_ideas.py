"""Comparison of a file's ideas with stored ones: drops parts that users removed, records missing parts."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from sqlalchemy import bindparam, select

from abhidhan.exchange.store.loading.differences import ComparedPart, PartGroup
from abhidhan.exchange.store.loading.load_context import Load
from abhidhan.exchange.store.loading.words import Spelling, StoredWord
from abhidhan.platform.database.compiled_queries import in_list, per_list_size
from abhidhan.records.import_records import ConflictPolicy, LocatedRecord, NewIdea
from abhidhan.schema import definition, example, idea_context, sense, word

STORED_DEFINITIONS = per_list_size(
    lambda size: select(definition.c.idea_id, definition.c.language_id, definition.c.text).where(
        in_list(definition.c.idea_id, "idea", size)
    )
)
STORED_EXAMPLES = per_list_size(
    lambda size: select(example.c.idea_id, example.c.language_id, example.c.text, example.c.translation).where(
        in_list(example.c.idea_id, "idea", size)
    )
)
STORED_CONTEXTS = per_list_size(
    lambda size: select(idea_context.c.idea_id, idea_context.c.context_id).where(
        in_list(idea_context.c.idea_id, "idea", size)
    )
)
STORED_LINKS = per_list_size(
    lambda size: select(sense.c.idea_id, sense.c.word_id, sense.c.language_id, sense.c.source_id).where(
        in_list(sense.c.idea_id, "idea", size)
    )
)


_WORDS_BY_TEXT = per_list_size(
    lambda size: select(word.c.text, word.c.id).where(
        word.c.language_id == bindparam("language_id"), in_list(word.c.text, "text", size)
    )
)


def drop_removed_parts(
    load: Load, batch: Sequence[tuple[LocatedRecord, NewIdea]], idea_ids: Mapping[tuple[int, str], int]
) -> Iterator[tuple[LocatedRecord, NewIdea]]:
    """Yield the ideas, except those that users have deleted, without the parts that users have removed.

    `idea_ids` has the IDs of existing ideas by their names in the file.
    """
    if load.tombstones.is_empty:
        yield from batch
        return
    words = _find_word_ids(load, [idea for _, idea in batch])
    for located, idea in batch:
        idea_id = idea_ids.get((idea.source_id, idea.key))
        if idea_id is not None:
            remaining = load.tombstones.drop_removed_parts(idea_id, idea, words)
            if remaining != idea:
                detail = f"A part of the idea {idea.key} was deleted or corrected here since."
                load.withhold(located.file, located.line, detail)
            yield located, remaining
        elif load.tombstones.is_idea_deleted(load.history_source_id(idea.source_id), idea.key):
            load.withhold(located.file, located.line, f"The idea {idea.key} was deleted here since.")
        else:
            yield located, idea


def _find_word_ids(load: Load, ideas: Sequence[NewIdea]) -> dict[tuple[int, str], int]:
    texts: defaultdict[int, set[str]] = defaultdict(set)
    for idea in ideas:
        for new_word in idea.words:
            texts[new_word.language_id].add(new_word.text)
    return {
        (language_id, text): word_id
        for language_id, of_language in texts.items()
        for text, word_id in load.bulk.rows_for_values(
            _WORDS_BY_TEXT, "text", sorted(of_language), language_id=language_id
        )
    }


def compare_parts(load: Load, ideas: Sequence[tuple[int, NewIdea, bool]], words: dict[Spelling, StoredWord]) -> None:
    """Record the parts of stored ideas that the file no longer has; for ideas of other sources, only word links."""
    if load.differences is None or load.policy is not ConflictPolicy.UPDATE:
        return
    stored_parts: defaultdict[int, dict[ComparedPart, PartGroup]] = defaultdict(dict)
    ids = list(dict.fromkeys(idea_id for idea_id, _, _ in ideas))
    own_ids = list(dict.fromkeys(idea_id for idea_id, _, is_own in ideas if is_own))
    for kind, query in (("definition", STORED_DEFINITIONS), ("example", STORED_EXAMPLES)):
        for idea_id, *values in load.bulk.rows_for_values(query, "idea", own_ids):
            stored_parts[idea_id][ComparedPart(kind, tuple(values))] = (kind, values[0])
    for idea_id, context_id in load.bulk.rows_for_values(STORED_CONTEXTS, "idea", own_ids):
        stored_parts[idea_id][ComparedPart("context", (context_id,))] = ("context",)
    for idea_id, word_id, language_id, source_id in load.bulk.rows_for_values(STORED_LINKS, "idea", ids):
        if load.is_own_source(source_id):
            stored_parts[idea_id][ComparedPart("sense", (word_id,))] = ("sense", language_id, source_id)
    for idea_id, idea, _ in ideas:
        load.differences.compare_idea(idea_id, stored_parts[idea_id], dict(_file_parts(idea, words)))


def _file_parts(idea: NewIdea, words: dict[Spelling, StoredWord]) -> Iterator[tuple[ComparedPart, PartGroup]]:
    for language_id, text in idea.definitions:
        yield ComparedPart("definition", (language_id, text)), ("definition", language_id)
    for language_id, text, translation in idea.examples:
        yield ComparedPart("example", (language_id, text, translation)), ("example", language_id)
    for context_id in idea.contexts:
        yield ComparedPart("context", (context_id,)), ("context",)
    for new_word in idea.words:
        word_id = words[new_word.language_id, new_word.text].id
        yield ComparedPart("sense", (word_id,)), ("sense", new_word.language_id, new_word.source_id or idea.source_id)
