"""Each match strategy alone, over the sample, and their order."""

from functools import partial

import pytest

from abhidhan.dictionary.model.cascade import SearchMatch, StrategyName
from abhidhan.dictionary.model.guess_scoring import GUESS_PENALTIES
from abhidhan.dictionary.service.strategies.batch import Hits, LookupBatch
from abhidhan.dictionary.service.strategies.registry import (
    GUESSERS,
    SEARCH_STRATEGIES,
    SPLITTERS,
    SURE_STRATEGIES,
    SearchStrategy,
    Strategy,
)
from abhidhan.dictionary.store import word_rows
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import ReadConnection

EXAMPLES = {
    StrategyName.SAME_SPELLING: ("WATER", ["water"], "watre"),
    StrategyName.TABLE_FORM: ("went", ["go"], "go"),
    StrategyName.OTHER_SPELLING: ("হঠাত", ["হঠাৎ"], "হঠা"),
    StrategyName.PHRASE_VARIANT: ("the water", ["water"], "water fish"),
    StrategyName.PHRASE_FORM: ("the waters", ["water"], "water fish"),
    StrategyName.MISSPELLED: ("পানি", ["পানী"], "pani"),
    StrategyName.FORM_BY_RULE: ("পানীখিনি", ["পানী"], "panikhini"),
    StrategyName.LISTED_FORM: ("ja", ["যোৱা"], "যা"),
    StrategyName.SAME_SOUND: ("xobdo", ["শব্দ"], "qqqq"),
    StrategyName.FORM_BY_SOUND: ("panikhini", ["পানী"], "qqqq"),
    StrategyName.DERIVED: ("শব্দহীন", ["শব্দ"], "চাহ-পানী"),
    StrategyName.COMPOUND: ("চাহ-পানী", ["চাহ", "পানী"], "hot-water"),
    StrategyName.PREFIX: ("eleph", ["elephant"], "lephant"),
    StrategyName.SLIPS: ("watre", ["water"], "qqqqzzzz"),
    StrategyName.DEFINITION: ("animal that flies", ["bird"], "flies that animal zzzz"),
}
"""For each strategy: a text, words that it finds among others, in their order, and a text for which it finds none."""


def find_words(connection: ReadConnection, strategy: Strategy | SearchStrategy, text: str) -> list[str]:
    if isinstance(strategy, SearchStrategy):
        word_ids = [hit.word_id for hit in strategy.find(connection, LookupBatch([text]))]
    else:
        word_ids = [hit.word_id for hit in strategy.find(connection, LookupBatch([text])).get(text, [])]
    return [word.word for word in word_rows.load_words(connection, word_ids)]


def test_a_strategy_finds_its_example_and_nothing_for_another_text(
    shared_dictionary: Database, subtests: pytest.Subtests
) -> None:
    for strategy in SEARCH_STRATEGIES:
        text, words, other = EXAMPLES[strategy.name]
        with subtests.test(f"{strategy.name} as {strategy.match}"):
            results = shared_dictionary.read_now(partial(find_words, strategy=strategy, text=text))

            assert list(dict.fromkeys(word for word in results if word in words)) == words
            assert shared_dictionary.read_now(partial(find_words, strategy=strategy, text=other)) == []


def test_a_batch_has_the_same_results_as_single_texts(shared_dictionary: Database, subtests: pytest.Subtests) -> None:
    texts = [text for text, _, _ in EXAMPLES.values()]

    def find(reader: ReadConnection, strategy: Strategy) -> tuple[Hits, list[Hits]]:
        of_batch = strategy.find(reader, LookupBatch(texts))
        return of_batch, [strategy.find(reader, LookupBatch([text])) for text in texts]

    for strategy in (*SURE_STRATEGIES, *GUESSERS, *SPLITTERS):
        with subtests.test(str(strategy.name)):
            of_batch, of_texts = shared_dictionary.read_now(partial(find, strategy=strategy))

            assert of_batch == {text: hits for of_text in of_texts for text, hits in of_text.items()}


def test_exactly_the_guessers_have_a_penalty() -> None:
    assert {strategy.name for strategy in GUESSERS} | {StrategyName.SLIPS} == GUESS_PENALTIES.keys()


def test_a_strategy_is_superseded_only_by_earlier_ones() -> None:
    names = [strategy.name for strategy in SEARCH_STRATEGIES]
    for place, strategy in enumerate(SEARCH_STRATEGIES):
        assert strategy.superseded_by <= set(names[:place]), strategy.name


def test_the_sure_strategies_come_first_and_have_the_matches_of_the_contract() -> None:
    assert [strategy.match for strategy in SURE_STRATEGIES] == [
        SearchMatch.EXACT,
        SearchMatch.INFLECTED,
        SearchMatch.LOOSE,
    ]
    assert SEARCH_STRATEGIES[: len(SURE_STRATEGIES)] == SURE_STRATEGIES
