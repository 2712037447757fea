"""Keys of a typed text for each writing system, by spelling, sound and stem."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import chain, zip_longest
from typing import Final, TypeVar

import msgspec

from abhidhan.dictionary.model.headwords import QueryPart, parse_headwords
from abhidhan.dictionary.model.sound_frames import hash_frames, hash_roman_frames
from abhidhan.records.languages import Language
from abhidhan.records.orthography import INDIC_SCRIPTS, Orthographies, Orthography, OrthographyValues
from assamese import keys
from assamese.inflection import (
    IRREGULAR_SOUNDS,
    LANGUAGES_BY_SOUND,
    Stem,
    filter_irregular_sounds,
    find_irregular_forms_by_sound,
    propose_stems_by_sound,
)
from assamese.normalization import Script, detect_script, split_query
from assamese.roman_candidates import propose_spellings
from assamese.signs import correct_signs, replace_marked_letters

K = TypeVar("K")

KEY_CACHE_SIZE: Final = 64
"""Size of the caches of query keys: a search that guesses needs the keys of its query twice."""

MAX_QUERY_WORDS = 20
"""Maximum number of words in one query."""

MAX_ROMAN_READINGS = 32
"""Maximum number of readings of Roman letters for whole words; completions use more."""

MAX_GENERATED_SPELLINGS = 6
"""Maximum number of Assamese spellings generated from Roman letters to find words by sound."""

MAX_STEM_SOUNDS = 60
"""Maximum number of sound keys of stems that are looked up for a text."""

MAX_LETTERS_PER_SOUND = 3
"""Number of Roman letters per sound that a form must stay below; otherwise `zzzzqq` would match যোৱা."""


@lru_cache(maxsize=KEY_CACHE_SIZE)
def make_loose_keys(text: str, orthographies: Orthographies) -> OrthographyValues[str]:
    """Return the loose key of a text for each orthography, since some fold the same letters differently."""
    text_orthographies = orthographies.possible_for(text)
    key_by_folding = _make_keys_by_folding(text, text_orthographies, keys.loose_key)
    return OrthographyValues(
        orthographies, {orthography: key_by_folding[orthography.folding] for orthography in text_orthographies}
    )


def make_sound_keys(
    text: str, orthographies: Orthographies, limit: int = keys.MAX_ROMAN_KEYS, *, reads_roman: bool = True
) -> OrthographyValues[frozenset[str]]:
    """Return the sound keys of a text for each orthography.

    Roman letters are read as the sound of an Indic word, in at most `limit` ways, unless `reads_roman` is False because
    no word would match. A language written in Roman letters, or a text in another script, has a single key.
    """
    text_orthographies = orthographies.possible_for(text)
    is_roman = detect_script(text) is Script.LATIN
    if is_roman and not reads_roman:
        text_orthographies = frozenset(orthography for orthography in text_orthographies if not orthography.is_indic)
    roman_keys = frozenset(keys.roman_sound_keys(text, limit)) if is_roman and reads_roman else frozenset()
    key_by_folding = _make_keys_by_folding(
        text, text_orthographies, lambda text, rules: frozenset({keys.sound_key(text, rules)})
    )
    return OrthographyValues(
        orthographies,
        {
            orthography: roman_keys if roman_keys and orthography.is_indic else key_by_folding[orthography.folding]
            for orthography in text_orthographies
        },
    )


def _make_keys_by_folding(
    text: str, text_orthographies: frozenset[Orthography], make_key: Callable[[str, str], K]
) -> dict[str, K]:
    """Return the key for each folding; they differ only for Indic letters and articles, not for an ASCII word."""
    foldings = {orthography.folding for orthography in text_orthographies}
    is_same_for_all = text.isascii() and " " not in text
    return (
        dict.fromkeys(foldings, make_key(text, ""))
        if is_same_for_all
        else {rules: make_key(text, rules) for rules in foldings}
    )


def find_inflecting_languages(text: str, orthographies: Orthographies, *, by_sound: bool) -> tuple[Language, ...]:
    """List the languages whose inflection rules may apply to a text: those in its script and with its letters.

    By sound, Roman letters follow the rules of languages in Indic scripts, and of no others.
    """
    script = detect_script(text)
    scripts = INDIC_SCRIPTS if by_sound and script is Script.LATIN else {script}
    text_orthographies = orthographies.possible_for(text)
    return tuple(
        [
            language
            for language in orthographies.inflecting_languages
            if language.script in scripts
            and orthographies.by_language[language.id] in text_orthographies
            and (not by_sound or language.code in LANGUAGES_BY_SOUND)
        ]
    )


def list_stem_sounds(text: str, language: str, *, include_whole_words: bool = True) -> tuple[Stem, ...]:
    """List the sound keys of `language` that may match a text, likeliest first.

    First come the headwords that a text in Roman letters may spell, unless `include_whole_words` is False, then the
    stems of which it may be a form.
    """
    if detect_script(text) is not Script.LATIN:
        spelled_sounds = dict.fromkeys(
            keys.sound_key(variant, language) for variant in (text, _MISSPELLED_PERFECT_SIGN.sub("ছ", text))
        )
        return tuple(dict.fromkeys(chain(*map(propose_stems_by_sound, spelled_sounds))))
    spellings = propose_spellings(replace_marked_letters(text), MAX_GENERATED_SPELLINGS) if include_whole_words else ()
    readings = dict.fromkeys(keys.sound_key(spelling, language) for spelling in spellings)
    sounds = [
        sound
        for sound in keys.roman_sound_keys(text, keys.MAX_ROMAN_KEYS)
        if MAX_LETTERS_PER_SOUND * len(sound) > len(text)
    ]
    doubled_sound = _find_doubled_sound(text)
    forms = [propose_stems_by_sound(sound, _find_merged_sound(doubled_sound, text, sound)) for sound in sounds]
    spelled_stems = (Stem(sound, is_verb_only=False) for sound in readings if sound)
    by_rank = filter(None, chain.from_iterable(zip_longest(*forms)))
    return tuple(dict.fromkeys(chain(spelled_stems, by_rank)))[:MAX_STEM_SOUNDS]


_MISSPELLED_PERFECT_SIGN: Final = re.compile("(?<=[িইৈ])স(?=[িেোা])")
"""Letter স that many users write instead of ছ in the perfect of verbs: কৰিসে, খাইসে."""


def find_irregular_forms(text: str) -> dict[str, tuple[str, ...]]:
    """Return the irregular forms that Roman letters may be typed for, each with the loose keys of its words."""
    numbers = hash_roman_frames(text)
    if numbers is not None and _IRREGULAR_FRAMES.isdisjoint(numbers):
        return {}
    words_by_form: dict[str, list[str]] = defaultdict(list)
    for sound in filter_irregular_sounds(keys.roman_sound_keys(text, MAX_ROMAN_READINGS)):
        for form, word in find_irregular_forms_by_sound(sound):
            words_by_form[form].append(word)
    return {form: tuple(words) for form, words in words_by_form.items()}


_IRREGULAR_FRAMES: Final = hash_frames(IRREGULAR_SOUNDS)
"""Hashes of the frames of irregular forms, which rule out nearly all texts before their readings are generated."""

_REPEATED_CONSONANT: Final = re.compile(r"([bdfgjklmprstxz])[ao]\1", re.IGNORECASE)


def _find_doubled_sound(text: str) -> str:
    """Return a sound that occurs twice in Roman letters around a vowel, or an empty string."""
    match = _REPEATED_CONSONANT.search(text)
    return match[1].lower() if match else ""


def _find_merged_sound(doubled_sound: str, text: str, sound: str) -> str:
    """Return the repeated sound if a reading has it less often than the text; else an empty string."""
    return doubled_sound if doubled_sound and sound.count(doubled_sound) < text.lower().count(doubled_sound) else ""


# --- the whole query ------------------------------------------------------------------------------------------------

MAX_QUERY_LENGTH: Final = 200
"""Maximum number of characters of a query that are used; no word is longer."""

MAX_LETTERS_PER_KEY_LETTER: Final = 3
"""Maximum number of typed letters per letter of a key: `k`, from `qqqq`, is a prefix of half the dictionary."""


class SearchQuery(msgspec.Struct, frozen=True):
    """Typed text with its keys for each orthography.

    `roman_sound_keys` are its sound keys as a Roman spelling of an Indic word, likeliest first.
    """

    text: str
    exact_key: str
    loose: OrthographyValues[str]
    sounds: OrthographyValues[frozenset[str]]
    roman_sound_keys: tuple[str, ...]

    def loose_keys(self) -> tuple[str, ...]:
        """List the distinct loose keys."""
        return tuple(sorted({key for key in self.loose.values_for_any_language() if key}))

    def sound_keys(self) -> tuple[str, ...]:
        """List the distinct sound keys."""
        return tuple(sorted(frozenset().union(*self.sounds.values_for_any_language()) - {""}))

    def filter_long_keys(self, possible_keys: Iterable[str]) -> tuple[str, ...]:
        """Return the keys that are long enough for a prefix search."""
        return tuple(key for key in possible_keys if len(key) * MAX_LETTERS_PER_KEY_LETTER >= len(self.exact_key))


def clean_query(text: str, limit: int = MAX_QUERY_LENGTH) -> str:
    """Drop characters that no database stores (lone surrogates, NUL), and all beyond `limit` characters."""
    return text[:limit].encode("utf-8", "ignore").decode().replace("\0", "")


def list_spellings(text: str) -> tuple[str, ...]:
    """List the spellings of a text: the text itself, and those that a look-up would try if it were one headword."""
    headword = _parse_as_headword(text)
    spellings = (text, *headword.spellings, *(headword.words if len(headword.words) == 1 else ()))
    return tuple(dict.fromkeys((*spellings, *map(correct_signs, spellings))))


def strip_punctuation(text: str) -> str:
    """Return a text without surrounding punctuation, as guesses compare it."""
    headword = _parse_as_headword(text)
    if len(headword.words) == 1 and " " not in text.strip():
        return correct_signs(headword.words[0])
    return headword.spellings[-1] if headword.spellings else text


def _parse_as_headword(text: str) -> QueryPart:
    """Parse a text, even of several words, as a single headword."""
    words = split_query(text)
    headwords = parse_headwords(text, words)
    if headwords is None:
        return QueryPart((), words)
    return QueryPart(headwords.whole, words) if headwords.whole else headwords.parts[0]


@lru_cache(maxsize=KEY_CACHE_SIZE)
def build_query(text: str, orthographies: Orthographies) -> SearchQuery:
    """Return the keys of a query for each orthography."""
    cleaned = clean_query(text)
    text_with_signs = correct_signs(cleaned)
    return SearchQuery(
        text=cleaned,
        exact_key=keys.exact_key(cleaned),
        loose=make_loose_keys(text_with_signs, orthographies),
        sounds=make_sound_keys(text_with_signs, orthographies),
        roman_sound_keys=keys.roman_sound_keys(cleaned, keys.MAX_ROMAN_KEYS),
    )
