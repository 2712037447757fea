"""Keys of a typed text for each writing system, by spelling, sound and stem."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import chain, zip_longest
from typing import Final, TypeVar

import msgspec

from abhidhan.dictionary.model.headwords import Part, read_headwords
from abhidhan.dictionary.model.sound_frames import numbers_of, numbers_typed
from abhidhan.records.languages import Language
from abhidhan.records.orthography import INDIC_SCRIPTS, ByOrthography, Orthographies, Orthography
from assamese import keys
from assamese.inflection import (
    LISTED_SOUNDS,
    Stem,
    languages_by_sound,
    listed_forms,
    sounds_like_listed,
    stems_by_sound,
)
from assamese.normalization import Script, query_words, script_of
from assamese.roman_candidates import candidates
from assamese.signs import as_typed, read_signs

K = TypeVar("K")

REMEMBERED: Final = 64
"""Size of the caches of keys: a search that guesses needs those of its query twice."""

MOST_QUERY_WORDS = 20
"""Maximum number of words in one query."""

WAYS_TO_READ = 32
"""Maximum number of readings of Roman letters for whole words; completions use more."""

READINGS = 6
"""Maximum number of Assamese spellings generated from Roman letters to find words by sound."""

STEM_SOUNDS = 60
"""Maximum number of sound keys of stems that are looked up for a text."""

LETTERS_A_SOUND = 3
"""A form must have more than one sound per this number of Roman letters; otherwise `zzzzqq` would match যোৱা."""


@lru_cache(maxsize=REMEMBERED)
def loose_keys(text: str, orthographies: Orthographies) -> ByOrthography[str]:
    """Return the loose key of a text for each orthography, since some fold the same letters differently."""
    ways = orthographies.of_text(text)
    key_of = _by_folding(text, ways, keys.loose_key)
    return ByOrthography(orthographies, {each: key_of[each.folding] for each in ways})


def sound_keys(
    text: str, orthographies: Orthographies, limit: int = keys.MOST_ROMAN_KEYS, *, are_read: bool = True
) -> ByOrthography[frozenset[str]]:
    """Return the sound keys of a text for each orthography.

    Roman letters are read as typed for an Indic word, in at most `limit` ways, or not if `are_read` is False, because
    no word would match. A language written in Roman letters, or a text in another script, has a single key.
    """
    ways = orthographies.of_text(text)
    is_roman = script_of(text) is Script.LATIN
    if is_roman and not are_read:
        ways = frozenset(each for each in ways if not each.is_indic)
    as_typed = frozenset(keys.roman_sound_keys(text, limit)) if is_roman and are_read else frozenset()
    key_of = _by_folding(text, ways, lambda text, rules: frozenset({keys.sound_key(text, rules)}))
    return ByOrthography(
        orthographies,
        {each: as_typed if as_typed and each.is_indic else key_of[each.folding] for each in ways},
    )


def _by_folding(text: str, ways: frozenset[Orthography], make: Callable[[str, str], K]) -> dict[str, K]:
    """Return the key by each folding; foldings differ only for Indic letters and articles, so an ASCII word has one."""
    every = {each.folding for each in ways}
    is_alike = text.isascii() and " " not in text
    return dict.fromkeys(every, make(text, "")) if is_alike else {rules: make(text, rules) for rules in every}


def rules_for(text: str, orthographies: Orthographies, *, by_sound: bool) -> tuple[Language, ...]:
    """List the languages whose inflection rules may apply to a text: those in its script and with its letters.

    By sound, languages in Indic scripts also apply to Roman letters, and no others do.
    """
    script = script_of(text)
    scripts = INDIC_SCRIPTS if by_sound and script is Script.LATIN else {script}
    ways = orthographies.of_text(text)
    return tuple(
        [
            each
            for each in orthographies.inflecting
            if each.script in scripts
            and orthographies.by_language[each.id] in ways
            and (not by_sound or each.code in languages_by_sound)
        ]
    )


def stem_sounds(text: str, language: str, *, may_be_whole: bool = True) -> tuple[Stem, ...]:
    """List the sound keys of `language` that may match a text, likeliest first.

    First the words that a text in Roman letters may spell, unless `may_be_whole` is False, then the stems of which it
    may be a form.
    """
    if script_of(text) is not Script.LATIN:
        by_ear = dict.fromkeys(keys.sound_key(each, language) for each in (text, _PERFECT_BY_EAR.sub("ছ", text)))
        return tuple(dict.fromkeys(chain(*map(stems_by_sound, by_ear))))
    spellings = candidates(as_typed(text), READINGS) if may_be_whole else ()
    readings = dict.fromkeys(keys.sound_key(spelling, language) for spelling in spellings)
    sounds = [
        sound for sound in keys.roman_sound_keys(text, keys.MOST_ROMAN_KEYS) if LETTERS_A_SOUND * len(sound) > len(text)
    ]
    twice = _typed_twice(text)
    forms = [stems_by_sound(sound, _falling_together(twice, text, sound)) for sound in sounds]
    spelled = (Stem(sound, of_verb=False) for sound in readings if sound)
    by_rank = filter(None, chain.from_iterable(zip_longest(*forms)))
    return tuple(dict.fromkeys(chain(spelled, by_rank)))[:STEM_SOUNDS]


_PERFECT_BY_EAR: Final = re.compile("(?<=[িইৈ])স(?=[িেোা])")
"""The স that many write for the ছ of a perfect: কৰিসে, খাইসে."""


def listed_forms_typed(text: str) -> dict[str, tuple[str, ...]]:
    """List the irregular forms that Roman letters may be typed for, each with the loose keys of its words."""
    numbers = numbers_typed(text)
    if numbers is not None and _FRAMES_OF_LISTED.isdisjoint(numbers):
        return {}
    found: dict[str, list[str]] = defaultdict(list)
    for sound in sounds_like_listed(keys.roman_sound_keys(text, WAYS_TO_READ)):
        for form, word in listed_forms(sound):
            found[form].append(word)
    return {form: tuple(words) for form, words in found.items()}


_FRAMES_OF_LISTED: Final = numbers_of(LISTED_SOUNDS)
"""Frames of the irregular forms, which rule out nearly all texts before they are read."""

_SAME_AGAIN: Final = re.compile(r"([bdfgjklmprstxz])[ao]\1", re.IGNORECASE)


def _typed_twice(text: str) -> str:
    """Return a sound that occurs twice in Roman letters around a vowel, or an empty string."""
    twice = _SAME_AGAIN.search(text)
    return twice[1].lower() if twice else ""


def _falling_together(twice: str, text: str, sound: str) -> str:
    """Return the doubled sound if it occurs less often in a reading without the vowel."""
    return twice if twice and sound.count(twice) < text.lower().count(twice) else ""


# --- the whole query ------------------------------------------------------------------------------------------------

MOST_CHARACTERS: Final = 200
"""Maximum number of characters of a query that are used; no word is longer."""

LEAST_SHARE: Final = 3
"""Maximum number of typed letters per letter of a key: `k`, from `qqqq`, is a prefix of half the dictionary."""


class SearchQuery(msgspec.Struct, frozen=True):
    """Typed text with its keys for each orthography.

    `roman` are its sound keys as a Roman spelling of an Indic word, likeliest first.
    """

    text: str
    exact: str
    loose: ByOrthography[str]
    sounds: ByOrthography[frozenset[str]]
    roman: tuple[str, ...]

    def loose_keys(self) -> tuple[str, ...]:
        """List the distinct loose keys."""
        return tuple(sorted({key for key in self.loose.of_any_word() if key}))

    def sound_keys(self) -> tuple[str, ...]:
        """List the distinct sound keys."""
        return tuple(sorted(frozenset().union(*self.sounds.of_any_word()) - {""}))

    def beginnings(self, found: Iterable[str]) -> tuple[str, ...]:
        """Return the keys that are long enough for a prefix search."""
        return tuple(key for key in found if len(key) * LEAST_SHARE >= len(self.exact))


def clean(text: str, limit: int = MOST_CHARACTERS) -> str:
    """Drop characters that no database stores (lone surrogates, NUL), and all beyond `limit` characters."""
    return text[:limit].encode("utf-8", "ignore").decode().replace("\0", "")


def spellings_of(text: str) -> tuple[str, ...]:
    """List the spellings of a text: unchanged, and as a look-up reads it as one headword."""
    read = _as_one(text)
    came = (text, *read.spellings, *(read.words if len(read.words) == 1 else ()))
    return tuple(dict.fromkeys((*came, *map(read_signs, came))))


def bare_spelling(text: str) -> str:
    """Return a text without surrounding punctuation, as used for guesses."""
    read = _as_one(text)
    if len(read.words) == 1 and " " not in text.strip():
        return read_signs(read.words[0])
    return read.spellings[-1] if read.spellings else text


def _as_one(text: str) -> Part:
    """Parse a text, even of several words, as a single headword."""
    words = query_words(text)
    read = read_headwords(text, words)
    if read is None:
        return Part((), words)
    return Part(read.whole, words) if read.whole else read.parts[0]


@lru_cache(maxsize=REMEMBERED)
def read_query(text: str, orthographies: Orthographies) -> SearchQuery:
    """Return the keys of a query for each orthography."""
    cleaned = clean(text)
    read = read_signs(cleaned)
    return SearchQuery(
        text=cleaned,
        exact=keys.exact_key(cleaned),
        loose=loose_keys(read, orthographies),
        sounds=sound_keys(read, orthographies),
        roman=keys.roman_sound_keys(cleaned, keys.MOST_ROMAN_KEYS),
    )
