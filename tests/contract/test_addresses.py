"""What each address answers, line by line of the contract, over the sample."""

import re
from itertools import pairwise
from typing import Any, Final
from urllib.parse import urlsplit

import pytest

from assamese.collation import sort_key
from tests.contract.test_rules import check_problem
from tests.support.application import Ask


def texts_of(words: list[dict[str, Any]]) -> list[str]:
    """List the spellings of words."""
    return [word["word"] for word in words]


# --- dic.php ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "items"),
    [
        ("পানী", ["পানী exact"]),
        ("গৰম পানী", ["গৰম পানী exact", "গৰম none", "পানী exact"]),
        ("HOT Water", ["HOT Water exact", "HOT none", "Water exact"]),
        ("ৰঙা পানী", ["ৰঙা exact", "পানী exact"]),
        ("পানী, পানী পানী।", ["পানী exact"]),
        ("«হাতী»! (মাছ)", ["হাতী exact", "মাছ exact"]),
        ("ক’লা", ["ক’লা exact"]),
        ("ক'লা", ["ক'লা exact"]),
        ("WATER Water", ["WATER exact"]),
        ("xobdo", ["xobdo phonetic"]),
        ("খাওঁ went", ["খাওঁ inflected", "went inflected"]),
        ("qqqqqq", ["qqqqqq none"]),
        ("চাহ-পানী", ["চাহ-পানী compound"]),
        ("ক্ষমাশীল", ["ক্ষমাশীল inflected"]),
        ("!?।", []),
    ],
)
def test_each_word_of_a_query_is_one_item(api: Ask, query: str, items: list[str]) -> None:
    answer = api("/api/dic.php", {"w": query})

    found = answer.json["querywords"]
    assert answer.status == 200
    assert [f"{item['queryword']} {item['match']}" for item in found] == items
    assert answer.json["dictapi"]["querywords"] == len(items)
    assert answer.json["dictapi"]["matches"] == sum(not item.endswith("none") for item in items)


def test_an_item_has_entries_exactly_when_something_was_found(api: Ask) -> None:
    for query in ("পানী pani xobdo went qqqq elepjant", "A·chik ক্ষমা जल"):
        for item in api("/api/dic.php", {"w": query}).json["querywords"]:
            assert list(item) == ["queryword", "match", "entries", "suggestions", "analysis"]
            assert bool(item["entries"]) == (item["match"] != "none")
            assert len(item["suggestions"]) <= 5
            assert all(list(each) == ["word", "language_id", "id"] for each in item["suggestions"])


def test_a_miss_offers_near_spellings_and_roman_letters_offer_other_scripts(api: Ask) -> None:
    miss, roman, other = api("/api/dic.php", {"w": "elepjant pani পানী"}).json["querywords"]

    assert "elephant" in texts_of(miss["suggestions"])
    assert texts_of(roman["entries"]) == ["pani"]
    assert texts_of(roman["suggestions"])[0] == "পানী"
    assert other["suggestions"] == []


@pytest.mark.parametrize(("language", "words"), [("2", ["জল", 0]), ("bn", ["জল", 1]), ("hi", ["জল", 0])])
def test_only_words_of_the_language_asked_for_are_found_exactly(api: Ask, language: str, words: list[Any]) -> None:
    item = api("/api/dic.php", {"w": words[0], "l": language}).json["querywords"][0]

    assert {word["language_id"] for word in item["entries"]} <= {{"2": 2, "bn": 22, "hi": 21}[language]}


@pytest.mark.parametrize(("count", "status"), [(20, 200), (21, 400)])
def test_twenty_words_are_looked_up_at_once(api: Ask, count: int, status: int) -> None:
    assert api("/api/dic.php", {"w": " ".join(f"w{number}" for number in range(count))}).status == status


# --- wordsalpha.php -----------------------------------------------------------------------------------------------


def alphabet(api: Ask, **parameters: object) -> list[str]:
    """List words alphabetically."""
    answer = api("/api/wordsalpha.php", {"lim": 1000, **parameters}).json
    assert answer["success"] is True
    assert answer["data"]["count"] == len(answer["data"]["words"])
    return texts_of(answer["data"]["words"])


@pytest.mark.parametrize(
    ("language", "start"), [("as", "অ"), ("en", "a"), ("bn", "অ"), ("hi", "अ"), ("nag", "a"), ("grt", "a")]
)
def test_lists_follow_the_order_of_the_language(api: Ask, language: str, start: str) -> None:
    words = alphabet(api, start=start, l=language)

    assert words
    assert words == sorted(words, key=lambda word: (sort_key(word, language), word))


def test_following_next_reads_the_list_without_a_gap_or_a_repeat(api: Ask) -> None:
    for most in (1, 3, 7):
        read: list[str] = []
        start: str | None = "অ"
        while start is not None:
            data = api("/api/wordsalpha.php", {"start": start, "l": 2, "lim": most}).json["data"]
            read += texts_of(data["words"])
            start = data["next"]
        assert read == alphabet(api, start="অ", l=2)


@pytest.mark.parametrize(
    ("parameters", "first", "last"),
    [
        ({"start": "ক", "end": "ক"}, "ক’লা", "কালি"),
        ({"start": "ক্ষ", "end": "ক্ষ"}, "ক্ষমা", "ক্ষমা"),
        ({"start": "হ"}, "হঠাৎ", "ক্ষমা"),
        ({"start": "পা", "end": "পা"}, "পাখি", "পানী"),
        ({"start": "পানী", "end": "পানী"}, "পানী", "পানী"),
        ({"start": "wat", "end": "wh"}, "water", "white"),
        ({"start": "क्ष", "end": "क्ष"}, "क्षमा", "क्षमा"),
    ],
)
def test_a_stretch_begins_and_ends_with_its_letters(
    api: Ask, parameters: dict[str, object], first: str, last: str
) -> None:
    words = alphabet(api, **parameters)

    assert (words[0], words[-1]) == (first, last)


@pytest.mark.parametrize(("start", "language"), [("ক", 2), ("a", 1), ("क", 21), ("か", 2), ("1", 2), ("!", 2)])
def test_the_script_of_the_start_chooses_the_language(api: Ask, start: str, language: int) -> None:
    assert api("/api/wordsalpha.php", {"start": start}).json["data"]["language_id"] == language


def test_with_a_part_of_speech_only_its_meanings_are_answered(api: Ask) -> None:
    words = api("/api/wordsalpha.php", {"start": "ক", "p": 9, "lim": 2}).json["data"]["words"]

    assert texts_of(words) == ["ক’লা", "কলা"]
    assert [[meaning["posID"] for meaning in word["meanings"]] for word in words] == [[9], [9]]
    assert {word["posID"] for word in words} == {9}


@pytest.mark.parametrize(
    ("parameters", "names"),
    [
        ({"start": "খ", "end": "ক"}, ["end"]),
        ({"start": "b", "end": "a"}, ["end"]),
        ({"start": "ক", "p": -1}, ["p"]),
        ({"start": "ক", "p": 999}, ["p"]),
        ({"start": "ক", "p": "Noun"}, ["p"]),
        ({"end": "ক"}, ["start"]),
    ],
)
def test_a_stretch_that_cannot_be_is_400(api: Ask, parameters: dict[str, object], names: list[str]) -> None:
    check_problem(api("/api/wordsalpha.php", parameters), 400, *names)


# --- the other .php addresses -------------------------------------------------------------------------------------


def test_the_newest_words_come_first(api: Ask) -> None:
    words = api("/api/words_recent.php", "limit=1000").json
    times = [word["added"] for word in words]

    assert all(re.fullmatch(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ", time) for time in times)
    assert times == sorted(times, reverse=True)
    assert len(api("/api/words_recent.php").json) == 100
    assert {word["language_id"] for word in api("/api/words_recent.php", "l=hi").json} == {21}


@pytest.mark.parametrize(
    ("phrase", "found", "exact"),
    [
        ("নগৈ গড়গাঁৱৰ বতৰা কয়", "নগৈ গড়গাঁৱৰ বতৰা কয়", True),
        ("নগই গড়গাওঁৰ বতৰা কয়", "নগৈ গড়গাঁৱৰ বতৰা কয়", False),
        ("nogoi gorgawor botora koy", "নগৈ গড়গাঁৱৰ বতৰা কয়", False),
        ("  এটা   নিগনিৰ সাতখন পাম ", "এটা নিগনিৰ সাতখন পাম", True),
    ],
)
def test_a_proverb_is_found_by_what_is_like_it(api: Ask, phrase: str, found: str, *, exact: bool) -> None:
    answer = api("/api/check-fj.php", {"fj": phrase}).json
    first = answer["similar_items"][0]

    assert list(answer) == ["success", "phrase", "found", "count", "similar_items"]
    assert (answer["success"], answer["found"], answer["count"]) == (True, True, len(answer["similar_items"]))
    assert (first["phrase"], first["exact"]) == (found, exact)
    assert list(first) == [
        "id",
        "phrase",
        "roman",
        "roman_generated",
        "language_id",
        "meaning",
        "meanings",
        "category",
        "similarity",
        "exact",
        "licence",
        "audio",
    ]
    degrees = [item["similarity"] for item in answer["similar_items"]]
    assert degrees == sorted(degrees, reverse=True)
    assert all(0 <= degree <= 1 for degree in degrees)


def test_a_phrase_like_no_other_is_answered_with_none(api: Ask) -> None:
    answer = api("/api/check-fj.php", {"fj": "qqq zzz"}).json

    assert (answer["success"], answer["found"], answer["count"], answer["similar_items"]) == (True, False, 0, [])


@pytest.mark.parametrize(
    ("parameters", "output", "direction"),
    [
        ({"pa": "শব্দ"}, "xob.do", "assamese-to-roman"),
        ({"pa": "শব্দ", "scheme": "plain"}, "xobdo", "assamese-to-roman"),
        ({"pa": "১২৩।"}, "123.", "assamese-to-roman"),
        ({"pa": "Guwahati অসমৰ এখন ডাঙৰ নগৰ", "to": "roman", "scheme": "plain"}, None, "assamese-to-roman"),
        ({"pa": "xobdo"}, "শব্দ", "roman-to-assamese"),
        ({"pa": "xobdo 12. পানী!"}, "শব্দ 12. পানী!", "roman-to-assamese"),
        ({"pa": "পানী", "to": "assamese"}, "পানী", "roman-to-assamese"),
        ({"pa": "pani", "to": "roman"}, "pani", "assamese-to-roman"),
        ({"pa": "!"}, "!", None),
    ],
)
def test_text_is_written_in_the_other_script(
    api: Ask, parameters: dict[str, object], output: str | None, direction: str | None
) -> None:
    answer = api("/api/tlipi.php", parameters).json

    assert list(answer) == ["success", "input", "output", "direction", "scheme", "alternatives"]
    assert answer["success"] is True
    assert answer["output"] == (output or answer["output"])
    assert answer["direction"] == (direction or answer["direction"])
    assert answer["scheme"] == parameters.get("scheme", "xobdo")


def test_other_readings_are_listed_for_each_roman_word_and_never_the_one_chosen(api: Ask) -> None:
    answer = api("/api/tlipi.php", {"pa": "xobdo pani, xobdo"}).json

    assert [each["word"] for each in answer["alternatives"]] == ["xobdo", "pani"]
    chosen = answer["output"].replace(",", "").split()
    for each, reading in zip(answer["alternatives"], chosen, strict=False):
        assert 0 < len(each["candidates"]) <= 5
        assert reading not in each["candidates"]


@pytest.mark.parametrize(
    ("parameters", "name"), [({}, "pa"), ({"pa": "a", "to": "hindi"}, "to"), ({"pa": "a", "scheme": "x"}, "scheme")]
)
def test_a_script_that_is_not_known_is_400(api: Ask, parameters: dict[str, object], name: str) -> None:
    check_problem(api("/api/tlipi.php", parameters), 400, name)


def test_cards_of_a_set_are_a_bare_array_and_set_1_is_meant_by_none(api: Ask) -> None:
    sets = api("/api/wordgames.php").json
    cards = api("/api/wordgames_cards.php").json

    assert [list(each) for each in sets] == [
        ["id", "name", "language_id", "answer_language_id", "cards", "description", "names", "descriptions"]
    ] * 2
    assert cards == api("/api/wordgames_cards.php", "set=1").json
    keys = ["id", "clue", "clue_pRoman", "roman_generated", "answer", "idea_id", "picture"]
    assert [list(card) for card in cards] == [keys] * sets[0]["cards"]


@pytest.mark.parametrize(("number", "status"), [("3", 404), ("9" * 40, 404), ("0", 400), ("-1", 400), ("x", 400)])
def test_a_set_that_is_not_there_is_404_and_no_number_400(api: Ask, number: str, status: int) -> None:
    check_problem(api("/api/wordgames_cards.php", {"set": number}), status, *["set"] * (status == 400))


LISTS: Final = {
    "LANG": "id value code native_name script direction",
    "CTX": "id value parent_id",
    "VRT": "id value code",
    "POS": "id value code major",
    "GEN": "id value",
    "RIC": "id value inverse_id",
    "HAC": "id value",
    "FJCAT": "id value",
}


@pytest.mark.parametrize(("name", "keys"), LISTS.items())
def test_each_of_the_eight_lists_is_answered_in_either_letter_case(api: Ask, name: str, keys: str) -> None:
    answer = api("/api/get-list.php", {"type": name})

    assert list(answer.json) == ["success", "type", "data", "count"]
    assert (answer.json["success"], answer.json["type"]) == (True, name)
    assert answer.json["count"] == len(answer.json["data"]) > 0
    assert {" ".join(each) for each in answer.json["data"]} == {keys}
    assert api("/api/get-list.php", {"type": f" {name.lower()} "}).body == answer.body


@pytest.mark.parametrize("query", ["", "type=", "type=VERB", "type=POS,GEN", "type=pos%27"])
def test_another_list_is_400_that_names_the_eight(api: Ask, query: str) -> None:
    answer = api("/api/get-list.php", query)

    check_problem(answer, 400, "type")
    assert all(name in answer.json["detail"] for name in LISTS)


# --- the generic addresses ----------------------------------------------------------------------------------------


def test_words_are_paged_without_a_gap_or_a_repeat(api: Ask) -> None:
    total = api("/api/words", "limit=1").json["total"]
    address, seen = "/api/words?limit=30", []
    while address:
        parts = urlsplit(address)
        answer = api(parts.path, parts.query)
        seen += [word["id"] for word in answer.json["data"]]
        address = answer.json["next"]
        assert answer.headers.get("link") == (f'<{address}>; rel="next"' if address else None)
    assert len(seen) == len(set(seen)) == total


def test_words_are_searched_by_characters_and_the_same_word_comes_first(api: Ask) -> None:
    assert "ক্ষমা" in texts_of(api("/api/words", {"search": "ক", "language": 2}).json["data"])
    found = texts_of(api("/api/words", {"search": "পানি", "limit": 5}).json["data"])
    assert found == ["পানি"]
    assert texts_of(api("/api/words", {"search": "wAT"}).json["data"]) == ["water"]


@pytest.mark.parametrize(
    ("query", "name"), [("offset=-1", "offset"), ("offset=100001", "offset"), ("offset=x", "offset")]
)
def test_an_offset_beyond_reach_is_400(api: Ask, query: str, name: str) -> None:
    check_problem(api("/api/words", query), 400, name)


def test_the_greatest_offset_is_answered_and_a_greater_points_to_the_alphabet(api: Ask) -> None:
    assert api("/api/words", "offset=100000").json["data"] == []
    assert "/api/wordsalpha.php" in api("/api/words", "offset=100001").json["detail"]


def test_languages_are_counted(api: Ask) -> None:
    answer = api("/api/languages").json
    by_code = {language["code"]: language for language in answer["data"]}

    assert answer["count"] == len(answer["data"])
    assert {" ".join(language) for language in answer["data"]} == {
        "id code iso639_3 name native_name script direction words"
    }
    assert [by_code[code]["id"] for code in ("en", "as", "hi", "bn")] == [1, 2, 21, 22]
    assert sum(language["words"] for language in answer["data"]) == api("/api/words", "limit=1").json["total"]


@pytest.mark.parametrize("query", ["পানী", "pani", "kola", "water", "wataer", "animal", "সূৰ্য্য", "চাহপানী"])
def test_search_answers_classes_in_their_order_and_scores_fall(api: Ask, query: str) -> None:
    answer = api("/api/search", {"q": query, "limit": 100}).json
    order = ["exact", "loose", "inflected", "phonetic", "prefix", "fuzzy", "compound", "definition"]
    classes = [order.index(word["match"]) for word in answer["data"]]

    assert list(answer) == ["query", "fuzzy", "data", "count"]
    assert (answer["query"], answer["fuzzy"], answer["count"]) == (query, True, len(answer["data"]))
    assert classes == sorted(classes)
    assert all(one["score"] >= other["score"] for one, other in pairwise(answer["data"]))
    assert len({word["id"] for word in answer["data"]}) == answer["count"]


@pytest.mark.parametrize("value", ["false", "0"])
def test_without_fuzzy_only_exact_loose_and_prefix_are_answered(api: Ask, value: str) -> None:
    for query in ("pani", "xobdo", "wataer", "animal", "পা"):
        answer = api("/api/search", {"q": query, "fuzzy": value}).json

        assert answer["fuzzy"] is False
        assert {word["match"] for word in answer["data"]} <= {"exact", "loose", "prefix"}


@pytest.mark.parametrize("value", ["yes", "2", "True ly", "null"])
def test_another_fuzzy_is_400(api: Ask, value: str) -> None:
    check_problem(api("/api/search", {"q": "a", "fuzzy": value}), 400, "fuzzy")


@pytest.mark.parametrize(("typed", "suggested"), [("পা", "পানী"), ("wat", "water"), ("xob", "শব্দ"), ("ক", "ক্ষমা")])
def test_suggestions_begin_so_or_sound_so(api: Ask, typed: str, suggested: str) -> None:
    assert suggested in api("/api/suggest", {"q": typed, "limit": 20}).json
    assert len(api("/api/suggest", {"q": typed, "limit": 1}).json) == 1


def test_no_limit_states_a_maximum_in_the_description(api: Ask) -> None:
    document = api("/api/openapi.json").json

    assert document["openapi"].startswith("3.1")
    for path, item in document["paths"].items():
        for parameter in item.get("get", {}).get("parameters", ()):
            assert parameter["name"] not in {"lim", "limit"} or "maximum" not in parameter["schema"], path


@pytest.mark.parametrize("path", ["/health/live", "/health/ready"])
def test_health_is_never_kept(api: Ask, path: str) -> None:
    answer = api(path)

    assert (answer.status, answer.headers["cache-control"]) == (200, "no-store")
    assert api(path, method="HEAD").body == b""


def test_metrics_are_for_this_machine(api: Ask) -> None:
    check_problem(api("/metrics"), 403)
    here = api("/metrics", client=("127.0.0.1", 1))
    assert here.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
