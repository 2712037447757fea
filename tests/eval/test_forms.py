"""Forms of the whole starter dictionary: those that the server lists lead back to their words."""

import random
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from operator import attrgetter

import pytest

from abhidhan.dictionary.model.cascade import Match, QueryWord
from abhidhan.dictionary.service.forms import read_forms
from abhidhan.dictionary.service.lookup import look_up
from abhidhan.dictionary.store import words
from abhidhan.dictionary.store.words import SortKeyRange, list_alphabetically
from abhidhan.exchange.service.bundled_data import read_catalogue_records
from abhidhan.exchange.service.importing import import_records
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.import_records import LocatedRecord
from abhidhan.records.kinds import IdeaRecord, WordRecord
from abhidhan.records.languages import ALL_LANGUAGES, ASSAMESE, BENGALI
from abhidhan.records.lookup_lists import ListName
from assamese.conjugation import find_verbs
from assamese.paradigms import Headword, WordKind
from tests.support.databases import SqliteDatabases, open_database
from tests.support.sample import NOW, SOURCE

pytestmark = pytest.mark.no_cover

ID = attrgetter("id")
EVERYTHING = 1_000_000
WORDS_A_QUERY = 20


def look_up_one(dictionary: Database, query: str, language_id: int = ALL_LANGUAGES) -> QueryWord:
    return dictionary.read_now(lambda reader: look_up(reader, query, language_id))[0]


def entries(item: QueryWord) -> list[str]:
    return [word.word for word in item.entries]


def suggestions(item: QueryWord) -> list[str]:
    return [each.word for each in item.suggestions]


def list_ids(items: Iterable[QueryWord]) -> set[int]:
    """Return the IDs of the words that are entries or suggestions."""
    return {word_id for item in items for word_id in (*map(ID, item.entries), *map(ID, item.suggestions))}


FORMS_OF_CAN = (
    "পাৰে", "পাৰিব", "পাৰিলে", "পাৰিম", "পাৰোঁ", "পাৰিছে", "পাৰিছোঁ", "পাৰিছিল", "পাৰিলেহে",
    "নোৱাৰে", "নোৱাৰি", "নোৱাৰিলে", "নোৱাৰিব", "নোৱাৰোঁ", "নোৱাৰিলোঁ",
)  # fmt: skip


def test_a_form_of_can_leads_to_its_verb(whole_dictionary: Database) -> None:
    for form in FORMS_OF_CAN:
        item = look_up_one(whole_dictionary, form, ASSAMESE)

        assert (item.match, entries(item)[0]) == (Match.INFLECTED, "পৰা"), form


WORDS_OF_HEADWORDS = {
    "পাৰি": "পৰা", "গ’ল": "যোৱা", "হয়": "হোৱা", "পাই": "পোৱা",
    "left": "leave", "found": "find", "ground": "grind", "rose": "rise",
}  # fmt: skip
"""Headwords that are also forms, and the words that they are forms of."""


def test_a_headword_that_is_also_a_form_suggests_its_word_first(whole_dictionary: Database) -> None:
    for headword, word in WORDS_OF_HEADWORDS.items():
        item = look_up_one(whole_dictionary, headword)

        assert (item.match, suggestions(item)[0]) == (Match.EXACT, word), headword


WORDS_OF_FORMS = {
    "মাতি": "মতা", "শুন": "শুনা", "ক’ম": "কোৱা", "ক’বি": "কোৱা", "আহ": "অহা", "কৰক": "কৰা",
    "ল’ৰাটো": "ল’ৰা", "ম’হবোৰ": "ম’হ", "পৰে": "পৰা", "ৰাখি": "ৰখা", "প্ৰথমে": "প্ৰথম", "দূৰে": "দূৰ",
}  # fmt: skip


def test_a_listed_form_precedes_other_spellings_and_the_commoner_word_comes_first(whole_dictionary: Database) -> None:
    for form, word in WORDS_OF_FORMS.items():
        item = look_up_one(whole_dictionary, form)

        assert (item.match, entries(item)[0]) == (Match.INFLECTED, word), form


def test_a_regular_form_that_newspapers_prefer_is_not_a_misspelling(whole_dictionary: Database) -> None:
    assert entries(look_up_one(whole_dictionary, "যোৱাৰ", ASSAMESE))[0] == "যোৱা"
    assert entries(look_up_one(whole_dictionary, "পানি", ASSAMESE))[0] == "পানী"


def test_a_form_that_is_also_a_misspelling_suggests_the_intended_word(whole_dictionary: Database) -> None:
    for typed, word in (("ধুলা", "ধূলা"), ("নিলা", "নীলা"), ("দাত", "দাঁত"), ("গল", "গ’ল")):
        item = look_up_one(whole_dictionary, typed)

        assert item.match is Match.INFLECTED, typed
        assert word in suggestions(item)


def test_a_bengali_word_does_not_hide_an_assamese_form(whole_dictionary: Database) -> None:
    for form, word in (("সকলে", "সকল"), ("কাক", "কোন"), ("মাধ্যমে", "মাধ্যম"), ("আগে", "আগ")):
        item = look_up_one(whole_dictionary, form)

        assert {entry.language_id for entry in item.entries} == {BENGALI}, form
        assert suggestions(item)[0] == word


def test_a_text_with_assamese_letters_is_bengali_only_on_request(whole_dictionary: Database) -> None:
    spelled = [text for _, text in assamese_words(whole_dictionary)[::9] if " " not in text]
    texts = (*spelled, *(text[:-1] for text in spelled))

    for text in texts:
        if not {"ৰ", "ৱ"}.isdisjoint(text):
            item = look_up_one(whole_dictionary, text)
            languages = {entry.language_id for entry in item.entries} | {each.language_id for each in item.suggestions}
            assert BENGALI not in languages, text

    assert entries(look_up_one(whole_dictionary, "দূৰে", BENGALI)) == ["দূরে"]


def test_forms_of_all_verbs_with_one_spelling_are_found(whole_dictionary: Database) -> None:
    of_several = whole_dictionary.read_now(verbs_of_several_meanings)

    assert len(of_several) > 1
    for word_id, text, stored in of_several:
        for verb in find_verbs(Headword(text, frozenset({WordKind.OTHER_VERB}), known_forms=stored)):
            for ending in ("িছে", "িব", "িলে"):
                form = verb.stem + ending
                if verb.stem_class == "consonant":
                    assert word_id in list_ids([look_up_one(whole_dictionary, form, ASSAMESE)]), form


def verbs_of_several_meanings(connection: ReadConnection) -> list[tuple[int, str, frozenset[str]]]:
    """List the Assamese verbs with stored forms and several verbal meanings."""
    verbal = {item.id for item in connection.catalogue.list_items(ListName.PARTS_OF_SPEECH) if item.code == "Verb"}
    places = list_alphabetically(connection, SortKeyRange(ASSAMESE, b"", ""), None, EVERYTHING)
    parts = words.load_pos_ids(connection, [place.word_id for place in places[:4000]])
    parts |= words.load_pos_ids(connection, [place.word_id for place in places[4000:8000]])
    parts |= words.load_pos_ids(connection, [place.word_id for place in places[8000:]])
    return [
        (place.word_id, place.text, frozenset(stored))
        for place in places
        if sum(part in verbal for part in parts.get(place.word_id, ())) > 1
        and (stored := words.list_form_keys(connection, place.word_id))
    ]


def assamese_words(dictionary: Database) -> list[tuple[int, str]]:
    return dictionary.read_now(
        lambda reader: list(list_alphabetically(reader, SortKeyRange(ASSAMESE, b"", ""), None, EVERYTHING))
    )


def list_lost_forms(connection: ReadConnection, word_ids: Iterable[int], language_id: int) -> list[str]:
    """List the forms of words whose word is neither an entry nor a suggestion."""
    return [
        form
        for word_id in word_ids
        for form in dict.fromkeys(each.form for each in read_forms(connection, word_id).data)
        if word_id not in list_ids(look_up(connection, form, language_id))
    ]


@pytest.mark.thorough
@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.nightly) for part in range(1, 20))])
def test_every_listed_form_leads_to_its_word(whole_dictionary: Database, part: int) -> None:
    word_ids = [word_id for word_id, _ in assamese_words(whole_dictionary)[part::20]]

    for language_id in (ASSAMESE, ALL_LANGUAGES):
        assert whole_dictionary.read_now(partial(list_lost_forms, word_ids=word_ids, language_id=language_id)) == []


# --- words that no dictionary lists ----------------------------------------------------------------------------------

CONSONANTS = "কখগঘচজটডতদধনপবভমৰলশসহ"
SIGNS = ("", "া", "ি", "ু", "ে", "ো")


def invent_words(count: int, seed: int) -> Iterator[tuple[str, str]]:
    """Invent nouns and verbs that newspapers and the starter dictionary do not have, each with a part of speech."""
    chance = random.Random(seed)  # noqa: S311  # the same words every time
    for number in range(count):
        syllables = [chance.choice(CONSONANTS) + chance.choice(SIGNS) for _ in range(3)]
        if number % 2:
            yield "".join(syllables) + chance.choice(CONSONANTS), "Common Noun"
        else:
            yield "".join(syllables) + chance.choice(("", "ি", "ু")) + chance.choice(CONSONANTS) + "া", "Transitive"


def with_invented_words(database: Database) -> None:
    ideas = (
        LocatedRecord(
            "invented",
            line,
            IdeaRecord(
                "sample", f"invented-{line}", part, (WordRecord("as", text), WordRecord("en", f"invented {line}"))
            ),
        )
        for line, (text, part) in enumerate(invent_words(200, seed=44), 1)
    )
    loaded = import_records(database, [*read_catalogue_records(), LocatedRecord("sample", 0, SOURCE), *ideas], now=NOW)
    assert not loaded.errors


@pytest.mark.thorough
def test_every_form_of_an_invented_word_leads_to_its_word(sqlite_databases: SqliteDatabases) -> None:
    with open_database(sqlite_databases, with_invented_words) as dictionary:
        word_ids = [word_id for word_id, _ in assamese_words(dictionary)]
        have_forms = [dictionary.read_now(partial(read_forms, word_id=word_id)).data != () for word_id in word_ids]

        assert len(word_ids) == 200
        assert sum(have_forms) > 150  # of verbs whose stem the noun does not tell there are none
        assert dictionary.read_now(partial(list_lost_forms, word_ids=word_ids, language_id=ASSAMESE)) == []


def test_the_answer_for_a_word_does_not_depend_on_its_neighbours(whole_dictionary: Database) -> None:
    texts = list_queries(whole_dictionary)
    alone = {text: look_up_one(whole_dictionary, text) for text in texts}

    together: dict[str, QueryWord] = {}
    for start in range(0, len(texts), WORDS_A_QUERY):
        query = " ; ".join(texts[start : start + WORDS_A_QUERY])
        together |= {item.queryword: item for item in whole_dictionary.read_now(partial(look_up, query=query))}

    assert {text: together.get(text) for text in alone} == alone


def list_queries(dictionary: Database) -> Sequence[str]:
    known = [text for _, text in assamese_words(dictionary)[::200] if " " not in text]
    return ["নাচা", "khowa", "watter", "qqzzx", "পানি", *known, *(text[:2] + "ক" + text[3:] for text in known)]
