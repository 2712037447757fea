"""Every page has a title, a heading and landmarks, and loads nothing from elsewhere."""

from typing import NamedTuple

import pytest

from abhidhan.platform.http.preferences import INTERFACE_LANGUAGES
from tests.support.asgi import AsgiResponse
from tests.support.page import Page, assert_landmarks_differ
from tests.support.page_fixtures import HOSTILE, LONG_WORD, Ask, OpenPage

PAGES = (
    ("/", ""),
    ("/dic/পানী", ""),
    ("/dic/pani", ""),
    ("/dic/water", ""),
    ("/dic/ৰঙা পানী", ""),
    ("/dic/" + LONG_WORD, ""),
    ("/dic/" + "W" * 200, ""),
    ("/dic/বিপদ", ""),
    ("/search", "q=wat*"),
    ("/search", "q=pos:noun lang:as"),
    ("/search", "q=*qqqq"),
    ("/browse", ""),
    ("/browse", "language=en&start=w"),
    ("/browse", "language=hi"),
    ("/browse", "language=as&start=ক্ষ"),
    ("/context", ""),
    ("/context/Water", ""),
    ("/context/nature", ""),
    ("/pictures", ""),
    ("/pictures", "context=nature"),
    ("/proverbs", ""),
    ("/proverbs", "q=nogoi gorgaor"),
    ("/proverbs", "q=qqqqqqqq"),
    ("/proverbs", "category=5"),
    ("/transliterate", ""),
    ("/transliterate", "pa=xobdo"),
    ("/transliterate", "pa=শব্দ&to=roman&scheme=ipa"),
    ("/flashcards", ""),
    ("/flashcards", "set=1"),
    ("/flashcards", "set=3"),
    ("/recent", ""),
    ("/recent", "language=as"),
    ("/about", ""),
    ("/downloads", ""),
    ("/cite/1", ""),
    ("/take-along", ""),
    ("/offline", ""),
    ("/embed", ""),
    ("/my-lists", ""),
    ("/list", "words=1,2,2000000000&name=Rivers"),
    ("/flashcards", "words=1,2"),
    ("/account/sign-in", ""),
    ("/account/sign-up", ""),
    ("/account/forgotten", ""),
    ("/account/reset", "token=x"),
)
"""Addresses that readers open, with their queries."""

MISSING = (("/dic/নাইকিয়াশব্দ", ""), ("/nothing", ""), ("/context/Nothing", ""), ("/flashcards", "set=99"))


class OpenedPage(NamedTuple):
    """A page with the address at which it was opened."""

    address: str
    language: str
    answer: AsgiResponse
    page: Page


def open_all(ask_page: Ask, addresses: tuple[tuple[str, str], ...], language: str) -> list[OpenedPage]:
    """Open and parse pages in one interface language."""
    opened = []
    for path, query in addresses:
        answer = ask_page(path, query, headers={"cookie": f"interface={language}"})
        opened.append(OpenedPage(f"{path}?{query}"[:60], language, answer, Page(answer.body.decode())))
    return opened


@pytest.fixture(scope="module")
def opened(ask_page: Ask) -> list[OpenedPage]:
    """Open every page in every interface language once."""
    return [page for language in INTERFACE_LANGUAGES for page in open_all(ask_page, PAGES, language)]


@pytest.fixture(scope="module")
def missing(ask_page: Ask) -> list[OpenedPage]:
    """Open the pages that do not exist."""
    return open_all(ask_page, MISSING, "en")


def test_every_page_has_a_title_a_description_and_one_heading(
    opened: list[OpenedPage], subtests: pytest.Subtests
) -> None:
    for address, language, answer, page in opened:
        with subtests.test(address, language=language):
            assert (answer.status, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
            assert page.title.endswith("Abhidhan") or page.title.startswith("Abhidhan")
            assert page.description
            assert page.one("h1").text.strip()
            assert page.one("html").attributes["lang"] == language
            assert page.one("link", rel="canonical").attributes["href"].startswith("https://dictionary.example/")


def test_every_link_to_a_word_has_a_language_and_a_direction(opened: list[OpenedPage]) -> None:
    count = 0
    for address, _, _, page in opened:
        words = (link for link in page.all("a") if link.attributes["href"].startswith("/dic/"))
        links = [link for link in words if link.attributes.get("rel") != "nofollow"]
        assert all({"lang", "dir"} <= set(link.attributes) for link in links), address
        count += len(links)
    assert count > 100


def test_a_page_loads_nothing_from_another_host_and_has_nothing_inline(
    opened: list[OpenedPage], missing: list[OpenedPage], subtests: pytest.Subtests
) -> None:
    for address, language, answer, _ in (*opened, *missing):
        with subtests.test(address, language=language):
            text = answer.body.decode()
            assert "style=" not in text
            assert "onclick" not in text
            assert "<style" not in text
            for policy in ("script-src 'self'", "style-src 'self'", "default-src 'none'"):
                assert policy in answer.headers["content-security-policy"]
            for attribute in ("src=", 'rel="stylesheet" href='):
                assert f'{attribute}"http' not in text


def test_landmarks_of_one_kind_have_different_names(
    opened: list[OpenedPage], missing: list[OpenedPage], subtests: pytest.Subtests
) -> None:
    for address, language, _, page in (*opened, *missing):
        with subtests.test(address, language=language):
            assert_landmarks_differ(page)


def test_a_page_that_does_not_exist_is_a_404_with_a_search_field(missing: list[OpenedPage]) -> None:
    for address, _, answer, page in missing:
        assert answer.status == 404, address
        assert page.one("h1").text, address
        assert page.all("input", name="q"), address
        assert page.one("meta", name="robots").attributes["content"] == "noindex", address


def test_hostile_text_is_displayed_and_not_executed(ask_page: Ask) -> None:
    for address in ("/dic/" + HOSTILE, "/dic/বিপদ", "/flashcards?set=3", "/proverbs", "/recent"):
        path, _, query = address.partition("?")
        text = ask_page(path, query).body.decode()

        assert "<script>alert" not in text, address
        assert "alert(" in text, address


def test_an_invalid_parameter_is_answered_with_an_error_page_and_400(page: OpenPage) -> None:
    for path, query in (
        ("/dic/" + "ক" * 201, ""),
        ("/browse", "language=xx"),
        ("/proverbs", "q=" + "ক" * 501),
        ("/transliterate", "pa=" + "k" * 501),
        ("/transliterate", "scheme=none"),
        ("/flashcards", "set=x"),
        ("/recent", "language=xx"),
    ):
        assert page(path, query, status=400).one("h1").text == "The request could not be understood"


def test_an_error_page_is_in_the_language_of_the_interface(page: OpenPage) -> None:
    error_page = page("/nothing", status=404, headers={"accept-language": "as"})

    assert error_page.one("h1").text == "পৃষ্ঠাখন পোৱা নগ’ল"


def test_a_page_has_an_etag_and_is_not_cached_for_other_readers(ask_page: Ask) -> None:
    answer = ask_page("/dic/পানী")

    assert answer.headers["cache-control"] == "private, no-cache"
    assert {"Cookie", "Accept-Language"} <= set(answer.headers["vary"].split(", "))
    assert ask_page("/dic/পানী", headers={"if-none-match": answer.headers["etag"]}).status == 304


def test_a_part_of_speech_is_written_in_the_language_of_the_interface(ask_page: Ask) -> None:
    for interface, kind in (("en", "adjective"), ("as", "বিশেষণ")):
        answer = ask_page("/dic/ৰঙা", headers={"accept-language": interface})

        assert f'<p class="kind">{kind}' in answer.body.decode()


def test_the_page_of_a_word_is_small(ask_page: Ask) -> None:
    page = ask_page("/dic/পানী")
    files = [
        ask_page(f"/assets/x/{name}", headers={"accept-encoding": "gzip"})
        for name in ("style.css", "main.js", "suggest.js", "keyboard.js", "article.js")
    ]

    assert len(page.body) < 30_000
    assert len(page.body) + sum(len(file.body) for file in files) < 60_000


def test_the_top_of_a_page_links_to_the_account_recent_words_and_contexts(page: OpenPage) -> None:
    word_page = page("/dic/পানী")

    main = word_page.elements.index(word_page.one("main"))
    for address in ("/account", "/recent", "/context"):
        assert any(word_page.elements.index(link) < main for link in word_page.links_to(address)), address


def test_the_invitation_to_suggest_a_correction_appears_once_and_is_not_printed(page: OpenPage, ask_page: Ask) -> None:
    word_page = page("/dic/পানী")

    assert len([link for link in word_page.all("a") if link.text == "Suggest a correction"]) == 1
    print_style = ask_page("/assets/x/style.css").body.decode().partition("@media print")[2]
    assert {".more,", ".entry-footer", ".tap-target"} <= set(print_style.partition("display: none")[0].split())
