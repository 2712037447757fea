from typing import Final

import msgspec
import pytest

from abhidhan.dictionary.pages.words import parse_word_path
from abhidhan.records.errors import InputError
from tests.support.page_fixtures import (
    ALONE,
    HOSTILE,
    LONG_WORD,
    SYNONYMS,
    WORD_WITH_SLASH,
    WORD_WITH_STAR,
    Ask,
    OpenPage,
)


def test_a_word_is_shown_with_its_meanings_and_its_words_in_other_languages(page: OpenPage) -> None:
    shown = page("/dic/পানী")

    assert shown.title == "পানী: water · Abhidhan"
    assert shown.one("h1").text == "পানী"
    assert shown.one("h1").language == "as"
    assert "A clear liquid" in shown.description
    for text in ("pa.ni", "from Sanskrit পানীয়", "noun · Nature", "মই পানী খাওঁ।", "Reference: হেমকোষ"):
        assert text in shown.main
    for address in ("/dic/water", "/dic/জল", "/dic/पानी", "/context/Water"):
        assert shown.links_to(address)


def test_meanings_are_numbered_through_all_entries(page: OpenPage) -> None:
    shown = page("/dic/mon")

    numbers = [element.attributes["value"] for element in shown.all("li", **{"class": "sense"})]
    assert numbers == [str(number) for number in range(1, len(numbers) + 1)]


def test_the_page_of_a_word_shows_proverbs_with_the_word(page: OpenPage) -> None:
    shown = page("/dic/হাতী")

    assert "শুঁৰ আছে হাতী নহয়" in shown.main


def test_neighbours_in_the_alphabet_are_linked(page: OpenPage) -> None:
    shown = page("/dic/পানী")

    neighbours = shown.one("nav", **{"aria-label": "Nearby in the dictionary"})
    assert "পাখী" in neighbours.text
    assert shown.links_to("/dic/পাখী")


def test_roman_letters_find_assamese_words(page: OpenPage) -> None:
    shown = page("/dic/xobdo")

    assert shown.links_to("/dic/শব্দ")
    assert "No entry for xobdo. Closest by sound: শব্দ (Assamese)." in shown.main
    assert shown.one("meta", name="robots").attributes["content"] == "noindex, follow"
    assert shown.one("link", rel="canonical").attributes["href"].endswith("%E0%A6%B6%E0%A6%AC%E0%A7%8D%E0%A6%A6")


def test_an_inflected_form_is_described_and_marked_in_the_table_of_forms(page: OpenPage) -> None:
    shown = page("/dic/খাওঁ")

    assert "খাওঁ is a form of খোৱা: present, first person." in shown.main
    assert "খাওঁ" in [each.text for each in shown.all("mark")]


def test_a_compound_shows_its_parts_and_can_be_reported(page: OpenPage) -> None:
    shown = page("/dic/চাহ-পানী")

    assert "No entry for চাহ-পানী. It consists of চাহ + পানী." in shown.main
    assert shown.links_to("/dic/চাহ")
    assert shown.links_to("/dic/পানী")
    assert any("/account/submit/missing?word=" in link.attributes["href"] for link in shown.all("a"))
    assert shown.one("title").text.startswith("চাহ-পানী ·")
    assert shown.one("meta", name="description").attributes["content"] == "চাহ + পানী"
    assert shown.one("meta", name="robots").attributes["content"] == "noindex, follow"
    assert "%E0%A6%AA%E0%A6%BE" in shown.one("link", rel="canonical").attributes["href"]


def test_search_engines_may_index_headwords_alone(page: OpenPage) -> None:
    for text, is_indexed in (("Mangifera indica", True), ("mango", True), ("mango water", False)):
        assert (page(f"/dic/{text}").all("meta", name="robots") == []) is is_indexed, text


def test_each_word_of_a_phrase_is_shown(page: OpenPage) -> None:
    shown = page("/dic/ৰঙা পানী")

    assert shown.one("h1").text == "ৰঙা"
    assert [line.text for line in shown.all("span", **{"class": "answer ink"})] == ["পানী"]
    assert shown.links_to("/dic/পানী")


def test_an_unknown_word_has_suggestions_and_can_be_reported(page: OpenPage) -> None:
    shown = page("/dic/পানঈ", status=404)

    assert shown.links_to("/dic/পানী")
    assert any("/account/submit/missing?word=" in link.attributes["href"] for link in shown.all("a"))


def test_a_text_that_sounds_like_no_word_has_no_entry(page: OpenPage) -> None:
    for text in ("xyzzyq", "hwzzcc"):
        shown = page(f"/dic/{text}", status=404)

        assert shown.one("h1").text == f"No entry for {text}."
        assert shown.title == f"No entry for “{text}” · Abhidhan"


def test_a_word_with_28_synonyms_shows_them_all(page: OpenPage) -> None:
    shown = page(f"/dic/{SYNONYMS[0]}")

    assert all(shown.links_to(f"/dic/{word}") for word in SYNONYMS[1:])


def test_unusual_words_have_a_page(page: OpenPage) -> None:
    for word in (ALONE, LONG_WORD, WORD_WITH_SLASH, "W" * 200):
        assert page(f"/dic/{word}").one("h1").text == word


def test_a_word_with_marks_of_html_is_a_word(page: OpenPage) -> None:
    shown = page(f"/dic/{HOSTILE}")

    assert shown.one("h1").text == HOSTILE
    data = msgspec.json.decode(shown.one("script", type="application/ld+json").text)
    assert data["@graph"][0]["sense"][0]["schema:name"] == HOSTILE


def test_a_word_is_described_as_linked_data_in_the_page(page: OpenPage) -> None:
    data = msgspec.json.decode(page("/dic/পানী").one("script", type="application/ld+json").text)

    entry = data["@graph"][0]
    term = entry["sense"][0]
    assert entry["url"].startswith("https://dictionary.example/dic/%E0")
    assert "schema:DefinedTerm" in term["@type"]
    assert term["schema:inLanguage"] == "as"
    assert "liquid" in term["schema:description"]


def test_no_text_closes_the_element_of_linked_data(ask_page: Ask) -> None:
    body = ask_page(f"/dic/{HOSTILE}").body.decode()

    inside = body.partition('<script type="application/ld+json">')[2].partition("</script>")[0]
    assert msgspec.json.decode(inside)["@graph"][1]["definition"] == [{"@value": HOSTILE, "@language": "en"}]
    assert not set("<>&") & set(inside)


def test_a_page_is_answered_as_linked_data_on_request(ask_page: Ask, page: OpenPage) -> None:
    answer = ask_page("/dic/পানী", headers={"accept": "application/ld+json"})

    assert (answer.status, answer.headers["content-type"]) == (200, "application/ld+json")
    assert {"Accept", "Cookie"} <= set(ask_page("/dic/পানী").headers["vary"].split(", "))
    assert "Accept" in answer.headers["vary"].split(", ")
    assert answer.headers["etag"] != ask_page("/dic/পানী").headers["etag"]
    entry = answer.json["@graph"][0]
    assert entry["@id"].startswith("https://dictionary.example/api/words/")
    shown = msgspec.json.decode(page("/dic/পানী").one("script", type="application/ld+json").text)
    assert shown["@graph"][0] == entry


def test_the_page_holds_only_some_of_very_many_synonyms_as_linked_data(ask_page: Ask, page: OpenPage) -> None:
    address = f"/dic/{SYNONYMS[0]}"
    shown = msgspec.json.decode(page(address).one("script", type="application/ld+json").text)["@graph"]
    whole = ask_page(address, headers={"accept": "application/ld+json"}).json["@graph"]

    assert len(shown) < len(whole)
    assert len(whole) > len(SYNONYMS)


def test_an_unknown_word_has_no_linked_data(ask_page: Ask) -> None:
    answer = ask_page("/dic/qqqqqq", headers={"accept": "application/ld+json"})

    assert (answer.status, answer.headers["content-type"]) == (404, "text/html; charset=utf-8")


WORDS_OF_PATHS: Final = {
    b"/dic/a": "a",
    b"/dic/a/b/": "a/b/",
    b"/dic/%E0%A6%95": "ক",
    b"/dic/a%2Fb": "a/b",
    b"/dic/a%20%20b?x": "a b",
    b"/dic/%25": "%",
}


def test_everything_after_dic_is_the_word() -> None:
    assert {path: parse_word_path(path) for path in WORDS_OF_PATHS} == WORDS_OF_PATHS


def test_a_path_that_cannot_be_a_word_is_rejected() -> None:
    for path in (b"/dic/%ff", b"/dic/%00", b"/dic/a%7fb", b"/dic/" + b"k" * 201):
        with pytest.raises(InputError):
            parse_word_path(path)


def test_the_search_box_leads_to_the_word(ask_page: Ask, subtests: pytest.Subtests) -> None:
    for path, query, status, location in (
        ("/search", "q=%E0%A6%95", 303, "/dic/%E0%A6%95"),
        ("/search", "q=a/b?", 303, "/dic/a/b%3F"),
        ("/search", f"q={WORD_WITH_STAR}", 303, "/dic/C*"),
        ("/search", "", 303, "/"),
        ("/dic.php", "w=mon", 301, "/dic/mon"),
    ):
        with subtests.test(query):
            answer = ask_page(path, query)

            assert (answer.status, answer.headers["location"], answer.body) == (status, location, b"")


# --- searches with fields and wildcards -------------------------------------------------------------------------------


WORDS_OF_QUERIES: Final[dict[str, list[str]]] = {
    "q=wat*": ["water"],
    "q=*%E0%A6%A8%E0%A7%80+lang:as": ["পানী"],
    "q=w%3Fter": ["water"],
    "q=wat*%3F": ["water"],
    "q=pos:noun+water%3F+lang:en": ["water"],
    "w=wat*": ["water"],
    "q=wat*qq": [],
    "q=has:audio": [],
}


def test_the_search_box_accepts_fields_and_wildcards(page: OpenPage, subtests: pytest.Subtests) -> None:
    for query, words in WORDS_OF_QUERIES.items():
        with subtests.test(query):
            shown = page("/search", query)

            headwords = [element.text for element in shown.all("a") if element.attributes.get("class") == "headword"]
            assert headwords[: len(words)] == words
            assert bool(headwords) is bool(words)
            assert shown.one("meta", name="robots").attributes["content"] == "noindex, follow"


def test_a_query_without_valid_wildcards_or_fields_leads_to_a_word(ask_page: Ask) -> None:
    for query in ("q=%3F%3F", "q=pani%3F", "q=foo:bar", "q=a+%3F"):
        assert ask_page("/search", query).status == 303, query


def test_an_invalid_search_shows_the_error_and_the_help(page: OpenPage) -> None:
    for query in ("q=*", "q=pos:nonsense", "q=pos:%3Cb%3E", "q=lang:"):
        shown = page("/search", query, status=400)

        assert shown.one("div", role="alert").text.strip(), query
        assert shown.one("input", id="q").attributes["value"]
        assert "open" in shown.one("details", **{"class": "search-help"}).attributes


def test_a_page_lists_at_most_a_hundred_words(page: OpenPage) -> None:
    shown = page("/search", "q=lang:as")

    assert len([each for each in shown.all("a") if each.attributes.get("class") == "headword"]) <= 100


def test_the_forms_of_an_assamese_word_are_in_a_closed_table(page: OpenPage) -> None:
    shown = page("/dic/খা")

    table = shown.one("details", **{"class": "forms"})
    assert "open" not in table.attributes
    assert "future" in table.text
    assert "খাম" in table.text
    assert "খাওঁ" in table.text


def test_the_labels_of_forms_are_in_the_language_of_the_interface(page: OpenPage) -> None:
    table = page("/dic/পানী", "interface=as").one("details", **{"class": "forms"})

    assert "সম্বন্ধ পদ" in table.text
    assert "genitive" not in table.text


def test_words_of_other_languages_show_no_forms(page: OpenPage) -> None:
    assert len(page("/dic/পানী").all("details", **{"class": "forms"})) == 1
    assert not page("/dic/water").all("details", **{"class": "forms"})
