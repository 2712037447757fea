from typing import Any

import pytest

from abhidhan.media.service.photos import ReviewedPhotos
from abhidhan.media.store.photos import PHOTOS
from abhidhan.records.errors import UnwritableError
from abhidhan.records.history import RecordRef
from abhidhan.records.people import Role
from tests.support.asgi import AsgiResponse
from tests.support.contributions import Site, encode_form, photo_bytes

WORD: dict[str, Any] = {
    "kind": "word",
    "data": {
        "language": "as",
        "word": "শিয়ালঘূৰি",
        "meaning": {"pos": 1, "definitions": [{"language": "en", "text": "a kind of bird"}]},
    },
}


def sent_word(site: Site, by: str = "reader") -> int:
    number: int = site.ask("POST", "/api/submissions", by=by, json=WORD).json["submission_id"]
    return number


def send_with(site: Site, submission_id: object, by: str = "reader", seed: int = 1, **more: str) -> AsgiResponse:
    fields = {"submissionID": str(submission_id), "photoCredit": "A. Photographer"} | more
    body, kind = encode_form(fields, photo_bytes(seed=seed))
    return site.ask("POST", "/api/submit-foto.php", by=by, body=body, headers={"Content-Type": kind})


@pytest.fixture
def waiting(site: Site) -> Site:
    """Let a word and its photo wait for review, on each engine."""
    return with_word_and_photo(site)


@pytest.fixture
def waiting_on_one(open_site: Site) -> Site:
    """Let a word and its photo wait for review."""
    return with_word_and_photo(open_site)


def with_word_and_photo(site: Site) -> Site:
    site.add("reader", Role.CONTRIBUTOR)
    site.add("other", Role.CONTRIBUTOR)
    site.add("editor", Role.EDITOR)
    assert send_with(site, sent_word(site)).status == 201
    return site


def photo_of(site: Site) -> dict[str, Any]:
    found: dict[str, Any] = site.ask("GET", "/api/photos/1", by="editor").json
    return found


def test_an_app_sends_a_word_and_then_its_photo(waiting_on_one: Site) -> None:
    answer = send_with(waiting_on_one, 1, seed=2)

    assert answer.status == 201
    assert answer.json == {
        "success": True,
        "submission_id": 2,
        "status": "pending_review",
        "idea_id": None,
        "word_submission_id": 1,
        "licence": "CC BY-SA 4.0",
    }


def test_a_photo_is_approved_with_its_word_and_shows_its_idea(waiting: Site) -> None:
    approved = waiting.ask("POST", "/api/submissions/1/approve?photos=1", by="editor")
    photo = photo_of(waiting)

    assert approved.status == 200
    assert (photo["status"], photo["word_submission_id"]) == ("approved", 1)
    idea = waiting.ask("GET", f"/api/ideas/{photo['idea_id']}").json
    assert [each["word"] for each in idea["words"]] == [WORD["data"]["word"]]
    assert [each["url"] for each in idea["photos"]] == ["/photos/1.jpg"]
    assert waiting.ask("GET", "/photos/1.jpg").status == 200


def test_a_word_is_not_approved_with_a_photo_that_was_not_reviewed(waiting: Site) -> None:
    for query in ("", "?photos=2"):
        refused = waiting.ask("POST", f"/api/submissions/1/approve{query}", by="editor")

        assert refused.status == 409, query
        assert "1" in refused.json["detail"]
    assert photo_of(waiting)["status"] == "pending_review"
    assert waiting.ask("GET", "/api/submissions/1", by="editor").json["status"] == "pending_review"


def test_invalid_lists_of_reviewed_photos_are_rejected_with_400(waiting_on_one: Site) -> None:
    for photos in ("", "one", "0", ",".join(["1"] * 101)):
        answer = waiting_on_one.ask("POST", f"/api/submissions/1/approve?photos={photos}", by="editor")
        assert answer.status == 400, photos


def test_a_photo_cannot_be_approved_before_its_word(waiting_on_one: Site) -> None:
    refused = waiting_on_one.ask("POST", "/api/photos/1/approve", by="editor")

    assert refused.status == 409
    assert photo_of(waiting_on_one)["status"] == "pending_review"


def test_a_photo_that_was_rejected_before_stays_out(waiting_on_one: Site) -> None:
    waiting_on_one.ask("POST", "/api/photos/1/reject", by="editor", json={"reason": "Blurred"})

    assert waiting_on_one.ask("POST", "/api/submissions/1/approve", by="editor").status == 200
    assert (photo_of(waiting_on_one)["status"], photo_of(waiting_on_one)["reason"]) == ("rejected", "Blurred")


def test_the_photo_of_a_rejected_word_is_rejected_for_the_same_reason(waiting: Site) -> None:
    waiting.ask("POST", "/api/submissions/1/reject", by="editor", json={"reason": "No such bird"})

    assert (photo_of(waiting)["status"], photo_of(waiting)["reason"]) == ("rejected", "No such bird")


def test_withdrawing_a_word_withdraws_its_photo_and_deletes_the_file(waiting_on_one: Site) -> None:
    site = waiting_on_one

    site.ask("POST", "/api/submissions/1/withdraw", by="reader")

    assert (photo_of(site)["status"], photo_of(site)["photo_url"]) == ("withdrawn", None)
    assert site.ask("GET", "/photos/1.jpg", by="reader").status == 404
    assert not [each for each in (site.home / "photos").rglob("*") if each.is_file()]


def test_a_word_can_be_withdrawn_even_if_its_photo_cannot_be_deleted(
    waiting_on_one: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise UnwritableError("no room")

    monkeypatch.setattr(PHOTOS, "claim_purgeable", full)
    monkeypatch.setattr(PHOTOS, "mark_purged", full)

    assert waiting_on_one.ask("POST", "/api/submissions/1/withdraw", by="reader").status == 200
    assert photo_of(waiting_on_one)["status"] == "withdrawn"


def test_withdrawing_a_word_touches_nothing_that_others_have_withdrawn(
    waiting_on_one: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    def whole_site(*_: object, **__: object) -> None:
        pytest.fail("the whole site was cleaned up")

    monkeypatch.setattr(PHOTOS, "list_purgeable", whole_site)

    assert waiting_on_one.ask("POST", "/api/submissions/1/withdraw", by="reader").status == 200
    assert photo_of(waiting_on_one)["photo_url"] is None


def test_withdrawing_the_photo_keeps_the_word(waiting_on_one: Site) -> None:
    waiting_on_one.ask("POST", "/api/photos/1/withdraw", by="reader")

    word = waiting_on_one.ask("GET", "/api/submissions/1", by="reader").json
    assert (word["status"], photo_of(waiting_on_one)["status"]) == ("pending_review", "withdrawn")


def test_undoing_the_approval_of_a_word_returns_the_photo_to_the_queue(waiting: Site) -> None:
    waiting.ask("POST", "/api/submissions/1/approve?photos=1", by="editor")
    result = waiting.ask("GET", "/api/submissions/1", by="editor").json["result"].partition(":")[2]
    newest = waiting.ask("GET", f"/api/words/{result}/history", by="editor").json["data"][0]["id"]
    waiting.ask("POST", f"/api/editing/history/{newest}/undo", by="editor", json={})

    photo = photo_of(waiting)
    assert (photo["status"], photo["idea_id"]) == ("pending_review", None)
    assert waiting.ask("POST", "/api/submissions/1/approve?photos=1", by="editor").status == 200
    assert photo_of(waiting)["status"] == "approved"


def test_a_photo_can_be_added_only_to_an_own_waiting_word(waiting_on_one: Site) -> None:
    wrong: tuple[tuple[str, str, dict[str, str]], ...] = (
        ("99", "reader", {}),
        ("no", "reader", {}),
        ("1", "other", {}),
        ("1", "reader", {"ideaID": "1"}),
    )
    for number, by, more in wrong:
        refused = send_with(waiting_on_one, number, by=by, seed=3, **more)

        assert refused.status == 400, (number, by, more)
        assert [each["parameter"] for each in refused.json["errors"]] == ["submissionID"]
    waiting_on_one.ask("POST", "/api/submissions/1/reject", by="editor", json={"reason": "No"})
    assert send_with(waiting_on_one, 1, seed=3).status == 400


def test_deleting_an_account_withdraws_its_waiting_word_and_photo(waiting: Site) -> None:
    waiting.delete_account("reader")

    assert waiting.ask("GET", "/api/submissions/1", by="editor").status == 404
    photo = photo_of(waiting)
    assert (photo["status"], photo["word_submission_id"], photo["photo_url"]) == ("withdrawn", None, None)


def test_a_photo_with_a_word_counts_among_those_that_wait(waiting_on_one: Site) -> None:
    listed = waiting_on_one.ask("GET", "/api/photos?status=pending_review", by="reader").json["data"]

    assert [(each["idea_id"], each["word_submission_id"]) for each in listed] == [(None, 1)]


def undo_newest(site: Site, name: str) -> AsgiResponse:
    entry = site.run(site.write_side.editing.list_history(RecordRef.parse(name), 1))[0].id
    return site.ask("POST", f"/api/editing/history/{entry}/undo", by="editor", json={})


def purge(site: Site) -> int:
    photos = site.write_side.photos
    photos.cleanup._rejected_seconds = -1  # noqa: SLF001 (as if a month had passed)
    return site.run(photos.cleanup.purge())


@pytest.mark.parametrize("decision", ["reject", "approve without it"])
def test_a_decision_on_a_word_can_be_undone_after_its_photo_was_deleted(waiting: Site, decision: str) -> None:
    if decision == "reject":
        waiting.ask("POST", "/api/submissions/1/reject", by="editor", json={"reason": "No such bird"})
    else:
        editor = waiting.run(waiting.write_side.accounts.administration.find_by_name("editor"))
        only_the_word = ReviewedPhotos(frozenset({1}), frozenset({1}))
        waiting.run(waiting.write_side.submissions.review.approve(editor, 1, reviewed_photos=only_the_word))
    assert purge(waiting) == 1

    undone = undo_newest(waiting, "submission:1")

    assert undone.status == 200, undone.json
    assert waiting.ask("GET", "/api/submissions/1", by="editor").json["status"] == "pending_review"
    assert (photo_of(waiting)["status"], photo_of(waiting)["photo_url"]) == ("rejected", None)


def test_a_photo_of_a_decided_word_cannot_return_to_the_queue(waiting: Site) -> None:
    waiting.ask("POST", "/api/photos/1/reject", by="editor", json={"reason": "Blurred"})
    waiting.ask("POST", "/api/submissions/1/approve", by="editor")

    assert undo_newest(waiting, "photo:1").status == 409
    assert photo_of(waiting)["status"] == "rejected"


def test_a_photo_rejected_again_by_undoing_is_deleted_after_a_time(waiting: Site) -> None:
    waiting.ask("POST", "/api/submissions/1/reject", by="editor", json={"reason": "No such bird"})
    assert undo_newest(waiting, "submission:1").status == 200
    assert photo_of(waiting)["status"] == "pending_review"
    assert undo_newest(waiting, "submission:1").status == 200

    assert photo_of(waiting)["status"] == "rejected"
    assert purge(waiting) == 1
