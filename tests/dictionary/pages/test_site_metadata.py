import gzip
import re
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree as ET

import msgspec

from tests.support.page_fixtures import HOSTILE, Ask, OpenPage
from tools.make_fonts import LABELS

SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
ATOM = "{http://www.w3.org/2005/Atom}"


def test_the_sitemap_lists_files_of_words(ask_page: Ask) -> None:
    index = ET.fromstring(ask_page("/sitemap.xml").body)  # noqa: S314  # our own
    files = [element.text or "" for element in index.iter(f"{SITEMAP}loc")]

    words = ET.fromstring(ask_page("/sitemap.xml", files[1].partition("?")[2]).body)  # noqa: S314  # our own

    addresses = [element.text or "" for element in words.iter(f"{SITEMAP}loc")]
    assert "https://dictionary.example/dic/water" in addresses
    assert all(address.isascii() and address.startswith("https://dictionary.example/dic/") for address in addresses)
    assert len(files) == 2
    assert len(addresses) == len(set(addresses))


def test_the_first_file_of_the_sitemap_lists_pages(ask_page: Ask) -> None:
    assert b"<loc>https://dictionary.example/browse</loc>" in ask_page("/sitemap.xml", "part=1").body


def test_an_unknown_part_of_the_sitemap_is_404(ask_page: Ask) -> None:
    assert ask_page("/sitemap.xml", "part=9").status == 404


def test_the_feed_lists_the_newest_words(ask_page: Ask) -> None:
    for query in ("", "language=as"):
        answer = ask_page("/feed.atom", query)

        feed = ET.fromstring(answer.body)  # noqa: S314  # our own
        entries = feed.findall(f"{ATOM}entry")
        assert answer.headers["content-type"].startswith("application/atom+xml")
        assert len(entries) > 5
        assert HOSTILE in {entry.findtext(f"{ATOM}title") for entry in entries} or query
        assert entries[0].findtext(f"{ATOM}updated") == "2026-09-21T14:13:20Z"


def test_feeds_are_open_to_other_sites_and_revalidated(ask_page: Ask) -> None:
    for path in ("/feed.atom", "/today.xml"):
        feed = ask_page(path)

        assert feed.headers["access-control-allow-origin"] == "*", path
        assert ask_page(path, headers={"if-none-match": feed.headers["etag"]}).status == 304


def test_a_long_feed_is_compressed(ask_page: Ask) -> None:
    feed = ask_page("/feed.atom", headers={"accept-encoding": "gzip"})

    assert feed.headers["content-encoding"] == "gzip"
    assert gzip.decompress(feed.body) == ask_page("/feed.atom").body


def test_browsers_can_search_and_suggest(ask_page: Ask) -> None:
    description = ask_page("/opensearch.xml").body.decode()

    assert 'template="https://dictionary.example/search?q={searchTerms}"' in description
    assert msgspec.json.decode(ask_page("/opensearch/suggest", "q=pani").body)[1]
    assert msgspec.json.decode(ask_page("/opensearch/suggest").body) == ["", []]


def test_robots_txt_names_the_sitemap(ask_page: Ask) -> None:
    text = ask_page("/robots.txt").body.decode()

    assert "Sitemap: https://dictionary.example/sitemap.xml" in text
    assert "Disallow: /account" in text


def test_llms_txt_names_the_api(ask_page: Ask) -> None:
    answer = ask_page("/llms.txt")

    assert answer.headers["content-type"].startswith("text/plain")
    assert b"https://dictionary.example/api/openapi.json" in answer.body
    assert b"abhidhan-mcp, a client of this API, with `ABHIDHAN_URL=https://dictionary.example`" in answer.body


def test_every_address_in_llms_txt_exists(ask_page: Ask) -> None:
    text = ask_page("/llms.txt").body.decode()

    addresses = {urlsplit(found) for found in re.findall(r"https://dictionary\.example[^\s)`]*", text)}
    not_asked = {"", "/api/lookup"}
    answers = {each.path: ask_page(unquote(each.path), each.query).status for each in addresses}
    assert {path for path, status in answers.items() if status != 200} <= not_asked


def test_the_icons_of_the_manifest_exist(ask_page: Ask) -> None:
    manifest = msgspec.json.decode(ask_page("/manifest.webmanifest").body)

    for icon in manifest["icons"]:
        assert ask_page(icon["src"]).headers["content-type"].startswith("image/")


def test_files_are_immutable_only_under_their_own_fingerprint(ask_page: Ask, page: OpenPage) -> None:
    address = page("/").one("link", rel="stylesheet").attributes["href"]

    assert "immutable" in ask_page(address).headers["cache-control"]
    assert ask_page("/assets/old/style.css").headers["cache-control"] == "public, max-age=60"
    assert ask_page("/assets/old/nothing.css").status == 404
    assert ask_page("/assets/old/../rendering.py").status == 404


def test_the_licence_of_the_fonts_is_served_with_them(ask_page: Ask) -> None:
    assert b"SIL Open Font License" in ask_page("/assets/x/OFL.txt").body
    assert ask_page("/assets/x/assamese-serif.woff2").headers["content-type"] == "font/woff2"


def test_only_fixed_text_is_set_in_the_font_of_labels(page: OpenPage) -> None:
    for address in ("/", "/settings", "/account/sign-in"):
        elements = page(address).elements
        labels = [each.text for each in elements if "interface-label" in each.attributes.get("class", "")]

        assert "অসমীয়া" in labels, address
        assert {text for text in labels if not text.isascii()} <= {*LABELS}


def test_favicon_ico_redirects_to_the_icon(ask_page: Ask) -> None:
    answer = ask_page("/favicon.ico")

    assert (answer.status, answer.headers["cache-control"]) == (301, "public, max-age=3600")
    assert ask_page(answer.headers["location"]).headers["content-type"] == "image/png"
