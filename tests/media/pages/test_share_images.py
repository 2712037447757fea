"""Pages have the tags and the picture that sites and apps show when an address is shared."""

import io
from typing import Final
from urllib.parse import unquote

from PIL import Image

from abhidhan.platform.http.assets import asset_address
from tests.support.page import Page
from tests.support.page_fixtures import Ask, OpenPage

BASE = "https://dictionary.example"
ASSAMESE = {"cookie": "interface=as"}


def tag(page: Page, name: str) -> str:
    return page.one("meta", property=name).attributes["content"]


def picture(page: Page) -> list[str]:
    """Return the address, the size and the text of the picture that a page names."""
    return [tag(page, f"og:image{part}") for part in ("", ":width", ":height", ":alt")]


def test_a_word_is_shared_with_its_meaning(page: OpenPage) -> None:
    shown = page("/dic/পানী")

    assert tag(shown, "og:title") == "পানী: water · Abhidhan"
    assert "A clear liquid" in tag(shown, "og:description")
    assert tag(shown, "og:locale") == "en_US"
    assert tag(page("/dic/পানী", headers=ASSAMESE), "og:locale") == "as_IN"
    assert shown.one("meta", name="twitter:card").attributes["content"] == "summary_large_image"


def test_a_sense_is_shared_as_itself_and_not_as_its_word(page: OpenPage, ask_page: Ask) -> None:
    address = unquote(ask_page("/sense/1").headers["location"])
    path, _, query = address.partition("?")

    shown = page(path, query)

    canonical = shown.one("link", rel="canonical").attributes["href"]
    assert unquote(canonical) == BASE + address
    assert tag(shown, "og:url") == canonical


def test_every_page_without_a_photo_has_the_picture_of_the_site(page: OpenPage, ask_page: Ask) -> None:
    proverb = unquote(ask_page("/proverb/1").headers["location"])
    for path in ("/", "/browse", "/proverbs", "/about", "/dic/পানী", proverb):
        [address, *rest] = picture(page(path, headers=ASSAMESE))
        assert address == BASE + asset_address("preview.png"), path
        assert rest == ["1200", "630", "অভিধান · Abhidhan"]

    answer = ask_page(asset_address("preview.png"))
    assert answer.headers["content-type"] == "image/png"
    assert "immutable" in answer.headers["cache-control"]
    assert Image.open(io.BytesIO(answer.body)).size == (1200, 630)


OLD_ADDRESSES: Final[tuple[str, ...]] = (
    "/preview/site.png",
    "/preview/word/1.png",
    "/preview/sense/99999.png",
    "/preview/proverb/1.png",
    "/today.png",
    "/today/proverb.png",
    "/today/2026-11-23.png",
    "/today/2026-11-23/proverb.png",
)


def test_old_picture_addresses_redirect_to_the_site_picture(ask_page: Ask) -> None:
    for path in OLD_ADDRESSES:
        answer = ask_page(path, "interface=as")

        assert (answer.status, answer.headers["location"]) == (301, asset_address("preview.png")), path
        assert answer.headers["cache-control"] == "public, max-age=2592000"
