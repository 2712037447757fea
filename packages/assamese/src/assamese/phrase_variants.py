"""Variants of a phrase with other articles, a genitive or another order, by the `phrases` rules of its language."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, product
from typing import Final

from assamese.inflection import propose_stems
from assamese.keys import loose_key
from assamese.language_rules import LANGUAGE_RULES, PhraseRules
from assamese.normalization import split_words

MAX_WORDS: Final = 6
"""Maximum number of words of a query with variants; longer ones are looked up word by word only."""

MAX_LEMMAS_PER_WORD: Final = 4
MAX_LEMMATIZED_READINGS: Final = 16
"""The maximum number of variants with inflected words replaced by possible lemmas."""


def build_variants(text: str, language: str) -> tuple[str, ...]:
    """Return the variants of a phrase: with other articles, with a genitive, or in another order.

    Their words are loose keys; the likeliest comes first. A text of one word, or in a language without a table, has no
    variants.
    """
    words, rules = _split_phrase(text, language)
    return _join_phrases(words, _iter_arrangements(words, rules, keep_order=False)) if words else ()


def build_lemma_variants(text: str, language: str) -> tuple[str, ...]:
    """Return the variants of a text with inflected words replaced by their lemmas (`came back`: come back)."""
    words, rules = _split_phrase(text, language)
    if not words:
        return ()
    lemmatized = (
        arrangement
        for reading in _iter_lemmatized(words, language)
        for arrangement in (reading, *_iter_arrangements(reading, rules, keep_order=True))
    )
    return _join_phrases(words, lemmatized)


def list_articles(language: str) -> frozenset[str]:
    """Return the articles of a language, as loose keys."""
    rules = LANGUAGE_RULES.get(language)
    return frozenset(rules.phrases.articles) if rules else frozenset()


def _split_phrase(text: str, language: str) -> tuple[tuple[str, ...], PhraseRules]:
    rules = LANGUAGE_RULES[language].phrases if language in LANGUAGE_RULES else PhraseRules()
    words = tuple(filter(None, (loose_key(word, language) for word in split_words(text))))
    return (words if rules.articles and 1 < len(words) <= MAX_WORDS else ()), rules


def _join_phrases(words: tuple[str, ...], candidates: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(" ".join(phrase) for phrase in dict.fromkeys(candidates) if phrase and phrase != words)


def _iter_lemmatized(words: tuple[str, ...], language: str) -> Iterator[tuple[str, ...]]:
    """Yield the phrase with some words replaced by lemmas, those with the fewest replacements first."""
    choices = [(word, *(stem.key for stem in propose_stems(word, language)[:MAX_LEMMAS_PER_WORD])) for word in words]
    readings = sorted(product(*choices), key=lambda reading: sum(map(str.__ne__, reading, words)))
    return islice(readings, 1, MAX_LEMMATIZED_READINGS + 1)


def _iter_arrangements(words: Sequence[str], rules: PhraseRules, *, keep_order: bool) -> Iterator[tuple[str, ...]]:
    """Yield a phrase with an article or particle removed or added, with a genitive, or in another order."""
    bare = tuple(word for word in words if word not in rules.articles)
    bare = bare[1:] if bare[:1] in {(word,) for word in rules.before_verbs} else bare
    if len(words) > 1 and words[-1] in rules.last_particles:
        yield tuple(words[:-1])
    yield bare
    for index in range(len(bare)):
        yield from ((*bare[:index], article, *bare[index:]) for article in rules.articles)
    if len(bare) > 1:
        yield from ((*bare, particle) for particle in rules.last_particles)
        for index in range(1, len(bare)):
            yield (*bare[: index - 1], bare[index - 1] + rules.genitive, *bare[index:])
        if not keep_order:
            yield from _iter_reordered(bare, rules)


def _iter_reordered(words: tuple[str, ...], rules: PhraseRules) -> Iterator[tuple[str, ...]]:
    """Yield a phrase with its last word first or its first word last, and with either possessive construction."""
    if rules.possessive in words[1:-1]:
        index = words.index(rules.possessive, 1)
        possession, possessor = words[:index], words[index + 1 :]
        yield (*possessor, *possession)
        yield (*possessor[:-1], possessor[-1] + rules.genitive, *possession)
        return
    yield (words[-1], *words[:-1])
    yield (*words[1:], words[0])
    owned, last_of_owner = words[-1], words[-2].removesuffix(rules.genitive)
    owner = (*words[:-2], last_of_owner)
    yield (owned, rules.possessive, *owner)
    yield from ((owned, rules.possessive, article, *owner) for article in rules.articles)
