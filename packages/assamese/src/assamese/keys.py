"""The three keys by which words are found: exact spelling, loose spelling, and sound."""

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Final, Generic, NamedTuple, TypeVar

import msgspec

from assamese.language_rules import LANGUAGE_RULES, strip_article
from assamese.normalization import SPELLING, exact_key, nfc
from assamese.signs import replace_marked_letters
from assamese.tables import build_longest_match_pattern, read_table

__all__ = ["all_keys", "exact_key", "loose_key", "near_keys", "roman_sound_keys", "sound_key"]

T = TypeVar("T")

MAX_ROMAN_KEYS: Final = 8
MAX_ROMAN_GROUPS: Final = 120  # maximum number of groups of letters that are read; no word has more
NEAR_KEY_LETTERS: Final = 8
CACHE_SIZE: Final = 64  # cached texts: one search needs the readings of its query three times

Readings = tuple[tuple[str, float], ...]
"""The sounds that letters may stand for, each with its share."""


class SoundTable(msgspec.Struct, frozen=True):
    """The table of the sounds of letters, in the notation of sound keys."""

    letters: dict[str, str]
    clusters: dict[str, str]
    devanagari: dict[str, str]
    latin: dict[str, str]


class RomanGroup(msgspec.Struct, frozen=True):
    """The readings of a group of Roman letters by its position in the word.

    `without_o` is for words without `o` before the end, in which `a` may stand for the inherent vowel.
    """

    any: Readings
    start: Readings = ()
    end: Readings = ()
    after_vowel: Readings = ()
    without_o: Readings = ()
    end_without_o: Readings = ()


class PositionValues(NamedTuple, Generic[T]):
    """Values of a group of Roman letters for each of its possible positions in a word."""

    start: T
    within: T
    end: T
    within_after_vowel: T
    end_after_vowel: T


GroupTable = Mapping[bool, Mapping[str, PositionValues[T]]]
"""Values of each group by its letters, in one table for words that spell the inherent vowel as `a`, one for others."""


# --- loose spelling -------------------------------------------------------------------------------------------------

_SEPARATORS: Final = dict.fromkeys(map(ord, SPELLING.separators))
_MARKS: Final = {**dict.fromkeys(map(ord, SPELLING.optional_marks)), 0x09B0: "ৰ", 0x0901: "ं"}
_ASCII_SPELLING: Final = {**_MARKS, **_SEPARATORS}
_ACCENTED: Final = re.compile("[\u00c0-\u036f\u1e00-\u1eff]")
_ACCENTS: Final = re.compile("[\u0300-\u036f]+")
_LATIN: Final = {ord(letter): plain for letter, plain in SPELLING.latin.items()}
_INDIC: Final = re.compile("[\u0900-\u09ff]")
_DEVANAGARI: Final = re.compile("[\u0900-\u097f]")
_FINAL_HASANTA: Final = re.compile(rf"্+(?=[{re.escape(SPELLING.separators)}]|$)|(?<=[্ৎ])্+")
_DOUBLED: Final = re.compile(
    "(?<=ৰ্)(?:" + "|".join(f"{plain}্(?=[{same}])" for plain, same in SPELLING.doubled_after_r.items()) + ")+"
)
_FOLDED: Final = re.compile(f"[{re.escape(''.join(map(chr, _MARKS | _SEPARATORS)))}]|[্ৎ]্|্$")
"""Characters of an Indic key that the first step of `_common_spelling` deletes or replaces."""

_VELAR_NASAL: Final = re.compile("(?:[ঙং]্?(?:গ(?!্))*)+")
_WRONG_ORDER: Final = "\u09be\u09c7"
_DEVANAGARI_VARIANTS: Final = re.compile(
    "(?P<nasal>ङ्(?=[क-घ])|ञ्(?=[च-झ])|ण्(?=[ट-ढ])|न्(?=[त-ध])|म्(?=[प-भ]))"
    "|(?<=[कखगजफ])(?P<nukta>़+)"
    "|(?<=[अ-ह़ा-ौ])(?P<glide>य(?:े|ी))"
)
_VARIANT: Final = {"ये": "ए", "यी": "ई"}


LANGUAGE_LETTERS: Final[Mapping[str, Mapping[int, str]]] = {
    code: str.maketrans(rules.letters) for code, rules in LANGUAGE_RULES.items() if rules.letters
}
"""Replacements of letters in loose keys for the languages that read them differently, by BCP 47 code."""

_WITHOUT_WA: Final = frozenset(code for code, letters in LANGUAGE_LETTERS.items() if ord("ৱ") in letters)
"""Languages without the letter ৱ, whose loose keys keep ওয়; in others it becomes ৱ."""


def loose_key(text: str, language: str) -> str:
    """Return the key that spelling variants of a word share in `language` (BCP 47).

    Spaces, hyphens, apostrophes, the Garo raka, Latin accents, candrabindu and a final hasanta are ignored;
    র is ৰ (in Bengali ৰ is র, and ৱ is ব); ৎ, ত্ and ত are the same, so are ঙ্গ, ঙ and ং; consonants doubled after ৰ্
    are single (সূৰ্য্য, সূৰ্য). In Devanagari: ं for each nasal before its consonant and for ँ, ज for ज़ and the like,
    ए for ये. An article before the word (Khasi ka) is dropped. The function is idempotent.
    """
    return _loose_from_common(_common_spelling(_bare_key(text, language), language), language)


def _bare_key(text: str, language: str) -> str:
    """Return the exact key of a text without an article at its start."""
    return strip_article(exact_key(text), language)


def all_keys(text: str, language: str) -> tuple[str, str, str]:
    """Return the exact, the loose and the sound key of `text`, in half the time of three separate calls."""
    exact = exact_key(text)
    common = _common_spelling(strip_article(exact, language), language)
    return exact, _loose_from_common(common, language), _sound_from_common(common)


def _loose_from_common(common: str, language: str) -> str:
    key = common.replace("ত্", "ত").replace("ৎ", "ত")
    replacements = LANGUAGE_LETTERS.get(language)
    return key.translate(replacements) if replacements else key


def _common_spelling(key: str, language: str) -> str:
    """Unify spelling variants in an exact key, except ত্, on which the sound of ত্য and ত্ব depends."""
    if key.isascii():
        return key.translate(_ASCII_SPELLING)
    if _ACCENTED.search(key):
        key = exact_key(_ACCENTS.sub("", unicodedata.normalize("NFD", key)).translate(_LATIN))
    if not _INDIC.search(key):
        return key.translate(_MARKS).translate(_SEPARATORS)
    if _FOLDED.search(key):
        key = _FINAL_HASANTA.sub("", key.translate(_MARKS)).translate(_SEPARATORS)
        key = nfc(key).replace(_WRONG_ORDER, "ো")
    if _DEVANAGARI.search(key):
        key = _DEVANAGARI_VARIANTS.sub(_devanagari_variant, key)
    key = key if language in _WITHOUT_WA else key.replace("ওয়", "ৱ")
    return _VELAR_NASAL.sub("ং", _DOUBLED.sub("", key))


def _devanagari_variant(variant: re.Match[str]) -> str:
    if variant["nasal"]:
        return "ं"
    return _VARIANT[variant["glide"]] if variant["glide"] else ""


def near_keys(loose_key: str) -> frozenset[str]:
    """Return the first eight characters of a loose key, whole and with each one deleted.

    Two spellings that differ by one error within these characters share a near key (symmetric deletion).
    """
    head = loose_key[:NEAR_KEY_LETTERS]
    shorter = {head[:index] + head[index + 1 :] for index in range(len(head))}
    return frozenset(shorter | {head}) - {""}


# --- sound ----------------------------------------------------------------------------------------------------------

_SOUNDS: Final = read_table("sounds", SoundTable)
_ROMAN: Final = read_table("roman", dict[str, RomanGroup])
_FROM_DEVANAGARI: Final[dict[int, int | str]] = {
    **{code: code + 0x80 for code in range(0x0900, 0x0970)},
    **{ord(letter): eastern for letter, eastern in _SOUNDS.devanagari.items()},
}
_NASAL: Final = re.compile("ং(?=[^কখগঘশষসহ])")
_NASAL_AT_LIPS: Final = re.compile("ং(?=[পফবভম])")
_GLIDE: Final = re.compile("(?<=[^্ ])য(?!়)")
_LETTERS: Final = {ord(letter): sound for letter, sound in _SOUNDS.letters.items()}
_CLUSTERS: Final = re.compile(build_longest_match_pattern(_SOUNDS.clusters))
_START: Final = re.compile("^[অও]")
_HIATUS: Final = re.compile("(?<=[ক-হৰৱ়])(?=[ইঈউঊঋঌ])")
_NOT_SOUND: Final = re.compile("[\x00-/:-@\\[-`{-\x7f\u2000-\u206f।॥]+")
# `re` is a third faster with \1\1* than with \1+.
_DOUBLED_SOUND: Final = re.compile(r"([A-Za-z])\1\1*|k(?=K)|g(?=G)|t(?=T)|d(?=D)|p(?=P)|b(?=B|(?<=ub)[aeiou])")
_LATIN_GROUPS: Final = re.compile(build_longest_match_pattern(_SOUNDS.latin))
_LATIN_DOUBLED: Final = re.compile(r"([a-z])\1\1*")
_ROMAN_GROUPS: Final = re.compile(f"{build_longest_match_pattern(_ROMAN)}|[0-9]")
_VOWELS: Final = frozenset("aeiou")


def sound_key(text: str, language: str) -> str:
    """Return the key that words share if they sound alike: পানী, পানি and पानी are all `pani`.

    One ASCII notation for Eastern Nagari and Devanagari, without the inherent vowel (`tables/sounds.toml`; its sets are
    those of Xobdo's 2013 scheme, xobdo.org/article/ts2013). Latin text keeps its vowels; other scripts their letters.
    """
    return _sound_from_common(_common_spelling(_bare_key(text, language), language))


def sound_of_ascii_key(key: str) -> str:
    """Return the sound key, the same in all languages, of words with an exact or loose key in ASCII characters.

    A common spelling in ASCII is the loose key itself, since the letters that depend on the language are Indic. Only an
    exact key that begins with an article, and so has a space, sounds different in some languages.
    """
    return _latin_sound(key.translate(_ASCII_SPELLING))


def _sound_from_common(common: str) -> str:
    if common.isascii():
        return _latin_sound(common)
    key = eastern_from_devanagari(common) if _DEVANAGARI.search(common) else common
    key = _START.sub(lambda vowel: "o" if vowel[0] == "অ" else "u", key)
    key = _HIATUS.sub("o", key)
    key = _CLUSTERS.sub(lambda cluster: _SOUNDS.clusters[cluster[0]], key)
    return _collapse_doubled(_NOT_SOUND.sub("", key.translate(_LETTERS)))


def eastern_from_devanagari(key: str) -> str:
    """Convert the Devanagari of a key to Eastern Nagari letters by sound."""
    eastern = _NASAL_AT_LIPS.sub("ম", key.translate(_FROM_DEVANAGARI))
    return _VELAR_NASAL.sub("ং", _GLIDE.sub("য়", _NASAL.sub("ন", eastern)))


LETTERS_WITH_SOUND: Final = frozenset({*_SOUNDS.clusters, *_SOUNDS.letters})
"""The Eastern Nagari letters and clusters that have their own sound."""


def sound_of_letter(letter: str) -> str:
    """Return the sound of one Eastern Nagari letter in the notation of sound keys, or "" if it has none of its own."""
    return _SOUNDS.clusters.get(letter) or _SOUNDS.letters.get(letter, "")


def _collapse_doubled(key: str) -> str:
    """Reduce doubled sounds to single ones, and drop the glide between u and a vowel ("khua", খোৱা)."""
    return _DOUBLED_SOUND.sub(_first_group, key)


def _first_group(doubled: re.Match[str]) -> str:
    return doubled[1] or ""


def _latin_sound(key: str) -> str:
    key = _LATIN_GROUPS.sub(lambda group: _SOUNDS.latin[group[0]], _NOT_SOUND.sub("", key))
    return _LATIN_DOUBLED.sub(r"\1", key)


@lru_cache(maxsize=CACHE_SIZE)
def roman_sound_keys(text: str, limit: int = MAX_ROMAN_KEYS) -> tuple[str, ...]:
    """Return at most `limit` sound keys of Indic words that `text` in Roman letters may mean, likeliest first.

    `h` may be হ or শ ষ স, `s` any of these or চ ছ, `o` অ or ও, `a` আ or অ ... (`tables/roman.toml`). Text without a
    Latin letter has no keys.
    """
    groups = split_roman_groups(text)
    if not groups:
        return ()
    paths: dict[str, float] = {"": 1.0}
    sure = ""
    for readings in look_up_positions(groups, _READINGS):
        if len(readings) == 1 and readings[0][1] == 1.0:
            # Half of the groups have a single reading, which changes no share: add it with the next ambiguous group.
            sure += readings[0][0]
        else:
            paths = _extend_paths(paths, sure, readings, limit)
            sure = ""
    # All paths are collapsed in one string: one by one, 32 paths took a third of the time.
    settled = dict.fromkeys(_collapse_doubled("\n".join([path + sure for path in paths])).split("\n"))
    return tuple([path for path in settled if path])


def split_roman_groups(text: str) -> list[str]:
    """Split text into groups of Roman letters and digits; return an empty list for text without a Latin letter."""
    # The loose key of plain letters and digits is the text itself in lower case.
    plain = text.isascii() and text.isalnum()
    groups = _ROMAN_GROUPS.findall(text.lower() if plain else loose_key(replace_marked_letters(text), "as"))
    return groups[:MAX_ROMAN_GROUPS] if any(map(str.isalpha, groups)) else []


def build_group_table(build_value: Callable[[Readings, bool, bool], T]) -> GroupTable[T]:
    """Build the values of all groups by calling `build_value(readings, begins_word, ends_word)`."""
    digits = {digit: RomanGroup(any=((digit, 1.0),)) for digit in "0123456789"}
    every = (_ROMAN | digits).items()
    return {
        writes_a: {name: _values_by_position(group, build_value, writes_a=writes_a) for name, group in every}
        for writes_a in (False, True)
    }


def _values_by_position(
    group: RomanGroup, build_value: Callable[[Readings, bool, bool], T], *, writes_a: bool
) -> PositionValues[T]:
    within = (writes_a and group.without_o) or group.any
    end = (writes_a and group.end_without_o) or group.end or group.any
    return PositionValues(
        start=build_value(group.start or group.any, True, False),  # noqa: FBT003  # a word of one group begins with it
        within=build_value(within, False, False),  # noqa: FBT003
        end=build_value(end, False, True),  # noqa: FBT003
        within_after_vowel=build_value(group.after_vowel or within, False, False),  # noqa: FBT003
        end_after_vowel=build_value(group.after_vowel or end, False, True),  # noqa: FBT003
    )


def look_up_positions(groups: Sequence[str], table: GroupTable[T]) -> list[T]:
    """Return the value of each group at its position in the word."""
    last = len(groups) - 1
    of_group = table["o" not in "".join(groups[:last])]
    values = [of_group[groups[0]].start]
    for index in range(1, last + 1):
        position_values = of_group[groups[index]]
        if groups[index - 1][-1] in _VOWELS:
            values.append(position_values.end_after_vowel if index == last else position_values.within_after_vowel)
        else:
            values.append(position_values.end if index == last else position_values.within)
    return values


_READINGS: Final = build_group_table(lambda readings, _begins, _ends: readings)
_LIKELIEST: Final = build_group_table(lambda readings, _begins, _ends: max(readings, key=itemgetter(1))[0])


def _extend_paths(paths: Mapping[str, float], sure: str, readings: Readings, limit: int) -> dict[str, float]:
    extended: dict[str, float] = {}
    for path, share in paths.items():
        prefix = path + sure
        for sound, weight in readings:
            longer = prefix + sound
            extended[longer] = extended.get(longer, 0.0) + share * weight
    # The sort is stable: of equal shares the first stays first.
    return dict(sorted(extended.items(), key=itemgetter(1), reverse=True)[:limit])


def roman_sound(text: str) -> str:
    """Return the likeliest sound key of `text` in Roman letters, for the comparison of whole phrases."""
    groups = _ROMAN_GROUPS.findall(_common_spelling(exact_key(text), "as"))
    return _collapse_doubled("".join(look_up_positions(groups, _LIKELIEST))) if groups else ""


_TYPED_CONSONANTS: Final = re.compile("[kgcjtdpbsnz]h|ng|ny|[bcdfghjklmnpqrstvwxyz]", re.IGNORECASE)
_SOUND_CONSONANTS: Final = re.compile("[^aeiou]")


def count_missing_consonants(typed: str, sound: str) -> int:
    """Return how many consonants of a text in Roman letters are missing from a sound key read from it."""
    if not typed.isascii():
        return 0
    return max(0, _count_typed_consonants(typed) - len(_SOUND_CONSONANTS.findall(sound)))


@lru_cache(maxsize=CACHE_SIZE)
def _count_typed_consonants(typed: str) -> int:
    return len(_TYPED_CONSONANTS.findall(typed))
