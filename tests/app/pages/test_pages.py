"""What holds for every page."""

import pytest

from abhidhan.platform.http.preferences import INTERFACE_LANGUAGES
from tests.support.page import assert_landmarks_differ
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


def by_address(pair: tuple[str, str]) -> str:
    return "?".join(pair)[:60]


@pytest.mark.parametrize("language", INTERFACE_LANGUAGES)
@pytest.mark.parametrize("address", PAGES, ids=by_address)
def test_a_page_has_a_title_a_description_and_one_heading(
    page: OpenPage, address: tuple[str, str], language: str
) -> None:
    shown = page(*address, headers={"cookie": f"interface={language}"})

    assert shown.title.endswith("Abhidhan") or shown.title.startswith("Abhidhan")
    assert shown.description
    assert shown.one("h1").text.strip()
    assert shown.one("html").attributes["lang"] == language
    assert shown.one("link", rel="canonical").attributes["href"].startswith("https://dictionary.example/")


@pytest.mark.parametrize("address", PAGES, ids=by_address)
def test_every_link_to_a_word_tells_its_language_and_direction(page: OpenPage, address: tuple[str, str]) -> None:
    shown = page(*address)

    words = (link for link in shown.all("a") if link.attributes["href"].startswith("/dic/"))
    links = [link for link in words if link.attributes.get("rel") != "nofollow"]
    assert all({"lang", "dir"} <= set(link.attributes) for link in links)


@pytest.mark.parametrize("address", [*PAGES, *MISSING], ids=by_address)
def test_nothing_comes_from_another_host_and_nothing_is_inline(ask_page: Ask, address: tuple[str, str]) -> None:
    answer = ask_page(*address)

    text = answer.body.decode()
    assert "style=" not in text
    assert "onclick" not in text
    assert "<style" not in text
    for policy in ("script-src 'self'", "style-src 'self'", "default-src 'none'"):
        assert policy in answer.headers["content-security-policy"]
    for attribute in ("src=", 'rel="stylesheet" href='):
        assert f'{attribute}"http' not in text


@pytest.mark.parametrize("address", MISSING, ids=by_address)
def test_what_is_not_there_is_a_404_that_leads_on(page: OpenPage, address: tuple[str, str]) -> None:
    shown = page(*address, status=404)

    assert shown.one("h1").text
    assert shown.all("input", name="q")
    assert shown.one("meta", name="robots").attributes["content"] == "noindex"


@pytest.mark.parametrize("address", ["/dic/" + HOSTILE, "/dic/বিপদ", "/flashcards?set=3", "/proverbs", "/recent"])
def test_hostile_text_is_shown_and_not_obeyed(ask_page: Ask, address: str) -> None:
    path, _, query = address.partition("?")

    text = ask_page(path, query).body.decode()

    assert "<script>alert" not in text
    assert "alert(" in text


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("/dic/" + "ক" * 201, ""),
        ("/browse", "language=xx"),
        ("/proverbs", "q=" + "ক" * 501),
        ("/transliterate", "pa=" + "k" * 501),
        ("/transliterate", "scheme=none"),
        ("/flashcards", "set=x"),
        ("/recent", "language=xx"),
    ],
)
def test_what_cannot_be_understood_is_a_page_with_400(page: OpenPage, path: str, query: str) -> None:
    shown = page(path, query, status=400)

    assert shown.one("h1").text == "The request could not be understood"


def test_an_error_is_told_in_the_language_of_the_interface(page: OpenPage) -> None:
    shown = page("/nothing", status=404, headers={"accept-language": "as"})

    assert shown.one("h1").text == "পৃষ্ঠাখন পোৱা নগ’ল"


def test_a_page_is_answered_with_a_tag_and_not_kept_for_others(ask_page: Ask) -> None:
    answer = ask_page("/dic/পানী")

    assert answer.headers["cache-control"] == "private, no-cache"
    assert {"Cookie", "Accept-Language"} <= set(answer.headers["vary"].split(", "))
    assert ask_page("/dic/পানী", headers={"if-none-match": answer.headers["etag"]}).status == 304


@pytest.mark.parametrize(("interface", "said"), [("en", "adjective"), ("as", "বিশেষণ")])
def test_a_part_of_speech_is_said_once(ask_page: Ask, interface: str, said: str) -> None:
    page = ask_page("/dic/ৰঙা", headers={"accept-language": interface})

    assert f'<p class="kind">{said}' in page.body.decode()


def test_the_page_of_a_word_is_small(ask_page: Ask) -> None:
    page = ask_page("/dic/পানী")
    files = [
        ask_page(f"/assets/x/{name}", headers={"accept-encoding": "gzip"})
        for name in ("style.css", "main.js", "suggest.js", "keyboard.js", "article.js")
    ]

    assert len(page.body) < 30_000
    assert len(page.body) + sum(len(file.body) for file in files) < 60_000


@pytest.mark.parametrize("address", ["/account", "/recent", "/context"])
def test_the_top_of_every_page_leads_there(page: OpenPage, address: str) -> None:
    shown = page("/dic/পানী")

    main = shown.elements.index(shown.one("main"))
    assert any(shown.elements.index(link) < main for link in shown.links_to(address))


@pytest.mark.parametrize("address", [*PAGES, *MISSING], ids=by_address)
def test_landmarks_of_a_kind_have_names_of_their_own(page: OpenPage, address: tuple[str, str]) -> None:
    shown = page(*address, status=404 if address in MISSING else 200)

    assert_landmarks_differ(shown)


def test_what_asks_for_corrections_is_marked_and_not_printed(page: OpenPage, ask_page: Ask) -> None:
    shown = page("/dic/পানী")

    assert len([link for link in shown.all("a") if link.text == "Suggest a correction"]) == 1
    printed = ask_page("/assets/x/style.css").body.decode().partition("@media print")[2]
    assert {".more,", ".tail", ".tap"} <= set(printed.partition("display: none")[0].split())
