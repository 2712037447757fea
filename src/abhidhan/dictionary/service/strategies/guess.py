"""Guess: the words that may be meant by a text without an exact match."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from abhidhan.dictionary.model.cascade import Match, StrategyName
from abhidhan.dictionary.model.compounds import is_misspelling
from abhidhan.dictionary.model.guess_scoring import (
    GUESS_PENALTIES,
    LEMMA_PENALTY,
    MIN_SLIP_FORM_LETTERS,
    SHORTLIST_SIZE,
    Guess,
    KeyMatch,
    choose_entries,
    commonness,
    demote_stubs,
    is_close_enough,
    is_in_corpus,
    is_misspelled_form,
    rank_guesses,
    sort_guesses,
)
from abhidhan.dictionary.model.ranking import may_be_typed_for
from abhidhan.dictionary.service.strategies.batch import LookupBatch, MatchSet
from abhidhan.dictionary.service.strategies.compounds import may_be_compound
from abhidhan.dictionary.service.strategies.inflected import find_misspelled_forms
from abhidhan.dictionary.service.strategies.pairs import find_pair
from abhidhan.dictionary.service.strategies.registry import GUESSERS, SPLITTERS
from abhidhan.dictionary.service.strategies.stubs import find_described_lemmas, put_stubs_last
from abhidhan.dictionary.store import fuzzy_candidates, words
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.languages import ALL_LANGUAGES, ASSAMESE
from assamese.keys import exact_key
from assamese.letters import count_letters
from assamese.normalization import Script, detect_script
from assamese.signs import is_abbreviation
from assamese.spelling_distance import distance

MAX_NEAR_WORDS: Final = 20
"""Maximum number of near words ranked with other guesses, and of suggestions."""

MAX_SUGGESTION_DISTANCE: Final = 1.0
"""Maximum distance, in letters, of a near word suggested with a guess: not সুৱদি for `xobdo`."""

_NEAR_STRATEGIES: Final = frozenset({StrategyName.FORM_BY_SOUND, StrategyName.SLIPS})
"""Strategies that find only near words."""

GUESS_STRATEGIES: Final = GUESS_PENALTIES.keys() | {strategy.name for strategy in SPLITTERS}
"""Strategies whose results are included in a guess."""

FORM_STRATEGIES: Final = frozenset({StrategyName.FORM_BY_RULE, StrategyName.FORM_BY_SOUND})

MAX_LEMMA_LOOKUPS: Final = 3
"""Maximum number of top guesses whose lemmas are looked up, if they are stubs."""


class Guesses(NamedTuple):
    """Words that a text may mean, and the results of each strategy."""

    matches: MatchSet
    by_strategy: Mapping[StrategyName, Sequence[KeyMatch]]


def guess(connection: ReadConnection, batch: LookupBatch) -> Guesses:
    """Guess the words meant by a single text without an exact match: `nodi` and নদি mean নদী.

    The results of all guessers and near words are ranked together (`dictionary/model/guess_scoring.py`). A
    text with only near words may also be a compound.
    """
    (text,) = batch.texts
    if pair_hits := find_pair(connection, text, batch.language_id):
        return Guesses(MatchSet(Match.COMPOUND, pair_hits), {StrategyName.COMPOUND: pair_hits})
    # An abbreviation (`U.S.`) is not looked up as a form or by sound.
    guessers = () if is_abbreviation(text) else GUESSERS
    by_strategy = {guesser.name: hits for guesser in guessers if (hits := guesser.find(connection, batch).get(text))}
    forms = by_strategy.get(StrategyName.FORM_BY_RULE)
    may_be_misspelled = any(not _is_more_common(text, hit) for hit in by_strategy.get(StrategyName.MISSPELLED, ()))
    if forms and not may_be_misspelled and _is_attested_form(text, batch.language_id):
        return Guesses(MatchSet(Match.INFLECTED, put_stubs_last(connection, forms)), by_strategy)
    near_words = fuzzy_candidates.find_near_words(connection, text, batch.language_id or None)
    nearest = _drop_repeated_spellings(near_words)
    # Unless the request names the language, words of Indic languages other than Assamese must fit the typed letters: an
    # unknown text in Roman letters may well be English.
    plausible = (
        nearest
        if batch.language_id
        else tuple(
            hit for hit in nearest if hit.language_id == ASSAMESE or may_be_typed_for(text, hit.text, hit.language_id)
        )
    )
    with_slips = {**by_strategy, StrategyName.SLIPS: _filter_by_language(near_words, batch.language_id)}
    if with_slips.keys() <= _NEAR_STRATEGIES and (
        split_guess := _split_text(connection, text, batch, with_slips, plausible)
    ):
        return split_guess
    if by_strategy.keys() <= _NEAR_STRATEGIES and (
        forms := _find_misspelled_forms(connection, text, batch.language_id)
    ):
        sound_hits = [*by_strategy.get(StrategyName.FORM_BY_SOUND, ()), *forms]
        by_strategy[StrategyName.FORM_BY_SOUND] = with_slips[StrategyName.FORM_BY_SOUND] = sound_hits
    if not by_strategy:
        return Guesses(MatchSet(Match.NONE, [], plausible), with_slips)
    likely = rank_guesses(text, {**by_strategy, StrategyName.SLIPS: _filter_by_language(plausible, batch.language_id)})
    close = [guess for guess in likely if is_close_enough(text, guess)]
    if not close:
        return _suggest_near_words(likely, with_slips, plausible)
    return Guesses(_rank_matches(connection, text, close, likely, nearest), with_slips)


def _rank_matches(
    connection: ReadConnection, text: str, close: Sequence[Guess], likely: Sequence[Guess], nearest: Sequence[KeyMatch]
) -> MatchSet:
    """Return the close guesses, likeliest first, followed by the less close ones.

    Near words are suggested, and lemmas of close forms that rank below a word of that sound (`jam`: যাম, a form of
    যোৱা).
    """
    guesses = choose_entries(_rerank_stubs(connection, close))
    match = Match.INFLECTED if guesses[0].strategy is StrategyName.FORM_BY_RULE else Match.PHONETIC
    forms = (candidate.hit for candidate in close if candidate.strategy in FORM_STRATEGIES)
    near = (hit for hit in nearest if distance(text, hit.text) <= MAX_SUGGESTION_DISTANCE)
    offered = _drop_repeated_spellings([*forms, *near])
    entries: dict[int, KeyMatch] = {}
    for candidate in (*guesses, *choose_entries(likely)):
        entries.setdefault(candidate.hit.word_id, candidate.hit)
    return MatchSet(match, list(entries.values()), offered)


def _find_misspelled_forms(connection: ReadConnection, text: str, language_id: int) -> list[KeyMatch]:
    """Find the words of a long Assamese form with a typing error in its stem."""
    is_assamese = language_id in {ALL_LANGUAGES, ASSAMESE} and detect_script(text) is Script.EASTERN_NAGARI
    if not is_assamese or count_letters(exact_key(text)) < MIN_SLIP_FORM_LETTERS:
        return []
    return [hit for hit in find_misspelled_forms(connection, text) if is_misspelled_form(text, hit)]


def _filter_by_language(hits: Iterable[KeyMatch], language_id: int) -> list[KeyMatch]:
    return [hit for hit in hits if language_id in {ALL_LANGUAGES, hit.language_id}]


def _suggest_near_words(
    likely: Iterable[Guess], by_strategy: Mapping[StrategyName, Sequence[KeyMatch]], near_words: Sequence[KeyMatch]
) -> Guesses:
    """Suggest words if no guess is close enough to be an entry; a search lists them as near spellings."""
    likeliest = [candidate.hit for candidate in likely if candidate.cost <= MAX_SUGGESTION_DISTANCE]
    sounding, slips = by_strategy.get(StrategyName.SAME_SOUND, ()), by_strategy[StrategyName.SLIPS]
    offered = _drop_repeated_spellings([*likeliest, *near_words])
    hits = list(dict.fromkeys((*likeliest, *sounding, *slips)))
    return Guesses(MatchSet(Match.NONE, [], offered), {StrategyName.SLIPS: hits})


def _split_text(
    connection: ReadConnection,
    text: str,
    batch: LookupBatch,
    by_strategy: Mapping[StrategyName, Sequence[KeyMatch]],
    near_words: Sequence[KeyMatch],
) -> Guesses | None:
    """Return the words that make up a text; None for a typing error, unless the text occurs in newspapers."""
    if not may_be_compound(text):
        return None
    is_word = is_in_corpus(text)
    is_misspelled = StrategyName.FORM_BY_SOUND in by_strategy or is_misspelling(text, near_words, ASSAMESE)
    if is_misspelled and not is_word:
        return None
    results = ((strategy, strategy.find(connection, batch).get(text)) for strategy in SPLITTERS)
    strategy, hits = next(((strategy, hits) for strategy, hits in results if hits), (None, []))
    if strategy is None:
        return None
    if not is_word and (is_misspelled or is_misspelling(text, near_words, hits[0].language_id)):
        return None
    matches = MatchSet(strategy.lookup_match, hits, tuple(near_words))
    # A word in use is not a misspelled form: a search need not list words of that sound.
    remaining = {
        name: results for name, results in by_strategy.items() if name is not StrategyName.FORM_BY_SOUND or not is_word
    }
    return Guesses(matches, {**remaining, strategy.name: hits})


def _is_attested_form(text: str, language_id: int) -> bool:
    """Return whether a form by the rules is attested; an Assamese one must occur in newspapers.

    There are no counts for other languages in this script, so a request that names one of them is trusted.
    """
    is_assamese = language_id in {ALL_LANGUAGES, ASSAMESE} and detect_script(text) is Script.EASTERN_NAGARI
    return not is_assamese or is_in_corpus(text)


def _is_more_common(text: str, hit: KeyMatch) -> bool:
    """Return whether a text is more common than the word it may be misspelled for: যোৱাৰ is not meant as জোৱাৰ."""
    common = commonness(hit.language_id, exact_key(hit.text), hit.frequency)
    return commonness(ASSAMESE, exact_key(text), None) > common


def _drop_repeated_spellings(hits: Sequence[KeyMatch]) -> tuple[KeyMatch, ...]:
    """Return the first MAX_NEAR_WORDS words, each spelling once."""
    by_text: dict[str, KeyMatch] = {}
    for hit in hits:
        by_text.setdefault(hit.text, hit)
    return tuple(by_text.values())[:MAX_NEAR_WORDS]


def _rerank_stubs(connection: ReadConnection, guesses: Sequence[Guess]) -> list[Guess]:
    """Rank stubs below described entries, and add the lemmas of which they are forms."""
    likeliest, remaining = guesses[:SHORTLIST_SIZE], guesses[SHORTLIST_SIZE:]
    stubs = words.find_stubs(connection, [guess.hit.word_id for guess in likeliest])
    forms = [guess for guess in likeliest[:MAX_LEMMA_LOOKUPS] if guess.hit.word_id in stubs]
    nearest: dict[int, Guess] = {}
    for guess in sort_guesses([*likeliest, *(_guess_lemmas(connection, forms) if forms else ())]):
        nearest.setdefault(guess.hit.word_id, guess)
    return [
        *demote_stubs(nearest.values(), stubs),
        *(candidate for candidate in remaining if candidate.hit.word_id not in nearest),
    ]


def _guess_lemmas(connection: ReadConnection, forms: Sequence[Guess]) -> list[Guess]:
    lemmas = find_described_lemmas(connection, [guess.hit.text for guess in forms if guess.hit.language_id == ASSAMESE])
    return [
        Guess(hit, guess.strategy, guess.cost + LEMMA_PENALTY)
        for guess in forms
        for hit in lemmas.get(guess.hit.text, ())
    ]
