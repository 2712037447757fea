import asyncio
from typing import Any

import pytest

from abhidhan.platform.database.database import Database
from abhidhan.records.people import Role
from tests.support.contributions import Site, encode_form, opened_site, photo_bytes
from tests.support.databases import Databases, SqliteDatabases, load_sample, open_database


def open_narrow(database: Database, home: Any) -> Any:  # noqa: ANN401  # a context manager
    return opened_site(database, home, pending_photos=2, pending_submissions=2, pending_reports=3)


@pytest.fixture
def narrow(databases: Databases, tmp_path: Any) -> Any:  # noqa: ANN401
    """Open a site where little may wait, once on each engine."""
    with open_database(databases, load_sample) as database, open_narrow(database, tmp_path / "home") as site:
        site.add("reader")
        site.add("writer", Role.CONTRIBUTOR)
        site.add("editor", Role.EDITOR)
        yield site


@pytest.fixture
def narrow_once(sqlite_databases: SqliteDatabases, tmp_path: Any) -> Any:  # noqa: ANN401
    """Open the same on one engine."""
    with open_database(sqlite_databases, load_sample) as database, open_narrow(database, tmp_path / "home") as site:
        site.add("reader")
        site.add("writer", Role.CONTRIBUTOR)
        site.add("editor", Role.EDITOR)
        yield site


def word(number: int) -> dict[str, object]:
    return {"kind": "word", "data": {"language": "as", "word": "নীৰ" * number, "idea_id": 1}}


def waiting(site: Site, path: str) -> int:
    total: int = site.ask("GET", f"{path}?status=pending_review", by="editor").json["total"]
    return total


def test_twenty_concurrent_photos_do_not_exceed_the_quota(narrow: Site) -> None:
    async def send_all() -> list[int]:
        async def send(number: int) -> int:
            body, kind = encode_form({"ideaID": "1", "photoCredit": f"Someone {number}"}, photo_bytes(seed=number))
            headers = {"Content-Type": kind}
            path = "/api/submit-foto.php"
            return (await narrow.ask_async("POST", path, by="reader", body=body, headers=headers)).status

        return await asyncio.gather(*map(send, range(20)))

    statuses = narrow.run(send_all())

    assert sorted(statuses) == [201] * 2 + [429] * 18
    assert waiting(narrow, "/api/photos") == 2
    assert len([file for file in (narrow.home / "photos").rglob("*.*") if file.is_file()]) == 4


def test_twenty_concurrent_submissions_do_not_exceed_the_quota(narrow: Site) -> None:
    async def send_all() -> list[int]:
        async def send(number: int) -> int:
            return (await narrow.ask_async("POST", "/api/submissions", by="writer", json=word(number + 1))).status

        return await asyncio.gather(*map(send, range(20)))

    assert sorted(narrow.run(send_all())) == [201] * 2 + [429] * 18
    assert waiting(narrow, "/api/submissions") == 2


def test_twenty_reports_at_once_pass_the_bound_of_all_only_as_often_as_it_allows(narrow: Site) -> None:
    async def send_all() -> list[int]:
        async def send(number: int) -> int:
            report = {"word_id": 1, "text": f"error {number}"}
            asked = narrow.ask_async("POST", "/api/reports", json=report, address=f"192.0.2.{number + 1}")
            return (await asked).status

        return await asyncio.gather(*map(send, range(20)))

    assert sorted(narrow.run(send_all())) == [201] * 3 + [429] * 17
    assert waiting(narrow, "/api/submissions") == 3


def test_who_is_over_the_quota_is_told_how_many_wait_and_can_withdraw_one(narrow_once: Site) -> None:
    for number in (1, 2):
        assert narrow_once.send_photo("reader", photo_bytes(seed=number)).status == 201

    refused = narrow_once.send_photo("reader", photo_bytes(seed=3))

    assert refused.status == 429
    assert refused.headers["content-type"] == "application/problem+json"
    assert refused.json["detail"].startswith("You already have 2 photos waiting for review")
    assert "withdraw" in refused.json["detail"]
    assert int(refused.headers["retry-after"]) > 0
    assert narrow_once.send_photo("reader", photo_bytes(seed=2)).json["submission_id"] == 2
    assert narrow_once.ask("POST", "/api/photos/1/withdraw", by="reader").status == 200
    assert narrow_once.send_photo("reader", photo_bytes(seed=3)).status == 201


def test_a_decision_makes_room_and_each_person_has_a_quota_of_their_own(narrow_once: Site) -> None:
    assert [narrow_once.ask("POST", "/api/submissions", by="writer", json=word(n)).status for n in (1, 2, 3)] == [
        201,
        201,
        429,
    ]
    narrow_once.ask("POST", "/api/submissions/1/reject", by="editor", json={"reason": "no"})

    assert narrow_once.ask("POST", "/api/submissions", by="writer", json=word(3)).status == 201
    assert narrow_once.ask("POST", "/api/submissions", by="writer", json=word(4)).status == 429
    assert narrow_once.send_photo("writer", photo_bytes()).status == 201


def test_editors_have_no_quota(narrow_once: Site) -> None:
    photos = [narrow_once.send_photo("editor", photo_bytes(seed=number)).status for number in range(3)]
    words = [narrow_once.ask("POST", "/api/submissions", by="editor", json=word(n)).status for n in (1, 2, 3)]

    assert photos == words == [201] * 3


def test_reports_by_signed_in_users_count_for_their_own_quota(narrow_once: Site) -> None:
    def report(number: int, by: str | None) -> int:
        status: int = narrow_once.ask("POST", "/api/reports", by=by, json={"word_id": 1, "text": f"e {number}"}).status
        return status

    assert [report(number, "reader") for number in range(3)] == [201, 201, 429]
    assert [report(number, None) for number in range(4)] == [201, 201, 201, 429]


# --- the client's own key ---------------------------------------------------------------------------------------------

KEY = {"Idempotency-Key": "one"}


def test_the_same_key_returns_the_same_photo_and_422_for_another_request(narrow: Site) -> None:
    first = narrow.send_photo("reader", photo_bytes(), headers=KEY)
    again = narrow.send_photo("reader", photo_bytes(), headers=KEY)
    others = [
        narrow.send_photo("reader", photo_bytes(seed=2), headers=KEY),
        narrow.send_photo("reader", photo_bytes(), headers=KEY, fields={"photoCredit": "Somebody else"}),
        narrow.send_photo("reader", photo_bytes(), headers=KEY, fields={"ideaID": "2"}),
    ]

    assert (first.status, first.json) == (again.status, again.json) == (201, first.json)
    assert [each.status for each in others] == [422] * 3
    assert "Idempotency-Key" in others[0].json["detail"]
    assert others[0].json["type"].endswith("key-reused")
    assert narrow.send_photo("writer", photo_bytes(seed=2), headers=KEY).json["submission_id"] != 1
    assert waiting(narrow, "/api/photos") == 2


def test_an_idempotency_key_belongs_to_one_request_of_any_kind_permanently(narrow: Site) -> None:
    sent = narrow.ask("POST", "/api/submissions", by="writer", json=word(1), headers=KEY)
    again = narrow.ask("POST", "/api/submissions", by="writer", json=word(1), headers=KEY)
    other = narrow.ask("POST", "/api/submissions", by="writer", json=word(2), headers=KEY)
    photo = narrow.send_photo("writer", photo_bytes(), headers=KEY)
    narrow.ask("POST", "/api/submissions/1/reject", by="editor", json={"reason": "no"})
    later = narrow.ask("POST", "/api/submissions", by="writer", json=word(1), headers=KEY)

    assert (sent.status, again.status, other.status, photo.status) == (201, 201, 422, 422)
    assert sent.json["submission_id"] == again.json["submission_id"] == later.json["submission_id"] == 1


def test_concurrent_requests_with_one_idempotency_key_are_one_submission(narrow: Site) -> None:
    async def send_all() -> list[int]:
        async def send(number: int) -> int:
            sent = narrow.ask_async("POST", "/api/submissions", by="editor", json=word(number + 1), headers=KEY)
            return (await sent).status

        return await asyncio.gather(*map(send, range(6)))

    assert sorted(narrow.run(send_all())) == [201] + [422] * 5
    assert waiting(narrow, "/api/submissions") == 1
