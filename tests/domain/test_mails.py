from datetime import UTC, datetime
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from abhidhan.domain.drafts import Kind
from abhidhan.domain.mail_addresses import mailbox_key, read_address_token
from abhidhan.domain.mail_texts import (
    KINDS,
    LONGEST_REASON,
    Decided,
    Voice,
    one_line,
    tell_decisions,
    with_way_out,
    without_links,
)
from abhidhan.domain.mails import (
    DAY,
    LONGEST_WAIT,
    PAUSES,
    QUIET_SECONDS,
    Choice,
    Often,
    Topic,
    due_of,
    is_signed,
    next_digest,
    pause_after,
    read_token,
    resume_token,
    stop_token,
)
from abhidhan.domain.reasons import LOST
from abhidhan.domain.submissions import Status
from abhidhan.services.contributions.told import READ
from abhidhan.storage.mails import TOLD
from abhidhan.web.mails import DigestRhythm, MailLanguage
from abhidhan.web.pages.interface import LANGUAGES
from abhidhan.web.pages.mails import voice_of

CHOICE = Choice(7, Topic.DECISIONS, Often.AT_ONCE, "en", "a secret", 0)
ENGLISH = Voice(str, str)


def test_decisions_wait_for_more_but_not_for_ever() -> None:
    assert due_of(1_000, 1_000) == 1_000 + QUIET_SECONDS
    assert due_of(1_000, 1_300) == 1_300 + QUIET_SECONDS
    assert due_of(1_000, 4_500) == 1_000 + LONGEST_WAIT


@given(st.integers(0, 4_000_000_000))
def test_digests_go_out_in_the_morning_and_by_the_week_on_mondays(now: int) -> None:
    daily, weekly = next_digest(now, Often.DAILY), next_digest(now, Often.WEEKLY)
    assert daily is not None
    assert weekly is not None

    assert now < daily <= now + DAY
    assert daily <= weekly <= now + 7 * DAY
    assert datetime.fromtimestamp(weekly, UTC).strftime("%A %H:%M") == "Monday 02:30"
    assert datetime.fromtimestamp(daily, UTC).strftime("%H:%M") == "02:30"
    assert next_digest(now, Often.NEVER) is None


def test_pauses_grow_and_then_stay() -> None:
    pauses = [pause_after(tries) for tries in range(1, 9)]

    assert pauses == sorted(pauses)
    assert pauses[-1] == PAUSES[-1]


def test_a_link_is_for_one_person_one_kind_and_one_purpose() -> None:
    stop, resume = read_token(stop_token(CHOICE)), read_token(resume_token(CHOICE, 99))
    others = [
        Choice(8, Topic.DECISIONS, Often.AT_ONCE, "en", "a secret", 0),
        Choice(7, Topic.DIGEST, Often.AT_ONCE, "en", "a secret", 0),
        Choice(7, Topic.DECISIONS, Often.AT_ONCE, "en", "another", 0),
    ]
    assert stop is not None
    assert resume is not None

    assert is_signed(stop, CHOICE)
    assert is_signed(resume, CHOICE)
    assert not any(is_signed(link, other) for link in (stop, resume) for other in others)
    later = structs.replace(CHOICE, agreed=1)
    assert (is_signed(stop, later), is_signed(resume, later)) == (True, False)
    assert not is_signed(stop._replace(often=Often.AT_ONCE, until=99), CHOICE)
    assert not is_signed(resume._replace(until=100), CHOICE)
    assert not is_signed(resume._replace(often=Often.DAILY), CHOICE)
    assert not is_signed(stop._replace(person_id=8), others[0])


@given(st.text(max_size=80))
def test_anything_may_stand_where_a_token_should(text: str) -> None:
    assert read_token(text) is None


@given(st.text(max_size=3_000))
def test_what_people_write_stays_one_line(text: str) -> None:
    line = one_line(text, LONGEST_REASON)

    assert len(line) <= LONGEST_REASON
    assert len(line.splitlines()) <= 1
    assert line.encode() or not text.strip()


@pytest.mark.parametrize(
    "hostile", ["a\r\n-- \nhttps://evil.example", "\u202egnp.exe", "\x1b[2J", "\ud800", "%(count)s"]
)
def test_a_hostile_reason_makes_no_line_of_its_own(hostile: str) -> None:
    decided = Decided("word", hostile, Status.REJECTED, hostile, "https://d.example/dic/x")

    text = with_way_out(tell_decisions([decided], 0, ENGLISH, "https://d.example"), ENGLISH, "https://d.example/stop")

    assert len(text.splitlines()) == 12
    assert not {"\x1b", "\u202e", "\ud800", "\r"} & {*text}


def test_of_very_many_decisions_a_mail_tells_some_and_how_many_more() -> None:
    decided = [Decided("word", str(number), Status.APPROVED) for number in range(3)]

    text = tell_decisions(decided, 12, ENGLISH, "https://d.example")

    assert text.count("- Word") == 3
    assert "and 12 more" in text


def test_every_kind_has_a_name_and_is_read() -> None:
    assert {*KINDS} == {*map(str, Kind), "photo", "recording"}
    assert {*READ} == {*TOLD}


def test_addresses_know_the_languages_and_rhythms_that_there_are() -> None:
    assert get_args(MailLanguage) == tuple(LANGUAGES)
    assert {*get_args(DigestRhythm)} == {*Often} - {Often.AT_ONCE}


def test_a_reason_of_the_programs_own_is_in_the_language_of_the_mail() -> None:
    ours, own = (
        tell_decisions(
            [Decided("photo", "bird", Status.REJECTED, reason)], 0, voice_of("as"), "https://dictionary.example"
        )
        for reason in (str(LOST), "Blurred")
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
