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
from assamese.letters import count_letters
from assamese.normalization import Script, detect_script, exact_key
from assamese.roman_endings import MISSPELLING_COST, form_distance, irregular_form_distance
from assamese.spelling_distance import distance
from assamese.word_frequency import BAND_FREQUENCIES, COUNTED_LANGUAGE, UNKNOWN_BAND, frequency_to_band, look_up_band

FOREIGN_PENALTY: Final = 0.5
"""Penalty, in letters, of a word in another language compared with Assamese, which most users mean."""

BONUS_PER_TENFOLD_FREQUENCY: Final = 0.17
"""Bonus, in letters, for each tenfold frequency."""

ENGLISH_BONUS_PER_LETTER: Final = 0.45
MIN_ENGLISH_LETTERS: Final = 3
MAX_ENGLISH_BONUS: Final = 1.4
"""Bonus, in letters, of an English word with one typing error: per letter over `MIN_ENGLISH_LETTERS`, and the maximum.

Many texts of four letters may be typed for some Assamese word, but hardly one of seven is an English word by chance.
"""

STUB_PENALTY: Final = 0.5
"""Penalty, in letters, of a stub, an entry without definition and translation."""

LEMMA_PENALTY: Final = 0.05
"""Penalty, in letters, of the lemma of a stub compared with the stub, before `STUB_PENALTY` is added."""

FREQUENCY_OF_SINGLE_USE: Final = 0.12
"""Occurrences per million running words of a word counted once in the corpus of 8.35 million words."""

SHORTLIST_SIZE: Final = 16
"""Number of top guesses that are checked for being stubs."""

GUESS_PENALTIES: Final[Mapping[StrategyName, float]] = {
    StrategyName.LISTED_FORM: 0.0,
    StrategyName.MISSPELLED: 0.0,
    StrategyName.SAME_SOUND: 0.0,
    StrategyName.FORM_BY_RULE: 0.6,
    StrategyName.FORM_BY_SOUND: 0.55,
    StrategyName.SLIPS: 0.2,
}
"""Penalties, in letters, of the matches of each guess strategy; if two match equally well, the first one counts."""

MAX_DISTANCE_PER_ROMAN_LETTER: Final = 0.15
"""Maximum distance of a guess in another script, per Roman letter typed."""

SHORT_TEXT_THRESHOLD: Final = 4
"""Number of letters up to which the maximum distance is that of one letter, as short texts sound like many words."""

MAX_DISTANCE_PER_LATIN_LETTER: Final = 0.29
"""Maximum distance of a word in Roman letters, per letter typed: `cnady` finds candy, but `gtow` not glow."""

MAX_DISTANCES_BY_LENGTH: Final = ((4, 0.4), (5, 1.0), (6, 1.2), (7, 1.5), (maxsize, 2.0))
"""Maximum distances of a word, regardless of frequency: (n, d) is for texts of fewer than n Indic letters."""

FOREIGN_DISTANCE_FACTOR: Final = 0.5
"""Factor of `MAX_DISTANCES_BY_LENGTH` for words of languages other than Assamese."""

MAX_FORM_DISTANCE_PER_LETTER: Final = 0.12
"""Maximum distance of a misspelled form, per Indic letter typed."""

MIN_STEM_LETTERS: Final = 4
"""Minimum number of letters of a word whose stem may have a typing error."""

MIN_SLIP_FORM_LETTERS: Final = 7
"""Minimum number of letters of a form with a typing error in its stem: কুসু is rather কুসুম than a form of কোষ."""

FORM_SLIP_PENALTY: Final = 0.3
"""Penalty, in letters, of a form with a wrong letter, compared with a word with a wrong letter."""

SLIP_DISTANCE: Final = MISSPELLING_COST + 1.0
"""Minimum distance of a misspelled form in which a whole letter is wrong."""

MIN_FORM_LETTERS: Final = 4
"""Minimum number of letters assumed for a form: যাউ for যাওঁ."""

SAME_SCRIPT_BONUS: Final = 0.05
"""Bonus, in letters, of a misspelled form in Assamese letters, as Roman letters are more ambiguous."""

MAX_LISTED_FORM_DISTANCE: Final = 0.2
"""Maximum distance of an irregular form of any length: `tur` finds তোৰ."""

FORM_STRATEGIES: Final = frozenset({StrategyName.LISTED_FORM, StrategyName.FORM_BY_RULE})
"""Strategies that match inflected forms exactly, so that the distance of the headword is irrelevant."""


class KeyMatch(NamedTuple):
    """Match of a key, before the rest of the word is loaded.

    `frequency` is in occurrences per million running words, None if the entry has none.
    """

    key: str
    word_id: int
    language_id: int
    text: str
    frequency: float | None = None


class Guess(NamedTuple):
    """Word that may be meant, the strategy that found it, and its cost: the weighted distance in letters."""

    hit: KeyMatch
    strategy: StrategyName
    cost: float


def commonness(language_id: int, key: str, frequency: float | None) -> float:
    """Return the commonness of an exact key: the logarithm of its frequency, or 0 if it was not counted.

    The frequency of an entry, set by an editor or an import, takes precedence over newspaper counts.
    """
    if frequency is not None:
        return _COMMONNESS_BY_BAND[frequency_to_band(frequency)]
    return _COMMONNESS_BY_BAND[look_up_band(key, COUNTED_LANGUAGE)] if language_id == ASSAMESE else 0.0


_COMMONNESS_BY_BAND: Final = tuple(log10(1 + (figure or 0.0) / FREQUENCY_OF_SINGLE_USE) for figure in BAND_FREQUENCIES)

MAX_COMMONNESS_BONUS: Final = BONUS_PER_TENFOLD_FREQUENCY * log10(1_000_000 / FREQUENCY_OF_SINGLE_USE)
"""Bonus, in letters, of a word with the maximum frequency, a million occurrences per million words."""


def is_in_corpus(text: str) -> bool:
    """Return whether a text in Assamese letters occurs in the newspaper corpus, and so is a word or a form of one."""
    return look_up_band(exact_key(text), COUNTED_LANGUAGE) != UNKNOWN_BAND


def match_cost(text: str, hit: KeyMatch) -> float:
    """Return the weighted distance of a word from a text, in letters; likely and common words are nearer."""
    return distance(text, hit.text) + word_penalty(hit) - english_bonus(text, hit)


def english_bonus(text: str, hit: KeyMatch) -> float:
    """Return the bonus of an English word that a text matches with at most one typing error."""
    letters = len(text) - MIN_ENGLISH_LETTERS
    if hit.language_id != ENGLISH or letters <= 0 or not text.isascii() or distance(text, hit.text) > 1:
        return 0.0
    return min(ENGLISH_BONUS_PER_LETTER * letters, MAX_ENGLISH_BONUS)


def word_penalty(hit: KeyMatch) -> float:
    """Return the part of a word's score that does not depend on the text: below 0 for common words."""
    if hit.language_id != ASSAMESE and hit.frequency is None:
        return FOREIGN_PENALTY
    common = BONUS_PER_TENFOLD_FREQUENCY * commonness(hit.language_id, exact_key(hit.text), hit.frequency)
    return (0.0 if hit.language_id == ASSAMESE else FOREIGN_PENALTY) - common


def sort_by_cost(text: str, hits: list[KeyMatch]) -> list[KeyMatch]:
    """Sort the matches of a text, likeliest first."""
    if len(hits) < 2:  # noqa: PLR2004  # a single word is in order
        return hits
    return sorted(hits, key=lambda hit: (match_cost(text, hit), hit.language_id))


def rank_guesses(text: str, matches: Mapping[StrategyName, Iterable[KeyMatch]]) -> list[Guess]:
    """Rank the matches of all guess strategies for a text, each word once, likeliest first."""
    best: dict[int, Guess] = {}
    for strategy, penalty in GUESS_PENALTIES.items():
        for hit in matches.get(strategy, ()):
            cost = penalty + _strategy_distance(strategy, text, hit) + word_penalty(hit)
            if strategy not in FORM_STRATEGIES:
                cost -= english_bonus(text, hit)
            if hit.word_id not in best or cost < best[hit.word_id].cost:
                best[hit.word_id] = Guess(hit, strategy, cost)
    return sort_guesses(best.values())


def is_close_enough(text: str, guess: Guess) -> bool:
    """Return whether a guess is close enough to be an entry, relative to the number of letters typed."""
    hit, strategy = guess.hit, guess.strategy
    is_listed = (
        strategy is StrategyName.FORM_BY_SOUND and irregular_form_distance(text, hit.text) <= MAX_LISTED_FORM_DISTANCE
    )
    if is_listed or strategy not in _SOUND_STRATEGIES:
        return True
    if detect_script(text) is not Script.LATIN:
        return _is_close_in_same_script(text, strategy, hit)
    letters, cost = count_letters(exact_key(text)), GUESS_PENALTIES[strategy] + _strategy_distance(strategy, text, hit)
    if detect_script(hit.text) is Script.LATIN:
        return cost <= MAX_DISTANCE_PER_LATIN_LETTER * letters
    common = word_penalty(hit) - (FOREIGN_PENALTY if hit.language_id != ASSAMESE else 0.0)
    return cost + common <= MAX_DISTANCE_PER_ROMAN_LETTER * (letters if letters > SHORT_TEXT_THRESHOLD else 1)


def _is_close_in_same_script(text: str, strategy: StrategyName, hit: KeyMatch) -> bool:
    letters, is_foreign = count_letters(exact_key(text)), hit.language_id != ASSAMESE
    if strategy is StrategyName.FORM_BY_SOUND:
        return _is_close_to_form(text, hit, letters)
    # A text that sounds like a word may lack a silent letter (পচিম), or be a form of the word (নগৰড়).
    longest = max(letters, count_letters(exact_key(hit.text))) if strategy is StrategyName.SAME_SOUND else letters
    allowed = next(limit for below, limit in MAX_DISTANCES_BY_LENGTH if longest < below)
    if distance(text, hit.text) <= allowed * (FOREIGN_DISTANCE_FACTOR if is_foreign else 1.0):
        return True
    return strategy is StrategyName.SAME_SOUND and not is_foreign and _is_close_to_form(text, hit, letters)


def _is_close_to_form(text: str, hit: KeyMatch, letters: int) -> bool:
    distance_to_form = form_distance(text, hit.text)
    return distance_to_form <= MAX_FORM_DISTANCE_PER_LETTER * max(letters, MIN_FORM_LETTERS) or _is_close_stem(
        hit, letters, distance_to_form
    )


def is_misspelled_form(text: str, hit: KeyMatch) -> bool:
    """Return whether a text in Assamese letters is close to a form of an Assamese word."""
    return _is_close_to_form(text, hit, count_letters(exact_key(text)))


def _is_close_stem(hit: KeyMatch, typed_letters: int, distance_to_form: float) -> bool:
    """Return whether the stem of a form is close enough to a word, by the limits for whole texts."""
    letters = count_letters(exact_key(hit.text))
    allowed = next(limit for below, limit in MAX_DISTANCES_BY_LENGTH if letters < below)
    return (
        letters >= MIN_STEM_LETTERS
        and typed_letters >= MIN_SLIP_FORM_LETTERS
        and distance_to_form <= allowed + MISSPELLING_COST
    )


_SOUND_STRATEGIES: Final = frozenset({StrategyName.SAME_SOUND, StrategyName.FORM_BY_SOUND, StrategyName.SLIPS})
"""Strategies whose results must be close; the others match letters or a rule."""


def _strategy_distance(strategy: StrategyName, text: str, hit: KeyMatch) -> float:
    if strategy in FORM_STRATEGIES:
        return 0.0
    if strategy is not StrategyName.FORM_BY_SOUND:
        return distance(text, hit.text)
    distance_to_form = form_distance(text, hit.text)
    if detect_script(text) is Script.LATIN:
        return distance_to_form
    return (
        distance_to_form - SAME_SCRIPT_BONUS
        if distance_to_form < SLIP_DISTANCE
        else distance_to_form + FORM_SLIP_PENALTY
    )


def sort_guesses(guesses: Iterable[Guess]) -> list[Guess]:
    """Sort guesses by cost, then by language and code points."""
    return sorted(guesses, key=lambda guess: (guess.cost, guess.hit.language_id, guess.hit.text))


def demote_stubs(guesses: Iterable[Guess], stubs: Collection[int]) -> list[Guess]:
    """Add the stub penalty to guesses in `stubs`, by word ID, and sort again."""
    return sort_guesses(
        guess._replace(cost=guess.cost + STUB_PENALTY) if guess.hit.word_id in stubs else guess for guess in guesses
    )


def choose_entries(guesses: Sequence[Guess]) -> list[Guess]:
    """Choose the guesses that become entries, likeliest first.

    Forms by rule and near spellings count only if they are likelier than all words of the same sound.
    """
    first_sure = next(
        (position for position, guess in enumerate(guesses) if guess.strategy in _SURE_STRATEGIES), len(guesses)
    )
    return [*guesses[:first_sure], *(guess for guess in guesses[first_sure:] if guess.strategy in _SURE_STRATEGIES)]


_SURE_STRATEGIES: Final = frozenset({StrategyName.LISTED_FORM, StrategyName.MISSPELLED, StrategyName.SAME_SOUND})
