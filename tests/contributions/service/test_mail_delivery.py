"""Mails to people who agreed to them: what is told, when, in which language, once, and how it is stopped."""

import asyncio
import logging
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert, select, update

from abhidhan.contributions.service import mail_delivery as service
from abhidhan.people.model.mail_templates import MAX_LISTED_DECISIONS
from abhidhan.people.model.mails import (
    LEASE_SECONDS,
    MAX_DELIVERY_SECONDS,
    next_sending_time,
)
from abhidhan.people.store import mails as stored
from abhidhan.people.store.mails import has_due_mail, load_backlog
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.platform.runtime.smtp import Mailer
from abhidhan.platform.runtime.task_scope import run_tasks
from abhidhan.records.errors import ForbiddenError
from abhidhan.records.people import Role
from abhidhan.records.settings import Settings
from abhidhan.records.timestamps import DAY_SECONDS, HOUR_SECONDS
from abhidhan.schema import mail_choice, mail_outbox
from tests.support.contributions import encode_form, photo_bytes
from tests.support.databases import Databases, SqliteDatabases
from tests.support.generated_recordings import encode_recording
from tests.support.mail_server import SmallMailServer, running_mail_server
from tests.support.mail_site import ANIL, BASE_URL, DECISION_DELAY_SECONDS, MailTestSite, open_mail_site
from tests.support.metrics import count_changes
from tests.support.plans import find_scanned_tables


@pytest.fixture(scope="module")
def mail_server() -> Iterator[SmallMailServer]:
    """Run a mail server."""
    with running_mail_server() as server:
        yield server


@pytest.fixture
def post(databases: Databases, tmp_path: Path, mail_server: SmallMailServer) -> Iterator[MailTestSite]:
    """Open a site of a contributor who wants mails, and an editor, once on each engine."""
    yield from open_mail_site(databases, tmp_path / "home", mail_server)


@pytest.fixture
def one_post(sqlite_databases: SqliteDatabases, tmp_path: Path, mail_server: SmallMailServer) -> Iterator[MailTestSite]:
    """Open the same, on SQLite alone."""
    yield from open_mail_site(sqlite_databases, tmp_path / "home", mail_server)


# --- decisions ----------------------------------------------------------------------------------------------------


def test_decisions_are_told_in_one_mail_with_their_reasons_and_two_ways_to_stop(post: MailTestSite) -> None:
    post.site.send_photo("anil", photo_bytes())
    post.decide(post.send("নীৰ"))
    post.decide(post.send("নীৰদ"), "reject", "A cloud,\nnot water.")
    post.decide(1, kind="photos")

    assert post.deliver(offset_seconds=0) == []
    (text,) = post.deliver(offset_seconds=next_sending_time(int(time.time())) - int(time.time()) + 1)

    message = post.server.messages[-1]
    stop = str(message["List-Unsubscribe"])
    assert (message["To"], message["Subject"]) == (ANIL, "Abhidhan: Decisions about your contributions")
    assert message.get_content_type() == "text/plain"
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert stop.startswith(f"<{BASE_URL}/account/mails/stop?token=")
    assert text.splitlines()[2:7] == [
        "- Word “নীৰ”: approved",
        f"  {BASE_URL}/dic/%E0%A6%A8%E0%A7%80%E0%A7%B0",
        "- Word “নীৰদ”: rejected",
        "  Reason: A cloud, not water.",
        "- Photo “water, পানী, জল”: approved",
    ]
    assert stop.strip("<>") in text
    assert (post.count_unsent(), post.deliver(offset_seconds=2 * DAY_SECONDS)) == (0, [])


def test_a_text_that_was_refused_is_named_and_no_link_is_made_of_it(one_post: MailTestSite) -> None:
    data = {"kind": "proverb", "data": {"text": "https://evil.example/x জিকিলে", "category": "Other"}}
    sent = one_post.site.ask("POST", "/api/submissions", by="anil", json=data).json
    one_post.decide(sent["submission_id"], "reject", "No proverb.")

    (text,) = one_post.deliver()

    assert "- Proverb “https[:]//evil[.]example/x জিকিলে”: rejected\n  Reason: No proverb.\n" in text


def test_a_photo_without_an_idea_is_named_by_its_submitted_word(one_post: MailTestSite) -> None:
    word = one_post.send("জিকিলে", meaning="something that nobody else has")
    body, kind = encode_form({"submissionID": str(word), "photoCredit": "Anil"}, photo_bytes())
    sent = one_post.site.ask("POST", "/api/submit-foto.php", by="anil", body=body, headers={"Content-Type": kind})
    assert sent.json["success"], sent.json
    one_post.decide(1, "reject", "Too dark.", kind="photos")

    (text,) = one_post.deliver()

    assert "- Photo “জিকিলে”: rejected\n  Reason: Too dark.\n" in text


def test_only_the_oldest_of_very_many_decisions_are_listed_and_all_are_marked_as_sent(post: MailTestSite) -> None:
    for number in range(3):
        post.decide(post.send(f"নীৰ{'দ' * number}"), "reject", f"Reason {number}.")
    anil = post.person("anil")
    (first, *_) = post.site.database.read_now(lambda reader: load_backlog(reader, anil.id, MAX_LISTED_DECISIONS)).oldest
    gone = [{"person_id": anil.id, "kind": "photo", "record_id": 900 + each, "at": first.at} for each in range(60)]
    with post.site.database.engine.begin() as connection:
        connection.execute(insert(mail_outbox), gone)

    backlog = post.site.database.read_now(lambda reader: load_backlog(reader, anil.id, MAX_LISTED_DECISIONS))
    (text,) = post.deliver()

    assert (len(backlog.oldest), backlog.total, backlog.oldest[0]) == (MAX_LISTED_DECISIONS, 63, first)
    assert ("Reason 0." in text, "Reason 2." in text, "- and 13 more" in text) == (True, True, True)
    assert post.count_unsent() == 0


def test_a_decision_on_a_recording_sends_a_mail(one_post: MailTestSite) -> None:
    body, kind = encode_form({"wordID": "1", "consent": "yes"}, encode_recording(), "word.wav", "recording")
    sent = one_post.site.ask("POST", "/api/recordings", by="anil", body=body, headers={"Content-Type": kind})
    assert sent.status == 201, sent.json
    one_post.decide(1, kind="recordings")

    (text,) = one_post.deliver()

    assert "- Recording “" in text


def test_users_who_did_not_agree_get_no_mail(one_post: MailTestSite) -> None:
    one_post.choose("anil", decisions=False)

    one_post.decide(one_post.send())

    assert (one_post.count_unsent(), one_post.deliver()) == (0, [])


def test_own_decisions_and_withdrawals_send_no_mail(one_post: MailTestSite) -> None:
    one_post.choose("bina")
    one_post.decide(one_post.send("নীৰ", by="bina"))
    one_post.site.ask("POST", f"/api/submissions/{one_post.send('নীৰদ')}/withdraw", by="anil")

    assert (one_post.count_unsent(), one_post.deliver()) == (0, [])


def test_decisions_undone_before_the_mail_are_not_in_it(post: MailTestSite) -> None:
    number = post.send()
    post.decide(number)
    post.undo("words/" + post.site.ask("GET", f"/api/submissions/{number}", by="anil").json["result"].split(":")[1])

    assert (post.count_unsent(), post.deliver()) == (0, [])

    post.decide(number, "reject", "On second thoughts, no.")
    (text,) = post.deliver()
    assert "On second thoughts, no." in text
    assert "approved" not in text


def test_decisions_made_while_a_mail_is_sent_are_in_the_next_mail(one_post: MailTestSite, monkeypatch: Any) -> None:  # noqa: ANN401
    one_post.decide(one_post.send())
    other = one_post.send("নীৰদ")
    send = Mailer.send

    async def send_slowly(*given: Any, **more: Any) -> None:  # noqa: ANN401 (passed on)
        accounts, submissions = one_post.site.write_side.accounts, one_post.site.write_side.submissions
        await submissions.review.reject(await accounts.administration.find_by_name("bina"), other, "Late.")
        await send(*given, **more)

    monkeypatch.setattr(Mailer, "send", send_slowly)
    (first,) = one_post.deliver()
    monkeypatch.undo()
    (second,) = one_post.deliver(offset_seconds=2 * DECISION_DELAY_SECONDS)

    assert ("Late." in first, "Late." in second) == (False, True)


def test_a_mail_is_written_in_the_language_of_its_reader(one_post: MailTestSite) -> None:
    one_post.choose("anil", language="as")
    one_post.decide(one_post.send(), "reject", "ভুল বানান")

    (text,) = one_post.deliver()

    subject = one_post.server.messages[-1]["Subject"]
    assert "কাৰণ: ভুল বানান" in text
    assert "Reason" not in text
    assert subject.startswith("Abhidhan: ")
    assert not subject.removeprefix("Abhidhan: ").isascii()


# --- what goes wrong ----------------------------------------------------------------------------------------------


def test_a_worker_that_dies_while_sending_loses_no_mail(post: MailTestSite, monkeypatch: pytest.MonkeyPatch) -> None:
    post.decide(post.send())

    async def die(*_: object) -> None:
        raise asyncio.CancelledError  # no Exception, so that nothing catches it

    monkeypatch.setattr(Mailer, "send", die)
    with pytest.raises(asyncio.CancelledError):
        post.deliver()
    monkeypatch.undo()

    assert post.deliver() == []
    assert len(post.deliver(offset_seconds=DECISION_DELAY_SECONDS + LEASE_SECONDS + 60)) == 1


def test_of_two_workers_only_one_sends_a_mail(post: MailTestSite) -> None:
    post.decide(post.send())
    post.clock.offset_seconds = DECISION_DELAY_SECONDS
    url = post.site.database.url.render_as_string(hide_password=False)

    with Database(url) as other:

        async def both() -> tuple[int, int]:
            return await asyncio.gather(post.delivery().deliver(), post.delivery(other).deliver())

        assert sorted(post.site.run(both())) == [0, 1]
    assert len(post.server.messages) == 1


def test_a_mail_that_is_refused_is_tried_again_and_at_last_given_up(
    one_post: MailTestSite, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    one_post.decide(one_post.send(), "reject", "A secret reason.")
    one_post.server.refusal = "550 5.1.1"
    caplog.set_level(logging.DEBUG)
    tried = []
    for minutes in range(10, 240, 5):
        before = len(one_post.server.lines)
        one_post.deliver(offset_seconds=DECISION_DELAY_SECONDS + minutes * 60)
        tried += [minutes] if len(one_post.server.lines) > before else []

    pauses = [after - before for before, after in pairwise(tried)]
    assert tried[0] == 10
    assert pauses == sorted(pauses)
    assert pauses[-1] >= 60
    assert one_post.count_unsent() == 1

    one_post.deliver(offset_seconds=MAX_DELIVERY_SECONDS + DECISION_DELAY_SECONDS)
    assert one_post.count_unsent() == 0
    logged = caplog.text + "".join(capsys.readouterr())
    assert "no longer retried" in logged
    assert "550" in logged
    assert ANIL not in logged
    assert "secret reason" not in logged


def test_mails_are_counted_by_their_outcome(one_post: MailTestSite) -> None:
    delivery = one_post.delivery()
    with count_changes("mails_total", "result") as counted:
        one_post.decide(one_post.send("নীৰ"))
        one_post.server.refusal = "451 4.3.0"
        for ahead in (DECISION_DELAY_SECONDS, MAX_DELIVERY_SECONDS + DECISION_DELAY_SECONDS):
            one_post.clock.offset_seconds = ahead
            one_post.site.run(delivery.deliver())
        one_post.server.refusal = ""
        one_post.decide(one_post.send("নীৰদ"))
        one_post.clock.offset_seconds += DECISION_DELAY_SECONDS
        one_post.site.run(delivery.deliver())

    assert counted == {"sent": 1, "put off": 1, "given up": 1}


def test_giving_up_an_old_decision_keeps_a_fresh_one(post: MailTestSite) -> None:
    post.decide(post.send("নীৰ"), "reject", "The old one.")
    with post.site.database.engine.begin() as connection:
        long_ago = MAX_DELIVERY_SECONDS + HOUR_SECONDS
        connection.execute(update(mail_outbox).values(at=mail_outbox.c.at - long_ago))
        connection.execute(update(mail_choice).values(due=mail_choice.c.due - long_ago))
    post.decide(post.send("নীৰদ"), "reject", "The fresh one.")
    post.server.refusal = "451 4.3.0"

    assert (post.deliver(), post.count_unsent()) == ([], 1)

    post.server.refusal = ""
    (text,) = post.deliver(offset_seconds=2 * DAY_SECONDS)
    assert ("The old one." in text, "The fresh one." in text) == (False, True)


def test_waiting_mails_are_sent_when_the_mail_server_is_back(one_post: MailTestSite) -> None:
    one_post.decide(one_post.send())
    one_post.server.refusal = "451 4.3.0"
    assert one_post.deliver() == []
    one_post.server.refusal = ""

    assert one_post.deliver() == []
    assert len(one_post.deliver(offset_seconds=DECISION_DELAY_SECONDS + 120)) == 1


def test_one_refused_address_does_not_delay_mails_to_others(one_post: MailTestSite) -> None:
    one_post.add("gita", "gita@mail.example", Role.CONTRIBUTOR)
    one_post.choose("gita")
    one_post.decide(one_post.send("নীৰ"))
    one_post.decide(one_post.send("নীৰদ", by="gita"))
    one_post.server.refusal, one_post.server.refused = "550 5.1.1", ANIL

    (text,) = one_post.deliver()

    assert one_post.server.messages[-1]["To"] == "gita@mail.example"
    assert "- Word “নীৰদ”: approved" in text
    assert one_post.count_unsent() == 1


def test_without_a_mail_server_notices_are_kept(one_post: MailTestSite) -> None:
    one_post.decide(one_post.send())
    one_post.settings = Settings(home=one_post.settings.home)

    assert (one_post.deliver(), one_post.count_unsent()) == ([], 1)


def test_a_stopping_server_finishes_the_mail_it_is_sending(
    one_post: MailTestSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    one_post.decide(one_post.send())
    one_post.clock.offset_seconds = DECISION_DELAY_SECONDS
    monkeypatch.setattr(service, "FIRST_CHECK_DELAY_SECONDS", 0)
    begun = asyncio.Event()
    send = Mailer.send

    async def send_slowly(*given: Any) -> None:  # noqa: ANN401 (passed on)
        begun.set()
        await asyncio.sleep(0.05)
        await send(*given)

    async def serve() -> None:
        async with run_tasks(one_post.delivery().periodic_tasks()):
            await begun.wait()

    monkeypatch.setattr(Mailer, "send", send_slowly)
    one_post.site.run(serve())

    assert (len(one_post.server.messages), one_post.count_unsent()) == (1, 0)


def test_an_odd_error_is_logged_without_its_words_and_ends_no_mails(
    one_post: MailTestSite,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    one_post.decide(one_post.send())
    one_post.clock.offset_seconds = DECISION_DELAY_SECONDS
    monkeypatch.setattr(service, "FIRST_CHECK_DELAY_SECONDS", 0)
    monkeypatch.setattr(service, "CHECK_INTERVAL_SECONDS", 0)
    looks = iter([ZeroDivisionError(ANIL)])

    def claim_badly(*given: Any, **named: Any) -> Any:  # noqa: ANN401 (passed on)
        if odd := next(looks, None):
            raise odd
        return claim(*given, **named)

    async def send_and_tell(*given: Any) -> None:  # noqa: ANN401 (passed on)
        await send(*given)
        sent.set()

    async def serve() -> None:
        async with run_tasks(one_post.delivery().periodic_tasks()), asyncio.timeout(20):
            await sent.wait()

    claim, send, sent = stored.claim_due_mail, Mailer.send, asyncio.Event()
    monkeypatch.setattr(stored, "claim_due_mail", claim_badly)
    monkeypatch.setattr(Mailer, "send", send_and_tell)
    one_post.site.run(serve())

    logged = caplog.text + "".join(capsys.readouterr())
    assert "ZeroDivisionError" in logged
    assert ANIL not in logged
    assert len(one_post.server.messages) == 1


# --- agreeing -----------------------------------------------------------------------------------------------------


def test_users_cannot_agree_to_mails_that_cannot_be_sent_but_can_unsubscribe(one_post: MailTestSite) -> None:
    one_post.add("gita", None, Role.EDITOR)

    with pytest.raises(ForbiddenError, match="no e-mail address"):
        one_post.choose("gita")
    one_post.choose("gita", decisions=False)
    one_post.site.write_side.mails.is_possible = False
    with pytest.raises(ForbiddenError, match="does not send e-mail"):
        one_post.choose("anil")
    one_post.choose("anil", decisions=False)

    one_post.decide(one_post.send())
    assert one_post.count_unsent() == 0


def test_the_data_export_lists_mail_choices_and_deleting_the_account_deletes_them(one_post: MailTestSite) -> None:
    anil = one_post.person("anil")
    number = one_post.send()
    one_post.decide(number)

    copy = one_post.site.export_data("anil")
    one_post.site.delete_account("anil")

    (choice,) = (each for each in copy["mails"] if each["topic"] == "decisions")
    (undelivered,) = copy["undelivered"]
    assert (choice["topic"], choice["often"], choice["language"]) == ("decisions", "daily", "en")
    assert (undelivered["kind"], undelivered["record_id"]) == ("submission", number)
    assert "secret" not in choice
    assert (one_post.count_unsent(), one_post.deliver()) == (0, [])
    with one_post.site.database.engine.begin() as connection:
        assert connection.execute(select(mail_choice).where(mail_choice.c.person_id == anil.id)).all() == []


# --- cost ---------------------------------------------------------------------------------------------------------


def test_looking_whether_a_mail_is_due_is_a_search_in_an_index(one_post: MailTestSite) -> None:
    def look(connection: ReadConnection) -> None:
        has_due_mail(connection, 1)
        load_backlog(connection, 1, MAX_LISTED_DECISIONS)

    assert find_scanned_tables(one_post.site.database, look) == []
