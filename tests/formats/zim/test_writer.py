"""The dictionary as a small site in a ZIM file: read by libzim, checked by zimcheck, served by kiwix-serve."""

import re
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urljoin

import httpx2
import pytest
from libzim.reader import Archive  # type: ignore[import-untyped]
from libzim.suggestion import SuggestionSearcher  # type: ignore[import-untyped]

from abhidhan.exchange.model import ExportSelection
from abhidhan.exchange.service import exporting
from abhidhan.exchange.service.exporting import ExportError, export
from abhidhan.formats.zim import file as zim_file
from abhidhan.formats.zim import writer
from abhidhan.platform.database.database import Database
from abhidhan.platform.sandbox.artifact_store import ArtifactStore
from abhidhan.publishing.service.downloads import generate_downloads
from abhidhan.records.errors import InputError
from tests.support.databases import SqliteDatabases, load_sample
from tests.support.disk import limit_file_size
from tests.support.ports import free_port
from tests.support.programs import find_program, run
from tests.support.sample import NOW

LINK = re.compile(r'(?:href|src)="([^"]*)"')


@pytest.fixture(scope="module")
def sample(sqlite_databases: SqliteDatabases) -> Database:
    """Open the sample for all tests of this file."""
    return Database(sqlite_databases.copy(load_sample))


@pytest.fixture(scope="module")
def site(sample: Database, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the site of the sample, in lists of few words."""
    file = tmp_path_factory.mktemp("zim") / "abhidhan.zim"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(writer, "WORDS_PER_LIST", 7)
        patch.setattr(writer, "LISTS_PER_PAGE", 3)
        export(sample, "zim", file)
    return file


def page(archive: Archive, path: str) -> str:
    return bytes(archive.get_entry_by_path(path).get_item().content).decode()


def crawl(archive: Archive) -> dict[str, str]:
    """Read all pages that links lead to from the first one; fail where one leads nowhere, or out of the file."""
    found: dict[str, str] = {}
    waiting = [archive.main_entry.get_item().path]
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        found[path] = page(archive, path) if path.endswith(".html") else ""
        for link in LINK.findall(found[path]):
            target = urljoin(f"http://x/{path}", link).removeprefix("http://x/")
            assert "://" not in target
            assert archive.has_entry_by_path(target), (path, link)
            waiting.append(target)
    return found


def test_every_word_is_linked_from_the_main_page_and_no_link_is_broken(sample: Database, site: Path) -> None:
    pages = crawl(Archive(site))

    with sample.snapshot() as reader:
        book = exporting.build_export_source(reader, ExportSelection())
        words = {f"w/{word.id}.html" for language in book.languages for word in book.words(language.id)}
    assert {path for path in pages if path.startswith("w/")} == words
    assert {"index.html", "terms.html", "style.css", "a/as.html", "a/as-1.html", "a/as-1-1.html"} <= set(pages)
    assert not [path for path, html in pages.items() if "<script" in html or "style=" in html]


def test_a_word_page_has_links_to_translations(site: Path) -> None:
    archive = Archive(site)
    suggested = list(SuggestionSearcher(archive).suggest("pani").getResults(0, 20))
    entry = next(archive.get_entry_by_path(path) for path in suggested if archive.get_entry_by_path(path).is_redirect)

    html = page(archive, entry.get_redirect_entry().path)
    assert '<h1 lang="as" dir="ltr">পানী</h1>' in html
    assert re.search(r'<dt>English</dt><dd lang="en" dir="ltr"><a href="\d+\.html">water</a>', html)
    assert 'url("fonts/assamese.ttf")' in page(archive, "style.css")
    assert "SIL OPEN FONT LICENSE" in page(archive, "fonts/OFL.txt").upper()


def test_the_metadata_follow_openzim(site: Path) -> None:
    archive = Archive(site)
    metadata = {name: archive.get_metadata(name).decode(errors="replace") for name in archive.metadata_keys}

    mandatory = {"Title", "Description", "Language", "Creator", "Publisher", "Date", "Name", "Counter"}
    assert mandatory | {"Flavour", "License", "Illustration_48x48@1"} <= set(metadata)
    assert len(metadata["Title"]) <= 30
    assert len(metadata["Description"]) <= 80
    assert {"asm", "eng"} <= set(metadata["Language"].split(","))
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", metadata["Date"])
    picture = bytes(archive.get_illustration_item(48).content)
    assert struct.unpack(">II", picture[16:24]) == (48, 48)
    assert archive.check()


def test_an_export_of_one_language_has_pages_for_its_words_only(sample: Database, tmp_path: Path) -> None:
    choice = exporting.build_selection(
        sample.read_now(lambda reader: reader.catalogue), languages=["as"], extra_languages=["en"]
    )
    export(sample, "zim", tmp_path / "as.zim", choice)
    archive = Archive(tmp_path / "as.zim")

    assert archive.get_metadata("Language").decode() == "asm"
    assert archive.get_metadata("Name").decode() == "abhidhan_as_all"
    assert any('<dt>English</dt><dd lang="en" dir="ltr">water</dd>' in html for html in crawl(archive).values())


def test_without_libzim_the_format_is_rejected_and_not_among_the_downloads(
    sample: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "libzim", None)

    with pytest.raises(InputError, match="optional package"):
        export(sample, "zim", tmp_path / "a.zim")
    made = generate_downloads(sample, ArtifactStore(tmp_path / "made"), now=NOW, formats=("zim", "csv"))
    assert [one.format for one in made.files] == ["csv"]


def test_a_full_disk_is_reported_and_leaves_no_file(sample: Database, tmp_path: Path) -> None:
    for size in (100_000, 40_000):
        with limit_file_size(size), pytest.raises(ExportError, match=r"a\.zim cannot be written"):
            export(sample, "zim", tmp_path / "a.zim")

    assert list(tmp_path.iterdir()) == []


def test_a_keyboard_interrupt_is_not_hidden_by_libzim(
    sample: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(zim_file._ZimItem, "get_mimetype", interrupted)  # noqa: SLF001  # as libzim calls it

    with pytest.raises(KeyboardInterrupt):
        export(sample, "zim", tmp_path / "a.zim")


@pytest.mark.thorough
def test_zimcheck_finds_no_fault(site: Path) -> None:
    zimcheck = find_program("zimcheck", "zim-tools")

    report = run(zimcheck, str(site))

    assert "Overall Test Status: Pass" in report
    assert not re.search(r"\[(?:ERROR|WARNING)\]", report), report


@contextmanager
def serve(site: Path) -> Iterator[str]:
    """Serve a file as people do in a school without a network."""
    port = free_port()
    kiwix = find_program("kiwix-serve", "kiwix-tools")
    process = subprocess.Popen([kiwix, "--address", "127.0.0.1", "--port", str(port), str(site)])  # noqa: S603
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()


def ask(address: str) -> httpx2.Response:
    """Ask, once the server answers."""
    for _ in range(600):
        try:
            return httpx2.get(address, follow_redirects=True, timeout=60)
        except httpx2.TransportError:
            time.sleep(0.1)
    pytest.fail("kiwix-serve does not answer")


@pytest.mark.thorough
def test_kiwix_serve_shows_pages_and_suggests_words(site: Path) -> None:
    with serve(site) as address:
        first = ask(f"{address}/abhidhan/index.html")
        suggested = ask(f"{address}/suggest?content=abhidhan&term=pani").json()
        word = ask(f"{address}/abhidhan/{suggested[0]['path']}")

    assert first.status_code == 200
    assert "অসমীয়া" in first.text
    assert "পানী" in {part for one in suggested for part in one["value"].split(" · ")}
    assert "water" in word.text
