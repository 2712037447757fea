"""Selection and order of words near a typed text."""

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from sys import maxsize
from typing import Final, NamedTuple

from rapidfuzz.distance import OSA, Prefix

from abhidhan.dictionary.model.guess_scoring import KeyMatch, match_cost, word_penalty
from abhidhan.dictionary.model.query import SearchQuery
from abhidhan.dictionary.model.sound_frames import make_frame
from abhidhan.records.languages import ALL_LANGUAGES, ASSAMESE
from assamese.inflection import Stem
from assamese.keys import exact_key, loose_key
from assamese.normalization import Script, detect_script
from assamese.roman_endings import form_distance
from assamese.spelling_distance import distance, is_near, prefix_distance

MAX_SLIPS: Final = ((6, 1), (maxsize, 2))
"""Maximum numbers of typing errors: (n, m) allows m errors in a spelling of fewer than n letters."""

MAX_SOUND_SLIPS: Final = ((5, 0), (9, 1), (maxsize, 2))
"""Maximum number of errors in sound keys, which have no inherent vowels: four of their letters may be another word."""

MIN_OTHER_START_LENGTH: Final = 3
"""Minimum length of a query for words with another first letter; with one error, shorter texts may be any word."""

SOUND_PENALTY: Final = 0.5
"""Penalty, in errors, of a word that only sounds like the query compared with one that is spelled like it."""

OTHER_START_PENALTY: Final = 0.5
"""Extra penalty for a different first letter, which users rarely get wrong."""

TOO_FAR: Final = float("inf")

MAX_TYPED_DISTANCE: Final = 0.8
TYPED_DISTANCE_PER_LETTER: Final = 0.05
"""Maximum distance of a word from Roman letters typed for it: a base value, and an increment per letter."""

MAX_FOREIGN_TYPED_DISTANCE: Final = 0.25
"""Base value for languages other than Assamese: English "to" is not Hindi तू."""

MAX_ROMAN_START_DISTANCE: Final = 0.25
"""Maximum distance of the beginning of Roman letters typed for a form of a word."""

MAX_START_DISTANCE: Final = 0.5
"""Maximum distance of the beginning of a misspelled form in the word's script: দয়ালু is no form of ডাল."""

MAX_USUAL_FORM_DISTANCE: Final = 0.1
"""Maximum distance of Roman letters typed for a pronoun's form, which ranks above words of the same sound."""

MAX_MEANT_DISTANCE: Final = 0.5
"""Maximum distance of an Assamese word from a word of another language typed for it."""

MAX_CONFUSION_DISTANCE: Final = 0.75
"""Maximum distance at which even a short word may have been meant."""

MAX_SORTED_WORDS: Final = 60
"""Maximum number of words, those with the fewest errors, that are sorted by their distance from the exact text."""


MAX_FORMS: Final = 16
"""Maximum number of words that a text may be a form of by sound."""

ONE_LETTER_DISTANCE: Final = 0.25
"""Distance, in letters, between spellings that differ in one letter of the same sound."""


class NearWordCandidate(NamedTuple):
    """Candidate for a near word, with the keys that determine its distance."""

    word_id: int
    language_id: int
    text: str
    loose_key: str
    sound_key: str
    frequency: float | None = None

    def as_key_match(self) -> KeyMatch:
        """Return the word as a key match."""
        return KeyMatch(self.loose_key, self.word_id, self.language_id, self.text, self.frequency)


class NearWord(NamedTuple):
    """Word near a query, with its number of errors, and its penalty for a different first letter."""

    candidate: NearWordCandidate
    slips: float
    start_penalty: float


def spelling_similarity(left: str, right: str) -> float:
    """Return the similarity of two spellings, from 0 to 1."""
    return OSA.normalized_similarity(left, right)


def may_be_typed_for(typed: str, text: str, language_id: int) -> bool:
    """Return whether Roman letters may be typed for a word with the same sound key.

    Sound keys omit inherent vowels, so very different words may share one.
    """
    if detect_script(typed) is not Script.LATIN or detect_script(text) is Script.LATIN:
        return True
    max_distance = MAX_TYPED_DISTANCE if language_id == ASSAMESE else MAX_FOREIGN_TYPED_DISTANCE
    return is_near(typed, text, max_distance + TYPED_DISTANCE_PER_LETTER * len(typed))


def sounds_close_enough(typed: str, text: str) -> bool:
    """Return whether a typed word of another language may be meant for an Assamese word of the same sound."""
    return distance(typed, text) <= MAX_MEANT_DISTANCE


def may_begin_as(typed: str, text: str) -> bool:
    """Return whether the beginning of a text fits a misspelled or Roman form of a word."""
    if detect_script(text) is Script.LATIN:
        return True
    max_distance = MAX_ROMAN_START_DISTANCE if detect_script(typed) is Script.LATIN else MAX_START_DISTANCE
    return prefix_distance(typed, text) <= max_distance


def may_be_form(typed: str, form: str) -> bool:
    """Return whether a text may be a given form of a word, misspelled or in Roman letters."""
    if detect_script(typed) is Script.LATIN:
        return distance(typed, form) <= MAX_TYPED_DISTANCE
    return distance(typed, form) <= MAX_CONFUSION_DISTANCE


def filter_one_letter_apart(text: str, sound: str, hits: Iterable[KeyMatch]) -> list[KeyMatch]:
    """Return the words that differ from a text by one letter of the same sound."""
    return [hit for hit in hits if hit.key == sound and distance(text, hit.text) <= ONE_LETTER_DISTANCE]


def find_words_of_best_stems(
    text: str, stems: Iterable[Stem], hits: Sequence[KeyMatch], is_form: Callable[[Stem, KeyMatch], bool]
) -> list[KeyMatch]:
    """Return the words of the best verb stem and the best other stem that the dictionary has.

    Stems that leave out the same number of letters are equally good.
    """
    best: dict[bool, list[KeyMatch]] = {}
    letters: dict[bool, int] = {}
    for stem in stems:
        if stem.is_verb_only not in best or 0 < stem.removed_letters == letters[stem.is_verb_only]:
            stem_hits = [hit for hit in hits if hit.key == stem.key and is_form(stem, hit)]
            if stem_hits:
                best.setdefault(stem.is_verb_only, []).extend(
                    sorted(stem_hits, key=lambda hit: distance(text, hit.text))
                )
                letters.setdefault(stem.is_verb_only, stem.removed_letters)
    by_word_id = {hit.word_id: hit for stem_hits in best.values() for hit in stem_hits}
    return list(by_word_id.values())


def find_nearest_forms(
    text: str, stems: Iterable[Stem], hits: Sequence[KeyMatch], is_form: Callable[[Stem, KeyMatch], bool]
) -> list[KeyMatch]:
    """Return the words of which a text may be a form by sound, nearest first: nouns by longest stem, verbs by any stem.

    `eitut` is a form of এইটো, not of এই. The first stem of a verb is unreliable by sound: `dibo` may belong to দোৱা,
    but is দিব, a form of দিয়া.
    """
    noun_stems = (stem for stem in stems if not stem.is_verb_only)
    nouns: list[KeyMatch] = []
    for _, same_length in groupby(sorted(noun_stems, key=_length_sort_key), _length_sort_key):
        nouns = [hit for stem in same_length for hit in hits if hit.key == stem.key and is_form(stem, hit)]
        if nouns:
            break
    verb_stems = {stem.key: stem for stem in stems if stem.is_verb_only}
    verbs = _sort_by_form_distance(text, (hit for hit in hits if hit.key in verb_stems))[:MAX_FORMS]
    by_word_id = {hit.word_id: hit for hit in (*nouns, *(hit for hit in verbs if is_form(verb_stems[hit.key], hit)))}
    return _sort_by_form_distance(text, by_word_id.values())


def _length_sort_key(stem: Stem) -> tuple[bool, int]:
    """Return the sort key of a noun stem: listed forms first, then the longest stems, ignoring optional vowels."""
    return not stem.irregular_form, -len(make_frame(stem.key))


def _sort_by_form_distance(text: str, hits: Iterable[KeyMatch]) -> list[KeyMatch]:
    return sorted(hits, key=lambda hit: (form_distance(text, hit.text) + word_penalty(hit), hit.text))


def sort_by_stem(text: str, hits: Sequence[KeyMatch]) -> list[KeyMatch]:
    """Sort the words of a form: those whose stem is spelled as in the text first, then by frequency.

    A word that does not begin like the text is read as negated, and comes last: নিচিনাকৈ is a form of নিচিনা.
    """
    common_prefixes = {hit.text: _common_prefix(exact_key(text), exact_key(hit.text)) for hit in hits}
    return sorted(
        hits,
        key=lambda hit: (
            not _has_spelled_stem(text, hit.text, common_prefixes[hit.text]),
            not common_prefixes[hit.text],
            word_penalty(hit),
        ),
    )


def _has_spelled_stem(text: str, word: str, common_prefix: str) -> bool:
    """Return whether a text and a word share their beginning exactly, not only in loose spelling.

    ল’ৰাটো begins like ল’ৰা; লৰা matches only without the apostrophe.
    """
    folded = _common_prefix(loose_key(text, "as"), loose_key(word, "as"))
    return loose_key(common_prefix, "as").startswith(folded)


def _common_prefix(left: str, right: str) -> str:
    return left[: Prefix.similarity(left, right)]


def is_typed_for_form(typed: str, form: str) -> bool:
    """Return whether Roman letters are the usual spelling of a form: `mor` is মোৰ rather than মূৰ."""
    return detect_script(typed) is Script.LATIN and distance(typed, form) <= MAX_USUAL_FORM_DISTANCE


def may_be_form_by_sound(text: str, stem: Stem, hit: KeyMatch) -> bool:
    """Return whether a text that sounds like a form of a word may also be one by its letters."""
    if stem.irregular_form:
        return may_be_form(text, stem.irregular_form)
    return stem.is_verb_only or may_begin_as(text, hit.text)


def find_nearest(
    query: SearchQuery, candidates: Iterable[NearWordCandidate], language_id: int = ALL_LANGUAGES
) -> list[NearWord]:
    """Return the candidates that are near enough, nearest first.

    Words of the requested language come first. Further criteria: distance by likely confusions of letters, similarity
    of spelling, language ID, and code points.
    """
    eligible = [candidate for candidate in candidates if query.loose.is_possible_language(candidate.language_id)]
    keys = {
        language: _keys_for_language(query, language) for language in {candidate.language_id for candidate in eligible}
    }
    near_words = [
        near
        for candidate in eligible
        if (near := _compare(query.text, keys[candidate.language_id], candidate)) is not None
    ]
    by_slips = sorted(near_words, key=lambda near: (_is_foreign(near, language_id), near.slips, near.candidate.text))

    def sort_key(near: NearWord) -> tuple[bool, float, float, int, str]:
        _, language, text, loose_key, _, _ = near.candidate
        cost = match_cost(query.text, near.candidate.as_key_match()) + near.start_penalty
        unlike = -spelling_similarity(keys[language].loose, loose_key)
        return (_is_foreign(near, language_id), cost, unlike, language, text)

    first = sorted(by_slips[:MAX_SORTED_WORDS], key=sort_key)
    return [*first, *by_slips[MAX_SORTED_WORDS:]]


def _is_foreign(near: NearWord, language_id: int) -> bool:
    return language_id not in {ALL_LANGUAGES, near.candidate.language_id}


class _QueryKeys(NamedTuple):
    """Keys of a query for words of one language, and the first letters of the sound keys."""

    loose: str
    sounds: frozenset[str]
    starts: frozenset[str]


def _keys_for_language(query: SearchQuery, language_id: int) -> _QueryKeys:
    sounds = query.sounds.get(language_id, frozenset())
    return _QueryKeys(query.loose.get(language_id, query.exact_key), sounds, frozenset(key[:1] for key in sounds))


def _compare(text: str, keys: _QueryKeys, candidate: NearWordCandidate) -> NearWord | None:
    loose, sounds, starts = keys
    has_same_start = loose[:1] == candidate.loose_key[:1] or candidate.sound_key[:1] in starts
    if not has_same_start and len(loose) < MIN_OTHER_START_LENGTH:
        return None
    slips = _count_slips(loose, candidate.loose_key)
    if candidate.sound_key in sounds:
        slips = min(slips, SOUND_PENALTY)
    elif slips > 1:
        # An error in the sound ranks below one in the spelling.
        sound_slips, has_similar_sound = _count_sound_slips(sounds, candidate.sound_key)
        slips = min(slips, sound_slips + SOUND_PENALTY)
        if slips == TOO_FAR and has_similar_sound and is_near(text, candidate.text, MAX_CONFUSION_DISTANCE):
            # Users often confuse the two spellings.
            slips = 1 + SOUND_PENALTY
    if slips == TOO_FAR:
        return None
    start_penalty = 0.0 if has_same_start else OTHER_START_PENALTY
    return NearWord(candidate, slips + start_penalty, start_penalty)


def _count_sound_slips(sounds: Iterable[str], key: str) -> tuple[float, bool]:
    """Return the errors between a key and its nearest sound key, and whether any has at most one error."""
    min_slips, has_similar_sound = TOO_FAR, False
    for sound in sounds:
        slips = OSA.distance(sound, key, score_cutoff=SOUND_SLIPS_CUTOFF)
        if slips <= 1:
            has_similar_sound = True
        if slips < min_slips and slips <= _max_slips(sound, key, _MAX_SOUND_SLIPS_BY_LENGTH):
            min_slips = slips
    return min_slips, has_similar_sound


def _expand_by_length(table: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    """Expand a table to the number of errors for each length from 0 on; the last applies to all greater lengths."""
    last = table[-2][0]
    return tuple(next(slips for below, slips in table if letters < below) for letters in range(last + 1))


_MAX_SLIPS_BY_LENGTH: Final = _expand_by_length(MAX_SLIPS)
_MAX_SOUND_SLIPS_BY_LENGTH: Final = _expand_by_length(MAX_SOUND_SLIPS)
SOUND_SLIPS_CUTOFF: Final = _MAX_SOUND_SLIPS_BY_LENGTH[-1]


def _count_slips(left: str, right: str) -> float:
    """Return the number of errors between two spellings; `TOO_FAR` if too many, as the lengths alone often show."""
    allowed = _max_slips(left, right, _MAX_SLIPS_BY_LENGTH)
    if abs(len(left) - len(right)) > allowed:
        return TOO_FAR
    slips = OSA.distance(left, right, score_cutoff=allowed)
    return slips if slips <= allowed else TOO_FAR


def _max_slips(left: str, right: str, by_letters: Sequence[int]) -> int:
    return by_letters[min(len(left), len(right), len(by_letters) - 1)]


def is_plain(text: str) -> bool:
    """Return whether a text is one word of ASCII letters and digits, so that its exact key differs only in case."""
    return text.isascii() and text.isalnum()


def may_be_roman_spelling(typed: str, text: str, language_id: int) -> bool:
    """Return whether Roman letters may be typed for a word of the same sound in another script."""
    return detect_script(text) is not Script.LATIN and may_be_typed_for(typed, text, language_id)
