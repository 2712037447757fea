"""Senses on the page of a word: open, in the reader's languages, or collapsed to one line."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Final, NamedTuple

import msgspec

from abhidhan.dictionary.model.collapsed_senses import (
    MAX_OPEN_EXAMPLES,
    MAX_OPEN_RELATED,
    choose_visible_languages,
    sort_languages,
)
from abhidhan.dictionary.model.idea_json import IdeaDetails, IdeaJSON, count_by_language, decode_details, read_words
from abhidhan.dictionary.service.contexts import IdeaHeading, Spelling
from abhidhan.records.ideas import Confirmation, Example, IdeaWord, Relation
from abhidhan.records.ideas import Definition as StoredDefinition
from abhidhan.records.languages import ENGLISH, Language
from abhidhan.records.lookup_lists import Named
from abhidhan.records.words import Meaning, Word

MAX_WORDS_IN_LINE: Final = 60
"""Maximum number of words of one language shown for an idea; a real idea has up to 28."""

MAX_RELATED_WORDS: Final = 3
MAX_RELATED_IDEAS: Final = 60
"""Maximum number of ideas in one relation on the page of a sense (`MAX_RELATED_WORDS`: words per related idea)."""


class TranslationLine(msgspec.Struct, frozen=True):
    """The words of an idea in one language."""

    language: Language
    words: tuple[IdeaWord, ...]
    left_out: int


class OtherLanguage(msgspec.Struct, frozen=True):
    """Collapsed part of a sense in one language: words of the idea, and its definition."""

    language: Language
    words: tuple[IdeaWord, ...] = ()
    definition: str | None = None
    left_out: int = 0


class RelatedIdeas(msgspec.Struct, frozen=True):
    """Ideas in one relation, each shown by some of its words."""

    type: Named
    ideas: tuple[tuple[Spelling, ...], ...]
    left_out: int = 0


class SenseDefinition(msgspec.Struct, frozen=True):
    """A definition and its language."""

    text: str
    language: Language


class SenseView(msgspec.Struct, frozen=True):
    """Numbered meaning as shown on the page; the fields after `gloss` are empty if it is collapsed.

    `note` is that of the meaning, unless it is the notice of a source: the sense is then `is_draft` until an editor
    confirms the idea.
    """

    number: int
    meaning: Meaning
    note: str | None
    confirmation: Confirmation | None
    head: IdeaHeading
    is_draft: bool
    answer: tuple[TranslationLine, ...]
    """Translations in the reader's languages, or else in one other language."""
    gloss: SenseDefinition | None
    """The definition in the first available of the reader's languages, or else in another language."""
    is_open: bool = False
    elsewhere: tuple[OtherLanguage, ...] = ()
    """Synonyms, and words and definitions in other languages."""
    related: tuple[RelatedIdeas, ...] = ()
    examples: tuple[Example, ...] = ()
    more: int = 0
    """Number of examples and related ideas that are left out."""
    others: int = 0
    """Number of further languages with words or definitions."""


class SenseContext(NamedTuple):
    """Context of the senses of a page: languages and ideas by ID.

    `ideas` are those of open senses, `related` the ideas they are related to.
    """

    preferred_ids: tuple[int, ...]
    languages: Mapping[int, Language]
    headings: Mapping[int, IdeaHeading]
    confirmations: Mapping[int, Confirmation]
    notices: frozenset[str]
    ideas: Mapping[int, IdeaJSON] = {}
    related: Mapping[int, IdeaJSON] = {}
    is_whole: bool = False
    """True if everything about the open ideas is shown."""

    def is_draft(self, meaning: Meaning) -> bool:
        """Return whether a meaning has the notice of its source and its idea is unconfirmed."""
        return meaning.note in self.notices and meaning.idea_id not in self.confirmations


def list_related_ids(ideas: Iterable[IdeaJSON], *, is_whole: bool) -> list[int]:
    """List the IDs of the related ideas that are shown."""
    related_ids = set()
    for idea in ideas:
        for _, relations in _group_by_type(decode_details(idea).relations):
            related_ids |= {
                relation.idea_id for relation in relations[: MAX_RELATED_IDEAS if is_whole else MAX_OPEN_RELATED]
            }
    return sorted(related_ids)


def collapse_sense(number: int, word: Word, meaning: Meaning, context: SenseContext) -> SenseView:
    """Build a collapsed sense with its translations and definition."""
    return SenseView(
        number,
        meaning,
        None if meaning.note in context.notices else meaning.note,
        context.confirmations.get(meaning.idea_id),
        context.headings[meaning.idea_id],
        context.is_draft(meaning),
        _list_translation_lines(word, meaning.translations, context),
        _choose_definition(meaning.definitions, context),
    )


def expand_sense(sense: SenseView, word: Word, context: SenseContext) -> SenseView:
    """Open a sense: add the data of its idea, in the reader's languages or, on the page of one sense, in all."""
    idea = context.ideas[sense.meaning.idea_id]
    details = decode_details(idea)
    counts = count_by_language(idea)
    counts |= {item.language_id: 1 for item in details.definitions if item.language_id not in counts}
    language_ids = (
        frozenset(counts)
        if context.is_whole
        else choose_visible_languages(counts, (*context.preferred_ids, word.language_id))
    )
    languages_read = None if len(language_ids) == len(counts) else language_ids | {ENGLISH}
    words = tuple([item for item in read_words(idea, languages_read) if item.id != word.id])
    answer = _list_translation_lines(word, words, context)
    gloss = _choose_definition(details.definitions, context)
    examples = _list_examples(details, word, context)
    related = tuple(_iter_related_ideas(word, details.relations, context))
    return msgspec.structs.replace(
        sense,
        is_open=True,
        meaning=_complete_meaning(sense.meaning, details, words),
        answer=answer,
        gloss=gloss,
        elsewhere=tuple(_iter_other_languages(word, words, details.definitions, language_ids, answer, gloss, context)),
        related=related,
        examples=examples,
        more=len(details.examples) - len(examples) + sum(item.left_out for item in related),
        others=len(counts) - len(language_ids),
    )


def _complete_meaning(meaning: Meaning, details: IdeaDetails, words: tuple[IdeaWord, ...]) -> Meaning:
    return msgspec.structs.replace(
        meaning, translations=words, examples=details.examples, relations=details.relations, photos=details.photos
    )


def _list_translation_lines(
    word: Word, translations: Iterable[IdeaWord], context: SenseContext
) -> tuple[TranslationLine, ...]:
    """Return the translations in the reader's languages, or else those in the first other language."""
    lines = [line for line in _iter_lines(translations, context) if line.language.id != word.language_id]
    preferred_lines = [line for line in lines if line.language.id in context.preferred_ids]
    return tuple(preferred_lines or lines[:1])


def _choose_definition(definitions: Iterable[StoredDefinition], context: SenseContext) -> SenseDefinition | None:
    """Return the definition in the first available of the reader's languages, or else in another language."""
    positions = {language_id: position for position, language_id in enumerate(context.preferred_ids)}
    first = min(definitions, key=lambda definition: positions.get(definition.language_id, len(positions)), default=None)
    return SenseDefinition(first.text, context.languages[first.language_id]) if first else None


def _iter_other_languages(  # noqa: PLR0913, PLR0917 (the data, and the parts shown above)
    word: Word,
    words: Iterable[IdeaWord],
    definitions: Iterable[StoredDefinition],
    language_ids: frozenset[int],
    answer: tuple[TranslationLine, ...],
    gloss: SenseDefinition | None,
    context: SenseContext,
) -> Iterator[OtherLanguage]:
    """Yield the remaining words and definitions by language: the word's own first, then the reader's."""
    answer_languages = {line.language.id for line in answer}
    lines = {line.language.id: line for line in _iter_lines(words, context) if line.language.id not in answer_languages}
    texts = {
        definition.language_id: definition.text
        for definition in definitions
        if gloss is None or definition.text != gloss.text
    }
    for language_id in sort_languages(
        (lines.keys() | texts.keys()) & language_ids, (word.language_id, *context.preferred_ids)
    ):
        line = lines.get(language_id)
        yield OtherLanguage(
            context.languages[language_id],
            line.words if line else (),
            texts.get(language_id),
            line.left_out if line else 0,
        )


def _list_examples(details: IdeaDetails, word: Word, context: SenseContext) -> tuple[Example, ...]:
    """List examples, those in the word's own language first; only a few unless the whole idea is shown."""
    order = sort_languages(
        {example.language_id for example in details.examples}, (word.language_id, *context.preferred_ids)
    )
    ordered = sorted(details.examples, key=lambda example: order.index(example.language_id))
    return tuple(ordered if context.is_whole else ordered[:MAX_OPEN_EXAMPLES])


def _iter_lines(translations: Iterable[IdeaWord], context: SenseContext) -> Iterator[TranslationLine]:
    """Group words by language, the reader's languages first."""
    words: dict[int, list[IdeaWord]] = {}
    for translation in translations:
        words.setdefault(translation.language_id, []).append(translation)
    for language_id in sort_languages(words, context.preferred_ids):
        language_words = words[language_id]
        yield TranslationLine(
            context.languages[language_id],
            tuple(language_words[:MAX_WORDS_IN_LINE]),
            max(0, len(language_words) - MAX_WORDS_IN_LINE),
        )


def _group_by_type(relations: Iterable[Relation]) -> Iterator[tuple[Named, list[Relation]]]:
    for _, group in groupby(relations, key=lambda relation: relation.type.id):
        same_type = list(group)
        yield same_type[0].type, same_type


def _iter_related_ideas(word: Word, relations: Iterable[Relation], context: SenseContext) -> Iterator[RelatedIdeas]:
    """Group the related ideas by relation type."""
    for relation_type, same_type in _group_by_type(relations):
        idea_jsons = [
            context.related[relation.idea_id] for relation in same_type if relation.idea_id in context.related
        ]
        limit = MAX_RELATED_IDEAS if context.is_whole else MAX_OPEN_RELATED
        ideas = (_choose_words(word, idea, context) for idea in idea_jsons[:limit])
        yield RelatedIdeas(relation_type, tuple(idea for idea in ideas if idea), max(0, len(same_type) - limit))


def _choose_words(word: Word, idea: IdeaJSON, context: SenseContext) -> tuple[Spelling, ...]:
    """Choose words for an idea: in the entry's language, and one in the reader's; otherwise its first words."""
    other_language_id = next((item for item in (*context.preferred_ids, ENGLISH) if item != word.language_id), ENGLISH)
    words = list(read_words(idea, frozenset({word.language_id, other_language_id})))
    own_words = [item for item in words if item.language_id == word.language_id][:MAX_RELATED_WORDS]
    other_words = [item for item in words if item.language_id == other_language_id][
        : 1 if own_words else MAX_RELATED_WORDS
    ]
    chosen = [*own_words, *other_words] or list(read_words(idea))[:MAX_RELATED_WORDS]
    return tuple((item.word, context.languages[item.language_id]) for item in chosen)
