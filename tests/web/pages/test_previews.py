"""What sites and apps show where an address is shared: the tags of pages, and their pictures."""

import io
from datetime import UTC, datetime
from urllib.parse import unquote

import pytest
from PIL import Image

from tests.support.page import Page
from tests.web.pages.conftest import Ask, Open

BASE = "https://dictionary.example"


def tag(page: Page, name: str) -> str:
    return page.one("meta", property=name).attributes["content"]


def test_a_word_is_shared_with_its_meaning_and_a_picture_of_its_own(page: Open, site: Ask) -> None:
    shown = page("/dic/পানী")

    assert tag(shown, "og:title") == "পানী: water · Abhidhan"
    assert "A clear liquid" in tag(shown, "og:description")
    assert tag(shown, "og:locale") == "en_US"
    assert tag(shown, "og:image") == f"{BASE}/preview/word/1.png"
    assert (tag(shown, "og:image:width"), tag(shown, "og:image:height")) == ("1200", "630")
    assert shown.one("meta", name="twitter:card").attributes["content"] == "summary_large_image"
    assert size_of(site("/preview/word/1.png").body) == (1200, 630)


def test_a_sense_is_shared_as_itself_and_not_as_its_word(page: Open, site: Ask) -> None:
    address = unquote(site("/sense/1").headers["location"])
    path, _, query = address.partition("?")

    shown = page(path, query)

    canonical = shown.one("link", rel="canonical").attributes["href"]
    assert unquote(canonical) == BASE + address
    assert tag(shown, "og:url") == canonical
    assert tag(shown, "og:image") == f"{BASE}/preview/sense/1.png"
    assert size_of(site("/preview/sense/1.png").body) == (1200, 630)


@pytest.mark.parametrize("path", ["/", "/browse", "/proverbs", "/context", "/about"])
def test_pages_of_no_one_entry_have_the_picture_of_the_site(page: Open, site: Ask, path: str) -> None:
    assert tag(page(path), "og:image") == f"{BASE}/preview/site.png"
    assert tag(page(path, headers={"cookie": "interface=as"}), "og:locale") == "as_IN"
    assert size_of(site("/preview/site.png").body) == (1200, 630)


def test_a_proverb_has_a_picture(page: Open, site: Ask) -> None:
    shown = page(unquote(site("/proverb/1").headers["location"]))

    assert tag(shown, "og:image") == f"{BASE}/preview/proverb/1.png"
    assert size_of(site("/preview/proverb/1.png").body) == (1200, 630)


def test_the_word_and_the_proverb_of_a_day_are_pictures_that_are_new_at_midnight(site: Ask) -> None:
    today = datetime.now(UTC).date().isoformat()

    answers = [site(path) for path in ("/today.png", f"/today/{today}.png", "/today/proverb.png")]

    assert [size_of(answer.body) for answer in answers] == [(1200, 630)] * 3
    assert answers[0].body == answers[1].body
    assert answers[0].body != answers[2].body
    assert answers[0].headers["cache-control"].startswith("public, max-age=")
    assert site(f"/today/{today}/proverb.png").body == answers[2].body
    assert site("/today/2999-01-01.png").status == 400
    assert site("/today/x.png").status == 400


def test_pages_in_assamese_have_pictures_that_say_in_assamese_what_they_are(page: Open, site: Ask) -> None:
    assamese = {"cookie": "interface=as"}

    assert tag(page("/", headers=assamese), "og:image") == f"{BASE}/preview/site.png?interface=as"
    assert tag(page("/dic/পানী", headers=assamese), "og:image") == f"{BASE}/preview/word/1.png?interface=as"
    assert page("/", headers=assamese).links_to("/today.png?interface=as")
    for path in ("/preview/site.png", "/preview/word/1.png", "/preview/sense/1.png", "/preview/proverb/1.png"):
        assert site(path, headers=assamese).body == site(path).body, "a cookie changes what everybody may keep"
        assert site(path, "interface=as").body != site(path).body
    assert site("/today.png", "interface=as").body != site("/today.png").body
    assert site("/today.png", "interface=xx").status == 400


def test_who_has_a_picture_is_told_so(site: Ask) -> None:
    first = site("/preview/word/1.png")

    again = site("/preview/word/1.png", headers={"if-none-match": first.headers["etag"]})

    assert first.headers["content-type"] == "image/png"
    assert first.headers["cross-origin-resource-policy"] == "cross-origin"
    assert "max-age=3600" in first.headers["cache-control"]
    assert (again.status, again.body) == (304, b"")


@pytest.mark.parametrize(
    "path",
    ["/preview/word/99999.png", "/preview/word/1", "/preview/word/x.png", "/preview/sense/99999.png", "/preview/x.png"],
)
def test_what_is_not_there_has_no_picture(site: Ask, path: str) -> None:
    assert site(path).status == 404


def size_of(body: bytes) -> tuple[int, int]:
    return Image.open(io.BytesIO(body)).size
