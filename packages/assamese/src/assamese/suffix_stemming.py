"""Stemming by the endings in the file of a language (`tables/languages/CODE.toml`)."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from assamese.keys import loose_key
from assamese.language_rules import LANGUAGE_RULES, Ending, Forms, Layer

VOWELS: Final = frozenset("aeiouঅআইঈউঊঋএঐওঔািীুূৃেৈোৌअआइईउऊऋएऐओऔऍऑऎऒािीुूृेैोौॅॉॆॊ")
"""The default vowel letters and signs of a language. Everything else counts as a consonant."""

DOUBLED: Final = "="
"""The replacement of an ending before which the last letter of the headword is doubled."""


class Cut(NamedTuple):
    """A word left after removing the endings of a form, and the number of letters removed.

    The number is 0 if the order of the language's table ranks the words.
    """

    word: str
    letters: int


class Suffix(NamedTuple):
    """The loose key of an ending, and its possible replacements in the headword."""

    text: str
    instead: tuple[str, ...]
    after_vowel: bool
    after_consonant: bool


class Suffixes(NamedTuple):
    """The endings of a language as loose keys."""

    least_stem: int
    as_listed: bool
    vowels: frozenset[str]
    doubling: str
    layers: tuple[tuple[Suffix, ...], ...]
    of_verbs: tuple[tuple[Suffix, ...], ...]
    irregular: Mapping[str, tuple[str, ...]]
    after_irregular: tuple[str, ...] = ()


def suffixes_of(forms: Forms, language: str) -> Suffixes:
    """Convert the endings of `language` (BCP 47) to its loose keys."""
    irregular = {
        loose_key(form, language): tuple(loose_key(word, language) for word in words)
        for form, words in forms.irregular.items()
    }
    return Suffixes(
        forms.least_stem,
        forms.as_listed,
        frozenset(forms.vowels) or VOWELS,
        forms.doubling,
        tuple(_suffixes(layer, language) for layer in forms.endings),
        tuple(_suffixes(layer, language) for layer in forms.endings_of_verbs),
        irregular,
        tuple(loose_key(ending, language) for ending in forms.after_irregular),
    )


def _suffixes(layer: Layer, language: str) -> tuple[Suffix, ...]:
    kinds = ((layer.any, True, True), (layer.after_vowel, True, False), (layer.after_consonant, False, True))
    return tuple(
        _suffix(ending, language, after_vowel=after_vowel, after_consonant=after_consonant)
        for endings, after_vowel, after_consonant in kinds
        for ending in endings
    )


def _suffix(ending: Ending, language: str, *, after_vowel: bool, after_consonant: bool) -> Suffix:
    text, instead = (ending, ("",)) if isinstance(ending, str) else ending
    keys = tuple(each if each == DOUBLED else loose_key(each, language) for each in instead)
    return Suffix(loose_key(text, language), keys, after_vowel, after_consonant)


def cuts(key: str, suffixes: Suffixes) -> list[Cut]:
    """Return the words of any part of speech that a form (loose key) may belong to, best first.

    At most one ending of each layer is removed, from the last layer to the first.
    """
    found = {key: len(key)}
    for layer in suffixes.layers:
        for word, left in list(found.items()):
            for stem, kept in _without(word, layer, suffixes):
                found.setdefault(stem, left - len(word) + kept)
    return _in_order([Cut(word, len(key) - left) for word, left in list(found.items())[1:]], suffixes)


def with_doubling(key: str, suffixes: Suffixes) -> dict[str, tuple[str, ...]]:
    """Return the spellings of a form with the consonant before an ending doubled: swimming for swiming.

    Each spelling comes with the words for which the undoubled form is correct: planed is a form of plane.
    """
    found: dict[str, tuple[str, ...]] = {}
    for suffix in (suffix for layer in suffixes.layers for suffix in layer if DOUBLED in suffix.instead):
        stem = key.removesuffix(suffix.text)
        if (
            stem != key
            and len(stem) >= suffixes.least_stem
            and _ends_in_one_vowel_and(stem, suffixes.doubling, suffixes)
        ):
            rightly = tuple(stem + instead for instead in suffix.instead if instead not in {DOUBLED, ""})
            found[stem + stem[-1] + suffix.text] = rightly
    return found


def _ends_in_one_vowel_and(stem: str, consonants: str, suffixes: Suffixes) -> bool:
    """Return whether a stem ends in a single vowel, not two as in reading, and one of `consonants`."""
    return stem[-1] in consonants and stem[-2] in suffixes.vowels and stem[-3:-2] not in suffixes.vowels


def words_of_irregular(key: str, suffixes: Suffixes) -> Iterator[str]:
    """Yield the words of a form (loose key) that is an irregular form with an ending."""
    for ending in suffixes.after_irregular:
        form = key.removesuffix(ending)
        if form != key and len(form) >= suffixes.least_stem:
            yield from suffixes.irregular.get(form, ())


def cuts_of_verbs(key: str, suffixes: Suffixes) -> list[Cut]:
    """Return the verbs that a form (loose key) with one verb ending may belong to, best first."""
    stems = [stem for layer in suffixes.of_verbs for stem in _without(key, layer, suffixes)]
    return _in_order([Cut(word, len(key) - kept) for word, kept in stems], suffixes)


def _in_order(found: list[Cut], suffixes: Suffixes) -> list[Cut]:
    if suffixes.as_listed:
        return [each._replace(letters=0) for each in found]
    return sorted(found, key=lambda each: each.letters)


def _without(word: str, layer: Iterable[Suffix], suffixes: Suffixes) -> Iterator[tuple[str, int]]:
    """Yield the headwords of a word without an ending, each with the length of the remaining stem."""
    for suffix in layer:
        stem = word.removesuffix(suffix.text)
        if stem == word or len(stem) < suffixes.least_stem:
            continue
        if suffix.after_vowel if stem[-1] in suffixes.vowels else suffix.after_consonant:
            yield from ((headword, len(stem)) for headword in _headwords(stem, suffix, suffixes.doubling))


def _headwords(stem: str, suffix: Suffix, doubling: str) -> Iterator[str]:
    for instead in suffix.instead:
        if instead != DOUBLED:
            yield stem + instead
        elif stem[-1] in doubling and stem[-2:-1] == stem[-1]:
            yield stem[:-1]


def _has_forms(forms: Forms) -> bool:
    return bool(forms.endings or forms.endings_of_verbs or forms.irregular)


SUFFIXES: Final[Mapping[str, Suffixes]] = {
    code: suffixes_of(rules.forms, code) for code, rules in LANGUAGE_RULES.items() if _has_forms(rules.forms)
}
"""The endings of each language that has any, by BCP 47 code."""
