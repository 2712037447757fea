"""Words that are made of others lead to these, and misspelled words do not become words that are made of others."""

import tomllib

import pytest

from abhidhan.dictionary.service.lookup import look_up
from abhidhan.dictionary.store import words
from abhidhan.dictionary.store.keyed_words import KeyColumn
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.languages import ASSAMESE
from assamese.keys import exact_key, loose_key
from assamese.letters import count_letters
from tests.support.cascade import find_disagreements
from tools.evaluate import EVAL_FOLDER, evaluate_compounds, read_composed_words

pytestmark = pytest.mark.no_cover

FLOORS = tomllib.loads((EVAL_FOLDER / "floors.toml").read_text(encoding="utf-8"))["compounds"]


def test_compounds_lead_to_their_parts_as_well_as_before(whole_dictionary: Database) -> None:
    rates = whole_dictionary.read_now(evaluate_compounds)

    assert rates.compounds >= FLOORS["compounds"]
    assert rates.derived >= FLOORS["derived"]
    assert rates.false_compounds <= FLOORS["false_compounds"]


def test_compounds_of_the_set_are_not_headwords_and_their_parts_are(whole_dictionary: Database) -> None:
    asked = read_composed_words()

    there = whole_dictionary.read_now(
        lambda reader: _there(reader, [text for word in asked for text in (word.text, *word.expected)])
    )

    assert [word.text for word in asked if loose_key(word.text, "as") in there] == []
    assert [word.text for word in asked if not {loose_key(each, "as") for each in word.expected} <= there] == []


def _there(connection: ReadConnection, texts: list[str]) -> set[str]:
    keys = sorted({loose_key(text, "as") for text in texts})
    return {hit.key for hit in words.find_by_key(connection, KeyColumn.LOOSE, keys, ASSAMESE, limit=len(keys) * 3)}


def test_a_look_up_and_a_search_classify_compounds_alike(whole_dictionary: Database) -> None:
    queries = [word.text for word in read_composed_words()][::5]

    assert whole_dictionary.read_now(lambda reader: find_disagreements(reader, queries)) == []


MADE_OF = {
    "সহায় কৰিছে": "সহায় কৰা",
    "সহায় কৰা নাই": "সহায় কৰা",
    "মন গ’ল": "মন যোৱা",
    "শেষ হৈ গ’ল": "শেষ হোৱা",
    "পৰোপকাৰ": "পৰ+উপকাৰ",
    "সদাচাৰ": "সৎ+আচাৰ",
    "অতিথিঘৰ": "অতিথি+ঘৰ",
    "দৌৰাদৌৰি": "দৌৰা",
    "চাউল-তাউল": "চাউল",
    "বাটেঘাটে": "বাট+ঘাট",
    "জানি-শুনি": "জনা+শুনা",
}
"""What words and phrases without an entry are forms of, or made of."""


def test_verbs_of_several_words_compounds_by_sandhi_and_paired_words_lead_to_their_words(
    whole_dictionary: Database,
) -> None:
    answers = whole_dictionary.read_now(lambda reader: {query: look_up(reader, query)[0] for query in MADE_OF})

    assert {query: "+".join(word.word for word in each.entries) for query, each in answers.items()} == MADE_OF


def test_the_set_has_enough_words_of_each_kind_without_repeats() -> None:
    asked = read_composed_words()
    kinds = [word.kind for word in asked]

    assert len({exact_key(word.text) for word in asked}) == len(asked)
    assert kinds.count("compound") >= 40
    assert kinds.count("derived") >= 20
    assert kinds.count("misspelling") >= 60
    assert all(count_letters(word.text) >= 4 for word in asked)
