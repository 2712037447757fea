"""Proverbs, transliteration and flashcards."""

import pytest

from abhidhan.dictionary.model.cards import Card
from tests.support.page_fixtures import OpenPage


def test_a_saying_finds_the_proverb_that_is_like_it(page: OpenPage) -> None:
    shown = page("/proverbs", "q=nogoi gorgaor botora koy")

    assert "নগৈ গড়গাঁৱৰ বতৰা কয়" in shown.main
    assert "% match" in shown.main


@pytest.mark.parametrize(
    ("query", "proverb"),
    [
        ("হাতী", "শুঁৰ আছে হাতী নহয়"),
        ("hati", "শুঁৰ আছে হাতী নহয়"),
        ("নিগনি", "এটা নিগনিৰ সাতখন পাম"),
        ("mosquito", "শুঁৰ আছে হাতী নহয়"),
        ("stolen cow", "চোৰে নিয়া গৰুৰ বাটে"),
    ],
)
def test_a_word_finds_the_proverbs_that_have_it_in_themselves_or_in_their_meaning(
    page: OpenPage, query: str, proverb: str
) -> None:
    found = page("/proverbs", f"q={query}").one("section", **{"aria-labelledby": "with-words"})

    assert proverb in found.text


def test_a_saying_that_is_not_known_can_be_added(page: OpenPage) -> None:
    shown = page("/proverbs", "q=qqqqqqqq")

    assert "No similar proverb found." in shown.main


def test_proverbs_of_one_category_are_shown_alone(page: OpenPage) -> None:
    shown = page("/proverbs", "category=9")

    assert "শুঁৰ আছে" in shown.main
    assert "নগৈ" not in shown.main


def test_a_text_is_written_in_the_other_letters(page: OpenPage) -> None:
    to_assamese = page("/transliterate", "pa=xobdo").one("output")
    to_roman = page("/transliterate", "pa=শব্দ").one("output")

    assert (to_assamese.text, to_assamese.language) == ("শব্দ", "as")
    assert (to_roman.text, to_roman.language) == ("xob.do", "as-Latn")


def test_cards_can_be_read_without_a_script(page: OpenPage) -> None:
    shown = page("/flashcards", "set=1")

    assert len([item for item in shown.all("li") if "data-card" in item.attributes]) >= 4
    assert shown.links_to("/dic/elephant")


def test_the_sets_tell_how_many_cards_they_have(page: OpenPage) -> None:
    assert "4 cards" in page("/flashcards").main
    assert "৪খন কাৰ্ড" in page("/flashcards", headers={"cookie": "interface=as"}).main


def test_cards_of_any_sets_are_practised_together_each_with_the_progress_of_its_set(page: OpenPage) -> None:
    cards = [page("/flashcards", f"set={number}").all("li")[0].attributes for number in (3, 1)]
    together = page("/flashcards", f"cards={cards[0]['data-card']},{cards[1]['data-card']},999999")

    found = [each.attributes for each in together.all("li") if "data-card" in each.attributes]
    assert [(each["data-card"], each["data-progress"]) for each in found] == [
        (each["data-card"], each["data-progress"]) for each in cards
    ]
    assert together.one("meta", name="robots").attributes["content"] == "noindex, nofollow"


def test_a_card_in_play_stands_alone(page: OpenPage) -> None:
    shown = page("/flashcards", "set=1")

    assert not shown.all("header") + shown.all("footer")
    assert shown.links_to("/flashcards")
    assert shown.all("span", **{"class": "roman", "lang": "as-Latn"})


def test_a_picture_that_tells_the_answer_stands_with_the_answer(page: OpenPage) -> None:
    shown = page("/flashcards", "set=1")

    assert not any("🐘" in element.text for element in shown.all("summary"))
    assert any("🐘" in element.text for element in shown.all("p", **{"class": "answer"}))
    assert not [element for element in shown.all("li") if "data-asks" in element.attributes]


@pytest.mark.parametrize(
    ("clue", "asks"), [("হাতী", False), ("elephant", False), ("🐘", True), ("?", True), ("৫", True)]
)
def test_a_clue_without_letters_asks_what_the_picture_shows(clue: str, asks: bool) -> None:  # noqa: FBT001
    card = Card(1, clue, None, roman_generated=False, answer="x", idea_id=None, picture="🐘")
    assert card.asks_for_picture is asks
