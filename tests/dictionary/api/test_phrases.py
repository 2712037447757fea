from collections.abc import Callable
from typing import Final

from assamese.normalization import split_words
from assamese.romanize import Scheme, romanize
from tests.support.asgi import AsgiResponse

Ask = Callable[..., AsgiResponse]

BITTER = "ভাতৰ তিতা খাবলৈ ভাল, মাতৰ তিতা খাবলৈ টান"
MOUSE = "এটা নিগনিৰ সাতখন পাম"
RIDDLE = "শুঁৰ আছে হাতী নহয়, মানুহ গৰু খায় বাঘ নহয়"


def list_phrases(api: Ask, **parameters: object) -> list[str]:
    return [each["phrase"] for each in api("/api/phrases", parameters).json["data"]]


PHRASES_OF_QUERIES: Final = {
    "হাতী": [RIDDLE],
    "hati": [RIDDLE],
    "हाती": [RIDDLE],
    "হাতি": [RIDDLE],
    "ভাত": [BITTER],
    "bhat": [BITTER],
    "भात": [BITTER],
    "nigoni": [MOUSE],
    "নিগনি pam": [MOUSE],
    "mosquito": [RIDDLE],
    "Bitter WORDS!": [BITTER],
    "ভাত bitter": [BITTER],
    "ভাত mosquito": [],
    "qqqq": [],
    "!?": [],
}


def test_phrases_are_found_by_their_words_in_any_script_and_by_words_of_their_meaning(api: Ask) -> None:
    assert {query: list_phrases(api, q=query) for query in PHRASES_OF_QUERIES} == PHRASES_OF_QUERIES


def test_every_phrase_is_found_by_each_word_of_its_text_and_its_meaning(api: Ask) -> None:
    for phrase in api("/api/phrases", {"limit": 1000}).json["data"]:
        for text in (phrase["phrase"], phrase["meaning"]):
            for word in split_words(text):
                assert phrase["phrase"] in list_phrases(api, q=word), word
            assert phrase["phrase"] in list_phrases(api, q=text)
        for word in split_words(phrase["phrase"]):
            roman = romanize(word, Scheme.PLAIN)
            assert phrase["phrase"] in list_phrases(api, q=roman), (word, roman)


def test_phrases_are_paged_in_alphabetical_order(api: Ask) -> None:
    answer = api("/api/phrases", {"limit": 4})
    everything = list_phrases(api)

    assert answer.headers["link"] == f'<{answer.json["next"]}>; rel="next"'
    assert answer.json["total"] == len(everything) == 10
    assert [text for offset in (0, 4, 8) for text in list_phrases(api, limit=4, offset=offset)] == everything


def test_phrases_are_chosen_by_language_and_category(api: Ask) -> None:
    assert len(list_phrases(api, language="as")) == 10
    assert list_phrases(api, language="hi") == []
    assert list_phrases(api, category="xathor (সাঁথৰ)") == list_phrases(api, category=9) == [RIDDLE]
    assert list_phrases(api, category=9, q="bitter") == []
    assert api("/api/phrases", {"category": "Nothing"}).json["errors"][0]["parameter"] == "category"


def test_a_phrase_has_the_ideas_of_its_words(api: Ask) -> None:
    phrase = next(each for each in api("/api/phrases", {"q": "ভাত"}).json["data"])
    words = {word["text"]: word["entries"] for word in phrase["words"]}

    assert list(words) == ["ভাতৰ", "তিতা", "খাবলৈ", "ভাল", "মাতৰ", "টান"]
    assert [entry["word"] for entry in words["ভাতৰ"]] == ["ভাত"]
    idea = api(f"/api/ideas/{words['ভাতৰ'][0]['idea_ids'][0]}").json
    assert "ভাত" in [word["word"] for word in idea["words"]]
    assert words["তিতা"] == []
    assert api(f"/api/phrases/{phrase['id']}").json == phrase


def test_a_phrase_has_the_same_keys_as_in_check_fj(api: Ask) -> None:
    similar = api("/api/check-fj.php", {"fj": MOUSE}).json["similar_items"][0]
    phrase = api(f"/api/phrases/{similar['id']}").json

    assert {name: value for name, value in phrase.items() if name != "words"} == {
        name: value for name, value in similar.items() if name not in {"similarity", "exact"}
    }


def test_a_query_of_more_than_twenty_words_is_rejected_with_400(api: Ask) -> None:
    answer = api("/api/phrases", {"q": " ".join(f"w{number}" for number in range(21))})

    assert (answer.status, answer.json["errors"][0]["parameter"]) == (400, "q")
    assert list_phrases(api, q=" ".join(f"w{number}" for number in range(20))) == []
