"""The answers of each address to requests about the sample, line by line of the contract."""

import re
from itertools import pairwise, product
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


def test_each_word_of_a_query_is_one_item(api: Ask, subtests: pytest.Subtests) -> None:
    queries: list[tuple[str, list[str]]] = [
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
    ]
    for query, expected in queries:
        with subtests.test(query):
            answer = api("/api/dic.php", {"w": query})

            assert answer.status == 200
            items = [f"{item['queryword']} {item['match']}" for item in answer.json["querywords"]]
            assert items == expected
            assert answer.json["dictapi"]["querywords"] == len(expected)
            assert answer.json["dictapi"]["matches"] == sum(not item.endswith("none") for item in expected)


def test_an_item_has_entries_unless_its_match_is_none(api: Ask) -> None:
    for query in ("পানী pani xobdo went qqqq elepjant", "A·chik ক্ষমা जल"):
        for item in api("/api/dic.php", {"w": query}).json["querywords"]:
            assert list(item) == ["queryword", "match", "entries", "suggestions", "analysis"]
            assert bool(item["entries"]) == (item["match"] != "none")
            assert len(item["suggestions"]) <= 5
            assert all(list(each) == ["word", "language_id", "id"] for each in item["suggestions"])


def test_near_spellings_and_words_of_other_scripts_are_suggested(api: Ask) -> None:
    miss, roman, other = api("/api/dic.php", {"w": "elepjant pani পানী"}).json["querywords"]

    assert "elephant" in texts_of(miss["suggestions"])
    assert texts_of(roman["entries"]) == ["pani"]
    assert texts_of(roman["suggestions"])[0] == "পানী"
    assert other["suggestions"] == []


def test_entries_are_words_of_the_requested_language(api: Ask) -> None:
    for text, code, language_ids in (("পানী", "2", {2}), ("জল", "bn", {22}), ("জল", "hi", {21})):
        item = api("/api/dic.php", {"w": text, "l": code}).json["querywords"][0]

        assert {word["language_id"] for word in item["entries"]} == language_ids, code


def test_a_query_may_have_twenty_words_and_no_more(api: Ask) -> None:
    for count, status in ((20, 200), (21, 400)):
        assert api("/api/dic.php", {"w": " ".join(f"w{number}" for number in range(count))}).status == status


# --- wordsalpha.php -----------------------------------------------------------------------------------------------


def list_words(api: Ask, **parameters: object) -> list[str]:
    """List words alphabetically."""
    answer = api("/api/wordsalpha.php", {"lim": 1000, **parameters}).json
    assert answer["success"] is True
    assert answer["data"]["count"] == len(answer["data"]["words"])
    return texts_of(answer["data"]["words"])


def test_a_list_follows_the_order_of_its_language(api: Ask) -> None:
    for language, start in (("as", "অ"), ("en", "a"), ("bn", "অ"), ("hi", "अ"), ("nag", "a"), ("grt", "a")):
        words = list_words(api, start=start, l=language)

        assert words, language
        assert words == sorted(words, key=lambda word: (sort_key(word, language), word))


def test_the_next_of_each_page_leads_through_the_whole_list(api: Ask) -> None:
    for most in (1, 3, 7):
        read: list[str] = []
        start: str | None = "অ"
        while start is not None:
            data = api("/api/wordsalpha.php", {"start": start, "l": 2, "lim": most}).json["data"]
            read += texts_of(data["words"])
            start = data["next"]
        assert read == list_words(api, start="অ", l=2)


def test_a_range_begins_and_ends_with_its_letters(api: Ask, subtests: pytest.Subtests) -> None:
    ranges: list[tuple[dict[str, object], str, str]] = [
        ({"start": "ক", "end": "ক"}, "ক’লা", "কালি"),
        ({"start": "ক্ষ", "end": "ক্ষ"}, "ক্ষমা", "ক্ষমা"),
        ({"start": "হ"}, "হঠাৎ", "ক্ষমা"),
        ({"start": "পা", "end": "পা"}, "পাখি", "পানী"),
        ({"start": "পানী", "end": "পানী"}, "পানী", "পানী"),
        ({"start": "wat", "end": "wh"}, "water", "white"),
        ({"start": "क्ष", "end": "क्ष"}, "क्षमा", "क्षमा"),
    ]
    for parameters, first, last in ranges:
        with subtests.test(parameters=parameters):
            words = list_words(api, **parameters)

            assert (words[0], words[-1]) == (first, last)


def test_the_script_of_the_start_chooses_the_language(api: Ask) -> None:
    for start, language in (("ক", 2), ("a", 1), ("क", 21), ("か", 2), ("1", 2), ("!", 2)):
        assert api("/api/wordsalpha.php", {"start": start}).json["data"]["language_id"] == language, start


def test_with_a_part_of_speech_only_its_meanings_are_listed(api: Ask) -> None:
    words = api("/api/wordsalpha.php", {"start": "ক", "p": 9, "lim": 2}).json["data"]["words"]

    assert texts_of(words) == ["ক’লা", "কলা"]
    assert [[meaning["posID"] for meaning in word["meanings"]] for word in words] == [[9], [9]]
    assert {word["posID"] for word in words} == {9}


def test_an_invalid_range_or_part_of_speech_is_rejected_with_400(api: Ask, subtests: pytest.Subtests) -> None:
    invalid: list[tuple[dict[str, object], str]] = [
        ({"start": "খ", "end": "ক"}, "end"),
        ({"start": "b", "end": "a"}, "end"),
        ({"start": "ক", "p": -1}, "p"),
        ({"start": "ক", "p": 999}, "p"),
        ({"start": "ক", "p": "Noun"}, "p"),
        ({"end": "ক"}, "start"),
    ]
    for parameters, name in invalid:
        with subtests.test(parameters=parameters):
            check_problem(api("/api/wordsalpha.php", parameters), 400, name)


# --- the other .php addresses -------------------------------------------------------------------------------------


def test_the_newest_words_come_first(api: Ask) -> None:
    words = api("/api/words_recent.php", "limit=1000").json
    times = [word["added"] for word in words]

    assert all(re.fullmatch(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ", time) for time in times)
    assert times == sorted(times, reverse=True)
    assert len(api("/api/words_recent.php").json) == 100
    assert {word["language_id"] for word in api("/api/words_recent.php", "l=hi").json} == {21}


SIMILAR_ITEM: Final = [
    *("id", "phrase", "roman", "roman_generated", "language_id", "meaning", "meanings"),
    *("category", "similarity", "exact", "licence", "audio"),
]


def test_a_proverb_is_found_by_a_similar_text(api: Ask, subtests: pytest.Subtests) -> None:
    for text, proverb, exact in (
        ("নগৈ গড়গাঁৱৰ বতৰা কয়", "নগৈ গড়গাঁৱৰ বতৰা কয়", True),
        ("নগই গড়গাওঁৰ বতৰা কয়", "নগৈ গড়গাঁৱৰ বতৰা কয়", False),
        ("nogoi gorgawor botora koy", "নগৈ গড়গাঁৱৰ বতৰা কয়", False),
        ("  এটা   নিগনিৰ সাতখন পাম ", "এটা নিগনিৰ সাতখন পাম", True),
    ):
        with subtests.test(text):
            answer = api("/api/check-fj.php", {"fj": text}).json
            first = answer["similar_items"][0]

            assert list(answer) == ["success", "phrase", "found", "count", "similar_items"]
            assert (answer["success"], answer["found"], answer["count"]) == (True, True, len(answer["similar_items"]))
            assert (first["phrase"], first["exact"]) == (proverb, exact)
            assert list(first) == SIMILAR_ITEM
            degrees = [item["similarity"] for item in answer["similar_items"]]
            assert degrees == sorted(degrees, reverse=True)
            assert all(0 <= degree <= 1 for degree in degrees)


def test_a_text_like_no_proverb_finds_none(api: Ask) -> None:
    answer = api("/api/check-fj.php", {"fj": "qqq zzz"}).json

    assert (answer["success"], answer["found"], answer["count"], answer["similar_items"]) == (True, False, 0, [])


def test_text_is_written_in_the_other_script(api: Ask, subtests: pytest.Subtests) -> None:
    cases: list[tuple[dict[str, object], str | None, str | None]] = [
        ({"pa": "শব্দ"}, "xob.do", "assamese-to-roman"),
        ({"pa": "শব্দ", "scheme": "plain"}, "xobdo", "assamese-to-roman"),
        ({"pa": "১২৩।"}, "123.", "assamese-to-roman"),
        ({"pa": "Guwahati অসমৰ এখন ডাঙৰ নগৰ", "to": "roman", "scheme": "plain"}, None, "assamese-to-roman"),
        ({"pa": "xobdo"}, "শব্দ", "roman-to-assamese"),
        ({"pa": "xobdo 12. পানী!"}, "শব্দ 12. পানী!", "roman-to-assamese"),
        ({"pa": "পানী", "to": "assamese"}, "পানী", "roman-to-assamese"),
        ({"pa": "pani", "to": "roman"}, "pani", "assamese-to-roman"),
        ({"pa": "!"}, "!", None),
    ]
    for parameters, output, direction in cases:
        with subtests.test(parameters=parameters):
            answer = api("/api/tlipi.php", parameters).json

            assert list(answer) == ["success", "input", "output", "direction", "scheme", "alternatives"]
            assert answer["success"] is True
            assert answer["output"] == (output or answer["output"])
            assert answer["direction"] == (direction or answer["direction"])
            assert answer["scheme"] == parameters.get("scheme", "xobdo")


def test_each_roman_word_has_other_readings_than_the_chosen_one(api: Ask) -> None:
    answer = api("/api/tlipi.php", {"pa": "xobdo pani, xobdo"}).json

    assert [each["word"] for each in answer["alternatives"]] == ["xobdo", "pani"]
    chosen = answer["output"].replace(",", "").split()
    for each, reading in zip(answer["alternatives"], chosen, strict=False):
        assert 0 < len(each["candidates"]) <= 5
        assert reading not in each["candidates"]


def test_an_unknown_script_or_scheme_is_rejected_with_400(api: Ask) -> None:
    check_problem(api("/api/tlipi.php"), 400, "pa")
    check_problem(api("/api/tlipi.php", {"pa": "a", "to": "hindi"}), 400, "to")
    check_problem(api("/api/tlipi.php", {"pa": "a", "scheme": "x"}), 400, "scheme")


def test_the_cards_of_a_set_are_a_bare_array_and_set_1_is_the_default(api: Ask) -> None:
    sets = api("/api/wordgames.php").json
    cards = api("/api/wordgames_cards.php").json

    assert [list(each) for each in sets] == [
        ["id", "name", "language_id", "answer_language_id", "cards", "description", "names", "descriptions"]
    ] * 2
    assert cards == api("/api/wordgames_cards.php", "set=1").json
    keys = ["id", "clue", "clue_pRoman", "roman_generated", "answer", "idea_id", "picture"]
    assert [list(card) for card in cards] == [keys] * sets[0]["cards"]


def test_an_unknown_set_is_404_and_an_invalid_number_400(api: Ask) -> None:
    for number in ("3", "9" * 40):
        check_problem(api("/api/wordgames_cards.php", {"set": number}), 404)
    for number in ("0", "-1", "x"):
        check_problem(api("/api/wordgames_cards.php", {"set": number}), 400, "set")


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


def test_each_of_the_eight_lists_is_named_in_either_letter_case(api: Ask, subtests: pytest.Subtests) -> None:
    for name, keys in LISTS.items():
        with subtests.test(name):
            answer = api("/api/get-list.php", {"type": name})

            assert list(answer.json) == ["success", "type", "data", "count"]
            assert (answer.json["success"], answer.json["type"]) == (True, name)
            assert answer.json["count"] == len(answer.json["data"]) > 0
            assert {" ".join(each) for each in answer.json["data"]} == {keys}
            assert api("/api/get-list.php", {"type": f" {name.lower()} "}).body == answer.body


def test_another_list_is_rejected_with_400_and_the_names_of_the_eight(api: Ask) -> None:
    for query in ("", "type=", "type=VERB", "type=POS,GEN", "type=pos%27"):
        answer = api("/api/get-list.php", query)

        check_problem(answer, 400, "type")
        assert all(name in answer.json["detail"] for name in LISTS)


# --- the generic addresses ----------------------------------------------------------------------------------------


def test_pages_of_words_have_no_gap_and_no_repeat(api: Ask) -> None:
    total = api("/api/words", "limit=1").json["total"]
    address, seen = "/api/words?limit=30", []
    while address:
        parts = urlsplit(address)
        answer = api(parts.path, parts.query)
        seen += [word["id"] for word in answer.json["data"]]
        address = answer.json["next"]
        assert answer.headers.get("link") == (f'<{address}>; rel="next"' if address else None)
    assert len(seen) == len(set(seen)) == total


def test_words_are_searched_by_their_characters(api: Ask) -> None:
    assert "ক্ষমা" in texts_of(api("/api/words", {"search": "ক", "language": 2}).json["data"])
    assert texts_of(api("/api/words", {"search": "পানি", "limit": 5}).json["data"]) == ["পানি"]
    assert texts_of(api("/api/words", {"search": "wAT"}).json["data"]) == ["water"]


def test_the_greatest_offset_is_answered_and_others_are_rejected(api: Ask) -> None:
    for offset in ("-1", "100001", "x"):
        check_problem(api("/api/words", {"offset": offset}), 400, "offset")
    assert api("/api/words", "offset=100000").json["data"] == []
    assert "/api/wordsalpha.php" in api("/api/words", "offset=100001").json["detail"]


def test_languages_are_listed_with_the_number_of_their_words(api: Ask) -> None:
    answer = api("/api/languages").json
    by_code = {language["code"]: language for language in answer["data"]}

    assert answer["count"] == len(answer["data"])
    assert {" ".join(language) for language in answer["data"]} == {
        "id code iso639_3 name native_name script direction words"
    }
    assert [by_code[code]["id"] for code in ("en", "as", "hi", "bn")] == [1, 2, 21, 22]
    assert sum(language["words"] for language in answer["data"]) == api("/api/words", "limit=1").json["total"]
    for language in answer["data"]:
        assert api("/api/words", {"language": language["id"], "limit": 1}).json["total"] == language["words"]


def test_search_results_are_ordered_by_class_and_score(api: Ask, subtests: pytest.Subtests) -> None:
    order = ["exact", "loose", "inflected", "phonetic", "prefix", "fuzzy", "compound", "definition"]
    for query in ("পানী", "pani", "kola", "water", "wataer", "animal", "সূৰ্য্য", "চাহপানী"):
        with subtests.test(query):
            answer = api("/api/search", {"q": query, "limit": 100}).json
            classes = [order.index(word["match"]) for word in answer["data"]]

            assert list(answer) == ["query", "fuzzy", "data", "count"]
            assert (answer["query"], answer["fuzzy"], answer["count"]) == (query, True, len(answer["data"]))
            assert classes == sorted(classes)
            assert all(one["score"] >= other["score"] for one, other in pairwise(answer["data"]))
            assert len({word["id"] for word in answer["data"]}) == answer["count"]


def test_fuzzy_matches_can_be_excluded(api: Ask, subtests: pytest.Subtests) -> None:
    queries = ("pani", "xobdo", "wataer", "animal", "পা")
    for query, value in product(queries, ("false", "0")):
        with subtests.test(query, value=value):
            answer = api("/api/search", {"q": query, "fuzzy": value}).json

            assert answer["fuzzy"] is False
            assert {word["match"] for word in answer["data"]} <= {"exact", "loose", "prefix"}


def test_an_invalid_value_of_fuzzy_is_rejected_with_400(api: Ask) -> None:
    for value in ("yes", "2", "True ly", "null"):
        check_problem(api("/api/search", {"q": "a", "fuzzy": value}), 400, "fuzzy")


def test_words_that_begin_or_sound_like_the_text_are_suggested(api: Ask) -> None:
    for typed, word in (("পা", "পানী"), ("wat", "water"), ("xob", "শব্দ"), ("ক", "ক্ষমা")):
        assert word in api("/api/suggest", {"q": typed, "limit": 20}).json
        assert len(api("/api/suggest", {"q": typed, "limit": 1}).json) == 1


def test_the_openapi_document_states_no_maximum_of_a_limit(api: Ask) -> None:
    document = api("/api/openapi.json").json

    assert document["openapi"].startswith("3.1")
    for path, item in document["paths"].items():
        for parameter in item.get("get", {}).get("parameters", ()):
            assert parameter["name"] not in {"lim", "limit"} or "maximum" not in parameter["schema"], path


def test_caches_keep_no_answer_about_health(api: Ask) -> None:
    for path in ("/health/live", "/health/ready"):
        answer = api(path)

        assert (answer.status, answer.headers["cache-control"]) == (200, "no-store")
        assert api(path, method="HEAD").body == b""


def test_metrics_are_answered_only_on_this_machine(api: Ask) -> None:
    check_problem(api("/metrics"), 403)
    here = api("/metrics", client=("127.0.0.1", 1))
    assert here.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
