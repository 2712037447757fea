"""Settings that would otherwise be shown nowhere: each reaches what it is for (`tests/docs/test_settings.py`)."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from abhidhan.app import wiring
from abhidhan.platform.database.database import Database
from abhidhan.platform.sandbox.memory_budget import MemoryBudget
from abhidhan.records.people import Role
from abhidhan.records.settings import Settings
from tests.support.application import open_application
from tests.support.contributions import Site, opened_site, photo_bytes
from tests.support.databases import SqliteDatabases, load_sample, open_database
from tests.support.generated_recordings import encode_recording, make_voice
from tests.support.page import Page

DAY = 86_400


@pytest.fixture
def sample(sqlite_databases: SqliteDatabases) -> Iterator[Database]:
    """Open the sample."""
    with open_database(sqlite_databases, load_sample) as database:
        yield database


def statuses_after(site: Site, monkeypatch: pytest.MonkeyPatch, days: list[float]) -> list[int]:
    """Sign in, and ask who one is after each of these numbers of days since."""
    site.add("reader")
    accounts = site.write_side.accounts
    began = accounts.context.now()
    statuses = []
    for after in days:
        monkeypatch.setattr(accounts.context, "clock", lambda now=began + after * DAY: now)
        statuses.append(site.ask("GET", "/api/session", by="reader").status)
        site.run(accounts.context.finish())
    return statuses


def test_who_does_not_come_for_so_many_days_is_signed_out(
    sample: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened_site(sample, tmp_path, session_idle_days=2) as site:
        assert statuses_after(site, monkeypatch, [1.9, 3.8, 5.9]) == [200, 200, 401]


def test_after_so_many_days_everybody_signs_in_again(
    sample: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened_site(sample, tmp_path, session_idle_days=2, session_days=3) as site:
        assert statuses_after(site, monkeypatch, [1.9, 2.9, 3.1]) == [200, 200, 401]


def test_files_of_a_rejected_photo_and_recording_stay_for_so_many_days(
    sample: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened_site(sample, tmp_path, rejected_photo_days=7) as site:
        site.add("reader")
        site.add("editor", Role.EDITOR)
        assert site.send_photo("reader", photo_bytes()).status == 201
        assert site.send_recording("reader", encode_recording()).status == 201
        for kind in ("photos", "recordings"):
            assert site.ask("POST", f"/api/{kind}/1/reject", by="editor", json={"reason": "no"}).status == 200
        for service in (site.write_side.photos, site.write_side.recordings):
            rejected = service.now()
            for days, removed_count in ((6.9, 0), (7.1, 1)):
                monkeypatch.setattr(service.cleanup, "_clock", lambda now=rejected + days * DAY: now)
                assert site.run(service.cleanup.purge()) == removed_count, days


def test_photos_and_recordings_are_kept_in_the_folders_that_are_set(sample: Database, tmp_path: Path) -> None:
    folders = {"photos": str(tmp_path / "pictures"), "recordings": str(tmp_path / "voices")}
    with opened_site(sample, tmp_path / "home", **folders) as site:
        site.add("reader")
        assert site.send_photo("reader", photo_bytes()).status == 201
        assert site.send_recording("reader", encode_recording()).status == 201

    kept = [{file.suffix for file in Path(folder).rglob("*.*") if file.is_file()} for folder in folders.values()]
    assert kept == [{".jpg", ".webp"}, {".mp3"}]
    assert not list((tmp_path / "home").rglob("*.mp3")) + list((tmp_path / "home").rglob("*.jpg"))


def test_one_person_has_so_many_recordings_waiting(sample: Database, tmp_path: Path) -> None:
    with opened_site(sample, tmp_path, pending_recordings=1) as site:
        site.add("reader")
        sent = [encode_recording(), encode_recording(samples=make_voice(vowels=9.0, pitch=190.0))]

        assert [site.send_recording("reader", each).status for each in sent] == [201, 429]


def test_what_is_decoded_shares_so_much_memory(
    sample: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []

    class Noted(MemoryBudget):
        def __init__(self, path: Path, size: int) -> None:
            sizes.append(size)
            super().__init__(path, size)

    monkeypatch.setattr(wiring, "MemoryBudget", Noted)
    with opened_site(sample, tmp_path, photo_memory_mb=1_500):
        assert sizes == [1_500 * 1_048_576]


def test_named_networks_may_read_metrics(sample: Database, tmp_path: Path) -> None:
    for networks, status in (("", 403), ("10.0.0.0/8, 192.0.2.0/24", 200)):
        with open_application(sample, tmp_path / str(status), metrics_allowed=networks) as ask:
            assert ask("/metrics", client=("192.0.2.7", 5000)).status == status


def test_browsers_are_held_to_https_where_the_address_begins_with_it(
    sample: Database, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    https: dict[str, Any] = {"base_url": "https://abhidhan.example.org"}
    cases: tuple[tuple[dict[str, Any], str, str | None], ...] = (
        (https, "https", "max-age=86400"),
        (https | {"https_only_seconds": 60}, "https", "max-age=60"),
        (https | {"https_only_seconds": 0}, "https", None),
        (https, "http", None),
        ({"base_url": "http://abhidhan.example.org"}, "https", None),
        ({}, "https", None),
    )
    for number, (settings, scheme, header) in enumerate(cases):
        with (
            subtests.test(scheme, **settings),
            open_application(sample, tmp_path / str(number), trusted_proxies="192.0.2.0/24", **settings) as ask,
        ):
            for path in ("/", "/api/dic.php", "/no/such/page"):
                answer = ask(path, headers={"X-Forwarded-Proto": scheme})

                assert answer.headers.get("strict-transport-security") == header


def test_pages_show_the_languages_that_the_operator_sets(sample: Database, tmp_path: Path) -> None:
    with open_application(sample, tmp_path / "home", page_languages="bn, hi") as ask:
        page = Page(ask("/dic/পানী").body.decode())

        answer = page.one("h2", **{"class": "answer"})
        assert [link.language for link in page.all("a") if link.text in answer.text][:3] == ["en", "bn", "bn"]


CHOICES: Any = {
    "wiki_en": "https://en.example/api.php",
    "wiki_as": "https://as.example/api.php",
    "wiki_bn": "https://bn.example/api.php",
    "zim_en": "/en.zim",
    "zim_as": "/as.zim",
    "zim_bn": "/bn.zim",
    "articles_en": "wiki",
    "articles_as": "zim",
    "articles_bn": "wiki, zim",
    "wiki_contact": "desk@dictionary.example",
    "article_days": 3,
    "article_missing_hours": 5,
    "article_length": 700,
    "wiki_connect_seconds": 4,
    "wiki_total_seconds": 9,
}


def test_each_choice_of_articles_is_that_of_its_setting(tmp_path: Path) -> None:
    choices = Settings(home=tmp_path, **CHOICES).encyclopedia

    assert [(each.wiki, each.zim, each.source_kinds) for each in choices.sources] == [
        ("https://en.example/api.php", "/en.zim", ("wiki",)),
        ("https://as.example/api.php", "/as.zim", ("zim",)),
        ("https://bn.example/api.php", "/bn.zim", ("wiki", "zim")),
    ]
    assert choices.contact == "desk@dictionary.example"
    assert (choices.lifetimes.found, choices.lifetimes.missing) == (3 * DAY, 5 * 3_600)
    assert (choices.max_extract_length, choices.connect_seconds, choices.total_seconds) == (700, 4, 9)
