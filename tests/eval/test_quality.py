"""A change that makes the dictionary understand people less well fails here."""

import tomllib
from collections.abc import Iterator
from functools import partial

import pytest

from abhidhan.platform.database.database import Database
from tests.support.cascade import find_disagreements
from tools.evaluate import (
    EVAL_FOLDER,
    AskFunction,
    ask_lookup,
    ask_search,
    ask_to_assamese,
    compute_false_alarm_rate,
    compute_sure_share,
    evaluate_proverbs,
    evaluate_typed_words,
    evaluate_words,
    open_small_starter,
    read_queries,
    read_typed_sentences,
    run_queries,
    summarize_outcomes,
)

pytestmark = pytest.mark.no_cover
"""Thousands of look-ups: measuring what they cover would take three times as long, and other tests cover it."""

FLOORS = tomllib.loads((EVAL_FOLDER / "floors.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def dictionary() -> Iterator[Database]:
    with open_small_starter() as database:
        yield database


def test_words_are_found_as_well_as_before(dictionary: Database) -> None:
    asks: dict[str, AskFunction] = {"lookup": ask_lookup, "search": ask_search}
    for name, ask in asks.items():
        everything = summarize_outcomes(dictionary.read_now(partial(evaluate_words, part="all", ask=ask)))[-1]

        assert everything.first >= FLOORS[name]["first"], name
        assert everything.missed <= FLOORS[name]["missed"], name


def test_a_look_up_and_a_search_classify_every_word_alike(dictionary: Database) -> None:
    queries = [query.text for query in read_queries("search", "all")]

    assert dictionary.read_now(lambda reader: find_disagreements(reader, queries)) == []


def test_proverbs_are_found_as_well_as_before(dictionary: Database) -> None:
    known, unknown = dictionary.read_now(lambda reader: evaluate_proverbs(reader, "all"))
    sure = dictionary.read_now(lambda reader: compute_sure_share(reader, [outcome.query for outcome in known]))

    assert summarize_outcomes(known)[-1].first >= FLOORS["proverbs"]["first"]
    assert compute_false_alarm_rate(unknown) <= FLOORS["proverbs"]["false_alarms"]
    assert sure >= FLOORS["proverbs"]["sure"]


def test_typed_words_are_read_and_written_as_well_as_before(dictionary: Database) -> None:
    to_assamese, to_roman = dictionary.read_now(evaluate_typed_words)

    assert summarize_outcomes(to_assamese)[-1].first >= FLOORS["script"]["to_assamese_first"]
    assert summarize_outcomes(to_assamese)[-1].in_five >= FLOORS["script"]["to_assamese_in_five"]
    assert summarize_outcomes(to_roman)[-1].first >= FLOORS["script"]["to_roman_first"]


def test_typed_sentences_are_read_as_well_as_before(dictionary: Database) -> None:
    sentences = dictionary.read_now(lambda reader: run_queries(reader, read_typed_sentences("all"), ask_to_assamese))

    assert summarize_outcomes(sentences)[-1].first >= FLOORS["script"]["sentences"]
