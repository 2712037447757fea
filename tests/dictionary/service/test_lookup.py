from itertools import product

import pytest

from abhidhan.dictionary.model.cascade import Match, QueryWord
from abhidhan.dictionary.service.browse import get_word
from abhidhan.dictionary.service.lookup import finish_lookup, look_up, look_up_exact
from abhidhan.dictionary.service.strategies.batch import MAX_ENTRIES
from abhidhan.dictionary.service.whole_query_lookup import PendingLookup
from abhidhan.exchange.service.importing import import_records
from abhidhan.platform.database.database import Database
from abhidhan.records.errors import InputError, NotFoundError
from abhidhan.records.import_records import LocatedRecord
from abhidhan.records.kinds import IdeaRecord, WordRecord
from abhidhan.records.languages import LANGUAGE_IDS
from assamese.spelling_distance import distance
from tests.support.databases import Databases, SqliteDatabases, load_sample, open_database
from tests.support.plans import list_statements
from tests.support.sample import NOW

pytestmark = pytest.mark.pooled


def found(dictionary: Database, query: str, language_id: int = 0) -> tuple[QueryWord, ...]:
    return dictionary.read_now(lambda reader: look_up(reader, query, language_id))


def spellings(item: QueryWord) -> list[str]:
    return [word.word for word in item.entries]


@pytest.mark.parametrize(
    ("query", "match", "words"),
    [
        ("পানী", Match.EXACT, ["পানী"]),
        ("PANI", Match.EXACT, ["pani"]),
        ("Water", Match.EXACT, ["water"]),
        ("ক’লা", Match.EXACT, ["ক’লা"]),
        ("ক'লা", Match.EXACT, ["ক’লা"]),
        ("কলা", Match.EXACT, ["কলা", "কলা"]),
        ("অসমীয়া", Match.EXACT, ["অসমীয়া", "অসমীয়া"]),
        ("সূর্য", Match.EXACT, ["সূর্য"]),
        ("হঠাত", Match.LOOSE, ["হঠাৎ", "হঠাৎ"]),
        ("খাওঁ", Match.INFLECTED, ["খোৱা", "খা"]),
        ("went", Match.INFLECTED, ["go"]),
        ("xobdo", Match.PHONETIC, ["শব্দ", "शब्द", "শব্দ"]),
        ("oxomiya", Match.PHONETIC, ["অসমীয়া", "असमिया", "অসমীয়া"]),
        ("qqqqzzzz", Match.NONE, []),
        ("zzzzqq", Match.NONE, []),
    ],
)
def test_a_word_is_found_by_the_best_class_of_match(
    shared_dictionary: Database, query: str, match: Match, words: list[str]
) -> None:
    (item,) = found(shared_dictionary, query)

    assert item.match is match
    assert spellings(item) == words


def test_each_word_of_a_query_is_one_item_in_order_without_repeats(shared_dictionary: Database) -> None:
    items = found(shared_dictionary, "ৰঙা মাছ, ৰঙা পানী।")

    assert [item.queryword for item in items] == ["ৰঙা", "মাছ", "পানী"]


def test_a_headword_of_several_words_comes_before_its_words(shared_dictionary: Database) -> None:
    items = found(shared_dictionary, "খোৱা পানী")

    assert [(item.queryword, item.match) for item in items] == [
        ("খোৱা পানী", Match.EXACT),
        ("খোৱা", Match.EXACT),
        ("পানী", Match.EXACT),
    ]


def test_a_loose_match_never_hides_among_exact_ones(shared_dictionary: Database) -> None:
    (item,) = found(shared_dictionary, "কলা", 2)

    assert spellings(item) == ["কলা"]


def test_one_language_can_be_asked_for(shared_dictionary: Database) -> None:
    (item,) = found(shared_dictionary, "শব্দ", 22)

    assert [word.language_id for word in item.entries] == [22]


def test_roman_input_that_is_a_word_also_suggests_words_of_other_scripts(shared_dictionary: Database) -> None:
    (item,) = found(shared_dictionary, "mon")

    assert item.match is Match.EXACT
    assert [word.language_id for word in item.entries] == [LANGUAGE_IDS["nag"]]
    assert "মন" in [suggestion.word for suggestion in item.suggestions]


ALIKE = tuple("m" * first + "n" * second for first, second in product(range(1, 9), repeat=2))
"""More words of one sound than a query word is answered with."""


def with_many_that_sound_alike(database: Database) -> None:
    load_sample(database)
    words = [("en", each) for each in (*ALIKE, "4mon")] + [("as", "৪মন")]
    records = [IdeaRecord("sample", each, None, (WordRecord(language, each),)) for language, each in words]
    loaded = import_records(database, [LocatedRecord("test", 1, record) for record in records], now=NOW)
    assert not loaded.errors, loaded.errors


@pytest.mark.parametrize(("typed", "word"), [("mon", "মন"), ("4mon", "৪মন")])
def test_words_in_roman_letters_that_sound_so_take_no_place_of_words_of_other_scripts(
    databases: Databases, typed: str, word: str
) -> None:
    with open_database(databases, with_many_that_sound_alike) as dictionary:
        (item,) = found(dictionary, typed)

    assert len(ALIKE) > MAX_ENTRIES
    assert word in [suggestion.word for suggestion in item.suggestions]


def test_a_guess_from_roman_input_also_suggests_words_that_nearly_sound_like_it(shared_dictionary: Database) -> None:
    (item,) = found(shared_dictionary, "hati")

    assert (item.match, spellings(item)) == (Match.PHONETIC, ["হাতী", "হাতি"])
    assert [suggestion.word for suggestion in item.suggestions] == ["हाथी"]


def test_beside_a_guess_no_word_is_offered_that_is_more_than_a_letter_away(shared_dictionary: Database) -> None:
    for query in ("xobdo", "hati", "pani"):
        (item,) = found(shared_dictionary, query)
        assert all(distance(query, each.word) <= 1 for each in item.suggestions), query


def test_a_word_that_only_sounds_so_from_afar_is_offered_but_not_answered(shared_dictionary: Database) -> None:
    (item,) = found(shared_dictionary, "manuh")

    assert (item.match, spellings(item)) == (Match.NONE, [])
    assert [suggestion.word for suggestion in item.suggestions] == ["মন"]


def test_a_word_of_another_language_suggests_the_assamese_one_that_may_be_meant(shared_dictionary: Database) -> None:
    (item,) = found(shared_dictionary, "পানি")

    assert (item.match, spellings(item)) == (Match.EXACT, ["পানি"])
    assert [suggestion.word for suggestion in item.suggestions] == ["পানী"]


def test_who_asks_for_bengali_is_offered_no_assamese(shared_dictionary: Database) -> None:
    (item,) = found(shared_dictionary, "পানি", 22)

    assert item.suggestions == ()


@pytest.mark.parametrize(("typed", "word"), [("śabda", "শব্দ"), ("oxomīyā", "অসমীয়া"), ("ɔxɔmija", "অসমীয়া")])
def test_roman_letters_with_marks_find_assamese_words(shared_dictionary: Database, typed: str, word: str) -> None:
    (item,) = found(shared_dictionary, typed)

    assert spellings(item)[:1] == [word]


def test_a_miss_suggests_near_spellings(shared_dictionary: Database) -> None:
    (item,) = found(shared_dictionary, "elepjant")

    assert item.match is Match.NONE
    assert [suggestion.word for suggestion in item.suggestions] == ["elephant"]


def test_words_are_gathered_with_all_that_belongs_to_them(shared_dictionary: Database) -> None:
    (item,) = found(shared_dictionary, "পানী", 2)
    (water,) = item.entries
    (meaning,) = water.meanings

    assert (water.roman, water.roman_generated, water.origin, water.definitive) == (
        "pa.ni",
        False,
        "সং. পানীয়",
        "-খিনি",
    )
    assert [(each.language, each.word) for each in meaning.translations] == [
        ("English", "water"),
        ("Assamese", "জল"),
        ("Bodo", "दै"),
        ("Nagamese", "pani"),
        ("Hindi", "पानी"),
        ("Hindi", "जल"),
        ("Bengali", "জল"),
        ("Bengali", "পানি"),
    ]
    assert [context.value for context in meaning.contexts] == ["Nature", "Water"]
    assert [(relation.type.value, relation.words[:2]) for relation in meaning.relations] == [
        ("Hyponym", ("drinking water", "খোৱা পানী"))
    ]
    assert (meaning.reference, meaning.note) == ("হেমকোষ", "Only for tests.")


def test_a_romanization_made_by_rule_is_marked_so(shared_dictionary: Database) -> None:
    (item,) = found(shared_dictionary, "হাতী", 2)

    assert (item.entries[0].roman, item.entries[0].roman_generated) == ("ha.ti", True)


def test_more_than_twenty_words_are_refused(shared_dictionary: Database) -> None:
    query = " ".join(f"word{number}" for number in range(21))

    with pytest.raises(InputError, match="21 words"):
        found(shared_dictionary, query)


def test_twenty_words_are_looked_up(shared_dictionary: Database) -> None:
    assert len(found(shared_dictionary, " ".join(f"word{number}" for number in range(20)))) == 20


def test_punctuation_alone_finds_nothing(shared_dictionary: Database) -> None:
    assert found(shared_dictionary, "?! ...") == ()


def test_a_word_is_read_by_its_id(shared_dictionary: Database) -> None:
    (item,) = found(shared_dictionary, "মাছ", 2)

    assert shared_dictionary.read_now(lambda reader: get_word(reader, item.entries[0].id)) == item.entries[0]


@pytest.mark.parametrize("word_id", [0, 999_999, 2**63, 10**30])
def test_an_unknown_id_is_told(shared_dictionary: Database, word_id: int) -> None:
    with pytest.raises(NotFoundError, match=str(word_id)):
        shared_dictionary.read_now(lambda reader: get_word(reader, word_id))


@pytest.mark.parametrize("query", ["koribo", "jam", "পানীখিনিহে", "hot koribo water", "qqqqzzzz"])
def test_a_miss_of_the_quick_look_up_goes_on_with_what_was_found(sqlite_databases: SqliteDatabases, query: str) -> None:
    begun: list[PendingLookup] = []

    with open_database(sqlite_databases, load_sample) as dictionary:
        at_once = list_statements(dictionary, lambda reader: look_up(reader, query))
        in_two = list_statements(
            dictionary,
            lambda reader: begun.append(missed(look_up_exact(reader, query))),
            lambda reader: finish_lookup(reader, begun[0]),
        )
        (goes_on,) = begun
        whole = found(dictionary, query)

        assert in_two == at_once
        assert dictionary.read_now(lambda reader: finish_lookup(reader, goes_on)) == whole


def missed(answer: tuple[QueryWord, ...] | PendingLookup) -> PendingLookup:
    assert isinstance(answer, PendingLookup)
    return answer
