"""What was typed, as the keys under which it may stand: of each way of writing, by spelling, sound and stem."""

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
"""Queries whose keys are kept at hand: a search that guesses reads its own twice."""

MOST_QUERY_WORDS = 20
"""More words than this in one query are refused."""

WAYS_TO_READ = 32
"""In so many ways Roman letters are read to find whole words; there are more words than that to complete."""

READINGS = 6
"""In so many ways a word in Roman letters is written in Assamese ones, to find it by their sound."""

STEM_SOUNDS = 60
"""At most this many sounds of words that a text may be a form of are looked for."""

LETTERS_A_SOUND = 3
"""A form has more sounds than one for so many Roman letters: the two of `zzzzqq` would be a form of যোৱা."""


@lru_cache(maxsize=REMEMBERED)
def loose_keys(text: str, orthographies: Orthographies) -> ByOrthography[str]:
    """Return the loose key of a text for each orthography: the same letters fold differently in some."""
    ways = orthographies.of_text(text)
    key_of = _by_folding(text, ways, keys.loose_key)
    return ByOrthography(orthographies, {each: key_of[each.folding] for each in ways})


def sound_keys(
    text: str, orthographies: Orthographies, limit: int = keys.MOST_ROMAN_KEYS, *, are_read: bool = True
) -> ByOrthography[frozenset[str]]:
    """Return the sound keys of words that sound like a text, for each orthography.

    Roman letters are read as somebody types an Indic word, in at most `limit` ways, or not where it is known that no
    word would be found so; a language written in Roman letters, and any text in another script, has its one key.
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
    """Make a key by each of the rules of folding, which differ in Indic letters and articles: of an ASCII word once."""
    every = {each.folding for each in ways}
    is_alike = text.isascii() and " " not in text
    return dict.fromkeys(every, make(text, "")) if is_alike else {rules: make(text, rules) for rules in every}


def rules_for(text: str, orthographies: Orthographies, *, by_sound: bool) -> tuple[Language, ...]:
    """List the languages whose rules of inflection a text may follow: those written in its script, and in its letters.

    By sound: those of Indic scripts also for Roman letters, and no others for these.
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
    """List what a text may be, by the sound keys of words of `language`, likeliest first.

    First the words that it may be a spelling of in Roman letters, unless it is known that it is none, then those that
    it may be a form of.
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
"""The ছ of a perfect as many write it: কৰিসে, খাইসে."""


def listed_forms_typed(text: str) -> dict[str, tuple[str, ...]]:
    """List the forms like no rule that Roman letters are typed for, each with the loose keys of its words."""
    numbers = numbers_typed(text)
    if numbers is not None and _FRAMES_OF_LISTED.isdisjoint(numbers):
        return {}
    found: dict[str, list[str]] = defaultdict(list)
    for sound in sounds_like_listed(keys.roman_sound_keys(text, WAYS_TO_READ)):
        for form, word in listed_forms(sound):
            found[form].append(word)
    return {form: tuple(words) for form, words in found.items()}


_FRAMES_OF_LISTED: Final = numbers_of(LISTED_SOUNDS)
"""By these it is known of nearly all texts, before they are read, that they are none of these forms."""

_SAME_AGAIN: Final = re.compile(r"([bdfgjklmprstxz])[ao]\1", re.IGNORECASE)


def _typed_twice(text: str) -> str:
    """Return a sound that stands twice in Roman letters, a vowel between; nothing, of most texts."""
    twice = _SAME_AGAIN.search(text)
    return twice[1].lower() if twice else ""


def _falling_together(twice: str, text: str, sound: str) -> str:
    """Return what is typed twice, where it stands once in a reading without the vowel."""
    return twice if twice and sound.count(twice) < text.lower().count(twice) else ""


# --- the whole query ------------------------------------------------------------------------------------------------

MOST_CHARACTERS: Final = 200
"""Longer text is nobody's word: only so much of it is looked at."""

LEAST_SHARE: Final = 3
"""A key must have the third part of the letters that it is made from: `k`, of `qqqq`, begins half the dictionary."""


class SearchQuery(msgspec.Struct, frozen=True):
    """What was typed, as the keys that it may stand under, by the language that folds its letters so.

    `roman` are the sound keys that it has as a Roman spelling of an Indic word, likeliest first.
    """

    text: str
    exact: str
    loose: ByOrthography[str]
    sounds: ByOrthography[frozenset[str]]
    roman: tuple[str, ...]

    def loose_keys(self) -> tuple[str, ...]:
        """List the loose keys, each once."""
        return tuple(sorted({key for key in self.loose.of_any_word() if key}))

    def sound_keys(self) -> tuple[str, ...]:
        """List the sound keys, each once."""
        return tuple(sorted(frozenset().union(*self.sounds.of_any_word()) - {""}))

    def beginnings(self, found: Iterable[str]) -> tuple[str, ...]:
        """Choose the keys that say enough to look for words that begin with them."""
        return tuple(key for key in found if len(key) * LEAST_SHARE >= len(self.exact))


def clean(text: str, limit: int = MOST_CHARACTERS) -> str:
    """Leave out what no database can hold (lone surrogates, NUL), and all beyond `most` characters."""
    return text[:limit].encode("utf-8", "ignore").decode().replace("\0", "")


def spellings_of(text: str) -> tuple[str, ...]:
    """List the spellings by which one text is found: as it came, and as a look-up reads it as one headword."""
    read = _as_one(text)
    came = (text, *read.spellings, *(read.words if len(read.words) == 1 else ()))
    return tuple(dict.fromkeys((*came, *map(read_signs, came))))


def bare_spelling(text: str) -> str:
    """Return a text as it is guessed what it means: without the punctuation around it."""
    read = _as_one(text)
    if len(read.words) == 1 and " " not in text.strip():
        return read_signs(read.words[0])
    return read.spellings[-1] if read.spellings else text


def _as_one(text: str) -> Part:
    """Read a text, of several words too, as one that may be a headword."""
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
