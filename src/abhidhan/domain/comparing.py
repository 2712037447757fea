"""Comparing a record of a file with what the dictionary has under its name, as facts that are told one by one."""

from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from abhidhan.domain.records import (
    CardSetRecord,
    FormsRecord,
    IdeaRecord,
    LanguageRecord,
    ListItemRecord,
    PhraseRecord,
    Record,
    SourceRecord,
    WordRecord,
)
from abhidhan.errors import quoted

Fact = str | float | None

TIMES = frozenset({"created", "updated", "added"})
"""What is told of a record that nobody has written."""

OF_SOURCES_AND_LANGUAGES = frozenset({"code", "id"})
BESIDE_AN_IDEA = TIMES | {"source", "key", "words", "contexts", "definitions", "examples", "relations", "aliases"}
BESIDE_A_WORD = TIMES | {"language", "text", "forms", "source", "position"}
BESIDE_A_PHRASE = TIMES | {"source", "key"}
BESIDE_A_SET = frozenset({"source", "key", "cards"})


KIND_NAMES: Final[Mapping[type, str]] = {
    IdeaRecord: "idea {0.source}:{0.key}",
    PhraseRecord: "proverb {0.source}:{0.key}",
    CardSetRecord: "flashcards {0.source}:{0.key}",
    FormsRecord: "forms of {0.language} {0.text}",
    LanguageRecord: "language {0.code}",
    SourceRecord: "source {0.code}",
    ListItemRecord: "value {0.list} {0.value}",
}
"""What records are called, as reports call them."""


def name_of(record: Record) -> str | None:
    """Return what a record is called; what only says something of others has no name."""
    called = KIND_NAMES.get(type(record))
    return called.format(record) if called else None


def other_names(record: Record) -> tuple[str, ...]:
    """Return under which names files know a record besides its own: those of ideas that were merged into it."""
    return tuple(f"idea {name}" for name in record.aliases) if isinstance(record, IdeaRecord) else ()


def facts_of(record: Record) -> dict[str, Fact]:
    """Return what a record says, each thing by what it is."""
    match record:
        case IdeaRecord():
            facts = dict(_facts_of_idea(record))
        case PhraseRecord():
            facts = _plain(record, BESIDE_A_PHRASE)
        case CardSetRecord():
            facts = _plain(record, BESIDE_A_SET) | dict(_facts_of_cards(record))
        case FormsRecord():
            facts = {f"form {form}": tag for form, tag in record.forms}
        case ListItemRecord():
            facts = {"value": record.value, "code": record.code, "short": record.short}
        case _:
            facts = _plain(record, OF_SOURCES_AND_LANGUAGES)
    return facts


def kept_of(here: Record, given: Record) -> list[str]:
    """List what a file gives that the dictionary does not have so: what the dictionary has was kept."""
    there = facts_of(here)
    return [
        _told(label, there.get(label), value)
        for label, value in facts_of(given).items()
        if value is not None and there.get(label) != value
    ]


def changed_of(before: Record, after: Record) -> list[str]:
    """List what is other than it was."""
    old, new = facts_of(before), facts_of(after)
    labels = dict.fromkeys((*old, *new))
    return [label for label in labels if old.get(label) != new.get(label)]


def _told(label: str, here: Fact, given: Fact) -> str:
    if given == label:
        return f"{label} is only in the file"
    return f"{label} is {'nothing' if here is None else quoted(str(here))} here, {quoted(str(given))} in the file"


def _facts_of_idea(record: IdeaRecord) -> Iterator[tuple[str, Fact]]:
    yield from _plain(record, BESIDE_AN_IDEA).items()
    labels = [
        *(f"context {name}" for name in record.contexts),
        *(f"definition {one.language} {quoted(one.text)}" for one in record.definitions),
        *(f"relation {one.type} {one.idea}" for one in record.relations),
        *(f"word {word.language} {word.text}" for word in record.words),
        *(f"form {form} of {word.language} {word.text}" for word in record.words for form in word.forms),
    ]
    yield from ((label, label) for label in labels)
    for example in record.examples:
        label = f"example {example.language} {quoted(example.text)}"
        yield label, label if example.translation is None else example.translation
    for word in record.words:
        yield from _facts_of_word(word)


def _facts_of_word(word: WordRecord) -> Iterator[tuple[str, Fact]]:
    for name, value in _plain(word, BESIDE_A_WORD).items():
        if value is not None:
            yield f"{name} of {word.language} {word.text}", value


def _facts_of_cards(record: CardSetRecord) -> Iterator[tuple[str, Fact]]:
    for one in record.cards:
        yield f"card {quoted(one.clue)}", one.answer
        yield f"idea of card {quoted(one.clue)}", one.idea
        yield f"picture of card {quoted(one.clue)}", one.picture


def _plain(record: msgspec.Struct, beside: frozenset[str]) -> dict[str, Fact]:
    return {name: getattr(record, name) for name in record.__struct_fields__ if name not in beside}


def is_same(here: Record, given: Record) -> bool:
    """Say whether two records are one and the same in everything, also in order and times."""
    return everything(here) == everything(given)


def everything(record: Record) -> object:
    """Return all that a record says, in a form in which two that say the same are equal."""
    if not isinstance(record, IdeaRecord):
        return record
    words = {(word.language, word.text): _word_in_full(word, record) for word in record.words}
    several = frozenset(record.contexts), frozenset(record.relations), frozenset(record.aliases)
    updated = record.created if record.updated is None else record.updated
    bare = msgspec.structs.replace(record, words=(), contexts=(), relations=(), aliases=(), updated=updated)
    return bare, words, several


def _word_in_full(word: WordRecord, idea: IdeaRecord) -> WordRecord:
    created = idea.created if word.created is None else word.created
    return msgspec.structs.replace(
        word,
        source=word.source or idea.source,
        position=word.position or 1,
        forms=tuple(sorted(word.forms)),
        created=created,
        updated=created if word.updated is None else word.updated,
        added=idea.created if word.added is None else word.added,
    )
