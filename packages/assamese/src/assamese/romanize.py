"""Romanization of Assamese, by letter (ISO 15919, ALA-LC) or by pronunciation (Xobdo, IPA, plain)."""

import re
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise, takewhile
from typing import Final, Literal

import msgspec

from assamese.inherent_vowel import mark_silent_vowels
from assamese.letter_schemes import ALALC, APOSTROPHE, HASANTA, ISO15919, TABLE, RomanSpellings, split_letters
from assamese.normalization import APOSTROPHES, OLD_KHANDA_TA, nfc
from assamese.tables import read_table

PRONUNCIATION_CACHE_SIZE: Final = 20_000
"""Number of texts whose pronunciation is cached (3 MiB): computing one takes 50 µs, half the time of a word."""


class Scheme(StrEnum):
    """A way to write Assamese in Roman letters."""

    XOBDO = "xobdo"  # by pronunciation, with syllables separated: xob.do
    ISO15919 = "iso15919"  # by letter: śabda
    ALALC = "alalc"  # by letter, for libraries: śabda
    IPA = "ipa"  # by pronunciation: xɔbdɔ
    PLAIN = "plain"  # Xobdo's scheme without dots and marks: xobdo


class SoundRule(msgspec.Struct, frozen=True):
    """A pronunciation rule: a regular expression for a part of a word, and the phonetic spelling that replaces it."""

    pattern: str
    heard: str
    only: Scheme | None = None  # the only scheme with this rule


class PronunciationTable(msgspec.Struct, frozen=True):
    """The pronunciation table: rules, and the words that are exceptions."""

    keeps_final_vowel: frozenset[str]
    keeps_final_vowel_after: tuple[str, ...]
    drops_final_vowel: frozenset[str]
    drops_final_vowel_after: tuple[str, ...]
    heard_as: dict[str, str]
    rules: tuple[SoundRule, ...]
    plain: dict[str, str]
    ipa: tuple[SoundRule, ...]


class SpeechSound(msgspec.Struct, frozen=True):
    """A sound of a word: a vowel, a consonant, or a consonant that can only end a syllable."""

    kind: Literal["vowel", "consonant", "close"]
    roman: RomanSpellings
    letter: str
    is_glide: bool = False  # the second half of a diphthong


CANDRABINDU: Final = "ঁ"
VOWEL_MODIFIERS: Final = frozenset({CANDRABINDU, APOSTROPHE})
NON_JOINER: Final = "\u200c"
PLAIN_PARTNER_MARK: Final = "{plain}"

_PRONUNCIATION: Final = read_table("pronunciation", PronunciationTable)

_QUOTES: Final = "".join(sorted(APOSTROPHES))
_LETTER: Final = "\u0980-\u0983\u0985-\u09e3\u09f0\u09f1\u200c\u200d"
_WORD: Final = re.compile(rf"[{_LETTER}]+(?:[{_QUOTES}][{_LETTER}]+)*(?:(?<=[ক-হৰৱ়অএে])[{_QUOTES}])?")
_PHRASE_PRONUNCIATIONS: Final = {spelled: heard for spelled, heard in _PRONUNCIATION.heard_as.items() if " " in spelled}
_PUNCTUATION: Final = str.maketrans({**TABLE.punctuation, **{chr(ord("০") + value): str(value) for value in range(10)}})
_CLEAN_UP: Final = str.maketrans({**dict.fromkeys("\u200c\u200d"), **dict.fromkeys(_QUOTES, "’"), "র": "ৰ"})
_ROMAN: Final = {**TABLE.vowels, **TABLE.consonants, **TABLE.signs}
_STRAY_NUKTA: Final = re.compile("(?<![যডঢ])়")
_HAS_CLUSTER: Final = re.compile(f"[{HASANTA}ঃৎঞ]")
_AFTER_VOWEL: Final = "(?<=[^্ংৎঃ\u200c])"
_RULES: Final = {
    scheme: tuple(
        (re.compile(rule.pattern.replace("{V}", _AFTER_VOWEL)), rule.heard)
        for rule in _PRONUNCIATION.rules
        if rule.only in (None, scheme)
    )
    for scheme in (Scheme.XOBDO, Scheme.IPA)
}
_IPA_RULES: Final = tuple((re.compile(rule.pattern), rule.heard) for rule in _PRONUNCIATION.ipa)
_LOST_FINAL_VOWEL: Final = re.compile(f"(?:{'|'.join(_PRONUNCIATION.drops_final_vowel_after)})$")
_MARKS: Final = str.maketrans("", "", ".~’")
_BEFORE_SINGLE_CONSONANT: Final = frozenset(TABLE.vowels) | VOWEL_MODIFIERS
_SILENT_BEFORE: Final = {"য়": frozenset("ইঈউঊঋএঐ"), "ৱ": frozenset("উঊ")}
_GLIDES: Final = frozenset("ইঈউঊও")


def romanize(text: str, scheme: Scheme = Scheme.XOBDO) -> str:
    """Romanize the Assamese words in `text`; digits become 0-9, danda a full stop, all other text is unchanged.

    Sources: ISO 15919:2001; the ALA-LC table for Assamese; for pronunciation, Xobdo's scheme of 2007
    (xobdo.org/article/phonetics), in which `.` separates syllables, o’ is ও, o’’ is অ’ and `~` marks a nasal vowel.
    """
    if scheme not in _READERS:
        for spelled, phonetic in _PHRASE_PRONUNCIATIONS.items():
            text = text.replace(spelled, phonetic)
    return _WORD.sub(lambda word: _romanize_word(word, scheme), text).translate(_PUNCTUATION)


@lru_cache(maxsize=PRONUNCIATION_CACHE_SIZE)
def pronounce(text: str) -> str:
    """Return the pronunciation of an Assamese text in IPA."""
    return romanize(text, Scheme.IPA)


def _romanize_word(match: re.Match[str], scheme: Scheme) -> str:
    word, closing = match[0], ""
    if word[-1] in APOSTROPHES and match.string[max(match.start() - 1, 0)] in APOSTROPHES:
        word, closing = word[:-1], word[-1]
    word = nfc(word.replace(OLD_KHANDA_TA, "ৎ").translate(_CLEAN_UP))
    return _WRITERS[scheme](_STRAY_NUKTA.sub("", word)) + closing


def read_roman(text: str, scheme: Scheme) -> str:
    """Convert words spelled by a letter scheme to Assamese letters; all other text is unchanged."""
    return _READERS[scheme].read(text) if scheme in _READERS else text


# --- by pronunciation -------------------------------------------------------------------------------------------------


def _find_spellings(letter: str) -> RomanSpellings:
    return _ROMAN.get(letter) or RomanSpellings(letter, letter, letter, letter)


def _write_xobdo(word: str) -> str:
    return ".".join(
        "".join(sound.roman.xobdo for sound in part) for part in _split_syllables(_find_sounds(word, Scheme.XOBDO))
    )


def _write_ipa(word: str) -> str:
    ipa = "".join(sound.roman.ipa for sound in _find_sounds(word, Scheme.IPA))
    for pattern, written in _IPA_RULES:
        ipa = pattern.sub(written, ipa)
    return nfc(ipa)


def _write_plain(word: str) -> str:
    return _write_xobdo(word).translate(_MARKS)


def _find_sounds(word: str, scheme: Scheme) -> list[SpeechSound]:
    """Return the sounds of a word, from its phonetic spelling."""
    word = _PRONUNCIATION.heard_as.get(word, word)
    letters = split_letters(_phonetic_spelling(mark_silent_vowels(word, _drops_final_vowel), scheme))
    if _drops_vowel(word, letters):
        letters.pop()
    sounds: list[SpeechSound] = []
    for index, letter in enumerate(letters):
        neighbours = (letters[index - 1] if index else "", letters[index + 1] if index + 1 < len(letters) else "")
        _add_sound(sounds, letter, neighbours)
    return sounds


def _phonetic_spelling(word: str, scheme: Scheme) -> str:
    if not _HAS_CLUSTER.search(word):
        return word
    for pattern, replacement in _RULES[scheme]:
        word = pattern.sub(_with_plain_partner if replacement == PLAIN_PARTNER_MARK else replacement, word)
    return word.replace(NON_JOINER, "")


def _with_plain_partner(aspirated: re.Match[str]) -> str:
    return _PRONUNCIATION.plain[aspirated[1]] + HASANTA + aspirated[1]


def _drops_final_vowel(word: str) -> bool:
    return _drops_vowel(word, split_letters(word))


def _drops_vowel(word: str, letters: list[str]) -> bool:
    """Return whether the final inherent vowel is silent, as after a single consonant; the table has exceptions."""
    if letters[-1:] != ["অ"] or word[-1] in TABLE.vowels or len(letters) < len("VCV"):
        return False
    if _LOST_FINAL_VOWEL.search(word):
        return True
    if letters[-2] not in TABLE.consonants or letters[-3] not in _BEFORE_SINGLE_CONSONANT:
        return False
    if word in _PRONUNCIATION.drops_final_vowel:
        return True
    return not (word in _PRONUNCIATION.keeps_final_vowel or word.endswith(_PRONUNCIATION.keeps_final_vowel_after))


def _add_sound(sounds: list[SpeechSound], letter: str, neighbours: tuple[str, str]) -> None:
    """Append the sound of a letter, given its neighbours; a vowel modifier changes the last sound instead."""
    roman, (before, after) = _find_spellings(letter), neighbours
    after_vowel = bool(sounds) and sounds[-1].kind == "vowel"
    if letter in VOWEL_MODIFIERS and after_vowel:
        sounds[-1] = _modify_vowel(sounds[-1], letter)
    elif letter in TABLE.vowels:
        roman = TABLE.after_consonant.get(letter, roman) if before in TABLE.consonants else roman
        sounds.append(SpeechSound("vowel", roman, letter, is_glide=before in TABLE.vowels and letter in _GLIDES))
    elif letter not in TABLE.consonants:
        sounds.append(SpeechSound("close", roman, letter))
    elif letter == "য়" and before in TABLE.consonants:
        sounds.append(SpeechSound("consonant", TABLE.glide, letter))
    else:
        silent = after_vowel and after in _SILENT_BEFORE.get(letter, frozenset())
        sounds.append(SpeechSound("consonant", msgspec.structs.replace(roman, xobdo="") if silent else roman, letter))


def _modify_vowel(vowel: SpeechSound, sign: str) -> SpeechSound:
    if sign == APOSTROPHE:
        return msgspec.structs.replace(vowel, roman=TABLE.before_apostrophe.get(vowel.letter, vowel.roman))
    nasal = _ROMAN[CANDRABINDU]
    roman = RomanSpellings(
        vowel.roman.iso15919, vowel.roman.alalc, vowel.roman.xobdo + nasal.xobdo, vowel.roman.ipa + nasal.ipa
    )
    return msgspec.structs.replace(vowel, roman=roman)


def _split_syllables(sounds: list[SpeechSound]) -> list[list[SpeechSound]]:
    """Split sounds into syllables: V.CV, VC.CV, VC.CCV; ং and ৎ belong to the vowel before them."""
    breaks = [0]
    last_vowel: int | None = None
    for index, sound in enumerate(sounds):
        if sound.kind != "vowel":
            continue
        if last_vowel is not None and not (sound.is_glide and last_vowel == index - 1):
            breaks.append(last_vowel + 1 + _count_closing(sounds[last_vowel + 1 : index]))
        last_vowel = index
    return [sounds[first:last] for first, last in pairwise([*breaks, len(sounds)])]


def _count_closing(between: list[SpeechSound]) -> int:
    """Return how many of the consonants between two vowels belong to the first syllable."""
    closing = sum(1 for _ in takewhile(lambda sound: sound.kind == "close", between))
    return closing or min(1, max(0, len(between) - 1))


_WRITERS: Final = {
    Scheme.XOBDO: _write_xobdo,
    Scheme.ISO15919: ISO15919.write,
    Scheme.ALALC: ALALC.write,
    Scheme.IPA: _write_ipa,
    Scheme.PLAIN: _write_plain,
}
_READERS: Final = {Scheme.ISO15919: ISO15919, Scheme.ALALC: ALALC}
