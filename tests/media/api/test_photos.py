import asyncio
import time
from typing import Final

import pytest

from abhidhan.media.store.photos import PHOTOS
from abhidhan.platform.runtime.task_scope import run_tasks
from abhidhan.platform.sandbox.object_store import FileStore
from abhidhan.records.errors import UnavailableError
from abhidhan.records.history import RecordRef
from abhidhan.records.people import Role
from tests.support.contributions import Site, photo_bytes


@pytest.fixture
def waiting(open_site: Site) -> Site:
    """Let a photo of a reader wait for review."""
    return with_photo(open_site)


@pytest.fixture
def waiting_on_each_engine(site: Site) -> Site:
    """Let a photo of a reader wait for review, once on each engine."""
    return with_photo(site)


def with_photo(site: Site) -> Site:
    site.add("reader")
    site.add("other")
    site.add("editor", Role.EDITOR)
    site.send_photo("reader", photo_bytes())
    return site


def photo_status(site: Site, photo_id: int = 1) -> str:
    status: str = site.ask("GET", f"/api/photos/{photo_id}", by="editor").json["status"]
    return status


def test_moderators_see_all_and_others_their_own(waiting_on_each_engine: Site) -> None:
    waiting_on_each_engine.send_photo("other", photo_bytes(seed=2))

    totals = {
        by: waiting_on_each_engine.ask("GET", "/api/photos", by=by).json["total"]
        for by in ("reader", "other", "editor")
    }

    assert totals == {"reader": 1, "other": 1, "editor": 2}


def test_a_repeated_photo_returns_the_waiting_submission(waiting_on_each_engine: Site) -> None:
    site = waiting_on_each_engine

    again = site.send_photo("reader", photo_bytes())
    of_another_idea = site.send_photo("reader", photo_bytes(), fields={"ideaID": "2"})
    with_another_credit = site.send_photo("reader", photo_bytes(), fields={"photoCredit": "B. Photographer"})
    site.ask("POST", "/api/photos/1/reject", by="editor", json={"reason": "Blurred"})
    after_a_decision = site.send_photo("reader", photo_bytes())

    assert (again.status, again.json["submission_id"]) == (201, 1)
    others = (of_another_idea, with_another_credit, after_a_decision)
    assert [each.json["submission_id"] for each in others] == [2, 3, 4]


def test_a_submission_has_all_documented_fields(waiting: Site) -> None:
    entry = waiting.ask("GET", "/api/photos?status=pending_review", by="editor").json["data"][0]

    assert entry | {"submitted": ""} == {
        "submission_id": 1,
        "status": "pending_review",
        "idea_id": 1,
        "credit": "A. Photographer",
        "reason": None,
        "submitted": "",
        "photo_url": "/photos/1.jpg",
        "thumbnail_url": "/photos/1-thumb.webp",
        "width": 64,
        "height": 48,
        "duplicates": [],
        "licence": "CC BY-SA 4.0",
        "word_submission_id": None,
    }
    assert entry["submitted"].endswith("Z")


LIST_QUERIES: Final[tuple[tuple[str, int], ...]] = (
    ("", 200),
    ("?status=rejected", 200),
    ("?status=nonsense", 400),
    ("?limit=0", 400),
    ("?limit=99999", 200),
    ("?offset=-1", 400),
)


def test_the_list_accepts_valid_filters_and_pages_only(waiting: Site) -> None:
    for query, status in LIST_QUERIES:
        assert waiting.ask("GET", f"/api/photos{query}", by="editor").status == status, query


def test_waiting_photos_are_visible_only_to_submitter_and_moderators(waiting: Site) -> None:
    statuses = {by: waiting.ask("GET", "/photos/1.jpg", by=by).status for by in ("reader", "editor", "other", None)}
    answer = waiting.ask("GET", "/photos/1-thumb.webp", by="reader")

    assert statuses == {"reader": 200, "editor": 200, "other": 404, None: 404}
    assert answer.headers["cache-control"] == "no-store"
    assert "access-control-allow-origin" not in answer.headers


def test_an_approved_photo_is_public_and_part_of_the_dictionary(waiting_on_each_engine: Site) -> None:
    before = waiting_on_each_engine.ask("GET", "/api/ideas/1").json["photos"]
    approved = waiting_on_each_engine.ask("POST", "/api/photos/1/approve", by="editor")
    answer = waiting_on_each_engine.ask("GET", "/photos/1.jpg")
    shown = waiting_on_each_engine.ask("GET", "/api/ideas/1").json["photos"]
    word = waiting_on_each_engine.ask("GET", "/api/dic.php?w=%E0%A6%AA%E0%A6%BE%E0%A6%A8%E0%A7%80").json["querywords"][
        0
    ]["entries"][0]

    assert (before, approved.status, approved.json["status"]) == ([], 200, "approved")
    assert answer.status == 200
    assert answer.headers["content-type"] == "image/jpeg"
    assert answer.headers["cache-control"].startswith("public, max-age=")
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["access-control-allow-origin"] == "*"
    assert answer.headers["content-security-policy"].startswith("default-src 'none'")
    assert shown == [
        {
            "url": "/photos/1.jpg",
            "thumbnail_url": "/photos/1-thumb.webp",
            "credit": "A. Photographer",
            "width": 64,
            "height": 48,
            "licence": "CC BY-SA 4.0",
        }
    ]
    assert word["meanings"][0]["photos"] == shown


def test_a_browser_that_has_an_approved_photo_is_not_sent_it_again(waiting: Site) -> None:
    waiting.ask("POST", "/api/photos/1/approve", by="editor")
    tag = waiting.ask("GET", "/photos/1.jpg").headers["etag"]

    again = waiting.ask("GET", "/photos/1.jpg", headers={"If-None-Match": tag})

    assert (again.status, again.body) == (304, b"")


def test_other_file_names_are_not_found(waiting: Site) -> None:
    waiting.ask("POST", "/api/photos/1/approve", by="editor")

    for name in ("2.jpg", "1.png", "1.gif", "1-thumb.jpg", "x.jpg", "1.jpg.html", "..%2f1.jpg", "1"):
        assert waiting.ask("GET", f"/photos/{name}").status == 404, name


def test_the_submitter_sees_the_reason_of_a_rejection(waiting: Site) -> None:
    answer = waiting.ask("POST", "/api/photos/1/reject", by="editor", json={"reason": " Too <b>dark</b> "})
    seen = waiting.ask("GET", "/api/photos/1", by="reader").json

    assert answer.status == 200
    assert (seen["status"], seen["reason"]) == ("rejected", "Too <b>dark</b>")
    assert waiting.ask("GET", "/photos/1.jpg").status == 404


WITHOUT_REASON: Final[tuple[dict[str, object], ...]] = (
    {},
    {"reason": ""},
    {"reason": "   "},
    {"reason": 5},
    {"reason": "x" * 1001},
)


def test_a_rejection_needs_a_reason(waiting: Site) -> None:
    for body in WITHOUT_REASON:
        assert waiting.ask("POST", "/api/photos/1/reject", by="editor", json=body).status == 400, body
    assert photo_status(waiting) == "pending_review"


def test_steps_that_need_no_body_ignore_its_content_type(waiting: Site) -> None:
    for number, kind in enumerate(("", "text/plain", "application/x-www-form-urlencoded"), 1):
        waiting.send_photo("reader", photo_bytes(seed=number))
        answer = waiting.ask(
            "POST", f"/api/photos/{number}/approve", by="editor", body=b"whatever", headers={"Content-Type": kind}
        )
        assert answer.status == 200, kind


def test_a_withdrawn_photo_disappears_immediately(waiting: Site) -> None:
    answer = waiting.ask("POST", "/api/photos/1/withdraw", by="reader")

    assert (answer.status, answer.json["status"], answer.json["photo_url"]) == (200, "withdrawn", None)
    assert waiting.ask("GET", "/photos/1.jpg", by="reader").status == 404
    assert not [file for file in (waiting.home / "photos").rglob("*") if file.is_file()]


def test_a_decision_cannot_be_replaced_by_another(waiting: Site) -> None:
    def decide(photo: int, name: str) -> int:
        by = "reader" if name == "withdraw" else "editor"
        return waiting.ask("POST", f"/api/photos/{photo}/{name}", by=by, json={"reason": "because"}).status

    for photo, first in enumerate(("approve", "reject", "withdraw"), 1):
        waiting.send_photo("reader", photo_bytes(seed=photo))
        steps = (first, "approve", "reject", "withdraw")
        assert [decide(photo, step) for step in steps] == [200, 409, 409, 409], first


def test_concurrent_decisions_of_two_moderators_do_not_both_succeed(waiting_on_each_engine: Site) -> None:
    waiting_on_each_engine.add("second", Role.EDITOR)

    async def decide_all() -> list[int]:
        steps = [
            waiting_on_each_engine.ask_async("POST", f"/api/photos/1/{step}", by=by, json={"reason": "because"})
            for step in ("approve", "reject")
            for by in ("editor", "second")
        ]
        return sorted([answer.status for answer in await asyncio.gather(*steps)])

    assert waiting_on_each_engine.run(decide_all()) == [200, 409, 409, 409]


PERMISSIONS: Final = (
    # a visitor, another reader, the submitter, a contributor, an editor, an administrator
    ("GET", "/api/photos", (401, 200, 200, 200, 200, 200)),
    ("GET", "/api/photos/{}", (401, 403, 200, 403, 200, 200)),
    ("GET", "/api/photos/999", (401, 404, 404, 404, 404, 404)),
    ("GET", "/photos/{}.jpg", (404, 404, 200, 404, 200, 200)),
    ("POST", "/api/photos/{}/approve", (401, 403, 403, 403, 200, 409)),
    ("POST", "/api/photos/{}/reject", (401, 403, 403, 403, 200, 409)),
    ("POST", "/api/photos/{}/withdraw", (401, 403, 200, 403, 403, 403)),
    ("POST", "/api/photos/999/approve", (401, 403, 403, 403, 404, 404)),
)


def test_each_role_may_do_what_it_is_allowed_to(waiting: Site, subtests: pytest.Subtests) -> None:
    waiting.add("contributor", Role.CONTRIBUTOR)
    waiting.add("administrator", Role.ADMINISTRATOR)
    users = (None, "other", "reader", "contributor", "editor", "administrator")

    for seed, (method, path, expected) in enumerate(PERMISSIONS, 2):
        with subtests.test(f"{method} {path}"):
            photo = waiting.send_photo("reader", photo_bytes(seed=seed)).json["submission_id"]
            statuses = tuple(
                waiting.ask(method, path.format(photo), by=by, json={"reason": "because"}).status for by in users
            )
            assert statuses == expected


def test_another_site_cannot_decide(waiting: Site) -> None:
    headers = {"Sec-Fetch-Site": "cross-site"}

    assert waiting.ask("POST", "/api/photos/1/approve", by="editor", headers=headers).status == 403
    assert photo_status(waiting) == "pending_review"


def test_moderators_see_duplicates_and_near_duplicates(waiting_on_each_engine: Site) -> None:
    waiting_on_each_engine.send_photo("other", photo_bytes(), fields={"ideaID": "2"})
    waiting_on_each_engine.send_photo("other", photo_bytes("PNG"))
    waiting_on_each_engine.send_photo("other", photo_bytes(seed=9))

    duplicates = waiting_on_each_engine.ask("GET", "/api/photos/1", by="editor").json["duplicates"]

    assert [(each["submission_id"], each["exact"], each["idea_id"]) for each in duplicates] == [
        (2, True, 2),
        (3, False, 1),
    ]
    assert waiting_on_each_engine.ask("GET", "/api/photos/1", by="reader").json["duplicates"] == []


def test_rejected_photos_are_deleted_after_a_time(waiting_on_each_engine: Site) -> None:
    photos = waiting_on_each_engine.write_side.photos
    waiting_on_each_engine.ask("POST", "/api/photos/1/reject", by="editor", json={"reason": "because"})

    assert waiting_on_each_engine.run(photos.cleanup.purge()) == 0
    photos.cleanup._rejected_seconds = -1  # noqa: SLF001 (as if a month had passed)
    assert waiting_on_each_engine.run(photos.cleanup.purge()) == 1
    assert waiting_on_each_engine.ask("GET", "/photos/1.jpg", by="editor").status == 404
    assert waiting_on_each_engine.ask("GET", "/api/photos/1", by="reader").json["photo_url"] is None


def test_a_photo_that_was_approved_meanwhile_keeps_its_bytes(
    waiting_on_each_engine: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    site, photos = waiting_on_each_engine, waiting_on_each_engine.write_side.photos
    site.ask("POST", "/api/photos/1/reject", by="editor", json={"reason": "because"})
    listed = site.run(photos._find(1))  # noqa: SLF001 (as a round has read it that began then)
    entry = site.run(site.write_side.editing.list_history(RecordRef("photo", "1"), 1))[0].id
    site.ask("POST", f"/api/editing/history/{entry}/undo", by="editor", json={})
    site.ask("POST", "/api/photos/1/approve", by="editor")
    monkeypatch.setattr(PHOTOS, "list_purgeable", lambda *_, **__: [listed])
    photos.cleanup._rejected_seconds = -1  # noqa: SLF001 (as if a month had passed)

    assert site.run(photos.cleanup.purge()) == 0
    assert site.ask("GET", "/photos/1.jpg").status == 200


def test_files_left_by_an_unreachable_store_are_deleted_later(waiting: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    photos, folder = waiting.write_side.photos, waiting.home / "photos"

    async def out_of_reach(*_: object) -> None:
        raise UnavailableError("out of reach", 60)

    with monkeypatch.context() as patched:
        patched.setattr(FileStore, "delete_by_key", out_of_reach)
        withdrawn = waiting.ask("POST", "/api/photos/1/withdraw", by="reader")
    kept = [file for file in folder.rglob("*.*") if file.is_file()]
    photos.cleanup._clock = lambda: time.time() + 7200  # noqa: SLF001 (two hours later)
    photos.cleanup._next_folder = int(kept[0].parent.name, 16)  # noqa: SLF001 (else by chance)

    assert (withdrawn.status, withdrawn.json["photo_url"], len(kept)) == (200, None, 2)
    assert waiting.run(photos.cleanup.sweep()) == 2
    assert not [file for file in folder.rglob("*.*") if file.is_file()]


def test_the_check_finds_and_repairs_missing_files_and_orphans(waiting_on_each_engine: Site) -> None:
    photos = waiting_on_each_engine.write_side.photos
    folder = waiting_on_each_engine.home / "photos"
    lost = next(folder.rglob("*.jpg"))
    lost.unlink()
    (folder / "ab").mkdir(exist_ok=True)
    (folder / "ab" / "orphan.jpg").write_bytes(b"x")
    photos.cleanup._clock = lambda: 4_000_000_000  # noqa: SLF001 (long after the files were written)

    found = waiting_on_each_engine.run(photos.cleanup.check())
    mended = waiting_on_each_engine.run(photos.cleanup.check(mend=True))
    after = waiting_on_each_engine.run(photos.cleanup.check(mend=True))

    assert found.lost == mended.lost == (1,)
    assert "ab/orphan.jpg" in found.orphans
    assert (after.orphans, after.lost) == ((), ())
    assert photo_status(waiting_on_each_engine) == "rejected"
    assert not [file for file in folder.rglob("*.*") if file.is_file()]


def test_files_left_by_a_crash_are_deleted_after_a_grace_period(waiting_on_each_engine: Site) -> None:
    site, photos = waiting_on_each_engine, waiting_on_each_engine.write_side.photos
    folder = site.home / "photos"
    own = {file for file in folder.rglob("*.*") if file.is_file()}
    crashed = [folder / "ab" / f"ab{number:030x}{end}" for number in range(3) for end in (".jpg", "-thumb.webp")]
    strange = [folder / "ab" / "notes.txt", folder / "README.md"]
    (folder / "ab").mkdir(exist_ok=True)
    for file in (*crashed, *strange):
        file.write_bytes(b"x")
    photos.cleanup._next_folder = 0xA0  # noqa: SLF001 (else by chance)

    young = site.run(photos.cleanup.sweep())
    photos.cleanup._clock = lambda: time.time() + 7200  # noqa: SLF001 (two hours later)
    photos.cleanup._next_folder = 0xA0  # noqa: SLF001 (else by chance)
    old = site.run(photos.cleanup.sweep())

    assert (young, old) == (0, 6)
    assert {file for file in folder.rglob("*.*") if file.is_file()} == own | set(strange)
    assert photo_status(site) == "pending_review"


def test_each_cleanup_run_checks_some_files_and_the_next_run_continues(
    waiting: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("abhidhan.media.service.upload_cleanup.MAX_SWEPT_FILES", 10)
    photos, folder = waiting.write_side.photos, waiting.home / "photos"
    photos.cleanup._clock = lambda: time.time() + 7200  # noqa: SLF001 (two hours later)
    for number in range(256):
        (folder / f"{number:02x}").mkdir(exist_ok=True)
        (folder / f"{number:02x}" / f"{number:02x}{0:030x}.png").write_bytes(b"x")

    rounds = [waiting.run(photos.cleanup.sweep()) for _ in range(40)]

    assert max(rounds) <= 10
    assert sum(rounds) == 256
    assert waiting.ask("GET", "/photos/1.jpg", by="editor").status == 200


def test_the_cleanup_runs_in_the_background(waiting: Site) -> None:
    photos, folder = waiting.write_side.photos, waiting.home / "photos"
    photos.cleanup._clock = lambda: time.time() + 7200  # noqa: SLF001 (two hours later)
    photos.cleanup._next_folder = 0xC0  # noqa: SLF001 (else by chance)
    (folder / "cd").mkdir(exist_ok=True)
    orphan = folder / "cd" / f"cd{1:030x}.gif"
    orphan.write_bytes(b"x")

    async def run_until_it_is_gone() -> None:
        async with run_tasks(waiting.write_side.periodic_tasks()), asyncio.timeout(60):
            while orphan.exists():  # noqa: ASYNC110 (nobody tells that a file has gone)
                await asyncio.sleep(0.01)

    waiting.run(run_until_it_is_gone())
