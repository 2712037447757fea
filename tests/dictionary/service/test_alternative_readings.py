from collections.abc import Iterator
from functools import partial

import pytest

from abhidhan.dictionary.model.cascade import Match, QueryWord
from abhidhan.dictionary.service.completions import suggest
from abhidhan.dictionary.service.lookup import finish_lookup, look_up, look_up_exact
from abhidhan.dictionary.service.lookup_lists import ALL_LANGUAGES_PARAM
from abhidhan.dictionary.service.search import search
from abhidhan.dictionary.service.whole_query_lookup import PendingLookup
from abhidhan.exchange.service.bundled_data import read_catalogue_records
from abhidhan.exchange.service.importing import import_records
from abhidhan.platform.database.database import Database
from abhidhan.records.import_records import LocatedRecord
from abhidhan.records.kinds import IdeaRecord, Record, WordRecord
from tests.support.databases import SqliteDatabases, open_database
from tests.support.sample import NOW, SOURCE

NOUN, TRANSITIVE, INTRANSITIVE, ADVERB = "Common Noun", "Transitive", "Intransitive", "Adverb"
WORDS = (
    ("as", NOUN, "দুঃখ অন্তঃপুৰ প্ৰাতঃকাল নিঃসন্দেহ আকাশ পানী মাছ নাম"),
    ("as", ADVERB, "পুনঃ পুন ক:খ"),
    ("as", TRANSITIVE, "কৰা অনা"),
    ("as", INTRANSITIVE, "যোৱা অহা হোৱা"),
    ("en", NOUN, "water rice fish child man woman school US e.g. M16 half mother-in-law"),
    ("en", TRANSITIVE, "run understand give do water"),
    ("en", ADVERB, "up to"),
)
OF_SEVERAL = (
    ("as", ADVERB, "পুনঃ পুনঃ"),
    ("en", TRANSITIVE, "give up"),
    ("en", NOUN, "to do"),
    ("en", NOUN, "elder sister"),
)


def with_words(database: Database) -> None:
    """Load words that are typed otherwise than they are spelled."""
    words = [*((code, pos, word) for code, pos, some in WORDS for word in some.split()), *OF_SEVERAL]
    records: list[Record] = [
        SOURCE,
        *(
            IdeaRecord("sample", f"{number}", pos, (WordRecord(code, word),))
            for number, (code, pos, word) in enumerate(words)
        ),
    ]
    placed = [
        *read_catalogue_records(),
        *(LocatedRecord("test", line, record) for line, record in enumerate(records, 1)),
    ]
    loaded = import_records(database, placed, now=NOW)
    assert not loaded.errors, loaded.errors


@pytest.fixture(scope="module")
def dictionary(sqlite_databases: SqliteDatabases) -> Iterator[Database]:
    """Open a dictionary of words that are typed otherwise than they are spelled."""
    with open_database(sqlite_databases, with_words) as database:
        yield database


def look_up_words(dictionary: Database, query: str) -> list[QueryWord]:
    return list(dictionary.read_now(lambda reader: look_up(reader, query)))


def look_up_entries(dictionary: Database, query: str) -> list[tuple[Match, list[str]]]:
    return [(item.match, [word.word for word in item.entries]) for item in look_up_words(dictionary, query)]


def test_a_colon_is_read_as_visarga_if_that_makes_a_word(dictionary: Database) -> None:
    for query, words in [
        ("দু:খ", ["দুঃখ"]),
        ("“দু:খ”!", ["দুঃখ"]),
        ("অন্ত:পুৰ", ["অন্তঃপুৰ"]),
        ("অন্ত:পুৰ:", ["অন্তঃপুৰ"]),
        ("প্ৰাত:কাল", ["প্ৰাতঃকাল"]),
        ("নি:সন্দেহ", ["নিঃসন্দেহ"]),
        ("পুন:", ["পুনঃ"]),
        ("পুন: পুন:", ["পুনঃ পুনঃ", "পুনঃ"]),
        ("দু:খ পানী", ["দুঃখ", "পানী"]),
        ("ক:খ", ["ক:খ"]),
        ("পানী:মাছ", ["পানী", "মাছ"]),
        ("নাম: পানী", ["নাম", "পানী"]),
    ]:
        assert look_up_entries(dictionary, query) == [(Match.EXACT, [word]) for word in words], query


def test_a_form_of_a_word_may_have_a_colon_instead_of_visarga(dictionary: Database) -> None:
    assert [item.queryword for item in look_up_words(dictionary, "দু:খবোৰ")] == ["দুঃখবোৰ"]
    assert look_up_entries(dictionary, "দু:খবোৰ")[0][1][0] == "দুঃখ"


def test_substitute_signs_stress_marks_and_superscript_numbers_are_ignored(dictionary: Database) -> None:
    for query, word in [("অাকাশ", "আকাশ"), ("ˈwater", "water"), ("পানী¹", "পানী"), ("পানী²", "পানী")]:
        ((match, words),) = look_up_entries(dictionary, query)

        assert (match, words[:1]) == (Match.EXACT, [word]), query


def test_the_number_of_a_homograph_is_ignored_unless_the_word_has_one(dictionary: Database) -> None:
    for query, match, words in [
        ("fish1", Match.EXACT, ["fish"]),
        ("পানী১", Match.EXACT, ["পানী"]),
        ("M16", Match.EXACT, ["M16"]),
    ]:
        assert look_up_entries(dictionary, query) == [(match, words)], query


def test_an_english_possessive_finds_its_word(dictionary: Database) -> None:
    for query, lemma in [("children's", "child"), ("men's", "man"), ("women’s", "woman"), ("fish's", "fish")]:
        assert look_up_entries(dictionary, query) == [(Match.INFLECTED, [lemma])], query


def test_an_abbreviation_with_dots_is_one_word(dictionary: Database) -> None:
    for query, match, words in [
        ("U.S.", Match.LOOSE, ["US"]),
        ("e.g.", Match.EXACT, ["e.g."]),
        ("e.g", Match.LOOSE, ["e.g."]),
        ("d.o.", Match.LOOSE, ["do"]),
        # Without its dots it would be a form of `run`.
        ("r.u.n.s.", Match.NONE, []),
    ]:
        assert look_up_entries(dictionary, query) == [(match, words)], query


def test_words_joined_by_a_hyphen_are_looked_up_separately_unless_a_headword(dictionary: Database) -> None:
    for query, words in [
        ("rice-fish", ["rice", "fish"]),
        ("half-water", ["half", "water"]),
        ("mother-in-law", ["mother-in-law"]),
        ("the rice-fish", ["rice", "fish"]),
        ("rice rice-fish", ["rice", "fish"]),
        ("qqqq-zzzz", ["qqqq-zzzz"]),
    ]:
        assert [item.queryword for item in look_up_words(dictionary, query)] == words, query


def test_a_misspelled_headword_with_a_hyphen_is_not_split(dictionary: Database) -> None:
    item, *parts = look_up_words(dictionary, "mothr-in-law")

    assert (item.queryword, item.match) == ("mothr-in-law", Match.NONE)
    assert [suggestion.word for suggestion in item.suggestions] == ["mother-in-law"]
    assert not parts


def test_a_to_before_an_english_verb_is_left_out(dictionary: Database) -> None:
    for query, words in [
        ("to run", ["run"]),
        ("To Understand!", ["Understand"]),
        ("“to run”", ["run"]),
        ("to run up", ["run", "up"]),
        ("to give up", ["give up", "give", "up"]),
        ("to do", ["to do", "do"]),
        ("to school", ["to", "school"]),
        ("up to run", ["up", "to", "run"]),
        ("to পানী", ["to", "পানী"]),
        ("to", ["to"]),
    ]:
        assert [item.queryword for item in look_up_words(dictionary, query)] == words, query


def test_a_headword_of_several_words_comes_first(dictionary: Database) -> None:
    for query, match in [
        ("elder sister", Match.EXACT),
        ("ELDER  SISTER?!", Match.EXACT),
        ("mother in law", Match.LOOSE),
        ("পুনঃ পুনঃ", Match.EXACT),
    ]:
        first, *words = look_up_words(dictionary, query)

        assert (first.match, len(first.entries)) == (match, 1), query
        assert words, query


def test_a_lookup_in_two_steps_has_the_same_results(dictionary: Database) -> None:
    for query in ("দু:খ", "দু:খবোৰ", "অাকাশ", "fish1", "U.S.", "rice-fish", "to give up", "to run", "children's"):
        result = dictionary.read_now(partial(look_up_exact, query=query))
        if isinstance(result, PendingLookup):
            result = dictionary.read_now(partial(finish_lookup, pending=result))

        assert list(result) == look_up_words(dictionary, query), query


def test_a_search_finds_alternative_readings_exactly(dictionary: Database) -> None:
    for query, word in (
        ("দু:খ", "দুঃখ"),
        ("পুন:", "পুনঃ"),
        ("অাকাশ", "আকাশ"),
        ("ˈwater", "water"),
        ("পানী¹", "পানী"),
        ("ক:খ", "ক:খ"),
    ):
        first = dictionary.read_now(partial(search, text=query, language_id=None, fuzzy=True, limit=5))[0]

        assert (first.word, first.match.value) == (word, "exact"), query


def test_suggestions_begin_with_alternative_readings(dictionary: Database) -> None:
    for query, word in (("দু:", "দুঃখ"), ("অন্ত:প", "অন্তঃপুৰ"), ("অাক", "আকাশ"), ("ক:", "ক:খ"), ("ˈwat", "water")):
        assert word in dictionary.read_now(partial(suggest, text=query, language=ALL_LANGUAGES_PARAM, limit=5)), query
