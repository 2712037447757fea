from collections.abc import Callable
from xml.etree import ElementTree as ET

import pytest

from tests.contract.test_bad_input import BAD
from tests.support.asgi import AsgiResponse

Ask = Callable[..., AsgiResponse]
ATOM = "{http://www.w3.org/2005/Atom}"


def test_today_is_the_same_for_everybody_and_is_kept_until_midnight_at_most(api: Ask) -> None:
    first, again = api("/api/today"), api("/api/today")

    assert list(first.json) == ["date", "word", "phrase"]
    assert first.json["word"]["meanings"]
    assert first.json["phrase"]["meaning"]
    assert again.body == first.body == api("/api/today", {"date": first.json["date"]}).body
    control, _, seconds = first.headers["cache-control"].partition(", stale-if-error")[0].partition("max-age=")
    assert control == "public, "
    assert 0 < int(seconds) <= 300
    assert first.headers["access-control-allow-origin"] == "*"
    unchanged = api("/api/today", headers={"If-None-Match": first.headers["etag"]})
    assert (unchanged.status, unchanged.body) == (304, b"")


@pytest.mark.parametrize("day", ["9999-12-31", "2026-1-1", "20261122", "2026-W47-7", "2026-02-30", "today", "-1"])
def test_a_date_in_the_future_or_no_date_at_all_is_400(api: Ask, day: str) -> None:
    answered = api("/api/today", {"date": day})

    assert (answered.status, answered.json["errors"][0]["parameter"]) == (400, "date")


@pytest.mark.parametrize("day", ["0001-01-01", "1970-01-01", "2026-01-01"])
def test_a_date_before_the_first_is_404_that_tells_the_first(api: Ask, day: str) -> None:
    today = api("/api/today").json["date"]
    answered = api("/api/today", {"date": day})

    assert answered.status == 404
    assert today in answered.json["detail"]


@pytest.mark.parametrize(("path", "name"), [("/api/today", "date"), ("/api/random", "language")])
def test_what_cannot_be_read_is_a_problem_document_or_does_not_count(api: Ask, path: str, name: str) -> None:
    for value in BAD.values():
        answered = api(path, f"{name}=".encode() + value)

        assert answered.status in {200, 400, 404}
        assert answered.headers["access-control-allow-origin"] == "*"
        if answered.status != 200:
            assert answered.headers["content-type"] == "application/problem+json"


def test_a_random_word_has_a_meaning_and_is_kept_by_nobody(api: Ask) -> None:
    for _ in range(20):
        answered = api("/api/random")

        assert answered.headers["cache-control"] == "no-store"
        assert "etag" not in answered.headers
        assert any(each["definitions"] or each["translations"] for each in answered.json["meanings"])
    assert api("/api/random", {"language": "grt"}).json["word"] == "A·chik"
    assert api("/api/random", {"language": "kha"}).status == 404


def test_random_words_differ(api: Ask) -> None:
    assert len({api("/api/random").json["id"] for _ in range(30)}) > 5


def test_the_feed_has_the_recent_days(api: Ask) -> None:
    today = api("/api/today").json
    answered = api("/today.xml")

    feed = ET.fromstring(answered.body)  # noqa: S314  # our own
    entries = feed.findall(f"{ATOM}entry")
    assert answered.headers["content-type"].startswith("application/atom+xml")
    assert "max-age" in answered.headers["cache-control"]
    assert entries[0].findtext(f"{ATOM}title") == today["word"]["word"]
    assert (entries[0].findtext(f"{ATOM}id") or "").endswith(f"/api/today?date={today['date']}")
    assert today["phrase"]["phrase"] in (entries[0].findtext(f"{ATOM}summary") or "")
    assert [each.get("rel") for each in entries[0].findall(f"{ATOM}link")] == ["alternate"]
