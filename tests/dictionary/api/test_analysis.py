from collections.abc import Callable

from tests.support.asgi import AsgiResponse

Ask = Callable[..., AsgiResponse]


def test_a_form_is_split_into_stem_and_endings_with_their_features(api: Ask) -> None:
    answer = api("/api/analyze", {"text": "পানীখিনিৰ"}).json

    (token,) = answer["tokens"]
    assert answer["language_id"] == 2
    assert (token["form"], token["start"], token["end"]) == ("পানীখিনিৰ", 0, 9)
    best = token["analyses"][0]
    assert best == {
        "lemma": "পানী",
        "word_id": best["word_id"],
        "pos": "NOUN",
        "features": {"Case": "Gen", "Definite": "Def"},
        "segments": [
            {"text": "পানী", "kind": "stem", "features": {}},
            {"text": "খিনি", "kind": "suffix", "features": {"Definite": "Def"}},
            {"text": "ৰ", "kind": "suffix", "features": {"Case": "Gen"}},
        ],
        "guess": False,
    }
    assert api(f"/api/words/{best['word_id']}").json["word"] == "পানী"


def test_an_unknown_stem_is_marked_as_a_guess_and_a_sign_as_punctuation(api: Ask) -> None:
    unknown, sign = api("/api/analyze", {"text": "ব্লিক্সিবোৰত।"}).json["tokens"]

    assert unknown["analyses"][0]["guess"]
    assert (unknown["analyses"][0]["lemma"], unknown["analyses"][0]["word_id"]) == ("ব্লিক্সি", None)
    assert (sign["start"], sign["end"], sign["analyses"][0]["pos"]) == (12, 13, "PUNCT")


def test_only_words_of_a_language_with_rules_have_analyses(api: Ask) -> None:
    for language, language_id in (("en", 1), ("as", 2), ("2", 2), ("0", 2), ("", 2)):
        answer = api("/api/analyze", {"text": "মানুহ", "language": language}).json

        assert answer["language_id"] == language_id, language
        assert bool(answer["tokens"][0]["analyses"]) == (language_id == 2)


def test_a_missing_or_long_text_and_an_unknown_language_are_rejected_with_400(api: Ask) -> None:
    invalid: tuple[dict[str, object], ...] = (
        {},
        {"text": ""},
        {"text": "ক" * 501},
        {"text": "ক", "language": "tlh"},
        {"text": "ক\x07"},
    )
    for parameters in invalid:
        assert api("/api/analyze", parameters).status == 400, parameters


def test_an_inflected_item_of_a_lookup_has_an_analysis_of_each_entry_in_order(api: Ask) -> None:
    inflected, exact = api("/api/dic.php", {"w": "পানীত পানী"}).json["querywords"][-2:]

    assert inflected["match"] == "inflected"
    assert [each["word_id"] for each in inflected["analysis"]["analyses"]] == [
        each["id"] for each in inflected["entries"]
    ]
    assert inflected["analysis"]["analyses"][0]["features"] == {"Case": "Loc"}
    assert exact["analysis"] is None
