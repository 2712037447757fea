"""wordsalpha.php in the shape that XOBDO's programs read: codes of parts of speech, and a text for each meaning."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from abhidhan.exchange.service.bundled_data import load_starter
from abhidhan.exchange.service.importing import import_records
from abhidhan.platform.database.database import Database
from abhidhan.records.import_records import LocatedRecord
from abhidhan.records.kinds import IdeaRecord, ListItemRecord, Record, WordRecord
from assamese.normalization import exact_key
from tests.contract.test_rules import check_problem
from tests.support.application import Ask, open_application
from tests.support.databases import Databases, SqliteDatabases, load_sample, open_database
from tests.support.sample import NOW

ALPHABET = "/api/wordsalpha.php"
NOUN = {"pos": "N.mat", "posDesc": "Material Noun", "posID": 3}
NONE = {"pos": "U", "posDesc": "Unassigned", "posID": None}

Answer = dict[str, Any]


def with_more_parts_of_speech(database: Database) -> None:
    """Load the sample, words without a part of speech, and some with an operator's own."""
    load_sample(database)
    records: tuple[Record, ...] = (
        ListItemRecord("POS", 16, "Particle"),
        ListItemRecord("POS", 0, "Clitic", "Others", short="CLT"),
        IdeaRecord("sample", "bare", None, (WordRecord("mjw", "bare"), WordRecord("as", "পানী"))),
        IdeaRecord("sample", "bare too", None, (WordRecord("mjw", "bare too"), WordRecord("en", "naked"))),
        IdeaRecord("sample", "particle", "Particle", (WordRecord("mjw", "le"), WordRecord("en", "already"))),
        IdeaRecord("sample", "other", "Other", (WordRecord("mjw", "lo"), WordRecord("en", "oh"))),
        IdeaRecord("sample", "clitic", "Clitic", (WordRecord("mjw", "la"), WordRecord("en", "this"))),
    )
    placed = (LocatedRecord("more", line, record) for line, record in enumerate(records, 1))
    assert not import_records(database, placed, now=NOW).errors


@pytest.fixture(scope="module")
def api(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    """Ask the application over the sample and more, on each engine."""
    home = tmp_path_factory.mktemp("home")
    with open_database(databases, with_more_parts_of_speech) as database, open_application(database, home) as ask:
        yield ask


def words(api: Ask, **parameters: object) -> list[Answer]:
    listed: list[Answer] = api(ALPHABET, {"lim": 1000, **parameters}).json["data"]["words"]
    return listed


def word(api: Ask, spelled: str, **parameters: object) -> Answer:
    return next(one for one in words(api, start=spelled, **parameters) if one["word"] == spelled)


def only(record: Answer, keys: Answer) -> Answer:
    return {key: record.get(key) for key in keys}


def test_a_word_has_the_part_of_speech_of_its_first_meaning_and_each_meaning_its_own(api: Ask) -> None:
    water = word(api, "পানী")

    assert only(water, NOUN) == NOUN
    assert [only(meaning, NOUN) for meaning in water["meanings"]] == [NOUN, NONE]
    assert [meaning["text"] for meaning in water["meanings"]] == [
        "water – A clear liquid that falls as rain and that all life needs.",
        "bare",
    ]


def test_everything_else_is_as_at_other_addresses(api: Ask) -> None:
    coded = word(api, "পানী")
    plain = api(f"/api/words/{coded['id']}").json

    of_both = plain.keys() - {"pos", "meanings"}
    assert coded.keys() - of_both == {*NOUN, "meanings"}
    assert {key: coded[key] for key in of_both} == {key: plain[key] for key in of_both}
    for one, other in zip(coded["meanings"], plain["meanings"], strict=True):
        assert {key: one[key] for key in other if key != "pos"} == {key: other[key] for key in other if key != "pos"}
        assert (one["posID"], one["posDesc"]) == (
            (other["pos"]["id"], other["pos"]["value"]) if other["pos"] else (None, "Unassigned")
        )


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("0", ["bare", "bare too", "la", "le", "lo"]),
        ("", ["bare", "bare too", "la", "le", "lo"]),
        ("U", ["bare", "bare too"]),
        ("u", ["bare", "bare too"]),
        ("22", ["bare", "bare too"]),
        ("OTH", ["le", "lo"]),
        ("oth", ["le", "lo"]),
        ("21", ["lo"]),
        ("CLT", ["la"]),
        ("clt", ["la"]),
        ("N.com", []),
    ],
)
def test_words_are_chosen_by_the_id_or_the_code_of_a_part_of_speech(api: Ask, name: str, found: list[str]) -> None:
    listed = words(api, start="a", l="mjw", p=name)

    assert [one["word"] for one in listed] == found
    assert all(one["meanings"] for one in listed)


def test_only_meanings_of_the_part_of_speech_are_answered(api: Ask) -> None:
    assert [meaning["pos"] for meaning in word(api, "পানী", p="U")["meanings"]] == ["U"]
    assert only(word(api, "পানী", p="U"), NONE) == NONE
    assert [meaning["pos"] for meaning in word(api, "পানী", p="n.MAT")["meanings"]] == ["N.mat"]


def test_an_own_part_of_speech_has_the_code_that_it_was_given_or_that_of_others(api: Ask) -> None:
    assert only(word(api, "le", l="mjw"), NONE) == {"pos": "OTH", "posDesc": "Particle", "posID": 1001}
    assert only(word(api, "la", l="mjw"), NONE) == {"pos": "CLT", "posDesc": "Clitic", "posID": 1002}
    listed = {each["value"]: each for each in api("/api/get-list.php", {"type": "POS"}).json["data"]}
    assert listed["Particle"] == {"id": 1001, "value": "Particle", "code": "OTH", "major": None}


def test_following_next_reads_each_word_of_several_parts_of_speech_once(api: Ask) -> None:
    read: list[str] = []
    start: str | None = "a"
    while start is not None:
        data = api(ALPHABET, {"start": start, "l": "mjw", "p": "OTH", "lim": 1}).json["data"]
        read += [one["word"] for one in data["words"]]
        start = data["next"]

    assert read == ["le", "lo"]


@pytest.mark.parametrize("name", ["22", "Unassigned"])
def test_ideas_without_a_part_of_speech_are_listed_under_the_name_of_none(api: Ask, name: str) -> None:
    found = api("/api/ideas", {"pos": name, "language": "mjw"}).json

    assert (found["total"], [each["pos"] for each in found["data"]]) == (2, [None, None])


THREE = ["pos", "posDesc", "posID"]


@pytest.mark.parametrize(
    ("fields", "of_word", "of_meaning"),
    [
        ("pos", THREE, None),
        ("word,pos", ["word", *THREE], None),
        ("word,pos,posDesc,posID", ["word", *THREE], None),
        ("text", ["meanings"], ["text"]),
        ("word,text", ["word", "meanings"], ["text"]),
        ("pos,text", [*THREE, "meanings"], [*THREE, "text"]),
        ("pos,translations", [*THREE, "meanings"], [*THREE, "translations"]),
        ("idea_id,word", ["word", "meanings"], ["idea_id"]),
    ],
)
def test_fields_choose_the_keys(api: Ask, fields: str, of_word: list[str], of_meaning: list[str] | None) -> None:
    whole, part = word(api, "পানী"), words(api, start="পানী", end="পানী", fields=fields)[0]

    assert list(part) == of_word
    assert {key: value for key, value in part.items() if key != "meanings"} == {
        key: whole[key] for key in of_word if key != "meanings"
    }
    if of_meaning is not None:
        assert part["meanings"] == [{key: meaning[key] for key in of_meaning} for meaning in whole["meanings"]]
        assert list(part["meanings"][0]) == of_meaning


def test_meanings_alone_are_all_of_them(api: Ask) -> None:
    assert words(api, start="পানী", end="পানী", fields="word,meanings")[0]["meanings"] == word(api, "পানী")["meanings"]


@pytest.mark.parametrize("fields", ["posDesc", "posID", "word,posDesc", "posDesc,posID", "texts", "pos,glyph"])
def test_other_fields_are_a_400(api: Ask, fields: str) -> None:
    check_problem(api(ALPHABET, {"start": "ক", "fields": fields}), 400, "fields")


@pytest.mark.parametrize("path", ["/api/words", "/api/dic.php", "/api/search"])
@pytest.mark.parametrize("fields", ["text", "pos,posDesc"])
def test_what_only_this_list_has_is_a_400_elsewhere(api: Ask, path: str, fields: str) -> None:
    check_problem(api(path, {"w": "ক", "q": "ক", "fields": fields}), 400, "fields")


@pytest.mark.parametrize(
    ("langs", "text"),
    [
        ("as", "জল – জীৱৰ বাবে অতি প্ৰয়োজনীয় তৰল পদাৰ্থ।"),
        ("grt,bn,en", "জল, পানি"),
        ("2,1", "জল – জীৱৰ বাবে অতি প্ৰয়োজনীয় তৰল পদাৰ্থ।"),
        ("grt", "water, জল, পানি, pani, पानी"),
        ("0", "water – A clear liquid that falls as rain and that all life needs."),
    ],
)
def test_the_text_is_in_the_first_of_the_languages(api: Ask, langs: str, text: str) -> None:
    found = word(api, "পানী", langs=langs)["meanings"][0]

    if langs == "grt":
        assert found["text"].startswith("water, ")
        assert len(found["text"].split(", ")) == 5
        assert (found["translations"], found["definitions"]) == ([], [])
    else:
        assert found["text"] == text
    assert word(api, "পানী", langs=langs, fields="text,word")["meanings"][0]["text"] == found["text"]


# --- the whole starter dictionary -----------------------------------------------------------------------------------


def with_starter(database: Database) -> None:
    """Load the dictionary that comes with the program."""
    load_starter(database, now=NOW)


def all_words(api: Ask) -> Iterator[Answer]:
    for language in api("/api/languages").json["data"]:
        start: str | None = "_" if language["words"] else None
        while start is not None:
            query = {"start": start, "l": language["code"], "lim": 1000, "fields": "word,language_id,pos,text"}
            data = api(ALPHABET, query).json["data"]
            yield from data["words"]
            start = data["next"]


def test_every_word_of_the_starter_tells_its_part_of_speech_and_what_it_means(
    sqlite_databases: SqliteDatabases, tmp_path: Path
) -> None:
    with (
        open_database(sqlite_databases, with_starter) as database,
        open_application(database, tmp_path / "home") as api,
    ):
        counted = sum(each["words"] for each in api("/api/languages").json["data"])
        found = 0
        for one in all_words(api):
            found += 1
            for each in (one, *one["meanings"]):
                assert each["pos"]
                assert each["posDesc"]
            for meaning in one["meanings"]:
                assert meaning["text"].strip()
                assert exact_key(meaning["text"]) != exact_key(one["word"])

    assert found == counted > 10_000
