from collections.abc import Callable

import pytest

from assamese.normalization import split_words
from assamese.romanize import Scheme, romanize
from tests.support.asgi import AsgiResponse

Ask = Callable[..., AsgiResponse]

BITTER = "ভাতৰ তিতা খাবলৈ ভাল, মাতৰ তিতা খাবলৈ টান"
MOUSE = "এটা নিগনিৰ সাতখন পাম"
RIDDLE = "শুঁৰ আছে হাতী নহয়, মানুহ গৰু খায় বাঘ নহয়"


def found(api: Ask, **parameters: object) -> list[str]:
    return [each["phrase"] for each in api("/api/phrases", parameters).json["data"]]


@pytest.mark.parametrize(
    ("query", "phrases"),
    [
        ("হাতী", [RIDDLE]),
        ("hati", [RIDDLE]),
        ("हाती", [RIDDLE]),
        ("হাতি", [RIDDLE]),
        ("ভাত", [BITTER]),
        ("bhat", [BITTER]),
        ("भात", [BITTER]),
        ("nigoni", [MOUSE]),
        ("নিগনি pam", [MOUSE]),
        ("mosquito", [RIDDLE]),
        ("Bitter WORDS!", [BITTER]),
        ("ভাত bitter", [BITTER]),
        ("ভাত mosquito", []),
        ("qqqq", []),
        ("!?", []),
    ],
)
def test_phrases_are_found_by_their_words_in_any_script_and_by_those_of_their_meaning(
    api: Ask, query: str, phrases: list[str]
) -> None:
    assert found(api, q=query) == phrases


def test_every_phrase_is_found_by_each_of_its_words_and_of_those_of_its_meaning(api: Ask) -> None:
    for phrase in api("/api/phrases", {"limit": 1000}).json["data"]:
        for text in (phrase["phrase"], phrase["meaning"]):
            for word in split_words(text):
                assert phrase["phrase"] in found(api, q=word), word
            assert phrase["phrase"] in found(api, q=text)


def test_every_phrase_is_found_by_its_words_in_plain_roman_letters(api: Ask) -> None:
    for phrase in api("/api/phrases", {"limit": 1000}).json["data"]:
        for word in split_words(phrase["phrase"]):
            roman = romanize(word, Scheme.PLAIN)
            assert phrase["phrase"] in found(api, q=roman), (word, roman)


def test_phrases_are_paged_in_the_order_of_the_alphabet(api: Ask) -> None:
    answered = api("/api/phrases", {"limit": 4})
    everything = found(api)

    assert answered.headers["link"] == f'<{answered.json["next"]}>; rel="next"'
    assert answered.json["total"] == len(everything) == 10
    assert [text for offset in (0, 4, 8) for text in found(api, limit=4, offset=offset)] == everything


def test_phrases_are_chosen_by_language_and_category(api: Ask) -> None:
    assert len(found(api, language="as")) == 10
    assert found(api, language="hi") == []
    assert found(api, category="xathor (সাঁথৰ)") == found(api, category=9) == [RIDDLE]
    assert found(api, category=9, q="bitter") == []
    assert api("/api/phrases", {"category": "Nothing"}).json["errors"][0]["parameter"] == "category"


def test_a_phrase_leads_to_the_ideas_of_its_words(api: Ask) -> None:
    phrase = next(each for each in api("/api/phrases", {"q": "ভাত"}).json["data"])
    words = {word["text"]: word["entries"] for word in phrase["words"]}

    assert list(words) == ["ভাতৰ", "তিতা", "খাবলৈ", "ভাল", "মাতৰ", "টান"]
    assert [entry["word"] for entry in words["ভাতৰ"]] == ["ভাত"]
    idea = api(f"/api/ideas/{words['ভাতৰ'][0]['idea_ids'][0]}").json
    assert "ভাত" in [word["word"] for word in idea["words"]]
    assert words["তিতা"] == []
    assert api(f"/api/phrases/{phrase['id']}").json == phrase


def test_a_phrase_has_what_it_has_in_check_fj(api: Ask) -> None:
    similar = api("/api/check-fj.php", {"fj": MOUSE}).json["similar_items"][0]
    phrase = api(f"/api/phrases/{similar['id']}").json

    assert {name: value for name, value in phrase.items() if name != "words"} == {
        name: value for name, value in similar.items() if name not in {"similarity", "exact"}
    }


def test_an_unknown_phrase_is_404(api: Ask) -> None:
    assert api("/api/phrases/999999").status == 404


def test_too_many_words_are_400(api: Ask) -> None:
    answered = api("/api/phrases", {"q": " ".join(f"w{number}" for number in range(21))})

    assert (answered.status, answered.json["errors"][0]["parameter"]) == (400, "q")
    assert found(api, q=" ".join(f"w{number}" for number in range(20))) == []
