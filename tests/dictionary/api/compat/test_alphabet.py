"""wordsalpha.php in the shape that XOBDO's programs read: codes of parts of speech, and a text for each meaning."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

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


def load_more_parts_of_speech(database: Database) -> None:
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
    with open_database(databases, load_more_parts_of_speech) as database, open_application(database, home) as ask:
        yield ask


def list_words(api: Ask, **parameters: object) -> list[Answer]:
    listed: list[Answer] = api(ALPHABET, {"lim": 1000, **parameters}).json["data"]["words"]
    return listed


def find_word(api: Ask, spelled: str, **parameters: object) -> Answer:
    return next(one for one in list_words(api, start=spelled, **parameters) if one["word"] == spelled)


def select_keys(record: Answer, keys: Answer) -> Answer:
    return {key: record.get(key) for key in keys}


def test_a_word_has_the_part_of_speech_of_its_first_meaning(api: Ask) -> None:
    water = find_word(api, "পানী")

    assert select_keys(water, NOUN) == NOUN
    assert [select_keys(meaning, NOUN) for meaning in water["meanings"]] == [NOUN, NONE]
    assert [meaning["text"] for meaning in water["meanings"]] == [
        "water – A clear liquid that falls as rain and that all life needs.",
        "bare",
    ]


def test_all_other_keys_are_the_same_as_in_api_words(api: Ask) -> None:
    coded = find_word(api, "পানী")
    plain = api(f"/api/words/{coded['id']}").json

    of_both = plain.keys() - {"pos", "meanings"}
    assert coded.keys() - of_both == {*NOUN, "meanings"}
    assert {key: coded[key] for key in of_both} == {key: plain[key] for key in of_both}
    for one, other in zip(coded["meanings"], plain["meanings"], strict=True):
        assert {key: one[key] for key in other if key != "pos"} == {key: other[key] for key in other if key != "pos"}
        assert (one["posID"], one["posDesc"]) == (
            (other["pos"]["id"], other["pos"]["value"]) if other["pos"] else (None, "Unassigned")
        )


WORDS_OF_PARTS_OF_SPEECH: Final = {
    "0": ["bare", "bare too", "la", "le", "lo"],
    "": ["bare", "bare too", "la", "le", "lo"],
    "U": ["bare", "bare too"],
    "u": ["bare", "bare too"],
    "22": ["bare", "bare too"],
    "OTH": ["le", "lo"],
    "oth": ["le", "lo"],
    "21": ["lo"],
    "CLT": ["la"],
    "clt": ["la"],
    "N.com": [],
}


def test_words_are_chosen_by_the_id_or_the_code_of_a_part_of_speech(api: Ask, subtests: pytest.Subtests) -> None:
    for name, expected in WORDS_OF_PARTS_OF_SPEECH.items():
        with subtests.test(name):
            listed = list_words(api, start="a", l="mjw", p=name)

            assert [one["word"] for one in listed] == expected
            assert all(one["meanings"] for one in listed)


def test_only_meanings_of_the_requested_part_of_speech_are_returned(api: Ask) -> None:
    assert [meaning["pos"] for meaning in find_word(api, "পানী", p="U")["meanings"]] == ["U"]
    assert select_keys(find_word(api, "পানী", p="U"), NONE) == NONE
    assert [meaning["pos"] for meaning in find_word(api, "পানী", p="n.MAT")["meanings"]] == ["N.mat"]


def test_a_new_part_of_speech_has_its_own_code_or_that_of_others(api: Ask) -> None:
    assert select_keys(find_word(api, "le", l="mjw"), NONE) == {"pos": "OTH", "posDesc": "Particle", "posID": 1001}
    assert select_keys(find_word(api, "la", l="mjw"), NONE) == {"pos": "CLT", "posDesc": "Clitic", "posID": 1002}
    listed = {each["value"]: each for each in api("/api/get-list.php", {"type": "POS"}).json["data"]}
    assert listed["Particle"] == {"id": 1001, "value": "Particle", "code": "OTH", "major": None}


def test_following_next_returns_each_word_of_several_parts_of_speech_once(api: Ask) -> None:
    read: list[str] = []
    start: str | None = "a"
    while start is not None:
        data = api(ALPHABET, {"start": start, "l": "mjw", "p": "OTH", "lim": 1}).json["data"]
        read += [one["word"] for one in data["words"]]
        start = data["next"]

    assert read == ["le", "lo"]


def test_ideas_without_a_part_of_speech_are_found_as_unassigned(api: Ask) -> None:
    for name in ("22", "Unassigned"):
        answer = api("/api/ideas", {"pos": name, "language": "mjw"}).json

        assert (answer["total"], [each["pos"] for each in answer["data"]]) == (2, [None, None])


THREE = ["pos", "posDesc", "posID"]


KEYS_OF_FIELDS: Final[tuple[tuple[str, list[str], list[str] | None], ...]] = (
    ("pos", THREE, None),
    ("word,pos", ["word", *THREE], None),
    ("word,pos,posDesc,posID", ["word", *THREE], None),
    ("text", ["meanings"], ["text"]),
    ("word,text", ["word", "meanings"], ["text"]),
    ("pos,text", [*THREE, "meanings"], [*THREE, "text"]),
    ("pos,translations", [*THREE, "meanings"], [*THREE, "translations"]),
    ("idea_id,word", ["word", "meanings"], ["idea_id"]),
)


def test_fields_choose_the_keys_of_words_and_of_meanings(api: Ask, subtests: pytest.Subtests) -> None:
    for fields, of_word, of_meaning in KEYS_OF_FIELDS:
        with subtests.test(fields=fields):
            whole, part = find_word(api, "পানী"), list_words(api, start="পানী", end="পানী", fields=fields)[0]

            assert list(part) == of_word
            assert {key: value for key, value in part.items() if key != "meanings"} == {
                key: whole[key] for key in of_word if key != "meanings"
            }
            if of_meaning is not None:
                assert part["meanings"] == [{key: meaning[key] for key in of_meaning} for meaning in whole["meanings"]]
                assert list(part["meanings"][0]) == of_meaning


def test_the_field_meanings_selects_whole_meanings(api: Ask) -> None:
    assert (
        list_words(api, start="পানী", end="পানী", fields="word,meanings")[0]["meanings"]
        == find_word(api, "পানী")["meanings"]
    )


def test_unknown_fields_are_rejected_with_400(api: Ask) -> None:
    for fields in ("posDesc", "posID", "word,posDesc", "posDesc,posID", "texts", "pos,glyph"):
        check_problem(api(ALPHABET, {"start": "ক", "fields": fields}), 400, "fields")


def test_fields_of_this_list_alone_are_rejected_with_400_at_other_addresses(api: Ask) -> None:
    for path in ("/api/words", "/api/dic.php", "/api/search"):
        for fields in ("text", "pos,posDesc"):
            check_problem(api(path, {"w": "ক", "q": "ক", "fields": fields}), 400, "fields")


def test_the_text_of_a_meaning_is_in_the_first_requested_language_that_has_one(
    api: Ask, subtests: pytest.Subtests
) -> None:
    for langs, text in (
        ("as", "জল – জীৱৰ বাবে অতি প্ৰয়োজনীয় তৰল পদাৰ্থ।"),
        ("grt,bn,en", "জল, পানি"),
        ("2,1", "জল – জীৱৰ বাবে অতি প্ৰয়োজনীয় তৰল পদাৰ্থ।"),
        ("0", "water – A clear liquid that falls as rain and that all life needs."),
    ):
        with subtests.test(langs=langs):
            assert find_word(api, "পানী", langs=langs)["meanings"][0]["text"] == text
            assert find_word(api, "পানী", langs=langs, fields="text,word")["meanings"][0]["text"] == text


def test_the_text_of_a_meaning_without_words_of_the_requested_languages_is_in_all_languages(api: Ask) -> None:
    meaning = find_word(api, "পানী", langs="grt")["meanings"][0]

    assert meaning["text"].startswith("water, ")
    assert len(meaning["text"].split(", ")) == 5
    assert (meaning["translations"], meaning["definitions"]) == ([], [])
    assert find_word(api, "পানী", langs="grt", fields="text,word")["meanings"][0]["text"] == meaning["text"]


# --- the whole starter dictionary -----------------------------------------------------------------------------------


def load_starter_dictionary(database: Database) -> None:
    """Load the dictionary that comes with the program."""
    load_starter(database, now=NOW)


def iter_words(api: Ask) -> Iterator[Answer]:
    for language in api("/api/languages").json["data"]:
        start: str | None = "_" if language["words"] else None
        while start is not None:
            query = {"start": start, "l": language["code"], "lim": 1000, "fields": "word,language_id,pos,text"}
            data = api(ALPHABET, query).json["data"]
            yield from data["words"]
            start = data["next"]


@pytest.mark.thorough
def test_every_word_of_the_starter_dictionary_has_a_part_of_speech_and_a_text(
    sqlite_databases: SqliteDatabases, tmp_path: Path
) -> None:
    with (
        open_database(sqlite_databases, load_starter_dictionary) as database,
        open_application(database, tmp_path / "home") as api,
    ):
        counted = sum(each["words"] for each in api("/api/languages").json["data"])
        read = 0
        for one in iter_words(api):
            read += 1
            for each in (one, *one["meanings"]):
                assert each["pos"]
                assert each["posDesc"]
            for meaning in one["meanings"]:
                assert meaning["text"].strip()
                assert exact_key(meaning["text"]) != exact_key(one["word"])

    assert read == counted > 10_000
