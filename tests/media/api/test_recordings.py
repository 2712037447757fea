import asyncio
import time
from typing import Any, Final
from urllib.parse import quote

import pytest
from sqlalchemy import text

from abhidhan.editing.store.history import find_version
from abhidhan.exchange.service import maintenance
from abhidhan.records.history import RecordRef
from abhidhan.records.people import Role
from tests.support.contributions import HOST, Site
from tests.support.generated_recordings import encode_recording, make_voice

WAV = encode_recording()
OTHER = encode_recording(samples=make_voice(vowels=9.0, pitch=190.0))
PANI = f"/api/dic.php?w={quote('পানী')}"


@pytest.fixture
def speakers(open_site: Site) -> Site:
    """Let people sign in who speak, and an editor."""
    return with_people(open_site)


@pytest.fixture
def waiting(open_site: Site) -> Site:
    """Let a recording of the word 1 by a reader wait for review."""
    return with_recording(open_site)


@pytest.fixture
def waiting_on_each_engine(site: Site) -> Site:
    """Let a recording of a reader wait for review, once on each engine."""
    return with_recording(site)


def with_people(site: Site) -> Site:
    site.add("reader")
    site.add("other")
    site.add("editor", Role.EDITOR)
    return site


def with_recording(site: Site) -> Site:
    with_people(site).send_recording("reader", WAV, more={"speaker": "Anil", "place": "Jorhat"})
    return site


def step(site: Site, name: str, by: str = "editor", number: int = 1, **body: str) -> int:
    return site.ask("POST", f"/api/recordings/{number}/{name}", by=by, json=body).status


def audio(site: Site) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = site.ask("GET", PANI).json["querywords"][0]["entries"][0]["audio"]
    return found


def undo(site: Site, name: str) -> int:
    kind, _, number = name.partition(":")
    with site.database.engine.begin() as connection:
        entry = find_version(connection, RecordRef(kind, number))
    return site.ask("POST", f"/api/editing/history/{entry}/undo", by="editor").status


def problems(site: Site, recording: bytes = WAV, **rest: dict[str, str]) -> list[str]:
    answer = site.send_recording("reader", recording, **rest)
    return [problem["parameter"] for problem in answer.json["errors"]] if answer.status == 400 else [str(answer.status)]


def files_of(site: Site) -> list[str]:
    return [file.suffix for file in (site.home / "recordings").rglob("*") if file.is_file()]


def test_a_submission_has_all_documented_fields(waiting: Site) -> None:
    entry = waiting.ask("GET", "/api/recordings?status=pending_review", by="editor").json["data"][0]

    milliseconds = entry.pop("milliseconds")
    assert entry.pop("submitted").endswith("Z")
    assert 400 < milliseconds < 1200
    assert entry == {
        "submission_id": 1,
        "status": "pending_review",
        "word_id": 1,
        "phrase_id": None,
        "idea_id": None,
        "spoken": "পানী",
        "language_id": 2,
        "speaker": "Anil",
        "place": "Jorhat",
        "reason": None,
        "url": "/recordings/1.mp3",
        "clipped": False,
        "duplicates": [],
        "licence": "CC BY-SA 4.0",
    }


INVALID_FIELDS: Final[tuple[tuple[dict[str, str], dict[str, str], list[str]], ...]] = (
    ({}, {}, ["wordID"]),
    ({"wordID": "1", "phraseID": "1"}, {}, ["wordID"]),
    ({"wordID": "1", "example": "x"}, {}, ["wordID"]),
    ({"ideaID": "1"}, {}, ["wordID"]),
    ({"ideaID": "1", "example": "no such example\0"}, {}, ["ideaID"]),
    ({"wordID": "99999"}, {}, ["wordID"]),
    ({"phraseID": "2147483648"}, {}, ["phraseID"]),
    ({"wordID": "১"}, {}, ["wordID"]),
    ({"wordID": "1"}, {"consent": ""}, ["consent"]),
    ({"wordID": "1"}, {"consent": "no"}, ["consent"]),
    ({"wordID": "1"}, {"speaker": "a\x07b"}, ["speaker"]),
    ({"wordID": "1"}, {"place": "x" * 101}, ["place"]),
    ({"wordID": "1"}, {"licence": "WTFPL"}, ["licence"]),
)


def test_invalid_fields_are_reported_with_their_parameter(speakers: Site, subtests: pytest.Subtests) -> None:
    for fields, more, wrong in INVALID_FIELDS:
        with subtests.test(fields=fields, more=more):
            assert problems(speakers, fields=fields, more=more) == wrong
    assert files_of(speakers) == []


def test_all_problems_of_a_recording_are_reported_together(speakers: Site) -> None:
    parameters = problems(speakers, b"RIFFnot a recording", fields={}, more={"consent": "", "place": "x" * 101})

    assert sorted(parameters) == ["consent", "place", "recording", "wordID"]
    assert problems(speakers, b"\0" * (5 * 1_048_576 + 1)) == ["recording"]


def test_sending_a_recording_needs_an_account(speakers: Site) -> None:
    assert speakers.send_recording(None, WAV).status == 401


def test_a_repeated_recording_returns_the_waiting_submission(waiting_on_each_engine: Site) -> None:
    site = waiting_on_each_engine
    said = {"speaker": "Anil", "place": "Jorhat"}

    again = site.send_recording("reader", WAV, more=said)
    by_another_speaker = site.send_recording("reader", WAV, more=said | {"speaker": "Bina"})
    step(site, "reject", reason="Too loud")
    after_a_decision = site.send_recording("reader", WAV, more=said)

    found = [each.json["submission_id"] for each in (again, by_another_speaker, after_a_decision)]
    assert (again.status, found) == (201, [1, 2, 3])
    assert len(files_of(site)) == 3


def test_repeated_requests_with_one_idempotency_key_are_one_recording(speakers: Site) -> None:
    keyed = {"headers": {"Idempotency-Key": "one"}}

    first = speakers.send_recording("reader", WAV, **keyed)
    again = speakers.send_recording("reader", WAV, **keyed)
    another = speakers.send_recording("reader", OTHER, **keyed)
    photo_key = speakers.send_photo("reader", b"", **keyed)

    assert (first.json["submission_id"], again.json["submission_id"], another.status) == (1, 1, 422)
    assert photo_key.status == 400


def test_the_number_of_waiting_recordings_per_user_is_limited(speakers: Site) -> None:
    speakers.write_side.recordings._quotas = speakers.write_side.recordings._quotas.__class__(recordings=1)  # noqa: SLF001

    assert speakers.send_recording("reader", WAV).status == 201
    assert speakers.send_recording("reader", OTHER).status == 429
    assert speakers.send_recording("other", OTHER).status == 201


def test_moderators_see_all_recordings_and_their_duplicates(waiting_on_each_engine: Site) -> None:
    site = waiting_on_each_engine
    site.send_recording("other", WAV, fields={"phraseID": "5"})
    site.send_recording("other", encode_recording(kind="OGG"))
    site.send_recording("other", OTHER)

    totals = {by: site.ask("GET", "/api/recordings", by=by).json["total"] for by in ("reader", "other", "editor")}
    alike = site.ask("GET", "/api/recordings/1", by="editor").json["duplicates"]

    assert totals == {"reader": 1, "other": 3, "editor": 4}
    assert [(each["submission_id"], each["exact"]) for each in alike] == [(2, True), (3, False)]
    assert site.ask("GET", "/api/recordings/1", by="reader").json["duplicates"] == []
    assert site.ask("GET", "/api/recordings/1", by="other").status == 403


def test_an_approved_recording_belongs_to_its_word_until_the_approval_is_undone(waiting_on_each_engine: Site) -> None:
    site = waiting_on_each_engine
    assert (audio(site), step(site, "approve")) == ([], 200)

    shown = audio(site)
    in_words = site.ask("GET", "/api/words/1?fields=word,audio").json
    assert shown[0].pop("milliseconds") > 400
    assert shown == [{"url": "/recordings/1.mp3", "speaker": "Anil", "place": "Jorhat", "licence": "CC BY-SA 4.0"}]
    assert (set(in_words), in_words["audio"][0]["url"]) == ({"word", "audio"}, "/recordings/1.mp3")
    assert undo(site, "recording:1") == 200
    assert (audio(site), site.ask("GET", "/recordings/1.mp3").status) == ([], 404)
    assert step(site, "approve") == 200
    assert len(audio(site)) == 1


def test_phrases_and_examples_can_have_recordings(site: Site) -> None:
    with_people(site)
    of_phrase = site.send_recording("reader", WAV, fields={"phraseID": "5"})
    example = site.ask("GET", "/api/ideas/1").json["examples"][0]["text"]
    of_example = site.send_recording("reader", WAV, fields={"ideaID": "1", "example": f" {example} "})

    assert (of_phrase.json["phrase_id"], of_example.json["spoken"]) == (5, example)
    assert [step(site, "approve", number=number) for number in (1, 2)] == [200, 200]
    phrase = site.ask("GET", "/api/phrases/5").json
    similar = site.ask("GET", f"/api/check-fj.php?fj={quote(phrase['phrase'])}").json
    assert [each["url"] for each in phrase["audio"]] == ["/recordings/1.mp3"]
    assert "/recordings/1.mp3" in str(similar)


def test_waiting_recordings_are_available_only_to_speaker_and_moderators(waiting: Site) -> None:
    statuses = {by: waiting.ask("GET", "/recordings/1.mp3", by=by).status for by in ("reader", "editor", "other", None)}
    answer = waiting.ask("GET", "/recordings/1.mp3", by="reader")

    assert statuses == {"reader": 200, "editor": 200, "other": 404, None: 404}
    assert (answer.headers["cache-control"], "access-control-allow-origin" in answer.headers) == ("no-store", False)


def test_a_part_of_a_recording_can_be_read(waiting: Site) -> None:
    step(waiting, "approve")
    whole = waiting.ask("GET", "/recordings/1.mp3")

    def part(asked: str, **more: str) -> tuple[int, bytes, str | None]:
        answer = waiting.ask("GET", "/recordings/1.mp3", headers={"Range": asked} | more)
        return answer.status, answer.body, answer.headers.get("content-range")

    size = len(whole.body)
    assert (whole.headers["content-type"], whole.headers["accept-ranges"]) == ("audio/mpeg", "bytes")
    assert whole.headers["access-control-allow-origin"] == "*"
    assert part("bytes=0-1") == (206, whole.body[:2], f"bytes 0-1/{size}")
    assert part("bytes=100-") == (206, whole.body[100:], f"bytes 100-{size - 1}/{size}")
    assert part("bytes=-7") == (206, whole.body[-7:], f"bytes {size - 7}-{size - 1}/{size}")
    assert part(f"bytes={size}-") == (416, b"", f"bytes */{size}")
    assert part("bytes=0-1", **{"If-Range": '"another"'}) == (200, whole.body, None)
    known = {"If-None-Match": whole.headers["etag"]}
    assert waiting.ask("GET", "/recordings/1.mp3", headers=known).status == 304
    assert waiting.ask("GET", "/recordings/1.mp3", headers=known | {"Range": "bytes=0-1"}).status == 304
    assert waiting.ask("GET", "/recordings/1.mp3", headers=known | {"Range": f"bytes={size}-"}).status == 304
    head = waiting.ask("HEAD", "/recordings/1.mp3", headers={"Range": "bytes=0-1"})
    assert (head.status, head.headers["content-length"], head.body) == (200, str(size), b"")


def test_other_file_names_are_not_found(waiting: Site) -> None:
    step(waiting, "approve")

    for name in ("2.mp3", "1.wav", "1", "1.mp3.html", "..%2f1.mp3", "01.mp3", "9999999999.mp3"):
        assert waiting.ask("GET", f"/recordings/{name}").status == 404, name


def test_a_speaker_can_withdraw_an_approved_recording(waiting_on_each_engine: Site) -> None:
    site = waiting_on_each_engine
    step(site, "approve")

    assert step(site, "withdraw", by="other") == 403
    assert step(site, "withdraw", by="reader") == 200
    assert (audio(site), files_of(site)) == ([], [])
    assert site.ask("GET", "/recordings/1.mp3", by="reader").status == 404
    assert (step(site, "approve"), undo(site, "recording:1")) == (409, 409)


def test_a_rejection_has_a_reason_and_rejected_recordings_cannot_be_withdrawn(waiting: Site) -> None:
    assert (step(waiting, "reject"), step(waiting, "reject", reason=" Too quiet ")) == (400, 200)

    seen = waiting.ask("GET", "/api/recordings/1", by="reader").json
    assert (seen["status"], seen["reason"]) == ("rejected", "Too quiet")
    assert step(waiting, "withdraw", by="reader") == 409


def test_the_recording_of_a_deleted_word_returns_with_the_word(waiting_on_each_engine: Site) -> None:
    site = waiting_on_each_engine
    step(site, "approve")

    assert site.ask("DELETE", "/api/editing/words/1", by="editor").status in {200, 204}
    assert site.ask("GET", "/api/recordings/1", by="editor").json["word_id"] is None
    assert undo(site, "word:1") == 200
    assert [each["url"] for each in audio(site)] == ["/recordings/1.mp3"]


def test_a_recording_of_a_deleted_word_cannot_be_approved(waiting: Site) -> None:
    waiting.ask("DELETE", "/api/editing/words/1", by="editor")

    assert step(waiting, "approve") == 409


def test_rejected_recordings_are_deleted_after_a_time_and_lost_files_are_found(waiting_on_each_engine: Site) -> None:
    site, recordings = waiting_on_each_engine, waiting_on_each_engine.write_side.recordings
    site.send_recording("other", OTHER)
    step(site, "approve", number=2)
    step(site, "reject", reason="because")
    assert site.run(recordings.cleanup.purge()) == 0
    recordings.cleanup._rejected_seconds = -1  # noqa: SLF001 (as if a month had passed)
    assert site.run(recordings.cleanup.purge()) == 1

    next((site.home / "recordings").rglob("*.mp3")).unlink()
    lost = site.run(recordings.cleanup.check(mend=True)).lost

    entries = site.ask("GET", "/api/recordings?status=rejected", by="editor").json["data"]
    assert (lost, [each["url"] for each in entries], audio(site)) == ((2,), [None, None], [])


def test_files_left_by_a_crash_are_deleted(waiting: Site) -> None:
    recordings, folder = waiting.write_side.recordings, waiting.home / "recordings" / "ab"
    folder.mkdir(exist_ok=True)
    (folder / f"ab{1:030x}.mp3").write_bytes(b"x")
    recordings.cleanup._clock = lambda: time.time() + 7200  # noqa: SLF001 (two hours later)
    recordings.cleanup._next_folder = 0xA0  # noqa: SLF001 (else by chance)

    assert (waiting.run(recordings.cleanup.sweep()), len(files_of(waiting))) == (1, 1)


def test_two_concurrent_approvals_publish_both_recordings(waiting_on_each_engine: Site) -> None:
    site = waiting_on_each_engine
    site.send_recording("other", OTHER)

    async def approve_both() -> list[int]:
        asked = [site.ask_async("POST", f"/api/recordings/{number}/approve", by="editor") for number in (1, 2)]
        return [answer.status for answer in await asyncio.gather(*asked)]

    assert site.run(approve_both()) == [200, 200]
    assert [each["url"] for each in audio(site)] == ["/recordings/1.mp3", "/recordings/2.mp3"]


def test_the_data_export_has_recordings_with_links_to_their_files(waiting: Site) -> None:
    (told,) = waiting.export_data("reader")["recordings"]

    assert (told["spoken"], told["speaker"], told["file"]) == ("পানী", "Anil", f"https://{HOST}/recordings/1.mp3")
    assert waiting.ask("GET", "/recordings/1.mp3", by="reader").status == 200


def test_deleting_an_account_withdraws_waiting_recordings_and_removes_the_name(waiting_on_each_engine: Site) -> None:
    site = waiting_on_each_engine
    site.send_recording("reader", OTHER, more={"speaker": "reader"})
    step(site, "approve", number=2)

    site.delete_account("reader")

    left = {each["submission_id"]: each for each in site.ask("GET", "/api/recordings", by="editor").json["data"]}
    assert [(each["url"], each["speaker"]) for each in audio(site)] == [("/recordings/2.mp3", None)]
    assert (left[1]["status"], left[1]["speaker"], left[1]["url"]) == ("withdrawn", None, None)
    assert files_of(site) == [".mp3"]


def test_deleting_an_account_may_withdraw_all_recordings_and_keep_the_words(site: Site) -> None:
    with_people(site).add("writer", Role.CONTRIBUTOR)
    site.send_recording("writer", WAV, more={"speaker": "Anil"})
    site.send_recording("other", OTHER)
    site.send_recording("writer", OTHER, fields={"phraseID": "5"})
    for number in (1, 2, 3):
        step(site, "approve", number=number)
    proverb = {"kind": "proverb", "data": {"text": "নতুন ফকৰা এটা লিখিলোঁ আজি", "category": "Other"}}
    made = site.ask("POST", "/api/submissions", by="writer", json=proverb).json["submission_id"]
    site.ask("POST", f"/api/submissions/{made}/approve", by="editor")
    before = site.ask("GET", "/api/changes").json["next"]

    site.delete_account("writer", remove_recordings=True, keep_waiting=True)

    left = {
        each["submission_id"]: each["status"] for each in site.ask("GET", "/api/recordings", by="editor").json["data"]
    }
    changed = site.ask("GET", f"/api/changes?since={before}").json["data"]
    assert left == {1: "withdrawn", 2: "approved", 3: "withdrawn"}
    assert [each["url"] for each in audio(site)] == ["/recordings/2.mp3"]
    assert site.ask("GET", "/api/phrases/5").json["audio"] == []
    assert site.ask("GET", "/recordings/1.mp3").status == 404
    assert files_of(site) == [".mp3"]
    assert {(each["kind"], each["id"]) for each in changed} == {("word", 1), ("phrase", 5)}
    assert entries_about(site, "recording:1") == []
    assert entries_about(site, "recording:2") == ["recording:2"] * 2
    assert "নতুন ফকৰা এটা লিখিলোঁ আজি" in str(site.ask("GET", "/api/phrases").json)


def entries_about(site: Site, name: str) -> list[str]:
    """List the entries of the history that hold a recording's states, by the records they are chiefly about."""
    with site.database.engine.begin() as connection:
        rows = connection.execute(text("SELECT record, record_id, before, after FROM history ORDER BY id")).all()
    return [f"{row.record}:{row.record_id}" for row in rows if f'"{name}"' in f"{row.before}{row.after}"]


def test_wrong_recordings_of_a_word_are_found_and_repaired(waiting_on_each_engine: Site) -> None:
    site = waiting_on_each_engine
    step(site, "approve")
    with site.database.engine.begin() as connection:
        connection.execute(text("UPDATE word SET audio = NULL WHERE id = 1"))
        connection.execute(text("UPDATE phrase SET audio = '[]' WHERE id = 5"))

    found = [(one.code, one.record) for one in maintenance.check(site.database) if one.code == "E216"]
    maintenance.repair_findings(site.database, {"E216"})

    assert found == [("E216", "word:1"), ("E216", "phrase:5")]
    assert [each["url"] for each in audio(site)] == ["/recordings/1.mp3"]
    assert not [one for one in maintenance.check(site.database) if one.code == "E216"]
