"""Match strategies in the order in which they are tried, best class first.

A look-up uses the first of `SURE_STRATEGIES` that matches, or else the guess, which ranks results of `GUESSERS` and
tries `SPLITTERS` last. A search runs `SEARCH_STRATEGIES` until it has enough words. To add one, write it in a file
of this package, and add a line here.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from abhidhan.dictionary.model.cascade import Match, SearchMatch, StrategyName
from abhidhan.dictionary.model.guess_scoring import MAX_COMMONNESS_BONUS, KeyMatch, match_cost
from abhidhan.dictionary.model.ranking import spelling_similarity
from abhidhan.dictionary.service.strategies.batch import Hits, LookupBatch, RankedWord
from abhidhan.dictionary.service.strategies.beginnings import find_prefix_matches
from abhidhan.dictionary.service.strategies.compounds import find_compounds
from abhidhan.dictionary.service.strategies.definitions import find_definitions
from abhidhan.dictionary.service.strategies.derived import find_derived
from abhidhan.dictionary.service.strategies.inflected import find_forms_by_rule, find_forms_by_sound
from abhidhan.dictionary.service.strategies.listed_forms import find_listed_forms
from abhidhan.dictionary.service.strategies.misspelled import find_misspelled
from abhidhan.dictionary.service.strategies.other_spelling import find_other_spellings
from abhidhan.dictionary.service.strategies.phrase_variants import find_phrase_forms, find_phrase_variants
from abhidhan.dictionary.service.strategies.same_sound import find_same_sound
from abhidhan.dictionary.service.strategies.same_spelling import find_same_spelling
from abhidhan.dictionary.service.strategies.slips import find_slips
from abhidhan.dictionary.service.strategies.table_forms import find_table_forms
from abhidhan.platform.database.reader import ReadConnection
from assamese.keys import exact_key


class Strategy(NamedTuple):
    """Strategy with its match class, and the strategies whose matches make it redundant in a search."""

    name: StrategyName
    match: SearchMatch
    find: Callable[[ReadConnection, LookupBatch], Hits]
    superseded_by: frozenset[StrategyName] = frozenset()
    closeness: Callable[[str, KeyMatch], float] | None = None
    """Returns the closeness of a word to a text in a search; None if words are found closest first."""

    @property
    def lookup_match(self) -> Match:
        """Return the match class of a look-up."""
        return Match(self.match.value)


class SearchStrategy(NamedTuple):
    """Strategy for searches only, which returns the closeness of each word to a single text."""

    name: StrategyName
    match: SearchMatch
    find: Callable[[ReadConnection, LookupBatch], list[RankedWord]]
    superseded_by: frozenset[StrategyName] = frozenset()


def _closeness_by_cost(text: str, hit: KeyMatch) -> float:
    return 1 / (1 + MAX_COMMONNESS_BONUS + match_cost(text, hit))


def _closeness_by_spelling(text: str, hit: KeyMatch) -> float:
    return spelling_similarity(hit.text, text)


def _closeness_by_key(text: str, hit: KeyMatch) -> float:
    return spelling_similarity(exact_key(hit.text), exact_key(text))


def _full_closeness(_text: str, _hit: KeyMatch) -> float:
    return 1.0


SURE_STRATEGIES: Final[tuple[Strategy, ...]] = (
    Strategy(StrategyName.SAME_SPELLING, SearchMatch.EXACT, find_same_spelling, closeness=_closeness_by_spelling),
    Strategy(StrategyName.TABLE_FORM, SearchMatch.INFLECTED, find_table_forms),
    Strategy(StrategyName.OTHER_SPELLING, SearchMatch.LOOSE, find_other_spellings, closeness=_closeness_by_key),
)
"""Fast and reliable strategies (tenths of a millisecond); the first that matches answers a look-up."""

PHRASE_STRATEGIES: Final[tuple[Strategy, ...]] = (
    Strategy(StrategyName.PHRASE_VARIANT, SearchMatch.LOOSE, find_phrase_variants),
    Strategy(StrategyName.PHRASE_FORM, SearchMatch.INFLECTED, find_phrase_forms),
)
"""Strategies for a query of several words as a whole, tried after the sure ones."""

_LIKELIER_STRATEGIES: Final = frozenset(
    {
        *(strategy.name for strategy in SURE_STRATEGIES),
        StrategyName.MISSPELLED,
        StrategyName.FORM_BY_RULE,
        StrategyName.LISTED_FORM,
        StrategyName.SAME_SOUND,
    }
)
"""Strategies whose words are likelier than a form that only sounds like the text."""

GUESSERS: Final[tuple[Strategy, ...]] = (
    # নদি is a misspelled নদী rather than a form of দি, so this precedes the rules of inflection.
    Strategy(
        StrategyName.MISSPELLED,
        SearchMatch.PHONETIC,
        find_misspelled,
        frozenset({StrategyName.TABLE_FORM}),
        _closeness_by_cost,
    ),
    Strategy(
        StrategyName.FORM_BY_RULE,
        SearchMatch.INFLECTED,
        find_forms_by_rule,
        frozenset({StrategyName.TABLE_FORM, StrategyName.MISSPELLED}),
    ),
    # A pronoun's form ranks first: `mor` is মোৰ, and only then মূৰ.
    Strategy(StrategyName.LISTED_FORM, SearchMatch.PHONETIC, find_listed_forms),
    Strategy(StrategyName.SAME_SOUND, SearchMatch.PHONETIC, find_same_sound, closeness=_closeness_by_cost),
    # If there is a likelier word, such a form is only near: a search lists it as `fuzzy`.
    Strategy(
        StrategyName.FORM_BY_SOUND,
        SearchMatch.PHONETIC,
        find_forms_by_sound,
        _LIKELIER_STRATEGIES,
        _full_closeness,
    ),
)
"""Strategies whose results the guess weighs, together with near words (`guess_scoring.GUESS_PENALTIES`)."""

_DIRECT_STRATEGIES: Final = frozenset(strategy.name for strategy in (*SURE_STRATEGIES, *GUESSERS))

SPLITTERS: Final = (
    Strategy(StrategyName.DERIVED, SearchMatch.INFLECTED, find_derived, _DIRECT_STRATEGIES),
    Strategy(StrategyName.COMPOUND, SearchMatch.COMPOUND, find_compounds, _DIRECT_STRATEGIES | {StrategyName.DERIVED}),
)
"""Strategies that split a text, if no other matches and the text is not a typing error."""

_DERIVED, _COMPOUND = SPLITTERS

SEARCH_STRATEGIES: Final[tuple[Strategy | SearchStrategy, ...]] = (
    *SURE_STRATEGIES,
    *PHRASE_STRATEGIES,
    *GUESSERS,
    # A derived word attested in newspapers is likelier than prefix matches.
    _DERIVED,
    SearchStrategy(StrategyName.PREFIX, SearchMatch.PREFIX, find_prefix_matches),
    Strategy(StrategyName.FORM_BY_SOUND, SearchMatch.FUZZY, find_forms_by_sound, closeness=_full_closeness),
    SearchStrategy(StrategyName.SLIPS, SearchMatch.FUZZY, find_slips),
    _COMPOUND,
    SearchStrategy(StrategyName.DEFINITION, SearchMatch.DEFINITION, find_definitions),
)
"""All strategies, in the order of a search."""

PLAIN_SEARCH_STRATEGIES: Final = tuple(
    strategy
    for strategy in SEARCH_STRATEGIES
    if strategy.match in {SearchMatch.EXACT, SearchMatch.LOOSE, SearchMatch.PREFIX}
)
"""Strategies of a search that is not fuzzy."""
