from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from abhidhan.contributions.service.mail_delivery import NOTICE_READERS
from abhidhan.people.model.mail_templates import (
    KINDS,
    MAX_REASON_LENGTH,
    DecisionNotice,
    MailTranslator,
    decisions_text,
    one_line,
    with_unsubscribe_link,
    without_links,
)
from abhidhan.people.model.mails import (
    DAY,
    RETRY_DELAYS_SECONDS,
    MailChoice,
    MailTopic,
    is_signed,
    mailbox_key,
    next_morning,
    read_address_token,
    read_stop_token,
    retry_delay,
    stop_token,
)
from abhidhan.people.pages.mails import translator_of
from abhidhan.people.store.mails import SENDER_TABLES
from abhidhan.records.submission_payloads import Kind
from abhidhan.records.submissions import LOST_PHOTO, Status

KEY = "a secret"
CHOICE = MailChoice(7, MailTopic.DECISIONS, is_wanted=True, language="en", secret=KEY, agreed=0)
ENGLISH = MailTranslator(str, str)


@given(st.integers(0, 4_000_000_000))
def test_mails_about_decisions_go_out_in_the_morning_of_assam(now: int) -> None:
    morning = next_morning(now)

    assert now < morning <= now + DAY
    assert datetime.fromtimestamp(morning, UTC).strftime("%H:%M") == "02:30"


def test_pauses_grow_and_then_stay() -> None:
    pauses = [retry_delay(tries) for tries in range(1, 9)]

    assert pauses == sorted(pauses)
    assert pauses[-1] == RETRY_DELAYS_SECONDS[-1]


def test_a_link_is_for_one_person_and_one_topic() -> None:
    changes: list[dict[str, Any]] = [{"person_id": 8}, {"topic": MailTopic.CONFIRMATION}, {"secret": "another"}]
    others = [structs.replace(CHOICE, **change) for change in changes]
    link = read_stop_token(stop_token(CHOICE))
    assert link is not None

    assert is_signed(link, CHOICE)
    assert not any(is_signed(link, other) for other in others)
    assert not is_signed(link._replace(person_id=8), others[0])


def test_a_link_is_written_as_older_versions_have_mailed_it() -> None:
    assert stop_token(CHOICE) == "7-decisions-5cb48ae7c471c73176c2adf1ae01927b"


@given(st.text(max_size=80))
def test_anything_may_stand_where_a_token_should(text: str) -> None:
    assert read_stop_token(text) is None


@given(st.text(max_size=3_000))
def test_what_people_write_stays_one_line(text: str) -> None:
    line = one_line(text, MAX_REASON_LENGTH)

    assert len(line) <= MAX_REASON_LENGTH
    assert len(line.splitlines()) <= 1
    assert line.encode() or not text.strip()


@pytest.mark.parametrize(
    "hostile", ["a\r\n-- \nhttps://evil.example", "\u202egnp.exe", "\x1b[2J", "\ud800", "%(count)s"]
)
def test_a_hostile_reason_makes_no_line_of_its_own(hostile: str) -> None:
    decided = DecisionNotice("word", hostile, Status.REJECTED, hostile, "https://d.example/dic/x")

    text = with_unsubscribe_link(
        decisions_text([decided], 0, ENGLISH, "https://d.example"), ENGLISH, "https://d.example/stop"
    )

    assert len(text.splitlines()) == 12
    assert not {"\x1b", "\u202e", "\ud800", "\r"} & {*text}


def test_of_very_many_decisions_a_mail_tells_some_and_how_many_more() -> None:
    decided = [DecisionNotice("word", str(number), Status.APPROVED) for number in range(3)]

    text = decisions_text(decided, 12, ENGLISH, "https://d.example")

    assert text.count("- Word") == 3
    assert "and 12 more" in text


def test_every_kind_has_a_name_and_is_read() -> None:
    assert {*KINDS} == {*map(str, Kind), "photo", "recording"}
    assert {*NOTICE_READERS} == {*SENDER_TABLES}


def test_a_reason_of_the_programs_own_is_in_the_language_of_the_mail() -> None:
    ours, own = (
        decisions_text(
            [DecisionNotice("photo", "bird", Status.REJECTED, reason)],
            0,
            translator_of("as"),
            "https://dictionary.example",
        )
        for reason in (str(LOST_PHOTO), "Blurred")
    )

    assert "এই ফটোখনৰ ফাইল হেৰাল।" in ours
    assert "Blurred" in own


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("https://evil.example/x", "https[:]//evil[.]example/x"),
        ("mailto:a@evil.example", "mailto[:]a[@]evil[.]example"),
        ("www.evil.example", "www[.]evil[.]example"),
        ("অসমীয়া.ভাৰত", "অসমীয়া[.]ভাৰত"),
        ("e.g. ঘৰ. মানুহ; 10:30", "e.g. ঘৰ. মানুহ; 10:30"),
    ],
)
def test_no_link_is_made_of_what_people_write(text: str, written: str) -> None:
    assert without_links(text) == written


def test_ways_to_write_one_mailbox_are_one_and_other_mailboxes_are_others() -> None:
    one = ["a.b+c@gmail.com", "AB@GMAIL.com", "ab+@gmail.com", "a.b@gmail.com"]
    others = ["ab@mail.example", "a.b@mail.example", "b@gmail.com", "+ab@mail.example", "+cd@mail.example"]

    assert len({mailbox_key(each) for each in one}) == 1
    assert len({mailbox_key(each) for each in [*one, *others]}) == 1 + len(others)
    assert "@" not in mailbox_key(one[0])


@given(st.text(max_size=80))
def test_anything_may_stand_where_the_token_of_an_address_should(text: str) -> None:
    assert read_address_token(text) is None
