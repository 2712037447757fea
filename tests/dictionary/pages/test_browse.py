from abhidhan.dictionary.service.views.recent import WordAddition, choose_words_by_language
from tests.support.page_fixtures import OpenPage


def test_words_are_listed_in_the_order_of_their_alphabet(page: OpenPage) -> None:
    shown = page("/browse", "language=as")

    letters = [link.text for link in shown.all("a") if "start=" in link.attributes["href"] and len(link.text) < 5]
    assert letters[:3] == ["অ", "আ", "ই"]
    assert letters[-1] == "ক্ষ"


def test_a_page_of_words_links_to_the_next_and_the_previous(page: OpenPage) -> None:
    first = page("/browse", "language=as")
    following = first.one("a", rel="next").attributes["href"]

    second = page("/browse", following.partition("?")[2])

    assert second.one("a", rel="prev").attributes["href"] == "/browse?language=as"


def test_a_page_of_words_is_marked_with_its_letter(page: OpenPage) -> None:
    for query, letter in (("language=as", "অ"), ("language=as&start=পা", "প"), ("language=en&start=wa", "W")):
        shown = page("/browse", query)

        assert [link.text for link in shown.all("a", **{"aria-current": "true"}) if len(link.text) < 5] == [letter]
        assert shown.all("h2")[0].text == letter


def test_topics_count_the_ideas_of_the_topics_below(page: OpenPage) -> None:
    shown = page("/context")
    (nature,), (water,) = (shown.links_to(f"/context/{name}") for name in ("Nature", "Water"))

    counts = [int(link.text.split()[-1]) for link in (nature, water)]
    assert counts[0] >= counts[1] >= 1
    assert not shown.links_to("/context/Chemistry")
    assert not shown.links_to("/context/All")


def test_a_context_shows_the_ideas_of_the_contexts_below(page: OpenPage) -> None:
    shown = page("/context/nature")

    assert shown.one("h1").text == "Nature"
    assert shown.links_to("/dic/পানী")
    assert [link.text for link in shown.links_to("/context")][-1] == "Topics"
    assert not shown.links_to("/context/All")


def test_a_context_starts_each_idea_with_its_headword(page: OpenPage) -> None:
    shown = page("/context/Water")

    first = shown.all("h2")[0]
    assert first.text.split()[-1] == "Assamese"
    assert shown.links_to("/dic/পানী")[0].attributes["class"] == "headword"


# --- new words --------------------------------------------------------------------------------------------------------


def test_new_words_of_one_language_of_an_idea_are_listed_and_the_others_counted() -> None:
    added = [WordAddition(number, language, 9, 5) for number, language in ((1, 30), (2, 22), (3, 2), (4, 1), (5, 2))]
    added += [
        WordAddition(6, 22, 8, 5),
        WordAddition(7, 21, 9, 6),
        WordAddition(8, 1, 9, 6),
        WordAddition(9, 30, 9, -9),
    ]

    assert [*choose_words_by_language(added)] == [(3, 3), (5, 3), (6, 0), (8, 1), (9, 0)]


def test_new_words_are_listed_under_a_written_date(page: OpenPage) -> None:
    english, assamese = page("/recent"), page("/recent", headers={"cookie": "interface=as"})

    assert english.one("time", datetime="2026-09-21").text == "21 September 2026"
    assert assamese.one("time", datetime="2026-09-21").text == "২১ ছেপ্টেম্বৰ, ২০২৬"
    assert english.all("ol", **{"class": "word-list with-stars"})
    listed = [element.text for element in english.all("a", **{"class": "headword"})]
    assert "বেগ" in listed
    assert "km/h" not in listed


def test_new_words_of_a_language_are_all_listed(page: OpenPage) -> None:
    listed = [element.text for element in page("/recent", "language=en").all("a", **{"class": "headword"})]

    assert "km/h" in listed


# --- the first page ---------------------------------------------------------------------------------------------------


def test_the_home_page_shows_the_word_and_proverb_of_the_day_and_six_links(page: OpenPage) -> None:
    shown = page("/")

    assert shown.one("h2", id="today").text == "Word of the day"
    assert [link.language for link in shown.all("a", **{"class": "no-underline word day"})] == ["as", "as"]
    assert shown.links_to("/recent")
    assert shown.links_to("/proverbs")
    tiles = [link.attributes["href"] for link in shown.all("a", **{"class": "card"})]
    assert tiles == ["/browse", "/context", "/flashcards", "/my-lists", "/take-along", "/account/submit/word"]
    assert "Assamese words" in shown.main
    assert page("/").main == shown.main


def test_a_context_shows_each_idea_briefly_with_a_link_to_the_rest(page: OpenPage) -> None:
    shown = page("/context/Water")
    ideas = shown.all("li", **{"class": "idea"})

    assert ideas
    assert len(shown.all("p", **{"class": "definition"})) <= len(ideas)
    assert len(shown.all("dt")) <= 3 * len(ideas)
    more = shown.all("a", **{"class": "tap-target quiet small"})
    assert more
    path, _, query = more[0].attributes["href"].partition("?")
    assert len(page(path, query).all("dt")) > 3


def test_pictures_have_the_headword_as_their_label(page: OpenPage) -> None:
    shown = page("/pictures")

    glyphs = shown.all("span", role="img")
    assert glyphs
    assert all(each.attributes["aria-label"] and each.language for each in glyphs)
    assert shown.links_to("/pictures?context=Nature")
    assert page("/context/nature").links_to("/pictures?context=Nature")
