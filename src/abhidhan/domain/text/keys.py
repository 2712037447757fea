"""The three keys by which words are found: exact spelling, loose spelling, and sound."""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache
from operator import itemgetter
from typing import Final

import msgspec

from abhidhan.domain.text.normal import SPELLING, exact_key, nfc
from abhidhan.domain.text.tables import read_table

__all__ = ["all_keys", "exact_key", "loose_key", "near_keys", "roman_sound_keys", "sound_key"]

MOST_ROMAN_KEYS: Final = 8
LONGEST_ROMAN: Final = 120  # groups of letters that are read; no word has more
NEAR_LETTERS: Final = 8
REMEMBERED: Final = 64  # texts whose readings are kept at hand: one search asks for those of its own three times

Readings = tuple[tuple[str, float], ...]


class Sounds(msgspec.Struct, frozen=True):
    """The table of what letters sound like, in the notation of sound keys."""

    letters: dict[str, str]
    clusters: dict[str, str]
    devanagari: dict[str, str]
    latin: dict[str, str]


class Group(msgspec.Struct, frozen=True):
    """What a group of Roman letters may stand for, by its place in the word.

    `without_o` is for words in which no `o` stands before the end: who types them writes the inherent vowel as `a`.
    """

    any: Readings
    start: Readings = ()
    end: Readings = ()
    after_vowel: Readings = ()
    without_o: Readings = ()
    end_without_o: Readings = ()


# --- loose spelling -------------------------------------------------------------------------------------------------

_SEPARATORS: Final = dict.fromkeys(map(ord, SPELLING.separators))
_MARKS: Final = {**dict.fromkeys(map(ord, SPELLING.optional_marks)), 0x09B0: "ৰ", 0x0901: "ं"}
_ACCENTED: Final = re.compile("[\u00c0-\u036f\u1e00-\u1eff]")
_ACCENTS: Final = re.compile("[\u0300-\u036f]+")
_LATIN: Final = {ord(letter): plain for letter, plain in SPELLING.latin.items()}
_INDIC: Final = re.compile("[\u0900-\u09ff]")
_DEVANAGARI: Final = re.compile("[\u0900-\u097f]")
_FINAL_HASANTA: Final = re.compile(rf"্+(?=[{re.escape(SPELLING.separators)}]|$)|(?<=্)্+")
_DOUBLED: Final = re.compile(
    "(?<=ৰ্)(?:" + "|".join(f"{plain}্(?=[{same}])" for plain, same in SPELLING.doubled_after_r.items()) + ")+"
)
_VELAR: Final = re.compile("(?:[ঙং]্?(?:গ(?!্))*)+")
_WRONG_ORDER: Final = "\u09be\u09c7"
_DEVANAGARI_VARIANTS: Final = re.compile(
    "(?P<nasal>ङ्(?=[क-घ])|ञ्(?=[च-झ])|ण्(?=[ट-ढ])|न्(?=[त-ध])|म्(?=[प-भ]))"
    "|(?<=[कखगजफ])(?P<nukta>़+)"
    "|(?<=[अ-ह़ा-ौ])(?P<glide>य(?:े|ी))"
)
_VARIANT: Final = {"ये": "ए", "यी": "ई"}


OWN_LETTERS: Final[Mapping[str, Mapping[int, str]]] = {"bn": str.maketrans({"ৰ": "র", "ৱ": "ব"})}
"""Languages that read letters otherwise than the rest does, by BCP 47 code: what those letters of a loose key become.

They write ওয় where the others write ৱ, so that it stays.
"""


def loose_key(text: str, language: str) -> str:
    """Make the key that variant spellings of a word share in `language` (BCP 47).

    Spaces, hyphens, apostrophes, the Garo raka, Latin accents, candrabindu and a final hasanta make no difference;
    র is ৰ (for Bengali the other way, and ৱ is ব); ৎ, ত্ and ত are one, so are ঙ্গ, ঙ and ং; consonants doubled after ৰ্
    are single (সূৰ্য্য, সূৰ্য). In Devanagari: ं for each nasal
    before its consonant and for ँ, ज for ज़ and the like, ए for ये. The key of a key is itself.
    """
    return _loose(_common_spelling(exact_key(text), language), language)


def all_keys(text: str, language: str) -> tuple[str, str, str]:
    """Make the exact, the loose and the sound key of `text` at once, which takes half the time of one by one."""
    exact = exact_key(text)
    common = _common_spelling(exact, language)
    return exact, _loose(common, language), _sound(common)


def _loose(common: str, language: str) -> str:
    key = common.replace("ত্", "ত").replace("ৎ", "ত")
    own = OWN_LETTERS.get(language)
    return key.translate(own) if own else key


def _common_spelling(key: str, language: str) -> str:
    """Fold in an exact key what variant spellings differ by, but leave ত্ as it is: the sound of ত্য and ত্ব needs it."""
    if _ACCENTED.search(key):
        key = exact_key(_ACCENTS.sub("", unicodedata.normalize("NFD", key)).translate(_LATIN))
    if not _INDIC.search(key):
        return key.translate(_MARKS).translate(_SEPARATORS)
    key = _FINAL_HASANTA.sub("", key.translate(_MARKS)).translate(_SEPARATORS)
    key = nfc(key).replace(_WRONG_ORDER, "ো")
    if _DEVANAGARI.search(key):
        key = _DEVANAGARI_VARIANTS.sub(_devanagari_variant, key)
    key = key if language in OWN_LETTERS else key.replace("ওয়", "ৱ")
    return _VELAR.sub("ং", _DOUBLED.sub("", key))


def _devanagari_variant(variant: re.Match[str]) -> str:
    if variant["nasal"]:
        return "ं"
    return _VARIANT[variant["glide"]] if variant["glide"] else ""


def near_keys(loose_key: str) -> frozenset[str]:
    """List the first eight letters of a loose key, whole and with each one left out.

    Two spellings that differ by one slip within those letters share one of them (symmetric deletion).
    """
    head = loose_key[:NEAR_LETTERS]
    shorter = {head[:place] + head[place + 1 :] for place in range(len(head))}
    return frozenset(shorter | {head}) - {""}


# --- sound ----------------------------------------------------------------------------------------------------------

_SOUNDS: Final = read_table("sounds", Sounds)
_ROMAN: Final = read_table("roman", dict[str, Group])
_FROM_DEVANAGARI: Final[dict[int, int | str]] = {
    **{code: code + 0x80 for code in range(0x0900, 0x0970)},
    **{ord(letter): eastern for letter, eastern in _SOUNDS.devanagari.items()},
}
_NASAL: Final = re.compile("ং(?=[^কখগঘশষসহ])")
_NASAL_AT_LIPS: Final = re.compile("ং(?=[পফবভম])")
_GLIDE: Final = re.compile("(?<=[^্ ])য(?!়)")
_LETTERS: Final = {ord(letter): sound for letter, sound in _SOUNDS.letters.items()}
_CLUSTERS: Final = re.compile("|".join(sorted(_SOUNDS.clusters, key=len, reverse=True)))
_START: Final = re.compile("^[অও]")
_HIATUS: Final = re.compile("(?<=[ক-হৰৱ়])(?=[ইঈউঊঋঌ])")
_NOT_SOUND: Final = re.compile("[\x00-/:-@\\[-`{-\x7f\u2000-\u206f।॥]+")
_SETTLE: Final = re.compile(r"([A-Za-z])\1+|k(?=K)|g(?=G)|t(?=T)|d(?=D)|p(?=P)|b(?=B)|(?<=u)b+(?=[aeiou])")
_LATIN_GROUPS: Final = re.compile("|".join(sorted(_SOUNDS.latin, key=len, reverse=True)))
_LATIN_DOUBLED: Final = re.compile(r"([a-z])\1+")
_ROMAN_GROUPS: Final = re.compile("|".join(sorted(_ROMAN, key=len, reverse=True)) + "|[0-9]")
_VOWELS: Final = frozenset("aeiou")


def sound_key(text: str, language: str) -> str:
    """Make the key that words share when they sound alike: পানী, পানি and पानी are all `pani`.

    One ASCII notation for Eastern Nagari and Devanagari, without the inherent vowel (`tables/sounds.toml`; its sets are
    those of Xobdo's 2013 scheme, xobdo.org/article/ts2013). Latin text keeps its vowels; other scripts their letters.
    """
    return _sound(_common_spelling(exact_key(text), language))


def _sound(common: str) -> str:
    if common.isascii():
        return _latin_sound(common)
    return _indic_sound(eastern_from_devanagari(common) if _DEVANAGARI.search(common) else common)


def eastern_from_devanagari(key: str) -> str:
    """Write the Devanagari of a key in Eastern Nagari letters, as they sound."""
    eastern = _NASAL_AT_LIPS.sub("ম", key.translate(_FROM_DEVANAGARI))
    return _VELAR.sub("ং", _GLIDE.sub("য়", _NASAL.sub("ন", eastern)))


def sound_of_letter(letter: str) -> str:
    """Return the sound of one Eastern Nagari letter in the notation of sound keys; "" when it has none of its own."""
    return _SOUNDS.clusters.get(letter) or _SOUNDS.letters.get(letter, "")


def _indic_sound(key: str) -> str:
    key = _START.sub(lambda vowel: "o" if vowel[0] == "অ" else "u", key)
    key = _HIATUS.sub("o", key)
    key = _CLUSTERS.sub(lambda cluster: _SOUNDS.clusters[cluster[0]], key)
    return _settled(_NOT_SOUND.sub("", key.translate(_LETTERS)))


def _settled(key: str) -> str:
    """Make doubled sounds single, and leave out the glide between u and a vowel (খোৱা, "khua")."""
    return _SETTLE.sub(r"\1", key)


def _latin_sound(key: str) -> str:
    key = _LATIN_GROUPS.sub(lambda group: _SOUNDS.latin[group[0]], _NOT_SOUND.sub("", key))
    return _LATIN_DOUBLED.sub(r"\1", key)


@lru_cache(maxsize=REMEMBERED)
def roman_sound_keys(text: str, limit: int = MOST_ROMAN_KEYS) -> tuple[str, ...]:
    """List the sound keys of Indic words that `text` in Roman letters may mean, likeliest first, at most `most`.

    `h` may be হ or শ ষ স, `s` any of these or চ ছ, `o` অ or ও, `a` আ or অ ... (`tables/roman.toml`). Text without a
    Latin letter has none.
    """
    key = loose_key(text, "as")
    groups = _ROMAN_GROUPS.findall(key)
    if not groups or not any(group.isalpha() for group in groups):
        return ()
    paths: dict[str, float] = {"": 1.0}
    for readings in _readings(groups[:LONGEST_ROMAN]):
        paths = _likeliest(paths, readings, limit)
    settled = dict.fromkeys(_settled(path) for path in paths)
    return tuple(path for path in settled if path)


def _readings(groups: list[str]) -> Iterator[Readings]:
    """List what each group may stand for where it stands; a digit stands for itself."""
    writes_a = not any("o" in group for group in groups[:-1])
    for place, name in enumerate(groups):
        group = _ROMAN.get(name) or Group(any=((name, 1.0),))
        if place == 0:
            yield group.start or group.any
        elif group.after_vowel and groups[place - 1][-1] in _VOWELS:
            yield group.after_vowel
        elif place == len(groups) - 1:
            yield (writes_a and group.end_without_o) or group.end or group.any
        else:
            yield (writes_a and group.without_o) or group.any


def _likeliest(paths: dict[str, float], readings: Readings, limit: int) -> dict[str, float]:
    if len(readings) == 1:  # three letters of four: the paths stay as many, and in their order
        sound, weight = readings[0]
        return {path + sound: share * weight for path, share in paths.items()}
    grown: dict[str, float] = {}
    for path, share in paths.items():
        for sound, weight in readings:
            grown[path + sound] = grown.get(path + sound, 0.0) + share * weight
    return dict(sorted(grown.items(), key=itemgetter(1), reverse=True)[:limit])


def roman_sound(text: str) -> str:
    """Make the one likeliest sound key of `text` in Roman letters, for comparing whole phrases."""
    groups = _ROMAN_GROUPS.findall(_common_spelling(exact_key(text), "as"))
    return _settled("".join(max(readings, key=itemgetter(1))[0] for readings in _readings(groups)))
