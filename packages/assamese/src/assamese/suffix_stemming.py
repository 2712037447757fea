"""Stemming by the endings in the file of a language (`tables/languages/CODE.toml`)."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from assamese.keys import loose_key
from assamese.language_rules import LANGUAGE_RULES, Ending, EndingLayer, FormRules

VOWELS: Final = frozenset("aeiouঅআইঈউঊঋএঐওঔািীুূৃেৈোৌअआइईउऊऋएऐओऔऍऑऎऒािीुूृेैोौॅॉॆॊ")
"""The default vowel letters and signs of a language. Everything else counts as a consonant."""

DOUBLING_MARK: Final = "="
"""The mark in place of a replacement, for an ending before which the last letter of the headword is doubled."""


class StemCandidate(NamedTuple):
    """A word that remains after removing the endings of a form, and the number of letters removed.

    The number is 0 if words are ranked by the order of the endings in the language's table.
    """

    word: str
    removed_letters: int


class Suffix(NamedTuple):
    """The loose key of an ending, and its possible replacements in the headword."""

    text: str
    replacements: tuple[str, ...]
    after_vowel: bool
    after_consonant: bool


class SuffixRules(NamedTuple):
    """The endings of a language as loose keys."""

    min_stem_letters: int
    keeps_table_order: bool
    vowels: frozenset[str]
    doubled_consonants: str
    layers: tuple[tuple[Suffix, ...], ...]
    verb_layers: tuple[tuple[Suffix, ...], ...]
    irregular: Mapping[str, tuple[str, ...]]
    after_irregular: tuple[str, ...] = ()


def build_suffix_rules(forms: FormRules, language: str) -> SuffixRules:
    """Convert the endings of `language` (BCP 47) to its loose keys."""
    irregular = {
        loose_key(form, language): tuple(loose_key(word, language) for word in words)
        for form, words in forms.irregular.items()
    }
    return SuffixRules(
        forms.least_stem,
        forms.as_listed,
        frozenset(forms.vowels) or VOWELS,
        forms.doubling,
        tuple(_build_layer(layer, language) for layer in forms.endings),
        tuple(_build_layer(layer, language) for layer in forms.endings_of_verbs),
        irregular,
        tuple(loose_key(ending, language) for ending in forms.after_irregular),
    )


def _build_layer(layer: EndingLayer, language: str) -> tuple[Suffix, ...]:
    kinds = ((layer.any, True, True), (layer.after_vowel, True, False), (layer.after_consonant, False, True))
    return tuple(
        _build_suffix(ending, language, after_vowel=after_vowel, after_consonant=after_consonant)
        for endings, after_vowel, after_consonant in kinds
        for ending in endings
    )


def _build_suffix(ending: Ending, language: str, *, after_vowel: bool, after_consonant: bool) -> Suffix:
    text, instead = (ending, ("",)) if isinstance(ending, str) else ending
    keys = tuple(
        replacement if replacement == DOUBLING_MARK else loose_key(replacement, language) for replacement in instead
    )
    return Suffix(loose_key(text, language), keys, after_vowel, after_consonant)


def find_stem_candidates(key: str, suffixes: SuffixRules) -> list[StemCandidate]:
    """Return the words of any part of speech that a form (loose key) may belong to, best first.

    At most one ending of each layer is removed, from the last layer to the first.
    """
    lengths = {key: len(key)}
    for layer in suffixes.layers:
        for word, length in list(lengths.items()):
            for stem, stem_length in _strip_layer(word, layer, suffixes):
                lengths.setdefault(stem, length - len(word) + stem_length)
    return _sort_candidates(
        [StemCandidate(word, len(key) - length) for word, length in list(lengths.items())[1:]], suffixes
    )


def find_doubled_spellings(key: str, suffixes: SuffixRules) -> dict[str, tuple[str, ...]]:
    """Return the spellings of a form with the consonant before an ending doubled: swimming for swiming.

    Each maps to the words of which the form itself is a correct form: planed is one of plane.
    """
    spellings: dict[str, tuple[str, ...]] = {}
    for suffix in (suffix for layer in suffixes.layers for suffix in layer if DOUBLING_MARK in suffix.replacements):
        stem = key.removesuffix(suffix.text)
        if stem != key and len(stem) >= suffixes.min_stem_letters and _may_double(stem, suffixes):
            undoubled_words = tuple(
                stem + instead for instead in suffix.replacements if instead not in {DOUBLING_MARK, ""}
            )
            spellings[stem + stem[-1] + suffix.text] = undoubled_words
    return spellings


def _may_double(stem: str, suffixes: SuffixRules) -> bool:
    """Return whether a stem ends in a consonant that is doubled, after a single vowel (not two, as in reading)."""
    return (
        stem[-1] in suffixes.doubled_consonants and stem[-2] in suffixes.vowels and stem[-3:-2] not in suffixes.vowels
    )


def iter_irregular_words(key: str, suffixes: SuffixRules) -> Iterator[str]:
    """Yield the words of a form (loose key) that is an irregular form with a further ending."""
    for ending in suffixes.after_irregular:
        form = key.removesuffix(ending)
        if form != key and len(form) >= suffixes.min_stem_letters:
            yield from suffixes.irregular.get(form, ())


def find_verb_stem_candidates(key: str, suffixes: SuffixRules) -> list[StemCandidate]:
    """Return the verbs that a form (loose key) with one verb ending may belong to, best first."""
    stems = [stem for layer in suffixes.verb_layers for stem in _strip_layer(key, layer, suffixes)]
    return _sort_candidates([StemCandidate(word, len(key) - length) for word, length in stems], suffixes)


def _sort_candidates(candidates: list[StemCandidate], suffixes: SuffixRules) -> list[StemCandidate]:
    if suffixes.keeps_table_order:
        return [candidate._replace(removed_letters=0) for candidate in candidates]
    return sorted(candidates, key=lambda candidate: candidate.removed_letters)


def _strip_layer(word: str, layer: Iterable[Suffix], suffixes: SuffixRules) -> Iterator[tuple[str, int]]:
    """Yield the headwords of a form with an ending removed, each with the length of the remaining stem."""
    for suffix in layer:
        stem = word.removesuffix(suffix.text)
        if stem == word or len(stem) < suffixes.min_stem_letters:
            continue
        if suffix.after_vowel if stem[-1] in suffixes.vowels else suffix.after_consonant:
            yield from ((headword, len(stem)) for headword in _iter_headwords(stem, suffix, suffixes))


def _iter_headwords(stem: str, suffix: Suffix, suffixes: SuffixRules) -> Iterator[str]:
    replacements = suffix.replacements
    if DOUBLING_MARK in replacements and _may_double(stem, suffixes):
        # Without the doubling, the form is rather that of a longer headword: rated is rate, and ratted is rat.
        replacements = tuple(sorted(replacements, key=lambda replacement: replacement == ""))
    for instead in replacements:
        if instead != DOUBLING_MARK:
            yield stem + instead
        elif stem[-1] in suffixes.doubled_consonants and stem[-2:-1] == stem[-1]:
            yield stem[:-1]


def _has_rules(forms: FormRules) -> bool:
    return bool(forms.endings or forms.endings_of_verbs or forms.irregular)


SUFFIXES: Final[Mapping[str, SuffixRules]] = {
    code: build_suffix_rules(rules.forms, code) for code, rules in LANGUAGE_RULES.items() if _has_rules(rules.forms)
}
"""The rules of each language with endings or irregular forms, by BCP 47 code."""
