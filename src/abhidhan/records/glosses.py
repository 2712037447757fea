"""Glosses: what a word means, in as few words as can stand beside it in a list."""

from collections.abc import Iterable, Mapping, Sequence

from abhidhan.records.ideas import IdeaWord
from abhidhan.records.languages import ENGLISH
from abhidhan.records.words import Word


def gloss_of(word: Word, preferred: Sequence[int] = ()) -> str | None:
    """Choose a word of another language for the first meaning that has one, else a definition; None without either.

    Languages count by their IDs: those `preferred`, in their order, then English, then the others.
    """
    order = {language_id: place for place, language_id in reversed([*enumerate((*preferred, ENGLISH))])}
    for meaning in word.meanings:
        others = [each for each in meaning.translations if each.language_id != word.language_id]
        if others:
            return first_given(others, order).word
        if meaning.definitions:
            return min(meaning.definitions, key=lambda each: order.get(each.language_id, len(order))).text
    return None


def first_given(words: Iterable[IdeaWord], order: Mapping[int, int]) -> IdeaWord:
    """Choose the word that says best what an idea is: the first one of the language that comes first.

    Raises ValueError when there is no word.
    """
    return min(words, key=lambda each: order.get(each.language_id, len(order)))
