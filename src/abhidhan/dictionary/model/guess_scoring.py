"""Scoring of guesses by distance from the typed text and by frequency.

Weights are in letters, like distances. They were tuned on one half of the queries of `tools/evaluate_ranking.py` and
verified on the other half (figures in docs/language.md).
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from math import log10
from sys import maxsize
from typing import Final, NamedTuple

from abhidhan.dictionary.model.cascade import StrategyName
from abhidhan.records.languages import ASSAMESE, ENGLISH
from assamese.letters import letters_in
from assamese.normalization import Script, exact_key, script_of
from assamese.roman_endings import MISSPELLED, distance_of_form, distance_of_listed
from assamese.spelling_distance import distance
from assamese.word_frequency import COUNTED, FIGURES, UNKNOWN, band, band_of

FOREIGN: Final = 0.5
"""Penalty, in letters, of a word in another language compared with Assamese, which most users mean."""

MORE_COMMON: Final = 0.17
"""Bonus, in letters, for each tenfold frequency."""

ENGLISH_A_LETTER: Final = 0.45
LETTERS_OF_ANY: Final = 3
MOST_ENGLISH: Final = 1.4
"""Bonus, in letters, of an English word with one typing error: per letter beyond LETTERS_OF_ANY, and the maximum.

Many texts of four letters may be typed for some Assamese word, but hardly one of seven is an English word by chance.
"""

STUB: Final = 0.5
"""Penalty, in letters, of a stub, an entry without definition and translation."""

LEMMA: Final = 0.05
"""Penalty, in letters, of a lemma compared with its stub, before the stub gets its own penalty."""

ONCE: Final = 0.12
"""Occurrences per million running words of a word counted once in the corpus of 8.35 million words."""

SHORTLIST: Final = 16
"""Number of top guesses that are checked for being stubs."""

UNSURE: Final[Mapping[StrategyName, float]] = {
    StrategyName.LISTED_FORM: 0.0,
    StrategyName.MISSPELLED: 0.0,
    StrategyName.SAME_SOUND: 0.0,
    StrategyName.FORM_BY_RULE: 0.6,
    StrategyName.FORM_BY_SOUND: 0.55,
    StrategyName.SLIPS: 0.2,
}
"""Guessers with the penalty of their matches, in letters; of ties, the first counts."""

CLOSE_A_ROMAN_LETTER: Final = 0.15
"""Maximum distance of a guess in another script, per Roman letter typed."""

FEW_ROMAN_LETTERS: Final = 4
"""Number of letters up to which the maximum is that of one letter: one in ten texts of four sounds like a word."""

CLOSE_A_LATIN_LETTER: Final = 0.29
"""Maximum distance of a word in Roman letters, per letter typed: `cnady` finds candy, `gtow` not glow."""

CLOSE_IN_ITS_SCRIPT: Final = ((4, 0.4), (5, 1.0), (6, 1.2), (7, 1.5), (maxsize, 2.0))
"""Maximum distance of a word, regardless of frequency, for fewer than a number of Indic letters typed."""

CLOSE_IF_FOREIGN: Final = 0.5
"""Factor of CLOSE_IN_ITS_SCRIPT for words of languages other than Assamese."""

CLOSE_A_LETTER_OF_A_FORM: Final = 0.12
"""Maximum distance of a misspelled form, per Indic letter typed."""

LEAST_OF_A_STEM: Final = 4
"""Minimum number of letters of a word whose stem may have a typing error."""

LEAST_WITH_A_SLIP: Final = 7
"""Minimum number of letters of a form with a typing error in its stem: কুসু is rather কুসুম than a form of কোষ."""

SLIP_IN_A_FORM: Final = 0.3
"""Penalty, in letters, of a form with a wrong letter compared with such a word."""

A_SLIP_AWAY: Final = MISSPELLED + 1.0
"""Distance of a misspelled form from which a whole letter is wrong."""

LEAST_OF_A_FORM: Final = 4
"""Minimum number of letters assumed for a form: যাউ for যাওঁ."""

SURER_IN_ITS_SCRIPT: Final = 0.05
"""Bonus, in letters, of a misspelled form in Assamese letters, as Roman letters are more ambiguous."""

CLOSE_IF_LISTED: Final = 0.2
"""Maximum distance of an irregular form of any length: `tur` finds তোৰ."""

OF_FORMS: Final = frozenset({StrategyName.LISTED_FORM, StrategyName.FORM_BY_RULE})
"""Strategies that match forms exactly, for which the distance of the word itself is irrelevant."""


class FoundKey(NamedTuple):
    """Match of a key, before the rest of the word is loaded.

    `frequency` is in occurrences per million running words, None if the entry has none.
    """

    key: str
    word_id: int
    language_id: int
    text: str
    frequency: float | None = None


class Guess(NamedTuple):
    """Word that may be meant, the strategy that found it, and its score: the weighted distance in letters."""

    hit: FoundKey
    strategy: StrategyName
    far: float


def commonness(language_id: int, key: str, frequency: float | None) -> float:
    """Return the commonness of an exact key: the logarithm of its frequency, or 0 if it was not counted.

    The frequency of an entry, set by an editor or an import, takes precedence over newspaper counts.
    """
    if frequency is not None:
        return _COMMONNESS[band_of(frequency)]
    return _COMMONNESS[band(key, COUNTED)] if language_id == ASSAMESE else 0.0


_COMMONNESS: Final = tuple(log10(1 + (figure or 0.0) / ONCE) for figure in FIGURES)

MOST_COMMON: Final = MORE_COMMON * log10(1_000_000 / ONCE)
"""Bonus that a word would have if no other word were in use, in letters."""


def is_counted(text: str) -> bool:
    """Return whether a text in Assamese letters occurs in newspapers, so that it is a word or a form of one."""
    return band(exact_key(text), COUNTED) != UNKNOWN


def how_far(asked: str, hit: FoundKey) -> float:
    """Return the weighted distance of a word from a text, in letters; likely and common words are nearer."""
    return distance(asked, hit.text) + standing(hit) - english_advantage(asked, hit)


def english_advantage(asked: str, hit: FoundKey) -> float:
    """Return the bonus of an English word that a text matches with at most one typing error."""
    letters = len(asked) - LETTERS_OF_ANY
    if hit.language_id != ENGLISH or letters <= 0 or not asked.isascii() or distance(asked, hit.text) > 1:
        return 0.0
    return min(ENGLISH_A_LETTER * letters, MOST_ENGLISH)


def standing(hit: FoundKey) -> float:
    """Return the score of a word regardless of the text: below 0 for common words."""
    if hit.language_id != ASSAMESE and hit.frequency is None:
        return FOREIGN
    common = MORE_COMMON * commonness(hit.language_id, exact_key(hit.text), hit.frequency)
    return (0.0 if hit.language_id == ASSAMESE else FOREIGN) - common


def closest_first(text: str, hits: list[FoundKey]) -> list[FoundKey]:
    """Sort the matches of a text, likeliest first."""
    if len(hits) < 2:  # noqa: PLR2004  # a single word is in order
        return hits
    return sorted(hits, key=lambda hit: (how_far(text, hit), hit.language_id))


def guesses_of(text: str, found: Mapping[StrategyName, Iterable[FoundKey]]) -> list[Guess]:
    """List the matches of the guessers for a text, each word once, likeliest first."""
    best: dict[int, Guess] = {}
    for strategy, penalty in UNSURE.items():
        for hit in found.get(strategy, ()):
            far = penalty + _distance_by(strategy, text, hit) + standing(hit)
            if strategy not in OF_FORMS:
                far -= english_advantage(text, hit)
            if hit.word_id not in best or far < best[hit.word_id].far:
                best[hit.word_id] = Guess(hit, strategy, far)
    return likeliest_first(best.values())


def is_close(text: str, guess: Guess) -> bool:
    """Return whether a guess is close enough to be an entry, relative to the number of letters typed."""
    hit, strategy = guess.hit, guess.strategy
    is_listed = strategy is StrategyName.FORM_BY_SOUND and distance_of_listed(text, hit.text) <= CLOSE_IF_LISTED
    if is_listed or strategy not in _BY_SOUND:
        return True
    if script_of(text) is not Script.LATIN:
        return _is_close_in_its_script(text, strategy, hit)
    letters, far = letters_in(exact_key(text)), UNSURE[strategy] + _distance_by(strategy, text, hit)
    if script_of(hit.text) is Script.LATIN:
        return far <= CLOSE_A_LATIN_LETTER * letters
    common = standing(hit) - (FOREIGN if hit.language_id != ASSAMESE else 0.0)
    return far + common <= CLOSE_A_ROMAN_LETTER * (letters if letters > FEW_ROMAN_LETTERS else 1)


def _is_close_in_its_script(text: str, strategy: StrategyName, hit: FoundKey) -> bool:
    letters, is_foreign = letters_in(exact_key(text)), hit.language_id != ASSAMESE
    if strategy is StrategyName.FORM_BY_SOUND:
        return _is_close_to_form(text, hit, letters)
    # A text with the sound of a word may lack a silent letter (পচিম) or be a form of it (নগৰড়).
    most = max(letters, letters_in(exact_key(hit.text))) if strategy is StrategyName.SAME_SOUND else letters
    allowed = next(far for below, far in CLOSE_IN_ITS_SCRIPT if most < below)
    if distance(text, hit.text) <= allowed * (CLOSE_IF_FOREIGN if is_foreign else 1.0):
        return True
    return strategy is StrategyName.SAME_SOUND and not is_foreign and _is_close_to_form(text, hit, letters)


def _is_close_to_form(text: str, hit: FoundKey, letters: int) -> bool:
    far = distance_of_form(text, hit.text)
    return far <= CLOSE_A_LETTER_OF_A_FORM * max(letters, LEAST_OF_A_FORM) or _is_close_stem(hit, letters, far)


def is_misspelled_form(text: str, hit: FoundKey) -> bool:
    """Return whether a text in Assamese letters is close to a form of an Assamese word."""
    return _is_close_to_form(text, hit, letters_in(exact_key(text)))


def _is_close_stem(hit: FoundKey, typed: int, far: float) -> bool:
    """Return whether a stem is as close to a word as a whole text has to be."""
    letters = letters_in(exact_key(hit.text))
    allowed = next(each for below, each in CLOSE_IN_ITS_SCRIPT if letters < below)
    return letters >= LEAST_OF_A_STEM and typed >= LEAST_WITH_A_SLIP and far <= allowed + MISSPELLED


_BY_SOUND: Final = frozenset({StrategyName.SAME_SOUND, StrategyName.FORM_BY_SOUND, StrategyName.SLIPS})
"""Strategies whose results must be close; the others match letters or a rule."""


def _distance_by(strategy: StrategyName, text: str, hit: FoundKey) -> float:
    if strategy in OF_FORMS:
        return 0.0
    if strategy is not StrategyName.FORM_BY_SOUND:
        return distance(text, hit.text)
    far = distance_of_form(text, hit.text)
    if script_of(text) is Script.LATIN:
        return far
    return far - SURER_IN_ITS_SCRIPT if far < A_SLIP_AWAY else far + SLIP_IN_A_FORM


def likeliest_first(guesses: Iterable[Guess]) -> list[Guess]:
    """Sort guesses by score, then by language and code points."""
    return sorted(guesses, key=lambda guess: (guess.far, guess.hit.language_id, guess.hit.text))


def put_behind(guesses: Iterable[Guess], stubs: Collection[int]) -> list[Guess]:
    """Add the stub penalty to guesses in `stubs`, by word ID, and sort again."""
    return likeliest_first(
        guess._replace(far=guess.far + STUB) if guess.hit.word_id in stubs else guess for guess in guesses
    )


def chosen(guesses: Sequence[Guess]) -> list[Guess]:
    """Choose the guesses that become entries, likeliest first.

    Forms by rule and near spellings count only if they are likelier than all words of the same sound.
    """
    sure = next((place for place, guess in enumerate(guesses) if guess.strategy in _SOUNDING), len(guesses))
    return [*guesses[:sure], *(guess for guess in guesses[sure:] if guess.strategy in _SOUNDING)]


_SOUNDING: Final = frozenset({StrategyName.LISTED_FORM, StrategyName.MISSPELLED, StrategyName.SAME_SOUND})
