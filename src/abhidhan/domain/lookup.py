"""How a word asked for is found: the classes of match, and the keys that each class looks for."""

from enum import StrEnum
from itertools import zip_longest

import msgspec

from abhidhan.domain.languages import Language
from abhidhan.domain.orthography import INDIC_SCRIPTS, ByOrthography, Orthographies, Orthography
from abhidhan.domain.text import keys
from abhidhan.domain.text.inflection import Stem, stems_by_sound
from abhidhan.domain.text.normal import Script, script_of
from abhidhan.domain.text.transliterate import candidates
from abhidhan.domain.words import Suggestion, Word

MOST_QUERY_WORDS = 20
"""More words than this in one query are refused."""

ASSAMESE_LETTERS = frozenset("ৰৱ")
"""Letters that Bengali has not."""

WAYS_TO_READ = 32
"""In so many ways Roman letters are read to find whole words; there are more words than that to complete."""

READINGS = 6
"""In so many ways a word in Roman letters is written in Assamese ones, to find it by their sound."""

STEM_SOUNDS = 60
"""So many sounds of words that a text may be a form of are looked for."""

LETTERS_A_SOUND = 3
"""A form has more sounds than one for so many Roman letters: the two of `zzzzqq` would be a form of যোৱা."""


class Match(StrEnum):
    """How entries were found, best first.

    A known inflected form stands before a sound-alike: it is evidence, the other a guess.
    """

    EXACT = "exact"
    LOOSE = "loose"
    INFLECTED = "inflected"
    PHONETIC = "phonetic"
    NONE = "none"


class QueryWord(msgspec.Struct, frozen=True):
    """One item of an answer of `dic.php`: a word asked for, the entries found for it, or near spellings instead."""

    queryword: str
    match: Match
    entries: tuple[Word, ...]
    suggestions: tuple[Suggestion, ...]


def loose_keys(text: str, orthographies: Orthographies) -> ByOrthography[str]:
    """Make the loose key of a text for each way of writing: the same letters fold differently in some."""
    key_of = {rules: keys.loose_key(text, rules) for rules in {each.folding for each in orthographies.every}}
    return ByOrthography(orthographies, {each: key_of[each.folding] for each in orthographies.every})


def sound_keys(
    text: str, orthographies: Orthographies, most: int = keys.MOST_ROMAN_KEYS
) -> ByOrthography[frozenset[str]]:
    """Make the sound keys under which a word that sounds like the text may stand, for each way of writing.

    Roman letters are read as somebody types an Indic word, in at most `most` ways; a language written in Roman
    letters, and any text in another script, has its one key.
    """
    ways = _ways_to_write(text, orthographies)
    as_typed = frozenset(keys.roman_sound_keys(text, most)) if script_of(text) is Script.LATIN else frozenset()
    key_of = {rules: frozenset({keys.sound_key(text, rules)}) for rules in {each.folding for each in ways}}
    return ByOrthography(
        orthographies,
        {each: as_typed if as_typed and each.is_indic else key_of[each.folding] for each in ways},
    )


def _ways_to_write(text: str, orthographies: Orthographies) -> frozenset[Orthography]:
    """Leave out, of several languages, those in which nobody writes ৰ or ৱ, where a text has one of them."""
    if len(orthographies) == 1 or not ASSAMESE_LETTERS & set(text):
        return orthographies.every
    return frozenset(each for each in orthographies.every if each.has_assamese_letters)


def rules_for(text: str, orthographies: Orthographies, *, by_sound: bool) -> list[Language]:
    """List the languages whose rules of inflection a text may follow: those written in its script.

    By sound: those of Indic scripts also for Roman letters, and no others for these.
    """
    script = script_of(text)
    scripts = INDIC_SCRIPTS if by_sound and script is Script.LATIN else {script}
    return [each for each in orthographies.inflecting if each.script in scripts]


def stem_sounds(text: str, language: str) -> tuple[Stem, ...]:
    """List what a text may be, by the sound keys of words of `language`, likeliest first.

    First the words that it may be a spelling of in Roman letters, then those that it may be a form of.
    """
    if script_of(text) is not Script.LATIN:
        return stems_by_sound(keys.sound_key(text, language))
    readings = (keys.sound_key(spelling, language) for spelling in candidates(text, READINGS))
    sounds = [sound for sound in keys.roman_sound_keys(text) if LETTERS_A_SOUND * len(sound) > len(text)]
    forms = [stems_by_sound(sound) for sound in sounds]
    by_rank = (stem for of_one_rank in zip_longest(*forms) for stem in of_one_rank if stem is not None)
    stems_once = dict.fromkeys((*(Stem(sound, of_verb=False) for sound in readings), *by_rank))
    return tuple(stem for stem in stems_once if stem.key)[:STEM_SOUNDS]
