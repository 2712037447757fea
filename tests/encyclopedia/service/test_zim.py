import asyncio
import random
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest
from libzim.writer import Creator, Hint, Item, StringProvider  # type: ignore[import-untyped]

from abhidhan.encyclopedia.service import zim
from abhidhan.encyclopedia.service.zim import ZimFile
from abhidhan.records.encyclopedia_articles import ArticleOutcome, ArticleReply
from abhidhan.records.errors import SettingError

PAGES = {
    "অসম": "<h1>অসম</h1><p><b>অসম</b> উত্তৰ-পূব ভাৰতৰ এখন ৰাজ্য।</p><h2>ইতিহাস</h2><p>পুৰণি।</p>",
    "ল’ৰা": "<p>ল’ৰা মানে পুত্ৰ সন্তান।</p>",
    "গড়গাঁও": "<p>আহোমৰ ৰাজধানী।</p>",
    "Brahmaputra_River": '<link rel="canonical" href="https://as.wikipedia.org/wiki/B"><p>A river.</p>',
    "Elsewhere": '<link rel="canonical" href="https://elsewhere.example/B"><p>A page.</p>',
    "Mercury": '<div id="disambigbox"></div><p>Mercury is one of these:</p><ul><li>a planet</li></ul>',
    "Empty": "<table><tr><td>box</td></tr></table>",
}
REDIRECTS = {"Assam": "অসম", "Asom": "Assam"}


class Page(Item):  # type: ignore[misc]  # libzim has no types
    """A page to be written into a ZIM file."""

    def __init__(self, path: str, html: str) -> None:
        """Take the path, which is its title too, and the page."""
        super().__init__()
        self.path, self.html = path, html

    def get_path(self) -> str:
        """Return where it stands."""
        return self.path

    def get_title(self) -> str:
        """Return what it is called."""
        return self.path.replace("_", " ")

    def get_mimetype(self) -> str:
        """Return what it is."""
        return "text/html" if self.html.startswith("<") else "image/png"

    def get_contentprovider(self) -> StringProvider:
        """Return the page."""
        return StringProvider(self.html)

    def get_hints(self) -> dict[Hint, bool]:
        """Say that it is an article."""
        return {Hint.FRONT_ARTICLE: True}


def write_zim(file: Path, metadata: Mapping[str, str]) -> Path:
    """Write a ZIM file with the pages above."""
    with Creator(file).config_indexing(False, "asm") as created:  # noqa: FBT003  # libzim takes no keyword
        created.set_mainpath("অসম")
        for path, html in {**PAGES, "Picture": "no page"}.items():
            created.add_item(Page(path, html))
        for path, target in REDIRECTS.items():
            created.add_redirection(path, path, target, {})
        for name, value in metadata.items():
            created.add_metadata(name, value)
    return file


@pytest.fixture(scope="session")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a file that says all about itself."""
    said = {"Title": "অসমীয়া ৱিকিপিডিয়া", "Date": "2026-05-01", "Source": "as.wikipedia.org", "Language": "asm"}
    return write_zim(tmp_path_factory.mktemp("zim") / "as.zim", said)


def find(file: Path, *titles: str) -> ArticleReply:
    """Ask a file once."""

    async def ask() -> ArticleReply:
        opened = ZimFile(file)
        try:
            return await opened.find(titles)
        finally:
            await opened.close()

    return asyncio.run(ask())


def test_an_article_is_found(file: Path) -> None:
    assert find(file, "অসম") == ArticleReply(
        outcome=ArticleOutcome.FOUND,
        source="অসমীয়া ৱিকিপিডিয়া 2026-05-01",
        licence="CC BY-SA 4.0",
        title="অসম",
        extract="অসম উত্তৰ-পূব ভাৰতৰ এখন ৰাজ্য।",
        url="https://as.wikipedia.org/wiki/%E0%A6%85%E0%A6%B8%E0%A6%AE",
    )


FOUND_TITLES: Final[tuple[tuple[list[str], str], ...]] = (
    (["Asom"], "অসম"),
    (["Assam"], "অসম"),
    (["Brahmaputra River"], "Brahmaputra River"),
    (["Nothing", "ল’ৰা"], "ল’ৰা"),
    (["গড়গাঁও"], "গড়গাঁও"),
)


def test_redirects_and_spellings_of_titles_are_followed(file: Path) -> None:
    for titles, found in FOUND_TITLES:
        reply = find(file, *titles)

        assert (reply.outcome, reply.title) == (ArticleOutcome.FOUND, found), titles


def test_a_missing_article_differs_from_an_empty_one(file: Path) -> None:
    assert find(file, "Nothing").outcome == find(file, "Picture").outcome == ArticleOutcome.NO_ARTICLE
    assert find(file, "Empty").outcome == ArticleOutcome.NO_EXTRACT


def test_a_page_has_its_own_address_and_disambiguation_is_recognized(file: Path) -> None:
    assert find(file, "Brahmaputra River").url == "https://as.wikipedia.org/wiki/B"
    assert find(file, "Elsewhere").url == "https://as.wikipedia.org/wiki/Elsewhere"
    assert find(file, "Mercury").disambiguation
    assert not find(file, "অসম").disambiguation


def test_a_file_without_a_valid_source_has_no_addresses(tmp_path: Path) -> None:
    reply = find(write_zim(tmp_path / "plain.zim", {}), "অসম")

    assert (reply.source, reply.licence, reply.url) == ("plain", None, None)
    for number, source in enumerate(("javascript://x.example/%0aalert(1)", "https://a@b.example", "no host", "://")):
        assert find(write_zim(tmp_path / f"{number}.zim", {"Source": source}), "অসম").url is None, source


def test_a_page_that_is_too_large_is_not_decompressed(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zim, "MAX_PAGE_BYTES", 10)

    assert find(file, "অসম").outcome is ArticleOutcome.NO_EXTRACT


def test_random_damage_causes_only_reported_errors(file: Path, tmp_path: Path) -> None:
    """Damaged at random, at the same places each time. Fifteen thousand such files were tried once, with no crash."""
    whole, copy, chance = file.read_bytes(), tmp_path / "copy.zim", random.Random(1)  # noqa: S311  # no secret
    told = Counter[str]()
    for number in range(300):
        damaged = bytearray(whole[: chance.randrange(len(whole))] if number % 10 == 0 else whole)
        for _ in range(chance.randrange(1, 8)):
            # What leads to everything else stands at the beginning, and there each byte matters.
            place = chance.randrange(4_096 if chance.random() < 0.7 else len(damaged))
            damaged[min(place, len(damaged) - 1) : place + 1] = bytes([chance.randrange(256)])
        copy.write_bytes(damaged)
        try:
            told[find(copy, "অসম", "Asom", "Mercury").outcome] += 1
        except SettingError as error:
            told["told at the start" if str(copy) in str(error) else str(error)] += 1
    assert told["told at the start"] > 30
    assert set(told) <= {*ArticleOutcome, "told at the start"}


def test_a_file_that_cannot_be_opened_is_reported(tmp_path: Path) -> None:
    (tmp_path / "broken.zim").write_bytes(b"x" * 500)

    for name in ("broken.zim", "absent.zim"):
        with pytest.raises(SettingError, match=f"{name} cannot be opened as a ZIM file"):
            ZimFile(tmp_path / name)


def test_without_libzim_the_error_names_the_optional_package(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "libzim.reader", None)

    with pytest.raises(SettingError, match=r"optional package `zim`: docs/installing\.md"):
        ZimFile(file)


def test_a_file_that_is_damaged_later_is_unreachable(file: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.zim"
    whole = file.read_bytes()
    header = 80
    copy.write_bytes(whole[:header] + whole[header : len(whole) // 3] + b"\0" * (len(whole) - len(whole) // 3))
    try:
        reply = find(copy, "অসম")
    except SettingError:
        return

    assert reply.outcome in {ArticleOutcome.UNREACHABLE, ArticleOutcome.NO_ARTICLE}
