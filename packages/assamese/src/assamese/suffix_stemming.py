"""The words that a form may be of, by the endings in the table of its language (`tables/languages/CODE.toml`)."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from assamese.keys import loose_key
from assamese.language_rules import LANGUAGE_RULES, Ending, Forms, Layer

VOWELS: Final = frozenset("aeiouঅআইঈউঊঋএঐওঔািীুূৃেৈোৌअआइईउऊऋएऐओऔऍऑऎऒािीुूृेैोौॅॉॆॊ")
"""The letters, and signs, that are vowels unless a language names its own. Everything else counts as a consonant."""

DOUBLED: Final = "="
"""Says, in place of what stands in the headword, that the letter before the ending is doubled."""


class Cut(NamedTuple):
    """A word that is left of a form without its endings, and how many letters of the form were taken off.

    0 where the language's table says by its order which word is likelier.
    """

    word: str
    letters: int


class Suffix(NamedTuple):
    """An ending as loose keys have it, and what may stand there in the headword."""

    text: str
    instead: tuple[str, ...]
    after_vowel: bool
    after_consonant: bool


class Suffixes(NamedTuple):
    """The endings of a language, ready to be compared with loose keys."""

    least_stem: int
    as_listed: bool
    vowels: frozenset[str]
    doubling: str
    layers: tuple[tuple[Suffix, ...], ...]
    of_verbs: tuple[tuple[Suffix, ...], ...]
    irregular: Mapping[str, tuple[str, ...]]
    after_irregular: tuple[str, ...] = ()


def suffixes_of(forms: Forms, language: str) -> Suffixes:
    """Write the endings of `language` (BCP 47) as its loose keys have them."""
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
    """List the words that the form with a loose key may be of, whatever they are, best first.

    Of each kind of endings, from the last to the first, one is taken off or none.
    """
    found = {key: len(key)}
    for layer in suffixes.layers:
        for word, left in list(found.items()):
            for stem, kept in _without(word, layer, suffixes):
                found.setdefault(stem, left - len(word) + kept)
    return _in_order([Cut(word, len(key) - left) for word, left in list(found.items())[1:]], suffixes)


def with_doubling(key: str, suffixes: Suffixes) -> dict[str, tuple[str, ...]]:
    """Return how a form should be spelled in which a consonant before an ending is not doubled: swiming, swimming.

    Each spelling comes with the words of which the form would be rightly spelled so: planed is of plane.
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
    """Say whether a stem ends in one vowel, not two as in reading, and one of some consonants."""
    return stem[-1] in consonants and stem[-2] in suffixes.vowels and stem[-3:-2] not in suffixes.vowels


def words_of_irregular(key: str, suffixes: Suffixes) -> Iterator[str]:
    """List the words of the irregular forms that the form with a loose key is with an ending behind them."""
    for ending in suffixes.after_irregular:
        form = key.removesuffix(ending)
        if form != key and len(form) >= suffixes.least_stem:
            yield from suffixes.irregular.get(form, ())


def cuts_of_verbs(key: str, suffixes: Suffixes) -> list[Cut]:
    """List the verbs that the form with a loose key may be of, best first: it has one ending of verbs."""
    stems = [stem for layer in suffixes.of_verbs for stem in _without(key, layer, suffixes)]
    return _in_order([Cut(word, len(key) - kept) for word, kept in stems], suffixes)


def _in_order(found: list[Cut], suffixes: Suffixes) -> list[Cut]:
    if suffixes.as_listed:
        return [each._replace(letters=0) for each in found]
    return sorted(found, key=lambda each: each.letters)


def _without(word: str, layer: Iterable[Suffix], suffixes: Suffixes) -> Iterator[tuple[str, int]]:
    """List the words that a word may be without an ending, and how many of its letters are left in each."""
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
"""The endings of each language whose file has some, by its BCP 47 code."""
