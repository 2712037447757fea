"""Guess: the words that may be meant by a text without an exact match."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from abhidhan.dictionary.model.cascade import Match, StrategyName
from abhidhan.dictionary.model.compounds import is_a_slip
from abhidhan.dictionary.model.guess_scoring import (
    LEAST_WITH_A_SLIP,
    LEMMA,
    SHORTLIST,
    UNSURE,
    FoundKey,
    Guess,
    chosen,
    commonness,
    guesses_of,
    is_close,
    is_counted,
    is_misspelled_form,
    likeliest_first,
    put_behind,
)
from abhidhan.dictionary.model.ranking import may_be_typed_for
from abhidhan.dictionary.service.strategies.batch import LookupBatch, MatchSet
from abhidhan.dictionary.service.strategies.compounds import may_have_parts
from abhidhan.dictionary.service.strategies.inflected import find_forms_with_a_slip
from abhidhan.dictionary.service.strategies.pairs import find_pair
from abhidhan.dictionary.service.strategies.registry import GUESSERS, MADE_OF_OTHERS
from abhidhan.dictionary.service.strategies.stubs import find_described_lemmas, put_stubs_last
from abhidhan.dictionary.store import fuzzy_candidates, words
from abhidhan.platform.database.reader import Reader
from abhidhan.records.languages import ALL_LANGUAGES, ASSAMESE
from assamese.keys import exact_key
from assamese.letters import letters_in
from assamese.normalization import Script, script_of
from assamese.signs import is_abbreviation
from assamese.spelling_distance import distance

MAX_NEAR_WORDS: Final = 20
"""Maximum number of near words that are weighed against other guesses, and suggested."""

BESIDE_A_GUESS: Final = 1.0
"""Maximum distance, in letters, of a near word suggested with a guess: not সুৱদি for `xobdo`."""

_ONLY_NEAR: Final = frozenset({StrategyName.FORM_BY_SOUND, StrategyName.SLIPS})
"""Strategies that find only near words."""

GUESSED: Final = UNSURE.keys() | {strategy.name for strategy in MADE_OF_OTHERS}
"""Strategies whose results are included in a guess."""

FORMS: Final = frozenset({StrategyName.FORM_BY_RULE, StrategyName.FORM_BY_SOUND})

MAX_LEMMA_LOOKUPS: Final = 3
"""Maximum number of top guesses whose lemmas are looked up, if they are stubs."""


class Guesses(NamedTuple):
    """Words that a text may mean, and the results of each strategy."""

    matches: MatchSet
    by_strategy: Mapping[StrategyName, Sequence[FoundKey]]


def guess(reader: Reader, batch: LookupBatch) -> Guesses:
    """Guess the words meant by a single text without an exact match: `nodi` and নদি mean নদী.

    The results of all guessers and near words are weighed against each other (`dictionary/model/guess_scoring.py`). A
    text with only near words may also be made up of other words.
    """
    (text,) = batch.texts
    if paired := find_pair(reader, text, batch.language_id):
        return Guesses(MatchSet(Match.COMPOUND, paired), {StrategyName.COMPOUND: paired})
    # An abbreviation (`U.S.`) is not looked up as a form or by sound.
    guessers = () if is_abbreviation(text) else GUESSERS
    found = {each.name: hits for each in guessers if (hits := each.find(reader, batch).get(text))}
    forms = found.get(StrategyName.FORM_BY_RULE)
    may_be_misspelled = any(not _is_commoner(text, hit) for hit in found.get(StrategyName.MISSPELLED, ()))
    if forms and not may_be_misspelled and _is_surely_a_form(text, batch.language_id):
        return Guesses(MatchSet(Match.INFLECTED, put_stubs_last(reader, forms)), found)
    near_words = fuzzy_candidates.near_words(reader, text, batch.language_id or None)
    nearest = _first(near_words)
    # Unless the request names the language, words of Indic languages other than Assamese must fit the typed letters: an
    # unknown text in Roman letters may well be English.
    meant = (
        nearest
        if batch.language_id
        else tuple(
            hit for hit in nearest if hit.language_id == ASSAMESE or may_be_typed_for(text, hit.text, hit.language_id)
        )
    )
    with_slips = {**found, StrategyName.SLIPS: _of_language(near_words, batch.language_id)}
    if with_slips.keys() <= _ONLY_NEAR and (made := _made_of_others(reader, text, batch, with_slips, meant)):
        return made
    if found.keys() <= _ONLY_NEAR and (forms := _forms_with_a_slip(reader, text, batch.language_id)):
        of_sound = [*found.get(StrategyName.FORM_BY_SOUND, ()), *forms]
        found[StrategyName.FORM_BY_SOUND] = with_slips[StrategyName.FORM_BY_SOUND] = of_sound
    if not found:
        return Guesses(MatchSet(Match.NONE, [], meant), with_slips)
    likely = guesses_of(text, {**found, StrategyName.SLIPS: _of_language(meant, batch.language_id)})
    close = [guess for guess in likely if is_close(text, guess)]
    if not close:
        return _only_near(likely, with_slips, meant)
    return Guesses(_chosen(reader, text, close, likely, nearest), with_slips)


def _chosen(
    reader: Reader, text: str, close: Sequence[Guess], likely: Sequence[Guess], nearest: Sequence[FoundKey]
) -> MatchSet:
    """Return the close guesses, likeliest first, followed by the less close ones.

    Near words are suggested, and the lemmas of close forms ranked below a word of that sound (`jam`: যাম, a form of
    যোৱা).
    """
    guesses = chosen(_weigh_stubs(reader, close))
    match = Match.INFLECTED if guesses[0].strategy is StrategyName.FORM_BY_RULE else Match.PHONETIC
    forms = (each.hit for each in close if each.strategy in FORMS)
    near = (hit for hit in nearest if distance(text, hit.text) <= BESIDE_A_GUESS)
    offered = _first([*forms, *near])
    entries: dict[int, FoundKey] = {}
    for each in (*guesses, *chosen(likely)):
        entries.setdefault(each.hit.word_id, each.hit)
    return MatchSet(match, list(entries.values()), offered)


def _forms_with_a_slip(reader: Reader, text: str, language_id: int) -> list[FoundKey]:
    """Find the words of a long Assamese form with a typing error in its stem."""
    is_assamese = language_id in {ALL_LANGUAGES, ASSAMESE} and script_of(text) is Script.EASTERN_NAGARI
    if not is_assamese or letters_in(exact_key(text)) < LEAST_WITH_A_SLIP:
        return []
    return [hit for hit in find_forms_with_a_slip(reader, text) if is_misspelled_form(text, hit)]


def _of_language(hits: Iterable[FoundKey], language_id: int) -> list[FoundKey]:
    return [hit for hit in hits if language_id in {ALL_LANGUAGES, hit.language_id}]


def _only_near(
    likely: Iterable[Guess], by_strategy: Mapping[StrategyName, Sequence[FoundKey]], near_words: Sequence[FoundKey]
) -> Guesses:
    """Suggest words if no guess is close enough to be an entry; a search lists them as near spellings."""
    likeliest = [each.hit for each in likely if each.far <= BESIDE_A_GUESS]
    sounding, slips = by_strategy.get(StrategyName.SAME_SOUND, ()), by_strategy[StrategyName.SLIPS]
    offered = _first([*likeliest, *near_words])
    hits = list(dict.fromkeys((*likeliest, *sounding, *slips)))
    return Guesses(MatchSet(Match.NONE, [], offered), {StrategyName.SLIPS: hits})


def _made_of_others(
    reader: Reader,
    text: str,
    batch: LookupBatch,
    by_strategy: Mapping[StrategyName, Sequence[FoundKey]],
    near_words: Sequence[FoundKey],
) -> Guesses | None:
    """Return the words that make up a text; None for a typing error, unless newspapers have the text."""
    if not may_have_parts(text):
        return None
    is_word = is_counted(text)
    is_misspelled = StrategyName.FORM_BY_SOUND in by_strategy or is_a_slip(text, near_words, ASSAMESE)
    if is_misspelled and not is_word:
        return None
    found = ((strategy, strategy.find(reader, batch).get(text)) for strategy in MADE_OF_OTHERS)
    strategy, hits = next(((strategy, hits) for strategy, hits in found if hits), (None, []))
    if strategy is None:
        return None
    if not is_word and (is_misspelled or is_a_slip(text, near_words, hits[0].language_id)):
        return None
    made = MatchSet(strategy.lookup_match, hits, tuple(near_words))
    # A word in use is not a misspelled form: a search need not list words of that sound.
    others = {
        name: found for name, found in by_strategy.items() if name is not StrategyName.FORM_BY_SOUND or not is_word
    }
    return Guesses(made, {**others, strategy.name: hits})


def _is_surely_a_form(text: str, language_id: int) -> bool:
    """Return whether a form by the rules is attested; an Assamese one must occur in newspapers.

    There are no counts for other languages in this script, so a request that names one of them is trusted.
    """
    is_assamese = language_id in {ALL_LANGUAGES, ASSAMESE} and script_of(text) is Script.EASTERN_NAGARI
    return not is_assamese or is_counted(text)


def _is_commoner(text: str, hit: FoundKey) -> bool:
    """Return whether a text is more common than the word it may be misspelled for: যোৱাৰ is not meant as জোৱাৰ."""
    common = commonness(hit.language_id, exact_key(hit.text), hit.frequency)
    return commonness(ASSAMESE, exact_key(text), None) > common


def _first(near_to_it: Sequence[FoundKey]) -> tuple[FoundKey, ...]:
    """Return the first MAX_NEAR_WORDS words, each spelling once."""
    once: dict[str, FoundKey] = {}
    for hit in near_to_it:
        once.setdefault(hit.text, hit)
    return tuple(once.values())[:MAX_NEAR_WORDS]


def _weigh_stubs(reader: Reader, guesses: Sequence[Guess]) -> list[Guess]:
    """Rank stubs below described entries, and add the lemmas of which they are forms."""
    likeliest, others = guesses[:SHORTLIST], guesses[SHORTLIST:]
    stubs = words.find_stubs(reader, [guess.hit.word_id for guess in likeliest])
    forms = [guess for guess in likeliest[:MAX_LEMMA_LOOKUPS] if guess.hit.word_id in stubs]
    nearest: dict[int, Guess] = {}
    for guess in likeliest_first([*likeliest, *(_lemmas(reader, forms) if forms else ())]):
        nearest.setdefault(guess.hit.word_id, guess)
    return [*put_behind(nearest.values(), stubs), *(each for each in others if each.hit.word_id not in nearest)]


def _lemmas(reader: Reader, forms: Sequence[Guess]) -> list[Guess]:
    lemmas = find_described_lemmas(reader, [guess.hit.text for guess in forms if guess.hit.language_id == ASSAMESE])
    return [Guess(hit, guess.strategy, guess.far + LEMMA) for guess in forms for hit in lemmas.get(guess.hit.text, ())]
