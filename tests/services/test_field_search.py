"""Searches by fields and with wildcards, on both engines, against what the tables tell."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import insert, select, update

from abhidhan.domain.matching.wildcards import Signs, clusters, read_pattern
from abhidhan.domain.orthography import OWN_FOLDING
from abhidhan.domain.text.collation import sort_key
from abhidhan.errors import InputError, UnavailableError
from abhidhan.services.dictionary import facade_finding, pattern_search
from abhidhan.services.dictionary.facade import Dictionary
from abhidhan.services.dictionary.field_search import Asked, Begun, Found, begin, go_on
from abhidhan.services.dictionary.named_fields import MOST_FIELDS
from abhidhan.services.dictionary.pattern_search import PatternSearch, Wanted
from abhidhan.services.dictionary.questions import LanguageName, SearchRequest
from abhidhan.storage import schema
from abhidhan.storage.engine.database import Database
from abhidhan.storage.engine.queries import Query
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.word_choice import WordChoice
from abhidhan.web.pages.interface import in_assamese
from tests.support.databases import SqliteDatabases, opened, with_sample
from tests.support.edits import change
from tests.support.plans import scanned_tables

SOME = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)


def find(
    database: Database, text: str, language: str = "0", *, limit: int = 1000, wildcards: Signs = Signs.EVERYWHERE
) -> Found:
    request = SearchRequest(text, LanguageName(language, "lang"), limit, fuzzy=False, wildcards=wildcards)
    return asyncio.run(Dictionary(database, translate=in_assamese).search(request))


def words(found: Found) -> list[str]:
    return [word.word for word in found.words]


# --- wildcards ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "language", "expected"),
    [
        ("wat*", "0", ["water"]),
        ("*er", "en", ["water"]),
        ("*নী", "as", ["পানী"]),
        ("পা?", "as", ["পানী", "পাখী"]),
        ("*qqq*", "0", []),
    ],
)
def test_words_that_fit_a_pattern_are_found(
    shared_dictionary: Database, pattern: str, language: str, expected: list[str]
) -> None:
    found = find(shared_dictionary, pattern, language)

    assert found.is_complete
    assert set(expected) <= set(words(found))
    assert {word.match.value for word in found.words} <= {"wildcard", "exact"}


def test_the_shortest_words_come_first_and_have_the_greatest_scores(shared_dictionary: Database) -> None:
    found = find(shared_dictionary, "*a*", "en")

    assert len(found.words) > 3
    scores = [word.score for word in found.words]
    assert scores == sorted(scores, reverse=True)
    assert found.words[:3] == find(shared_dictionary, "*a*", "en", limit=3).words


@pytest.mark.parametrize("pattern", ["*", "**", "* *", "*-*"])
def test_a_pattern_that_every_word_fits_is_refused(shared_dictionary: Database, pattern: str) -> None:
    with pytest.raises(InputError, match="at least one letter"):
        find(shared_dictionary, pattern)


def test_without_wildcards_a_sign_is_what_it_was(shared_dictionary: Database) -> None:
    for text in ("wat*", "water?", "?"):
        found = find(shared_dictionary, text, wildcards=Signs.NOWHERE)
        assert found.is_complete is None
        assert {word.match.value for word in found.words}.isdisjoint({"wildcard", "field"})
    assert words(find(shared_dictionary, "water?", wildcards=Signs.NOWHERE))[:1] == ["water"]


def all_words(reader: Reader) -> list[tuple[int, str, str, int]]:
    word = schema.word
    return [
        tuple(row)
        for row in reader.rows(Query(select(word.c.id, word.c.exact_key, word.c.loose_key, word.c.language_id)))
    ]


LETTERS_OF_SAMPLE = st.sampled_from([*"পানীজলমাছকাৰবিহশদ্ঙগতয়়িaetrwn", "*", "*", "?"])
PATTERNS = st.text(LETTERS_OF_SAMPLE, min_size=1, max_size=6)
LANGUAGES = st.sampled_from([0, 1, 2, 21, 22])


def as_every_word_tells(reader: Reader, pattern: str, language_id: int) -> set[int]:
    """Compare the pattern with every word."""
    read = read_pattern(pattern, {"", *OWN_FOLDING})
    code = {language.id: language.code for language in reader.catalogue.languages}
    return {
        word_id
        for word_id, exact, loose, of in all_words(reader)
        if language_id in {0, of} and read.matches(exact, loose, code[of])
    }


def found_by(reader: Reader, pattern: str, language_id: int, limit: int = 100_000) -> list[pattern_search.Matching]:
    search = PatternSearch(Wanted(read_pattern(pattern, {"", *OWN_FOLDING}), language_id, WordChoice(), limit))
    while not search.is_done:
        search.take_turn(reader)
    assert search.is_complete
    return search.found()


@contextmanager
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as patched:
        patched.setattr(pattern_search, "FIRST_KEYS", 2)
        patched.setattr(pattern_search, "KEYS_AT_ONCE", 3)
        patched.setattr(pattern_search, "SMALL_LANGUAGE", 0)
        yield


@SOME
@given(pattern=PATTERNS, language_id=LANGUAGES)
@pytest.mark.parametrize("in_pieces", [False, True])
def test_just_the_words_that_fit_are_found_however_many_are_looked_at_at_once(
    shared_dictionary: Database, monkeypatch: pytest.MonkeyPatch, *, in_pieces: bool, pattern: str, language_id: int
) -> None:
    if read_pattern(pattern, {"", *OWN_FOLDING}).says_nothing:
        return

    def compare(reader: Reader) -> None:
        found = {each.word_id for each in found_by(reader, pattern, language_id)}
        assert found == as_every_word_tells(reader, pattern, language_id)

    if in_pieces:
        with small_chunks(monkeypatch):
            shared_dictionary.read_now(compare)
    else:
        shared_dictionary.read_now(compare)


@SOME
@given(data=st.data())
def test_a_word_is_found_by_its_beginning_its_end_and_its_middle(
    shared_dictionary: Database, data: st.DataObject
) -> None:
    def compare(reader: Reader) -> None:
        word_id, exact, _, language_id = data.draw(st.sampled_from(all_words(reader)))
        letters = clusters(exact)
        first = data.draw(st.integers(0, len(letters)))
        last = data.draw(st.integers(first, len(letters)))
        inside = "".join(letters[first:last])
        for pattern in (
            f"{inside}*" if first == 0 else f"*{inside}*",
            "".join(letters[:first]) + "*" + "".join(letters[last:]),
        ):
            if not read_pattern(pattern, {"", *OWN_FOLDING}).says_nothing and "*" in pattern:
                assert word_id in {each.word_id for each in found_by(reader, pattern, language_id)}, pattern

    shared_dictionary.read_now(compare)


@SOME
@given(pattern=PATTERNS.filter(lambda text: "*" in text or "?" in text), limit=st.integers(1, 5))
def test_of_more_words_than_are_wanted_the_shortest_are_found(
    shared_dictionary: Database, pattern: str, limit: int
) -> None:
    if read_pattern(pattern, {"", *OWN_FOLDING}).says_nothing:
        return

    def compare(reader: Reader) -> None:
        every, some = found_by(reader, pattern, 0), found_by(reader, pattern, 0, limit)
        assert [each.length for each in some] == [each.length for each in every[:limit]]

    shared_dictionary.read_now(compare)


@SOME
@given(pattern=PATTERNS, language=st.sampled_from(["0", "as", "en", "bn"]), limit=st.integers(1, 30))
def test_both_engines_find_the_same_in_the_same_order(
    databases_with_sample: dict[str, Database], pattern: str, language: str, limit: int
) -> None:
    if read_pattern(pattern, {"", *OWN_FOLDING}).says_nothing:
        return

    sqlite, postgresql = (find(database, pattern, language, limit=limit) for database in databases_with_sample.values())

    assert sqlite == postgresql


def test_what_takes_too_long_is_told_to_be_incomplete(shared_dictionary: Database) -> None:
    def read(reader: Reader) -> None:
        wanted = Wanted(read_pattern("*a*", {""}), 0, WordChoice(), 1000)
        for search in (PatternSearch(wanted, most_keys=1), PatternSearch(wanted, most_seconds=0.0)):
            search.take_turn(reader)
            assert search.is_done
            assert not search.is_complete
        whole = PatternSearch(wanted)
        while not whole.is_done:
            whole.take_turn(reader)
        assert whole.is_complete

    shared_dictionary.read_now(read)


def test_a_search_that_is_not_done_in_a_turn_goes_on(
    shared_dictionary: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = find(shared_dictionary, "*a*b*")
    monkeypatch.setattr(pattern_search, "TURN_SECONDS", 0.0)

    assert find(shared_dictionary, "*a*b*") == whole


def test_no_more_long_searches_go_on_than_can_be_waited_for(
    shared_dictionary: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pattern_search, "TURN_SECONDS", 0.0)
    monkeypatch.setattr(facade_finding, "MOST_GOING_ON", 2)

    async def search_at_once() -> list[Found | BaseException]:
        dictionary = Dictionary(shared_dictionary)
        asked = SearchRequest("*a*", wildcards=Signs.EVERYWHERE)
        return await asyncio.gather(*(dictionary.search(asked) for _ in range(6)), return_exceptions=True)

    answers = asyncio.run(search_at_once())
    refused = [each for each in answers if isinstance(each, UnavailableError)]

    assert len([each for each in answers if isinstance(each, Found)]) >= 2
    assert len(refused) + len([each for each in answers if isinstance(each, Found)]) == 6


# --- fields ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "some", "others"),
    [
        ("pos:noun lang:as", ["পানী", "মাছ", "হাতী"], ["ক’লা", "water"]),
        ('pos:"material noun"', ["পানী", "water"], ["fish"]),
        ("pos:3 lang:en", ["water"], ["fish"]),
        ("pos:বিশেষ্য lang:অসমীয়া", ["পানী", "মাছ"], ["ক’লা", "water"]),
        ("pos:adjective lang:Assamese", ["ক’লা", "কলা"], ["পানী"]),
        ("context:water", ["পানী", "water"], ["elephant"]),
        ("context:nature lang:en", ["water"], ["elephant"]),
        ("context:kinship context:water", [], ["boy", "water"]),
        ("pos:noun pos:adjective", [], ["water", "black"]),
        ("lang:en lang:as", [], ["water", "পানী"]),
        ("lang:0 context:mammal", ["elephant", "হাতী"], ["water"]),
        ("has:photo", [], ["water"]),
        ("has:audio pos:noun", [], ["water"]),
    ],
)
def test_words_are_listed_by_fields_alone(
    shared_dictionary: Database, text: str, some: list[str], others: list[str]
) -> None:
    found = find(shared_dictionary, text, wildcards=Signs.NOWHERE)

    assert found.is_complete
    assert set(some) <= set(words(found))
    assert set(words(found)).isdisjoint(others)
    assert {word.match.value for word in found.words} <= {"field"}


def test_lists_are_in_the_order_of_the_alphabet(shared_dictionary: Database) -> None:
    code = {1: "en", 2: "as"}
    for text in ("pos:noun lang:as", "lang:en", "context:all lang:as", "pos:noun"):
        found = [word for word in find(shared_dictionary, text).words if word.language_id in code]
        keys = [(word.language_id, sort_key(word.word, code[word.language_id]), word.word) for word in found]
        assert keys == sorted(keys)


@SOME
@given(
    fields=st.lists(
        st.sampled_from(
            ["pos:noun", "pos:1", "pos:adjective", "context:nature", "context:animal", "lang:as", "lang:en"]
        ),
        min_size=1,
        max_size=3,
        unique=True,
    ),
    limit=st.integers(1, 40),
    few=st.sampled_from([0, 3, 1024]),
)
def test_just_the_words_with_such_a_meaning_are_listed(
    shared_dictionary: Database, monkeypatch: pytest.MonkeyPatch, fields: list[str], limit: int, few: int
) -> None:
    text = " ".join(fields)
    monkeypatch.setattr("abhidhan.storage.word_choice.FEW_IDEAS", 1024)
    expected = words(find(shared_dictionary, text))
    monkeypatch.setattr("abhidhan.storage.word_choice.FEW_IDEAS", few)
    monkeypatch.setattr("abhidhan.services.dictionary.field_search.WORDS_AT_ONCE", 4)

    assert words(find(shared_dictionary, text, limit=limit)) == expected[:limit]


def test_a_list_that_takes_too_long_is_told_to_be_incomplete(
    shared_dictionary: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("abhidhan.storage.word_choice.FEW_IDEAS", 0)
    monkeypatch.setattr("abhidhan.services.dictionary.field_search.MOST_LOOKED_AT", 5)

    assert find(shared_dictionary, "context:nature").is_complete is False


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("pos:noun পানী", "পানী"),
        ("context:water জল", "জল"),
        ("lang:en water", "water"),
        ("pos:noun *নী", "পানী"),
        ("context:water পা*", "পানী"),
        ("lang:as context:water *", "পানী"),
        ("Water POS:Noun", "water"),
    ],
)
def test_words_and_fields_go_together(shared_dictionary: Database, text: str, expected: str) -> None:
    assert expected in words(find(shared_dictionary, text))
    assert words(find(shared_dictionary, text + " has:photo")) == []
    assert words(find(shared_dictionary, text + " pos:adverb")) == []


@pytest.mark.spoils
def test_words_with_a_photo_are_those_whose_photo_is_approved(dictionary: Database) -> None:
    assert words(find(dictionary, "has:photo")) == []
    number = find(dictionary, "lang:en water", limit=1).words[0].meanings[0].idea_id
    values = {
        "id": 1,
        "idea_id": number,
        "credit": "",
        "status": "pending_review",
        "submitted": 0,
        "key": "k",
        "extension": "jpg",
        "width": 1,
        "height": 1,
        "frames": 1,
        "size": 1,
        "sha256": "0",
        "likeness": "0",
    }
    dictionary.write_now(lambda connection: connection.execute(insert(schema.photo).values(values)))
    assert words(find(dictionary, "has:photo")) == []
    dictionary.write_now(lambda connection: connection.execute(update(schema.photo).values(status="approved")))

    assert "পানী" in words(find(dictionary, "has:photo lang:as"))
    assert words(find(dictionary, "has:photo wat*")) == ["water"]
    assert words(find(dictionary, "has:photo pos:noun water"))[:1] == ["water"]
    assert words(find(dictionary, "has:photo context:animal")) == []


@pytest.mark.spoils
def test_words_with_a_voice_are_those_whose_recording_is_approved(dictionary: Database) -> None:
    word_id = find(dictionary, "lang:as পানী", limit=1).words[0].id
    values = {
        "id": 1,
        "word_id": word_id,
        "spoken": "পানী",
        "language_id": 2,
        "status": "pending_review",
        "submitted": 0,
        "key": "k",
        "extension": "mp3",
        "milliseconds": 900,
        "clipped": 0,
        "size": 1,
        "sha256": "0",
        "likeness": "0",
    }
    dictionary.write_now(lambda connection: connection.execute(insert(schema.recording).values(values)))
    assert words(find(dictionary, "has:audio")) == []
    dictionary.write_now(lambda connection: connection.execute(update(schema.recording).values(status="approved")))

    assert words(find(dictionary, "has:audio")) == ["পানী"]
    assert words(find(dictionary, "has:audio পা*")) == ["পানী"]
    assert words(find(dictionary, "has:audio lang:en")) == []
    assert words(find(dictionary, "has:audio has:photo")) == []


def test_words_left_out_by_a_field_make_room_for_others(shared_dictionary: Database) -> None:
    assert words(find(shared_dictionary, "কলা pos:adjective", limit=1)) == ["কলা"]
    assert words(find(shared_dictionary, "কলা pos:verb", limit=1)) == []


@pytest.mark.parametrize("named", ["noun", "Noun", "বিশেষ্য"])
def test_the_name_of_a_class_is_all_of_it_though_a_value_has_it_too(dictionary: Database, named: str) -> None:
    before = words(find(dictionary, f"pos:{named} lang:as", limit=1000))
    change(dictionary, "idea", 1, pos_id=16)

    assert "পানী" in before
    assert words(find(dictionary, f"pos:{named} lang:as", limit=1000)) == before


@pytest.mark.spoils
def test_words_without_a_part_of_speech_are_asked_for(dictionary: Database) -> None:
    assert words(find(dictionary, "pos:unassigned")) == []
    change(dictionary, "idea", 1, pos_id=None)

    assert words(find(dictionary, "pos:unassigned lang:as")) == ["জল", "পানী"]
    assert words(find(dictionary, "pos:22 has:photo lang:as")) == []
    assert words(find(dictionary, "পানী pos:unassigned")) == ["পানী"]


def test_another_language_beside_is_none(shared_dictionary: Database) -> None:
    assert words(find(shared_dictionary, "lang:as পানী", "as"))[:1] == ["পানী"]
    assert find(shared_dictionary, "lang:as পানী", "en").words == ()


def test_no_more_fields_are_read_than_a_person_writes(shared_dictionary: Database) -> None:
    find(shared_dictionary, " ".join(f"context:{number}" for number in range(1, MOST_FIELDS + 1)))
    find(shared_dictionary, "pos:noun " * 20)

    with pytest.raises(InputError, match="at most 6 fields"):
        find(shared_dictionary, " ".join(f"context:{number}" for number in range(1, MOST_FIELDS + 2)))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("pos:nonsense", "Noun"),
        ("pos:", "Write a value"),
        ("pos: noun", "Write a value"),
        ("context:nonsense", "CTX"),
        ("lang:nonsense a", "/api/languages"),
        ("has:nonsense", "photo, audio"),
        ("has:", "photo, audio"),
        ("pos:99999999999999999999", "Noun"),
        ("pos:\ud800", "Noun"),
    ],
)
def test_an_unknown_value_is_refused_and_what_there_is_is_told(
    shared_dictionary: Database, text: str, told: str
) -> None:
    with pytest.raises(InputError, match=told) as raised:
        find(shared_dictionary, text)

    assert [problem.parameter for problem in raised.value.problems] == ["q"]


def test_other_names_are_searched_as_they_stand(shared_dictionary: Database) -> None:
    assert find(shared_dictionary, "foo:bar", wildcards=Signs.NOWHERE).is_complete is None


# --- how it is read -------------------------------------------------------------------------------------------------


def job(text: str, language_id: int = 0) -> Callable[[Reader], object]:
    def run(reader: Reader) -> object:
        begun = begin(reader, Asked(text, language_id, fuzzy=False, limit=5, wildcards=Signs.EVERYWHERE), str)
        while isinstance(begun, Begun):
            begun = go_on(reader, begun)
        return begun

    return run


JOBS = (
    *(job(text) for text in ("ক*", "*ক", "*ার", "*ক*", "ক*ল*া", "??", "a?b", "?a*", "পা*নী", "*নী*", "*গ")),
    *(job(text, 2) for text in ("ক*", "*ক", "*ক*", "??")),
    *(
        job(text)
        for text in (
            *("pos:noun", "pos:noun lang:as", "lang:as", "context:nature"),
            *("has:photo", "has:photo *ক", "has:audio", "has:audio *ক"),
        )
    ),
    *(job(text) for text in ("pos:noun *ক", "pos:noun পানী", "context:nature context:water pos:1 lang:as has:photo")),
)


@pytest.mark.parametrize("small_language", [0, 20_000])
@pytest.mark.parametrize("few", [0, 1024])
def test_every_read_is_a_search_by_an_index(
    sqlite_databases: SqliteDatabases, monkeypatch: pytest.MonkeyPatch, small_language: int, few: int
) -> None:
    monkeypatch.setattr(pattern_search, "SMALL_LANGUAGE", small_language)
    monkeypatch.setattr("abhidhan.storage.word_choice.FEW_IDEAS", few)
    with opened(sqlite_databases, with_sample) as dictionary:
        for each in JOBS:
            assert scanned_tables(dictionary, each) == []
