"""Each match strategy alone, over the sample, and their order."""

import pytest

from abhidhan.dictionary.model.cascade import SearchMatch, StrategyName
from abhidhan.dictionary.model.guess_scoring import GUESS_PENALTIES
from abhidhan.dictionary.service.strategies.batch import LookupBatch
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


def found(connection: ReadConnection, strategy: Strategy | SearchStrategy, text: str) -> list[str]:
    if isinstance(strategy, SearchStrategy):
        word_ids = [hit.word_id for hit in strategy.find(connection, LookupBatch([text]))]
    else:
        word_ids = [hit.word_id for hit in strategy.find(connection, LookupBatch([text])).get(text, [])]
    return [word.word for word in word_rows.load_words(connection, word_ids)]


@pytest.mark.parametrize("strategy", SEARCH_STRATEGIES, ids=lambda strategy: f"{strategy.name} as {strategy.match}")
def test_a_strategy_finds_its_example_and_nothing_for_another_text(
    shared_dictionary: Database, strategy: Strategy | SearchStrategy
) -> None:
    text, words, other = EXAMPLES[strategy.name]
    hits = shared_dictionary.read_now(lambda reader: found(reader, strategy, text))

    assert list(dict.fromkeys(hit for hit in hits if hit in words)) == words
    assert shared_dictionary.read_now(lambda reader: found(reader, strategy, other)) == []


@pytest.mark.parametrize("strategy", [*SURE_STRATEGIES, *GUESSERS, *SPLITTERS], ids=lambda strategy: strategy.name)
def test_a_batch_answers_each_text_as_alone(shared_dictionary: Database, strategy: Strategy) -> None:
    texts = [text for text, _, _ in EXAMPLES.values()]
    together = shared_dictionary.read_now(lambda reader: strategy.find(reader, LookupBatch(texts)))
    alone = shared_dictionary.read_now(lambda reader: [strategy.find(reader, LookupBatch([text])) for text in texts])

    assert together == {text: hits for found in alone for text, hits in found.items()}


def test_every_guesser_has_a_weight_and_no_sure_strategy_has() -> None:
    assert {strategy.name for strategy in GUESSERS} | {StrategyName.SLIPS} == GUESS_PENALTIES.keys()


def test_a_strategy_is_made_needless_only_by_those_before_it() -> None:
    names = [strategy.name for strategy in SEARCH_STRATEGIES]
    for place, strategy in enumerate(SEARCH_STRATEGIES):
        assert strategy.superseded_by <= set(names[:place]), strategy.name


def test_the_sure_strategies_come_first_and_their_classes_are_those_of_the_contract() -> None:
    assert [strategy.match for strategy in SURE_STRATEGIES] == [
        SearchMatch.EXACT,
        SearchMatch.INFLECTED,
        SearchMatch.LOOSE,
    ]
    assert SEARCH_STRATEGIES[: len(SURE_STRATEGIES)] == SURE_STRATEGIES
