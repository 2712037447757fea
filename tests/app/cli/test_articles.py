from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from abhidhan.app.cli import articles
from abhidhan.records.errors import AbhidhanError, InputError, SettingError, UnavailableError
from abhidhan.records.settings_reading import load_settings
from tests.support.encyclopedia import StubbornWiki, encode_http_response, make_api_response, reply_with, running_wiki
from tests.support.server import copy_starter

program = typer.Typer()
articles.register(program)


@pytest.fixture
def wiki(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[StubbornWiki]:
    """Run a wiki that has every article, and a dictionary that asks it for Assamese ones."""
    copy_starter(tmp_path)
    with running_wiki(reply_with(encode_http_response(make_api_response("অসম", "অসম এখন ৰাজ্য।")))) as wiki:
        for name, value in {
            "HOME": str(tmp_path),
            "WIKI_AS": wiki.address,
            "WIKI_CONTACT": "tests@example.org",
        }.items():
            monkeypatch.setenv(f"ABHIDHAN_{name}", value)
        yield wiki


def run(*arguments: str) -> str:
    """Run a command; give its output, or raise its error."""
    result = CliRunner().invoke(program, ["articles", *arguments])
    if isinstance(result.exception, AbhidhanError):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.stdout


def test_articles_are_fetched_ahead_once_and_can_be_purged(wiki: StubbornWiki) -> None:
    assert run("fetch", "--language", "as", "--most", "3").splitlines()[-1] == "found: 3"
    assert len(wiki.request_lines) == 3
    assert run("fetch", "--most", "3").splitlines()[-1] == "already known: 3"
    assert run("purge", "--missing") == "0 entries removed.\n"
    assert run("purge", "--stale") == "0 entries removed.\n"
    assert run("purge") == "3 entries removed.\n"
    assert len(wiki.request_lines) == 3


def test_a_language_without_an_encyclopedia_is_refused(wiki: StubbornWiki) -> None:
    with pytest.raises(InputError, match="one of en, as, bn"):
        run("fetch", "--language", "hi")

    assert wiki.request_lines == []


def test_a_long_retry_after_of_the_wiki_ends_the_fetching(wiki: StubbornWiki) -> None:
    wiki.behaviour = reply_with(encode_http_response(b"", "503 Service Unavailable", {"Retry-After": "3600"}))

    with pytest.raises(UnavailableError, match="cannot be reached"):
        run("fetch", "--most", "1")


def test_settings_choose_the_sources_of_articles(wiki: StubbornWiki) -> None:
    choices = load_settings(articles_en="wiki,zim", zim_bn="/bn.zim", article_days=0.5).encyclopedia

    assert [source.source_kinds for source in choices.sources] == [("wiki", "zim"), ("zim", "wiki"), ("zim", "wiki")]
    assert [source.language_id for source in choices.sources] == [1, 2, 22]
    assert choices.sources[0].wiki == "https://en.wikipedia.org/w/api.php"
    assert choices.sources[1].wiki == wiki.address
    assert choices.sources[2].zim == "/bn.zim"
    assert (choices.lifetimes.found, choices.lifetimes.missing) == (43_200, 21_600)


def test_a_wrong_setting_is_named_in_its_error(wiki: StubbornWiki) -> None:
    del wiki
    wrong: tuple[tuple[str, object], ...] = (
        ("wiki_en", "ftp://example.org/api.php"),
        ("wiki_en", "https://example.org/wiki/"),
        ("wiki_en", "https:///api.php"),
        ("wiki_contact", "a\r\nHost: b"),
        ("wiki_contact", "অসম"),
        ("articles_as", "zim, gopher"),
        ("article_days", 0),
        ("wiki_total_seconds", 0),
    )
    for name, value in wrong:
        with pytest.raises(SettingError, match=f"--{name.replace('_', '-')} is .*, but must be"):
            load_settings(**{name: value})
