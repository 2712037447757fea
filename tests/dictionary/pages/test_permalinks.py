"""Permanent addresses, which edits do not change, and the address of a random word."""

import re
from urllib.parse import unquote

from tests.support.page_fixtures import Ask, OpenPage


def test_a_sense_has_a_permanent_address(page: OpenPage, ask_page: Ask) -> None:
    shown = page("/dic/পানী")

    addresses = [link.attributes["href"] for link in shown.all("a", rel="bookmark nofollow")]
    senses = [address for address in addresses if address.startswith("/sense/")]
    assert senses
    answer = ask_page(senses[0])
    assert answer.status == 302
    assert unquote(answer.headers["location"]) == "/dic/পানী?language=as&idea=1"
    path, _, query = answer.headers["location"].partition("?")
    assert len(page(unquote(path), query).all("li", **{"class": "sense"})) == 1


def test_a_word_and_a_proverb_have_permanent_addresses(page: OpenPage, ask_page: Ask) -> None:
    assert page("/dic/পানী").links_to("/word/1")
    assert unquote(ask_page("/word/1").headers["location"]) == "/dic/পানী"
    assert unquote(ask_page("/proverb/1").headers["location"]).startswith("/dic/")


def test_the_address_of_an_unknown_record_is_404(ask_page: Ask) -> None:
    for address in ("/word/999999", "/sense/999999", "/proverb/999999", "/sense/0"):
        assert ask_page(address).status == 404, address


def test_random_words_differ_and_are_not_cached(ask_page: Ask) -> None:
    answers = [ask_page("/random") for _ in range(40)]

    assert {answer.status for answer in answers} == {302}
    assert {answer.headers["cache-control"] for answer in answers} == {"no-store"}
    places = {unquote(answer.headers["location"]) for answer in answers}
    assert len(places) > 1
    assert all(re.match(r"/dic/\S", place) for place in places)


def test_a_sense_has_a_citation_in_every_format(page: OpenPage, ask_page: Ask) -> None:
    assert page("/dic/পানী").links_to("/cite/1")

    shown = page("/cite/1")

    assert "“পানী” (Assamese: " in shown.main
    assert "https://dictionary.example/sense/1?version=0" in shown.main
    for text in ("@incollection{abhidhan-1-0", "TY - DICT", '"type": "entry-dictionary"'):
        assert text in shown.main, text
    files = [link.attributes["href"] for link in shown.all("a") if "download" in link.attributes]
    assert [ask_page(address).status for address in files] == [200] * 3
    assert ask_page(files[1]).body.decode().startswith("TY  - DICT\r\n")
    assert ask_page(files[0]).headers["content-disposition"] == 'attachment; filename="abhidhan-1-0.bib"'


def test_an_unknown_sense_or_version_has_no_citation(ask_page: Ask) -> None:
    for address in ("/cite/999999", "/cite/0", "/cite/1/x.txt", "/cite/1?version=x"):
        path, _, query = address.partition("?")
        assert ask_page(path, query).status in {400, 404}, address
