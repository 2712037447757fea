"""Pages of words with very many senses and languages: short at first, and nothing is lost."""

import zlib

import pytest

from tests.support.page import Element, Page
from tests.support.page_fixtures import Ask, Open
from tests.support.wide import SAME_IN_OTHERS, WIDE, codes

MOST_PACKED = 60_000


def senses_of(shown: Page) -> list[Element]:
    return [each for each in shown.all("li") if "sense" in each.attributes.get("class", "").split()]


def folds_of(shown: Page, part: str) -> list[Element]:
    return shown.all("a", **{"data-part": part})


@pytest.mark.parametrize("address", [f"/dic/{WIDE}", "/browse", "/about", "/languages", "/recent", "/context/Water"])
def test_a_page_of_a_large_dictionary_is_light(ask_page: Ask, address: str) -> None:
    assert len(zlib.compress(ask_page(address).body)) < MOST_PACKED


def test_the_first_sense_stands_open_and_the_others_are_told_in_a_line(page: Open) -> None:
    shown = page(f"/dic/{WIDE}")

    first, *others = senses_of(shown)[:20]
    assert first.attributes["class"] == "sense"
    assert {each.attributes["class"] for each in others} == {"sense folded"}
    assert "sense number 3" in others[2].text
    assert not shown.links_to("/dic/wide15")


def test_a_list_leads_to_each_sense(page: Open) -> None:
    shown = page(f"/dic/{WIDE}")

    targets = {f"#{each.attributes['id']}" for each in senses_of(shown)[:20]}
    assert targets <= {link.attributes["href"] for link in shown.all("a")}


def test_senses_are_numbered_within_their_language(page: Open) -> None:
    shown = page(f"/dic/{WIDE}", headers={"cookie": "languages=qaa-x-qab.en"})

    assert [each.attributes["value"] for each in senses_of(shown)] == ["1", *map(str, range(1, 21))]


def test_each_fold_leads_to_a_page_that_has_all_of_it(page: Open) -> None:
    shown = page(f"/dic/{WIDE}")
    fold = folds_of(shown, "sense")[0]

    path, _, query = fold.attributes["href"].partition("?")
    whole = page(path, query)

    assert all(whole.links_to(f"/dic/{code}%20word%201") for code in codes(120))
    assert "qac 1: of a great size" in whole.main
    assert whole.main.count("qac 1: of a great size") == 1
    assert whole.links_to(f"/dic/{WIDE}")
    assert whole.one("meta", name="robots").attributes["content"] == "noindex, follow"


def test_what_a_script_opens_is_no_whole_page(page: Open, ask_page: Ask) -> None:
    path, _, query = folds_of(page(f"/dic/{WIDE}"), "sense")[0].attributes["href"].partition("?")

    sense, languages = (ask_page(path, f"{query}&part={part}").body.decode() for part in ("sense", "languages"))

    assert "<html" not in sense + languages
    assert "wide1" in sense
    assert "qbz word 1" not in sense
    assert "qbz word 1" in languages


def test_entries_in_other_languages_are_folded_with_the_number_of_their_senses(page: Open) -> None:
    folds = folds_of(page(f"/dic/{WIDE}", headers={"cookie": "languages=en.as"}), "entry")

    assert len(folds) == SAME_IN_OTHERS
    assert "1 meaning" in folds[0].text
    path, _, query = folds[0].attributes["href"].partition("?")
    assert "qaa word 0" in page(path, query).main


def test_the_readers_languages_come_first_in_their_order(page: Open) -> None:
    for cookie, order in (
        ("as.qaa-x-qap", ["Assamese", "Pqap language"]),
        ("qaa-x-qap.as", ["Pqap language", "Assamese"]),
    ):
        shown = page(f"/dic/{WIDE}", headers={"cookie": f"languages={cookie}"})
        assert [each.text for each in shown.all("dt")][:3] == ["Synonyms", *order]
        assert shown.links_to("/dic/qap%20word%200")
        assert not shown.links_to("/dic/qaq%20word%200")


def test_definitions_tell_their_language_and_the_readers_is_the_first(page: Open) -> None:
    for interface, first in (("en", "English Of a great size"), ("as", "অসমীয়া অতি ডাঙৰ")):
        shown = page(f"/dic/{WIDE}", f"interface={interface}")
        assert shown.all("p", **{"class": "definition"})[0].text.startswith(first)


def test_what_is_not_among_the_senses_is_not_asked_for(page: Open) -> None:
    assert page("/dic/পানী", "language=xx&idea=999999").title == page("/dic/পানী").title


# --- several words ----------------------------------------------------------------------------------------------------

SEVERAL = f"/dic/wide1 {WIDE} wide2 wide3 wide4 wide5"


def open_senses_of(shown: Page) -> list[Element]:
    return [each for each in senses_of(shown) if each.attributes["class"] == "sense"]


def test_of_several_words_the_first_sense_of_each_stands_open(page: Open) -> None:
    shown = page(SEVERAL)

    assert [each.text for each in shown.all("h2", **{"class": "part"})] == SEVERAL.removeprefix("/dic/").split()
    assert len(open_senses_of(shown)) == 3
    assert [each.attributes["class"] for each in senses_of(shown)][-1] == "sense folded"


def test_the_other_senses_of_one_of_several_words_are_lines_and_a_link_to_its_page(page: Open) -> None:
    shown = page(SEVERAL)

    lines = [each for each in folds_of(shown, "sense") if each.attributes["href"].startswith(f"/dic/{WIDE}?")]
    assert len(lines) == 2
    assert "sense number 2" in lines[1].text
    path, _, query = lines[1].attributes["href"].partition("?")
    assert "of a great size" in page(path, query).main
    more = next(each for each in shown.all("a") if each.text == "17 more meanings")
    path, _, query = more.attributes["href"].partition("?")
    assert len(senses_of(page(path, query))) == 20


def test_a_few_entries_of_one_of_several_words_are_named_and_a_link_leads_to_all(page: Open) -> None:
    shown = page(SEVERAL)

    assert len(folds_of(shown, "entry")) == 3
    assert f"/dic/{WIDE}" in {each.attributes["href"] for each in shown.all("a") if each.text == "and 9 more"}


def test_a_page_grows_little_with_the_number_of_words(ask_page: Ask) -> None:
    few, many = (
        len(zlib.compress(ask_page(f"/dic/{WIDE} " + " ".join(f"wide{number}" for number in range(count))).body))
        for count in (5, 19)
    )
    alone = len(zlib.compress(ask_page(f"/dic/{WIDE}").body))

    assert few < 2 * alone
    assert many < 1.5 * few


def test_two_words_of_one_sense_each_stand_open(page: Open) -> None:
    shown = page("/dic/পানী জুই")

    assert len(open_senses_of(shown)) == len(senses_of(shown)) > 0


# --- a reader's languages ---------------------------------------------------------------------------------------------


def test_a_language_is_chosen_and_kept_in_a_cookie(ask_page: Ask) -> None:
    answer = ask_page("/preferences", "add=hi&back=%2Fdic%2Fvast")

    assert (answer.status, answer.headers["location"]) == (303, "/dic/vast")
    assert answer.headers["set-cookie"].startswith("languages=en.as.hi; ")
    moved = ask_page("/preferences", "earlier=hi", headers={"cookie": "languages=en.as.hi"})
    assert moved.headers["set-cookie"].startswith("languages=en.hi.as; ")
    removed = ask_page("/preferences", "remove=hi", headers={"cookie": "languages=hi"})
    assert removed.headers["set-cookie"].startswith("languages=--; ")


@pytest.mark.parametrize("cookie", ["languages=--", "languages=..", "languages=" + "x" * 500, "languages=<b>"])
def test_a_cookie_that_means_nothing_is_no_choice(page: Open, cookie: str) -> None:
    assert "You have chosen none yet" in page("/languages", headers={"cookie": cookie}).main


STALE = {"cookie": "languages=bn.gone.hi"}
"""A reader chose a language that has been removed since."""


@pytest.mark.parametrize(("address", "status"), [("/", 200), ("/dic/পানী", 200), ("/languages", 200), ("/nothing", 404)])
def test_a_language_that_is_gone_is_not_asked_for(page: Open, address: str, status: int) -> None:
    assert page(address, headers=STALE, status=status).one("input", id="q").attributes["data-langs"] == "bn,hi"


def test_where_all_chosen_languages_are_gone_none_is_chosen(page: Open) -> None:
    shown = page("/languages", headers={"cookie": "languages=gone"})

    assert "data-langs" not in shown.one("input", id="q").attributes
    assert "You have chosen none yet" in shown.main


@pytest.mark.parametrize(
    ("query", "kept"), [("add=as", "bn.hi.as"), ("earlier=hi", "hi.bn"), ("remove=bn", "hi"), ("add=never", "bn.hi")]
)
def test_the_next_choice_forgets_a_language_that_is_gone(ask_page: Ask, query: str, kept: str) -> None:
    assert ask_page("/preferences", query, headers=STALE).headers["set-cookie"].startswith(f"languages={kept}; ")


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("q=assam", "Assamese"),
        ("q=%E0%A6%85%E0%A6%B8%E0%A6%AE", "Assamese"),
        ("q=qbc", "Cqbc language"),
        ("letter=B", "Bqab language"),
    ],
)
def test_a_language_is_found_among_very_many(page: Open, query: str, found: str) -> None:
    shown = page("/languages", query)

    listed = [each.text for each in shown.all("li") if "+" in each.text]
    assert found in " ".join(listed)
    assert len(listed) < 12


def test_letters_of_the_readers_language_come_first_each_with_the_number_of_its_languages(page: Open) -> None:
    letters = page("/languages", "interface=as").all("ul", **{"class": "letters"})[0].text.split()

    assert letters[:2] == ["অ", "১"]
    assert letters.index("A") < letters.index("B")


def test_a_list_of_languages_does_not_stand_on_every_page(page: Open) -> None:
    for address in ("/browse", "/about", "/recent"):
        shown = page(address)
        assert "Qqag language" not in shown.main
        assert shown.all("a", href="/languages") or address == "/recent"


def test_the_choice_holds_for_lists_suggestions_and_the_first_page(page: Open) -> None:
    cookie = {"cookie": "languages=bn.hi"}

    listed = [each.text for each in page("/browse", "language=en&start=water", headers=cookie).all("li")]
    assert next(each for each in listed if each.startswith("water")) in {"water জল", "water পানি"}
    assert page("/", headers=cookie).one("input", id="q").attributes["data-langs"] == "bn,hi"
    assert page("/", headers=cookie).all("ul", **{"class": "letters"})[0].attributes["lang"] == "bn"
    context = page("/context/Water", headers=cookie)
    assert context.all("h2")[0].text.split()[-1] == "Bengali"
    assert context.all("dt")[0].text == "Hindi"
