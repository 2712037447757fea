"""Selection and order of words near a typed text."""

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from sys import maxsize
from typing import Final, NamedTuple

from rapidfuzz.distance import OSA, Prefix

from abhidhan.dictionary.model.guess_scoring import FoundKey, how_far, standing
from abhidhan.dictionary.model.query import SearchQuery
from abhidhan.dictionary.model.sound_frames import frame_of
from abhidhan.records.languages import ALL_LANGUAGES, ASSAMESE
from assamese.inflection import Stem
from assamese.keys import exact_key, loose_key
from assamese.normalization import Script, script_of
from assamese.roman_endings import distance_of_form
from assamese.spelling_distance import distance, distance_of_beginning, is_near

SLIPS: Final = ((6, 1), (maxsize, 2))
"""Maximum number of typing errors in a spelling with fewer than a number of letters."""

SLIPS_IN_SOUND: Final = ((5, 0), (9, 1), (maxsize, 2))
"""Maximum number of errors in sound keys, which have no inherent vowels: four of their letters may be another word."""

SURE_START_BELOW: Final = 3
"""Words of fewer letters must begin like the query: with one error they could be any other word."""

HEARD: Final = 0.5
"""Penalty, in errors, of a word that only sounds like the query compared with one that is spelled like it."""

OTHER_START: Final = 0.5
"""Extra penalty for a different first letter, which users rarely get wrong."""

FAR: Final = float("inf")

TYPED_FREELY: Final = 0.8
TYPED_FREELY_A_LETTER: Final = 0.05
"""Maximum distance of a word from Roman letters typed for it: a base value, and an increment per letter."""

FOREIGN_TYPED_FREELY: Final = 0.25
"""Base value for languages other than Assamese: English "to" is not Hindi तू."""

BEGUN_FREELY: Final = 0.25
"""Maximum distance of the beginning of Roman letters typed for a form of a word."""

BEGUN_MISSPELLED: Final = 0.5
"""Maximum distance of the beginning of a misspelled form in the word's script: দয়ালু is no form of ডাল."""

AS_EVERYBODY_TYPES: Final = 0.1
"""Maximum distance of Roman letters typed for a pronoun's form, which ranks above words of the same sound."""

MEANT_INSTEAD: Final = 0.5
"""Maximum distance of an Assamese word from a word of another language typed for it."""

MIXED_UP: Final = 0.75
"""Distance up to which even a short word may have been meant."""

COMPARED_LETTER_BY_LETTER: Final = 60
"""Maximum number of words, those with the fewest errors, that are sorted by the exact text."""


MOST_FORMS: Final = 16
"""Maximum number of words that a text may be a form of by sound."""

ONE_LETTER: Final = 0.25
"""Distance, in letters, between spellings that differ in one letter of the same sound."""


class Candidate(NamedTuple):
    """Candidate for a near word, with the keys that determine its distance."""

    word_id: int
    language_id: int
    text: str
    loose_key: str
    sound_key: str
    frequency: float | None = None

    def as_found(self) -> FoundKey:
        """Return the word as a key match."""
        return FoundKey(self.loose_key, self.word_id, self.language_id, self.text, self.frequency)


class Near(NamedTuple):
    """Near word: the number of errors, and the penalty for another first letter."""

    candidate: Candidate
    slips: float
    other_start: float


def likeness(one: str, other: str) -> float:
    """Return the similarity of two spellings, from 0 to 1."""
    return OSA.normalized_similarity(one, other)


def may_be_typed_for(asked: str, text: str, language_id: int) -> bool:
    """Return whether Roman letters may be typed for a word with the same sound key.

    Sound keys omit inherent vowels, so very different words may share one.
    """
    if script_of(asked) is not Script.LATIN or script_of(text) is Script.LATIN:
        return True
    freely = TYPED_FREELY if language_id == ASSAMESE else FOREIGN_TYPED_FREELY
    return is_near(asked, text, freely + TYPED_FREELY_A_LETTER * len(asked))


def may_be_meant_by(asked: str, text: str) -> bool:
    """Return whether a word of another language may be meant as an Assamese word of the same sound."""
    return distance(asked, text) <= MEANT_INSTEAD


def may_begin_as(asked: str, text: str) -> bool:
    """Return whether the beginning of a text fits a misspelled or Roman form of a word."""
    if script_of(text) is Script.LATIN:
        return True
    freely = BEGUN_FREELY if script_of(asked) is Script.LATIN else BEGUN_MISSPELLED
    return distance_of_beginning(asked, text) <= freely


def may_be_the_form(asked: str, form: str) -> bool:
    """Return whether a text may be a given form of a word, misspelled or in Roman letters."""
    if script_of(asked) is Script.LATIN:
        return distance(asked, form) <= TYPED_FREELY
    return distance(asked, form) <= MIXED_UP


def one_letter_off(text: str, sound: str, hits: Iterable[FoundKey]) -> list[FoundKey]:
    """Return the words that differ from a text by one letter of the same sound."""
    return [hit for hit in hits if hit.key == sound and distance(text, hit.text) <= ONE_LETTER]


def of_best_stems(
    text: str, wanted: Iterable[Stem], hits: Sequence[FoundKey], fits: Callable[[Stem, FoundKey], bool]
) -> list[FoundKey]:
    """Return the words of the best verb stem and the best other stem that the dictionary has.

    Stems that leave out the same number of letters are equally good.
    """
    best: dict[bool, list[FoundKey]] = {}
    letters: dict[bool, int] = {}
    for stem in wanted:
        if stem.of_verb not in best or 0 < stem.letters == letters[stem.of_verb]:
            of_stem = [hit for hit in hits if hit.key == stem.key and fits(stem, hit)]
            if of_stem:
                best.setdefault(stem.of_verb, []).extend(sorted(of_stem, key=lambda hit: distance(text, hit.text)))
                letters.setdefault(stem.of_verb, stem.letters)
    once = {hit.word_id: hit for of_stem in best.values() for hit in of_stem}
    return list(once.values())


def nearest_forms(
    text: str, wanted: Iterable[Stem], hits: Sequence[FoundKey], fits: Callable[[Stem, FoundKey], bool]
) -> list[FoundKey]:
    """Return the words of which a text may be a form by sound, nearest first: nouns by longest stem, verbs by any stem.

    `eitut` is a form of এইটো, not of এই. The first stem of a verb is unreliable by sound: `dibo` may belong to দোৱা,
    but is দিব, a form of দিয়া.
    """
    of_nouns = (stem for stem in wanted if not stem.of_verb)
    nouns: list[FoundKey] = []
    for _, same in groupby(sorted(of_nouns, key=_place_by_length), _place_by_length):
        nouns = [hit for stem in same for hit in hits if hit.key == stem.key and fits(stem, hit)]
        if nouns:
            break
    of_verbs = {stem.key: stem for stem in wanted if stem.of_verb}
    verbs = _nearest_first(text, (hit for hit in hits if hit.key in of_verbs))[:MOST_FORMS]
    once = {hit.word_id: hit for hit in (*nouns, *(hit for hit in verbs if fits(of_verbs[hit.key], hit)))}
    return _nearest_first(text, once.values())


def _place_by_length(stem: Stem) -> tuple[bool, int]:
    """Return the sort key of a noun stem: listed forms first, then the longest stems, ignoring optional vowels."""
    return not stem.form, -len(frame_of(stem.key))


def _nearest_first(text: str, hits: Iterable[FoundKey]) -> list[FoundKey]:
    return sorted(hits, key=lambda hit: (distance_of_form(text, hit.text) + standing(hit), hit.text))


def stems_in_order(text: str, hits: Sequence[FoundKey]) -> list[FoundKey]:
    """Sort the words of a form: those whose stem is spelled as in the text first, then by frequency.

    A word that does not begin like the text is read as negated, and comes last: নিচিনাকৈ is a form of নিচিনা.
    """
    beginning = {hit.text: _common_beginning(exact_key(text), exact_key(hit.text)) for hit in hits}
    return sorted(
        hits,
        key=lambda hit: (
            not _has_spelled_stem(text, hit.text, beginning[hit.text]),
            not beginning[hit.text],
            standing(hit),
        ),
    )


def _has_spelled_stem(text: str, word: str, beginning: str) -> bool:
    """Return whether a text and a word share their beginning exactly, not only in loose spelling.

    ল’ৰাটো begins like ল’ৰা; লৰা matches only without the apostrophe.
    """
    folded = _common_beginning(loose_key(text, "as"), loose_key(word, "as"))
    return loose_key(beginning, "as").startswith(folded)


def _common_beginning(one: str, other: str) -> str:
    return one[: Prefix.similarity(one, other)]


def is_typed_for_form(asked: str, form: str) -> bool:
    """Return whether Roman letters are the usual spelling of a form: `mor` is মোৰ rather than মূৰ."""
    return script_of(asked) is Script.LATIN and distance(asked, form) <= AS_EVERYBODY_TYPES


def fits_by_sound(text: str, stem: Stem, hit: FoundKey) -> bool:
    """Return whether a text with the sound of a form may also be one by its letters."""
    if stem.form:
        return may_be_the_form(text, stem.form)
    return stem.of_verb or may_begin_as(text, hit.text)


def nearest(asked: SearchQuery, candidates: Iterable[Candidate], language_id: int = ALL_LANGUAGES) -> list[Near]:
    """Sort the candidates that are near enough, nearest first.

    Words of the requested language come first. Further criteria: distance by likely confusions of letters, similarity
    of spelling, language ID, and code points.
    """
    written = [each for each in candidates if asked.loose.may_be_of(each.language_id)]
    keys = {language: _keys_in(asked, language) for language in {each.language_id for each in written}}
    found = [near for each in written if (near := _near(asked.text, keys[each.language_id], each)) is not None]
    fewest = sorted(found, key=lambda near: (_is_foreign(near, language_id), near.slips, near.candidate.text))

    def order(near: Near) -> tuple[bool, float, float, int, str]:
        _, language, text, loose_key, _, _ = near.candidate
        far = how_far(asked.text, near.candidate.as_found()) + near.other_start
        unlike = -likeness(keys[language].loose, loose_key)
        return (_is_foreign(near, language_id), far, unlike, language, text)

    first = sorted(fewest[:COMPARED_LETTER_BY_LETTER], key=order)
    return [*first, *fewest[COMPARED_LETTER_BY_LETTER:]]


def _is_foreign(near: Near, language_id: int) -> bool:
    return language_id not in {ALL_LANGUAGES, near.candidate.language_id}


class _Keys(NamedTuple):
    """Keys of a query for words of one language, and the first letters of the sound keys."""

    loose: str
    sounds: frozenset[str]
    starts: frozenset[str]


def _keys_in(asked: SearchQuery, language_id: int) -> _Keys:
    sounds = asked.sounds.of(language_id, frozenset())
    return _Keys(asked.loose.of(language_id, asked.exact), sounds, frozenset(key[:1] for key in sounds))


def _near(text: str, keys: _Keys, candidate: Candidate) -> Near | None:
    loose, sounds, starts = keys
    same_start = loose[:1] == candidate.loose_key[:1] or candidate.sound_key[:1] in starts
    if not same_start and len(loose) < SURE_START_BELOW:
        return None
    slips = _slips(loose, candidate.loose_key)
    if candidate.sound_key in sounds:
        slips = min(slips, HEARD)
    elif slips > 1:
        # An error in the sound ranks below one in the spelling.
        heard, is_nearly_heard = _heard(sounds, candidate.sound_key)
        slips = min(slips, heard + HEARD)
        if slips == FAR and is_nearly_heard and is_near(text, candidate.text, MIXED_UP):
            # The two are often confused.
            slips = 1 + HEARD
    if slips == FAR:
        return None
    other_start = 0.0 if same_start else OTHER_START
    return Near(candidate, slips + other_start, other_start)


def _heard(sounds: Iterable[str], key: str) -> tuple[float, bool]:
    """Return the number of errors between a key and its nearest sound key, and whether one differs by at most one."""
    fewest, is_nearly_heard = FAR, False
    for sound in sounds:
        slips = OSA.distance(sound, key, score_cutoff=MOST_SLIPS_IN_SOUND)
        if slips <= 1:
            is_nearly_heard = True
        if slips < fewest and slips <= _allowed(sound, key, _ALLOWED_IN_SOUND):
            fewest = slips
    return fewest, is_nearly_heard


def _by_letters(table: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    """Return the number of errors allowed by length from 0 on; the last value applies to all greater lengths."""
    last = table[-2][0]
    return tuple(next(slips for below, slips in table if letters < below) for letters in range(last + 1))


_ALLOWED: Final = _by_letters(SLIPS)
_ALLOWED_IN_SOUND: Final = _by_letters(SLIPS_IN_SOUND)
MOST_SLIPS_IN_SOUND: Final = _ALLOWED_IN_SOUND[-1]


def _slips(one: str, other: str) -> float:
    """Return the number of errors between two spellings; FAR if too many, as the lengths alone often show."""
    allowed = _allowed(one, other, _ALLOWED)
    if abs(len(one) - len(other)) > allowed:
        return FAR
    slips = OSA.distance(one, other, score_cutoff=allowed)
    return slips if slips <= allowed else FAR


def _allowed(one: str, other: str, by_letters: Sequence[int]) -> int:
    return by_letters[min(len(one), len(other), len(by_letters) - 1)]


def is_plain(text: str) -> bool:
    """Return whether a text is one word of ASCII letters and digits, so that its exact key differs only in case."""
    return text.isascii() and text.isalnum()


def may_mean(typed: str, text: str, language_id: int) -> bool:
    """Return whether Roman letters may be typed for a word of the same sound in another script."""
    return script_of(text) is not Script.LATIN and may_be_typed_for(typed, text, language_id)
