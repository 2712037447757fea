"""Proverbs, transliteration and flashcards."""

from abhidhan.dictionary.model.cards import Card
from tests.support.page_fixtures import OpenPage


def test_a_text_finds_a_similar_proverb(page: OpenPage) -> None:
    shown = page("/proverbs", "q=nogoi gorgaor botora koy")

    assert "নগৈ গড়গাঁৱৰ বতৰা কয়" in shown.main
    assert "% match" in shown.main


def test_a_proverb_is_found_by_words_of_its_text_or_its_meaning(page: OpenPage) -> None:
    for query, proverb in (
        ("হাতী", "শুঁৰ আছে হাতী নহয়"),
        ("hati", "শুঁৰ আছে হাতী নহয়"),
        ("নিগনি", "এটা নিগনিৰ সাতখন পাম"),
        ("mosquito", "শুঁৰ আছে হাতী নহয়"),
        ("stolen cow", "চোৰে নিয়া গৰুৰ বাটে"),
    ):
        section = page("/proverbs", f"q={query}").one("section", **{"aria-labelledby": "with-words"})

        assert proverb in section.text, query


def test_an_unknown_proverb_is_reported_as_not_found(page: OpenPage) -> None:
    shown = page("/proverbs", "q=qqqqqqqq")

    assert "No similar proverb found." in shown.main


def test_proverbs_of_one_category_are_listed(page: OpenPage) -> None:
    shown = page("/proverbs", "category=9")

    assert "শুঁৰ আছে" in shown.main
    assert "নগৈ" not in shown.main


def test_a_text_is_transliterated_in_both_directions(page: OpenPage) -> None:
    to_assamese = page("/transliterate", "pa=xobdo").one("output")
    to_roman = page("/transliterate", "pa=শব্দ").one("output")

    assert (to_assamese.text, to_assamese.language) == ("শব্দ", "as")
    assert (to_roman.text, to_roman.language) == ("xob.do", "as-Latn")


def test_cards_can_be_read_without_javascript(page: OpenPage) -> None:
    shown = page("/flashcards", "set=1")

    assert len([item for item in shown.all("li") if "data-card" in item.attributes]) >= 4
    assert shown.links_to("/dic/elephant")


def test_each_set_shows_its_number_of_cards(page: OpenPage) -> None:
    assert "4 cards" in page("/flashcards").main
    assert "৪খন কাৰ্ড" in page("/flashcards", headers={"cookie": "interface=as"}).main


def test_cards_of_several_sets_keep_the_progress_of_their_set(page: OpenPage) -> None:
    cards = [page("/flashcards", f"set={number}").all("li")[0].attributes for number in (3, 1)]
    together = page("/flashcards", f"cards={cards[0]['data-card']},{cards[1]['data-card']},999999")

    found = [each.attributes for each in together.all("li") if "data-card" in each.attributes]
    assert [(each["data-card"], each["data-progress"]) for each in found] == [
        (each["data-card"], each["data-progress"]) for each in cards
    ]
    assert together.one("meta", name="robots").attributes["content"] == "noindex, nofollow"


def test_cards_in_play_have_no_header_and_footer(page: OpenPage) -> None:
    shown = page("/flashcards", "set=1")

    assert not shown.all("header") + shown.all("footer")
    assert shown.links_to("/flashcards")
    assert shown.all("span", **{"class": "roman", "lang": "as-Latn"})


def test_a_picture_that_reveals_the_answer_is_shown_with_the_answer(page: OpenPage) -> None:
    shown = page("/flashcards", "set=1")

    assert not any("🐘" in element.text for element in shown.all("summary"))
    assert any("🐘" in element.text for element in shown.all("p", **{"class": "answer"}))
    assert not [element for element in shown.all("li") if "data-asks-for-picture" in element.attributes]


def test_a_clue_without_letters_asks_what_the_picture_shows() -> None:
    for clue, asks in (("হাতী", False), ("elephant", False), ("🐘", True), ("?", True), ("৫", True)):
        card = Card(1, clue, None, roman_generated=False, answer="x", idea_id=None, picture="🐘")
        assert card.asks_for_picture is asks, clue
