"""Computation of the keys that are stored with a text for search and sorting."""

import hashlib
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final

import msgspec

from assamese.collation import sort_key
from assamese.inflected_forms import generate_cells
from assamese.keys import all_keys, exact_key, near_keys, sound_key
from assamese.language_rules import LANGUAGE_RULES
from assamese.normalization import Script, detect_script, split_words
from assamese.paradigms import Headword, WordKind
from assamese.phrase_similarity import phrase_grams
from assamese.romanize import romanize

ROMANIZED_LANGUAGE: Final = "as"
"""The only language with romanization rules."""

MAX_KEY_LENGTH: Final = 200
"""Maximum length of a key, since PostgreSQL cannot index the longest "words" of definitions (URLs, formulas)."""

MAX_SORT_KEY_BYTES: Final = 400
"""Maximum length of a stored sort key; phrases with the same first two hundred letters sort by code points."""

MIN_STEM_LENGTH: Final = 3
MAX_ENDING_LENGTH: Final = 3
"""Maximum number of sounds of an ending without which words of a phrase are also indexed.

At least `MIN_STEM_LENGTH` sounds must remain.
"""

KEY_RULE_SAMPLES: Final = (
    ("as", "অসম আহিনীয়া ঐনিতম ঔ ঋণ কাঠফুলা খং গছ ঘৰ ঙ চকু ছাঁ জোনাক ঝাওবন টান ঠাই ডাঙৰ ঢৌ তৰা থুৰি"),
    ("as", "দিন ধান নদী পানী ফুল বতৰ ভাত মাছ যতন ৰঙা লগ ৱ শব্দ ষষ্ঠ সপোন হাতী ক্ষমা উৎসৱ আঁতৰ বাংলা দুঃখ ড় ঢ় ম’হ"),
    ("as", "সূৰ্য্য কৰ্ম্ম বিহঙ্গ বিহংগ জ্ঞান প্ৰতিদ্বন্দ্বী লক্ষ্মী স্মৃতি আত্মা বিদ্যুৎ গহনা-গাঁঠৰি ৰাজ্য কৃষ্ণ স্বাস্থ্য ১২৩"),
    ("bn", "আমি বাংলায় গান গাই যেমন কর্ম তেমন ফল রাজ্য আকাশ হৃদয় ঈশ্বর চাঁদ"),
    ("hi", "पानी हिन्दी ज्ञान ऋषि क्षमा आँख दुःख ज़मीन बड़ा विद्यार्थी संस्कृत कुआँ"),
    ("brx", "दै फोथार बर’ मिजिं गोथो अन्थाइ"),
    ("en", "water colour Mississippi naïve façade rhythm knight photograph ice-cream don't 3rd"),
    ("kha", "ka um ïing ñiang bh’la"),
    ("lus", "ṭawng tui âr"),
    ("mni", "ꯏꯁꯤꯡ ꯃꯩꯇꯩꯂꯣꯟ"),
)
"""Words with every kind of letter, by language; if one of their keys changes, the rules have changed."""


class WordKeys(msgspec.Struct, frozen=True):
    """The stored keys of a word, and its romanization if its language has rules."""

    exact_key: str
    loose_key: str
    sound_key: str
    sort_key: bytes
    rule_roman: str | None


class PhraseKeys(msgspec.Struct, frozen=True):
    """The stored keys of a phrase; `grams` are the index entries that similar phrases share."""

    exact_key: str
    sound_key: str
    sort_key: bytes
    rule_roman: str | None
    grams: frozenset[str]


def compute_word_keys(text: str, language: str) -> WordKeys:
    """Compute the stored keys of a word of `language` (BCP 47); near keys are derived from the loose key."""
    return WordKeys(*all_keys(text, language), sort_key(text, language), _romanize_by_rule(text, language))


def compute_phrase_keys(text: str, language: str) -> PhraseKeys:
    """Compute the keys of a phrase of `language` (BCP 47)."""
    return PhraseKeys(
        exact_key(text),
        sound_key(text, language),
        compute_phrase_sort_key(text, language),
        _romanize_by_rule(text, language),
        phrase_grams(text, language),
    )


def compute_phrase_sort_key(text: str, language: str) -> bytes:
    """Return the sort key of a phrase, truncated to the size that an index can hold."""
    return sort_key(text, language)[:MAX_SORT_KEY_BYTES]


def compute_definition_keys(text: str) -> frozenset[str]:
    """Compute the keys that index an idea by the words of its definition."""
    keys = {exact_key(word) for word in split_words(text)}
    return frozenset(key for key in keys if key and len(key) <= MAX_KEY_LENGTH)


def compute_phrase_word_keys(text: str, language: str, meanings: Iterable[str]) -> frozenset[str]:
    """Compute the keys that index a phrase of `language` (BCP 47) by its words and those of its meanings.

    A word in an Indic script is also indexed by its sound without a short ending: ভাতৰ as ভাত.
    """
    sounds = (sound for word in split_words(text) for sound in _iter_sounds(word, language))
    of_words = {build_sound_index_key(sound) for sound in sounds if sound and len(sound) < MAX_KEY_LENGTH}
    return frozenset(
        of_words | {build_meaning_index_key(key) for meaning in meanings for key in compute_definition_keys(meaning)}
    )


def compute_phrase_lookup_keys(texts: Iterable[str], language: str) -> frozenset[str]:
    """Compute the keys for finding the phrases of `language` (BCP 47) that contain a word or one of its forms."""
    sounds = {sound_key(text, language) for text in texts}
    return frozenset(build_sound_index_key(sound) for sound in sounds if sound and len(sound) < MAX_KEY_LENGTH)


def generate_forms(text: str, language: str) -> Iterator[str]:
    """Generate the forms of a word by the rules of `language` (BCP 47) for all parts of speech."""
    if language == ROMANIZED_LANGUAGE:
        yield from (cell.form for cell in generate_cells(Headword(text, frozenset(WordKind))))


def _iter_sounds(word: str, language: str) -> Iterator[str]:
    sound = sound_key(word, language)
    yield sound
    if detect_script(word) is not Script.LATIN:
        yield from (
            sound[:length] for length in range(max(MIN_STEM_LENGTH, len(sound) - MAX_ENDING_LENGTH), len(sound))
        )


def build_sound_index_key(sound: str) -> str:
    """Return the index key for the sound key of a word in a phrase."""
    return f"~{sound}"


def build_meaning_index_key(key: str) -> str:
    """Return the index key for the exact key of a word in a phrase's meaning."""
    return f"={key}"


@cache
def key_rules_version() -> str:
    """Return the version of the key rules: a hash of the keys of all samples."""
    digest = hashlib.sha256()
    for language, sample in (*KEY_RULE_SAMPLES, *_iter_language_samples()):
        for text in (sample, *sample.split()):
            keys = compute_word_keys(text, language)
            parts = (*keys.__struct_fields__, repr(msgspec.structs.astuple(keys)), *sorted(near_keys(keys.loose_key)))
            digest.update("\0".join(parts).encode())
        phrase = compute_phrase_keys(sample, language)
        digest.update("\0".join((*sorted(phrase.grams), *sorted(compute_definition_keys(sample)))).encode())
    return digest.hexdigest()[:16]


def _iter_language_samples() -> Iterator[tuple[str, str]]:
    """Yield samples from the language files: their letters, alphabets and articles."""
    for language, rules in LANGUAGE_RULES.items():
        articles = (f"{article} a" for article in rules.articles)
        sample = " ".join((*rules.letters, *rules.alphabet.split()))
        yield from ((language, text) for text in (sample, *articles) if text)


def _romanize_by_rule(text: str, language: str) -> str | None:
    return romanize(text) if language == ROMANIZED_LANGUAGE else None
