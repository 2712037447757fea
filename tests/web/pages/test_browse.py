from tests.web.pages.conftest import Open


def test_words_stand_in_the_order_of_their_alphabet(page: Open) -> None:
    shown = page("/browse", "language=as")

    letters = [link.text for link in shown.all("a") if "start=" in link.attributes["href"] and len(link.text) < 5]
    assert letters[:3] == ["অ", "আ", "ই"]
    assert letters[-1] == "ক্ষ"


def test_a_stretch_leads_on_and_back(page: Open) -> None:
    first = page("/browse", "language=as")
    following = first.one("a", rel="next").attributes["href"]

    second = page("/browse", following.partition("?")[2])

    assert second.one("a", rel="prev").attributes["href"] == "/browse?language=as"


def test_contexts_are_a_tree_of_those_in_use(page: Open) -> None:
    shown = page("/context")

    assert shown.links_to("/context/Water")
    assert not shown.links_to("/context/Chemistry")


def test_a_context_shows_ideas_of_those_below_it_too(page: Open) -> None:
    shown = page("/context/nature")

    assert shown.one("h1").text == "Nature"
    assert shown.links_to("/dic/পানী")
    assert shown.links_to("/context/All")
