"""Senses on the page of a word: open, in the reader's languages, or folded to a line."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Final, NamedTuple

import msgspec

from abhidhan.dictionary.model.collapsed_senses import OPEN_EXAMPLES, OPEN_RELATED, in_order, shown_languages
from abhidhan.dictionary.model.idea_json import IdeaDetails, IdeaJSON, count_by_language, read_details, read_words
from abhidhan.dictionary.service.contexts import Head, Spelling
from abhidhan.records.ideas import Confirmation, Example, IdeaWord, Relation
from abhidhan.records.ideas import Definition as StoredDefinition
from abhidhan.records.languages import ENGLISH, Language
from abhidhan.records.lookup_lists import Named
from abhidhan.records.words import Meaning, Word

MOST_IN_A_LINE: Final = 60
"""Maximum number of words of one language shown for an idea; a real idea has up to 28."""

MOST_RELATED: Final = 3
MOST_IN_A_RELATION: Final = 60
"""Maximum number of ideas in one relation on the page of a sense; MOST_RELATED is that of words per related idea."""


class Line(msgspec.Struct, frozen=True):
    """The words of an idea in one language."""

    language: Language
    words: tuple[IdeaWord, ...]
    left_out: int


class OtherLanguage(msgspec.Struct, frozen=True):
    """Folded part of a sense in one language: words of the idea, and its definition."""

    language: Language
    words: tuple[IdeaWord, ...] = ()
    definition: str | None = None
    left_out: int = 0


class Related(msgspec.Struct, frozen=True):
    """Ideas in one relation, each shown by some of its words."""

    type: Named
    ideas: tuple[tuple[Spelling, ...], ...]
    left_out: int = 0


class Definition(msgspec.Struct, frozen=True):
    """A definition and its language."""

    text: str
    language: Language


class Sense(msgspec.Struct, frozen=True):
    """Numbered meaning as shown on the page; the fields after `gloss` are empty if it is folded.

    `note` is that of the meaning, unless it is the notice of a source: the sense is then `is_draft` until an editor
    confirms the idea.
    """

    number: int
    meaning: Meaning
    note: str | None
    confirmation: Confirmation | None
    head: Head
    is_draft: bool
    answer: tuple[Line, ...]
    """Translations in the reader's languages, or else in one other language."""
    gloss: Definition | None
    """The definition in the first available of the reader's languages, or else in another language."""
    is_open: bool = False
    elsewhere: tuple[OtherLanguage, ...] = ()
    """Synonyms, and words and definitions in other languages."""
    related: tuple[Related, ...] = ()
    examples: tuple[Example, ...] = ()
    more: int = 0
    """Number of examples and related ideas that are left out."""
    others: int = 0
    """Number of further languages with words or definitions."""


class Around(NamedTuple):
    """Context of the senses of a page: languages and ideas by ID.

    `ideas` are those of open senses, `related` the ideas they are related to.
    """

    mine: tuple[int, ...]
    languages: Mapping[int, Language]
    heads: Mapping[int, Head]
    confirmations: Mapping[int, Confirmation]
    notices: frozenset[str]
    ideas: Mapping[int, IdeaJSON] = {}
    related: Mapping[int, IdeaJSON] = {}
    is_whole: bool = False
    """True if everything about the open ideas is shown."""

    def is_draft(self, meaning: Meaning) -> bool:
        """Return whether a meaning has the notice of its source and its idea is unconfirmed."""
        return meaning.note in self.notices and meaning.idea_id not in self.confirmations


def related_ideas(ideas: Iterable[IdeaJSON], *, is_whole: bool) -> list[int]:
    """List the IDs of the related ideas that are shown."""
    found = set()
    for idea in ideas:
        for _, relations in _by_type(read_details(idea).relations):
            found |= {each.idea_id for each in relations[: MOST_IN_A_RELATION if is_whole else OPEN_RELATED]}
    return sorted(found)


def fold(number: int, word: Word, meaning: Meaning, around: Around) -> Sense:
    """Build a folded sense with its translations and definition."""
    return Sense(
        number,
        meaning,
        None if meaning.note in around.notices else meaning.note,
        around.confirmations.get(meaning.idea_id),
        around.heads[meaning.idea_id],
        around.is_draft(meaning),
        _answer(word, meaning.translations, around),
        _gloss(meaning.definitions, around),
    )


def unfold(sense: Sense, word: Word, around: Around) -> Sense:
    """Open a sense: add the data of its idea, in the reader's languages or, on the page of one sense, in all."""
    idea = around.ideas[sense.meaning.idea_id]
    details = read_details(idea)
    counts = count_by_language(idea)
    counts |= {each.language_id: 1 for each in details.definitions if each.language_id not in counts}
    shown = frozenset(counts) if around.is_whole else shown_languages(counts, (*around.mine, word.language_id))
    needed = None if len(shown) == len(counts) else shown | {ENGLISH}
    words = tuple([each for each in read_words(idea, needed) if each.id != word.id])
    answer = _answer(word, words, around)
    gloss = _gloss(details.definitions, around)
    examples = _examples(details, word, around)
    related = tuple(_related(word, details.relations, around))
    return msgspec.structs.replace(
        sense,
        is_open=True,
        meaning=_whole_meaning(sense.meaning, details, words),
        answer=answer,
        gloss=gloss,
        elsewhere=tuple(_elsewhere(word, words, details.definitions, shown, answer, gloss, around)),
        related=related,
        examples=examples,
        more=len(details.examples) - len(examples) + sum(each.left_out for each in related),
        others=len(counts) - len(shown),
    )


def _whole_meaning(meaning: Meaning, details: IdeaDetails, words: tuple[IdeaWord, ...]) -> Meaning:
    return msgspec.structs.replace(
        meaning, translations=words, examples=details.examples, relations=details.relations, photos=details.photos
    )


def _answer(word: Word, translations: Iterable[IdeaWord], around: Around) -> tuple[Line, ...]:
    """Return the translations in the reader's languages, or else those in the first other language."""
    lines = [line for line in _lines(translations, around) if line.language.id != word.language_id]
    mine = [line for line in lines if line.language.id in around.mine]
    return tuple(mine or lines[:1])


def _gloss(definitions: Iterable[StoredDefinition], around: Around) -> Definition | None:
    """Return the definition in the first available of the reader's languages, or else in another language."""
    places = {language_id: place for place, language_id in enumerate(around.mine)}
    first = min(definitions, key=lambda each: places.get(each.language_id, len(places)), default=None)
    return Definition(first.text, around.languages[first.language_id]) if first else None


def _elsewhere(  # noqa: PLR0913, PLR0917 (the data, and the parts shown above)
    word: Word,
    words: Iterable[IdeaWord],
    definitions: Iterable[StoredDefinition],
    shown: frozenset[int],
    answer: tuple[Line, ...],
    gloss: Definition | None,
    around: Around,
) -> Iterator[OtherLanguage]:
    """Yield the remaining words and definitions by language: the word's own first, then the reader's."""
    answered = {line.language.id for line in answer}
    lines = {line.language.id: line for line in _lines(words, around) if line.language.id not in answered}
    texts = {each.language_id: each.text for each in definitions if gloss is None or each.text != gloss.text}
    for language_id in in_order((lines.keys() | texts.keys()) & shown, (word.language_id, *around.mine)):
        line = lines.get(language_id)
        yield OtherLanguage(
            around.languages[language_id],
            line.words if line else (),
            texts.get(language_id),
            line.left_out if line else 0,
        )


def _examples(details: IdeaDetails, word: Word, around: Around) -> tuple[Example, ...]:
    """List examples, those in the word's own language first; only a few unless the whole idea is shown."""
    order = in_order({each.language_id for each in details.examples}, (word.language_id, *around.mine))
    ordered = sorted(details.examples, key=lambda each: order.index(each.language_id))
    return tuple(ordered if around.is_whole else ordered[:OPEN_EXAMPLES])


def _lines(translations: Iterable[IdeaWord], around: Around) -> Iterator[Line]:
    """Group words by language, the reader's languages first."""
    words: dict[int, list[IdeaWord]] = {}
    for each in translations:
        words.setdefault(each.language_id, []).append(each)
    for language_id in in_order(words, around.mine):
        of_language = words[language_id]
        yield Line(
            around.languages[language_id],
            tuple(of_language[:MOST_IN_A_LINE]),
            max(0, len(of_language) - MOST_IN_A_LINE),
        )


def _by_type(relations: Iterable[Relation]) -> Iterator[tuple[Named, list[Relation]]]:
    for _, some in groupby(relations, key=lambda relation: relation.type.id):
        of_type = list(some)
        yield of_type[0].type, of_type


def _related(word: Word, relations: Iterable[Relation], around: Around) -> Iterator[Related]:
    """Group the related ideas by relation type."""
    for relation_type, of_type in _by_type(relations):
        some = [around.related[each.idea_id] for each in of_type if each.idea_id in around.related]
        most = MOST_IN_A_RELATION if around.is_whole else OPEN_RELATED
        ideas = (_named(word, idea, around) for idea in some[:most])
        yield Related(relation_type, tuple(idea for idea in ideas if idea), max(0, len(of_type) - most))


def _named(word: Word, idea: IdeaJSON, around: Around) -> tuple[Spelling, ...]:
    """Choose words for an idea: in the entry's language, and one in the reader's; otherwise its first words."""
    beside = next((each for each in (*around.mine, ENGLISH) if each != word.language_id), ENGLISH)
    words = list(read_words(idea, frozenset({word.language_id, beside})))
    own = [each for each in words if each.language_id == word.language_id][:MOST_RELATED]
    others = [each for each in words if each.language_id == beside][: 1 if own else MOST_RELATED]
    named = [*own, *others] or list(read_words(idea))[:MOST_RELATED]
    return tuple((each.word, around.languages[each.language_id]) for each in named)
