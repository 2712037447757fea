from collections.abc import Callable
from xml.etree import ElementTree as ET

import pytest

from tests.contract.test_bad_input import BAD
from tests.support.asgi import AsgiResponse

Ask = Callable[..., AsgiResponse]
ATOM = "{http://www.w3.org/2005/Atom}"


def test_the_word_and_phrase_of_the_day_are_cached_briefly(api: Ask) -> None:
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


def test_a_future_or_invalid_date_is_rejected_with_400(api: Ask) -> None:
    for day in ("9999-12-31", "2026-1-1", "20261122", "2026-W47-7", "2026-02-30", "today", "-1"):
        answer = api("/api/today", {"date": day})

        assert (answer.status, answer.json["errors"][0]["parameter"]) == (400, "date"), day


def test_a_date_before_the_first_is_answered_with_404_and_the_first_date(api: Ask) -> None:
    today = api("/api/today").json["date"]
    for day in ("0001-01-01", "1970-01-01", "2026-01-01"):
        answer = api("/api/today", {"date": day})

        assert answer.status == 404, day
        assert today in answer.json["detail"]


def test_a_bad_value_is_answered_with_a_problem_document_or_ignored(api: Ask, subtests: pytest.Subtests) -> None:
    for path, name in (("/api/today", "date"), ("/api/random", "language")):
        for value in BAD.values():
            with subtests.test(path=path, value=value):
                answer = api(path, f"{name}=".encode() + value)

                assert answer.status in {200, 400, 404}
                assert answer.headers["access-control-allow-origin"] == "*"
                if answer.status != 200:
                    assert answer.headers["content-type"] == "application/problem+json"


def test_a_random_word_has_a_meaning_and_is_not_cached(api: Ask) -> None:
    for _ in range(20):
        answer = api("/api/random")

        assert answer.headers["cache-control"] == "no-store"
        assert "etag" not in answer.headers
        assert any(each["definitions"] or each["translations"] for each in answer.json["meanings"])
    assert api("/api/random", {"language": "grt"}).json["word"] == "A·chik"
    assert api("/api/random", {"language": "kha"}).status == 404


def test_random_words_differ(api: Ask) -> None:
    assert len({api("/api/random").json["id"] for _ in range(30)}) > 5


def test_the_feed_lists_the_recent_days(api: Ask) -> None:
    today = api("/api/today").json
    answer = api("/today.xml")

    feed = ET.fromstring(answer.body)  # noqa: S314  # our own
    entries = feed.findall(f"{ATOM}entry")
    assert answer.headers["content-type"].startswith("application/atom+xml")
    assert "max-age" in answer.headers["cache-control"]
    assert entries[0].findtext(f"{ATOM}title") == today["word"]["word"]
    assert (entries[0].findtext(f"{ATOM}id") or "").endswith(f"/api/today?date={today['date']}")
    assert today["phrase"]["phrase"] in (entries[0].findtext(f"{ATOM}summary") or "")
    assert [each.get("rel") for each in entries[0].findall(f"{ATOM}link")] == ["alternate"]
