"""Voices on the pages: sending a recording, deciding on it, hearing it, and what nobody has recorded yet."""

import io
import json
import sqlite3
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final
from urllib.parse import quote

import pytest

from tests.people.pages.test_account import shown
from tests.support.asgi import AsgiResponse
from tests.support.contributions import PASSWORD, Site, encode_form
from tests.support.databases import SqliteDatabases
from tests.support.generated_recordings import encode_recording, make_voice
from tests.support.pages import open_pages, send_form

VOICE = encode_recording()
OTHER = encode_recording(samples=make_voice(vowels=9.0, pitch=190.0))
RECORD = "/account/submit/recording"
QUEUE = "/review/recordings"
WORD = "/dic/পানী"


@pytest.fixture
def site(sqlite_databases: SqliteDatabases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Open the whole application with a reader and an editor who are signed in."""
    with open_pages(sqlite_databases, tmp_path_factory.mktemp("site")) as site:
        yield site


def send_voice(
    site: Site, recording: bytes | None = VOICE, by: str | None = "reader", key: str = "", **fields: str
) -> AsgiResponse:
    said = {} if fields.keys() & {"phraseID", "ideaID"} else {"wordID": "1"}
    body, kind = encode_form({"consent": "yes"} | said | fields, recording, "voice.wav", "recording")
    headers = {"Content-Type": kind, "Sec-Fetch-Site": "same-origin"} | ({"Idempotency-Key": key} if key else {})
    return site.ask("POST", RECORD, by=by, body=body, headers=headers)


def approve(site: Site, number: int = 1) -> AsgiResponse:
    return send_form(site, f"{QUEUE}/{number}", {"decision": "approve"}, by="editor")


def list_play_labels(site: Site, path: str) -> list[str]:
    """List what the links of a page say that play a recording."""
    links = shown(site.ask("GET", path)).all("a", type="audio/mpeg")
    return [each.attributes["aria-label"] or "" for each in links]


def count_waiting(site: Site) -> int:
    total: int = site.ask("GET", "/api/recordings?status=pending_review", by="editor").json["total"]
    return total


def test_the_recording_page_shows_the_text_and_is_the_only_page_that_may_use_the_microphone(site: Site) -> None:
    answer = site.ask("GET", f"{RECORD}?wordID=1", by="reader")
    other = site.ask("GET", "/about")

    page = shown(answer)
    assert page.one("p", **{"class": "recording-prompt"}).text == "পানী"
    assert page.one("input", name="wordID").attributes["value"] == "1"
    assert (answer.headers["permissions-policy"], other.headers["permissions-policy"]) == (
        "camera=(), geolocation=(), microphone=(self)",
        "camera=(), geolocation=(), microphone=()",
    )
    assert "media-src 'self' blob:;" in answer.headers["content-security-policy"]
    assert "media-src 'self';" in other.headers["content-security-policy"]


def test_without_a_text_the_page_links_to_the_choice_of_one(unchanged_site: Site, subtests: pytest.Subtests) -> None:
    for query in ("", "wordID=999999", "wordID=x", "ideaID=1&example=nothing", "phraseID=0"):
        with subtests.test(query):
            page = shown(unchanged_site.ask("GET", f"{RECORD}?{query}", by="reader"))

            assert "First choose what to say" in page.main
            assert not page.all("input", name="wordID")


def test_a_recording_goes_from_the_form_to_the_page_of_the_word_and_its_lists(site: Site) -> None:
    assert send_voice(site, speaker="A. Speaker", place="Jorhat").headers["location"] == "/account?done=recording"
    assert list_play_labels(site, WORD) == []
    queue = shown(site.ask("GET", QUEUE, by="editor"))
    assert "1 recording to review." in queue.main
    length = site.ask("GET", "/api/recordings/1", by="editor").json["milliseconds"] / 1000
    assert f"{length:.1f} seconds" in queue.main
    assert "A. Speaker" in queue.main
    assert queue.one("audio").attributes["src"] == "/recordings/1.mp3"

    assert approve(site).headers["location"] == "/review/recordings?done=approved&id=1"

    assert set(list_play_labels(site, WORD)) == {"Listen: পানী, A. Speaker, Jorhat"}
    word = shown(site.ask("GET", WORD))
    assert "A. Speaker · Jorhat · CC BY-SA 4.0" in word.main
    assert word.links_to(f"{RECORD}?wordID=1")
    assert list_play_labels(site, f"/search?q={quote('পান*')}")[:1] == ["Listen: পানী, A. Speaker, Jorhat"]


REFUSED_FORMS: Final[tuple[tuple[bytes | None, dict[str, str], str], ...]] = (
    (b"no sound at all", {}, "is not a WAV, FLAC, Ogg or MP3 file"),
    (b"x" * 5_300_000, {}, "is larger than 5 MB"),
    (None, {}, "is missing"),
    (VOICE, {"consent": ""}, "if the speaker agrees"),
    (VOICE, {"licence": "CC0 1.0"}, "licence"),
    (VOICE, {"place": "x" * 101}, "must have at most 100 characters"),
)


def test_a_refused_recording_keeps_the_form_filled_in(site: Site, subtests: pytest.Subtests) -> None:
    for recording, more, message in REFUSED_FORMS:
        with subtests.test(message):
            answer = send_voice(site, recording, speaker="A. Speaker", **more)

            page = shown(answer)
            assert answer.status == 400
            assert message in page.one("div", role="alert").text
            assert page.one("input", name="speaker").attributes["value"] == "A. Speaker"
            assert page.one("p", **{"class": "recording-prompt"}).text == "পানী"
            assert ("checked" in page.one("input", name="consent").attributes) == ("consent" not in more)
            assert "microphone=(self)" in answer.headers["permissions-policy"]
    assert count_waiting(site) == 0


def test_a_recording_sent_without_a_session_is_answered_with_the_form(site: Site) -> None:
    answer = send_voice(site, by=None)

    assert answer.status == 401
    assert "Sign in, and send the recording again." in shown(answer).main


def test_another_site_sends_no_recording(site: Site) -> None:
    body, kind = encode_form({"wordID": "1", "consent": "yes"}, VOICE, "voice.wav", "recording")
    headers = {"Content-Type": kind, "Sec-Fetch-Site": "cross-site"}

    assert site.ask("POST", RECORD, by="reader", body=body, headers=headers).status == 403
    assert count_waiting(site) == 0


def test_proverbs_and_examples_are_recorded_and_played(site: Site) -> None:
    proverb = site.ask("GET", "/api/phrases/1").json
    example = site.ask("GET", "/api/ideas/1").json["examples"][0]["text"]
    asked = f"{RECORD}?ideaID=1&example={quote(example)}"
    assert shown(site.ask("GET", asked, by="reader")).one("input", name="example").attributes["value"] == example
    send_voice(site, phraseID="1")
    send_voice(site, OTHER, ideaID="1", example=example)
    approve(site)
    approve(site, 2)

    assert f"Listen: {proverb['phrase']}" in list_play_labels(site, f"/dic/{proverb['phrase']}")
    assert f"Listen: {example}" in list_play_labels(site, WORD)


def test_a_flashcard_is_heard_with_its_answer(site: Site) -> None:
    card = shown(site.ask("GET", "/flashcards?set=1")).all("span", **{"class": "word"})[0].text
    word = site.ask("GET", f"/api/dic.php?w={quote(card)}&l=as").json["querywords"][0]["entries"][0]
    send_voice(site, wordID=str(word["id"]))
    approve(site)

    assert list_play_labels(site, "/flashcards?set=1") == [f"Listen: {word['word']}"]


def test_a_deck_for_anki_has_the_recordings_of_its_words(site: Site, tmp_path: Path) -> None:
    card = shown(site.ask("GET", "/flashcards?set=1")).all("span", **{"class": "word"})[0].text
    word = site.ask("GET", f"/api/dic.php?w={quote(card)}&l=as").json["querywords"][0]["entries"][0]
    send_voice(site, wordID=str(word["id"]))
    silent_deck = site.ask("GET", "/flashcards/1.apkg").body
    approve(site)

    with zipfile.ZipFile(io.BytesIO(site.ask("GET", "/flashcards/1.apkg").body)) as deck:
        (tmp_path / "collection").write_bytes(deck.read("collection.anki2"))
        names = json.loads(deck.read("media"))
        bodies = {name: deck.read(number) for number, name in names.items()}
    with closing(sqlite3.connect(tmp_path / "collection")) as notes:
        fields = [row[0] for row in notes.execute("SELECT flds FROM notes WHERE flds LIKE '%[sound:%'")]

    assert bodies == {"abhidhan-1.mp3": site.ask("GET", "/recordings/1.mp3").body}
    assert len(fields) == 1
    assert "[sound:abhidhan-1.mp3]" in fields[0].split("\x1f")[3]
    assert zipfile.ZipFile(io.BytesIO(silent_deck)).read("media") == b"{}"


def test_a_decision_can_be_undone_by_the_button_beside_it(site: Site) -> None:
    send_voice(site)
    path = approve(site).headers["location"]
    assert shown(site.ask("GET", path, by="editor")).all("form", action=f"{QUEUE}/1/undo")

    undone = send_form(site, f"{QUEUE}/1/undo", {}, by="editor")

    assert undone.headers["location"] == "/review/recordings?done=undone&id=1"
    assert count_waiting(site) == 1
    assert list_play_labels(site, WORD) == []
    assert send_form(site, f"{QUEUE}/1/undo", {}, by="editor").status == 409


def test_editors_see_similar_recordings_and_the_number_of_waiting_ones(site: Site) -> None:
    send_voice(site)
    send_voice(site, wordID="2")

    queue = shown(site.ask("GET", QUEUE, by="editor"))

    assert "Identical or similar recordings:" in queue.main
    assert "(the same)" in queue.main
    assert [each.text for each in queue.all("span", **{"class": "count"})] == ["2"]


def test_the_sender_sees_the_reason_of_a_rejection(site: Site) -> None:
    send_voice(site)

    assert send_form(site, f"{QUEUE}/1", {"decision": "reject", "reason": " "}, by="editor").status == 400
    send_form(site, f"{QUEUE}/1", {"decision": "reject", "reason": "Too much noise"}, by="editor")

    assert "Reason: Too much noise" in shown(site.ask("GET", "/account", by="reader")).main


def test_only_moderators_review_recordings(unchanged_site: Site) -> None:
    assert unchanged_site.ask("GET", QUEUE, by="reader").status == 403
    assert unchanged_site.ask("GET", "/review/voices", by="reader").status == 403
    assert send_form(unchanged_site, f"{QUEUE}/1", {"decision": "approve"}, by="reader").status == 403


def test_a_withdrawn_recording_disappears_from_the_pages(site: Site) -> None:
    send_voice(site)
    approve(site)
    own = shown(site.ask("GET", "/account", by="reader"))
    assert own.one("audio").attributes["src"] == "/recordings/1.mp3"
    assert "If you withdraw it, it is deleted everywhere immediately" in own.main

    withdrawn = send_form(site, "/account/recordings/1/withdraw", {}, by="reader")

    assert withdrawn.headers["location"] == "/account?done=recording-withdrawn"
    assert list_play_labels(site, WORD) == []
    assert site.ask("GET", "/recordings/1.mp3").status == 404
    again = shown(site.ask("GET", "/account", by="reader"))
    assert not again.all("form", action="/account/recordings/1/withdraw")


def test_a_form_that_is_sent_again_by_its_key_is_one_recording_even_after_a_decision(site: Site) -> None:
    send_voice(site, key="one")
    approve(site)

    again = send_voice(site, key="one")

    assert again.headers["location"] == "/account?done=recording"
    assert count_waiting(site) == 0
    send_voice(site, key="another")
    assert count_waiting(site) == 1


@pytest.mark.parametrize(("chosen", "heard"), [({}, 1), ({"remove_recordings": "yes"}, 0)])
def test_users_choose_whether_their_recordings_stay_when_they_delete_their_account(
    site: Site, chosen: dict[str, str], heard: int
) -> None:
    send_voice(site)
    approve(site)
    form = shown(site.ask("GET", "/account/remove", by="reader"))
    assert "checked" not in form.one("input", id="remove_recordings").attributes

    send_form(site, "/account/remove", {"stays": "none", "password": PASSWORD} | chosen, by="reader")

    assert bool(list_play_labels(site, WORD)) == bool(heard)
    assert len([*site.home.rglob("*.mp3")]) == heard


def test_words_without_a_voice_come_by_how_common_they_are(site: Site) -> None:
    before = list_words_without_recording(site)
    send_voice(site, wordID=before[0])
    approve(site)

    after = list_words_without_recording(site)

    assert after[: len(before) - 1] == before[1:]
    assert list_words_without_recording(site, "en") != before


def list_words_without_recording(site: Site, language: str = "as") -> list[str]:
    """List the words without a voice, by their IDs."""
    page = shown(site.ask("GET", f"/review/voices?language={language}", by="editor"))
    links = [each.attributes.get("href") or "" for each in page.all("a")]
    return [link.partition("wordID=")[2] for link in links if "wordID=" in link]
