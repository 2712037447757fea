from collections.abc import Iterator

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


def found(dictionary: Database, query: str) -> list[QueryWord]:
    return list(dictionary.read_now(lambda reader: look_up(reader, query)))


def answered(dictionary: Database, query: str) -> list[tuple[Match, list[str]]]:
    return [(item.match, [word.word for word in item.entries]) for item in found(dictionary, query)]


@pytest.mark.parametrize(
    ("query", "words"),
    [
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
    ],
)
def test_a_colon_is_read_as_visarga_where_that_is_a_word(dictionary: Database, query: str, words: list[str]) -> None:
    assert answered(dictionary, query) == [(Match.EXACT, [word]) for word in words]


def test_a_form_of_a_word_may_have_a_colon_for_its_visarga(dictionary: Database) -> None:
    assert [item.queryword for item in found(dictionary, "দু:খবোৰ")] == ["দুঃখবোৰ"]
    assert answered(dictionary, "দু:খবোৰ")[0][1][0] == "দুঃখ"


@pytest.mark.parametrize(("query", "word"), [("অাকাশ", "আকাশ"), ("ˈwater", "water"), ("পানী¹", "পানী"), ("পানী²", "পানী")])
def test_signs_that_stand_for_others_and_marks_of_a_page_hide_no_word(
    dictionary: Database, query: str, word: str
) -> None:
    ((match, words),) = answered(dictionary, query)

    assert (match, words[:1]) == (Match.EXACT, [word])


@pytest.mark.parametrize(
    ("query", "match", "words"),
    [("fish1", Match.EXACT, ["fish"]), ("পানী১", Match.EXACT, ["পানী"]), ("M16", Match.EXACT, ["M16"])],
)
def test_the_number_of_a_homograph_is_left_out_where_the_word_has_none(
    dictionary: Database, query: str, match: Match, words: list[str]
) -> None:
    assert answered(dictionary, query) == [(match, words)]


@pytest.mark.parametrize(
    ("query", "lemma"), [("children's", "child"), ("men's", "man"), ("women’s", "woman"), ("fish's", "fish")]
)
def test_an_english_possessive_leads_to_its_word(dictionary: Database, query: str, lemma: str) -> None:
    assert answered(dictionary, query) == [(Match.INFLECTED, [lemma])]


@pytest.mark.parametrize(
    ("query", "match", "words"),
    [
        ("U.S.", Match.LOOSE, ["US"]),
        ("e.g.", Match.EXACT, ["e.g."]),
        ("e.g", Match.LOOSE, ["e.g."]),
        ("d.o.", Match.LOOSE, ["do"]),
        # Without its dots it would be a form of `run`.
        ("r.u.n.s.", Match.NONE, []),
    ],
)
def test_an_abbreviation_with_dots_is_one_word(
    dictionary: Database, query: str, match: Match, words: list[str]
) -> None:
    assert answered(dictionary, query) == [(match, words)]


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("rice-fish", ["rice", "fish"]),
        ("half-water", ["half", "water"]),
        ("mother-in-law", ["mother-in-law"]),
        ("the rice-fish", ["rice", "fish"]),
        ("rice rice-fish", ["rice", "fish"]),
        ("qqqq-zzzz", ["qqqq-zzzz"]),
    ],
)
def test_words_joined_by_a_hyphen_that_are_no_headword_are_looked_up_each(
    dictionary: Database, query: str, words: list[str]
) -> None:
    assert [item.queryword for item in found(dictionary, query)] == words


def test_a_misspelled_headword_with_a_hyphen_stays_before_its_parts(dictionary: Database) -> None:
    item, *parts = found(dictionary, "mothr-in-law")

    assert (item.queryword, item.match) == ("mothr-in-law", Match.NONE)
    assert [suggestion.word for suggestion in item.suggestions] == ["mother-in-law"]
    assert not parts


@pytest.mark.parametrize(
    ("query", "words"),
    [
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
    ],
)
def test_a_to_before_a_verb_is_left_out(dictionary: Database, query: str, words: list[str]) -> None:
    assert [item.queryword for item in found(dictionary, query)] == words


@pytest.mark.parametrize(
    ("query", "match"),
    [
        ("elder sister", Match.EXACT),
        ("ELDER  SISTER?!", Match.EXACT),
        ("mother in law", Match.LOOSE),
        ("পুনঃ পুনঃ", Match.EXACT),
    ],
)
def test_a_headword_of_several_words_stands_first(dictionary: Database, query: str, match: Match) -> None:
    first, *words = found(dictionary, query)

    assert (first.match, len(first.entries)) == (match, 1)
    assert words


@pytest.mark.parametrize(
    "query", ["দু:খ", "দু:খবোৰ", "অাকাশ", "fish1", "U.S.", "rice-fish", "to give up", "to run", "children's"]
)
def test_the_quick_look_up_answers_the_same(dictionary: Database, query: str) -> None:
    quick = dictionary.read_now(lambda reader: look_up_exact(reader, query))
    if isinstance(quick, PendingLookup):
        begun = quick
        quick = dictionary.read_now(lambda reader: finish_lookup(reader, begun))

    assert list(quick) == found(dictionary, query)


@pytest.mark.parametrize(
    ("query", "word"),
    [("দু:খ", "দুঃখ"), ("পুন:", "পুনঃ"), ("অাকাশ", "আকাশ"), ("ˈwater", "water"), ("পানী¹", "পানী"), ("ক:খ", "ক:খ")],
)
def test_a_search_finds_them_as_exactly(dictionary: Database, query: str, word: str) -> None:
    first = dictionary.read_now(lambda reader: search(reader, query, None, fuzzy=True, limit=5))[0]

    assert (first.word, first.match.value) == (word, "exact")


@pytest.mark.parametrize(
    ("query", "word"), [("দু:", "দুঃখ"), ("অন্ত:প", "অন্তঃপুৰ"), ("অাক", "আকাশ"), ("ক:", "ক:খ"), ("ˈwat", "water")]
)
def test_suggestions_begin_as_they_are_read(dictionary: Database, query: str, word: str) -> None:
    assert word in dictionary.read_now(lambda reader: suggest(reader, query, ALL_LANGUAGES_PARAM, 5))
