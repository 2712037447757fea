"""`fields=` and `langs=`: an answer is what all of it would be, less what is not asked for."""

from collections.abc import Iterator
from typing import Any, Final

import pytest

from abhidhan.dictionary.model.field_selection import IDEA_KEYS, MEANING_KEYS, WORD_KEYS
from abhidhan.dictionary.store.acceleration import idea_cache
from abhidhan.platform.database.database import Database
from tests.contract.test_rules import check_problem
from tests.support.application import Ask, open_application
from tests.support.databases import Databases, load_sample, open_database

CHOICES: Final = (
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
"""What is asked of words: each piece of what is kept of ideas, and none of them."""

# wordsalpha.php has a shape of its own: tests/dictionary/api/compat/test_alphabet.py.
OF_WORDS: Final[tuple[tuple[str, dict[str, object]], ...]] = (
    ("/api/dic.php", {"w": "পানী"}),
    ("/api/dic.php", {"w": "গৰম পানি xobdo, nothing went"}),
    ("/api/dic.php", {"w": "water", "l": "en"}),
    ("/api/words", {"limit": 300}),
    ("/api/words", {"ids": "12,3,40"}),
    ("/api/words/1", {}),
    ("/api/search", {"q": "hati", "limit": 30}),
)


def less(answer: Any, fields: str | None, langs: frozenset[int] | None) -> Any:  # noqa: ANN401 (JSON)
    """Leave out of a whole answer what was not asked for, by the words of the documentation."""
    if isinstance(answer, list):
        return [less(each, fields, langs) for each in answer]
    if not isinstance(answer, dict):
        return answer
    if "forms_url" in answer:
        return _less_of_word(answer, fields, langs)
    return {key: less(value, fields, langs) for key, value in answer.items()}


def _less_of_word(word: dict[str, Any], fields: str | None, langs: frozenset[int] | None) -> dict[str, Any]:
    named = set(fields.split(",")) if fields else {*WORD_KEYS, *MEANING_KEYS}
    of_meanings = named & {*MEANING_KEYS} if named & {*MEANING_KEYS} - {"pos"} else set()
    if "meanings" in named:
        of_meanings = of_meanings or {*MEANING_KEYS}
    if of_meanings:
        named.add("meanings")
    meanings = [
        {key: _in_languages(key, value, langs) for key, value in meaning.items() if key in of_meanings}
        for meaning in word["meanings"]
    ]
    return {
        key: meanings if key == "meanings" else value
        for key, value in word.items()
        if key in named or key not in WORD_KEYS
    }


def _in_languages(key: str, value: Any, langs: frozenset[int] | None) -> Any:  # noqa: ANN401 (JSON)
    if langs is None or key not in {"definitions", "translations", "words"}:
        return value
    return [each for each in value if each["language_id"] in langs]


def asked(fields: str | None, langs: str | None) -> dict[str, object]:
    return {name: value for name, value in (("fields", fields), ("langs", langs)) if value is not None}


def numbers(api: Ask, langs: str | None) -> frozenset[int] | None:
    """Find the IDs of languages."""
    of_code = {each["code"]: each["id"] for each in api("/api/languages").json["data"]}
    return None if langs is None else frozenset(of_code.get(name) or int(name) for name in langs.split(","))


@pytest.fixture(scope="module")
def every_api(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Ask, Database]]:
    """Ask the application over the sample, on each engine."""
    home = tmp_path_factory.mktemp("home")
    with open_database(databases, load_sample) as database, open_application(database, home) as ask:
        yield ask, database


@pytest.mark.parametrize("kept", [True, False], ids=["kept", "gathered"])
@pytest.mark.parametrize(("fields", "langs"), CHOICES)
def test_an_answer_is_what_all_of_it_would_be_less_what_is_not_asked_for(
    every_api: tuple[Ask, Database], fields: str | None, langs: str | None, *, kept: bool
) -> None:
    api, database = every_api
    if kept:
        with database.long_write() as connection:
            idea_cache.fill(connection)
    else:
        database.write_now(idea_cache.invalidate_all)
    for path, parameters in OF_WORDS:
        whole, part = api(path, dict(parameters)), api(path, parameters | asked(fields, langs))

        assert (whole.status, part.status) == (200, 200)
        expected = less(whole.json, fields, numbers(api, langs))
        if path == "/api/words" and expected["next"]:
            expected["next"] = part.json["next"]
        assert part.json == expected
        assert len(part.body) <= len(whole.body)


@pytest.mark.parametrize("langs", [None, "bn", "2,en", "grt"])
@pytest.mark.parametrize("fields", [None, "words", "id,glyph,source", "definitions,pos", "examples,photos,relations"])
def test_an_idea_takes_its_own_keys(every_api: tuple[Ask, Database], fields: str | None, langs: str | None) -> None:
    api, _ = every_api
    for number in (1, 5, 9, 14):
        whole, part = api(f"/api/ideas/{number}").json, api(f"/api/ideas/{number}", asked(fields, langs)).json
        named = fields.split(",") if fields else IDEA_KEYS

        assert part == {
            key: _in_languages(key, value, numbers(api, langs)) for key, value in whole.items() if key in named
        }


@pytest.mark.parametrize("langs", [None, "bn", "2,en", "grt"])
@pytest.mark.parametrize("fields", [None, "id", "words,definitions", "photos,glyph,source"])
def test_a_list_of_ideas_holds_of_each_what_is_asked_of_one(
    every_api: tuple[Ask, Database], fields: str | None, langs: str | None
) -> None:
    api, _ = every_api
    listed = [each["id"] for each in api("/api/ideas", {"context": "Water", "limit": 5}).json["data"]]
    some = api("/api/ideas", {"context": "Water", "limit": 5} | asked(fields, langs)).json["data"]

    assert len(some) == len(listed) > 1
    assert some == [api(f"/api/ideas/{number}", asked(fields, langs)).json for number in listed]


def test_each_key_can_be_asked_for_by_itself(api: Ask) -> None:
    for key in WORD_KEYS:
        assert list(api("/api/words/1", {"fields": key}).json) == [key]
    for key in {*MEANING_KEYS} - {"pos"}:
        word = api("/api/words/1", {"fields": key}).json
        assert list(word) == ["meanings"]
        assert {tuple(meaning) for meaning in word["meanings"]} == {(key,)}
    for key in IDEA_KEYS:
        assert list(api("/api/ideas/1", {"fields": key}).json) == [key]


def test_languages_do_not_choose_headwords(api: Ask) -> None:
    found = api("/api/dic.php", {"w": "পানী", "langs": "en", "fields": "word,language_id"}).json["querywords"][0]

    assert found["entries"] == [{"word": "পানী", "language_id": 2}]


@pytest.mark.parametrize("blank", ["fields=&langs=", "fields=+&langs=%20", "langs=0", "langs=as,0"])
def test_what_is_blank_or_every_language_leaves_nothing_out(api: Ask, blank: str) -> None:
    assert api("/api/dic.php", f"w=water&{blank}").body == api("/api/dic.php", "w=water").body


def test_spaces_between_names_do_not_matter(api: Ask) -> None:
    one, other = (
        api("/api/words/1", query).body for query in ("fields=id,word&langs=as,en", "fields=id,+word&langs=+as+,+en")
    )

    assert one == other


ADDRESSES: Final = [(path, parameters) for path, parameters in OF_WORDS if "ids" not in parameters]


@pytest.mark.parametrize(("path", "parameters"), [*ADDRESSES, ("/api/ideas", {}), ("/api/ideas/1", {})])
def test_an_unknown_name_is_told_with_the_right_ones(api: Ask, path: str, parameters: dict[str, object]) -> None:
    for wrong in ("wrong", "id,wrong", "id,", ",", "Word", "id word", "x" * 400):
        answer = api(path, parameters | {"fields": wrong})
        check_problem(answer, 400, "fields")
        known = IDEA_KEYS if path.startswith("/api/ideas") else (*WORD_KEYS, *MEANING_KEYS)
        assert all(key in answer.json["detail"] for key in known)
    check_problem(api(path, parameters | {"fields": "id," * 200}), 400, "fields")
    for wrong in ("klingon", "as,klingon", "as,", "9999", "-1", "as;en"):
        answer = api(path, parameters | {"langs": wrong})
        check_problem(answer, 400, "langs")
        assert "/api/languages" in answer.json["detail"]
    check_problem(api(path, parameters | {"langs": "as," * 70}), 400, "langs")


def test_the_next_page_asks_for_the_same_keys(api: Ask) -> None:
    answer = api("/api/words", {"limit": 2, "fields": "id,word", "langs": "as"})

    assert answer.json["next"] == "/api/words?limit=2&offset=2&language=0&fields=id%2Cword&langs=as"
    assert answer.headers["link"] == f'<{answer.json["next"]}>; rel="next"'
    ideas = api("/api/ideas", {"limit": 2, "fields": "id,words", "langs": "as"})
    assert ideas.json["next"] == "/api/ideas?limit=2&offset=2&language=0&fields=id%2Cwords&langs=as"


def test_few_keys_of_many_words_are_a_small_answer(api: Ask) -> None:
    whole, few = (api("/api/words", {"limit": 50, **chosen}) for chosen in ({}, {"fields": "id,word,roman"}))

    assert len(few.body) * 8 < len(whole.body)


# --- words by their IDs ---------------------------------------------------------------------------------------------


def test_words_are_answered_by_their_ids_in_the_order_asked_for(api: Ask) -> None:
    answer = api("/api/words", {"ids": "7, 3,999999,7,99999999999999999999,1"}).json

    assert [word["id"] for word in answer["data"]] == [7, 3, 1]
    assert answer["data"] == [api(f"/api/words/{number}").json for number in (7, 3, 1)]
    assert answer | {"data": None} == {"data": None, "total": 3, "limit": 100, "offset": 0, "next": None}


def test_a_hundred_words_are_answered_at_once_and_no_more(api: Ask) -> None:
    hundred = ",".join(map(str, range(1, 101)))

    assert api("/api/words", {"ids": hundred}).json["total"] == 100
    check_problem(api("/api/words", {"ids": hundred + ",101"}), 400, "ids")


@pytest.mark.parametrize("ids", ["0", "01", "-1", "+1", "x", "1,,2", "1,", "1 2", "১", "1.0", "1;2", "²"])
def test_what_is_no_id_is_400(api: Ask, ids: str) -> None:
    check_problem(api("/api/words", {"ids": ids}), 400, "ids")


def test_no_ids_are_a_page_as_ever(api: Ask) -> None:
    assert api("/api/words", "ids=&limit=3").body == api("/api/words", "limit=3").body
