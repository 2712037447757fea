"""Sending a word with its photo in one step, and deciding on both in one."""

import re
from typing import Final

import pytest

from abhidhan.media.service.photos import PhotoEntry, list_word_photos
from abhidhan.platform.database.reader import ReadConnection
from tests.contributions.pages.test_contributions import WORD, contributor
from tests.people.pages.test_account import shown, site
from tests.support.asgi import AsgiResponse
from tests.support.contributions import Site, encode_form, photo_bytes
from tests.support.page import Page
from tests.support.pages import send_form

__all__ = ["contributor", "site"]

CREDIT = {"photoCredit": "A. Photographer"}
QUEUE = "/review/submissions"


def send_word(site: Site, photo: bytes | None, by: str | None = "anil", **more: str) -> AsgiResponse:
    body, kind = encode_form(WORD | CREDIT | more, photo)
    headers = {"Content-Type": kind, "Sec-Fetch-Site": "same-origin"}
    return site.ask("POST", "/account/submit/word", by=by, body=body, headers=headers)


def count_waiting(site: Site) -> tuple[int, int]:
    words = site.ask("GET", "/api/submissions?status=pending_review", by="editor").json["total"]
    photos = site.ask("GET", "/api/photos?status=pending_review", by="editor").json["total"]
    return words, photos


def test_a_word_and_its_photo_are_sent_and_approved_in_one_step(contributor: Site) -> None:
    answer = send_word(contributor, photo_bytes())

    assert answer.headers["location"] == "/account?done=sent"
    assert count_waiting(contributor) == (1, 1)
    queue = shown(contributor.ask("GET", QUEUE, by="editor"))
    assert [each.attributes["src"] for each in queue.all("img", **{"class": "preview"})] == ["/photos/1.jpg"]
    assert "Photo: A. Photographer" in queue.main
    alone = shown(contributor.ask("GET", "/review/photos", by="editor"))
    assert not alone.all("img", **{"class": "preview"}), "a photo that came with a word is decided on with it"

    send_form(contributor, f"{QUEUE}/1", {"decision": "approve", "photo_1": "1"}, by="editor")

    page = shown(contributor.ask("GET", f"/dic/{WORD['word']}"))
    assert "Photo: A. Photographer" in page.main
    assert count_waiting(contributor) == (0, 0)


def test_the_photos_of_a_queue_are_read_in_one_query(contributor: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    send_word(contributor, photo_bytes())
    send_word(contributor, photo_bytes(seed=2), word="ফটোশব্দ")
    read: list[list[int]] = []

    def counted(connection: ReadConnection, submission_ids: list[int]) -> dict[int, tuple[PhotoEntry, ...]]:
        read.append(submission_ids)
        return list_word_photos(connection, submission_ids=submission_ids)

    monkeypatch.setattr("abhidhan.contributions.service.submission_review.list_word_photos", counted)

    assert len(shown(contributor.ask("GET", QUEUE, by="editor")).all("img", **{"class": "preview"})) == 2
    assert read == [[1, 2]]


def test_a_reason_of_the_programs_own_is_in_the_readers_language(contributor: Site) -> None:
    send_word(contributor, photo_bytes())
    send_form(contributor, f"{QUEUE}/1", {"decision": "approve", "photo_1": "1", "without_1": "1"}, by="editor")

    headers = {"Accept-Language": "as"}
    page = shown(contributor.ask("GET", "/account", by="anil", headers=headers))

    assert "শব্দটো ফটো নোহোৱাকৈ গ্ৰহণ কৰা হ’ল।" in page.main


def shown_photos(site: Site) -> dict[str, str | None]:
    """Return the fields by which the form of the queue tells which photos it has shown."""
    page = shown(site.ask("GET", QUEUE, by="editor"))
    hidden = {each.attributes["name"] or "": each.attributes["value"] for each in page.all("input", type="hidden")}
    return {name: value for name, value in hidden.items() if name.startswith("photo_")}


@pytest.mark.parametrize("decision", ["approve", "mend"])
def test_a_photo_that_came_after_the_page_was_shown_is_not_approved_with_the_word(
    contributor: Site, decision: str
) -> None:
    send_word(contributor, photo_bytes())
    fields = WORD | {"decision": decision, "idea_id": "", "definition_0_as": WORD["definition_as"]}
    fields |= {name: value or "" for name, value in shown_photos(contributor).items()}
    body, kind = encode_form({"submissionID": "1"} | CREDIT, photo_bytes(seed=2))
    sent = contributor.ask("POST", "/api/submit-foto.php", by="anil", body=body, headers={"Content-Type": kind})

    refused = send_form(contributor, f"{QUEUE}/1", fields, by="editor")

    assert (sent.status, refused.status) == (201, 409)
    assert "The photos that came with this word have not been looked at: 2" in shown(refused).main
    assert count_waiting(contributor) == (1, 2)
    fields |= {name: value or "" for name, value in shown_photos(contributor).items()}
    assert send_form(contributor, f"{QUEUE}/1", fields, by="editor").status == 303
    assert count_waiting(contributor) == (0, 0)


@pytest.mark.parametrize("decision", ["approve", "mend"])
def test_an_editor_accepts_a_word_without_its_photo(contributor: Site, decision: str) -> None:
    send_word(contributor, photo_bytes())

    fields = WORD | {
        "decision": decision,
        "photo_1": "1",
        "without_1": "1",
        "idea_id": "",
        "definition_0_as": WORD["definition_as"],
    }
    assert send_form(contributor, f"{QUEUE}/1", fields, by="editor").status == 303

    page = shown(contributor.ask("GET", f"/dic/{WORD['word']}"))
    assert "Photo: A. Photographer" not in page.main
    photo = contributor.ask("GET", "/api/photos/1", by="anil").json
    assert (photo["status"], photo["reason"]) == ("rejected", "The word was accepted without the photo.")


REFUSED_FORMS: Final[tuple[tuple[bytes | None, dict[str, str], str], ...]] = (
    (b"no image at all", {}, "is not a JPEG, PNG, GIF or WebP image"),
    (b"x" * 3_200_000, {}, "is larger than 3 MB"),
    (photo_bytes(), {"photoCredit": ""}, "must have from 2 to 200 characters"),
    (photo_bytes(), {"licence": "CC0 1.0"}, "licence"),
    (None, {}, "Choose the photo again"),
    (b"", {}, "Choose the photo again"),
)


def test_a_refused_photo_keeps_the_form_filled_in(contributor: Site, subtests: pytest.Subtests) -> None:
    for photo, more, message in REFUSED_FORMS:
        with subtests.test(message, photo=photo and photo[:10]):
            answer = send_word(contributor, photo, **more)

            page = shown(answer)
            assert answer.status == 400
            assert message in page.one("div", role="alert").text
            kept = {each.attributes.get("name"): each.attributes.get("value") for each in page.all("input")}
            assert (kept["word"], kept["reference"]) == (WORD["word"], WORD["reference"])
            assert WORD["definition_as"] in page.main
    assert count_waiting(contributor) == (0, 0)
    assert not [each for each in (contributor.home / "photos").rglob("*") if each.is_file()]


def problems(answer: AsgiResponse) -> set[str]:
    return {each.text for each in shown(answer).all("li")}


def test_problems_of_word_and_photo_are_reported_together(contributor: Site) -> None:
    of_word = problems(send_word(contributor, None, photoCredit="", pos=""))
    of_photo = problems(send_word(contributor, b"no image"))

    assert of_word - of_photo
    assert of_photo - of_word
    assert problems(send_word(contributor, b"no image", pos="")) == of_word | of_photo


def test_a_word_without_a_photo_is_sent_by_the_same_form(contributor: Site) -> None:
    assert send_word(contributor, b"", photoCredit="").headers["location"] == "/account?done=sent"
    assert count_waiting(contributor) == (1, 0)


def test_an_unreadable_field_is_reported_without_a_photo_too(contributor: Site) -> None:
    for content, message in ((b"x" * 70_000, "is too long"), (b"\xff\xfe", "must be UTF-8 text")):
        body, kind = encode_form(WORD | {"photoCredit": "", "note": content}, b"")
        headers = {"Content-Type": kind, "Sec-Fetch-Site": "same-origin"}

        answer = contributor.ask("POST", "/account/submit/word", by="anil", body=body, headers=headers)

        assert answer.status == 400
        assert message in shown(answer).main, message
        assert count_waiting(contributor) == (0, 0)


def test_another_site_sends_no_word_with_a_photo(contributor: Site) -> None:
    body, kind = encode_form(WORD | CREDIT, photo_bytes())
    headers = {"Content-Type": kind, "Sec-Fetch-Site": "cross-site"}

    answer = contributor.ask("POST", "/account/submit/word", by="anil", body=body, headers=headers)

    assert answer.status == 403
    assert count_waiting(contributor) == (0, 0)


def test_after_the_session_has_ended_the_same_form_signs_in(contributor: Site) -> None:
    ended = send_word(contributor, photo_bytes(), by=None)
    again = send_word(contributor, photo_bytes(), by=None, username="anil", password="a long enough password")  # noqa: S106

    assert ended.status == 401
    assert WORD["definition_as"] in shown(ended).main
    assert again.headers["location"] == "/account?done=sent"
    assert count_waiting(contributor) == (1, 1)


def test_withdrawing_a_word_withdraws_its_photo_and_deletes_the_file(contributor: Site) -> None:
    send_word(contributor, photo_bytes())

    send_form(contributor, "/account/submissions/1/withdraw", {}, by="anil")

    assert count_waiting(contributor) == (0, 0)
    assert not [each for each in (contributor.home / "photos").rglob("*") if each.is_file()]


def test_a_page_is_shared_with_its_photo_after_approval(contributor: Site) -> None:
    contributor.send_photo("anil", photo_bytes())
    waiting = shown(contributor.ask("GET", "/dic/পানী"))

    contributor.ask("POST", "/api/photos/1/approve", by="editor")

    approved = shown(contributor.ask("GET", "/dic/পানী"))
    assert meta_property(waiting, "og:image").endswith("/preview.png")
    assert re.fullmatch(r"https?://[^/]+/photos/1\.jpg", meta_property(approved, "og:image"))
    assert (meta_property(approved, "og:image:width"), meta_property(approved, "og:image:height")) == ("64", "48")
    assert meta_property(approved, "og:image:alt") == "Photo: পানী"


def meta_property(page: Page, name: str) -> str:
    return page.one("meta", property=name).attributes["content"]
