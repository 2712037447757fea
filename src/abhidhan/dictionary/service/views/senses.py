"""The senses of a word as its page shows them: open, in the reader's languages, or folded to a line."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final, NamedTuple, TypeVar

import msgspec

from abhidhan.dictionary.model.collapsed_senses import OPEN_EXAMPLES, OPEN_RELATED, in_order, shown_languages
from abhidhan.dictionary.model.idea_json import IdeaDetails, IdeaJSON, count_by_language, read_details, read_words
from abhidhan.dictionary.service.contexts import Head, Spelling
from abhidhan.records.ideas import Confirmation, Definition, Example, IdeaWord, Relation
from abhidhan.records.languages import ENGLISH, Language
from abhidhan.records.lookup_lists import Named
from abhidhan.records.words import Meaning, Word

T = TypeVar("T", IdeaWord, Definition)

MOST_IN_A_LINE: Final = 60
"""Words of one language under one idea that a page shows; a real idea has up to 28."""

MOST_RELATED: Final = 3
MOST_IN_A_RELATION: Final = 60
"""Words that stand for a related idea; ideas in one relation that the page of a sense shows."""

LONGEST_CLUE: Final = 32
LONGEST_LINE: Final = 120
"""Letters of what tells a sense in a list of them, and in the line to which it is folded."""


class Line(msgspec.Struct, frozen=True):
    """The words of an idea in one language."""

    language: Language
    words: tuple[IdeaWord, ...]
    left_out: int


class Related(msgspec.Struct, frozen=True):
    """The ideas that stand in one relation, each shown by some of its words."""

    type: Named
    ideas: tuple[tuple[Spelling, ...], ...]
    left_out: int = 0


class Told(msgspec.Struct, frozen=True):
    """A text, and the language it is in."""

    text: str
    language: Language


class Sense(msgspec.Struct, frozen=True):
    """A numbered meaning as the page shows it; what follows `told` is empty where it is folded.

    `note` is that of the meaning, unless it is the notice of a source: then the sense `is_draft`, until somebody
    confirms the idea. `clue` is a word, and `told` a line, that tell the sense in a list. `others` is in how many more
    languages there is something.
    """

    number: int
    meaning: Meaning
    note: str | None
    confirmation: Confirmation | None
    head: Head
    clue: Told | None
    told: Told | None
    is_draft: bool = False
    is_open: bool = False
    definitions: tuple[Definition, ...] = ()
    lines: tuple[Line, ...] = ()
    related: tuple[Related, ...] = ()
    examples: tuple[Example, ...] = ()
    more: int = 0
    """How many examples and related ideas are left out."""
    others: int = 0


class Around(NamedTuple):
    """What stands round the senses of a page: a reader's languages by ID; what is known of ideas by theirs.

    `ideas` are those whose senses stand open, `related` those they are related to.
    """

    mine: tuple[int, ...]
    languages: Mapping[int, Language]
    heads: Mapping[int, Head]
    confirmations: Mapping[int, Confirmation]
    notices: frozenset[str]
    known: tuple[int, ...] = ()
    """Those of the reader's languages whose words tell the senses in a list."""
    ideas: Mapping[int, IdeaJSON] = {}
    related: Mapping[int, IdeaJSON] = {}
    is_whole: bool = False
    """Whether all that belongs to the open ideas is shown."""

    def is_draft(self, meaning: Meaning) -> bool:
        """Return whether a meaning is as its source gave it, with a notice, and nobody has checked it."""
        return meaning.note in self.notices and meaning.idea_id not in self.confirmations


def related_ideas(ideas: Iterable[IdeaJSON], *, is_whole: bool) -> list[int]:
    """List the ideas to which some are related, as many as are shown."""
    found = set()
    for idea in ideas:
        for _, relations in _by_type(read_details(idea).relations):
            found |= {each.idea_id for each in relations[: MOST_IN_A_RELATION if is_whole else OPEN_RELATED]}
    return sorted(found)


def fold(number: int, word: Word, meaning: Meaning, around: Around) -> Sense:
    """Show a sense by a line."""
    known = set(around.known) - {word.language_id}
    translations = [each for each in meaning.translations if each.language_id in known]
    clue = _first(translations, around)
    told = _first(meaning.definitions, around)
    return Sense(
        number,
        meaning,
        None if meaning.note in around.notices else meaning.note,
        around.confirmations.get(meaning.idea_id),
        around.heads[meaning.idea_id],
        _told(clue.word, clue, around, LONGEST_CLUE) if clue else _told_of(told, around, LONGEST_CLUE),
        _told_of(told, around, LONGEST_LINE),
        is_draft=around.is_draft(meaning),
    )


def unfold(sense: Sense, word: Word, around: Around) -> Sense:
    """Show a sense with what belongs to its idea, in the reader's languages or, if the page is of it alone, in all."""
    idea = around.ideas[sense.meaning.idea_id]
    details = read_details(idea)
    counts = count_by_language(idea)
    counts |= {each.language_id: 1 for each in details.definitions if each.language_id not in counts}
    shown = frozenset(counts) if around.is_whole else shown_languages(counts, (*around.mine, word.language_id))
    needed = None if len(shown) == len(counts) else shown | {ENGLISH}
    words = tuple([each for each in read_words(idea, needed) if each.id != word.id])
    examples = _examples(details, word, around)
    related = tuple(_related(word, details.relations, around))
    return msgspec.structs.replace(
        sense,
        is_open=True,
        meaning=_whole_meaning(sense.meaning, details, words),
        definitions=_definitions(details, shown, around),
        lines=tuple(_lines(word, [each for each in words if each.language_id in shown], around)),
        related=related,
        examples=examples,
        more=len(details.examples) - len(examples) + sum(each.left_out for each in related),
        others=len(counts) - len(shown),
    )


def _whole_meaning(meaning: Meaning, details: IdeaDetails, words: tuple[IdeaWord, ...]) -> Meaning:
    return msgspec.structs.replace(
        meaning, translations=words, examples=details.examples, relations=details.relations, photos=details.photos
    )


def _first(texts: Iterable[T], around: Around) -> T | None:
    """Choose the text in the language that the reader puts first, or in any."""
    places = {language_id: place for place, language_id in enumerate(around.mine)}
    return min(texts, key=lambda each: places.get(each.language_id, len(places)), default=None)


def _told(text: str, of: IdeaWord | Definition, around: Around, longest: int) -> Told:
    short = text if len(text) <= longest else text[: longest - 1].rstrip() + "…"
    return Told(short, around.languages[of.language_id])


def _told_of(definition: Definition | None, around: Around, longest: int) -> Told | None:
    return _told(definition.text, definition, around, longest) if definition else None


def _definitions(details: IdeaDetails, shown: frozenset[int], around: Around) -> tuple[Definition, ...]:
    """List the definitions in the languages shown, the reader's first; one in another language rather than none."""
    order = in_order({each.language_id for each in details.definitions}, around.mine)
    ordered = sorted(details.definitions, key=lambda each: order.index(each.language_id))
    return tuple([each for each in ordered if each.language_id in shown] or ordered[:1])


def _examples(details: IdeaDetails, word: Word, around: Around) -> tuple[Example, ...]:
    """List examples, those in the word's own language first; some of them only, unless all is shown."""
    order = in_order({each.language_id for each in details.examples}, (word.language_id, *around.mine))
    ordered = sorted(details.examples, key=lambda each: order.index(each.language_id))
    return tuple(ordered if around.is_whole else ordered[:OPEN_EXAMPLES])


def _lines(word: Word, translations: Sequence[IdeaWord], around: Around) -> Iterator[Line]:
    """Gather words by language: the word's own language with its synonyms, the reader's, then the others."""
    words: dict[int, list[IdeaWord]] = {}
    for each in translations:
        words.setdefault(each.language_id, []).append(each)
    for language_id in in_order(words, (word.language_id, *around.mine)):
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
    """Gather the related ideas by the type of their relation."""
    for relation_type, of_type in _by_type(relations):
        some = [around.related[each.idea_id] for each in of_type if each.idea_id in around.related]
        most = MOST_IN_A_RELATION if around.is_whole else OPEN_RELATED
        ideas = (_named(word, idea, around) for idea in some[:most])
        yield Related(relation_type, tuple(idea for idea in ideas if idea), max(0, len(of_type) - most))


def _named(word: Word, idea: IdeaJSON, around: Around) -> tuple[Spelling, ...]:
    """Name an idea by words of the entry's own language, and one beside them in the reader's; else by its first."""
    beside = next((each for each in (*around.mine, ENGLISH) if each != word.language_id), ENGLISH)
    words = list(read_words(idea, frozenset({word.language_id, beside})))
    own = [each for each in words if each.language_id == word.language_id][:MOST_RELATED]
    others = [each for each in words if each.language_id == beside][: 1 if own else MOST_RELATED]
    named = [*own, *others] or list(read_words(idea))[:MOST_RELATED]
    return tuple((each.word, around.languages[each.language_id]) for each in named)
