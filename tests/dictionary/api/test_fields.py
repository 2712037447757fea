"""`fields=` and `langs=`: an answer is the whole answer without the keys and languages that were not requested."""

from collections.abc import Iterator
from typing import Any, Final

import pytest

from abhidhan.dictionary.model.field_selection import IDEA_KEYS, MEANING_KEYS, WORD_KEYS
from abhidhan.dictionary.store.acceleration import idea_cache
from abhidhan.platform.database.database import Database
from tests.contract.test_rules import check_problem
from tests.support.application import Ask, open_application
from tests.support.databases import Databases, load_sample, open_database

FIELDS_AND_LANGS: Final = (
    ("word", None),
    ("id,word,roman", None),
    ("word,pos", None),
    ("meanings", None),
    ("word,translations", "en,hi"),
    ("translations", None),
    ("idea_id,definitions,reference,note,pos,gender", "as"),
    ("contexts,examples,relations,photos", None),
    ("examples,definitions", "1"),
    (None, "as"),
    (None, "grt"),
    (None, "as,21,en,brx"),
)
"""Selections for words: each part that the idea cache keeps, several, and none of them."""

# wordsalpha.php has a shape of its own: tests/dictionary/api/compat/test_alphabet.py.
WORD_REQUESTS: Final[tuple[tuple[str, dict[str, object]], ...]] = (
    ("/api/dic.php", {"w": "পানী"}),
    ("/api/dic.php", {"w": "গৰম পানি xobdo, nothing went"}),
    ("/api/dic.php", {"w": "water", "l": "en"}),
    ("/api/words", {"limit": 300}),
    ("/api/words", {"ids": "12,3,40"}),
    ("/api/words/1", {}),
    ("/api/search", {"q": "hati", "limit": 30}),
)


def leave_out(answer: Any, fields: str | None, langs: frozenset[int] | None) -> Any:  # noqa: ANN401 (JSON)
    """Leave out of a whole answer what was not requested, as the documentation says."""
    if isinstance(answer, list):
        return [leave_out(each, fields, langs) for each in answer]
    if not isinstance(answer, dict):
        return answer
    if "forms_url" in answer:
        return _leave_out_of_word(answer, fields, langs)
    return {key: leave_out(value, fields, langs) for key, value in answer.items()}


def _leave_out_of_word(word: dict[str, Any], fields: str | None, langs: frozenset[int] | None) -> dict[str, Any]:
    named = set(fields.split(",")) if fields else {*WORD_KEYS, *MEANING_KEYS}
    of_meanings = named & {*MEANING_KEYS} if named & {*MEANING_KEYS} - {"pos"} else set()
    if "meanings" in named:
        of_meanings = of_meanings or {*MEANING_KEYS}
    if of_meanings:
        named.add("meanings")
    meanings = [
        {key: _select_languages(key, value, langs) for key, value in meaning.items() if key in of_meanings}
        for meaning in word["meanings"]
    ]
    return {
        key: meanings if key == "meanings" else value
        for key, value in word.items()
        if key in named or key not in WORD_KEYS
    }


def _select_languages(key: str, value: Any, langs: frozenset[int] | None) -> Any:  # noqa: ANN401 (JSON)
    if langs is None or key not in {"definitions", "translations", "words"}:
        return value
    return [each for each in value if each["language_id"] in langs]


def build_parameters(fields: str | None, langs: str | None) -> dict[str, object]:
    return {name: value for name, value in (("fields", fields), ("langs", langs)) if value is not None}


def find_language_ids(api: Ask, langs: str | None) -> frozenset[int] | None:
    """Find the IDs of languages."""
    of_code = {each["code"]: each["id"] for each in api("/api/languages").json["data"]}
    return None if langs is None else frozenset(of_code.get(name) or int(name) for name in langs.split(","))


@pytest.fixture(scope="module")
def every_api(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Ask, Database]]:
    """Ask the application over the sample, on each engine."""
    home = tmp_path_factory.mktemp("home")
    with open_database(databases, load_sample) as database, open_application(database, home) as ask:
        yield ask, database


def test_fields_and_langs_leave_out_what_was_not_requested(
    every_api: tuple[Ask, Database], subtests: pytest.Subtests
) -> None:
    api, database = every_api
    for is_cached in (True, False):
        if is_cached:
            with database.long_write() as connection:
                idea_cache.fill(connection)
        else:
            database.write_now(idea_cache.invalidate_all)
        for path, parameters in WORD_REQUESTS:
            whole = api(path, dict(parameters))
            assert whole.status == 200
            for fields, langs in FIELDS_AND_LANGS:
                with subtests.test(is_cached=is_cached, path=path, fields=fields, langs=langs):
                    part = api(path, parameters | build_parameters(fields, langs))

                    assert part.status == 200
                    expected = leave_out(whole.json, fields, find_language_ids(api, langs))
                    if path == "/api/words" and expected["next"]:
                        expected["next"] = part.json["next"]
                    assert part.json == expected
                    assert len(part.body) <= len(whole.body)


IDEA_FIELDS_AND_LANGS: Final[tuple[tuple[str | None, str | None], ...]] = (
    (None, "bn"),
    (None, "2,en"),
    (None, "grt"),
    ("words", "bn"),
    ("words", None),
    ("id,glyph,source", "2,en"),
    ("definitions,pos", "grt"),
    ("definitions,pos", "2,en"),
    ("examples,photos,relations", "bn"),
)


def test_fields_and_langs_select_the_keys_of_an_idea(
    every_api: tuple[Ask, Database], subtests: pytest.Subtests
) -> None:
    api, _ = every_api
    for number in (1, 5, 9, 14):
        whole = api(f"/api/ideas/{number}").json
        for fields, langs in IDEA_FIELDS_AND_LANGS:
            with subtests.test(idea=number, fields=fields, langs=langs):
                part = api(f"/api/ideas/{number}", build_parameters(fields, langs)).json
                named = fields.split(",") if fields else IDEA_KEYS

                assert part == {
                    key: _select_languages(key, value, find_language_ids(api, langs))
                    for key, value in whole.items()
                    if key in named
                }


def test_fields_and_langs_select_the_same_keys_in_a_list_of_ideas_as_in_one_idea(
    every_api: tuple[Ask, Database], subtests: pytest.Subtests
) -> None:
    api, _ = every_api
    chosen = {"context": "Water", "limit": 5}
    listed = [each["id"] for each in api("/api/ideas", chosen).json["data"]]
    assert len(listed) > 1
    for fields, langs in (
        (None, None),
        (None, "bn"),
        ("id", "grt"),
        ("words,definitions", "2,en"),
        ("words,definitions", "grt"),
        ("photos,glyph,source", None),
    ):
        with subtests.test(fields=fields, langs=langs):
            some = api("/api/ideas", chosen | build_parameters(fields, langs)).json["data"]

            assert some == [api(f"/api/ideas/{number}", build_parameters(fields, langs)).json for number in listed]


def test_each_key_can_be_requested_alone(api: Ask) -> None:
    for key in WORD_KEYS:
        assert list(api("/api/words/1", {"fields": key}).json) == [key]
    for key in {*MEANING_KEYS} - {"pos"}:
        word = api("/api/words/1", {"fields": key}).json
        assert list(word) == ["meanings"]
        assert {tuple(meaning) for meaning in word["meanings"]} == {(key,)}
    for key in IDEA_KEYS:
        assert list(api("/api/ideas/1", {"fields": key}).json) == [key]


def test_langs_does_not_choose_headwords(api: Ask) -> None:
    found = api("/api/dic.php", {"w": "পানী", "langs": "en", "fields": "word,language_id"}).json["querywords"][0]

    assert found["entries"] == [{"word": "পানী", "language_id": 2}]


def test_blank_fields_and_the_language_0_leave_nothing_out(api: Ask) -> None:
    whole = api("/api/dic.php", "w=water").body
    for blank in ("fields=&langs=", "fields=+&langs=%20", "langs=0", "langs=as,0"):
        assert api("/api/dic.php", f"w=water&{blank}").body == whole, blank


def test_spaces_between_names_do_not_matter(api: Ask) -> None:
    one, other = (
        api("/api/words/1", query).body for query in ("fields=id,word&langs=as,en", "fields=id,+word&langs=+as+,+en")
    )

    assert one == other


ADDRESSES: Final[tuple[tuple[str, dict[str, object]], ...]] = (
    *((path, parameters) for path, parameters in WORD_REQUESTS if "ids" not in parameters),
    ("/api/ideas", {}),
    ("/api/ideas/1", {}),
)


def test_an_unknown_field_or_language_is_rejected_with_the_known_ones(api: Ask, subtests: pytest.Subtests) -> None:
    for path, parameters in ADDRESSES:
        known = IDEA_KEYS if path.startswith("/api/ideas") else (*WORD_KEYS, *MEANING_KEYS)
        with subtests.test(path=path, parameters=parameters):
            for wrong in ("wrong", "id,wrong", "id,", ",", "Word", "id word", "x" * 400):
                answer = api(path, parameters | {"fields": wrong})
                check_problem(answer, 400, "fields")
                assert all(key in answer.json["detail"] for key in known)
            check_problem(api(path, parameters | {"fields": "id," * 200}), 400, "fields")
            for wrong in ("klingon", "as,klingon", "as,", "9999", "-1", "as;en"):
                answer = api(path, parameters | {"langs": wrong})
                check_problem(answer, 400, "langs")
                assert "/api/languages" in answer.json["detail"]
            check_problem(api(path, parameters | {"langs": "as," * 70}), 400, "langs")


def test_the_address_of_the_next_page_has_the_same_fields_and_langs(api: Ask) -> None:
    answer = api("/api/words", {"limit": 2, "fields": "id,word", "langs": "as"})

    assert answer.json["next"] == "/api/words?limit=2&offset=2&language=0&fields=id%2Cword&langs=as"
    assert answer.headers["link"] == f'<{answer.json["next"]}>; rel="next"'
    ideas = api("/api/ideas", {"limit": 2, "fields": "id,words", "langs": "as"})
    assert ideas.json["next"] == "/api/ideas?limit=2&offset=2&language=0&fields=id%2Cwords&langs=as"


def test_an_answer_with_few_keys_is_small(api: Ask) -> None:
    whole, few = (api("/api/words", {"limit": 50, **chosen}) for chosen in ({}, {"fields": "id,word,roman"}))

    assert len(few.body) * 8 < len(whole.body)


# --- words by their IDs ---------------------------------------------------------------------------------------------


def test_words_are_returned_in_the_order_of_the_requested_ids(api: Ask) -> None:
    answer = api("/api/words", {"ids": "7, 3,999999,7,99999999999999999999,1"}).json

    assert [word["id"] for word in answer["data"]] == [7, 3, 1]
    assert answer["data"] == [api(f"/api/words/{number}").json for number in (7, 3, 1)]
    assert answer | {"data": None} == {"data": None, "total": 3, "limit": 100, "offset": 0, "next": None}


def test_at_most_a_hundred_ids_are_accepted(api: Ask) -> None:
    hundred = ",".join(map(str, range(1, 101)))

    assert api("/api/words", {"ids": hundred}).json["total"] == 100
    check_problem(api("/api/words", {"ids": hundred + ",101"}), 400, "ids")


def test_an_invalid_id_is_rejected_with_400(api: Ask) -> None:
    for ids in ("0", "01", "-1", "+1", "x", "1,,2", "1,", "1 2", "১", "1.0", "1;2", "²"):
        check_problem(api("/api/words", {"ids": ids}), 400, "ids")


def test_a_blank_list_of_ids_counts_as_left_out(api: Ask) -> None:
    assert api("/api/words", "ids=&limit=3").body == api("/api/words", "limit=3").body
