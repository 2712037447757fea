"""Pages of words with very many senses and languages: short at first, with links to all the rest."""

import zlib

import pytest

from tests.support.many_senses import SAME_SPELLING_LANGUAGES, WIDE_WORD, make_codes
from tests.support.page import Element, Page
from tests.support.page_fixtures import Ask, OpenPage

MOST_PACKED = 60_000


def find_senses(shown: Page) -> list[Element]:
    return [each for each in shown.all("li") if "sense" in each.attributes.get("class", "").split()]


def find_folds(shown: Page, part: str) -> list[Element]:
    return shown.all("details", **{"data-part": part})


def test_a_page_of_a_large_dictionary_is_light(ask_page: Ask) -> None:
    for address in (f"/dic/{WIDE_WORD}", "/browse", "/about", "/languages", "/recent", "/context/Water"):
        assert len(zlib.compress(ask_page(address).body)) < MOST_PACKED, address


def test_the_first_sense_is_open_and_the_others_are_folded(page: OpenPage) -> None:
    shown = page(f"/dic/{WIDE_WORD}")

    first, *others = find_senses(shown)[:20]
    assert first.attributes["class"] == "sense"
    assert {each.attributes["class"] for each in others} == {"sense collapsed"}
    assert "sense number 3" in others[2].text
    assert not shown.links_to("/dic/wide15")


def test_senses_are_numbered_within_their_language(page: OpenPage) -> None:
    shown = page(f"/dic/{WIDE_WORD}", headers={"cookie": "languages=qaa-x-qab.en"})

    assert [each.attributes["value"] for each in find_senses(shown)] == ["1", *map(str, range(1, 21))]


def test_each_fold_leads_to_a_page_with_the_whole_sense(page: OpenPage) -> None:
    shown = page(f"/dic/{WIDE_WORD}")
    fold = find_folds(shown, "sense")[0]

    path, _, query = fold.attributes["data-load"].partition("?")
    whole = page(path, query)

    assert all(whole.links_to(f"/dic/{code}%20word%201") for code in make_codes(120))
    assert "qac 1: of a great size" in whole.main
    assert whole.main.count("qac 1: of a great size") == 1
    assert whole.links_to(f"/dic/{WIDE_WORD}")
    assert whole.one("meta", name="robots").attributes["content"] == "noindex, follow"


def test_a_script_opens_a_fold_with_a_part_of_a_page(page: OpenPage, ask_page: Ask) -> None:
    path, _, query = find_folds(page(f"/dic/{WIDE_WORD}"), "sense")[0].attributes["data-load"].partition("?")

    sense, languages = (ask_page(path, f"{query}&part={part}").body.decode() for part in ("sense", "languages"))

    assert "<html" not in sense + languages
    assert "wide1" in sense
    assert "qbz word 1" not in sense
    assert "qbz word 1" in languages


def test_entries_in_other_languages_are_folded_with_the_number_of_their_senses(page: OpenPage) -> None:
    links = page(f"/dic/{WIDE_WORD}", headers={"cookie": "languages=en.as"}).all("a")
    folds = [each for each in links if each.text.endswith("1 meaning")]

    assert len(folds) == SAME_SPELLING_LANGUAGES
    path, _, query = folds[0].attributes["href"].partition("?")
    assert "qaa word 0" in page(path, query).main


def test_the_readers_languages_come_first_in_their_order(page: OpenPage) -> None:
    for cookie, order in (
        ("as.qaa-x-qap", ["as", "qaa-x-qap"]),
        ("qaa-x-qap.as", ["qaa-x-qap", "as"]),
    ):
        shown = page(f"/dic/{WIDE_WORD}", headers={"cookie": f"languages={cookie}"})
        answer = [each.language for each in shown.all("a") if each.text in {"qap word 0", "বিশাল"}]
        assert answer[:2] == order
        assert not shown.links_to("/dic/qaq%20word%200")


def test_the_definition_in_the_readers_language_comes_first(page: OpenPage) -> None:
    for interface, first in (("en", "Of a great size"), ("as", "অতি ডাঙৰ")):
        gloss = page(f"/dic/{WIDE_WORD}", f"interface={interface}").all("p", **{"class": "meaning"})[0]
        assert gloss.text.startswith(first)


def test_an_unknown_language_or_idea_in_the_address_is_ignored(page: OpenPage) -> None:
    assert page("/dic/পানী", "language=xx&idea=999999").title == page("/dic/পানী").title


# --- several words ----------------------------------------------------------------------------------------------------

SEVERAL = f"/dic/wide1 {WIDE_WORD} wide2 wide3 wide4 wide5"


def find_open_senses(shown: Page) -> list[Element]:
    return [each for each in find_senses(shown) if each.attributes["class"] == "sense"]


def test_the_first_of_several_words_is_an_entry_and_the_others_are_lines(page: OpenPage) -> None:
    shown = page(SEVERAL)

    first, *others = SEVERAL.removeprefix("/dic/").split()
    assert shown.one("h1").text == first
    assert [each.text for each in shown.all("span", **{"class": "answer ink"})] == others
    assert len(find_open_senses(shown)) == 1


def test_a_page_grows_little_with_the_number_of_words(ask_page: Ask) -> None:
    few, many = (
        len(zlib.compress(ask_page(f"/dic/{WIDE_WORD} " + " ".join(f"wide{number}" for number in range(count))).body))
        for count in (5, 19)
    )
    alone = len(zlib.compress(ask_page(f"/dic/{WIDE_WORD}").body))

    assert few < 2 * alone
    assert many < 1.5 * few


def test_two_words_of_one_sense_each_are_both_open(page: OpenPage) -> None:
    shown = page("/dic/পানী জুই")

    assert len(find_open_senses(shown)) == len(find_senses(shown)) > 0


# --- a reader's languages ---------------------------------------------------------------------------------------------


def test_chosen_languages_are_stored_in_a_cookie(ask_page: Ask) -> None:
    answer = ask_page("/preferences", "add=hi&back=%2Fdic%2Fvast")

    assert (answer.status, answer.headers["location"]) == (303, "/dic/vast")
    assert answer.headers["set-cookie"].startswith("languages=en.as.hi; ")
    moved = ask_page("/preferences", "earlier=hi", headers={"cookie": "languages=en.as.hi"})
    assert moved.headers["set-cookie"].startswith("languages=en.hi.as; ")
    removed = ask_page("/preferences", "remove=hi", headers={"cookie": "languages=hi"})
    assert removed.headers["set-cookie"].startswith("languages=--; ")


def test_the_settings_store_the_languages_in_order(ask_page: Ask) -> None:
    for sent, cookie, kept in (
        ("language_hi=on&language_bn=on", "", "hi.bn"),
        ("language_as=on&language_en=on", "", "as.en"),
        ("language_en=on&language_as=on", "", "--"),
        ("language_en=on&language_as=on", "languages=hi", "en.as"),
        ("other=", "languages=hi", "--"),
    ):
        answer = ask_page("/settings", method="POST", body=sent.encode(), headers={"cookie": cookie})
        assert (answer.status, answer.headers["location"]) == (303, "/settings?saved=1")
        assert answer.headers["set-cookie"].startswith(f"languages={kept}; "), sent


def test_the_settings_show_the_readers_languages_first_and_move_them(page: OpenPage) -> None:
    shown = page("/settings", headers={"cookie": "languages=hi.bn; theme=dark"})

    boxes = shown.all("input", type="checkbox")
    assert [each.attributes["name"] for each in boxes][:2] == ["language_hi", "language_bn"]
    assert ["checked" in each.attributes for each in boxes][:3] == [True, True, False]
    assert [each.attributes["value"] for each in shown.all("button", name="earlier")] == ["bn"]
    assert "checked" in shown.one("input", name="theme", value="dark").attributes
    assert shown.links_to("/take-along")
    assert shown.links_to("/languages?back=/settings")


def test_an_invalid_cookie_is_no_choice(page: OpenPage) -> None:
    for cookie in ("languages=--", "languages=..", "languages=" + "x" * 500, "languages=<b>"):
        assert "You have not chosen any languages" in page("/languages", headers={"cookie": cookie}).main, cookie


STALE = {"cookie": "languages=bn.gone.hi"}
"""A reader chose a language that has been removed since."""


def test_a_removed_language_is_not_requested(page: OpenPage) -> None:
    for address, status in (("/", 200), ("/dic/পানী", 200), ("/languages", 200), ("/nothing", 404)):
        shown = page(address, headers=STALE, status=status)
        assert shown.one("input", id="q").attributes["data-langs"] == "bn,hi", address


def test_no_language_is_chosen_where_all_chosen_ones_were_removed(page: OpenPage) -> None:
    shown = page("/languages", headers={"cookie": "languages=gone"})

    assert "data-langs" not in shown.one("input", id="q").attributes
    assert "You have not chosen any languages" in shown.main


def test_the_next_choice_forgets_a_removed_language(ask_page: Ask) -> None:
    for query, kept in (("add=as", "bn.hi.as"), ("earlier=hi", "hi.bn"), ("remove=bn", "hi"), ("add=never", "bn.hi")):
        cookie = ask_page("/preferences", query, headers=STALE).headers["set-cookie"]
        assert cookie.startswith(f"languages={kept}; "), query


def test_a_language_is_found_among_very_many(page: OpenPage, subtests: pytest.Subtests) -> None:
    for query, language in (
        ("q=assam", "Assamese"),
        ("q=%E0%A6%85%E0%A6%B8%E0%A6%AE", "Assamese"),
        ("q=qbc", "Cqbc language"),
        ("letter=B", "Bqab language"),
    ):
        with subtests.test(query):
            listed = [each.text for each in page("/languages", query).all("li") if "+" in each.text]

            assert language in " ".join(listed)
            assert len(listed) < 12


def test_letters_of_the_readers_language_come_first_with_numbers_of_languages(page: OpenPage) -> None:
    letters = page("/languages", "interface=as").all("ul", **{"class": "letters"})[0].text.split()

    assert letters[:2] == ["অ", "১"]
    assert letters.index("A") < letters.index("B")


def test_only_the_page_of_languages_lists_all_languages(page: OpenPage) -> None:
    for address in ("/browse", "/about", "/recent"):
        shown = page(address)
        assert "Qqag language" not in shown.main
        assert shown.all("a", href="/languages") or address == "/recent"


def test_the_chosen_languages_apply_to_lists_and_suggestions(page: OpenPage) -> None:
    cookie = {"cookie": "languages=bn.hi"}

    listed = [each.text for each in page("/browse", "language=en&start=water", headers=cookie).all("li")]
    assert next(each for each in listed if each.startswith("water")) in {"water জল", "water পানি"}
    assert page("/", headers=cookie).one("input", id="q").attributes["data-langs"] == "bn,hi"
    context = page("/context/Water", headers=cookie)
    assert context.all("h2")[0].text.split()[-1] == "Bengali"
    assert context.all("dt")[0].text == "Hindi"
