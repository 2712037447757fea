from collections.abc import Callable

from tests.support.asgi import AsgiResponse

Ask = Callable[..., AsgiResponse]


def test_dic_returns_one_item_for_each_word_with_metadata(api: Ask) -> None:
    answer = api("/api/dic.php", {"w": "ৰঙা পানী xobdo qqqqq"}).json

    assert answer["dictapi"] == {
        "version": "1",
        "query": "ৰঙা পানী xobdo qqqqq",
        "language_id": 0,
        "querywords": 4,
        "matches": 3,
        "licence": "Apache-2.0; CC0-1.0; Public domain; Unicode-3.0",
        "documentation": "/api/docs",
        "phrases": [],
    } | {"licence": answer["dictapi"]["licence"]}
    assert [(item["queryword"], item["match"]) for item in answer["querywords"]] == [
        ("ৰঙা", "exact"),
        ("পানী", "exact"),
        ("xobdo", "phonetic"),
        ("qqqqq", "none"),
    ]


def test_dic_returns_the_proverb_that_a_query_of_three_words_matches(api: Ask) -> None:
    (phrase,) = api("/api/dic.php", {"w": "নগই গড়গাওঁৰ বতৰা কয়"}).json["dictapi"]["phrases"]
    (similar,) = api("/api/check-fj.php", {"fj": "নগই গড়গাওঁৰ বতৰা কয়", "limit": 1}).json["similar_items"]

    assert phrase == similar
    assert phrase["similarity"] >= 0.8


def test_dic_returns_no_proverb_for_two_words_for_another_text_or_for_another_language(api: Ask) -> None:
    for query, language in (
        ("নগৈ গড়গাঁৱৰ", "0"),
        ("ৰঙা পানী মাছ", "0"),
        ("to be or not to be", "0"),
        ("নগই গড়গাওঁৰ বতৰা কয়", "bn"),
    ):
        assert api("/api/dic.php", {"w": query, "l": language}).json["dictapi"]["phrases"] == [], query


def test_dic_returns_only_proverbs_that_are_very_similar_to_the_query(api: Ask) -> None:
    near = api("/api/check-fj.php", {"fj": "নগৈ গড়গাঁৱৰ কথা", "limit": 5}).json["similar_items"]
    phrases = api("/api/dic.php", {"w": "নগৈ গড়গাঁৱৰ কথা"}).json["dictapi"]["phrases"]

    assert phrases == [each for each in near if each["similarity"] >= 0.8]


WATER_IN_BENGALI = {
    "word": "পানি",
    "language_id": 22,
    "language": "Bengali",
    "roman": None,
    "roman_generated": False,
    "ipa": None,
    "ipa_generated": False,
    "asm": None,
    "variant": None,
    "origin": None,
    "plural": None,
    "definitive": None,
    "countable": None,
    "frequency": None,
    "audio": [],
    "pos": {"id": 3, "value": "Material Noun"},
}


def test_dic_returns_the_estimated_frequency_of_an_assamese_word(api: Ask) -> None:
    parameters = {"w": "পানী water", "fields": "word,language_id,frequency"}
    assamese, english = (item["entries"][0] for item in api("/api/dic.php", parameters).json["querywords"])
    without = api("/api/dic.php", parameters | {"fields": "word"}).json["querywords"][0]["entries"][0]

    assert (assamese["frequency"], english["frequency"]) == (720.0, None)
    assert without == {"word": "পানী"}
    assert api("/api/dic.php", {"w": "পানী"}).json["querywords"][0]["entries"][0]["frequency"] == 720.0


def test_dic_returns_a_word_in_the_shape_of_the_contract(api: Ask) -> None:
    (item,) = api("/api/dic.php", {"w": "পানি", "l": "bn"}).json["querywords"]
    (word,) = item["entries"]
    (meaning,) = word.pop("meanings")

    assert word.pop("forms_url") == f"/api/words/{word['id']}/forms"
    assert {name: value for name, value in word.items() if name != "id"} == WATER_IN_BENGALI
    assert list(meaning) == [
        "idea_id",
        "sense_id",
        "pos",
        "gender",
        "contexts",
        "definitions",
        "translations",
        "examples",
        "relations",
        "photos",
        "reference",
        "note",
        "licence",
    ]
    assert meaning["gender"] == {"id": 4, "value": "Neuter"}
    assert meaning["examples"] == [{"language_id": 2, "text": "মই পানী খাওঁ।", "translation": "I drink water."}]
    assert meaning["translations"][0].keys() == {"id", "word", "language_id", "language", "roman", "variant"}


def test_a_word_never_found_is_200_not_404(api: Ask) -> None:
    answer = api("/api/dic.php", {"w": "qqqqq"})

    assert answer.status == 200
    assert answer.json["querywords"][0] == {
        "queryword": "qqqqq",
        "match": "none",
        "entries": [],
        "suggestions": [],
        "analysis": None,
    }


def test_a_language_is_named_by_id_or_code(api: Ask) -> None:
    for language in ("2", "as", "AS", "asm"):
        assert api("/api/dic.php", {"w": "কলা", "l": language}).json["dictapi"]["language_id"] == 2, language


def test_wordsalpha_pages_through_the_alphabet(api: Ask) -> None:
    first = api("/api/wordsalpha.php", {"start": "পা", "lim": 2}).json

    assert first["success"] is True
    assert {name: value for name, value in first["data"].items() if name != "words"} == {
        "language_id": 2,
        "count": 2,
        "next": "পানী",
    }
    second = api("/api/wordsalpha.php", {"start": first["data"]["next"], "lim": 2}).json
    assert [word["word"] for word in second["data"]["words"]] == ["পানী", "পিতা"]
    assert api("/api/wordsalpha.php", {"start": "ক্ষ"}).json["data"]["next"] is None


def test_language_0_counts_as_omitted_in_wordsalpha(api: Ask) -> None:
    assert api("/api/wordsalpha.php", {"start": "w", "l": 0}).json["data"]["language_id"] == 1


def test_words_recent_returns_a_bare_array_with_the_newest_word_first(api: Ask) -> None:
    words = api("/api/words_recent.php", {"limit": 3}).json

    assert [word["added"] for word in words] == ["2026-09-21T14:13:20Z"] * 3
    assert [word["id"] for word in words] == sorted((word["id"] for word in words), reverse=True)
